#include "ledger/manifest_handlers.hpp"

#include "base/json_writer.hpp"
#include "formats/listed_rest.hpp"
#include "formats/series_entry.hpp"
#include "http/request_body.hpp"
#include "ledger/manifest_cases.hpp"

#include <algorithm>

namespace gapless {

namespace asio = boost::asio;

void bodies::check(manifest_draft const& wanted)
{
    if (!cases::is_day(wanted.date))
        throw wrong_field{
            refusal_kind::malformed_request,
            " has to be a date like 2026-11-20",
            name_of(&manifest_draft::date)};
}

namespace {

/// The runs as a list accepts them, each with a limited count.
std::vector<issued_range> to_ranges(std::vector<serial_range> const& runs)
{
    constexpr std::int64_t numbers_max = 1'000'000'000;
    std::vector<issued_range> ranges;
    ranges.reserve(runs.size());
    for (auto const& run : runs)
        for (auto first = run.first; first <= run.last;)
        {
            auto const count = std::min(numbers_max, run.last - first + 1);
            ranges.push_back({.count = static_cast<std::int32_t>(count), .serial = first});
            first += count;
        }
    return ranges;
}

void write_manifest(
    exchange& current,
    std::string_view day,
    cases::manifest_record const& record,
    csv_style const& style
)
{
    auto const& series = *current.series;
    auto& out = current.out;
    auto ranges = to_ranges(record.runs);
    if (current.head.prefers_csv)
    {
        out.content_type = media_type::csv;
        out.body += style.start();
        out.rest = std::make_unique<listed_rest>(number_list{
            series.format, std::move(ranges), lines_of(style), {}});
        return;
    }
    out.body += '{';
    append_text(out.body, "series", series.name);
    append_text(out.body, "date", day);
    append_name(out.body, "count") += std::to_string(record.count);
    append_name(out.body, "numbers") += '[';
    out.rest = std::make_unique<listed_rest>(number_list{
        series.format, std::move(ranges), numbers_in_json, "]}"});
}

/// Only the status is kept under a key: the numbers are on the manifest.
kept_answer to_kept(cases::closed_day const& closed)
{
    return {.status = closed.is_new ? 201 : 200, .location = {}, .body = {}};
}

}  // namespace

asio::awaitable<result<void>> post_manifest(exchange& current)
{
    auto const query = read_query<queries::manifest_query>(current);
    if (query.has_error())
        co_return query.error();
    auto const asked = read_body<bodies::manifest_draft>(current);
    if (asked.has_error())
        co_return asked.error();
    auto identity = read_identity(current);
    if (identity.has_error())
        co_return identity.error();
    days::day_name const named{.series = current.series->name, .date = asked->date};
    renderer<cases::closed_day> render{to_kept};
    cases::close_day close{named};
    auto made = co_await current.service<record_service>().act(
        std::move(close), current.by(*identity), std::move(render)
    );
    if (made.has_error())
        co_return made.error();
    cases::read_manifest wanted{named};
    auto const found = co_await current.service<record_service>().read(std::move(wanted));
    if (found.has_error())  // not its own refusal, which would say that nothing was done
        co_return refusal{
            refusal_kind::outcome_unknown,
            "The day is closed, but its manifest could not be read: " + found.error().detail};
    write_kept(current, std::move(*made));
    write_manifest(current, asked->date, *found, {.excel = query->excel});
    co_return result<void>{};
}

asio::awaitable<result<void>> get_manifest(exchange& current)
{
    auto const query = read_query<queries::manifest_query>(current);
    if (query.has_error())
        co_return query.error();
    std::string const day{current.path[1]};
    if (!cases::is_day(day))
        co_return refusal{
            refusal_kind::not_found, "A manifest is named by its day, like 2026-11-20."};
    cases::read_manifest wanted{{.series = current.series->name, .date = day}};
    auto const found = co_await current.service<record_service>().read(std::move(wanted));
    if (found.has_error())
        co_return found.error();
    write_manifest(current, day, *found, {.excel = query->excel});
    co_return result<void>{};
}

}  // namespace gapless
