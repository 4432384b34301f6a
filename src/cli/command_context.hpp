#pragma once

#include "base/refusal.hpp"
#include "cli/failure.hpp"
#include "cli/interrupts.hpp"
#include "cli/output.hpp"
#include "postgres/transaction.hpp"
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

/// The options that every command accepts, anywhere on the command line.
struct global_options
{
    std::string database_url;  // empty: libpq's own PG* variables
    output_format output{output_format::table};
    bool yes{};
    bool dry_run{};
    bool no_color{};
    csv_style csv{};  // for the output csv
};

/// What a command works with: the database, the two outputs, the person at the terminal. Used by
/// one thread.
class command_context
{
public:
    command_context(global_options options, interrupts& signals);
    ~command_context();

    global_options const& options() const noexcept { return options_; }
    interrupts& signals() noexcept { return signals_; }

    /// The actor for the audit log: "cli:" and the name of the system's user.
    std::string const& actor() const noexcept { return actor_; }

    /// The connection, opened on first use, to a database whose schema serves this program. Blocks.
    /// Throws command_failed (unreachable, or failure if the schema does not).
    pqxx::connection& connection();

    /// The same with any schema. Throws command_failed (unreachable).
    pqxx::connection& any_connection();

    /// Replaces a lost connection. Blocks and throws like connection().
    void reconnect();

    /// Runs `work` on one read-only snapshot; it takes pqxx::transaction_base& and returns T or
    /// result<T>, or throws refused. Blocks. Throws command_failed if it is interrupted or the
    /// database is not migrated.
    template <class Work>
    auto read(Work work)
    {
        return run(transaction_kind::read, work);
    }

    /// Runs `work` in a serializable transaction, like run_write, and commits it, or rolls it back
    /// in a dry run: the answer then shows what would have been. `work` may run more than once.
    /// Blocks and throws like read().
    template <class Work>
    auto change(Work work)
    {
        return run(transaction_kind::change, work);
    }

    /// The same at READ COMMITTED, for work whose SQL takes the locks that make it correct there:
    /// it holds up nobody else, however long it takes.
    template <class Work>
    auto change_locked(Work work)
    {
        return run(transaction_kind::locked, work);
    }

    /// The same for issuing, which takes no turns with other writes (run_serializable).
    template <class Work>
    auto issue(Work work)
    {
        return run(transaction_kind::issue, work);
    }

    /// The answer of a use case that reads; its refusal ends the command. Blocks and throws like
    /// read().
    template <class Case>
    typename Case::answer ask(Case const& wanted)
    {
        return value_of(read([&](pqxx::transaction_base& transaction) {
            return wanted.run(transaction);
        }));
    }

    /// The answer of a use case that changes something, with actor() as the actor; its refusal ends
    /// the command. Blocks and throws like change().
    template <class Act>
    typename Act::answer act(Act const& wanted)
    {
        auto const work = [&](pqxx::transaction_base& transaction) {
            return wanted.run(transaction, actor_);
        };
        if constexpr (requires { wanted.policy(); })
            if (wanted.policy().sees == isolation::read_committed)
                return value_of(change_locked(work));
        return value_of(change(work));
    }

    /// Runs `work` in its own READ COMMITTED transaction and commits it; for sealing records, which
    /// a dry run cannot take back. Blocks and throws like read().
    template <class Work>
    auto seal(Work work)
    {
        return run(transaction_kind::seal, work);
    }

    /// Prints one line on stderr, for the person.
    void say(std::string_view text) const;

    /// Says that nothing was changed, in a dry run.
    void say_dry_run() const;

    /// Asks on the terminal and ends the command unless the answer is yes. Does not ask, and
    /// assumes yes, with --yes, in a dry run, and if stdin or stderr is not a terminal, so that
    /// scripts work unchanged. `otherwise`: the exit code when declined.
    void confirm(std::string const& question, exit_code otherwise = exit_code::failure) const;

    /// True if confirm() would ask.
    bool asks() const noexcept;

    /// Prints a single thing on stdout, in the requested format. Throws output_failed.
    void print(nlohmann::ordered_json const& object, std::span<column const> columns) const;

    /// Prints a list on stdout, in the requested format, as print_part().
    void print_list(nlohmann::ordered_json const& rows, std::span<column const> columns) const;

    /// Prints a page of a table on stdout, the first one with a header, as print_part().
    bool print_page(nlohmann::ordered_json const& rows, std::span<column const> columns, bool first)
        const;

    /// Prints text on stdout unchanged. Throws output_failed, also if the reader has gone.
    void print_text(std::string_view text) const;

    /// The same for a text of which a reader may want only the beginning. False: it has gone.
    bool print_part(std::string_view text) const;

private:
    enum class transaction_kind
    {
        read = 1,  // one read-only snapshot
        change,    // run_write; rolled back in a dry run
        locked,    // READ COMMITTED; the same
        issue,     // run_serializable; the same
        seal,      // READ COMMITTED, also in a dry run
    };

    /// Returns the reason for a rollback, if any.
    using transaction_work = std::function<std::optional<refusal>(pqxx::transaction_base&)>;

    /// Nullopt: the work ended as it reported itself.
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

    /// Throws for trouble that no command can handle: an interruption.
    void stop_on_trouble(refusal const& why);

    bool color() const noexcept;

    global_options options_;
    interrupts& signals_;
    std::string actor_;
    std::unique_ptr<pqxx::connection> connection_;
};

}  // namespace gapless::cli
