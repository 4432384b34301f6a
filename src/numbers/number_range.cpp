#include "numbers/number_range.hpp"

#include "formats/number_completion.hpp"

#include <fmt/format.h>

namespace gapless::numbers {

namespace {

result<std::int64_t> read_one(series_entry const& series, std::string const& text)
{
    auto const read = complete_number(series.format, text);
    if (read.reason.empty())
        return read.fits.front().read.serial;
    if (!read.fits.empty())
        return refuse_incomplete(to_text(text, read.fits));
    return refusal{
        refusal_kind::unknown_number,
        fmt::format(
            "'{}' is no number of series '{}': {}.", printable(text), series.name, read.reason
        )};
}

}  // namespace

refusal refuse_incomplete(std::string const& completed)
{
    return {refusal_kind::out_of_range, completed + ": give the whole number"};
}

result<std::vector<serial_range>> read_serial_ranges(
    series_entry const& series, std::vector<number_range> const& ranges
)
{
    if (ranges.empty() || ranges.size() > event_ranges_max)
        return refusal{
            refusal_kind::out_of_range,
            fmt::format("The field \"ranges\" has to have 1 to {} ranges.", event_ranges_max)};
    std::vector<serial_range> serials;
    serials.reserve(ranges.size());
    for (auto const& range : ranges)
    {
        auto const first = read_one(series, range.first);
        if (first.has_error())
            return first.error();
        auto const last = read_one(series, range.last);
        if (last.has_error())
            return last.error();
        if (*last < *first)
            return refusal{
                refusal_kind::out_of_range,
                "The range from " + range.first + " ends before it begins."};
        serials.push_back({*first, *last});
    }
    return serials;
}

}  // namespace gapless::numbers
