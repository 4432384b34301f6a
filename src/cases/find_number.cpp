#include "cases/find_number.hpp"

#include "store/number_store.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace gapless {

namespace {

refusal unknown_number(
    std::span<series_entry const* const> series, std::string const& number, std::string const& why
)
{
    return {
        refusal_kind::unknown_number,
        series.size() == 1
            ? fmt::format("'{}' is not a number of series '{}': {}", number, series[0]->name, why)
            : fmt::format("'{}' is not a number of any series", number)};
}

refusal ambiguous_number(std::vector<found_number> const& found, std::string const& number)
{
    std::vector<std::string> names;
    names.reserve(found.size());
    for (auto const& each : found)
        names.push_back(each.series->name);
    return {
        refusal_kind::ambiguous_number,
        fmt::format(
            "'{}' is a number of the series {}: say which", number, fmt::join(names, ", ")
        )};
}

}  // namespace

result<found_number> find_number(
    pqxx::transaction_base& transaction,
    std::span<series_entry const* const> series,
    std::string const& number
)
{
    std::vector<found_number> found;
    std::string why;
    for (auto const* each : series)
    {
        auto const read = each->format.read_number(number);
        if (read.has_error())
        {
            why = read.error().reason;
            continue;
        }
        if (auto record = read_number(transaction, each->series_id, read->serial))
            found.push_back({each, std::move(*record)});
        else
            why = "no block holds it";
    }
    if (found.size() > 1)
        return ambiguous_number(found, number);
    if (found.empty())
        return unknown_number(series, number, why);
    return std::move(found.front());
}

}  // namespace gapless
