#pragma once

#include "app/cli/exit_code.hpp"
#include "app/cli/session.hpp"

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>

namespace gapless::cli {

/// What a command does once its words are read: prints its answer and returns how it ended.
/// Failures are thrown (command_failed).
using action = std::function<exit_code(session&)>;

/// The words `gapless` understands, and what was said. The nouns add themselves: one add_… function
/// and one file each.
class command_line
{
public:
    command_line();
    command_line(command_line const&) = delete;
    command_line& operator=(command_line const&) = delete;

    /// Adds a noun, whose verbs are to follow, or a command without verbs.
    CLI::App& add_noun(std::string const& name, std::string const& description);

    /// Adds a verb to a noun, or the action of a command without verbs (`verb` empty). `Wants`
    /// holds what its options say; `declare(app, wants)` declares them, `run(session, wants)` is
    /// the action.
    template <class Wants, class Declare, class Run>
    void add_verb(
        CLI::App& noun,
        std::string const& verb,
        std::string const& description,
        Declare declare,
        Run run
    )
    {
        auto const wants = std::make_shared<Wants>();
        auto& app =
            verb.empty() ? noun : *noun.add_subcommand(verb, description)->group("Commands");
        noun.require_subcommand(verb.empty() ? 0 : 1);
        declare(app, *wants);
        app.callback([this, wants, run] {
            chosen_ = [wants, run](session& session) { return run(session, *wants); };
        });
    }

    CLI::App& app() noexcept { return app_; }
    global_options const& options() const noexcept { return options_; }

    /// Reads the arguments. Throws CLI::ParseError, also for --help and --version.
    void parse(int count, char const* const* arguments);

    /// What was asked for; valid after parse().
    action const& chosen() const noexcept { return chosen_; }

private:
    CLI::App app_;
    global_options options_;
    bool output_named_{};
    action chosen_;
};

void add_database_commands(command_line& line);
void add_migrate_commands(command_line& line);
void add_series_commands(command_line& line);
void add_block_commands(command_line& line);
void add_carrier_commands(command_line& line);
void add_proposal_commands(command_line& line);
void add_issue_command(command_line& line);
void add_lease_commands(command_line& line);
void add_verify_command(command_line& line);
void add_token_commands(command_line& line);
void add_webhook_commands(command_line& line);
void add_epoch_commands(command_line& line);
void add_completion_command(command_line& line);

/// All of the above.
void add_commands(command_line& line);

}  // namespace gapless::cli
