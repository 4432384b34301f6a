#pragma once

#include "cli/exit_code.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The commands of `gapless` as data, from which help, completion and parsing are made.
/// command_line.cpp turns it into CLI11, which nobody else includes. Texts are not copied: they
/// must live as long as the description, like literals.
namespace gapless::cli {

class command_context;

/// What a command does with its parsed arguments: prints its answer and returns how it ended.
/// Failures are thrown (command_failed).
using action = std::function<exit_code(command_context&)>;

/// Where a value is stored: a text (optional if empty differs from absent), a list, or for a flag
/// whether it was given.
using destination =
    std::variant<std::string*, std::optional<std::string>*, std::vector<std::string>*, bool*>;

/// An argument or an option of a command.
struct parameter
{
    std::string_view name;                        // "SERIES": an argument; "-o,--output": an option
    destination into;                             // set by parsing
    std::string_view help;                        // one line
    std::string_view value{};                     // name of an option's value in help: "FILE"
    std::string_view environment{};               // the variable used if it is not given
    std::span<std::string_view const> choices{};  // allowed values; empty: any
    bool required{};
    int values_max{};  // for a list: values per name; 0: any number
};

using parameters = std::vector<parameter>;

/// `first`, then `second`, which is the order in help.
inline parameters join(parameters first, parameters const& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// An action on a noun.
struct verb
{
    std::string_view name;  // empty: the noun alone is the command
    std::string_view summary;
    std::string_view footer;  // of its help
    parameters takes;
    action run;
};

/// A verb whose parameters are stored in `Options`, from where `run` reads them. Of functions with
/// one name, the compiler chooses those for these options.
template <class Options>
struct verb_of
{
    std::string_view name{};
    std::string_view summary{};
    std::string_view footer{};
    parameters (*takes)(Options& into){};  // null: nothing
    exit_code (*run)(command_context&, Options const&);

    operator verb() const
    {
        auto const options = std::make_shared<Options>();
        return {
            name,
            summary,
            footer,
            takes == nullptr ? parameters{} : takes(*options),
            [options, run = run](command_context& context) { return run(context, *options); }};
    }
};

/// The first word of a command: its subject. Or a command by itself: one verb without a name.
struct noun
{
    std::string_view name;
    std::string_view summary;
    std::vector<verb> verbs;
};

}  // namespace gapless::cli
