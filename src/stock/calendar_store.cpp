#include "stock/calendar_store.hpp"

#include "base/contract.hpp"
#include "postgres/query.hpp"

#include <charconv>
#include <string_view>

namespace gapless {

namespace {

/// Parses PostgreSQL's '2026-11-20'.
std::chrono::sys_days to_day(std::string_view text)
{
    int year{};
    unsigned month{};
    unsigned day{};
    auto const read = [&](std::size_t begin, std::size_t end, auto& value) {
        return std::from_chars(text.data() + begin, text.data() + end, value).ec == std::errc{};
    };
    ensure(
        text.size() == 10 && read(0, 4, year) && read(5, 7, month) && read(8, 10, day),
        "the database tells a day like 2026-11-20"
    );
    return std::chrono::year{year} / std::chrono::month{month} / std::chrono::day{day};
}

/// Parses PostgreSQL's '{1,2,3}'.
std::vector<std::int64_t> to_numbers(std::string_view array)
{
    std::vector<std::int64_t> numbers;
    for (auto const* at = array.data() + 1; at < array.data() + array.size();)
    {
        std::int64_t number{};
        auto const read = std::from_chars(at, array.data() + array.size(), number);
        if (read.ec != std::errc{})
            break;  // "{}"
        numbers.push_back(number);
        at = read.ptr + 1;
    }
    return numbers;
}

}  // namespace

std::int32_t gather_consumption(pqxx::transaction_base& transaction)
{
    return query_value<std::int32_t>(
        transaction, "select gapless.consumption_gather($1)", gathered_days_max
    );
}

consumption to_consumption(pqxx::row const& row)
{
    return {
        .today = to_day(row["today"].as<std::string>()),
        .numbers = row["used_days"].is_null() ? std::vector<std::int64_t>{}
                                              : to_numbers(row["used_days"].as<std::string>()),
        .used_today = row["used_today"].as<std::int64_t>()};
}

}  // namespace gapless
