#pragma once

#include "base/refusal.hpp"
#include "cli/failure.hpp"
#include "cli/interrupts.hpp"
#include "cli/output.hpp"
#include "record/pqxx_fwd.hpp"
#include "record/refused.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

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
class command_context
{
public:
    command_context(global_options options, interrupts& signals);
    ~command_context();

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
    /// result<T>, or throws refused. Blocks. Throws command_failed when interrupted and when the
    /// database is not migrated.
    template <class Work>
    auto read(Work work)
    {
        return run(transaction_kind::read, work);
    }

    /// Runs `work` in a serializable transaction, like run_write, and commits it, or
    /// rolls it back in a dry run: the answer is then what would have been. `work` may run more
    /// than once. Blocks and throws like read().
    template <class Work>
    auto change(Work work)
    {
        return run(transaction_kind::change, work);
    }

    /// The same for issuing, which waits for no other write (run_serializable).
    template <class Work>
    auto issue(Work work)
    {
        return run(transaction_kind::issue, work);
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
        return run(transaction_kind::seal, work);
    }

    /// One line on stderr, for the person.
    void say(std::string_view text) const;

    /// Says in a dry run that nothing was changed.
    void say_dry_run() const;

    /// Asks on the terminal and ends the command unless the answer is yes. Not asked, and taken for
    /// yes: with --yes, in a dry run, and when stdin or stderr is no terminal, so that scripts work
    /// as they stand. `otherwise`: how the command ends.
    void confirm(std::string const& question, exit_code otherwise = exit_code::failure) const;

    /// True when confirm() would ask.
    bool asks() const noexcept;

    /// Prints a single thing on stdout, in the requested format.
    void print(nlohmann::ordered_json const& object, std::span<column const> columns) const;

    /// Prints a list on stdout, in the requested format.
    void print_list(nlohmann::ordered_json const& rows, std::span<column const> columns) const;

    /// A page of a table on stdout, the first one under its titles.
    void print_page(nlohmann::ordered_json const& rows, std::span<column const> columns, bool first)
        const;

    /// Text on stdout as it is. Throws output_failed.
    void print_text(std::string_view text) const;

private:
    enum class transaction_kind
    {
        read = 1,  // one read-only snapshot
        change,    // run_write; rolled back in a dry run
        issue,     // run_serializable; the same
        seal,      // READ COMMITTED, also in a dry run
    };

    /// Returns why what was done is rolled back, if it is.
    using transaction_work = std::function<std::optional<refusal>(pqxx::transaction_base&)>;

    /// None: the work has ended as it says itself.
    std::optional<refusal> run_work(transaction_kind kind, transaction_work const& work);

    template <class Work>
    auto run(transaction_kind kind, Work& work)
    {
        using returned = std::invoke_result_t<Work&, pqxx::transaction_base&>;
        constexpr bool may_refuse = requires(returned r)
        {
            r.has_error();
        };
        using outcome = std::conditional_t<may_refuse, returned, result<returned>>;

        std::optional<outcome> kept;
        auto why = run_work(kind, [&](pqxx::transaction_base& transaction) {
            try
            {
                kept.emplace(work(transaction));
            }
            catch (refused const& no)
            {
                kept.emplace(no.why);
            }
            return kept->has_error() ? std::optional{kept->error()} : std::nullopt;
        });
        return why ? outcome{std::move(*why)} : std::move(*kept);
    }

    /// Throws for what no command can answer by itself: an interruption.
    void stop_on_trouble(refusal const& why);

    bool color() const noexcept;

    global_options options_;
    interrupts& signals_;
    std::string actor_;
    std::unique_ptr<pqxx::connection> connection_;
};

}  // namespace gapless::cli
