#pragma once

#include "cli/command_context.hpp"
#include "cli/verb.hpp"

#include <span>
#include <string>

namespace gapless::cli {

/// What was said of the options that every command takes.
struct global_words
{
    std::string database_url;
    std::string output;
    std::string excel;  // its language; empty: not for Excel
    bool yes{};
    bool dry_run{};
    bool no_color{};
};

/// The options that every command takes, in any place of the command line.
parameters global_parameters(global_words& into);

/// What the arguments ask for.
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
