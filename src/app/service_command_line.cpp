#include "app/service_command_line.hpp"

#include "app/openapi.hpp"
#include "cli/help_formatter.hpp"

#include <algorithm>
#include <iostream>
#include <map>

namespace gapless {

namespace {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

/// The values of the given options, by the setting's name.
struct given_options
{
    std::map<std::string, std::string> texts;
    std::map<std::string, bool> flags;
};

void add_settings(CLI::App& program, std::vector<setting> const& settings, given_options& given)
{
    for (auto const& known : settings)
    {
        auto const help = known.help + " (" + to_environment(known.name) + ")";
        if (known.flag)
            program.add_flag(
                to_option(known.name) + ",!--no" + to_option(known.name).substr(1),
                given.flags[known.name],
                help
            );
        else
            program.add_option(to_option(known.name), given.texts[known.name], help)
                ->type_name("VALUE")
                ->default_str(known.secret ? "" : known.show());
    }
}

void take_options(CLI::App& program, std::vector<setting>& settings, given_options& given)
{
    for (auto& known : settings)
        if (program.count(to_option(known.name)) > 0)
            apply(
                known,
                known.flag ? (given.flags[known.name] ? "true" : "false") : given.texts[known.name],
                setting_source::option
            );
}

}  // namespace

command_line read_command_line(int argc, char** argv, service_config& config)
{
    auto settings = settings_of(config);
    CLI::App program{
        "gaplessd: issues parcel numbers over HTTP, gapless and in order.", "gaplessd"};
    program.formatter(std::make_shared<help_formatter>());
    program.set_version_flag("--version", GAPLESS_VERSION);
    bool print{};
    program.add_flag(
        "--print-config", print, "print every setting with its value and source, and end"
    );
    bool openapi{};
    program.add_flag("--openapi", openapi, "print the HTTP interface as OpenAPI 3.1, and end");
    std::string url;
    auto* const check = program.add_option(
        "--check",
        url,
        "ask a running gaplessd whether it is ready, and end: with 0 if /readyz is 200, else 1; "
        "without URL the address it is configured to listen on"
    );
    check->type_name("URL")->expected(0, 1);
    bool no_journal{};
    auto* const unkept = program.add_flag(
        "--no-journal",
        no_journal,
        "keep no journals, so that a database that was put back is not noticed; as --journal ''"
    );
    given_options given;
    add_settings(program, settings, given);
    unkept->excludes(program.get_option("--journal"));
    try
    {
        program.parse(argc, argv);
        take_options(program, settings, given);
        if (no_journal)
            apply(
                *std::ranges::find(settings, "journal", &setting::name), "", setting_source::option
            );
        apply_environment(settings);
        if (!config.config.empty())
            apply_file(settings, config.config);
    }
    catch (CLI::ParseError const& error)
    {
        return {.exit_code = program.exit(error) == 0 ? 0 : exit_usage};
    }
    catch (bad_setting const& error)
    {
        std::cerr << "gaplessd: " << error.what() << '\n';
        return {.exit_code = exit_usage};
    }
    if (print || openapi)
    {
        std::cout << (print ? show_all(settings) : openapi_document());
        return {.exit_code = std::cout.flush() ? 0 : exit_failure};
    }
    command_line read;
    if (check->count() > 0)
        read.check = url;
    return read;
}

}  // namespace gapless
