#include "cli/program_input.hpp"

#include "cli/failure.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace gapless::cli {

namespace {

[[noreturn]] void fail_to_run(std::string const& command, int error)
{
    throw command_failed{
        exit_code::failure,
        fmt::format("cannot run {}: {}", command, std::generic_category().message(error))};
}

/// A pipe that child processes do not inherit.
struct pipe_ends
{
    int read{-1};
    int write{-1};

    pipe_ends() = default;
    pipe_ends(pipe_ends const&) = delete;
    pipe_ends& operator=(pipe_ends const&) = delete;
    ~pipe_ends()
    {
        close(read);
        close(write);
    }

    static void close(int& end) noexcept
    {
        if (end >= 0)
            ::close(std::exchange(end, -1));
    }
};

/// Starts the program with our input, and with signals in their default state. In this process one
/// thread takes them (interrupts.cpp), and one of them is ignored.
class spawn_settings
{
public:
    explicit spawn_settings(int input)
    {
        ::posix_spawn_file_actions_init(&files);
        ::posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
        ::posix_spawnattr_init(&attributes);
        sigset_t none;
        sigemptyset(&none);
        ::posix_spawnattr_setsigmask(&attributes, &none);
        sigset_t usual;
        sigemptyset(&usual);
        sigaddset(&usual, SIGPIPE);
        sigaddset(&usual, SIGXFSZ);
        ::posix_spawnattr_setsigdefault(&attributes, &usual);
        ::posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        );
    }
    ~spawn_settings()
    {
        ::posix_spawn_file_actions_destroy(&files);
        ::posix_spawnattr_destroy(&attributes);
    }
    spawn_settings(spawn_settings const&) = delete;
    spawn_settings& operator=(spawn_settings const&) = delete;

    posix_spawn_file_actions_t files{};
    posix_spawnattr_t attributes{};
};

/// A program that does not read all of it has seen enough.
void write_all(int to, std::string_view text) noexcept
{
    while (!text.empty())
    {
        auto const size = ::write(to, text.data(), text.size());
        if (size < 0 && errno != EINTR)
            return;
        text.remove_prefix(size < 0 ? 0 : static_cast<std::size_t>(size));
    }
}

}  // namespace

int run_with_input(interrupts& signals, std::string const& command, std::string_view input)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        fail_to_run(command, errno);
    pipe_ends pipe;
    pipe.read = ends[0];
    pipe.write = ends[1];
    spawn_settings const settings{pipe.read};
    std::array<std::string, 3> words{"sh", "-c", command};
    std::array<char*, 4> const arguments{
        words[0].data(), words[1].data(), words[2].data(), nullptr};
    interrupts::running_group const group{
        signals, [&] {
            pid_t id{};
            auto const error = ::posix_spawn(
                &id, "/bin/sh", &settings.files, &settings.attributes, arguments.data(), ::environ
            );
            if (error != 0)
                fail_to_run(command, error);
            return id;
        }};
    pipe_ends::close(pipe.read);
    write_all(pipe.write, input);
    pipe_ends::close(pipe.write);
    int status{};
    while (::waitpid(group.id(), &status, 0) < 0)
        if (errno != EINTR)
            fail_to_run(command, errno);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace gapless::cli
