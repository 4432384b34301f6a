#include "proof/sealer.hpp"

#include "base/repeated_log.hpp"
#include "proof/seal_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>

#include <algorithm>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// Rows per link, some milliseconds of one core; then a rest, as a multiple of the link's duration.
constexpr std::int64_t link_rows_max = 2'000;
constexpr int rest_links = 3;
constexpr std::chrono::milliseconds rest_max{100};

}  // namespace

sealer::sealer(asio::io_context& io, database_threads& threads, std::chrono::milliseconds interval)
    : io_{io},
      threads_{threads},
      interval_{interval},
      rest_{io}
{
}

void sealer::seal_when_due()
{
    if (interval_.count() > 0 && !sealing_ && !stopped_ && clock::now() >= due_)
        asio::co_spawn(io_, seal(), asio::detached);
}

void sealer::stop()
{
    stopped_ = true;
    rest_.cancel();
}

asio::awaitable<void> sealer::seal()
{
    sealing_ = true;
    try
    {
        auto const began = std::chrono::system_clock::now();
        due_ = clock::now() + interval_;
        if (co_await seal_all())
            sealed_ = began;
    }
    catch (std::exception const& error)
    {
        log_failure("seal_failed", error.what());
    }
    sealing_ = false;
}

/// Returns whether everything that existed at the start is sealed.
asio::awaitable<bool> sealer::seal_all()
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
        auto const sealed = co_await seal_series(series_id);
        if (!sealed)
            co_return false;
        all = all && *sealed;
    }
    co_return all;
}

/// Whether this instance has sealed all of a series; nullopt: trouble, or stopped meanwhile.
asio::awaitable<std::optional<bool>> sealer::seal_series(std::int32_t series_id)
{
    while (true)
    {
        auto add = [series_id](pqxx::connection& connection) {
            return run_read_committed(connection, [=](auto& transaction) {
                return seal_records(transaction, series_id, link_rows_max);
            });
        };
        auto const began = clock::now();
        auto const more = co_await threads_.run(std::move(add), write_order);
        auto const rested = co_await rest(clock::now() - began);
        if (!rested || more.has_error())
            co_return std::nullopt;
        if (!more->value_or(false))
            co_return *more == false;
    }
}

/// Returns false if stopped meanwhile.
asio::awaitable<bool> sealer::rest(clock::duration after)
{
    rest_.expires_after(std::min<clock::duration>(rest_max, after * rest_links));
    boost::system::error_code cancelled;
    co_await rest_.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    co_return !cancelled && !stopped_;
}

}  // namespace gapless
