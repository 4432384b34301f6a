#include "app/cli/argument.hpp"
#include "app/cli/command_line.hpp"
#include "app/cli/epoch_standing.hpp"
#include "app/cli/json.hpp"
#include "store/epoch_store.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct epoch_options
{
    noted_outside noted;
    std::string reason;
    std::string epoch;
    std::string skip{"0"};
    bool without_proof{};
};

constexpr std::int64_t skip_max = 1'000'000'000;
constexpr std::size_t reason_characters_max = 200;

constexpr std::array epoch_columns{
    column{.key = "epoch"},
    column{.key = "opened_at"},
    column{.key = "opened_by"},
    column{.key = "reason"},
    column{.key = "fenced"},
    column{.key = "why"},
    column{.key = "system_identifier"},
    column{.key = "timeline"},
    column{.key = "database_id"},
};

constexpr std::array standing_columns{
    column{.key = "series"},
    column{.key = "ordinal", .number = true},
    column{.key = "noted", .number = true},
    column{.key = "missing", .number = true},
};

void check_reason(std::string const& reason)
{
    auto const read = read_reference(reason);
    if (read.has_error() || reason.empty() || reason.size() > reason_characters_max)
        throw usage_error(fmt::format(
            "--reason: {} has to be 1 to {} printable characters",
            to_quoted(reason),
            reason_characters_max
        ));
}

exit_code show(session& session, epoch_options const& wants)
{
    auto const look = [&] {
        return value_of(session.read([](pqxx::transaction_base& transaction) {
            return read_epoch(transaction);
        }));
    };
    auto const found = look();
    auto const& life = found.life;
    auto shown = json{
        {"epoch", std::to_string(life.epoch)},
        {"opened_at", found.opened_at},
        {"opened_by", found.opened_by},
        {"reason", found.reason},
        {"fenced", !life.trouble.empty()},
        {"why", life.trouble.empty() ? json{} : json{life.trouble}},
        {"system_identifier", std::to_string(life.system_identifier)},
        {"timeline", life.timeline},
        {"database_id", life.database_id}};
    auto rows = json::array();
    for (auto const& one : compare(wants.noted, look))
        rows.push_back(
            {{"series", one.series},
             {"ordinal", std::to_string(one.here.ordinal)},
             {"noted", one.noted.ordinal > 0 ? json{std::to_string(one.noted.ordinal)} : json{}},
             {"missing", std::to_string(one.behind())}}
        );
    if (session.options().output == output_format::table)
    {
        session.print(shown, epoch_columns);
        session.print_text("\n");
        session.print_list(rows, standing_columns);
    }
    else
    {
        shown["series"] = rows;
        session.print(shown, epoch_columns);
    }
    if (!life.trouble.empty())
        session.say("no number leaves; OPERATIONS.md, 'After a restore', says how to go on");
    return life.trouble.empty() ? exit_code::ok : exit_code::findings;
}

exit_code reconcile(session& session, epoch_options const& wants)
{
    check_reason(wants.reason);
    if (wants.noted.journals.empty() && wants.noted.anchors.empty())
        throw usage_error("--journal: name the folders of all instances' journals, or what there "
                          "is of --anchors");
    auto const work = [&](pqxx::transaction_base& transaction) -> result<std::int64_t> {
        std::int64_t sum = 0;
        for (auto const& one : compare(wants.noted, [&] { return read_epoch(transaction); }))
        {
            if (one.behind() > 0 && one.here.series_id == 0)
                return refusal{
                    refusal_kind::unknown_series,
                    fmt::format(
                        "series '{}' was created after the backup: create it again, and load its "
                        "blocks, in the same order",
                        one.series
                    )};
            if (one.behind() > 0)
                sum += fill_series(
                    transaction,
                    {one.here.series_id, one.noted.ordinal, 0},
                    false,
                    wants.reason,
                    session.actor()
                );
        }
        return sum;
    };
    auto const filled = value_of(session.change(work));
    session.say(fmt::format(
        "{} numbers that had left were recorded again, for the owner 'recovered'{}; next: gapless "
        "epoch open",
        filled,
        session.options().dry_run ? " (dry run: nothing was changed)" : ""
    ));
    return exit_code::ok;
}

/// The numbers a series may have issued unnoticed leave here, and never again.
std::int64_t skip_ahead(
    session& session,
    pqxx::transaction_base& transaction,
    std::vector<standing> const& all,
    std::int64_t skip,
    std::string const& reason
)
{
    std::int64_t sum = 0;
    for (auto const& one : all)
        sum += fill_series(
            transaction,
            {one.here.series_id, std::max(one.here.ordinal, one.noted.ordinal) + skip, 0},
            true,
            reason,
            session.actor()
        );
    return sum;
}

/// What opening an epoch takes, once its words are read.
struct opening
{
    std::int32_t epoch{};
    std::int64_t skip{};
    std::string proof;  // JSON; the same words give the same proof
    bool proven{};      // by journals
};

