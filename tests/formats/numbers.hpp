#pragma once

#include "formats/bound_format.hpp"
#include "formats/catalogue.hpp"

#include <string>
#include <string_view>

namespace gapless::test {

/// A format of the catalogue, bound to parameters.
inline bound_format bound(std::string_view name, parameter_values const& parameters = {})
{
    return bound_format::bind(*find_format(name), parameters).value();
}

/// A declaration with a template and a check algorithm; the rest is set by the test.
inline number_declaration declared(std::string number, std::string check = "none")
{
    number_declaration declaration{};
    declaration.name = "test";
    declaration.number = std::move(number);
    declaration.check = std::move(check);
    return declaration;
}

/// "compiles", or the reason why not.
inline std::string outcome_of(number_declaration const& declaration)
{
    auto const format = number_format::compile(declaration);
    return format.has_value() ? "compiles" : format.error().reason;
}

/// The text of a result, or "refused: " and the reason.
inline std::string text(format_result<std::string> const& outcome)
{
    return outcome.has_value() ? *outcome : "refused: " + outcome.error().reason;
}

/// The serial of a number as text, or "refused: " and the reason.
inline std::string text(format_result<read_serial> const& outcome)
{
    return outcome.has_value() ? std::to_string(outcome->serial)
                               : "refused: " + outcome.error().reason;
}

}  // namespace gapless::test
