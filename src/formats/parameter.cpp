#include "formats/parameter.hpp"

#include "base/text.hpp"
#include "base/written_value.hpp"
#include "formats/number_declaration.hpp"

#include <algorithm>
#include <optional>

namespace gapless {
namespace {

constexpr std::size_t parameter_name_characters_max = 32;

bool is_sane_name(std::string_view name)
{
    auto const small = [](char character) { return 'a' <= character && character <= 'z'; };
    auto const inner = [&](char character) {
        return small(character) || character == '_' || takes(character_class::digits, character);
    };
    return !name.empty() && name.size() <= parameter_name_characters_max && small(name.front()) &&
           std::ranges::all_of(name, inner);
}

std::optional<character_class> read_class(char letter)
{
    switch (letter)
    {
    case 'N': return character_class::digits;
    case 'A': return character_class::letters;
    case 'X': return character_class::both;
    default: return std::nullopt;
    }
}

std::optional<std::size_t> read_length(std::string_view text)
{
    auto const length = read_decimal<std::size_t>(text);
    return length.value_or(0) < 1 || *length > number_characters_max ? std::nullopt : length;
}

}  // namespace

bool takes(character_class characters, char character) noexcept
{
    auto const digit = '0' <= character && character <= '9';
    auto const letter = 'A' <= character && character <= 'Z';
    switch (characters)
    {
    case character_class::digits: return digit;
    case character_class::letters: return letter;
    case character_class::both: return digit || letter;
    }
    return false;
}

std::string_view name_of(character_class characters) noexcept
{
    switch (characters)
    {
    case character_class::digits: return "digits";
    case character_class::letters: return "letters";
    case character_class::both: return "digits or letters";
    }
    return "characters";
}

std::string description_of(parameter_spec const& spec)
{
    if (spec.length_max == 1)
        return spec.characters == character_class::digits    ? "1 digit"
               : spec.characters == character_class::letters ? "1 letter"
                                                             : "1 digit or letter";
    auto text = std::to_string(spec.length_min);
    if (spec.length_max != spec.length_min)
        text += " to " + std::to_string(spec.length_max);
    return text.append(" ").append(name_of(spec.characters));
}

format_result<parameter_spec> read_parameter_spec(std::string_view field)
{
    auto const colon = field.find(':');
    std::string const name{field.substr(0, colon)};
    if (!is_sane_name(name))
        return format_refusal{
            "'" + printable(name) +
            "' is no parameter name: a small letter, then small letters, digits or " +
            "underscores, at most " + std::to_string(parameter_name_characters_max)};
    if (name == "n" || name == "c" || name == "number")
        return format_refusal{"'" + name + "' is a word of the template language, no parameter"};

    auto const type = colon == field.npos ? std::string_view{} : field.substr(colon + 1);
    auto const characters = type.empty() ? std::nullopt : read_class(type.front());
    if (!characters)
        return format_refusal{
            "parameter '" + name + "' needs a type N, A or X and a length, as in {" + name +
            ":N4}"};

    auto const lengths = type.substr(1);
    auto const dash = lengths.find('-');
    auto const min = read_length(lengths.substr(0, dash));
    auto const max = dash == lengths.npos ? min : read_length(lengths.substr(dash + 1));
    if (!min || !max || *max < *min)
        return format_refusal{
            "the length of parameter '" + name + "' is a number from 1 to " +
            std::to_string(number_characters_max) + ", or shortest-longest"};
    return parameter_spec{name, *characters, *min, *max};
}

format_result<std::string> read_parameter(parameter_spec const& spec, std::string_view text)
{
    auto value = to_upper(text);
    auto const fits =
        spec.length_min <= value.size() && value.size() <= spec.length_max &&
        std::ranges::all_of(value, [&](char each) { return takes(spec.characters, each); });
    if (!fits)
        return format_refusal{
            "parameter " + spec.name + " takes " + description_of(spec) + ", not '" +
            printable(text) + "'"};
    return value;
}

std::string printable(std::string_view text)
{
    constexpr std::size_t shown_max = 80;
    std::string shown;
    for (std::size_t characters = 0; !text.empty() && characters < shown_max; ++characters)
        shown += written::take_shown(text, true);
    return text.empty() ? shown : shown + "...";
}

}  // namespace gapless
