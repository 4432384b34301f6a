#pragma once

#include "record/pqxx_fwd.hpp"

#include <atomic>
#include <functional>
#include <mutex>
#include <sys/types.h>
#include <thread>

namespace gapless::cli {

/// What Ctrl-C (SIGINT) and SIGTERM do to this program: a query under way is cancelled, so that its
/// transaction is rolled back and the command can say so; anywhere else the program ends at once
/// with exit code 130. A second signal always ends it. One object per program, made before any
/// other thread.
class interrupts
{
public:
    interrupts();
    ~interrupts();
    interrupts(interrupts const&) = delete;
    interrupts& operator=(interrupts const&) = delete;

    /// True once a signal has arrived.
    bool arrived() const noexcept { return arrived_; }

    /// Ends the command with exit_code::interrupted if a signal has arrived. To be called between
    /// the steps of a transaction: a cancellation hits queries only.
    void stop_if_arrived() const;

    /// From now on something has been changed for good; an interruption no longer says otherwise.
    void changes_are_kept() noexcept { kept_ = true; }

    /// While it lives, a process group of ours runs: it gets SIGTERM before the program ends.
    class running_group
    {
    public:
        /// `begin` starts it and returns its id; a signal waits until then.
        running_group(interrupts& owner, std::function<pid_t()> const& begin);
        ~running_group();
        running_group(running_group const&) = delete;
        running_group& operator=(running_group const&) = delete;

        pid_t id() const noexcept { return id_; }

    private:
        interrupts& owner_;
        pid_t id_{};
    };

    /// While it lives, a signal cancels what runs on this connection instead of ending the program.
    class watched
    {
    public:
        watched(interrupts& owner, pqxx::connection& connection);
        ~watched();
        watched(watched const&) = delete;
        watched& operator=(watched const&) = delete;

    private:
        interrupts& owner_;
    };

private:
    void watch() noexcept;
    void cancel_or_end(bool may_end) noexcept;

    std::atomic<bool> arrived_{};
    std::atomic<bool> kept_{};
    std::atomic<bool> stopping_{};
    std::mutex mutex_;
    pqxx::connection* busy_{};  // guarded by mutex_, as what follows
    pid_t group_{};             // that runs; 0: none
    std::thread watcher_;
};

/// What an interrupted command says.
inline constexpr auto interrupted_text = "interrupted; nothing was changed";

}  // namespace gapless::cli
