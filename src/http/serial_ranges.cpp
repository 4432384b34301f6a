#include "http/serial_ranges.hpp"

#include "domain/format/parameter.hpp"

namespace gapless {

namespace {

result<std::int64_t> read_one(series_entry const& series, std::string const& text)
{
    auto const read = series.format.read_number(text);
    if (read.has_error())
        return refusal{
            refusal_kind::unknown_number,
            "'" + printable(text) + "' is no number of series '" + series.name +
                "': " + read.error().reason + "."};
    return read->serial;
}

}  // namespace

result<std::vector<serial_range>> read_serial_ranges(
    series_entry const& series, range_texts const& texts
)
{
    if (texts.items.empty() || texts.items.size() > event_ranges_max)
        return refusal{
            refusal_kind::out_of_range,
            "The field \"ranges\" has to have 1 to " + std::to_string(event_ranges_max) +
                " ranges."};
    std::vector<serial_range> ranges;
    ranges.reserve(texts.items.size());
    for (auto const& text : texts.items)
    {
        auto const first = read_one(series, *text.first);
        if (first.has_error())
            return first.error();
        auto const last = text.last ? read_one(series, *text.last) : first;
        if (last.has_error())
            return last.error();
        if (*last < *first)
            return refusal{
                refusal_kind::out_of_range,
                "The range from " + *text.first + " ends before it begins."};
        ranges.push_back({*first, *last});
    }
    return ranges;
}

}  // namespace gapless
