#include "app/cli/command_line.hpp"

#include "app/cli/anchor_command.hpp"
#include "app/cli/format_commands.hpp"
#include "app/cli/notice_commands.hpp"
#include "app/cli/number_commands.hpp"
#include "app/cli/reference_command.hpp"
#include "app/help_formatter.hpp"

namespace gapless::cli {

namespace {

constexpr auto description =
    "Issues parcel label numbers from the blocks that carriers assign, without gaps and doubles.\n"
    "Works on the database directly, also while the service is down.";

constexpr auto footer =
    R"(Data goes to standard output, messages to standard error. Questions are asked only when
standard input and standard error are terminals; without them commands go ahead.

Exit codes: 0 ok, 1 failure, 2 usage, 3 not found, 4 not allowed, 5 conflict, 6 findings,
7 database unreachable, 130 interrupted.)";

constexpr auto global_hint = "Global options (--database-url, -o, --excel, --yes, -n, --no-color) "
                             "may stand anywhere: gapless --help";

/// Help without the decoration that CLI11 adds to options.
class plain_formatter : public help_formatter
{
public:
    plain_formatter()
    {
        column_width(34);
        label("Positionals", "Arguments");
        label("SUBCOMMAND", "COMMAND");
    }

    std::string make_option_opts(CLI::Option const* option) const override
    {
        if (option->get_type_size() == 0)
            return {};
        // Behind a colon CLI11 adds what checks the value; descriptions say it in words.
        auto const name = option->get_type_name();
        return option->get_positional() ? "" : " " + name.substr(0, name.find(':'));
    }

    std::string make_option_usage(CLI::Option const* option) const override
    {
        auto const name = option->get_name(true, false);
        return option->get_required() ? name : "[" + name + "]";
    }

    std::string make_footer(CLI::App const* app) const override
    {
        auto const own = app->get_footer();
        std::string const common = app->get_parent() == nullptr ? "" : global_hint;
        return own + (own.empty() || common.empty() ? "" : "\n\n") + common + '\n';
    }
};

/// -o=json as kubectl takes it; CLI11 knows the sign behind long names only.
std::string without_equals_sign(std::string const& text)
{
    return text.starts_with('=') ? text.substr(1) : text;
}

output_format format_named(std::string const& name)
{
    return name == "json"  ? output_format::json
           : name == "csv" ? output_format::csv
                           : output_format::table;
}

}  // namespace

command_line::command_line() : app_{description, "gapless"}
{
    app_.formatter(std::make_shared<plain_formatter>());
    app_.fallthrough();
    app_.require_subcommand(1);
    app_.set_help_flag("-h,--help", "Show this help");
    app_.set_version_flag("--version", "gapless " GAPLESS_VERSION, "Show the version");
    app_.add_option(
            "--database-url",
            options_.database_url,
            "postgresql:// URL; else GAPLESS_DATABASE_URL, else libpq's PG* variables"
    )
        ->envname("GAPLESS_DATABASE_URL")
        ->type_name("URL");
    app_.add_option_function<std::string>(
            "-o,--output",
            [this](std::string const& name) {
                options_.output = format_named(name);
                output_named_ = true;
            },
            "Format of the answer: table, json or csv"
    )
        ->check(CLI::IsMember({"table", "json", "csv"}))
        ->transform(without_equals_sign)
        ->type_name("FORMAT");
    app_.add_flag(
        "--excel",
        options_.csv.excel,
        "CSV that Excel opens as it is: ';', decimal commas, no number rounded"
    );
    app_.add_flag("--yes", options_.yes, "Ask nothing");
    app_.add_flag("-n,--dry-run", options_.dry_run, "Do everything, then take it back");
    app_.add_flag("--no-color", options_.no_color, "No colours; also with NO_COLOR set");
}

CLI::App& command_line::add_noun(std::string const& name, std::string const& about)
{
    return *app_.add_subcommand(name, about)->group("Commands");
}

void command_line::parse(int count, char const* const* arguments)
{
    app_.parse(count, arguments);
    if (!options_.csv.excel)
        return;
    if (output_named_ && options_.output != output_format::csv)
        throw CLI::ValidationError{"--excel", "Excel reads CSV: leave -o out, or give -o csv"};
    options_.output = output_format::csv;
}

void add_commands(command_line& line)
{
    add_issue_command(line);
    add_series_commands(line);
    add_block_commands(line);
    add_carrier_commands(line);
    add_proposal_commands(line);
    add_number_commands(line);
    add_hold_commands(line);
    add_issuance_commands(line);
    add_lease_commands(line);
    add_reference_commands(line);
    add_ledger_commands(line);
    add_manifest_command(line);
    add_reconcile_command(line);
    add_verify_command(line);
    add_anchor_command(line);
    add_format_commands(line);
    add_token_commands(line);
    add_notice_commands(line);
    add_webhook_commands(line);
    add_epoch_commands(line);
    add_database_commands(line);
    add_migrate_commands(line);
    add_completion_command(line);
    line.app().footer(footer);  // last, because commands inherit it
}

}  // namespace gapless::cli
