#include "formats/number_program.hpp"

namespace gapless {
namespace {

// The parts before and after the serial, as printed and as checked.
struct surroundings
{
    std::string head;
    std::string tail;
    std::string checked_head;
    std::string checked_tail;
};

surroundings surroundings_of(bound_format const& format)
{
    surroundings found;
    auto* printed = &found.head;
    auto* checked = &found.checked_head;
    for (auto const& segment : format.format().segments())
    {
        if (segment.kind == segment_kind::serial)
        {
            printed = &found.tail;
            checked = &found.checked_tail;
            continue;
        }
        auto const& part = segment.kind == segment_kind::parameter
                               ? format.parameters().at(segment.parameter.name)
                               : segment.text;
        *printed += segment.kind == segment_kind::check ? "?" : part;
        if (segment.is_checked)
            *checked += part;
    }
    return found;
}

// No text in a program has a character that JSON would escape; the compiler ensures that.
std::string member(std::string_view name, std::string_view text)
{
    return std::string{"\""}.append(name).append("\":\"").append(text).append("\"");
}

std::string member(std::string_view name, std::size_t number)
{
    return std::string{"\""}.append(name).append("\":").append(std::to_string(number));
}

std::string results_of(check_algorithm const& algorithm)
{
    std::string results;
    for (auto rest = 0; rest < linear_modulus(algorithm); ++rest)
        results += linear_character(algorithm, rest);
    return results;
}

std::string weights_of(check_algorithm const& algorithm)
{
    std::string weights;
    for (auto const weight : algorithm.weights)
        if (weight != 0)
            weights.append(weights.empty() ? "" : ",").append(std::to_string(weight));
    return "\"weights\":[" + weights + "]";
}

std::string_view values_of(check_algorithm const& algorithm)
{
    switch (algorithm.values)
    {
    case character_values::digits: break;
    case character_values::ups: return "ups";
    case character_values::ascii: return "ascii";
    }
    return "digits";
}

std::string check_of(check_algorithm const& algorithm, surroundings const& around)
{
    auto const texts = member("head", std::string{algorithm.prepend} + around.checked_head) + "," +
                       member("tail", around.checked_tail);
    auto const modulus = member("mod", static_cast<std::size_t>(algorithm.modulus));
    auto const results = member("results", results_of(algorithm));
    switch (algorithm.kernel)
    {
    case check_kernel::none: return "null";
    case check_kernel::weighted_sum:
        return "{" + member("kernel", "wsum") + "," + texts + "," + weights_of(algorithm) + "," +
               member("from", algorithm.from == weights_from::left ? "left" : "right") + "," +
               modulus + "," + member("start", static_cast<std::size_t>(algorithm.add)) + "," +
               member("values", values_of(algorithm)) + "," + results + "}";
    case check_kernel::luhn:
        return "{" + member("kernel", "luhn") + "," + texts + "," + results + "}";
    case check_kernel::remainder:
        return "{" + member("kernel", "mod") + "," + texts + "," + modulus + "," + results + "}";
    case check_kernel::iso7064_hybrid:
        return "{" + member("kernel", "iso7064") + "," + texts + "," +
               member("alphabet", algorithm.alphabet) + "}";
    }
    return "null";
}

}  // namespace

std::string to_program(bound_format const& format)
{
    auto const around = surroundings_of(format);
    return "{" + member("head", around.head) + "," + member("tail", around.tail) + "," +
           member("width_min", format.width_min()) + "," + member("width_max", format.width_max()) +
           "," + member("base", static_cast<std::size_t>(format.base())) +
           ",\"check\":" + check_of(format.format().algorithm(), around) + "}";
}

}  // namespace gapless
