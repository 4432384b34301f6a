#pragma once

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace gapless::test {

/// How to start a program.
struct process_start
{
    std::vector<std::string> words;  // the program's path, then its arguments
    /// Variables added to the environment of the test; none: taken out of it.
    std::map<std::string, std::optional<std::string>> environment{};
    std::string output_file{};  // where stdout goes; empty: to the test
};

/// How a program ended and what it had to say.
struct process_end
{
    int code{};  // exit code, or 128 + signal as in a shell
    std::string out;
    std::string err;
};

/// A running program with its three streams. Killed by the destructor if it still runs.
class process
{
public:
    using milliseconds = std::chrono::milliseconds;

    explicit process(process_start const& start);

    ~process()
    {
        if (id_ > 0)
        {
            ::kill(id_, SIGKILL);
            ::waitpid(id_, nullptr, 0);
        }
        for (auto* end : {&in_, &out_, &err_})
            close(*end);
    }

    process(process const&) = delete;
    process& operator=(process const&) = delete;

    pid_t id() const noexcept { return id_; }

    void send(int signal) const { ::kill(id_, signal); }

    /// Writes to its stdin. Meant for what fits into a pipe; finish() takes more.
    void write(std::string_view text)
    {
        while (!text.empty())
        {
            auto const size = ::write(in_, text.data(), text.size());
            if (size < 0 && errno != EINTR)
                return;
            text.remove_prefix(size < 0 ? 0 : static_cast<std::size_t>(size));
        }
    }

    /// Everything read of stdout and stderr so far.
    std::string const& out() const noexcept { return out_text_; }
    std::string const& err() const noexcept { return err_text_; }

    /// Reads until `text` stands in stderr (in stdout: `in_out`). False when the program ended or
    /// the time is over before.
    bool wait_for(
        std::string_view text, milliseconds patience = default_patience, bool in_out = false
    );

    /// Feeds `input`, closes stdin, reads until the program ends. Throws std::runtime_error, and
    /// kills it, when it takes too long.
    process_end finish(std::string_view input = {}, milliseconds patience = default_patience);

    static constexpr milliseconds default_patience{30'000};

private:
    static void close(int& descriptor) noexcept
    {
        if (descriptor >= 0)
            ::close(descriptor);
        descriptor = -1;
    }

    /// One round of reading and feeding; false when both outputs are at their end.
    bool pump(std::string_view& input, milliseconds patience);
    static void read_some(int& from, std::string& to);

    pid_t id_{};
    int in_{-1};
    int out_{-1};
    int err_{-1};
    std::string out_text_;
    std::string err_text_;
};

namespace detail {

struct pipe_ends
{
    int read{};
    int write{};
};

inline pipe_ends make_pipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw std::system_error{errno, std::generic_category(), "pipe"};
    return {ends[0], ends[1]};
}

}  // namespace detail

inline process::process(process_start const& start)
{
    auto const in = detail::make_pipe();
    auto const out = detail::make_pipe();
    auto const err = detail::make_pipe();
    std::vector<char*> words;
    for (auto const& word : start.words)
        words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);

    std::signal(SIGPIPE, SIG_IGN);  // a program that does not read its input is no reason to die
    id_ = ::fork();
    if (id_ == 0)
    {
        std::signal(SIGPIPE, SIG_DFL);
        for (auto const& [name, value] : start.environment)
            value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
        int const file = start.output_file.empty()
                             ? out.write
                             : ::open(start.output_file.c_str(), O_WRONLY | O_CREAT, 0600);
        ::dup2(in.read, STDIN_FILENO);
        ::dup2(file, STDOUT_FILENO);
        ::dup2(err.write, STDERR_FILENO);
        ::execv(words.front(), words.data());
        ::_exit(127);
    }
    for (auto const end : {in.read, out.write, err.write})
        ::close(end);
    in_ = in.write;
    out_ = out.read;
    err_ = err.read;
    ::fcntl(in_, F_SETFL, O_NONBLOCK);
    if (id_ < 0)
        throw std::system_error{errno, std::generic_category(), "fork"};
}

inline void process::read_some(int& from, std::string& to)
{
    std::array<char, 65'536> piece;
    auto const size = ::read(from, piece.data(), piece.size());
    if (size > 0)
        to.append(piece.data(), static_cast<std::size_t>(size));
    else if (size == 0 || errno != EINTR)
        close(from);
}

inline bool process::pump(std::string_view& input, milliseconds patience)
{
    std::array<pollfd, 3> ends{
        pollfd{out_, POLLIN, 0},
        pollfd{err_, POLLIN, 0},
        pollfd{input.empty() ? -1 : in_, POLLOUT, 0}};
    if (::poll(ends.data(), ends.size(), static_cast<int>(patience.count())) < 0)
        return true;
    if (ends[0].revents != 0)
        read_some(out_, out_text_);
    if (ends[1].revents != 0)
        read_some(err_, err_text_);
    if (ends[2].revents != 0)
    {
        auto const size = ::write(in_, input.data(), input.size());
        if (size > 0)
            input.remove_prefix(static_cast<std::size_t>(size));
        else if (errno != EAGAIN && errno != EINTR)
            input = {};
        if (input.empty())
            close(in_);
    }
    return out_ >= 0 || err_ >= 0;
}

inline bool process::wait_for(std::string_view text, milliseconds patience, bool in_out)
{
    auto const end = std::chrono::steady_clock::now() + patience;
    std::string_view nothing;
    while ((in_out ? out_text_ : err_text_).find(text) == std::string::npos)
        if (std::chrono::steady_clock::now() > end || !pump(nothing, milliseconds{100}))
            return false;
    return true;
}

inline process_end process::finish(std::string_view input, milliseconds patience)
{
    auto const end = std::chrono::steady_clock::now() + patience;
    if (input.empty())
        close(in_);
    while (pump(input, milliseconds{100}))
        if (std::chrono::steady_clock::now() > end)
            throw std::runtime_error{"the program takes too long; stderr so far: " + err_text_};
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR)
        ;
    id_ = 0;
    auto const code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, std::move(out_text_), std::move(err_text_)};
}

/// Starts a program, feeds it and waits for its end.
inline process_end run_program(process_start const& start, std::string_view input = {})
{
    return process{start}.finish(input);
}

}  // namespace gapless::test
