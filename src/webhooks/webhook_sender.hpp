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

/// Delivers notices to webhooks: asks the database what is due, has it sent, notes how that ended.
/// One instance at a time sends: its connection holds a lock, for which the others ask now and
/// then. What it has under way when it dies the next one sends once more, under the same id. I/O
/// thread only.
class webhook_sender
{
public:
    /// The database with the check of its connections, and what deliveries keep to.
    webhook_sender(
        boost::asio::io_context& io,
        std::string database_url,
        database_threads::connection_check check,
        delivery_rules rules
    );

    void start();

    /// Lets another instance send; nothing more is begun or noted.
    void stop();

    /// There may be something to deliver: asks at once instead of within a second.
    void look_soon();

    /// Whether this instance has the lock, as it was told last: the one of all instances to do what
    /// one is enough for. PostgreSQL takes it from one that is dead, or frozen for 30 s. True also
    /// while nobody can tell: what is done twice is done all the same.
    bool has_turn() const noexcept { return turn_; }

    /// The connection in use may lead to a server that was the primary.
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
    bool sends_{};                    // it has, and can
    std::set<std::int32_t> failing_;  // webhooks whose last delivery failed, as the log told
    boost::asio::steady_timer timer_;
    bool more_{};  // to note or to ask for at once
    bool stopped_{};
    delivery_thread deliveries_;  // last: tells us how each ended, until it ends itself
};

}  // namespace gapless
