#include "numbers/operations.hpp"

#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/find_series.hpp"
#include "formats/format_store.hpp"
#include "formats/number_completion.hpp"
#include "formats/presentation.hpp"
#include "postgres/sql.hpp"
#include "record/operates.hpp"
#include "reserve/lease_store.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <span>

namespace gapless::numbers {

void check(event_draft const& wanted)
{
    if (wanted.kind == event_kind::voided)
        check_reason(wanted.reason.value_or(""), name_of(&event_draft::reason));
    if (wanted.reason && count_characters(*wanted.reason) > reference_characters_max)
        throw wrong_field{
            refusal_kind::out_of_range,
            fmt::format(" has to have at most {} characters", reference_characters_max),
            name_of(&event_draft::reason)};
}

void check(number_void const& wanted)
{
    check_reason(wanted.reason, name_of(&number_void::reason));
}

namespace {

constexpr std::size_t reasons_max = 3;  // of several series; nobody reads a longer text

/// Taken from the history: its last entry is a lease, "lease:<instance> at <host>".
given<lease_place> find_lease(number_record const& number)
{
    if (number.state != "held" || number.history.empty() || number.history.back().kind != "leased")
        return {};
    auto const& leased = number.history.back();
    constexpr std::string_view before_host{" at "};
    auto const at = leased.actor.find(before_host);
    auto const host = at == std::string::npos ? 0 : at + before_host.size();
    return {true, {leased.actor.substr(host), leased.at}};
}

given<std::string> to_readable(bound_format const& format, std::int64_t serial)
{
    if (format.format().declaration().hrt.empty())
        return {};
    auto hrt = to_hrt(format, serial);
    return hrt.has_value() ? given<std::string>{true, std::move(*hrt)} : given<std::string>{};
}

/// Nullopt: no block of the series ever contained the number.
std::optional<number_record> read_number(
    pqxx::transaction_base& database, series_entry const& of, std::int64_t serial
)
{
    auto rows = select<number_record>(
        database,
        "select $2::bigint as number, $2::bigint as serial, $3::text as series, block_id as block, "
        "case when ordinal is not null then row($1::integer, turn, head_ordinal) end as issuance, "
        "* from gapless.number_report($1::integer, $2::bigint)",
        of.series_id,
        serial,
        of.name
    );
    if (rows.empty())
        return std::nullopt;
    auto& found = rows.front();
    print_numbers(found, of.format);
    if (found.ordinal)
    {
        name_as_answered(database, of.series_id, std::array{&found.issuance.value()});
        found.history = select<history_entry>(
            database,
            "select * from gapless.number_history($1, $2)",
            of.series_id,
            found.ordinal->value
        );
    }
    found.on_lease = find_lease(found);
    found.hrt = to_readable(of.format, serial);
    return std::move(found);
}

refused unknown_number(
    std::span<series_entry const* const> series,
    std::string const& number,
    std::set<std::string> const& reasons
)
{
    return {
        refusal_kind::unknown_number,
        fmt::format(
            "'{}' is not a number of {}{}{}",
            printable(number),
            series.size() == 1 ? fmt::format("series '{}'", series[0]->name) : "any series",
            reasons.empty() ? "" : ": ",
            fmt::join(reasons, "; ")
        )};
}

refused ambiguous_number(std::vector<number_record> const& found, std::string const& number)
{
    std::vector<std::string> names;
    std::vector<std::string> series;
    for (auto const& each : found)
    {
        names.push_back(each.series + (each.completed ? " (" + each.number.printed + ")" : ""));
        if (series.empty() || series.back() != each.series)
            series.push_back(each.series);
    }
    refused made{
        refusal_kind::ambiguous_number,
        fmt::format(
            "'{}' is a number of the series {}: say which",
            printable(number),
            fmt::join(names, ", ")
        )};
    made.why.series = std::move(series);
    return made;
}

/// "check digit 7 expected, 3 found", after `why` if there is more to say.
std::string to_reason(std::string const& why, read_serial const& right, std::string const& number)
{
    auto const expected = to_bare(right.number);
    auto const found = to_bare(number);
    auto const at = std::ranges::mismatch(expected, found);
    if (expected.size() != found.size() || at.in1 == expected.end())
        return why;
    return fmt::format("check digit {} expected, {} found", *at.in1, printable({&*at.in2, 1}));
}

/// What a text may mean in a series.
struct reading
{
    series_entry const* series;
    number_completion completion;
    format_result<read_serial> right;  // whatever its check character

