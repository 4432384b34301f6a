#pragma once

#include "app/cli/failure.hpp"
#include "app/cli/interrupts.hpp"
#include "app/cli/output.hpp"
#include "store/transaction.hpp"

#include <nlohmann/json.hpp>
#include <pqxx/pqxx>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gapless::cli {

/// The options that every command takes, in any place of the command line.
struct global_options
{
    std::string database_url;  // empty: libpq's own PG* variables
    output_format output{output_format::table};
    bool yes{};
    bool dry_run{};
    bool no_color{};
    csv_style csv{};  // of the output csv
};

/// What a command works with: the database, the two outputs, the person in front of it. For one
/// thread.
class session
{
public:
    session(global_options options, interrupts& signals);

    global_options const& options() const noexcept { return options_; }
    interrupts& signals() noexcept { return signals_; }

    /// Who acts, for the audit log: "cli:" and the name of the system's user.
    std::string const& actor() const noexcept { return actor_; }

    /// The connection, opened on first use, to a database whose schema serves this program. Blocks.
    /// Throws command_failed (unreachable, or failure where the schema does not).
    pqxx::connection& connection();

    /// The same, whatever the schema. Throws command_failed (unreachable).
    pqxx::connection& any_connection();

    /// A fresh connection in place of one that was lost. Blocks and throws like connection().
    void reconnect();

    /// Runs `work` on one read-only snapshot; it takes pqxx::transaction_base& and returns T or
    /// result<T>. Blocks. Throws command_failed when interrupted and when the database is not
    /// migrated.
    template <class Work>
    auto read(Work work)
    {
        auto& database = connection();
        auto outcome = [&] {
            interrupts::watched const watched{signals_, database};
            return run_read(database, std::move(work));
        }();
        if (outcome.has_error())
            stop_on_trouble(outcome.error());
        return outcome;
    }

    /// Runs `work` in a serializable transaction and commits it, or rolls it back in a dry run: the
    /// answer is then what would have been. `work` may run more than once. Blocks and throws like
    /// read().
    template <class Work>
    auto change(Work work)
    {
        auto& database = connection();
        using outcome_type = decltype(run_serializable(database, {}, work));
        std::optional<outcome_type> tried;
        auto outcome = [&]() -> outcome_type {
            interrupts::watched const watched{signals_, database};
            if (!options_.dry_run)
                return run_serializable(database, {}, std::move(work));
            auto const try_it = [&](pqxx::transaction_base& transaction) -> outcome_type {
                tried.emplace(work(transaction));
                return refusal{refusal_kind::state_conflict, "this was a dry run"};
            };
            auto refused = run_serializable(database, {}, try_it);
            return tried ? std::move(*tried) : std::move(refused);
        }();
        if (outcome.has_error())
            stop_on_trouble(outcome.error());
        else if (!options_.dry_run)
            signals_.changes_are_kept();
        return outcome;
    }

    /// The answer of a use case that reads; ends the command with what it refuses. Blocks and
    /// throws like read().
    template <class Case>
    typename Case::answer ask(Case const& wanted)
    {
        return value_of(read([&](pqxx::transaction_base& transaction) {
            return wanted.run(transaction);
        }));
    }

    /// The answer of a use case that changes something, done by the person in front of it; ends the
    /// command with what it refuses. Blocks and throws like change().
    template <class Act>
    typename Act::answer act(Act const& wanted)
    {
        return value_of(change([&](pqxx::transaction_base& transaction) {
            return wanted.run(transaction, actor_);
        }));
    }

    /// Runs `work` in a READ COMMITTED transaction of its own and commits it; for sealing records,
    /// which is no change that a dry run could take back. Blocks and throws like read().
    template <class Work>
    auto seal(Work work)
    {
        auto& database = connection();
        auto outcome = [&] {
            interrupts::watched const watched{signals_, database};
            return run_read_committed(database, std::move(work));
        }();
        if (outcome.has_error())
            stop_on_trouble(outcome.error());
        return outcome;
    }

    /// One line on stderr, for the person.
    void say(std::string_view text) const;

    /// Asks on the terminal and ends the command unless the answer is yes. Not asked, and taken for
    /// yes: with --yes, in a dry run, and when stdin or stderr is no terminal, so that scripts work
    /// as they stand. `otherwise`: how the command ends.
    void confirm(std::string const& question, exit_code otherwise = exit_code::failure) const;

    /// True when confirm() would ask.
    bool asks() const noexcept;

    /// A single thing on stdout, in the format asked for.
    void print(nlohmann::ordered_json const& object, std::span<column const> columns) const;

    /// A list on stdout, in the format asked for.
    void print_list(nlohmann::ordered_json const& rows, std::span<column const> columns) const;

    /// A page of a table on stdout, the first one under its titles.
    void print_page(nlohmann::ordered_json const& rows, std::span<column const> columns, bool first)
        const;

    /// Text on stdout as it is. Throws output_failed.
    void print_text(std::string_view text) const;

private:
    /// Throws for what no command can answer by itself: an interruption.
    void stop_on_trouble(refusal const& why);

    bool color() const noexcept;

    global_options options_;
    interrupts& signals_;
    std::string actor_;
    std::unique_ptr<pqxx::connection> connection_;
};

}  // namespace gapless::cli
