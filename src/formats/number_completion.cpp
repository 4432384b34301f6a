#include "formats/number_completion.hpp"

#include "base/field_text.hpp"
#include "base/text.hpp"

namespace gapless {
namespace {

void complete_check(
    bound_format const& format, std::string_view text, bool is_long_enough, number_completion& found
)
{
    auto read = format.read_number(text, check_text::missing);
    if (read.has_value())
        found.fits.push_back({std::move(*read), left_out::check_character});
    else if (is_long_enough)
        found.reason += "; without its check digit: " + read.error().reason;
}

void complete_zeros(bound_format const& format, std::string const& padded, number_completion& found)
{
    auto read = format.read_number(padded);
    auto const is_checked = format.format().algorithm().kernel != check_kernel::none;
    if (read.has_value() && is_checked)
        found.fits.push_back({std::move(*read), left_out::zeros});
    else if (read.has_value())
        found.reason += "; with zeros in front: " + read->number;
    else if (read.error().reason.starts_with("check character"))
        found.reason += "; with zeros in front: " + read.error().reason;
}

}  // namespace

number_completion complete_number(bound_format const& format, std::string_view text)
{
    auto whole = format.read_number(text);
    if (whole.has_value())
        return {{{std::move(*whole)}}, {}};
    number_completion found{{}, whole.error().reason};
    auto const bare = to_bare(text);
    auto const length = format.length_max() - format.format().separators();
    if (format.width_min() != format.width_max() || text.size() > read_characters_max)
        return found;
    if (format.format().algorithm().kernel != check_kernel::none)
        complete_check(format, text, bare.size() + 1 == length, found);
    // A number rounded by Excel has lost more than zeros.
    if (bare.size() < length && length - bare.size() <= zeros_lost_max && all_digits(bare) &&
        bare.front() != '0' && !has_stray_mark(text) && !looks_rounded(bare))
        complete_zeros(format, std::string(length - bare.size(), '0') + bare, found);
    return found;
}

std::string to_text(std::string_view text, std::vector<completed_number> const& fits)
{
    auto told = "'" + printable(text) + "' is ";
    for (auto const& each : fits)
        told.append(&each == fits.data() ? "" : " or ")
            .append(each.read.number)
            .append(" without ")
            .append(each.what == left_out::zeros ? "zeros in front" : "its check digit");
    return told;
}

}  // namespace gapless
