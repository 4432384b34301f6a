#include "formats/number_reader.hpp"

#include "base/field_text.hpp"
#include "base/text.hpp"
#include "base/written_value.hpp"
#include "formats/data_template.hpp"
#include "formats/scanned_number.hpp"

#include <algorithm>
#include <vector>

namespace gapless {
namespace {

// One segment, with what is known about it before reading the text.
struct expected_piece
{
    template_segment const* segment{};
    std::string fixed;          // the characters, when they are known; without separators
    std::size_t length_min{1};  // without separators
    std::size_t length_max{1};
    std::size_t rest_min{0};  // of all pieces to the right
    std::size_t rest_max{0};

    bool is_variable() const { return length_min != length_max; }
};

std::string shown(std::string_view text)
{
    return "'" + written::take_shown(text, true) + "'";
}

// Matches one text with the segments of a format. Variable lengths are tried longest first; the
// first way with a correct check character is taken, a second one makes the number ambiguous.
class number_matcher
{
public:
    number_matcher(number_format const& format, parameter_values const& known, check_text check);

    format_result<number_parts> read(std::string_view bare);

private:
    std::optional<format_refusal> check_length(std::size_t length) const;
    void match(std::size_t index, std::size_t at);
    bool fits(expected_piece const& piece, std::size_t at, std::size_t length);
    bool fits_class(template_segment const& segment, std::size_t at, std::size_t length);
    void note_mismatch(std::size_t at, std::string why);
    number_parts take_apart() const;
    std::string body_of(std::vector<std::size_t> const& lengths) const;
    std::optional<format_refusal> refusal_of_way() const;

