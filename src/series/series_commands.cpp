#include "base/limits.hpp"
#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "cli/params.hpp"
#include "cli/record_json.hpp"
#include "reserve/lease.hpp"
#include "reserve/lease_telling.hpp"
#include "series/commands.hpp"
#include "series/operations.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <fmt/format.h>

namespace gapless::cli {

namespace {

using series::series_change;

constexpr auto const& series_columns = columns_of<series::series>;

/// What a change sets; the texts of options, empty: not given.
struct series_options
{
    std::string name;
    std::string carrier;
    std::string space;
    std::string format;
    std::vector<std::string> params;
    std::string on_release;
    std::string on_expiry;
    std::string low_water;
    std::string reuse_after;
    std::string reserve;
};

std::int64_t read_low_water(std::string const& text)
{
    auto const value = read_integer(text, 0, serial_max);
    if (value.has_error())
        throw usage_error("--low-water: " + value.error().detail);
    return *value;
}

std::int64_t read_reserve(std::string const& text)
{
    auto const value = read_integer(text, 1, lease_numbers_max);
    if (value.has_error())
        throw usage_error("--reserve: " + value.error().detail);
    return *value;
}

std::string read_reuse_after(std::string const& text)
{
    if (!series::is_interval(text))
        throw usage_error(fmt::format(
            "--reuse-after: {} is not a span like '12 months' or '90 days'", to_quoted(text)
        ));
    return text;
}

/// A name the database takes; said here because a typing mistake is a matter of the command line.
void check_name(std::string const& name)
{
    auto const allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    bool const fits = !name.empty() && name.size() <= 63 && allowed(name.front()) &&
                      std::ranges::all_of(name, [&](char c) {
                          return allowed(c) || c == '.' || c == '_' || c == '-';
                      });
    if (!fits)
        throw usage_error(fmt::format(
            "{} cannot be the name of a series: 1 to 63 characters of a-z, 0-9, '.', '_' and '-', "
            "a letter or digit first",
            to_quoted(name)
        ));
}

/// "2 h 5 min", "47 min".
std::string to_words(std::int64_t minutes)
{
    return minutes < 60 ? fmt::format("{} min", minutes)
                        : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

void print(command_context& context, series::series const& shown)
{
    context.print(to_json(shown), series_columns);
    if (shown.reserve_minutes)
        context.say(
            fmt::format("reserve covers {} at today's rate", to_words(*shown.reserve_minutes))
        );
}

exit_code create(command_context& context, series_options const& wants)
{
    check_name(wants.name);
    series::series_draft draft;
    draft.name = wants.name;
    draft.carrier = wants.carrier;
    draft.space = optional_text(wants.space);
    draft.format = optional_text(wants.format);
    draft.params = read_params(wants.params);
    draft.on_release = optional_text(wants.on_release);
    draft.on_expiry = optional_text(wants.on_expiry);
    if (!wants.low_water.empty() && wants.low_water != "none")
        draft.low_water = read_low_water(wants.low_water);
    if (!wants.reuse_after.empty() && wants.reuse_after != "none")
        draft.reuse_after = read_reuse_after(wants.reuse_after);
    if (!wants.reserve.empty() && wants.reserve != "off")
        draft.reserve_numbers = read_reserve(wants.reserve);

    auto const created = value_of(context.change([&](pqxx::transaction_base& database) {
        return series::create(database, draft, {context.actor()}, {});
    }));
    context.print(to_json(created), series_columns);
    context.say(
        context.options().dry_run
            ? "dry run: nothing was changed"
            : fmt::format("created; its first block: gapless block load {} FIRST LAST", wants.name)
    );
    return exit_code::ok;
}

exit_code list(command_context& context, series_options const&)
{
    auto const rows = to_rows(value_of(context.read(series::read_all)));
    context.print_list(rows, series_columns);
    if (rows.empty())
        context.say(
            "there is no series; to create one: gapless series create NAME --carrier CARRIER"
        );
    return exit_code::ok;
}

exit_code show(command_context& context, series_options const& wants)
{
    print(context, value_of(context.read([&](pqxx::transaction_base& database) {
              return series::read(database, {wants.name});
          })));
    return exit_code::ok;
}

exit_code apply(command_context& context, series_change const& wanted)
{
    print(context, value_of(context.change([&](pqxx::transaction_base& database) {
              return series::change(database, wanted, {context.actor()});
          })));
    context.say_dry_run();
    return exit_code::ok;
}

exit_code set(command_context& context, series_options const& wants)
{
    series_change change;
    change.series = wants.name;
    change.on_release = {!wants.on_release.empty(), wants.on_release};
    change.on_expiry = {!wants.on_expiry.empty(), wants.on_expiry};
    if (wants.low_water == "none")
        change.low_water.present = true;
    else if (!wants.low_water.empty())
        change.low_water = {true, read_low_water(wants.low_water)};
    if (wants.reuse_after == "none")
        change.reuse_after.present = true;
    else if (!wants.reuse_after.empty())
        change.reuse_after = {true, read_reuse_after(wants.reuse_after)};
    if (wants.reserve == "off")
        change.reserve_numbers.present = true;
    else if (!wants.reserve.empty())
        change.reserve_numbers = {true, read_reserve(wants.reserve)};
    if (!change.low_water && !change.on_release && !change.on_expiry && !change.reuse_after &&
        !change.reserve_numbers)
        throw usage_error("nothing to set: give --low-water, --on-release, --on-expiry, "
                          "--reuse-after or --reserve");
    return apply(context, change);
}

exit_code apply_pause(command_context& context, std::string const& name, bool paused)
{
    series_change change;
    change.series = name;
    change.paused = {true, paused};
    return apply(context, change);
}

exit_code pause(command_context& context, series_options const& wants)
{
    auto const end = apply_pause(context, wants.name, true);
    // An instance that is cut off hears of it later.
    say_on_lease(context, read_leases(context, wants.name));
    return end;
}

exit_code resume(command_context& context, series_options const& wants)
{
    return apply_pause(context, wants.name, false);
}

parameters name_parameter(series_options& into)
{
    return {{.name = "SERIES", .into = &into.name, .help = "Name of the series", .required = true}};
}

constexpr std::array<std::string_view, 2> release_policies{"reissue", "void"};
constexpr std::array<std::string_view, 2> expiry_policies{"void", "reissue"};

parameters setting_parameters(series_options& into)
{
    return {
        {.name = "--on-release",
         .into = &into.on_release,
         .help = "Released numbers go out again (reissue) or never (void)",
         .value = "POLICY",
         .choices = release_policies},
        {.name = "--on-expiry",
         .into = &into.on_expiry,
         .help = "Numbers of expired holds are lost (void) or go out again (reissue)",
         .value = "POLICY",
         .choices = expiry_policies},
        {.name = "--low-water",
         .into = &into.low_water,
         .help = "Warn when fewer numbers are remaining; none: never",
         .value = "N"},
        {.name = "--reuse-after",
         .into = &into.reuse_after,
         .help = "When numbers may be loaded again: '12 months'; none: never",
         .value = "INTERVAL"},
        {.name = "--reserve",
         .into = &into.reserve,
         .help = "Numbers that each instance may issue while the database is away; off: none",
         .value = "N"},
    };
}

parameters new_parameters(series_options& into)
{
    return join(
        {
            {.name = "NAME",
             .into = &into.name,
             .help = "Name: a-z, 0-9, '.', '_', '-'",
             .required = true},
            {.name = "--carrier",
             .into = &into.carrier,
             .help = "Parcel company that assigns the blocks",
             .value = "CODE",
             .required = true},
            {.name = "--space",
             .into = &into.space,
             .help = "Set in which no number appears twice; default: the carrier's",
             .value = "SPACE"},
            {.name = "--format",
             .into = &into.format,
             .help = "Format of the numbers; default: plain",
             .value = "FORMAT"},
            {.name = "--param",
             .into = &into.params,
             .help = "Parameter of the format, may be repeated",
             .value = "KEY=VALUE",
             .values_max = 1},
        },
        setting_parameters(into)
    );
}

parameters set_parameters(series_options& into)
{
    return join(name_parameter(into), setting_parameters(into));
}

}  // namespace

noun series_commands()
{
    return {
        .name = "series",
        .summary = "Named streams of numbers",
        .verbs = {
            verb_of<series_options>{
                .name = "create",
                .summary = "Create a series",
                .takes = new_parameters,
                .run = create},
            verb_of<series_options>{.name = "list", .summary = "List the series", .run = list},
            verb_of<series_options>{
                .name = "show", .summary = "Show one series", .takes = name_parameter, .run = show},
            verb_of<series_options>{
                .name = "set",
                .summary = "Change settings of a series",
                .takes = set_parameters,
                .run = set},
            verb_of<series_options>{
                .name = "pause",
                .summary = "Stop issuing until resumed",
                .takes = name_parameter,
                .run = pause},
            verb_of<series_options>{
                .name = "resume", .summary = "Issue again", .takes = name_parameter, .run = resume},
        }};
}

}  // namespace gapless::cli
