#include "numbers/issuance_handlers.hpp"

#include "formats/listed_rest.hpp"
#include "http/request_body.hpp"
#include "http/series_lookup.hpp"
#include "numbers/number_cases.hpp"
#include "numbers/settled_issuance.hpp"

namespace gapless {

namespace asio = boost::asio;

namespace {

/// The runs of serials in a body; empty: everything still held.
result<std::vector<serial_range>> read_settled(exchange const& current, series_entry const& series)
{
    auto const wanted = read_body<bodies::settlement>(current);
    if (wanted.has_error())
        return wanted.error();
    if (!wanted->ranges)
        return std::vector<serial_range>{};
    return numbers::read_serial_ranges(series, *wanted->ranges);
}

asio::awaitable<result<void>> settle(exchange& current, settlement what)
{
    auto const style = read_listing(current);
    if (style.has_error())
        co_return style.error();
    auto const held = co_await find_issuance(current);
    if (held.has_error())
        co_return held.error();
    auto identity = read_identity(current);
    if (identity.has_error())
        co_return identity.error();
    std::string name{held->series};
    auto const series = co_await current.service<series_lookup>().find_series(std::move(name));
    if (series.has_error())
        co_return series.error();
    auto ranges = read_settled(current, **series);
    if (ranges.has_error())
        co_return ranges.error();

    auto const id = *read_issuance_id(current.path[0]);
    auto const csv = current.head.prefers_csv;
    renderer<cases::settled_hold> render =
        [known = *series, style = *style, csv](cases::settled_hold const& settled) {
            auto const& now = settled.issuance.value;
            kept_answer made{.status = 200, .location = {}, .body = {}};
            if (csv)
                append_csv(*known, now, made.body, style.csv);
            else
                append_issuance(*known, now, style.numbers, made.body);
            return made;
        };
    auto by = current.by(*identity);
    by.series_id = id.series_id;
    cases::settle_hold settling{id, std::move(*ranges), what};
    auto settled = co_await current.service<record_service>().act(
        std::move(settling), std::move(by), std::move(render)
    );
    if (settled.has_error() && settled.error().kind == refusal_kind::issuance_settled)
    {
        // Final: what is gone never comes back.
        auto const now = co_await find_issuance(current);
        if (now.has_error())
            co_return now.error();
        co_return refuse_settled(now->value, (*series)->format);
    }
    if (settled.has_error())
        co_return settled.error();
    if (csv)
        current.out.content_type = media_type::csv;
    write_kept(current, std::move(*settled));
    co_return result<void>{};
}

}  // namespace

asio::awaitable<result<issuance_record>> find_issuance(exchange& current)
{
    auto const id = read_issuance_id(current.path[0]);
    if (!id)
        co_return unknown_issuance({});
    cases::read_issuance const wanted{*id};
    auto found = co_await current.service<record_service>().read(wanted);
    if (found.has_error() && found.error().kind == refusal_kind::unknown_issuance)
        co_return unknown_issuance(*id);
    if (found.has_value() && !current.who->sees(found->series))
        co_return unknown_issuance(*id);
    co_return found;
}

refusal unknown_issuance(issuance_id const& id)
{
    std::string detail{
        "No issuance of this id is visible to this token. The answer that issued it has the id; "
        "GET /v1/series/SERIES/issuances?reference=TEXT finds it by its reference."};
    if (id.reserve)
        detail += " What was issued from a reserve is visible once it is settled: repeat later.";
    return {refusal_kind::unknown_issuance, std::move(detail)};
}

result<listing_style> read_listing(exchange const& current)
{
    auto const query = read_query<queries::issuance_query>(current);
    if (query.has_error())
        return query.error();
    listing_style style{.csv = {.excel = query->excel}};
    if (query->numbers)
        style.numbers = *query->numbers ? listing::all : listing::none;
    return style;
}

void write_issuance(
    exchange& current, series_entry const& series, issuance const& value, listing_style style
)
{
    auto& out = current.out;
    auto const csv = current.head.prefers_csv;
    if (csv)
        out.content_type = media_type::csv;
    auto list = csv ? begin_csv(series, value, out.body, style.csv)
                    : begin_issuance(series, value, style.numbers, out.body);
    if (list)
        out.rest = std::make_unique<listed_rest>(std::move(*list));
}

asio::awaitable<result<void>> get_issuance(exchange& current)
{
    auto const style = read_listing(current);
    if (style.has_error())
        co_return style.error();
    auto const found = co_await find_issuance(current);
    if (found.has_error())
        co_return found.error();
    std::string name{found->series};
    auto const series = co_await current.service<series_lookup>().find_series(std::move(name));
    if (series.has_error())
        co_return series.error();
    write_issuance(current, **series, found->value, *style);
    co_return result<void>{};
}

asio::awaitable<result<void>> post_confirmation(exchange& current)
{
    return settle(current, settlement::confirm);
}

asio::awaitable<result<void>> post_release(exchange& current)
{
    return settle(current, settlement::release);
}

}  // namespace gapless
