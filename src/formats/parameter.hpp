#pragma once

#include "formats/format_refusal.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace gapless {

/// The characters that a field accepts. Capitals only: texts are converted when read.
enum class character_class : std::uint8_t
{
    digits = 1,
    letters,
    both,
};

/// A named place in a number, filled by the series or by the request.
struct parameter_spec
{
    std::string name;  // small letters, digits, underscores, starts with a letter
    character_class characters{character_class::digits};
    std::size_t length_min{1};  // characters, 1..length_max
    std::size_t length_max{1};  // characters, ..number_characters_max

    friend bool operator==(parameter_spec const&, parameter_spec const&) = default;
};

/// Parameter name to its text.
using parameter_values = std::map<std::string, std::string, std::less<>>;

/// True if a field of that class accepts the character.
bool takes(character_class characters, char character) noexcept;

/// "digits", "letters", or "digits or letters".
std::string_view name_of(character_class characters) noexcept;

/// "5 letters", "4 to 12 digits": for refusals and documentation.
std::string description_of(parameter_spec const& spec);

/// Parses the inside of a field such as "gcp:N4-12". Refuses with the fault, without its position.
format_result<parameter_spec> read_parameter_spec(std::string_view field);

/// `text` in capitals, if the parameter accepts it. Refuses with what the parameter would accept.
format_result<std::string> read_parameter(parameter_spec const& spec, std::string_view text);

/// `text` made fit for a refusal: non-printable characters as `\u200b`, cut if too long.
std::string printable(std::string_view text);

}  // namespace gapless
