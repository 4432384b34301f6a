#include "cli/command_line.hpp"

#include "cli/failure.hpp"
#include "cli/help_formatter.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <fmt/format.h>
#include <sstream>

namespace gapless::cli {

namespace {

constexpr auto program_description =
    "Issues parcel label numbers from the blocks that carriers assign, without gaps and doubles.\n"
    "Works on the database directly, also while the service is down.";

constexpr auto program_footer =
    R"(Data goes to standard output, messages to standard error. Questions are asked only when
standard input and standard error are terminals; without them commands go ahead.

Exit codes: 0 ok, 1 failure, 2 usage, 3 not found, 4 not allowed, 5 conflict, 6 findings,
7 database unreachable, 130 interrupted.)";

constexpr auto global_hint = "Global options (--database-url, -o, --excel, --yes, -n, --no-color) "
                             "may stand anywhere: gapless --help";

/// Help without CLI11's decoration of options.
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
        // CLI11 adds the name of the value's check after a colon; descriptions say it in words.
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

/// Supports -o=json, as kubectl does; CLI11 accepts the sign after long names only.
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

constexpr std::array<std::string_view, 3> output_formats{"table", "json", "csv"};
constexpr std::array<std::string_view, 2> excel_languages{"de", "en"};

CLI::Option& add_to(CLI::App& app, parameter const& wanted)
{
    return *std::visit(
        [&](auto* into) {
            std::string name{wanted.name};
            std::string help{wanted.help};
            if constexpr (std::is_same_v<decltype(into), bool*>)
                return app.add_flag(std::move(name), *into, std::move(help))
                    ->disable_flag_override();
            else
                return app.add_option(std::move(name), *into, std::move(help));
        },
        wanted.into
    );
}

void declare(CLI::App& app, parameter const& wanted)
{
    auto& option = add_to(app, wanted);
    option.required(wanted.required);
    if (!wanted.value.empty())
        option.type_name(std::string{wanted.value});
    if (!wanted.environment.empty())
        option.envname(std::string{wanted.environment});
    if (option.get_type_size() > 0)
        // An unset variable of a shell; ignoring it could lift a limit unnoticed.
        option.check([needed = wanted.required](std::string const& text) -> std::string {
            if (!text.empty())
                return {};
            return needed ? "the value is empty" : "the value is empty; leave it out instead";
        });
    if (!wanted.choices.empty())
        option.check(CLI::IsMember{
            std::vector<std::string>{wanted.choices.begin(), wanted.choices.end()}});
    if (wanted.values_max == 1)
        option.allow_extra_args(false);
    else if (wanted.values_max > 1)
        option.expected(1, wanted.values_max);
}

void declare(CLI::App& program, noun const& about, action& chosen)
{
    auto& app = *program.add_subcommand(std::string{about.name}, std::string{about.summary});
    app.group("Commands");
    for (auto const& each : about.verbs)
    {
        auto& own = each.name.empty()
                        ? app
                        : *app.add_subcommand(std::string{each.name}, std::string{each.summary})
                               ->group("Commands");
        app.require_subcommand(each.name.empty() ? 0 : 1);
        for (auto const& wanted : each.takes)
            declare(own, wanted);
        if (!each.footer.empty())
            own.footer(std::string{each.footer});
        own.callback([&] { chosen = each.run; });
    }
}

void declare_globals(CLI::App& program, global_words& said)
{
    program.formatter(std::make_shared<plain_formatter>());
    program.fallthrough();
    program.require_subcommand(1);
    program.set_help_flag("-h,--help", "Show this help");
    program.set_version_flag("--version", "gapless " GAPLESS_VERSION, "Show the version");
    for (auto const& wanted : global_parameters(said))
        declare(program, wanted);
    program.get_option("--output")->transform(without_equals_sign);
}

global_options to_options(global_words const& said)
{
    global_options options;
    options.database_url = said.database_url;
    options.output = format_named(said.output);
    options.yes = said.yes;
    options.dry_run = said.dry_run;
    options.no_color = said.no_color;
    if (said.excel.empty())
        return options;
    options.csv.excel = said.excel == "de" ? excel_language::de : excel_language::en;
    if (!said.output.empty() && options.output != output_format::csv)
        throw CLI::ValidationError{"--excel", "Excel reads CSV: leave -o out, or give -o csv"};
    options.output = output_format::csv;
    return options;
}

/// The command chosen so far: "gapless block load".
std::string path_of(CLI::App const& root)
{
    std::string path = root.get_name();
    auto const* app = &root;
    while (!app->get_subcommands().empty())
    {
        app = app->get_subcommands().back();
        path += ' ' + app->get_name();
    }
    return path;
}

/// True if a noun was given without its verb.
bool needs_command(CLI::App& root)
{
    auto* app = &root;
    while (!app->get_subcommands().empty())
        app = app->get_subcommands().back();
    return !app->get_subcommands(nullptr).empty();
}

/// A word that belongs to nothing, or "". CLI11 would complain of missing words first.
std::string first_unknown_word(CLI::App const& root)
{
    auto const words = root.remaining(true);
    return words.empty() ? std::string{} : words.front();
}

/// Help or the version, which CLI11 reports by an exception as well.
action to_answer(CLI::App const& program, CLI::ParseError const& asked)
{
    std::ostringstream text;
    program.exit(asked, text, text);
    return [text = text.str()](command_context& context) {
        context.print_part(text);
        return exit_code::ok;
    };
}

command_failed to_usage_error(CLI::App& program, CLI::ParseError const& error)
{
    std::string text{error.what()};
    if (auto const unknown = first_unknown_word(program); !unknown.empty())
        text = fmt::format(
            "unknown {} '{}'",
            unknown.starts_with('-') ? "option"
            : needs_command(program) ? "command"
                                     : "argument",
            unknown
        );
    else if (error.get_name() == "RequiredError" && needs_command(program))
        text = "a command is missing";
    else if (auto const colon = text.find(": 1 required "); colon != std::string::npos)
        text = fmt::format("{} needs a value", text.substr(0, colon));
    else if (auto const end = text.find(" was given a disallowed"); end != std::string::npos)
        text = fmt::format("--{} takes no value", text.substr(0, end));
    return usage_error(fmt::format("{}\n  what it takes: {} --help", text, path_of(program)));
}

}  // namespace

