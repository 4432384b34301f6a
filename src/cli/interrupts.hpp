#pragma once

#include "record/pqxx_fwd.hpp"

#include <atomic>
#include <functional>
#include <mutex>
#include <sys/types.h>
#include <thread>

namespace gapless::cli {

/// What Ctrl-C (SIGINT) and SIGTERM do to this program: they cancel a query under way, so that its
/// transaction is rolled back and the command can say so; otherwise the program ends at once with
/// exit code 130. A second signal always ends it. One object per program, created before any other
/// thread.
class interrupts
{
public:
    interrupts();
    ~interrupts();
    interrupts(interrupts const&) = delete;
    interrupts& operator=(interrupts const&) = delete;

    /// True once a signal has arrived.
    bool arrived() const noexcept { return arrived_; }

    /// True after changes_are_kept().
    bool kept() const noexcept { return kept_; }

    /// Ends the command with exit_code::interrupted if a signal has arrived. Call it between the
    /// steps of a transaction: a cancellation only affects queries.
    void stop_if_arrived() const;

    /// Something has been changed for good, or may have been: an interruption no longer denies
    /// that.
    void changes_are_kept() noexcept { kept_ = true; }

    /// While it lives, a process group of ours is running: it gets SIGTERM before the program ends.
    class running_group
    {
    public:
        /// `begin` starts the group and returns its id; signals wait until then.
        running_group(interrupts& owner, std::function<pid_t()> const& begin);
        ~running_group();
        running_group(running_group const&) = delete;
        running_group& operator=(running_group const&) = delete;

        pid_t id() const noexcept { return id_; }

    private:
        interrupts& owner_;
        pid_t id_{};
    };

    /// While it lives, a signal cancels the query on this connection instead of ending the program.
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
    pid_t group_{};             // the running group; 0: none
    std::thread watcher_;
};

/// The message of an interrupted command.
inline constexpr auto interrupted_text = "interrupted; nothing was changed";

}  // namespace gapless::cli
