#include "base/log.hpp"
#include "service/database_numbering.hpp"
#include "store/number_store.hpp"
#include "store/seal_store.hpp"
#include "store/series_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

/// What the service does by itself, and what it knows without being told: expired holds and blocks,
/// series that run low, figures.
namespace gapless {

namespace asio = boost::asio;

namespace {

/// The rows of a link, some milliseconds of one core; a rest, in times of what the link took.
constexpr std::int64_t seal_rows_max = 2'000;
constexpr int seal_rest = 3;
constexpr std::chrono::milliseconds seal_rest_max{100};

}  // namespace

service_figures database_numbering::figures() const
{
    std::vector<locked_series> locked;
    for (auto const series_id : queue_.locked())
    {
        auto& told = locked.emplace_back(name_of_series(series_id));
        if (auto const by = locked_series_.find(series_id); by != locked_series_.end())
        {
            told.role = by->second.role;
            told.application = by->second.application;
        }
    }
    return {
        .queue = queue_.counters(),
        .waiting = queue_.waiting(),
        .connected = queue_.connected(),
        .fenced = queue_.fenced(),
        .locked = std::move(locked),
        .series = series_seen_,
        .series_read = series_seen_at_,
        .sealed = sealed_at_,
        .checks = checks_};
}

void database_numbering::sweep_later()
{
    if (stopped_)
        return;
    sweep_timer_.expires_after(sweep_interval_);
    sweep_timer_.async_wait([this](boost::system::error_code error) {
        if (!error)
            asio::co_spawn(io_, sweep(), asio::detached);
    });
}

asio::awaitable<void> database_numbering::sweep()
{
    try
    {
        co_await end_expired();
        if (std::chrono::steady_clock::now() >= series_due_)
            co_await look_at_series();
        if (seal_interval_.count() > 0 && !sealing_ &&
            std::chrono::steady_clock::now() >= seal_due_)
            asio::co_spawn(io_, seal(), asio::detached);
        quotas_.return_idle(quota_book::clock::now());
    }
    catch (std::exception const& error)
    {
        log_event(log_level::error, "sweep_failed", {{"what", error.what()}});
    }
    sweep_later();
}

asio::awaitable<void> database_numbering::end_expired()
{
    auto end = [](pqxx::connection& connection) {
        return run_serializable(connection, {}, [](auto& transaction) {
            return sweep_expired(transaction);
        });
    };
    constexpr work_order changing{.kind = work_kind::write};
    auto const ended = co_await threads_.run(std::move(end), changing);
    if (ended.has_value() && (ended->holds > 0 || ended->blocks > 0))
        log_event(log_level::info, "expired", {{"holds", ended->holds}, {"blocks", ended->blocks}});
}

/// Seals what is new, beside the sweeps. In small links with rests between them, so that issuing
/// never has a core less for longer than some milliseconds: p99 would tell.
asio::awaitable<void> database_numbering::seal()
{
    sealing_ = true;
    try
    {
        auto const began = std::chrono::system_clock::now();
        seal_due_ = std::chrono::steady_clock::now() + seal_interval_;
        if (co_await seal_all())
            sealed_at_ = began;
    }
    catch (std::exception const& error)
    {
        log_event(log_level::error, "seal_failed", {{"what", error.what()}});
    }
    sealing_ = false;
}

/// Returns whether all that was there at the beginning is sealed.
asio::awaitable<bool> database_numbering::seal_all()
{
    auto find = [](pqxx::connection& connection) {
        return run_read(connection, [](auto& transaction) { return read_unsealed(transaction); });
    };
    auto const unsealed = co_await threads_.run(std::move(find));
    if (unsealed.has_error())
        co_return false;
    bool all = true;
    for (auto const series_id : *unsealed)
    {
        auto add = [series_id](pqxx::connection& connection) {
            return run_read_committed(connection, [=](auto& transaction) {
                return seal_records(transaction, series_id, seal_rows_max);
            });
        };
        constexpr work_order changing{.kind = work_kind::write};
        result<std::optional<bool>> more{true};
        while (more.has_value() && more->value_or(false))
        {
            auto const began = std::chrono::steady_clock::now();
            auto link = add;
            more = co_await threads_.run(std::move(link), changing);
            seal_timer_.expires_after(std::min<std::chrono::steady_clock::duration>(
                seal_rest_max, (std::chrono::steady_clock::now() - began) * seal_rest
            ));
            boost::system::error_code stopped;
            co_await seal_timer_.async_wait(asio::redirect_error(asio::use_awaitable, stopped));
            if (stopped || stopped_ || more.has_error())
                co_return false;
        }
        all = all && more.has_value() && *more == false;
    }
    co_return all;
}

/// Reads what is left of every series, for metrics, and warns once of each that runs low. Without a
/// database what was read last stays.
asio::awaitable<void> database_numbering::look_at_series()
{
    // Set first: a failure is not repeated every second.
    series_due_ = std::chrono::steady_clock::now() + series_interval_;
    auto found = co_await list_series();
    if (found.has_error())
        co_return;
    for (auto const* low : low_water_.find_crossings(*found))
        log_event(
            log_level::warning,
            "low_water",
            {{"series", low->name},
             {"remaining", low->remaining},
             {"low_water", low->low_water.value_or(0)}}
        );
    series_seen_ = std::move(*found);
    series_seen_at_ = std::chrono::system_clock::now();
}

}  // namespace gapless