parameters global_parameters(global_words& into)
{
    return {
        {.name = "--database-url",
         .into = &into.database_url,
         .help = "postgresql:// URL; else GAPLESS_DATABASE_URL, else libpq's PG* variables",
         .value = "URL",
         .environment = "GAPLESS_DATABASE_URL"},
        {.name = "-o,--output",
         .into = &into.output,
         .help = "Format of the answer: table, json or csv",
         .value = "FORMAT",
         .choices = output_formats},
        {.name = "--excel",
         .into = &into.excel,
         .help = "CSV for Excel, de or en: keeps long numbers whole, runs no formula",
         .value = "LANGUAGE",
         .choices = excel_languages},
        {.name = "--yes", .into = &into.yes, .help = "Ask nothing"},
        {.name = "-n,--dry-run", .into = &into.dry_run, .help = "Do everything, then take it back"},
        {.name = "--no-color",
         .into = &into.no_color,
         .help = "No colours; also with NO_COLOR set"},
    };
}

wanted_command read_command_line(
    std::span<noun const> nouns, int count, char const* const* arguments
)
{
    CLI::App program{program_description, "gapless"};
    global_words said;
    wanted_command wanted;
    declare_globals(program, said);
    for (auto const& each : nouns)
        declare(program, each, wanted.run);
    program.footer(program_footer);  // last, because commands inherit it
    try
    {
        program.parse(count, arguments);
        wanted.options = to_options(said);
    }
    catch (CLI::ParseError const& error)
    {
        if (error.get_exit_code() != 0)
            throw to_usage_error(program, error);
        wanted.run = to_answer(program, error);
    }
    return wanted;
}

}  // namespace gapless::cli
