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

/// The commands of `gapless` as data: what help, completion and the reading of arguments are made
/// of. command_line.cpp turns it into CLI11, which nobody else includes. Texts are not copied: they
/// have to live as long as the description, as literals do.
namespace gapless::cli {

class command_context;

/// What a command does once its words are read: prints its answer and returns how it ended.
/// Failures are thrown (command_failed).
using action = std::function<exit_code(command_context&)>;

/// Where what was said goes: a text (optional where an empty one is not the same as none), a list,
/// or for a flag whether it was said.
using destination =
    std::variant<std::string*, std::optional<std::string>*, std::vector<std::string>*, bool*>;

/// An argument or an option of a command.
struct parameter
{
    std::string_view name;                        // "SERIES": an argument; "-o,--output": an option
    destination into;                             // set while arguments are read
    std::string_view help;                        // one line
    std::string_view value{};                     // of an option, what help calls its value: "FILE"
    std::string_view environment{};               // the variable that it is taken from, else
    std::span<std::string_view const> choices{};  // what it may be; empty: anything
    bool required{};
    int values_max{};  // of a list, how many follow one name; 0: any number
};

using parameters = std::vector<parameter>;

/// `first`, then `second`: the order of help.
inline parameters join(parameters first, parameters const& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// What can be done with a noun.
struct verb
{
    std::string_view name;  // empty: the noun alone is the command
    std::string_view summary;
    std::string_view footer;  // of its help
    parameters takes;
    action run;
};

/// A verb whose parameters are kept in `Options`, from where `run` reads them. Of functions of one
/// name the compiler takes those for these options.
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

/// The first word of commands: what they are about. Or a command of its own: one verb without name.
struct noun
{
    std::string_view name;
    std::string_view summary;
    std::vector<verb> verbs;
};

}  // namespace gapless::cli
