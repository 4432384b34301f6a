#include "cli/operation_commands.hpp"

#include "base/moment.hpp"
#include "base/text.hpp"
#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "cli/params.hpp"
#include "cli/whole_file.hpp"
#include "postgres/run_operation.hpp"
#include "record/page.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <fmt/format.h>

/// Makes the verbs of a feature from its table of operations.
namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t secret_bytes_max = 4'096;
constexpr std::array<std::string_view, 2> switch_states{"on", "off"};

/// A verb: its operation, and the values given for it.
struct operation_command
{
    feature const& of;
    operation const& wanted;
    url_checker checks;               // null: it stores no URL
    teller tells;                     // null: nothing more to say
    std::deque<std::string> names{};  // of arguments and options; descriptions refer to them

    // For each field of the input:
    std::vector<std::string> texts{};  // empty: not given
    std::vector<std::vector<std::string>> lists{};
    std::deque<bool> flags{};

    std::string networks{};
};

/// "LOW-WATER" for low_water: the name of the value in help, unless the field's note has another.
std::string value_name_of(input_field const& field)
{
    if (!field.about.value.empty())
        return std::string{field.about.value};
    auto name = to_upper(field.name);
    std::ranges::replace(name, '_', '-');
    return name;
}

/// "--low-water" for low_water, unless the field's note has another.
std::string option_name_of(input_field const& field)
{
    if (!field.about.option.empty())
        return std::string{field.about.option};
    std::string name{"--"};
    name += field.name;
    std::ranges::replace(name, '_', '-');
    return name;
}

/// The name of an input field on the command line: "ID" if it is in the path.
std::string name_on_command_line(operation const& wanted, input_field const& field)
{
    auto const in_path = wanted.input->fields.first(wanted.path_fields());
    auto const is_in_path = std::ranges::any_of(in_path, [&](input_field const& each) {
        return each.name == field.name;
    });
    return is_in_path && field.about.option.empty() ? value_name_of(field) : option_name_of(field);
}

/// The --help text of a field: a sentence without its full stop.
std::string_view help_of(input_field const& field) noexcept
{
    auto text = field.about.help.empty() ? field.about.text : field.about.help;
    if (text.ends_with('.'))
        text.remove_suffix(1);
    return text;
}

/// True if the option may be repeated.
bool is_list(input_field const& field) noexcept
{
    return (field.accepts & (takes_list | takes_object)) != 0;
}

bool is_integer(input_field const& field) noexcept
{
    return (field.accepts & (takes_integer | takes_digits)) != 0;
}

/// A boolean that a change may leave as it is takes on or off; any other one is a flag.
bool is_switch(input_field const& field) noexcept
{
    return (field.accepts & takes_truth) != 0 && field.kept;
}

bool is_flag(input_field const& field) noexcept
{
    return (field.accepts & takes_truth) != 0 && !field.kept;
}

/// True if the value of the next field may be preceded by the text of this one.
bool is_owner(std::span<input_field const> fields, std::size_t n) noexcept
{
    return n + 1 < fields.size() && fields[n + 1].about.takes_owner;
}

/// True for the fields of `page`, which are not options: the command line fetches every page.
bool is_of_page(operation const& wanted, input_field const& field)
{
    return wanted.answer->is_list &&
           (field.name == name_of(&page::after) || field.name == name_of(&page::limit));
}

parameter to_parameter(operation_command& command, std::size_t n)
{
    auto const& field = command.wanted.input->fields[n];
    std::string_view const name =
        command.names.emplace_back(name_on_command_line(command.wanted, field));
    parameter made{
        .name = name,
        .into = &command.texts[n],
        .help = help_of(field),
        .choices = field.about.choices,
        .required = field.required};
    if (is_list(field) || field.about.takes_owner)
    {
        made.into = &command.lists[n];
        made.values_max = field.about.takes_owner ? 2 : 1;
    }
    if (is_flag(field))
        made.into = &command.flags[n];
    else if (is_switch(field))
    {
        made.value = "on|off";
        made.choices = switch_states;
    }
    else if (name.starts_with("--"))
        made.value = command.names.emplace_back(value_name_of(field));
    return made;
}

parameters to_parameters(operation_command& command)
{
    auto const fields = command.wanted.input->fields;
    parameters made;
    for (std::size_t n = 0; n < fields.size(); ++n)
        if (!is_of_page(command.wanted, fields[n]) && fields[n].about.is_option &&
            fields[n].accepts != takes_header && !is_owner(fields, n))
            made.push_back(to_parameter(command, n));
    if (command.wanted.calls)
        made.push_back(
            {.name = "--webhook-networks",
             .into = &command.networks,
             .help = "Networks in which gaplessd delivers to private addresses and by http; else "
                     "GAPLESS_WEBHOOK_NETWORKS",
             .value = "CIDRS",
             .environment = "GAPLESS_WEBHOOK_NETWORKS"}
        );
    return made;
}

