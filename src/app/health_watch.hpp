#pragma once

#include "app/status_service.hpp"
#include "issuing/issue_queue.hpp"
#include "postgres/database_threads.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace gapless {

/// What the health watch checks the database against.
struct health_settings
{
    std::string database_url;
    std::string environment;  // the database must belong to it; empty: any
    bool accept_risk{};       // issue also where a crash of the server can lose numbers
    int connections{};        // that this instance may open
};

/// Watches the database: whether it is ready, and which settings of the server need an operator's
/// attention. Looks once a second on a separate thread, so it continues while other threads are
/// blocked. Warns once about each bad setting, and stops issuing if a setting was changed so that
/// numbers can be lost. I/O thread only.
class health_watch
{
public:
    /// The references must outlive it.
    health_watch(
        boost::asio::io_context& io,
        database_threads& others,
        issue_queue& queue,
        health_settings settings
    );

    void start();
    void stop();

    /// The connection in use may lead to a former primary.
    void forget_connections()
    {
        thread_.forget_connections();
        checked_at_ = {};
    }

    /// Tries at once whether the server accepts a new session; readiness and checks tell.
    void try_new_session();

    readiness known() const;

    /// Of the database's server, passed or not.
    std::vector<health_check> const& checks() const noexcept { return checks_; }

private:
    boost::asio::awaitable<void> watch();
    boost::asio::awaitable<void> look();
    void try_sessions_now_and_then();
    boost::asio::awaitable<void> open_session();
    bool only_new_sessions_fail(refusal const& why) const;
    void note_failing_sessions(std::chrono::steady_clock::time_point now);
    void note_misfit(std::string const& why);
    void note_checks(std::vector<health_check> found);
    void note_standby(std::vector<health_check> const& found);

    boost::asio::io_context& io_;
    database_threads thread_;
    database_threads fresh_;  // a new session each time
    database_threads& others_;
    issue_queue& queue_;
    health_settings settings_;
    boost::asio::steady_timer timer_;
    bool stopped_{};
    readiness seen_;                                   // of the database, at the last look
    std::chrono::steady_clock::time_point seen_at_{};  // unset while `looked_` is false
    bool looked_{};
    std::vector<health_check> told_;  // from the database, when last read
    std::chrono::steady_clock::time_point checked_at_{};
    std::string server_settings_;       // at that time
    int sessions_{};                    // of all instances, at that time
    std::vector<health_check> checks_;  // those, plus our own
    std::chrono::steady_clock::time_point session_tried_{};
    bool trying_session_{};
    bool sessions_fail_{};        // the latest new session failed
    std::string waiting_commit_;  // for the standby, at the last look; empty: none
};

}  // namespace gapless
