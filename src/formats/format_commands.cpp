#include "formats/format_commands.hpp"

#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "cli/params.hpp"
#include "cli/record_json.hpp"
#include "cli/whole_file.hpp"
#include "formats/catalogue.hpp"
#include "formats/commands.hpp"
#include "formats/format_batch.hpp"
#include "formats/format_store.hpp"
#include "formats/make_and_check.hpp"
#include "formats/missing_format.hpp"
#include "formats/operations.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <fmt/format.h>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct format_options
{
    std::string name;
    std::optional<std::string> given;  // a serial or a number; none: lines from standard input
    std::string file;
    std::vector<std::string> params;
};

constexpr std::array format_columns{
    column{.key = "name"},
    column{.key = "number"},
    column{.key = "length"},
    column{.key = "check"},
    column{.key = "hrt", .in_table = false},
    column{.key = "barcode.symbology"},
    column{.key = "barcode.data", .in_table = false},
    column{.key = "origin", .in_table = false},
    column{.key = "carrier"},
};

constexpr std::array verdict_columns{
    column{.key = "valid"},
    column{.key = "serial", .number = true},
    column{.key = "params"},
    column{.key = "reason"},
};

constexpr std::array made_columns{column{.key = "number", .number = true}};

constexpr std::size_t declaration_bytes_max = 100'000;

parameter_values to_values(std::vector<std::string> const& params)
{
    auto const read = read_params(params);
    return {read.begin(), read.end()};
}

bool names_a_database(command_context const& context)
{
    auto const* host = std::getenv("PGHOST");
    auto const* database = std::getenv("PGDATABASE");
    return !context.options().database_url.empty() || host != nullptr || database != nullptr;
}

/// In the format of the HTTP interface, with its origin.
json to_row(formats::format const& shown, char const* origin)
{
    auto row = to_json(shown);
    row["origin"] = origin;
    return row;
}

json to_row(number_declaration const& declaration, char const* origin)
{
    return to_row(formats::to_format(declaration), origin);
}

exit_code list(command_context& context, format_options const&)
{
    auto rows = json::array();
    for (auto const& row : catalogue())
        rows.push_back(to_row(to_declaration(row), "catalogue"));
    if (names_a_database(context))
        for (auto const& declared : value_of(context.read([](pqxx::transaction_base& transaction) {
                 return read_declared_formats(transaction);
             })))
            rows.push_back(to_row(declared, "declared"));
    context.print_list(rows, format_columns);
    return exit_code::ok;
}

exit_code show(command_context& context, format_options const& wants)
{
    auto const format = value_of(find_any_format(context, wants.name));
    auto const* const origin = find_format(wants.name) != nullptr ? "catalogue" : "declared";
    context.print(to_row(format.declaration(), origin), format_columns);
    return exit_code::ok;
}

exit_code make(command_context& context, format_options const& wants)
{
    if (!wants.given)
        return make_lines(context, wants.name, to_values(wants.params));
    auto const format = value_of(find_any_format(context, wants.name));
    auto const number = make_number(format, *wants.given, to_values(wants.params));
    if (number.has_error())
        throw command_failed{exit_code::usage, number.error().reason};
    if (context.options().output == output_format::table)
        context.print_text(*number + '\n');
    else
        context.print({{"number", *number}}, made_columns);
    return exit_code::ok;
}

exit_code check(command_context& context, format_options const& wants)
{
    if (!wants.given)
        return check_lines(context, wants.name, to_values(wants.params));
    auto const format = value_of(find_any_format(context, wants.name));
    auto const verdict = check_number(format, *wants.given, to_values(wants.params));
    context.print(to_json(verdict), verdict_columns);
    if (verdict.valid)
        return exit_code::ok;
    context.say(fmt::format("{} is not valid: {}", to_quoted(*wants.given), verdict.reason));
    return exit_code::findings;
}

formats::format read_declared(std::string const& file)
{
    auto const text = read_whole_file(file, declaration_bytes_max);
    try
    {
        return formats::read_format(text);
    }
    catch (refused const& no)
    {
        throw usage_error(file + ": " + no.why.detail);
    }
}

exit_code declare_own(command_context& context, format_options const& wants)
{
    auto const wanted = read_declared(wants.file);
    auto const declared = value_of(context.change([&](pqxx::transaction_base& transaction) {
        return formats::declare(transaction, wanted, {context.actor()});
    }));
    context.print(to_row(declared, "declared"), format_columns);
    context.say_dry_run();
    return exit_code::ok;
}

parameters value_parameters(
    format_options& into, std::string_view given, std::string_view given_help
)
{
    return {
        {.name = "FORMAT", .into = &into.name, .help = "Name of the format"},
        {.name = given, .into = &into.given, .help = given_help},
        {.name = "--param",
         .into = &into.params,
         .help = "Parameter of the format, may be repeated",
         .value = "KEY=VALUE",
         .values_max = 1},
    };
}

parameters make_parameters(format_options& into)
{
    return value_parameters(into, "SERIAL", "Serial, in the base of the format");
}

parameters check_parameters(format_options& into)
{
    return value_parameters(into, "NUMBER", "Number in any spelling");
}

constexpr auto make_footer =
    R"(Without SERIAL it reads lines {"format":…,"serial":…,"params":{…}} from
standard input and answers each with {"number":…}, or {"number":null,"reason":…} where none can be
made.)";

constexpr auto check_footer =
    R"(Ends with exit code 6 when the number is not valid, or one of several.
Without NUMBER it reads lines {"format":…,"number":…,"params":{…}} from standard input and
answers each with {"valid":…,"serial":…,"params":{…},"reason":…}.)";

parameters name_parameter(format_options& into)
{
    return {{.name = "FORMAT", .into = &into.name, .help = "Name of the format", .required = true}};
}

parameters file_parameter(format_options& into)
{
    return {
        {.name = "FILE",
         .into = &into.file,
         .help = "Declaration as JSON; -: standard input",
         .required = true}};
}

}  // namespace

result<number_format> find_any_format(command_context& context, std::string const& name)
{
    if (auto const* known = find_format(name))
        return *known;
    if (!names_a_database(context))
        return refusal{
            refusal_kind::not_found,
            missing_format(name, {}) + "\n  your own formats need --database-url"};
    auto found = context.read([&](pqxx::transaction_base& transaction) {
        return find_number_format(transaction, name);
    });
    if (found.has_error() && found.error().kind == refusal_kind::out_of_range)
        return refusal{refusal_kind::not_found, found.error().detail};
    return found;
}

noun format_commands()
{
    return {
        .name = "format",
        .summary = "How serials become numbers, and back",
        .verbs = {
            verb_of<format_options>{.name = "list", .summary = "List the formats", .run = list},
            verb_of<format_options>{
                .name = "show", .summary = "Show one format", .takes = name_parameter, .run = show},
            verb_of<format_options>{
                .name = "make",
                .summary = "Make the number of a serial",
                .footer = make_footer,
                .takes = make_parameters,
                .run = make},
            verb_of<format_options>{
                .name = "check",
                .summary = "Say whether a number is valid, and why not",
                .footer = check_footer,
                .takes = check_parameters,
                .run = check},
            verb_of<format_options>{
                .name = "declare",
                .summary = "Add a format of your own",
                .takes = file_parameter,
                .run = declare_own},
        }};
}

}  // namespace gapless::cli
