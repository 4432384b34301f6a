#include "app/housekeeping.hpp"

#include "base/log.hpp"
#include "base/repeated_log.hpp"
#include "numbers/number_store.hpp"
#include "postgres/answer_store.hpp"
#include "postgres/clock_store.hpp"
#include "series/operations.hpp"
#include "stock/calendar_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// Kept answers that go in one sweep, and how long after the last ones more are looked for.
constexpr std::int64_t answers_max = 1'000;
constexpr std::chrono::minutes answers_interval{1};

/// How long after the last days were gathered others are looked for.
constexpr std::chrono::minutes use_interval{1};

}  // namespace

housekeeping::housekeeping(
    asio::io_context& io,
    database_threads& threads,
    quota_cache& quotas,
    housekeeping_settings const& settings
)
    : io_{io},
      threads_{threads},
      quotas_{quotas},
      settings_{settings},
      sealer_{io, threads, settings.seal_interval},
      timer_{io}
{
}

void housekeeping::stop()
{
    stopped_ = true;
    timer_.cancel();
    sealer_.stop();
}

void housekeeping::sweep_later()
{
    if (stopped_)
        return;
    timer_.expires_after(settings_.interval);
    timer_.async_wait([this](boost::system::error_code error) {
        if (!error)
            asio::co_spawn(io_, sweep(), asio::detached);
    });
}

asio::awaitable<void> housekeeping::sweep()
{
    try
    {
        co_await end_expired();
        if (clock::now() >= answers_due_)
            co_await forget_answers();
        if (clock::now() >= use_due_)
            co_await gather_use();
        if (clock::now() >= series_due_)
            co_await look_at_series();
        sealer_.seal_when_due();
        quotas_.return_idle();
    }
    catch (std::exception const& error)
    {
        log_failure("sweep_failed", error.what());
    }
    sweep_later();
}

asio::awaitable<void> housekeeping::end_expired()
{
    auto end = [last = clock_](pqxx::connection& connection) {
        return run_serializable(connection, {}, [&](auto& transaction) {
            auto const seen = look_at_clock(transaction, last);
            return std::pair{seen, seen ? sweep_expired(transaction) : swept{}};
        });
    };
    auto const ended = co_await threads_.run(std::move(end), write_order);
    if (ended.has_error())
        co_return;
    auto const& [seen, gone] = *ended;
    if (seen)
        clock_ = seen;
    if (gone.holds > 0 || gone.blocks > 0)
        log_event(log_level::info, "expired", {{"holds", gone.holds}, {"blocks", gone.blocks}});
}

/// A thousand in each sweep while there are more.
asio::awaitable<void> housekeeping::forget_answers()
{
    auto forget = [life = settings_.answer_life](pqxx::connection& connection) {
        return run_read_committed(connection, [=](auto& transaction) {
            return expire_answers(transaction, life, answers_max);
        });
    };
    auto const gone = co_await threads_.run(std::move(forget), write_order);
    if (gone.has_value() && *gone < answers_max)
        answers_due_ = clock::now() + answers_interval;
}

/// Some days in each sweep while there are more. Forecasts are made of them; issuing is not slowed.
asio::awaitable<void> housekeeping::gather_use()
{
    auto gather = [](pqxx::connection& connection) {
        return run_read_committed(connection, [](auto& transaction) {
            return gather_consumption(transaction);
        });
    };
    auto const gathered = co_await threads_.run(std::move(gather), write_order);
    if (gathered.has_value() && *gathered < gathered_days_max)
        use_due_ = clock::now() + use_interval;
}

/// Reads how many numbers remain in every series, for metrics, and warns once of each that runs
/// low. Without a database what was read last stays.
asio::awaitable<void> housekeeping::look_at_series()
{
    // Set first: a failure is not repeated every second.
    series_due_ = clock::now() + settings_.series_interval;
    auto look = [](pqxx::connection& connection) {
        return run_read(connection, [](pqxx::transaction_base& transaction) {
            return series::read_known(transaction);
        });
    };
    auto found = co_await threads_.run(std::move(look));
    if (found.has_error())
        co_return;
    for (auto const* low : low_water_.find_newly_low(*found))
        log_event(
            log_level::warning,
            "low_water",
            {{"series", low->name},
             {"remaining", low->remaining},
             {"low_water", low->low_water.value_or(0).value}}
        );
    series_ = std::move(*found);
    read_ = std::chrono::system_clock::now();
}

}  // namespace gapless
