#include "formats/number_template.hpp"

#include "base/text.hpp"
#include "formats/number_declaration.hpp"

#include <algorithm>
#include <optional>

namespace gapless {
namespace {

// Splits a template into segments. One object reads one template.
class template_reader
{
public:
    explicit template_reader(std::string_view text) : text_{text} {}

    format_result<std::vector<template_segment>> read();

private:
    std::optional<format_refusal> read_next();
    std::optional<format_refusal> read_field();
    std::optional<format_refusal> read_bracket();
    std::optional<format_refusal> read_literal();
    format_result<template_segment> read_serial(std::string_view field) const;
    std::optional<format_refusal> check_whole() const;
    std::size_t count(segment_kind kind) const;

    format_refusal refused(std::string const& why) const
    {
        return {"template position " + std::to_string(at_ + 1) + ": " + why};
    }

    std::string_view text_;
    std::size_t at_{0};
    std::optional<std::size_t> bracket_;  // position of the open [
    std::vector<template_segment> segments_;
};

format_result<std::vector<template_segment>> template_reader::read()
{
    if (text_.empty())
        return format_refusal{"the template is empty"};
    if (text_.size() > template_characters_max)
        return format_refusal{
            "the template has " + std::to_string(text_.size()) + " characters; at most " +
            std::to_string(template_characters_max) + " are allowed"};
    while (at_ < text_.size())
        if (auto refusal = read_next())
            return *refusal;
    if (auto refusal = check_whole())
        return *refusal;
    return std::move(segments_);
}

std::optional<format_refusal> template_reader::read_next()
{
    switch (text_[at_])
    {
    case '{': return read_field();
    case '[':
    case ']': return read_bracket();
    default: return read_literal();
    }
}

std::optional<format_refusal> template_reader::read_bracket()
{
    if (text_[at_] == '[')
    {
        if (bracket_)
            return refused("'[' inside '['; what is checked cannot be nested");
        bracket_ = at_;
    }
    else
    {
        if (!bracket_)
            return refused("']' without '['");
        if (*bracket_ + 1 == at_)
            return refused("nothing stands between '[' and ']'");
        bracket_.reset();
    }
    ++at_;
    return std::nullopt;
}

std::optional<format_refusal> template_reader::read_literal()
{
    auto const character = text_[at_];
    if (!takes(character_class::both, character) && !is_separator(character))
        return refused(
            "'" + printable({&character, 1}) +
            "' cannot stand in a number; capitals, digits, blank, dot and dash can"
        );
    if (character == '\t' || (bracket_ && is_separator(character)))
        return refused("a separator cannot be checked; move it out of [ ]");

    auto const joins = !segments_.empty() && segments_.back().kind == segment_kind::literal &&
                       segments_.back().is_checked == bracket_.has_value();
    if (!joins)
        segments_.push_back({.is_checked = bracket_.has_value(), .position = at_ + 1});
    segments_.back().text += character;
    ++at_;
    return std::nullopt;
}

std::optional<format_refusal> template_reader::read_field()
{
    auto const end = text_.find('}', at_);
    if (end == text_.npos)
        return refused("'{' without '}'");
    auto const field = text_.substr(at_ + 1, end - at_ - 1);

    template_segment segment{};
    if (field == "c")
    {
        if (bracket_)
            return refused("{c} inside [ ]; a check character cannot check itself");
        if (count(segment_kind::check) > 0)
            return refused("a second {c}; a number has at most one check character");
        segment.kind = segment_kind::check;
    }
    else if (field == "n" || field.starts_with("n:"))
    {
        if (count(segment_kind::serial) > 0)
            return refused("a second serial; a number has exactly one");
        auto serial = read_serial(field);
        if (serial.has_error())
            return serial.error();
        segment = *serial;
    }
    else
    {
        auto spec = read_parameter_spec(field);
        if (spec.has_error())
            return refused(spec.error().reason);
        segment.kind = segment_kind::parameter;
        segment.parameter = *spec;
        if (std::ranges::any_of(segments_, [&](template_segment const& known) {
                return known.parameter.name == spec->name;
            }))
            return refused("parameter '" + spec->name + "' stands twice; once is enough");
    }
    segment.is_checked = bracket_.has_value();
    segment.position = at_ + 1;
    segments_.push_back(std::move(segment));
    at_ = end + 1;
    return std::nullopt;
}

format_result<template_segment> template_reader::read_serial(std::string_view field) const
{
    auto const width_text = field.size() > 2 ? field.substr(2) : std::string_view{};
    auto const colon = width_text.find(':');
    auto const base = colon == width_text.npos ? "10" : width_text.substr(colon + 1);
    if (base != "10" && base != "36")
        return refused("the base of a serial is 10 or 36, not '" + printable(base) + "'");

    template_segment segment{.kind = segment_kind::serial};
    segment.base = base == "36" ? 36 : 10;
    auto const width = width_text.substr(0, colon);
    segment.fills = width == "*";
    segment.parameter = {{}, character_class::digits, 1, number_characters_max};
    if (segment.base == 36)
        segment.parameter.characters = character_class::both;
    if (segment.fills)
        return segment;

    auto const digits = read_decimal<std::size_t>(width).value_or(0);
    if (digits < 1 || digits > number_characters_max)
        return refused(
            "the width of a serial is a number from 1 to " + std::to_string(number_characters_max) +
            " or *, as in {n:8}"
        );
    segment.parameter.length_min = segment.parameter.length_max = digits;
    return segment;
}

std::optional<format_refusal> template_reader::check_whole() const
{
    if (bracket_)
        return format_refusal{
            "template position " + std::to_string(*bracket_ + 1) + ": '[' without ']'"};
    if (count(segment_kind::serial) == 0)
        return format_refusal{"the template has no serial; write it as {n:8} or {n:*}"};
    return std::nullopt;
}

std::size_t template_reader::count(segment_kind kind) const
{
    return static_cast<std::size_t>(
        std::ranges::count(segments_, kind, [](template_segment const& each) { return each.kind; })
    );
}

}  // namespace

format_result<std::vector<template_segment>> read_number_template(std::string_view text)
{
    return template_reader{text}.read();
}

bool is_separator(char character) noexcept
{
    return character == ' ' || character == '\t' || character == '.' || character == '-';
}

}  // namespace gapless
