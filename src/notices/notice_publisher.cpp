#include "notices/notice_publisher.hpp"

#include "base/as_outcome.hpp"
#include "base/repeated_log.hpp"
#include "notices/notice_store.hpp"
#include "postgres/transaction.hpp"
#include "series/operations.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <memory>
#include <utility>

namespace gapless {

namespace asio = boost::asio;

notice_publisher::notice_publisher(
    asio::io_context& io,
    database_threads& threads,
    publisher_hooks hooks,
    publisher_settings const& settings
)
    : io_{io},
      threads_{threads},
      hooks_{std::move(hooks)},
      settings_{settings},
      timer_{io}
{
}

void notice_publisher::start()
{
    asio::co_spawn(io_, work(), asio::detached);
}

void notice_publisher::stop()
{
    stopped_ = true;
    timer_.cancel();
}

asio::awaitable<void> notice_publisher::work()
{
    while (!stopped_)
    {
        try
        {
            if (hooks_.has_turn())
                co_await work_once();
        }
        catch (std::exception const& error)
        {
            log_failure("notices_failed", error.what());
        }
        if (stopped_)
            co_return;
        timer_.expires_after(resting_ ? settings_.rest_interval : settings_.publish_interval);
        co_await timer_.async_wait(as_outcome);
    }
}

asio::awaitable<void> notice_publisher::work_once()
{
    co_await publish();
    if (!resting_ && clock::now() >= look_due_)
    {
        co_await look();
        co_await publish();
    }
    if (!resting_ && clock::now() >= expire_due_)
        co_await expire();
}

/// Publishes up to a thousand per transaction while there are more.
asio::awaitable<void> notice_publisher::publish()
{
    std::int64_t count = notices_at_once;
    while (count >= notices_at_once && !stopped_)
    {
        auto number = [](pqxx::connection& connection) {
            return run_read_committed(connection, [](auto& transaction) {
                return publish_notices(transaction);
            });
        };
        auto const numbered = co_await threads_.run(std::move(number), write_order);
        count = numbered.has_value() ? *numbered : 0;
        resting_ = numbered.has_error() && numbered.error().trouble == trouble_kind::not_our_schema;
        if (count > 0)
            hooks_.published();
    }
}

asio::awaitable<void> notice_publisher::look()
{
    // Set first, so that a failure is not repeated every second.
    look_due_ = clock::now() + settings_.look_interval;
    if (!co_await is_turn_to_look())
        co_return;
    auto const begun = clock::now();
    auto seen = co_await series::look_at_all(threads_);
    if (seen.has_error())
        co_return;
    look_due_ = begun + series::pause_after(seen->took, settings_.look_interval);
    auto const looked = std::make_shared<series::series_look>(std::move(*seen));
    auto find = [looked](pqxx::connection& connection) {
        auto const forecasts = series::to_forecasts_json(looked->series);
        return run_read_committed(connection, [&](auto& transaction) {
            return find_notices(transaction, forecasts);
        });
    };
    auto const found = co_await threads_.run(std::move(find), write_order);
    if (found.has_value())
        hooks_.looked(std::move(*looked));
}

/// True for one instance, once in 15 seconds.
asio::awaitable<bool> notice_publisher::is_turn_to_look()
{
    auto ask = [](pqxx::connection& connection) {
        return run_read_committed(connection, [](auto& transaction) {
            return are_notices_due(transaction);
        });
    };
    auto const due = co_await threads_.run(std::move(ask), write_order);
    co_return due.has_value() && *due;
}

asio::awaitable<void> notice_publisher::expire()
{
    auto forget = [](pqxx::connection& connection) {
        return run_read_committed(connection, [](auto& transaction) {
            return expire_notices(transaction);
        });
    };
    auto const gone = co_await threads_.run(std::move(forget), write_order);
    if (gone.has_value() && *gone < notices_at_once)
        expire_due_ = clock::now() + settings_.expire_interval;
}

}  // namespace gapless
