#include "formats/make_and_check.hpp"

#include "formats/assigned_values.hpp"
#include "formats/number_reader.hpp"

#include <algorithm>

namespace gapless {
namespace {

// Empty if every value that was read may occur there.
std::string unassigned_reason(
    number_format const& format, number_parts const& parts, parameter_values const& given
)
{
    for (auto const& limit : assigned())
    {
        if (limit.format != format.name() || given.contains(limit.field))
            continue;
        auto const parameter = parts.parameters.find(limit.field);
        auto const is_serial = limit.field == "n";
        if (!is_serial && parameter == parts.parameters.end())
            continue;
        auto const& text = is_serial ? parts.serial_text : parameter->second;
        if (is_among(limit.values, text))
            continue;
        constexpr std::size_t listed_max = 60;
        auto reason = (is_serial ? "serial " : "parameter " + parameter->first + ": ") + text +
                      " is not assigned";
        if (limit.values.size() <= listed_max)
            reason.append("; known are ").append(limit.values);
        return reason;
    }
    return {};
}

format_refusal above_largest(std::string_view serial)
{
    return {
        "the serial ",
        printable(serial),
        " is above ",
        std::to_string(serial_max),
        ", the largest there is"};
}

// The serial, padded to its width in the number; `around` is the rest of the number.
format_result<std::string> pad_serial(
    number_format const& format, std::string_view text, std::size_t around
)
{
    auto const& segment = format.serial();
    auto const width_max = std::min(
        segment.parameter.length_max, format.length_max() - std::min(format.length_max(), around)
    );
    auto width_min = segment.parameter.length_min;
    if (segment.fills && format.length_min() > around)
        width_min = std::min(width_max, format.length_min() - around);
    auto serial = to_bare(text);
    auto const takes_it = [&](char each) { return takes(segment.parameter.characters, each); };
    if (has_stray_mark(text) || serial.empty() || !std::ranges::all_of(serial, takes_it))
        return format_refusal{
            "the serial is made of ",
            name_of(segment.parameter.characters),
            ", not '",
            printable(text),
            "'"};

    // With letters and without a width, the serial is a text whose zeros count.
    auto const is_text =
        segment.base == 10 && segment.parameter.characters != character_class::digits;
    if (!is_text)
        serial.erase(0, std::min(serial.find_first_not_of('0'), serial.size() - 1));
    if (serial.size() > width_max)
        return format_refusal{
            "the serial ",
            printable(text),
            " does not fit the ",
            std::to_string(width_max),
            " characters a number has for it"};
    auto const decimal_width_max = std::to_string(serial_max).size();
    if (width_min <= decimal_width_max && !is_text && !to_serial(serial, segment.base))
        return above_largest(text);
    if (serial.size() < width_min)
        serial.insert(0, width_min - serial.size(), '0');
    return serial;
}

}  // namespace

format_result<std::string> make_number(
    number_format const& format, std::string_view serial, parameter_values const& parameters
)
{
    auto values = format.read_parameters(parameters);
    if (values.has_error())
        return values.error();
    std::size_t around{0};
    for (auto const& segment : format.segments())
    {
        auto const value = values->find(segment.parameter.name);
        if (segment.kind == segment_kind::parameter && value == values->end())
            return format_refusal{
                "format ",
                format.name(),
                " needs the parameter ",
                segment.parameter.name,
                ": ",
                description_of(segment.parameter)};
        around += segment.kind == segment_kind::parameter ? value->second.size()
                  : segment.kind == segment_kind::check   ? 1
                                                          : segment.text.size();
    }
    auto const digits = pad_serial(format, serial, around);
    if (digits.has_error())
        return digits.error();

    std::string number;
    std::string body;
    std::size_t check_at{};
    for (auto const& segment : format.segments())
    {
        if (segment.kind == segment_kind::check)
            check_at = number.size();
        auto const part = segment.kind == segment_kind::serial ? *digits
                          : segment.kind == segment_kind::parameter
                              ? (*values)[segment.parameter.name]
                              : segment.text;
        number += part;
        if (segment.is_checked)
            body += part;
    }
    if (auto const check = check_character(format.algorithm(), body))
        number.insert(check_at, 1, *check);
    return number;
}

number_verdict check_number(
    number_format const& format, std::string_view number, parameter_values const& parameters
)
{
    auto const given = format.read_parameters(parameters);
    if (given.has_error())
        return {.valid = false, .serial = {}, .parameters = {}, .reason = given.error().reason};
    auto parts = read_number(format, *given, number);
    if (parts.has_error())
        return {.valid = false, .serial = {}, .parameters = {}, .reason = parts.error().reason};

    auto const& serial = format.serial().parameter;
    if (serial.characters == character_class::digits && serial.length_min < serial.length_max &&
        !parts->serial)
        return {
            .valid = false,
            .serial = {},
            .parameters = {},
            .reason = above_largest(parts->serial_text).reason};
    auto reason = unassigned_reason(format, *parts, *given);
    auto const is_assigned = reason.empty();
    if (is_assigned && parts->is_ambiguous)
        reason = "parameters of variable length were read at their longest; give them to be sure";
    return {
        .valid = is_assigned,
        .serial = std::move(parts->serial_text),
        .parameters = std::move(parts->parameters),
        .reason = std::move(reason)};
}

}  // namespace gapless
