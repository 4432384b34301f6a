#include "service/webhook_sender.hpp"

#include "base/log.hpp"
#include "base/repeated_log.hpp"
#include "service/as_outcome.hpp"
#include "store/delivery_store.hpp"
#include "wire/webhook_json.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <pqxx/connection>

#include <utility>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// From one question to the next, unless a delivery ends before. The turn is lost after 30 s.
constexpr std::chrono::seconds delivery_interval{1};

/// Deliveries at the same time, and of them to one webhook: one that is slow, with as many series
/// as it likes, holds up its own alone.
constexpr std::int32_t under_way_max = 128;
constexpr std::int32_t per_webhook_max = 4;

/// One thing at a time; the heartbeat must not wait long behind a mute database.
thread_limits limits_of_sender()
{
    thread_limits limits;
    limits.threads = 1;
    limits.waiting_max = 1;
    return limits;
}

/// What the thread is given; the text is made here, away from the I/O thread.
std::vector<delivery> to_deliveries(std::vector<due_delivery> due)
{
    std::vector<delivery> all;
    all.reserve(due.size());
    for (auto& each : due)
        all.push_back(
            {.lane = each.lane,
             .notice_id = each.notice.id,
             .url = std::move(each.url),
             .keys = std::move(each.keys),
             .body = delivery_body(each.notice)}
        );
    return all;
}

}  // namespace

webhook_sender::webhook_sender(
    asio::io_context& io,
    std::string database_url,
    database_threads::connection_check check,
    delivery_rules rules
)
    : io_{io},
      thread_{io, std::move(database_url), std::move(check), limits_of_sender()},
      desk_{under_way_max, per_webhook_max},
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
    if (!turn_)
        return;
    thread_.leave_behind([turn = *turn_](pqxx::connection& connection) {
        if (connection.backendpid() != turn.session)
            return result<bool>{true};
        return run_read_committed(connection, [=](auto& transaction) {
            leave_sender_turn(transaction, turn.term);
            return true;
        });
    });
}

asio::awaitable<void> webhook_sender::send()
{
    while (!stopped_)
    {
        more_ = false;
        try
        {
            if (!turn_)
                co_await take_turn();
            if (turn_ && !stopped_)
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

/// Until it is time, a delivery ends, or somebody stops us.
asio::awaitable<void> webhook_sender::rest()
{
    if (more_ || stopped_)
        co_return;
    timer_.expires_after(delivery_interval);
    co_await timer_.async_wait(as_outcome);
}

asio::awaitable<void> webhook_sender::take_turn()
{
    auto take = [](pqxx::connection& connection) {
        return run_read_committed(connection, [&](auto& transaction) {
            auto const term = take_sender_turn(transaction);
            return term ? std::optional{sender_turn{*term, connection.backendpid()}} : std::nullopt;
        });
    };
    auto const taken = co_await thread_.run(std::move(take), write_order);
    if (taken.has_error() || !*taken)
        co_return;
    turn_ = **taken;
    log_event(log_level::info, "webhooks_sent_here", {{"term", turn_->term}});
}

/// Notes what has ended and asks for what is due, in one transaction: a lane is free and its next
/// delivery known in the same moment.
asio::awaitable<void> webhook_sender::deliver_due()
{
    auto const reports = desk_.ended();
    auto ask = [turn = *turn_, reports, limits = desk_.room(), busy = desk_.busy()](
                   pqxx::connection& connection
               ) -> result<std::vector<delivery>> {
        // The lock that others see the turn by ended with its session.
        if (connection.backendpid() != turn.session)
            return refusal{refusal_kind::state_conflict, "the connection of the turn has ended"};
        auto const ask_once = [&](pqxx::transaction_base& transaction
                              ) -> result<std::vector<delivery>> {
            if (!reports.empty())
                if (auto const noted = report_deliveries(transaction, turn.term, reports);
                    noted.has_error())
                    return noted.error();
            return to_deliveries(read_due_deliveries(transaction, turn.term, limits, busy));
        };
        return run_read_committed(connection, ask_once);
    };
    auto due = co_await thread_.run(std::move(ask), write_order);
    if (due.has_error())
    {
        // Whatever it was: the turn is asked for again, and what has ended is noted then.
        log_event(log_level::info, "webhooks_not_sent_here", {{"why", due.error().detail}});
        turn_.reset();
        more_ = false;
        co_return;
    }
    note(reports);
    desk_.noted(reports.size());
    begin(std::move(*due));
}

void webhook_sender::begin(std::vector<delivery> due)
{
    for (auto& each : due)
        if (!stopped_ && desk_.begin(each.lane))
            deliveries_.send(std::move(each));
}

void webhook_sender::on_done(delivery_report report)
{
    desk_.end(std::move(report));
    look_soon();
}

void webhook_sender::look_soon()
{
    more_ = turn_.has_value();
    timer_.cancel();
}

/// An event when deliveries of a webhook begin to fail, and when one arrives again.
void webhook_sender::note(std::vector<delivery_report> const& reports)
{
    for (auto const& report : reports)
    {
        auto const id = report.lane.webhook_id;
        if (report.error.empty() && failing_.erase(id) > 0)
            log_event(log_level::info, "webhook_delivers_again", {{"webhook", id}});
        else if (!report.error.empty() && failing_.insert(id).second)
            log_event(
                log_level::warning, "webhook_fails", {{"webhook", id}, {"why", report.error}}
            );
    }
}

}  // namespace gapless
