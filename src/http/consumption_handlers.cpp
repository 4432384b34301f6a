#include "http/consumption_handlers.hpp"

#include "cases/series.hpp"
#include "wire/series_json.hpp"

namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr std::int64_t days_usual = 42;
constexpr std::int64_t days_max = 420;  // no day before them is kept

}  // namespace

asio::awaitable<result<void>> get_consumption(exchange& current)
{
    auto const days = current.query.read_integer("days", 1, days_max);
    if (days.has_error())
        co_return days.error();
    cases::read_series_use wanted{current.series->name};
    auto const found = co_await current.service().records.read(std::move(wanted));
    if (found.has_error())
        co_return found.error();
    append_use(*found, static_cast<std::size_t>(days->value_or(days_usual)), current.out.body);
    co_return result<void>{};
}

}  // namespace gapless
