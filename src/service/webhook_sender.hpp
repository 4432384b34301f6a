#pragma once

#include "hook/delivery_thread.hpp"
#include "service/database_threads.hpp"
#include "service/delivery_desk.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gapless {

/// Delivers notices to webhooks: asks the database what is due, has it sent, notes how that ended.
/// One instance at a time has the turn; the others ask for it each second. What it has under way
/// when it dies the next one sends once more, under the same id. I/O thread only.
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

    /// Gives the turn to another instance; nothing more is begun or noted.
    void stop();

    /// There may be something to deliver: asks at once instead of within a second.
    void look_soon();

    /// The connection in use may lead to a server that was the primary.
    void forget_connections() { thread_.forget_connections(); }

private:
    /// Held by a session, which others see.
    struct sender_turn
    {
        std::int64_t term{};
        int session{};  // its process at the server
    };

    boost::asio::awaitable<void> send();
    boost::asio::awaitable<void> take_turn();
    boost::asio::awaitable<void> deliver_due();
    boost::asio::awaitable<void> rest();
    void begin(std::vector<delivery> due);
    void on_done(delivery_report report);
    void note(std::vector<delivery_report> const& reports);

    boost::asio::io_context& io_;
    database_threads thread_;  // one, with a connection that the turn belongs to
    delivery_desk desk_;
    std::optional<sender_turn> turn_;  // none: another instance sends, or nobody can tell
    std::set<std::int32_t> failing_;   // webhooks whose last delivery failed, as the log told
    boost::asio::steady_timer timer_;
    bool more_{};  // to note or to ask for at once
    bool stopped_{};
    delivery_thread deliveries_;  // last: tells us how each ended, until it ends itself
};

}  // namespace gapless
