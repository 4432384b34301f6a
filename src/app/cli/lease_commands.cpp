#include "app/cli/argument.hpp"
#include "app/cli/command_line.hpp"
#include "app/cli/json.hpp"
#include "app/cli/lease_drill.hpp"
#include "app/cli/lease_recovery.hpp"
#include "app/cli/lease_telling.hpp"
#include "cases/leases.hpp"
#include "domain/moment.hpp"

#include <array>
#include <fmt/format.h>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct lease_options
{
    std::string lease;
    std::string series;
    std::string reason;
    std::string seconds{"60"};
    std::vector<std::string> files;
    bool all{};
};

constexpr std::array lease_columns{
    column{.key = "lease"},
    column{.key = "series"},
    column{.key = "instance", .in_table = false},
    column{.key = "host"},
    column{.key = "status"},
    column{.key = "contact"},
    column{.key = "granted_at", .in_table = false},
    column{.key = "draw_until"},
    column{.key = "first", .number = true, .in_table = false},
    column{.key = "last", .number = true, .in_table = false},
    column{.key = "count", .number = true},
    column{.key = "held", .number = true},
    column{.key = "settled", .number = true},
    column{.key = "returned", .number = true, .in_table = false},
    column{.key = "written_off", .number = true, .in_table = false},
    column{.key = "overdue"},
};

lease_id read_id(std::string const& text)
{
    auto const id = read_lease_id(text);
    if (!id)
        throw usage_error(fmt::format(
            "LEASE: {} is no id of a lease; 'gapless lease list' shows the ids", to_quoted(text)
        ));
    return *id;
}

std::optional<std::string> optional_text(std::string const& text)
{
    return text.empty() ? std::nullopt : std::optional{text};
}

void print_list(session const& session, std::vector<listed_lease> const& leases)
{
    auto rows = json::array();
    for (auto const& lease : leases)
        rows.push_back(to_json(lease));
    session.print_list(rows, lease_columns);
}

void say_dry_run(session const& session)
{
    if (session.options().dry_run)
        session.say("dry run: nothing was changed");
}

exit_code list(session& session, lease_options const& wants)
{
    auto leases = session.ask(cases::list_leases{{.series = optional_text(wants.series)}});
    // Those that are at their end are history.
    if (!wants.all)
        std::erase_if(leases, [](listed_lease const& lease) { return lease.held == 0; });
    print_list(session, leases);
    return exit_code::ok;
}

exit_code show(session& session, lease_options const& wants)
{
    session.print(to_json(session.ask(cases::read_lease{read_id(wants.lease)})), lease_columns);
    return exit_code::ok;
}

exit_code recall(session& session, lease_options const& wants)
{
    if (wants.lease.empty() != wants.all)
        throw usage_error("say what is wanted back: either LEASE or --all");
    if (!wants.all && !wants.series.empty())
        throw usage_error("--series goes with --all");
    std::vector<listed_lease> leases;
    if (wants.all)
        leases = session.act(cases::recall_leases{optional_text(wants.series)});
    else
        leases.push_back(session.act(cases::recall_lease{read_id(wants.lease)}));
    print_list(session, leases);
    say_on_lease(session, leases);
    if (std::ranges::any_of(leases, [](listed_lease const& lease) { return lease.held > 0; }))
        session.say("an instance settles and returns them as soon as it hears of it: within "
                    "seconds, or once it reaches the database again");
    say_dry_run(session);
    return exit_code::ok;
}

exit_code write_off(session& session, lease_options const& wants)
{
    auto const id = read_id(wants.lease);
    if (wants.reason.find_first_not_of(" \t\r\n") == std::string::npos)
        throw usage_error("--reason: writing off a lease needs a reason, it stays in the records");
    if (auto const reason = read_reference(wants.reason); reason.has_error())
        throw usage_error("--reason: " + reason.error().detail);
    if (session.asks())
    {
        auto const lease = session.ask(cases::read_lease{id});
        session.confirm(fmt::format(
            "Write off {} numbers of {} at {}, last heard of at {}? They are never issued again, "
            "unless it comes back and settles them.",
            lease.held,
            lease.series,
            lease.host,
            to_rfc3339(lease.contact)
        ));
    }
    auto const done = session.act(cases::write_off_lease{id, wants.reason});
    session.print(to_json(done.lease), lease_columns);
    session.say(fmt::format("{} numbers were voided", done.voided));
    say_dry_run(session);
    return exit_code::ok;
}

exit_code drill(session& session, lease_options const& wants)
{
    auto const seconds = read_integer(wants.seconds, 1, drill_seconds_max);
    if (seconds.has_error())
        throw usage_error("--seconds: " + seconds.error().detail);
    return run_drill(session, wants.series, std::chrono::seconds{*seconds});
}

void declare_lease(CLI::App& app, lease_options& wants)
{
    app.add_option("LEASE", wants.lease, "Id of the lease")->required();
}

void declare_recall(CLI::App& app, lease_options& wants)
{
    app.add_option("LEASE", wants.lease, "Id of the lease");
    app.add_flag("--all", wants.all, "Every lease that is open");
    app.add_option("--series", wants.series, "With --all: of this series only")
        ->type_name("SERIES");
}

void declare_write_off(CLI::App& app, lease_options& wants)
{
    declare_lease(app, wants);
    app.add_option("--reason", wants.reason, "Why; stays in the records")
        ->required()
        ->type_name("TEXT");
}

void declare_drill(CLI::App& app, lease_options& wants)
{
    app.add_option("SERIES", wants.series, "Name of the series")->required();
    app.add_option("--seconds", wants.seconds, "How long; default: 60")->type_name("N");
}

}  // namespace

void add_lease_commands(command_line& line)
{
    auto& noun =
        line.add_noun("lease", "Numbers that instances may issue while the database is away");
    auto const declare_list = [](CLI::App& app, lease_options& wants) {
        app.add_option("SERIES", wants.series, "Name of the series; default: all");
        app.add_flag("--all", wants.all, "Also leases that hold no number any more");
    };
    line.add_verb<lease_options>(
        noun, "list", "List leases that hold numbers, the oldest first", declare_list, list
    );
    line.add_verb<lease_options>(noun, "show", "Show one lease", declare_lease, show);
    line.add_verb<lease_options>(
        noun, "recall", "Have instances return their numbers", declare_recall, recall
    );
    line.add_verb<lease_options>(
        noun,
        "write-off",
        "Give up the numbers of an instance that is lost",
        declare_write_off,
        write_off
    );
    auto const declare_files = [](CLI::App& app, lease_options& wants) {
        app.add_option("FILE", wants.files, "Journals of leases, or folders of them")
            ->required()
            ->expected(1, CLI::detail::expected_max_vector_size);
    };
    line.add_verb<lease_options>(
        noun,
        "recover",
        "Settle what an instance issued that cannot do it itself",
        declare_files,
        [](session& session, lease_options const& wants) {
            return recover_leases(session, wants.files);
        }
    );
    line.add_verb<lease_options>(
        noun,
        "drill",
        "Practise an outage: issue from the reserve for a minute",
        declare_drill,
        drill
    );
}

}  // namespace gapless::cli
