#include "series/series_look.hpp"

#include "postgres/transaction.hpp"
#include "series/operations.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <iterator>
#include <string>

namespace gapless::series {

namespace {

constexpr int pause_factor = 10;  // multiple of the duration of a look
constexpr std::chrono::milliseconds pause_max{60'000};

}  // namespace

boost::asio::awaitable<result<series_look>> look_at_all(database_threads& threads)
{
    boost::asio::steady_timer pause{co_await boost::asio::this_coro::executor};
    std::chrono::steady_clock::duration took{};
    series_look seen;
    for (bool more = true; more;)
    {
        auto const after = seen.series.empty() ? std::string{} : seen.series.back().name;
        auto read = [after](pqxx::connection& connection) {
            return run_read(connection, [&](pqxx::transaction_base& transaction) {
                return read_watched(transaction, after);
            });
        };
        auto const begun = std::chrono::steady_clock::now();
        auto found = co_await threads.run(std::move(read));
        if (found.has_error())
            co_return found.error();
        more = found->size() == watched_at_once;
        std::ranges::move(*found, std::back_inserter(seen.series));
        auto const page = std::chrono::steady_clock::now() - begun;
        took += page;
        if (more)  // the processors are there for issuing, too
        {
            pause.expires_after(page);
            co_await pause.async_wait(boost::asio::use_awaitable);
        }
    }
    seen.took = std::chrono::ceil<std::chrono::milliseconds>(took);
    co_return seen;
}

std::chrono::milliseconds pause_after(
    std::chrono::milliseconds took, std::chrono::milliseconds least
)
{
    return std::max(least, std::min(took * pause_factor, pause_max));
}

}  // namespace gapless::series
