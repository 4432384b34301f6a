#include "webhooks/webhook_sender.hpp"

#include "base/as_outcome.hpp"
#include "base/log.hpp"
#include "base/repeated_log.hpp"
#include "webhooks/delivery_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <pqxx/connection>

#include <algorithm>
#include <optional>
#include <utility>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// From one query to the next, unless a delivery ends earlier. PostgreSQL ends a connection that is
/// idle for 30 s.
constexpr std::chrono::seconds delivery_interval{1};

/// The same while another instance has the turn.
constexpr std::chrono::seconds turn_interval{5};

/// Concurrent deliveries; each host and each person is limited to a share of them (webhook_due).
constexpr std::int32_t under_way_max = 128;

thread_limits limits_of_sender()
{
    thread_limits limits;
    limits.threads = 1;
    limits.waiting_max = 1;
    return limits;
}

/// What one transaction with the turn did.
struct sender_round
{
    std::vector<std::int32_t> recorded;  // the webhooks whose results were
    std::vector<delivery> due;
};

/// What an instance learns from one query.
struct asked
{
    bool turn{};
    result<sender_round> done{sender_round{}};  // with the turn
};

}  // namespace

webhook_sender::webhook_sender(
    asio::io_context& io,
    std::string database_url,
    database_threads::connection_check check,
    delivery_rules rules
)
    : io_{io},
      thread_{io, std::move(database_url), std::move(check), limits_of_sender()},
      pending_{under_way_max},
      timer_{io},
      deliveries_{std::move(rules), [this](delivery_report report) {
                      asio::post(io_, [this, report = std::move(report)]() mutable {
                          on_done(std::move(report));
                      });
                  }}
{
}

void webhook_sender::start()
{
    asio::co_spawn(io_, send(), asio::detached);
}

void webhook_sender::stop()
{
    if (std::exchange(stopped_, true))
        return;
    timer_.cancel();
    thread_.stop();
    thread_.forget_connections();  // the lock ends with its connection
}

asio::awaitable<void> webhook_sender::send()
{
    while (!stopped_)
    {
        more_ = false;
        try
        {
            co_await deliver_due();
        }
        catch (std::exception const& error)
        {
            log_failure("webhooks_failed", error.what());
            more_ = false;
        }
        co_await rest();
    }
}

/// Rests until it is time, a delivery ends, or stop() is called.
asio::awaitable<void> webhook_sender::rest()
{
    if (more_ || stopped_)
        co_return;
    timer_.expires_after(turn_ ? delivery_interval : turn_interval);
    co_await timer_.async_wait(as_outcome);
}

/// Records results and asks for due deliveries, in one transaction: a webhook becomes free at the
/// moment its next delivery is known. It stays busy while its row is locked by somebody else. The
/// turn is taken before, so that it is known even if deliveries fail.
asio::awaitable<void> webhook_sender::deliver_due()
{
    auto const reports = pending_.ended();
    auto ask = [reports,
                room = pending_.room(),
                busy = pending_.busy()](pqxx::connection& connection) -> result<asked> {
        auto const turn = run_read_committed(connection, [](pqxx::transaction_base& transaction) {
            return take_sender_turn(transaction);
        });
        if (turn.has_error())
            return turn.error();
        if (!*turn)
            return asked{};
        auto take = [&](pqxx::transaction_base& transaction) {
            sender_round done;
            if (!reports.empty())
                done.recorded = report_deliveries(transaction, reports);
            auto still_busy = busy;
            std::erase_if(still_busy, [&](auto const id) {
                return std::ranges::find(done.recorded, id) != done.recorded.end();
            });
            done.due = read_due_deliveries(transaction, room, still_busy);
            return done;
        };
        return asked{true, run_read_committed(connection, std::move(take))};
    };
    auto told = co_await thread_.run(std::move(ask), write_order);
    auto const away = told.has_error();
    turn_ = away || told->turn;
    if (away)
        log_failure("webhooks_failed", told.error().detail);
    if (away || !turn_ || told->done.has_error())
    {
        // Results are recorded when this instance sends again.
        note_sending(
            false,
            away    ? told.error().detail
            : turn_ ? told->done.error().detail
                    : "another instance does"
        );
        more_ = false;
        co_return;
    }
    note_sending(true, {});
    note(reports);
    pending_.noted(told->done->recorded);
    begin(std::move(told->done->due));
}

/// Logs an event when this instance starts and when it stops sending.
void webhook_sender::note_sending(bool sends, std::string_view why)
{
    if (sends == std::exchange(sends_, sends))
        return;
    if (sends)
        log_event(log_level::info, "webhooks_sent_here");
    else
        log_event(log_level::info, "webhooks_not_sent_here", {{"why", why}});
}

void webhook_sender::begin(std::vector<delivery> due)
{
    for (auto& each : due)
        if (!stopped_ && pending_.begin(each.webhook_id))
            deliveries_.send(std::move(each));
}

void webhook_sender::on_done(delivery_report report)
{
    pending_.end(std::move(report));
    look_soon();
}

void webhook_sender::look_soon()
{
    more_ = sends_;
    timer_.cancel();
}

/// Logs an event when deliveries of a webhook begin to fail, and when one succeeds again.
void webhook_sender::note(std::vector<delivery_report> const& reports)
{
    for (auto const& report : reports)
    {
        auto const id = report.webhook_id;
        if (report.error.empty() && failing_.erase(id) > 0)
            log_event(log_level::info, "webhook_delivers_again", {{"webhook", id}});
        else if (!report.error.empty() && failing_.insert(id).second)
            log_event(
                log_level::warning, "webhook_fails", {{"webhook", id}, {"why", report.error}}
            );
    }
}

}  // namespace gapless