/// Where to find the ids; empty: nowhere.
std::string place_of_ids(feature const& of)
{
    auto const lists = std::ranges::any_of(of.operations, [](operation const& each) {
        return each.answer->is_list && each.verb == "list";
    });
    return lists ? fmt::format("; 'gapless {} list' shows the ids", of.noun) : std::string{};
}

/// The text given for a field; empty: none.
std::string const& text_said(operation_command const& command, std::size_t n)
{
    auto const fields = command.wanted.input->fields;
    if (fields[n].about.takes_owner && !command.lists[n].empty())
        return command.lists[n].back();
    if (is_owner(fields, n) && command.lists[n + 1].size() > 1)
        return command.lists[n + 1].front();
    return command.texts[n];
}

std::int64_t read_whole_number(
    operation_command const& command, input_field const& field, std::string const& text
)
{
    auto const number = read_integer(text, field.bounds.least, field.bounds.most);
    if (number.has_error())
        throw usage_error(fmt::format(
            "{}: {}{}",
            name_on_command_line(command.wanted, field),
            number.error().detail,
            value_name_of(field) == "ID" ? place_of_ids(command.of) : std::string{}
        ));
    return *number;
}

/// An expiry, in the format of last_moment.
std::string read_end(
    operation_command const& command, input_field const& field, std::string const& text
)
{
    auto const now =
        std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
    auto moment = read_expiry(text, now);
    if (moment.has_error())
        throw usage_error(fmt::format(
            "{}: {}", name_on_command_line(command.wanted, field), moment.error().detail
        ));
    return std::move(*moment);
}

/// A secret, read from a file or from stdin, to keep it out of process lists.
std::string read_secret(std::string const& name)
{
    auto text = read_whole_file(name, secret_bytes_max);
    while (text.ends_with('\n') || text.ends_with('\r'))
        text.pop_back();
    return text;
}

/// Values that may be repeated: parts of lists, KEY=VALUE of an object.
raw_value read_several(operation_command const& command, std::size_t n)
{
    auto const& field = command.wanted.input->fields[n];
    if ((field.accepts & takes_list) != 0)
        return read_list(name_on_command_line(command.wanted, field), command.lists[n]);
    auto const texts = read_params(command.lists[n]);
    return raw_object{texts.begin(), texts.end()};
}

/// A field's value as given on the command line.
raw_value to_raw_value(operation_command const& command, std::size_t n)
{
    auto const& field = command.wanted.input->fields[n];
    auto text = text_said(command, n);
    if (field.about.number)
        std::erase(text, '\x1d');  // FNC1, as scanners send it
    if (is_list(field) && !command.lists[n].empty())
        return read_several(command, n);
    if (is_flag(field) && command.flags[n])
        return true;
    if (is_list(field) || is_flag(field) || (text.empty() && !field.required))
        return {};
    if (!text.empty() && text == field.about.null_word)
        return nullptr;
    if (is_integer(field))
        return read_whole_number(command, field, text);
    if (is_switch(field))
        return text == switch_states.front();
    if (field.about.in_file)
        return read_secret(text);
    if (field.about.takes_span)
        return read_end(command, field, text);
    if (!is_text(text))
        throw usage_error(name_on_command_line(command.wanted, field) + " has to be UTF-8 text");
    if (written::has_control_character(text))
        throw usage_error(
            name_on_command_line(command.wanted, field) + " holds a control character"
        );
    return text;
}

/// The given values of all fields. A change needs at least one.
std::vector<raw_value> to_raw_values(operation_command const& command)
{
    auto const fields = command.wanted.input->fields;
    std::vector<raw_value> values;
    std::vector<std::string> settings;
    auto is_set = false;
    for (std::size_t n = 0; n < fields.size(); ++n)
    {
        auto const& value = values.emplace_back(to_raw_value(command, n));
        if (!fields[n].kept || !fields[n].about.is_option)
            continue;
        settings.push_back(name_on_command_line(command.wanted, fields[n]));
        is_set = is_set || !std::holds_alternative<std::monostate>(value);
    }
    if (command.wanted.method == http_method::patch && !is_set)
        throw usage_error(fmt::format("nothing to set: give {}", fmt::join(settings, " or ")));
    return values;
}

std::shared_ptr<void const> to_input(operation const& wanted, std::vector<raw_value> values)
{
    auto const wording = [&](input_field const& field, std::string_view what) {
        return name_on_command_line(wanted, field).append(what);
    };
    try
    {
        return make_record(*wanted.input, values, wording);
    }
    catch (refused const& no)
    {
        throw usage_error(no.why.detail);
    }
}

answered run_in(
    command_context& context, operation const& wanted, std::shared_ptr<void const> input
)
{
    run_operation const runs{&wanted, std::move(input)};
    return wanted.changes ? context.act(runs) : context.ask(runs);
}

/// The index of a field in an input; its size if there is no such field.
std::size_t place_of(input_type const& input, std::string_view name)
{
    return static_cast<std::size_t>(
        std::ranges::find(input.fields, name, &input_field::name) - input.fields.begin()
    );
}

