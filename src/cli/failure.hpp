#pragma once

#include "base/refusal.hpp"
#include "cli/exit_code.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace gapless::cli {

/// Ends a command. The text names the value and the way out, without "gapless:" in front.
struct command_failed : std::runtime_error
{
    command_failed(exit_code c, std::string const& text) : std::runtime_error{text}, code{c} {}

    exit_code code;
};

/// The exit code that stands for a refusal.
exit_code exit_code_of(refusal_kind kind) noexcept;

/// What a person can do about a refusal, as a sentence with a command; empty where the refusal's
/// own detail says it, or nothing can be said.
std::string_view way_out(refusal_kind kind) noexcept;

/// "FIRST to LAST (COUNT), released": numbers that an issuance has no more.
std::string to_text(gone_numbers const& gone);

/// The failure that a refusal becomes: its detail, what is gone, then the way out, each on a line
/// of its own.
command_failed to_failure(refusal const& why);

/// A command line that cannot be taken.
command_failed usage_error(std::string const& text);

/// The value, or the command ends with what the refusal says.
template <class T>
T value_of(result<T> outcome)
{
    if (outcome.has_error())
        throw to_failure(outcome.error());
    return std::move(*outcome);
}

}  // namespace gapless::cli
