#include "formats/block_ends.hpp"

#include "formats/catalogue.hpp"
#include "formats/number_completion.hpp"
#include "formats/number_reader.hpp"

#include <algorithm>

namespace gapless {
namespace {

constexpr std::size_t plain_width_max = 19;  // plain-1 to plain-19 are in the catalogue

// One end, read in every possible way.
struct block_end
{
    format_result<std::int64_t> as_serial;
    number_completion as_number;

    read_serial const* find(left_out what) const
    {
        auto const found = std::ranges::find(as_number.fits, what, &completed_number::what);
        return found == as_number.fits.end() ? nullptr : &found->read;
    }

    bool fits() const { return as_serial.has_value() || !as_number.fits.empty(); }
};

format_result<std::int64_t> read_serial_end(bound_format const& format, std::string_view text)
{
    if (has_stray_mark(text))
        return format_refusal{"is not made of digits"};
    auto const bare = to_bare(text);
    if (bare.empty())
        return format_refusal{"is empty"};
    if (!std::ranges::all_of(bare, [](char each) { return takes(character_class::digits, each); }))
        return format_refusal{"is not made of digits"};
    auto const serial = to_serial(bare, 10);
    if (!serial || *serial > format.serial_max())
        return format_refusal{
            "is above ", std::to_string(format.serial_max()), ", the largest serial that fits"};
    auto const width = format.format().serial().parameter.length_max;
    if (bare.size() > std::max(width, std::to_string(format.serial_max()).size()))
        return format_refusal{
            "has ",
            std::to_string(bare.size()),
            " digits; a serial has at most ",
            std::to_string(width)};
    return *serial;
}

block_end read_end(bound_format const& format, std::string_view text)
{
    return {read_serial_end(format, text), complete_number(format, text)};
}

format_refusal refuse_end(std::string_view which, std::string_view text, block_end const& end)
{
    if (end.as_serial.has_value())
        return {which, printable(text), " is a serial"};
    if (end.find(left_out::nothing) != nullptr)
        return {which, printable(text), " is a whole number"};
    if (end.fits())
        return {which, to_text(text, end.as_number.fits)};
    return {
        which,
        printable(text),
        " is no serial (it ",
        end.as_serial.error().reason,
        ") and no number (",
        end.as_number.reason,
        ")"};
}

// True when both readings are possible for both ends and mean another block; the caller cannot know
// which. One end alone may mean the same either way, such as 000001.
bool is_ambiguous(block_end const& from, block_end const& to)
{
    auto const differs = [](block_end const& end, read_serial const& whole) {
        return *end.as_serial != whole.serial;
    };
    auto const* const first = from.find(left_out::nothing);
    auto const* const last = to.find(left_out::nothing);
    return from.as_serial.has_value() && to.as_serial.has_value() && first != nullptr &&
           last != nullptr && (differs(from, *first) || differs(to, *last));
}

// The ways in which both ends are numbers that lack the same part; whole ones have no other way.
std::vector<block_ends> list_numbers(block_end const& from, block_end const& to)
{
    using enum left_out;
    std::vector<block_ends> found;
    for (auto const what : {nothing, check_character, zeros})
    {
        auto const* const first = from.find(what);
        auto const* const last = to.find(what);
        if (first == nullptr || last == nullptr)
            continue;
        found.push_back({first->serial, last->serial, block_ends_read_as::numbers, {}});
        if (what == nothing)
            break;
        found.back().completed =
            first->number + "…" + last->number +
            (what == zeros ? " without zeros in front" : " without check digits");
    }
    return found;
}

}  // namespace

std::string_view name_of(block_ends_read_as read_as) noexcept
{
    switch (read_as)
    {
    case block_ends_read_as::serials: return "serials";
    case block_ends_read_as::numbers: return "numbers";
    }
    return "serials";
}

format_result<void> check_leading_zeros(bound_format const& format, std::string_view text)
{
    auto const bare = to_bare(text);
    if (format.format().name() != default_format_name || bare.size() < 2 || bare.front() != '0')
        return {};
    auto const width = std::to_string(std::min(bare.size(), plain_width_max));
    return format_refusal{
        "number ",
        printable(text),
        " has leading zeros, which format plain drops; a series of format plain-",
        width,
        " keeps numbers of ",
        width,
        " digits, and others can be declared"};
}

namespace {

/// read_block_ends, whichever end comes first. `last_is`: how refusals call the last one.
format_result<block_ends> read_both_ends(
    bound_format const& format,
    std::string_view first,
    std::string_view last,
    std::string_view last_is = "the last end "
)
{
    for (auto const text : {first, last})
        if (auto const checked = check_leading_zeros(format, text); checked.has_error())
            return checked.error();
    auto const from = read_end(format, first);
    auto const to = read_end(format, last);
    if (is_ambiguous(from, to))
        return format_refusal{
            "the ends ",
            printable(first),
            " and ",
            printable(last),
            " can be read as serials and as whole numbers; more zeros in front make them serials"};
    auto numbers = list_numbers(from, to);
    block_ends ends{};
    if (from.as_serial.has_value() && to.as_serial.has_value())
    {
        ends = {*from.as_serial, *to.as_serial, block_ends_read_as::serials, {}};
        // They may also be numbers whose leading zeros a spreadsheet dropped.
        for (auto const& other : numbers)
            if (!other.completed.empty() && other.first_serial != ends.first_serial)
                ends.completed =
                    "the ends are read as serials, they could also be " + other.completed;
    }
    else if (numbers.size() == 1)
    {
        ends = std::move(numbers.front());
        if (!ends.completed.empty())
            ends.completed =
                printable(first) + " and " + printable(last) + " are read as " + ends.completed;
    }
    else if (!numbers.empty())
        return format_refusal{
            "the ends ",
            printable(first),
            " and ",
            printable(last),
            " can be ",
            numbers.front().completed,
            " or ",
            numbers.back().completed,
            "; give the whole numbers"};
    else
    {
        if (!from.fits())
            return refuse_end("the first end ", first, from);
        if (!to.fits())
            return refuse_end(last_is, last, to);
        return format_refusal{
            refuse_end("the first end ", first, from).reason,
            ", but ",
            refuse_end(last_is, last, to).reason,
            "; give both the same way"};
    }
    return ends;
}

}  // namespace

format_result<block_ends> read_block_ends(
    bound_format const& format, std::string_view first, std::string_view last
)
{
    auto ends = read_both_ends(format, first, last);
    if (ends.has_value() && ends->last_serial < ends->first_serial)
        return format_refusal{
            "the block runs backwards: its last number ",
            printable(last),
            " is before its first, ",
            printable(first)};
    return ends;
}

format_result<std::int64_t> read_issued_until(
    bound_format const& format, std::string_view first, std::string_view until
)
{
    auto const ends = read_both_ends(format, first, until, /*last_is=*/{});
    if (ends.has_error())
        return ends.error();
    if (ends->last_serial < ends->first_serial)
        return format_refusal{
            printable(until), " is before the first number of the block, ", printable(first)};
    return ends->last_serial;
}

}  // namespace gapless
