#pragma once

#include "postgres/database_threads.hpp"
#include "webhooks/delivery_thread.hpp"
#include "webhooks/pending_deliveries.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// Delivers notices to webhooks: asks the database for due deliveries, sends them, records the
/// results. One instance at a time sends: its connection holds a lock, which the others try to get
/// now and then. Deliveries under way when it dies are sent again by the next one, under the same
/// id. I/O thread only.
class webhook_sender
{
public:
    /// The database with its connection check, and the rules for deliveries.
    webhook_sender(
        boost::asio::io_context& io,
        std::string database_url,
        database_threads::connection_check check,
        delivery_rules rules
    );

    void start();

    /// Lets another instance send; begins and records nothing more.
    void stop();

    /// There may be something to deliver: asks at once instead of within a second.
    void look_soon();

    /// Whether this instance has the lock, as last known: it does the tasks that one of all
    /// instances must do. PostgreSQL takes the lock from an instance that is dead, or frozen for 30
    /// s. Also true while this is unknown: doing a task twice is better than not at all.
    bool has_turn() const noexcept { return turn_; }

    /// The connection in use may lead to a former primary.
    void forget_connections() { thread_.forget_connections(); }

private:
    boost::asio::awaitable<void> send();
    boost::asio::awaitable<void> deliver_due();
    boost::asio::awaitable<void> rest();
    void note_sending(bool sends, std::string_view why);
    void begin(std::vector<delivery> due);
    void on_done(delivery_report report);
    void note(std::vector<delivery_report> const& reports);

    boost::asio::io_context& io_;
    database_threads thread_;  // one, with the connection that holds the lock
    pending_deliveries pending_;
    bool turn_{};                     // false: another instance has it
    bool sends_{};                    // it has the turn, and can send
    std::set<std::int32_t> failing_;  // webhooks whose last delivery failed, as logged
    boost::asio::steady_timer timer_;
    bool more_{};  // something to record or to ask for at once
    bool stopped_{};
    delivery_thread deliveries_;  // last: reports results to us until it is destroyed
};

}  // namespace gapless
