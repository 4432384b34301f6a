#pragma once

#include "cli/command_context.hpp"
#include "cli/verb.hpp"

#include <span>
#include <string>

namespace gapless::cli {

/// The values of the options that every command accepts.
struct global_words
{
    std::string database_url;
    std::string output;
    std::string excel;  // language of Excel; empty: not for Excel
    bool yes{};
    bool dry_run{};
    bool no_color{};
};

/// The options that every command accepts, anywhere on the command line.
parameters global_parameters(global_words& into);

/// The command that the arguments ask for.
struct wanted_command
{
    action run;
    global_options options;
};

/// Reads the arguments. --help and --version are commands, too. Throws command_failed (usage).
wanted_command read_command_line(
    std::span<noun const> nouns, int count, char const* const* arguments
);

}  // namespace gapless::cli
