#pragma once

#include "formats/series_number.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"
#include "stock/forecast.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Records of series.
namespace gapless::series {

/// How many numbers of a series are in each state.
struct number_states
{
    quoted<std::int64_t> free;
    quoted<std::int64_t> held;
    quoted<std::int64_t> issued;
    quoted<std::int64_t> printed;
    std::string voided{"0"};  // a sum over blocks can exceed int64
    quoted<std::int64_t> manifested;
    quoted<std::int64_t> returned;
};
GAPLESS_RECORD(
    number_states,
    (),
    (free, "They came back, and are issued again first."),
    (held, "They wait to be confirmed."),
    (issued, "And nothing else since."),
    (printed, "Their labels were printed."),
    (voided, "They are never used, the rest of closed blocks among them."),
    (manifested, "They were reported to the carrier."),
    (returned, "Their parcels came back.")
)

/// A forecast; all fields are null until three days with numbers have passed. per_day tells whether
/// there is one.
struct told_forecast
{
    std::optional<rounded<1>> per_day;
    std::optional<rounded<0>> days_left;
    std::optional<std::chrono::sys_days> exhausted_on;
    std::optional<rounded<0>> days_left_p10;
    std::optional<rounded<0>> days_left_p90;
    std::optional<std::chrono::sys_days> exhausted_from;
    std::optional<std::chrono::sys_days> exhausted_to;
    std::optional<std::chrono::sys_days> order_by;
    std::optional<std::int32_t> lead_days;
};
GAPLESS_RECORD(
    told_forecast,
    (),
    (per_day, "Numbers a day, the mean of the latest four weeks.", .in_table = false),
    (days_left,
     "Whole days the remaining numbers last, as likely more as less. Null, like days_left_p10 and "
     "days_left_p90: nothing was used for four weeks, and no block expires."),
    (exhausted_on,
     "Today and days_left; null: more than a thousand years ahead, as in all dates here.",
     .in_table = false),
    (days_left_p10, "They last shorter in one of ten cases.", .in_table = false),
    (days_left_p90, "They last longer in one of ten cases.", .in_table = false),
    (exhausted_from, "Today and days_left_p10.", .in_table = false),
    (exhausted_to, "Today and days_left_p90.", .in_table = false),
    (order_by,
     "When the next block has to be ordered, so that in 99 of 100 cases it arrives in time; can be "
     "over."),
    (lead_days,
     "The carrier's: calendar days from the order of a block to its letter.",
     .in_table = false)
)

/// A row of gapless.series_report as shown.
struct reported_series
{
    std::string name;
    std::string carrier;
    std::string space;
    std::string format;
    texts_by_name params;
    std::string on_release;
    std::string on_expiry;
    std::optional<quoted<std::int64_t>> low_water;
    bool paused{};
    std::optional<std::string> paused_reason;
    std::optional<std::string> paused_by;
    std::optional<database_time> paused_at;
    quoted<std::int64_t> issued;
    std::string remaining{"0"};  // a sum over blocks can exceed int64
    std::optional<series_number> next;
    quoted<std::int64_t> blocks;
    std::optional<std::string> reuse_after;
    gapless::version version;
};
GAPLESS_RECORD(
    reported_series,
    (),
    (name, "Name of the series."),
    (carrier, "The parcel company that assigns its blocks."),
    (space, "In one space no serial is loaded twice.", .in_table = false),
    (format, "How its numbers are written; one of GET /v1/formats."),
    (params, "Parameters of the format.", .in_table = false),
    (on_release, "Released numbers are issued again (reissue) or never (void).", .in_table = false),
    (on_expiry, "The same of holds that expired.", .in_table = false),
    (low_water, "Warn below so many remaining numbers. Null: never.", .in_table = false),
    (paused, "Nothing is issued until it is resumed."),
    (paused_reason, "Why it is paused. Null: it is not, or nobody said.", .in_table = false),
    (paused_by, "Who paused it.", .in_table = false),
    (paused_at, "When it was paused.", .in_table = false),
    (issued, "Numbers issued so far."),
    (remaining, "Numbers that can still be issued.", .number = true),
    (next, "The number that is issued next. Null: none is remaining."),
    (blocks, "How many blocks it has; withdrawn ones do not count."),
    (reuse_after, "After so long a used block may be loaded again. Null: never.", .in_table = false
    ),
    (version, "Counts changes; the ETag.", .is_column = false)
)

/// A series: its fixed properties, its settings, and its current state.
struct series : reported_series
{
    std::optional<quoted<std::int64_t>> reserve_numbers;
    quoted<std::int64_t> on_lease;
    std::optional<std::int64_t> reserve_minutes;
    number_states states;
    told_forecast forecast;
};
GAPLESS_RECORD(
    series,
    (reported_series),
    (reserve_numbers,
     "Numbers that each instance keeps for the time when the database is away. Null: none.",
     .in_table = false),
    (on_lease, "Numbers that instances have for that time now.", .in_table = false),
    (reserve_minutes,
     "How long a full reserve lasts at today's rate, a day's numbers taken to be requested within "
     "8 hours. Null: there is none, or no use is known.",
     .in_table = false),
    (states, "How many numbers are in each state.", .in_table = false),
    (forecast,
     "How long the remaining numbers last; all null before three days with numbers are over.",
     .spread = true)
)

/// A series with data for programs only. Its next number is not formatted.
struct known_series : series
{
    std::int32_t series_id{};
    std::int64_t overdue{};     // numbers on lease whose draw_until has passed
    double used_a_day{};        // numbers: of today so far, or by forecast if that is more
    gapless::consumption used;  // by day
};

/// The part of a series for metrics and warnings: there are many, and all are kept in memory.
struct watched_series
{
    std::string name;
    quoted<std::int64_t> issued;
    std::string remaining{"0"};
    std::int64_t blocks{};
    std::optional<quoted<std::int64_t>> low_water;
    bool paused{};
    quoted<std::int64_t> on_lease;
    std::int64_t overdue{};
    double used_a_day{};
    told_forecast forecast;
    std::chrono::sys_days today;  // of the forecast
};

struct series_identity
{
    std::int32_t series_id{};
    std::string name;
};

struct series_name
{
    std::string series;
};
GAPLESS_RECORD(series_name, (), (series, "Name of the series.", .option = "SERIES"))

/// See series_filter for the meanings.
enum class series_state
{
    active = 1,
    low,
    due,
    exhausted,
    paused,
};
BOOST_DESCRIBE_ENUM(series_state, active, low, due, exhausted, paused)

/// A page of the matching series, in name order.
struct series_filter
{
    std::optional<std::string> carrier;
    std::optional<series_state> state;
    std::optional<std::string> q;
    std::optional<std::string> reference;
    std::optional<std::string> after;
    bounded<1, 1'000, 1'000> limit;
};
GAPLESS_RECORD(
    series_filter,
    (),
    (carrier, "Those of this carrier.", .value = "CODE"),
    (state,
     "Those in this state: active (numbers left and not paused; low ones, too), low (numbers left, "
     "fewer than low_water), due (its next block should be ordered by now: series.order_by), "
     "exhausted (no number left), paused.",
     .help = "Those in this state: active, low, due, exhausted or paused"),
    (q,
     "Those with this in their name, carrier, format or the reference of a block, in any case.",
     .option = "--search",
     .value = "TEXT"),
    (reference, "Those that issued numbers under this reference.", .value = "TEXT"),
    (after, "Series after this name: `next` of the previous page."),
    (limit, "The most items a page may have.")
)

/// A series to pause.
struct series_pause : series_name
{
    std::optional<std::string> reason;
};
GAPLESS_RECORD(series_pause, (series_name), (reason, "Why; shown while it lasts.", .value = "TEXT"))

/// Settings at creation, and later; null removes one.
struct series_limits
{
    given<std::optional<quoted<std::int64_t>>> low_water;
    given<std::optional<std::string>> reuse_after;
    given<std::optional<quoted<std::int64_t>>> reserve_numbers;
};
GAPLESS_RECORD(
    series_limits,
    (),
    (low_water,
     "Warn below so many remaining numbers. Null: never.",
     .value = "N",
     .help = "Warn when fewer numbers are remaining; none: never",
     .null_word = "none"),
    (reuse_after,
     "After so long a used block may be loaded again. Null: never.",
     .value = "INTERVAL",
     .help = "When numbers may be loaded again: '12 months'; none: never",
     .example = R"("12 months")",
     .null_word = "none"),
    (reserve_numbers,
     "Numbers that each instance may issue while the database is away: 1 to 1000000. Null: none.",
     .option = "--reserve",
     .value = "N",
     .help = "Numbers that each instance may issue while the database is away; off: none",
     .null_word = "off")
)

inline constexpr std::array<std::string_view, 2> number_fates{"reissue", "void"};

/// Properties that a series keeps, with the parameters of its format.
struct series_origin
{
    std::string name;
    std::string carrier;
    std::optional<std::string> space;
    std::optional<std::string> format;
};
GAPLESS_RECORD(
    series_origin,
    (),
    (name,
     "1 to 63 characters of a-z, 0-9, '.', '_' and '-', a letter or digit first.",
     .option = "NAME",
     .help = "Name: a-z, 0-9, '.', '_', '-'"),
    (carrier, "The parcel company that assigns its blocks.", .value = "CODE"),
    (space, "In one space no serial is loaded twice. Default: the carrier."),
    (format,
     "One of GET /v1/formats. Default: plain.",
     .help = "Format of the numbers; default: plain")
)

struct series_draft : series_origin, series_limits
{
    texts_by_name params;
    std::optional<std::string> on_release;
    std::optional<std::string> on_expiry;
};
GAPLESS_RECORD(
    series_draft,
    (series_origin, series_limits),
    (params,
     "Parameters of the format.",
     .option = "--param",
     .value = "KEY=VALUE",
     .help = "Parameter of the format, may be repeated"),
    (on_release,
     "Released numbers are issued again (reissue, the default) or never (void).",
     .value = "POLICY",
     .choices = number_fates),
    (on_expiry,
     "Numbers of expired holds: lost (void, the default) or issued again (reissue).",
     .value = "POLICY",
     .choices = number_fates)
)

/// The changes to a series; absent fields stay as they are.
struct series_change : series_name, series_limits
{
    gapless::if_match if_match;
    given<bool> paused;
    given<std::string> paused_reason;
    given<std::string> on_release;
    given<std::string> on_expiry;
};
GAPLESS_RECORD(
    series_change,
    (series_name, series_limits),
    (if_match, "The ETag of the version that is to be changed, or *."),
    (paused, "True: nothing is issued until it is false.", .is_option = false),
    (paused_reason, "Why it is paused: 1 to 255 characters.", .is_option = false),
    (on_release,
     "Released numbers are issued again (reissue) or never (void).",
     .value = "POLICY",
     .choices = number_fates),
    (on_expiry,
     "Numbers of expired holds are lost (void) or issued again (reissue).",
     .value = "POLICY",
     .choices = number_fates)
)

// What a request may contain; see record/read.hpp.
void check(series_draft const& draft);
void check(series_limits const& wanted);
void check(series_change const& wanted);
void check(series_pause const& wanted);

struct consumption_wish
{
    std::string series;
    bounded<1, 420, 42> days;  // older days are not kept
};
GAPLESS_RECORD(
    consumption_wish,
    (),
    (series, "Name of the series."),
    (days, "So many of the latest days that are over.")
)

struct used_day
{
    std::chrono::sys_days date;
    quoted<std::int64_t> numbers;
};
GAPLESS_RECORD(used_day, (), (date, "The day."), (numbers, "How many numbers were issued."))

/// How much of a series was used, and how long the rest lasts.
struct consumption
{
    std::string series;
    std::chrono::sys_days today;
    quoted<std::int64_t> used_today;
    std::vector<used_day> days;
    std::string remaining;
    told_forecast forecast;
};
GAPLESS_RECORD(
    consumption,
    (),
    (series, "Name of the series."),
    (today, "In the database's time zone."),
    (used_today, "Numbers issued today so far."),
    (days,
     "Days that are over, the latest one last. Days without numbers are there with 0; days before "
     "the first number are not."),
    (remaining, "Numbers that can still be issued."),
    (forecast,
     "How long the remaining numbers last; all null before three days with numbers are over.")
)

}  // namespace gapless::series
