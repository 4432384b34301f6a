#include "http/json_writer.hpp"
#include "http/number_handlers.hpp"
#include "http/number_json.hpp"
#include "store/series_store.hpp"

#include <limits>

namespace gapless {

namespace asio = boost::asio;

namespace {

using namespace std::chrono;

constexpr std::int64_t rows_usual = 100;
constexpr std::int64_t rows_max = 1'000;
constexpr std::size_t date_characters = 10;

/// A moment of the query: RFC 3339, or a date, which means its first or its last microsecond.
result<std::optional<database_time>> read_moment(
    exchange const& current, std::string_view name, bool first_of_day
)
{
    auto const text = current.query.find(name);
    if (!text)
        return std::optional<database_time>{};
    auto moment = read_valid_until(*text);
    if (!moment)
        return refusal{
            refusal_kind::malformed_request,
            "The query parameter " + std::string{name} +
                " has to be a date (2026-12-31) or an RFC 3339 moment."};
    if (first_of_day && text->size() == date_characters)
        moment = floor<days>(*moment);
    return moment;
}

result<ledger_page> read_page(exchange const& current)
{
    auto const after =
        current.query.read_integer("after", 0, std::numeric_limits<std::int64_t>::max());
    if (after.has_error())
        return after.error();
    auto const limit = current.query.read_integer("limit", 1, rows_max);
    if (limit.has_error())
        return limit.error();
    auto const from = read_moment(current, "from", true);
    if (from.has_error())
        return from.error();
    auto const to = read_moment(current, "to", false);
    if (to.has_error())
        return to.error();
    ledger_page page;
    page.after = after->value_or(0);
    page.limit = static_cast<std::int32_t>(limit->value_or(rows_usual));
    if (auto const reference = current.query.find("reference"))
        page.reference = *reference;
    page.from = *from;
    page.to = *to;
    return page;
}

/// The Link field that leads to the rows after this ordinal, under the same conditions.
std::string link_to_next(exchange const& current, ledger_page const& page, std::int64_t after)
{
    std::string link{"</v1/series/"};
    append_percent_encoded(link, current.series->name);
    link += "/issuances?after=";
    append_decimal(link, after);
    link += "&limit=";
    append_decimal(link, page.limit);
    for (std::string_view const name : {"reference", "from", "to"})
        if (auto const value = current.query.find(name))
        {
            link.append("&").append(name).append("=");
            append_percent_encoded(link, *value);
        }
    return link + R"(>; rel="next")";
}

}  // namespace

asio::awaitable<result<void>> get_ledger(exchange& current)
{
    auto const page = read_page(current);
    if (page.has_error())
        co_return page.error();
    auto const rows = co_await current.service().read_ledger(current.series->series_id, *page);
    if (rows.has_error())
        co_return rows.error();
    auto& json = current.out.body;
    json += R"({"items":[)";
    for (auto const& row : *rows)
    {
        if (json.back() != '[')
            json += ',';
        append_ledger_row(*current.series, row, json);
    }
    json += R"(],"next":)";
    if (rows->size() < static_cast<std::size_t>(page->limit))
        json += "null";
    else
    {
        auto const& range = rows->back().range;
        // What was reissued under one reference may start inside an earlier range of it.
        auto const last = page->reference ? range.ordinal : range.ordinal + range.count - 1;
        append_quoted_decimal(json, last);
        current.out.link = link_to_next(current, *page, last);
    }
    json += '}';
    co_return result<void>{};
}

}  // namespace gapless
