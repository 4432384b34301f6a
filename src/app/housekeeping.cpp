#include "app/housekeeping.hpp"

#include "base/log.hpp"
#include "base/repeated_log.hpp"
#include "numbers/number_cases.hpp"
#include "postgres/answer_store.hpp"
#include "postgres/clock_store.hpp"
#include "stock/calendar_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <utility>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// Holds ended per transaction.
constexpr std::int32_t swept_holds_max = 200;

/// The time between looks at the clock by an instance without the turn.
constexpr std::chrono::minutes clock_interval{1};

/// Kept answers deleted per sweep, and the time from the last ones to the next search.
constexpr std::int64_t answers_max = 1'000;
constexpr std::chrono::minutes answers_interval{1};

/// The time from gathering the last days to the next search. Until then forecasts read the ledger.
constexpr std::chrono::minutes use_interval{10};

/// Series are read again while they were requested within this time: Prometheus asks each minute,
/// or more often.
constexpr std::chrono::minutes asked_interval{5};

/// Instances without the turn only repeat what the one with it reports: a multiple of the interval.
constexpr int repeated_pause = 4;

}  // namespace

housekeeping::housekeeping(
    asio::io_context& io,
    database_threads& threads,
    quota_cache& quotas,
    std::function<bool()> has_turn,
    housekeeping_settings const& settings
)
    : io_{io},
      threads_{threads},
      quotas_{quotas},
      has_turn_{std::move(has_turn)},
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
        auto const turn = has_turn_();
        if (turn || clock::now() >= clock_due_)
            co_await look_at_clock();
        if (turn)
            co_await tidy_up();
        if (are_series_due())
            co_await look_at_series();
        quotas_.return_idle();
    }
    catch (std::exception const& error)
    {
        log_failure("sweep_failed", error.what());
    }
    sweep_later();
}

/// Instances without the turn look too: whoever gets it knows how far the clock may have gone.
asio::awaitable<void> housekeeping::look_at_clock()
{
    trusts_clock_ = false;
    clock_due_ = clock::now() + clock_interval;
    auto look = [last = clock_](pqxx::connection& connection) {
        return run_serializable(connection, {}, [&](auto& transaction) {
            return gapless::look_at_clock(transaction, last);
        });
    };
    auto const seen = co_await threads_.run(std::move(look), write_order);
    if (seen.has_error() || !*seen)
        co_return;
    clock_ = *seen;
    trusts_clock_ = true;
}

asio::awaitable<void> housekeeping::tidy_up()
{
    if (trusts_clock_)
        co_await end_expired();
    if (clock::now() >= answers_due_)
        co_await forget_answers();
    if (clock::now() >= use_due_)
        co_await gather_use();
    sealer_.seal_when_due();
}

/// A few holds at a time, because their series wait meanwhile.
asio::awaitable<void> housekeeping::end_expired()
{
    for (bool more = true; more && !stopped_;)
    {
        auto end = [](pqxx::connection& connection) {
            return run_read_committed(connection, [](auto& transaction) {
                return cases::sweep_expired(transaction, swept_holds_max);
            });
        };
        auto const gone = co_await threads_.run(std::move(end), write_order);
        if (gone.has_error())
        {
            log_failure("sweep_failed", gone.error().detail);
            co_return;
        }
        if (gone->holds > 0 || gone->blocks > 0)
            log_event(
                log_level::info, "expired", {{"holds", gone->holds}, {"blocks", gone->blocks}}
            );
        more = gone->holds == swept_holds_max;
    }
}

/// Deletes up to a thousand per sweep while there are more.
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

/// Gathers some days per sweep while there are more. Forecasts use them; issuing is not slowed.
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

/// Once after the start, then only while they are requested.
bool housekeeping::are_series_due() const
{
    auto const now = clock::now();
    return now >= series_due_ && (!read_ || now - asked_ < asked_interval);
}

/// Reads how many numbers remain in every series, for metrics. Without a database the last result
/// stays.
asio::awaitable<void> housekeeping::look_at_series()
{
    // Set first, so that a failure is not repeated every second.
    auto const begun = clock::now();
    series_due_ = begun + settings_.series_interval;
    auto seen = co_await series::look_at_all(threads_);
    if (seen.has_error())
        co_return;
    auto const least = settings_.series_interval * (has_turn_() ? 1 : repeated_pause);
    auto const pause = series::pause_after(seen->took, least);
    note_series(std::move(*seen));
    series_due_ = begun + pause;
}

/// Warns once of each series that runs low.
void housekeeping::note_series(series::series_look seen)
{
    for (auto const* low : low_water_.find_newly_low(seen.series))
        log_event(
            log_level::warning,
            "low_water",
            {{"series", low->name},
             {"remaining", low->remaining},
             {"low_water", low->low_water.value_or(0).value}}
        );
    series_ = std::move(seen.series);
    read_ = std::chrono::system_clock::now();
    // Whoever has just read them will do so again before that.
    series_due_ = clock::now() + 2 * series::pause_after(seen.took, settings_.series_interval);
}

}  // namespace gapless
