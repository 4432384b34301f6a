#include "cli/interrupts.hpp"

#include "cli/failure.hpp"

#include <pqxx/pqxx>

#include <chrono>
#include <csignal>
#include <string_view>
#include <unistd.h>

namespace gapless::cli {

namespace {

/// True if the caller spares us this signal, as a shell spares its background jobs Ctrl-C.
bool is_ignored(int signal) noexcept
{
    struct sigaction found = {};
    return ::sigaction(signal, nullptr, &found) == 0 && found.sa_handler == SIG_IGN;
}

/// The signals that interrupt.
sigset_t interrupting_signals() noexcept
{
    sigset_t set;
    sigemptyset(&set);
    for (auto const signal : {SIGINT, SIGTERM})
        if (!is_ignored(signal))
            sigaddset(&set, signal);
    return set;
}

/// Those, and the one with which the destructor wakes the watcher.
sigset_t awaited_signals() noexcept
{
    auto set = interrupting_signals();
    sigaddset(&set, SIGUSR1);
    return set;
}

[[noreturn]] void end_program(std::string_view text) noexcept
{
    [[maybe_unused]] auto const written = ::write(STDERR_FILENO, text.data(), text.size());
    ::_exit(static_cast<int>(exit_code::interrupted));
}

constexpr std::string_view twice_text =
    "\ngapless: interrupted twice; what was under way is perhaps done\n";

/// While it lives, a second signal ends the program although the watcher is waiting for a server
/// that says nothing.
class end_at_once
{
public:
    end_at_once() noexcept
    {
        for (auto const signal : {SIGINT, SIGTERM})
            if (!is_ignored(signal))
                std::signal(signal, [](int) { end_program(twice_text); });
        pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
    }
    ~end_at_once() { pthread_sigmask(SIG_BLOCK, &signals_, nullptr); }
    end_at_once(end_at_once const&) = delete;
    end_at_once& operator=(end_at_once const&) = delete;

private:
    sigset_t signals_{interrupting_signals()};
};

/// A cancellation between two queries has no effect, so it is sent again until the transaction has
/// ended.
constexpr timespec repeat_after{.tv_sec = 0, .tv_nsec = 200'000'000};

}  // namespace

interrupts::interrupts()
{
    // Threads inherit the mask: from now on only the watcher receives these signals.
    auto const set = awaited_signals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    watcher_ = std::thread{[this] { watch(); }};
}

interrupts::~interrupts()
{
    stopping_ = true;
    pthread_kill(watcher_.native_handle(), SIGUSR1);
    watcher_.join();
}

void interrupts::stop_if_arrived() const
{
    if (arrived_)
        throw command_failed{exit_code::interrupted, kept_ ? "interrupted" : interrupted_text};
}

void interrupts::watch() noexcept
{
    auto const set = awaited_signals();
    while (!stopping_)
    {
        auto const signal = sigtimedwait(&set, nullptr, arrived_ ? &repeat_after : nullptr);
        if (stopping_)
            return;
        if (signal == SIGINT || signal == SIGTERM)
        {
            if (arrived_.exchange(true))
                end_program(twice_text);
        }
        cancel_or_end(signal == SIGINT || signal == SIGTERM);
    }
}

void interrupts::cancel_or_end(bool may_end) noexcept
{
    std::lock_guard const lock{mutex_};
    if (busy_ == nullptr)
    {
        if (may_end && group_ > 0)
            ::kill(-group_, SIGTERM);
        // Once a query was cancelled, the command itself reports how it ended.
        if (may_end)
            end_program(
                kept_ ? "\ngapless: interrupted\n" : "\ngapless: interrupted; nothing was changed\n"
            );
        return;
    }
    try
    {
        end_at_once const armed;
        busy_->cancel_query();
    }
    catch (std::exception const&)
    {
        // The connection is lost or idle; the next round tries again.
    }
}

interrupts::running_group::running_group(interrupts& owner, std::function<pid_t()> const& begin)
    : owner_{owner}
{
    std::lock_guard const lock{owner_.mutex_};
    id_ = owner_.group_ = begin();
}

interrupts::running_group::~running_group()
{
    std::lock_guard const lock{owner_.mutex_};
    owner_.group_ = 0;
}

interrupts::watched::watched(interrupts& owner, pqxx::connection& connection) : owner_{owner}
{
    std::lock_guard const lock{owner_.mutex_};
    owner_.busy_ = &connection;
}

interrupts::watched::~watched()
{
    std::lock_guard const lock{owner_.mutex_};
    owner_.busy_ = nullptr;
}

}  // namespace gapless::cli
