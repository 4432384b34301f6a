#pragma once

#include "base/refusal.hpp"
#include "cli/exit_code.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace gapless::cli {

/// Ends a command. The text names the value and the way out, without the prefix "gapless:".
struct command_failed : std::runtime_error
{
    command_failed(exit_code c, std::string const& text) : std::runtime_error{text}, code{c} {}

    exit_code code;
};

/// The exit code for a refusal.
exit_code exit_code_of(refusal_kind kind) noexcept;

/// What a person can do about a refusal, as a sentence with a command; empty if the refusal's own
/// detail says it, or nothing can be done.
std::string_view way_out(refusal_kind kind) noexcept;

/// "FIRST to LAST (COUNT), released": numbers that an issuance no longer has.
std::string to_text(gone_numbers const& gone);

/// Converts a refusal to a failure: its detail, what is gone, then the way out, each on its own
/// line.
command_failed to_failure(refusal const& why);

/// The failure for an invalid command line.
command_failed usage_error(std::string const& text);

/// The value; a refusal ends the command.
template <class T>
T value_of(result<T> outcome)
{
    if (outcome.has_error())
        throw to_failure(outcome.error());
    return std::move(*outcome);
}

}  // namespace gapless::cli