/// A text of the table, filled in from a record.
std::string fill_in_with(json const& known, std::string_view text)
{
    return fill_in(text, [&](std::string_view name) -> std::optional<std::string> {
        auto const value = known.find(name);
        if (value == known.end())
            return std::nullopt;
        if (!value->is_string())
            return value->dump();
        auto const quoted = to_quoted(value->get<std::string>());
        return quoted.substr(1, quoted.size() - 2);  // the text has the quotes
    });
}

/// Asks the table's question, filled in from the record it concerns. `values`: of the input.
void confirm_operation(
    command_context& context, operation_command const& command, std::vector<raw_value> const& values
)
{
    if (command.wanted.question.empty() || !context.asks())
        return;
    auto const& reads = *find_read(command.of, command.wanted);
    std::vector<raw_value> which;
    for (auto const& field : reads.input->fields)
        which.push_back(values[place_of(*command.wanted.input, field.name)]);
    auto const found = run_in(context, reads, to_input(reads, std::move(which)));
    context.confirm(fill_in_with(json::parse(found.json), command.wanted.question));
}

/// The columns of the answer to print.
std::span<column const> columns_to_show(operation const& wanted) noexcept
{
    return wanted.shows.empty() ? wanted.answer->columns : wanted.shows;
}

/// Fetches every page of a list.
json read_whole_list(
    command_context& context, operation const& wanted, std::vector<raw_value> values
)
{
    auto const fields = wanted.input->fields;
    auto const limit = place_of(*wanted.input, name_of(&page::limit));
    auto const after = place_of(*wanted.input, name_of(&page::after));
    auto rows = json::array();
    json next;
    do
    {
        if (limit < fields.size())  // otherwise it has no pages
            values[limit] = fields[limit].bounds.most;
        auto const answer = json::parse(run_in(context, wanted, to_input(wanted, values)).json);
        rows.insert(rows.end(), answer["items"].begin(), answer["items"].end());
        next = answer["next"];
        if (!next.is_null())
            values[after] = next.get<std::string>();
    } while (!next.is_null());
    return rows;
}

/// The shown part of an answer. In a dry run a secret is null: it was rolled back.
json to_shown(command_context const& context, operation const& wanted, answered const& made)
{
    auto shown = json::parse(made.json);
    auto const dry_run = context.options().dry_run;
    if (wanted.answer->has_secret && dry_run)
    {
        auto const kept = json::parse(made.kept);
        for (auto const& [name, value] : shown.items())
            if (!kept.contains(name))
                shown[name] = nullptr;
    }
    if (!wanted.shows_alone)
        return shown;
    json chosen;
    for (auto const& each : wanted.shows)
        chosen[each.key] = shown[each.key];
    if (dry_run)
        chosen[wanted.shows.front().key] = nullptr;
    return chosen;
}

/// Says what follows from a change whose answer was shown.
void tell(command_context& context, operation_command const& command, json const& shown)
{
    auto const& wanted = command.wanted;
    if (command.tells != nullptr)
        command.tells(context, wanted, shown);
    if (wanted.changes && context.options().dry_run)
        context.say_dry_run();
    else if (!wanted.done.empty())
        context.say(fill_in_with(shown, wanted.done));
}

exit_code perform(command_context& context, operation_command const& command)
{
    auto const& wanted = command.wanted;
    auto const values = to_raw_values(command);
    auto const input = to_input(wanted, values);
    if (wanted.calls)
        command.checks(wanted.calls(input.get()), command.networks);
    confirm_operation(context, command, values);
    if (wanted.answer->is_list)
    {
        auto const rows = read_whole_list(context, wanted, values);
        context.print_list(rows, columns_to_show(wanted));
        tell(context, command, rows);
        return exit_code::ok;
    }
    auto const made = run_in(context, wanted, input);
    auto const shown = to_shown(context, wanted, made);
    context.print(shown, columns_to_show(wanted));
    if (!made.waits)
    {
        tell(context, command, shown);
        return exit_code::ok;
    }
    context.say_dry_run();
    context.say(fill_in_with(shown, wanted.waiting));
    return exit_code::not_allowed;
}

verb to_verb(feature const& of, operation const& wanted, url_checker checks, teller tells)
{
    auto const command =
        std::make_shared<operation_command>(operation_command{of, wanted, checks, tells});
    command->texts.resize(wanted.input->fields.size());
    command->lists.resize(wanted.input->fields.size());
    command->flags.resize(wanted.input->fields.size());
    return {
        .name = wanted.verb,
        .summary = wanted.help.empty() ? wanted.summary : wanted.help,
        .footer = {},
        .takes = to_parameters(*command),
        .run = [command](command_context& context) { return perform(context, *command); }};
}

}  // namespace

noun operation_commands(feature const& of, url_checker checks, teller tells)
{
    noun made{.name = of.noun, .summary = of.summary, .verbs = {}};
    for (auto const& each : of.operations)
        if (!each.verb.empty())
            made.verbs.push_back(to_verb(of, each, checks, tells));
    return made;
}

}  // namespace gapless::cli