opening read_opening(epoch_options const& wants)
{
    check_reason(wants.reason);
    auto const epoch = read_integer(wants.epoch, 1, std::numeric_limits<std::int32_t>::max());
    if (epoch.has_error())
        throw usage_error("--confirm-epoch: " + epoch.error().detail);
    auto const skip = read_integer(wants.skip, 0, skip_max);
    if (skip.has_error())
        throw usage_error("--skip: " + skip.error().detail);
    if (wants.noted.journals.empty() && *skip == 0 && !wants.without_proof)
        throw usage_error("name the journals that prove that nothing is missing (--journal), or "
                          "how many numbers to skip (--skip), or say --without-proof");
    auto const proof = json{
        {"journals", wants.noted.journals},
        {"anchors", wants.noted.anchors},
        {"skip", *skip},
        {"without_proof", wants.without_proof}};
    return {static_cast<std::int32_t>(*epoch), *skip, proof.dump(), !wants.noted.journals.empty()};
}

result<std::int64_t> open_next(
    session& session,
    pqxx::transaction_base& transaction,
    epoch_options const& wants,
    opening const& asked
)
{
    auto const all = compare(wants.noted, [&] { return read_epoch(transaction); });
    for (auto const& one : all)
        if (one.behind() > 0)
            return refusal{
                refusal_kind::state_conflict,
                fmt::format(
                    "series '{}' lacks {} numbers that left\n  first: gapless epoch reconcile",
                    one.series,
                    one.behind()
                )};
    std::int64_t sum = 0;
    if (asked.skip > 0)
        sum = skip_ahead(session, transaction, all, asked.skip, wants.reason);
    open_epoch(transaction, asked.epoch, wants.reason, asked.proof, session.actor());
    return sum;
}

exit_code open(session& session, epoch_options const& wants)
{
    auto const asked = read_opening(wants);
    session.confirm(fmt::format("Open epoch {}? Numbers will leave again.", asked.epoch));
    std::string first;  // who else wants it, where it takes two
    auto const skipped = value_of(session.change(
        [&](pqxx::transaction_base& transaction) -> result<std::optional<std::int64_t>> {
            if (!asked.proven)
            {
                auto const other = propose_epoch(
                    transaction, asked.epoch, wants.reason, asked.proof, session.actor()
                );
                if (!other)
                    return std::optional<std::int64_t>{};
                first = *other;
            }
            auto const sum = open_next(session, transaction, wants, asked);
            if (sum.has_error())
                return sum.error();
            return std::optional{*sum};
        }
    ));
    auto const rehearsed = session.options().dry_run ? " (dry run: nothing was changed)" : "";
    if (!skipped)
    {
        session.say(fmt::format(
            "epoch {} is proposed, not open{}\n  without journals it takes two: another "
            "administrator, with another database role, gives the same command within a day",
            asked.epoch,
            rehearsed
        ));
        return session.options().dry_run ? exit_code::ok : exit_code::not_allowed;
    }
    session.say(fmt::format(
        "epoch {} is open{}; {} numbers are quarantined, they never leave{}",
        asked.epoch,
        first.empty() ? "" : ", as proposed by " + first,
        *skipped,
        rehearsed
    ));
    return exit_code::ok;
}

void declare_journals(CLI::App& app, epoch_options& wants)
{
    app.add_option(
           "--journal",
           wants.noted.journals,
           "Folder of gaplessd's journals; one for each host, repeated"
    )
        ->type_name("FOLDER");
    app.add_option("--anchors", wants.noted.anchors, "What 'gapless anchor' wrote; repeated")
        ->type_name("FILE");
}

void declare_reconcile(CLI::App& app, epoch_options& wants)
{
    declare_journals(app, wants);
    app.add_option("--reason", wants.reason, "What happened; stays in the records")
        ->type_name("TEXT")
        ->required();
}

void declare_open(CLI::App& app, epoch_options& wants)
{
    declare_reconcile(app, wants);
    app.add_option(
           "--confirm-epoch",
           wants.epoch,
           "The number of the epoch that begins: the present one plus 1"
    )
        ->type_name("N")
        ->required();
    app.add_option(
           "--skip",
           wants.skip,
           "Numbers of each series that may have left unnoticed: they are voided"
    )
        ->type_name("N");
    app.add_flag(
        "--without-proof", wants.without_proof, "Nothing proves that no number is missing"
    );
}

}  // namespace

void add_epoch_commands(command_line& line)
{
    auto& noun = line.add_noun("epoch", "The lives of the database, after a restore or failover");
    line.add_verb<epoch_options>(
        noun, "show", "Show the epoch, and whether numbers may leave", declare_journals, show
    );
    line.add_verb<epoch_options>(
        noun,
        "reconcile",
        "Record numbers again that left after the backup was taken",
        declare_reconcile,
        reconcile
    );
    line.add_verb<epoch_options>(noun, "open", "Let numbers leave again", declare_open, open);
}

}  // namespace gapless::cli