    std::vector<std::int64_t> serials() const
    {
        std::vector<std::int64_t> found;
        found.reserve(completion.fits.size() + 1);
        for (auto const& [read, what] : completion.fits)
            found.push_back(read.serial);
        if (!completion.reason.empty() && right.has_value())
            found.push_back(right->serial);
        return found;
    }
};

/// The series that ever had one of the serials that a text may mean in them. Asks once, however
/// many series there are.
std::set<std::int32_t> find_holders(
    pqxx::transaction_base& database, std::span<reading const> readings
)
{
    std::vector<std::int32_t> ids;
    std::vector<std::int64_t> serials;
    for (auto const& each : readings)
        for (auto const serial : each.serials())
        {
            ids.push_back(each.series->series_id);
            serials.push_back(serial);
        }
    std::set<std::int32_t> holders;
    for (auto const& row : query_rows(
             database,
             "select w.series_id from unnest($1::integer[], $2::bigint[]) as w (series_id, serial) "
             "where exists (select from gapless.number_report(w.series_id, w.serial))",
             fmt::format("{{{}}}", fmt::join(ids, ",")),
             fmt::format("{{{}}}", fmt::join(serials, ","))
         ))
        holders.insert(row[0].as<std::int32_t>());
    return holders;
}

/// Looks a number up in each of these series.
number_record find_number(
    pqxx::transaction_base& database,
    std::span<series_entry const* const> series,
    std::string const& number
)
{
    std::vector<reading> readings;
    readings.reserve(series.size());
    for (auto const* each : series)
        readings.push_back(
            {each,
             complete_number(each->format, number),
             each->format.read_number(number, check_text::any)}
        );
    auto const holders =
        series.size() > 1 ? find_holders(database, readings) : std::set<std::int32_t>{};
    std::vector<number_record> found;
    std::set<std::string> reasons;
    std::set<std::string> wrong_checks;  // these say more than the reasons
    auto const tell = [&reasons](std::string reason) {
        if (reasons.size() < reasons_max)
            reasons.insert(std::move(reason));
    };
    for (auto const& [each, completion, right] : readings)
    {
        auto const is_holder = series.size() == 1 || holders.contains(each->series_id);
        for (auto const& [read, what] : completion.fits)
            if (auto record = is_holder ? read_number(database, *each, read.serial) : std::nullopt)
            {
                if (what != left_out::nothing)
                    record->completed = {true, to_text(number, {{read, what}})};
                found.push_back(std::move(*record));
            }
        if (completion.reason.empty())
            tell("no block holds it");
        else if (right.has_error())
            tell(completion.reason);
        else if (is_holder && read_number(database, *each, right->serial))
            wrong_checks.insert(to_reason(completion.reason, *right, number));
        else
            tell(to_reason(completion.reason, *right, number));
    }
    if (found.size() > 1)
        throw ambiguous_number(found, number);
    if (found.empty())
        throw unknown_number(series, number, wrong_checks.empty() ? reasons : wrong_checks);
    return std::move(found.front());
}

number_record make_void(
    pqxx::transaction_base& database, number_void const& wanted, caller const& by
)
{
    auto const known = search(database, wanted, {});
    if (known.completed)
        throw refused{refuse_incomplete(known.completed.value)};
    auto const series = value_or_throw(cases::find_series{known.series}.run(database));
    auto const& number = known.number.printed;
    note(
        database,
        {series.name, event_kind::voided, {{number, number}}, wanted.reason, wanted.force},
        by,
        series
    );
    return read(database, {series.name, number}, series);
}

// In the order of `gapless number --help`.
constexpr operation table[]{
    operates<&search>({
        .verb = "show",
        .method = http_method::get,
        .path = "/v1/numbers/{number}",
        .needs = scope::read,
        .summary = "What became of a number of any series",
        .help = "Show a number's state and history",
        .description = "409 ambiguous-number names the series where several have it.",
        .id = "searchNumber",
        .conflicts = true,
    }),
    operates<&make_void>({
        .verb = "void",
        .method = http_method::post,
        .summary = "Say that a number will never be used",
        .question = "Void {number} of {series}, which is {state}? It is never issued again.",
        .done = "{number} of {series} is voided",
    }),
    operates<&read>({
        .method = http_method::get,
        .path = "/v1/series/{series}/numbers/{number}",
        .needs = scope::read,
        .summary = "What became of a number",
    }),
    operates<&note>({
        .method = http_method::post,
        .path = "/v1/series/{series}/events",
        .needs = scope::issue,
        .summary = "Record what happened to numbers",
        .description = "on-lease, with Retry-After: repeat once it is settled.",
        .id = "recordEvent",
        .status = 201,
        .has_location = false,
        .large_body = true,
    }),
};

}  // namespace

number_record read(
    pqxx::transaction_base& database, number_name const& which, series_entry const& of
)
{
    return find_number(database, std::array{&of}, which.number);
}

number_record search(
    pqxx::transaction_base& database, number_search const& wanted, viewer const& sees
)
{
    auto const is_seen = [&](std::string const& name) {
        return !sees.series || std::ranges::find(*sees.series, name) != sees.series->end();
    };
    // Checked before the look-up: a foreign series takes as long as a missing one.
    if (wanted.series && !is_seen(*wanted.series))
        throw refused{missing_series(*wanted.series)};
    auto const all = read_series_settings(database, wanted.series);
    std::vector<series_entry const*> seen;
    for (auto const& each : all)
        if (is_seen(each.name))
            seen.push_back(&each);
    if (wanted.series && seen.empty())
        throw refused{missing_series(*wanted.series)};
    return find_number(database, seen, wanted.number);
}

event note(
    pqxx::transaction_base& database,
    event_draft const& wanted,
    caller const& by,
    series_entry const& of
)
{
    auto const serials = value_or_throw(read_serial_ranges(of, wanted.ranges));
    auto const count = query_value<std::int64_t>(
        database,
        "select gapless.note_event(p_series_id => $1, p_kind => $2, "
        "p_numbers => gapless.ordinals_of($1, p_firsts => $3, p_lasts => $4), "
        "p_actor => $5, p_reason => $6, p_force => $7)",
        of.series_id,
        to_sql(wanted.kind),
        to_array(serials, &serial_range::first),
        to_array(serials, &serial_range::last),
        by.name,
        wanted.reason,
        wanted.force.value_or(false)
    );
    event noted{wanted.series, wanted.kind, count, {}, wanted.reason};
    noted.ranges.reserve(serials.size());
    for (auto const& [first, last] : serials)
        noted.ranges.push_back({of.format.to_number(first), of.format.to_number(last)});
    return noted;
}

constinit feature const administration{"number", "What became of a number", table};

}  // namespace gapless::numbers
