#include "app/metrics.hpp"

#include "app/metric_families.hpp"
#include "app/metric_rows.hpp"
#include "base/log.hpp"
#include "base/resident_memory.hpp"
#include "series/low_water.hpp"
#include "series/reserve_cover.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <prometheus/text_serializer.h>
#include <string_view>
#include <tuple>

namespace gapless {

namespace {

using namespace metrics;

double to_seconds(std::chrono::system_clock::time_point moment)
{
    return std::chrono::duration<double>{moment.time_since_epoch()}.count();
}

/// A day may be beyond the clock's range, which ends in 2262.
double to_seconds(std::chrono::sys_days day)
{
    return std::chrono::duration<double>{day.time_since_epoch()}.count();
}

template <class Rows, class Counters>
void add_counters(families& all, Rows const& rows, Counters const& counters)
{
    for (auto const& row : rows)
        add_counter(all, row.name, row.help, counters.*row.value);
}

void add_http(families& all, http_counters const& http)
{
    auto& requests = add_family(
        all,
        MetricType::Counter,
        "gapless_http_requests_total",
        "Requests that were answered, by class of status."
    );
    for (std::size_t first = 2; first < http.answers.size(); ++first)
        add_value(
            requests,
            static_cast<double>(http.answers[first]),
            {{"class", std::to_string(first) + "xx"}}
        );
    add_gauge(
        all,
        "gapless_http_connections",
        "Connections that are open.",
        static_cast<double>(http.connections_open)
    );
    add_counters(all, http_rows, http);
    if (http.tls_certificate_expires != 0)
        add_gauge(
            all,
            "gapless_tls_certificate_expires_time_seconds",
            "When the certificate in use expires, in seconds since 1970.",
            static_cast<double>(http.tls_certificate_expires)
        );
}

void add_durations(families& all, duration_histogram const& durations)
{
    auto& family = add_family(
        all,
        MetricType::Histogram,
        "gapless_issue_duration_seconds",
        "How long issue requests took, from the queue to their answer, replays and refusals "
        "included."
    );
    auto& histogram = family.metric.emplace_back().histogram;
    for (std::size_t n = 0; n < durations.counts.size(); ++n)
    {
        histogram.sample_count += durations.counts[n];
        auto const bound = n < durations.bounds.size()
                               ? std::chrono::duration<double>{durations.bounds[n]}.count()
                               : std::numeric_limits<double>::infinity();
        histogram.bucket.push_back({histogram.sample_count, bound});
    }
    histogram.sample_sum = std::chrono::duration<double>{durations.sum}.count();
}

void add_issuing(families& all, service_figures const& service)
{
    add_counters(all, queue_rows, service.queue);
    add_gauge(
        all,
        "gapless_issue_waiting",
        "Issue requests that wait for their batch.",
        static_cast<double>(service.waiting)
    );
    add_durations(all, service.queue.durations);
    add_gauge(
        all, "gapless_database_connected", "1: an issue connection is up.", service.connected
    );
    add_gauge(
        all,
        "gapless_issuing_refused",
        "1 while requests for numbers are refused; /readyz says why.",
        service.refused
    );
    add_gauge(
        all,
        "gapless_fenced",
        "1 while no number may be issued, because it could have been issued before.",
        service.fenced ? 1 : 0
    );
    auto& locked = add_family(
        all,
        MetricType::Gauge,
        "gapless_series_locked",
        "1 while a session of this role and application holds the series and its requests wait; "
        "the event series_locked has its pid."
    );
    for (auto const& [name, role, application] : service.locked)
        add_value(locked, 1, {{"series", name}, {"role", role}, {"application", application}});
    if (service.sealed)
        add_gauge(
            all,
            "gapless_sealed_time_seconds",
            "Every record older than this is sealed; in seconds since 1970.",
            to_seconds(*service.sealed)
        );
}

/// The failed checks of the database's server that deserve a warning, not merely a note.
void add_checks(families& all, service_figures const& service)
{
    if (service.checks.empty())
        return;
    constexpr auto help = "1 while this is wrong on the database's server; /readyz says more.";
    auto& family = add_family(all, MetricType::Gauge, "gapless_database_warning", help);
    for (auto const& check : service.checks)
        if (check.severity != health_severity::info)
            add_value(family, check.fine ? 0 : 1, {{"check", check.name}});
}

double to_double(std::string_view decimal)
{
    double value{};
    std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
    return value;
}

using series_moment = std::chrono::system_clock::time_point;
using series_pointers = std::vector<series::watched_series const*>;

/// A state of a series that requires action, at a moment.
struct troubled_state
{
    char const* name;
    bool (*has)(series::watched_series const&, series_moment);
};

constexpr std::array troubled_states{
    troubled_state{
        "exhausted",
        [](auto const& one, series_moment) { return one.remaining == "0" && one.blocks > 0; }},
    troubled_state{"low", [](auto const& one, series_moment) { return is_low(one); }},
    troubled_state{
        "due",
        [](auto const& one, series_moment now) {
            return one.forecast.order_by &&
                   *one.forecast.order_by <= std::chrono::floor<std::chrono::days>(now);
        }},
    troubled_state{"paused", [](auto const& one, series_moment) { return one.paused; }},
    troubled_state{"overdue", [](auto const& one, series_moment) { return one.overdue > 0; }}};

/// The series with lines of their own, by name: those that may cause an alert, and of the others
/// the `most` that issued most. Sorting by what remains would not do: it is largest for unused
/// series, while the issued count never decreases, so that lines stay.
series_pointers choose_series(service_figures const& service, series_moment now, std::size_t most)
{
    series_pointers chosen;
    series_pointers others;
    for (auto const& one : service.series)
    {
        auto const troubled = std::ranges::any_of(troubled_states, [&](auto const& state) {
            return state.has(one, now);
        });
        (troubled ? chosen : others).push_back(&one);
    }
    most = std::min(most, others.size());
    auto const end = others.begin() + static_cast<std::ptrdiff_t>(most);
    std::ranges::partial_sort(others, end, [](auto const* a, auto const* b) {
        return std::tie(b->issued.value, a->name) < std::tie(a->issued.value, b->name);
    });
    chosen.insert(chosen.end(), others.begin(), end);
    std::ranges::sort(
        chosen, {}, [](auto const* one) -> auto const& { return one->name; }
    );
    return chosen;
}

/// How long the numbers of each series last; a series without a forecast has no line.
void add_forecasts(families& all, series_pointers const& chosen)
{
    auto days = gauge(
        "gapless_series_days_left",
        "For how many days the remaining numbers last, as likely more as less."
    );
    auto days_p10 =
        gauge("gapless_series_days_left_p10", "The same; they last shorter in one of ten cases.");
    auto days_p90 =
        gauge("gapless_series_days_left_p90", "The same; they last longer in one of ten cases.");
    auto order_by = gauge(
        "gapless_series_order_by_timestamp_seconds",
        "When the day begins (UTC) on which the next block has to be ordered, in seconds since "
        "1970."
    );
    for (auto const* series : chosen)
    {
        auto const& ahead = series->forecast;
        if (!ahead.days_left)
            continue;
        labels const name{{"series", series->name}};
        add_value(days, ahead.days_left->value, name);
        add_value(days_p10, ahead.days_left_p10->value, name);
        add_value(days_p90, ahead.days_left_p90->value, name);
        if (ahead.order_by)
            add_value(order_by, to_seconds(*ahead.order_by), name);
    }
    for (auto* family : {&days, &days_p10, &days_p90, &order_by})
        all.push_back(std::move(*family));
}

/// What this instance has in reserve for an outage of the database.
void add_reserve(families& all, service_figures const& service)
{
    auto const& reserve = service.reserve;
    auto numbers = gauge(
        "gapless_reserve_numbers",
        "Numbers that this instance can issue while the database is away."
    );
    auto serves =
        gauge("gapless_reserve_serves", "1 while it may issue them, should the database go.");
    auto seconds = gauge("gapless_reserve_seconds_left", "For how long they last at today's rate.");
    for (auto const& series : reserve.series)
    {
        labels const name{{"series", series.series}};
        add_value(numbers, static_cast<double>(series.rest), name);
        add_value(serves, series.serves ? 1 : 0, name);
        auto const known =
            std::ranges::find(service.series, series.series, &series::watched_series::name);
        if (known == service.series.end())
            continue;
        if (auto const left = reserve_lasts(series.rest, known->used_a_day))
            add_value(seconds, static_cast<double>(left->count()), name);
    }
    for (auto* family : {&numbers, &serves, &seconds})
        all.push_back(std::move(*family));
    add_counter(
        all,
        "gapless_reserve_answers_total",
        "Issue requests that were answered while the database was away.",
        reserve.answers
    );
    add_gauge(
        all,
        "gapless_reserve_draws",
        "1 while the database is away and this instance issues from its reserve.",
        reserve.cut ? 1 : 0
    );
    add_gauge(
        all,
        "gapless_lease_unsettled",
        "Answers from the reserve that the database does not know yet.",
        static_cast<double>(reserve.unsettled)
    );
    add_gauge(
        all,
        "gapless_reserve_tokens_left_out",
        "Tokens that are not trusted while the database is away, because there are too many.",
        static_cast<double>(reserve.tokens_left_out)
    );
}

/// Totals over all series, whether or not they have lines of their own.
void add_all_series(families& all, service_figures const& service, series_moment now)
{
    double issued{};
    double remaining{};
    double on_lease{};
    std::array<int, troubled_states.size()> counts{};
    for (auto const& one : service.series)
    {
        issued += static_cast<double>(one.issued.value);
        remaining += to_double(one.remaining);
        on_lease += static_cast<double>(one.on_lease.value);
        for (std::size_t n = 0; n < counts.size(); ++n)
            counts[n] += troubled_states[n].has(one, now) ? 1 : 0;
    }
    add_gauge(
        all, "gapless_all_series", "Series there are.", static_cast<double>(service.series.size())
    );
    add_gauge(all, "gapless_all_series_issued", "Numbers issued so far, of all series.", issued);
    add_gauge(
        all,
        "gapless_all_series_remaining",
        "Numbers that can still be issued, of all series.",
        remaining
    );
    add_gauge(
        all,
        "gapless_all_series_on_lease",
        "Numbers that instances have for the time when the database is away, of all series.",
        on_lease
    );
    auto& family = add_family(
        all,
        MetricType::Gauge,
        "gapless_series_in_state",
        "Series that somebody has to see to: no number left, fewer than low_water, the next block "
        "to be ordered, paused, numbers on lease not brought back in time."
    );
    for (std::size_t n = 0; n < counts.size(); ++n)
        add_value(family, counts[n], {{"state", troubled_states[n].name}});
}

/// How old figures of series may be. Alerts take the maximum over instances: one that is cut off
/// from the database would hide from all that a series runs low. Looks are up to two minutes apart.
constexpr std::chrono::minutes series_age_max{3};

/// Figures of the series, as read from the database. A series without a figure has no line for it.
void add_series(families& all, service_figures const& service)
{
    add_all_series(all, service, *service.series_read);
    auto const chosen = choose_series(service, *service.series_read, service.series_lines);
    auto issued = gauge("gapless_series_issued", "Numbers issued so far.");
    auto remaining = gauge("gapless_series_remaining", "Numbers that can still be issued.");
    auto low_water = gauge(
        "gapless_series_low_water",
        "Below so many remaining numbers an operator wants to be warned."
    );
    auto paused = gauge("gapless_series_paused", "1 while an operator paused it.");
    auto on_lease = gauge(
        "gapless_series_on_lease",
        "Numbers that instances have for the time when the database is away."
    );
    auto overdue = gauge(
        "gapless_series_overdue",
        "Of them, those of instances that should have settled and returned them by now."
    );
    for (auto const* series : chosen)
    {
        labels const name{{"series", series->name}};
        add_value(issued, static_cast<double>(series->issued.value), name);
        add_value(remaining, to_double(series->remaining), name);
        if (series->low_water)
            add_value(low_water, static_cast<double>(series->low_water->value), name);
        add_value(paused, series->paused ? 1 : 0, name);
        add_value(on_lease, static_cast<double>(series->on_lease.value), name);
        add_value(overdue, static_cast<double>(series->overdue), name);
    }
    for (auto* family : {&issued, &remaining, &low_water, &paused, &on_lease, &overdue})
        all.push_back(std::move(*family));
    add_forecasts(all, chosen);
}

}  // namespace

std::string to_metrics(
    http_counters const& http,
    service_figures const& service,
    std::chrono::system_clock::time_point started,
    std::chrono::system_clock::time_point now
)
{
    families all;
    add_http(all, http);
    add_issuing(all, service);
    add_checks(all, service);
    if (service.series_read && now - *service.series_read <= series_age_max)
        add_series(all, service);
    if (service.series_read)
        add_gauge(
            all,
            "gapless_series_read_time_seconds",
            "When the figures of the series were read from the database, in seconds since 1970.",
            to_seconds(*service.series_read)
        );
    add_reserve(all, service);
    add_gauge(
        all,
        "gapless_notice_waiters",
        "Requests that wait for notices.",
        static_cast<double>(service.notice_waiters)
    );
    add_counter(
        all,
        "gapless_log_lines_lost_total",
        "Log lines lost because nobody read standard error fast enough.",
        lost_log_lines()
    );
    auto& build = add_family(
        all, MetricType::Gauge, "gapless_build_info", "1, with the version of the program."
    );
    add_value(build, 1, {{"version", GAPLESS_VERSION}});
    add_gauge(
        all,
        "process_start_time_seconds",
        "When the service started, in seconds since 1970.",
        to_seconds(started)
    );
    add_gauge(all, "process_resident_memory_bytes", "Memory the process has.", resident_bytes());
    return prometheus::TextSerializer{}.Serialize(all);
}

}  // namespace gapless
