#include "formats/block_ends.hpp"

#include "formats/catalogue.hpp"
#include "formats/number_completion.hpp"
#include "formats/number_reader.hpp"

#include <algorithm>

namespace gapless {
namespace {

constexpr std::size_t plain_width_max = 19;  // plain-1 to plain-19 are in the catalogue

// One end, tried every way.
struct block_end
{
    format_result<std::int64_t> as_serial;
    format_result<read_serial> as_number;
    number_completion completion;  // of what is no whole number

    // The whole number, or as it is once completed; nothing: it is none.
    read_serial const* find(left_out what) const
    {
        if (what == left_out::zeros && as_number.has_value())
            return &*as_number;
        auto const found = std::ranges::find(completion.fits, what, &completed_number::what);
        return found == completion.fits.end() ? nullptr : &found->read;
    }
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
    block_end end{read_serial_end(format, text), format.read_number(text), {}};
    if (end.as_number.has_error())
        end.completion = complete_number(format, text);
    return end;
}

format_refusal refuse_end(std::string_view which, std::string_view text, block_end const& end)
{
    if (end.as_serial.has_value())
        return {"the ", which, " end ", printable(text), " is a serial"};
    if (end.as_number.has_value())
        return {"the ", which, " end ", printable(text), " is a whole number"};
    if (!end.completion.fits.empty())
        return {"the ", which, " end ", to_text(text, end.completion.fits)};
    return {
        "the ",
        which,
        " end ",
        printable(text),
        " is no serial (it ",
        end.as_serial.error().reason,
        ") and no number (",
        end.as_number.error().reason,
        end.completion.advice,
        ")"};
}

// True when both readings are possible and mean different numbers; the caller cannot know which.
bool is_ambiguous(block_end const& end)
{
    return end.as_serial.has_value() && end.as_number.has_value() &&
           *end.as_serial != end.as_number->serial;
}

// The ways in which both ends are numbers once they are completed; not those of whole ones.
std::vector<block_ends> complete_ends(block_end const& from, block_end const& to)
{
    std::vector<block_ends> found;
    for (auto const what : {left_out::check_character, left_out::zeros})
    {
        auto const* const first = from.find(what);
        auto const* const last = to.find(what);
        if (first == nullptr || last == nullptr ||
            (from.as_number.has_value() && to.as_number.has_value()))
            continue;
        found.push_back({first->serial, last->serial, block_ends_read_as::numbers, {}});
        found.back().completed =
            first->number + "…" + last->number +
            (what == left_out::zeros ? " without zeros in front" : " without check digits");
    }
    return found;
}

// Serials of full width that are as likely numbers whose zeros in front a spreadsheet dropped.
std::string doubt_serials(
    bound_format const& format, block_end const& from, block_end const& to, std::string_view first
)
{
    if (to_bare(first).size() == format.width_max())
        for (auto const& other : complete_ends(from, to))
            if (other.first_serial != *from.as_serial)
                return "the ends are read as serials, they could also be " + other.completed;
    return {};
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

format_result<block_ends> read_block_ends(
    bound_format const& format, std::string_view first, std::string_view last
)
{
    for (auto const text : {first, last})
        if (auto const checked = check_leading_zeros(format, text); checked.has_error())
            return checked.error();
    auto const from = read_end(format, first);
    auto const to = read_end(format, last);
    if (is_ambiguous(from) && is_ambiguous(to))
        return format_refusal{
            "the ends ",
            printable(first),
            " and ",
            printable(last),
            " can be read as serials and as whole numbers; leading zeros make them serials"};
    block_ends ends{};
    if (from.as_serial.has_value() && to.as_serial.has_value())
        ends = {
            *from.as_serial,
            *to.as_serial,
            block_ends_read_as::serials,
            doubt_serials(format, from, to, first)};
    else if (from.as_number.has_value() && to.as_number.has_value())
        ends = {from.as_number->serial, to.as_number->serial, block_ends_read_as::numbers, {}};
    else if (auto completed = complete_ends(from, to); completed.size() > 1)
        return format_refusal{
            "the ends ",
            printable(first),
            " and ",
            printable(last),
            " can be ",
            completed[0].completed,
            " or ",
            completed[1].completed,
            "; give the whole numbers"};
    else if (!completed.empty())
    {
        ends = std::move(completed.front());
        ends.completed =
            printable(first) + " and " + printable(last) + " are read as " + ends.completed;
    }
    else
    {
        auto const fits = [](block_end const& end) {
            return end.as_serial.has_value() || end.as_number.has_value() ||
                   !end.completion.fits.empty();
        };
        if (!fits(from))
            return refuse_end("first", first, from);
        if (!fits(to))
            return refuse_end("last", last, to);
        return format_refusal{
            refuse_end("first", first, from).reason,
            ", but ",
            refuse_end("last", last, to).reason,
            "; give both the same way"};
    }
    if (ends.last_serial < ends.first_serial)
        return format_refusal{
            "the block runs backwards: its last serial ",
            std::to_string(ends.last_serial),
            " is before its first, ",
            std::to_string(ends.first_serial)};
    return ends;
}

}  // namespace gapless
