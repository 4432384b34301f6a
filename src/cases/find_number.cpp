#include "cases/find_number.hpp"

#include "store/number_store.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <vector>

namespace gapless {

namespace {

constexpr std::size_t reasons_max = 3;  // of many series; a longer text is not read

refusal unknown_number(
    std::span<series_entry const* const> series,
    std::string const& number,
    std::set<std::string> const& reasons
)
{
    return {
        refusal_kind::unknown_number,
        fmt::format(
            "'{}' is not a number of {}{}{}",
            number,
            series.size() == 1 ? fmt::format("series '{}'", series[0]->name) : "any series",
            reasons.empty() ? "" : ": ",
            fmt::join(reasons, "; ")
        )};
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
    std::set<std::string> reasons;
    auto const tell = [&reasons](std::string reason) {
        if (reasons.size() < reasons_max)
            reasons.insert(std::move(reason));
    };
    for (auto const* each : series)
    {
        auto const read = each->format.read_number(number);
        if (read.has_error())
        {
            tell(read.error().reason);
            continue;
        }
        if (auto record = read_number(transaction, each->series_id, read->serial))
            found.push_back({each, std::move(*record)});
        else
            tell("no block holds it");
    }
    if (found.size() > 1)
        return ambiguous_number(found, number);
    if (found.empty())
        return unknown_number(series, number, reasons);
    return std::move(found.front());
}

}  // namespace gapless