    number_format const& format_;
    check_text check_;
    std::vector<expected_piece> pieces_;
    std::size_t length_min_;  // without separators
    std::size_t length_max_;
    std::string_view bare_;
    std::vector<std::size_t> lengths_;  // of the way being tried
    std::vector<std::size_t> found_;    // of the first way that fits
    int ways_{0};                       // counted up to two
    std::size_t mismatch_at_{0};
    std::string mismatch_;
    std::optional<format_refusal> check_refusal_;  // of the first way whose shape fits
};

number_matcher::number_matcher(
    number_format const& format, parameter_values const& known, check_text check
)
    : format_{format},
      check_{check},
      length_min_{format.length_min() - format.separators()},
      length_max_{format.length_max() - format.separators()}
{
    for (auto const& segment : format.segments())
    {
        expected_piece piece{
            .segment = &segment,
            .fixed = {},
            .length_min = segment.parameter.length_min,
            .length_max = segment.parameter.length_max};
        auto const value = known.find(segment.parameter.name);
        if (segment.kind == segment_kind::literal)
            piece.fixed = to_bare(segment.text);
        else if (segment.kind == segment_kind::parameter && value != known.end())
            piece.fixed = value->second;
        if (segment.kind == segment_kind::literal || !piece.fixed.empty())
            piece.length_min = piece.length_max = piece.fixed.size();
        if (segment.kind == segment_kind::check && check == check_text::missing)
        {
            piece.length_min = piece.length_max = 0;
            --length_min_;
            --length_max_;
        }
        pieces_.push_back(std::move(piece));
    }
    for (auto piece = pieces_.rbegin(); piece + 1 != pieces_.rend(); ++piece)
    {
        (piece + 1)->rest_min = piece->rest_min + piece->length_min;
        (piece + 1)->rest_max = piece->rest_max + piece->length_max;
    }
    length_min_ = std::max(length_min_, pieces_.front().length_min + pieces_.front().rest_min);
    length_max_ = std::min(length_max_, pieces_.front().length_max + pieces_.front().rest_max);
    lengths_.resize(pieces_.size());
}

format_result<number_parts> number_matcher::read(std::string_view bare)
{
    if (auto refusal = check_length(bare.size()))
        return *refusal;
    bare_ = bare;
    match(0, 0);
    if (ways_ > 0)
        return take_apart();
    return check_refusal_ ? *check_refusal_ : format_refusal{mismatch_};
}

std::optional<format_refusal> number_matcher::check_length(std::size_t length) const
{
    if (length_min_ <= length && length <= length_max_)
        return std::nullopt;
    auto expected = std::to_string(length_min_);
    if (length_min_ != length_max_)
        expected += " to " + std::to_string(length_max_);
    return format_refusal{
        "wrong length: expected ", expected, " characters, found ", std::to_string(length)};
}

void number_matcher::match(std::size_t index, std::size_t at)
{
    if (index == pieces_.size())
    {
        if (auto refusal = refusal_of_way(); !refusal && ++ways_ == 1)
            found_ = lengths_;
        else if (refusal && !check_refusal_)
            check_refusal_ = std::move(refusal);
        return;
    }
    auto const& piece = pieces_[index];
    auto const left = bare_.size() - at;
    if (left < piece.length_min + piece.rest_min)
        return;
    auto const longest = std::min(piece.length_max, left - piece.rest_min);
    for (auto length = longest; length >= piece.length_min && ways_ < 2; --length)
    {
        if (left - length > piece.rest_max)
            break;
        lengths_[index] = length;
        if (fits(piece, at, length))
            match(index + 1, at + length);
        if (length == 0)
            break;
    }
}

bool number_matcher::fits(expected_piece const& piece, std::size_t at, std::size_t length)
{
    auto const& segment = *piece.segment;
    if (segment.kind == segment_kind::check)
        return true;
    if (piece.fixed.empty() && segment.kind != segment_kind::literal)
        return fits_class(segment, at, length);

    auto const part = bare_.substr(at, length);
    if (part == piece.fixed)
        return true;
    if (segment.kind == segment_kind::parameter)
        note_mismatch(
            at,
            "parameter " + segment.parameter.name + ": expected " + piece.fixed + ", found " +
                printable(part)
        );
    else
    {
        auto const [expected, found] = std::ranges::mismatch(piece.fixed, part);
        auto const place = at + static_cast<std::size_t>(found - part.begin());
        note_mismatch(
            place,
            "character " + std::to_string(place + 1) + " is " + shown(bare_.substr(place)) +
                ", expected " + shown({&*expected, 1})
        );
    }
    return false;
}

bool number_matcher::fits_class(template_segment const& segment, std::size_t at, std::size_t length)
{
    auto const characters = segment.parameter.characters;
    for (auto place = at; place < at + length; ++place)
    {
        if (takes(characters, bare_[place]))
            continue;
        auto const expected = characters == character_class::digits    ? "a digit"
                              : characters == character_class::letters ? "a letter"
                                                                       : "a digit or letter";
        note_mismatch(
            place,
            "character " + std::to_string(place + 1) + " is " + shown(bare_.substr(place)) +
                ", expected " + expected
        );
        return false;
    }
    return true;
}

// Of several mismatches, keeps the one that got furthest, which says most.
void number_matcher::note_mismatch(std::size_t at, std::string why)
{
    if (!mismatch_.empty() && at <= mismatch_at_)
        return;
    mismatch_at_ = at;
    mismatch_ = std::move(why);
}

number_parts number_matcher::take_apart() const
{
    number_parts parts;
    parts.is_ambiguous = ways_ > 1;
    auto const check = check_character(format_.algorithm(), body_of(found_));
    std::size_t at{0};
    for (std::size_t index = 0; index < pieces_.size(); ++index)
    {
        auto const& piece = pieces_[index];
        auto part = bare_.substr(at, found_[index]);
        at += found_[index];
        if (piece.segment->kind == segment_kind::check)
            part = {&*check, 1};  // the correct one: without it no way fits
        parts.number += piece.segment->kind == segment_kind::literal ? piece.segment->text : part;
        if (piece.segment->kind == segment_kind::serial)
        {
            parts.serial_text = part;
            parts.serial = to_serial(part, piece.segment->base);
        }
        if (piece.segment->kind == segment_kind::parameter &&
            !(parts.is_ambiguous && piece.is_variable()))
            parts.parameters.emplace(piece.segment->parameter.name, part);
    }
    return parts;
}

// The characters that the check character is computed from.
std::string number_matcher::body_of(std::vector<std::size_t> const& lengths) const
{
    std::string body;
    std::size_t at{0};
    for (std::size_t index = 0; index < pieces_.size(); at += lengths[index++])
        if (pieces_[index].segment->is_checked)
            body += bare_.substr(at, lengths[index]);
    return body;
}

// Why the lengths being tried fail although every character fits.
std::optional<format_refusal> number_matcher::refusal_of_way() const
{
    std::string_view serial;
    std::string_view found;
    std::size_t at{0};
    for (std::size_t index = 0; index < pieces_.size(); ++index)
    {
        auto const part = bare_.substr(at, lengths_[index]);
        at += lengths_[index];
        if (pieces_[index].segment->kind == segment_kind::check)
            found = part;
        if (pieces_[index].segment->kind == segment_kind::serial)
            serial = part;
    }
    auto const& algorithm = format_.algorithm();
    if (algorithm.kernel == check_kernel::none)
    {
        if (format_.has_free_serial() && serial.size() > 1 && serial.front() == '0')
            return format_refusal{"leading zeros: a serial without fixed width has none"};
        return std::nullopt;
    }
    auto const expected = check_character(algorithm, body_of(lengths_));
    if (expected && (check_ != check_text::right || found == std::string_view{&*expected, 1}))
        return std::nullopt;
    return format_refusal{
        "check character: expected ",
        expected ? std::string{*expected} : "none",
        ", found ",
        printable(found)};
}

bool is_bracket(char character) noexcept
{
    return character == '(' || character == ')';
}

bool is_blank(char character) noexcept
{
    return character == ' ' || character == '\t';
}

// The dots and dashes of a text, each with the number of characters to its right, since application
// identifiers may be on the left. `to_the_right`: characters that the text lacks.
std::vector<std::pair<std::size_t, char>> marks_of(
    std::string_view text, std::size_t to_the_right = 0
)
{
    std::vector<std::pair<std::size_t, char>> marks;
    for (auto each = text.rbegin(); each != text.rend(); ++each)
        if (*each == '.' || *each == '-')
            marks.emplace_back(to_the_right, *each);
        else if (!is_blank(*each) && !is_bracket(*each))
            ++to_the_right;
    std::ranges::sort(marks);
    return marks;
}

bool may_have_brackets(number_format const& format)
{
    auto const& [symbology, data] = format.declaration().barcode;
    return symbology.starts_with("gs1") ||
           (data + format.declaration().hrt).find('(') != std::string::npos;
}

// Refuses a dot, dash or bracket that neither the number nor its hrt has at that position.
std::optional<format_refusal> check_marks(
    number_format const& format,
    number_parts const& parts,
    std::string_view text,
    std::size_t missing_at_end
)
{
    if (!has_stray_mark(text))
        return std::nullopt;
    auto const& hrt = format.declaration().hrt;
    auto const printed = is_mask(hrt) ? format_result<std::string>{lay_out(hrt, parts.number)}
                                      : fill_in(format.hrt(), parts.number, parts.parameters);
    auto const brackets = std::ranges::any_of(text, is_bracket) && !may_have_brackets(format);
    auto const marks = marks_of(text, missing_at_end);
    if (!brackets && (std::ranges::includes(marks_of(parts.number), marks) ||
                      (printed.has_value() && std::ranges::includes(marks_of(*printed), marks))))
        return std::nullopt;
    return format_refusal{
        "a ",
        brackets ? "bracket" : "dot or dash",
        " stands where numbers of this format have none; a spreadsheet may have changed the "
        "number"};
}

}  // namespace

format_result<number_parts> read_number(
    number_format const& format,
    parameter_values const& known,
    std::string_view written,
    check_text check
)
{
    if (written.size() > read_characters_max)
        return format_refusal{
            "the text has more than ", std::to_string(read_characters_max), " characters"};
    auto const text = to_number_text(written);
    auto const bare = to_bare(text);
    auto const ends_with_check = format.segments().back().kind == segment_kind::check;
    auto const missing_at_end = check == check_text::missing && ends_with_check ? 1U : 0U;
    auto outcome = number_matcher{format, known, check}.read(bare);
    if (outcome.has_error())
        if (auto const scanned = number_in_barcode(format, bare, missing_at_end == 1))
            if (auto inner = number_matcher{format, known, check}.read(*scanned);
                inner.has_value() || scanned->size() < bare.size())
                outcome = std::move(inner);  // or says what is wrong behind the identifiers
    if (outcome.has_value())
        if (auto refusal = check_marks(format, *outcome, text, missing_at_end))
            return *refusal;
    return outcome;
}

std::optional<std::int64_t> to_serial(std::string_view digits, int base) noexcept
{
    std::int64_t value{0};
    for (auto const digit : digits)
    {
        auto const of_letter = digit >= 'A' && digit <= 'Z' ? digit - 'A' + 10 : base;
        auto const one = digit >= '0' && digit <= '9' ? digit - '0' : of_letter;
        if (one >= base || value > (serial_max - one) / base)
            return std::nullopt;
        value = value * base + one;
    }
    return digits.empty() ? std::nullopt : std::optional{value};
}

std::string to_bare(std::string_view text)
{
    auto bare = to_upper(to_number_text(text));
    std::erase_if(bare, [](char each) { return is_separator(each) || is_bracket(each); });
    return bare;
}

bool has_stray_mark(std::string_view text)
{
    auto const bare = to_number_text(text);
    return bare.find_first_of(".-()") != std::string::npos &&
           !join_groups(bare, written::group_marks, written::group_marks_min);
}

}  // namespace gapless
