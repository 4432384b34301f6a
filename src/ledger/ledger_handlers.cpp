#include "ledger/ledger_handlers.hpp"

#include "base/json_writer.hpp"
#include "base/messages.hpp"
#include "formats/number_completion.hpp"
#include "http/request_body.hpp"
#include "ledger/ledger_json.hpp"
#include "ledger/list_numbers.hpp"
#include "ledger/period.hpp"

#include <fmt/format.h>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// The requested numbers, and how those that are not whole were completed.
struct asked_range
{
    std::optional<serial_range> serials;
    std::string completed;
};

/// The numbers between these two; both or neither must be given.
result<asked_range> read_serials(series_entry const& series, queries::ledger_query const& query)
{
    if (query.first_number.has_value() != query.last_number.has_value())
        return refusal{refusal_kind::malformed_request, "Give both first_number and last_number."};
    asked_range asked;
    if (!query.first_number)
        return asked;
    auto const read = [&](std::string const& text) -> result<std::int64_t> {
        auto const found = complete_number(series.format, text);
        if (found.fits.empty())
            return refusal{
                refusal_kind::unknown_number,
                fmt::format(
                    "'{}' is not a number of series '{}': {}",
                    printable(text),
                    series.name,
                    found.reason
                )};
        auto told = found.reason.empty() ? std::string{} : to_text(text, found.fits);
        if (found.fits.size() > 1)
            return refusal{refusal_kind::out_of_range, told + ": give the whole number"};
        if (!told.empty())
            asked.completed += (asked.completed.empty() ? "" : "; ") + std::move(told);
        return found.fits.front().read.serial;
    };
    auto const first = read(*query.first_number);
    if (first.has_error())
        return first.error();
    auto const last = read(*query.last_number);
    if (last.has_error())
        return last.error();
    if (*last < *first)
        return refusal{
            refusal_kind::out_of_range,
            fmt::format("{} is before {}", *query.last_number, *query.first_number)};
    asked.serials = {*first, *last};
    return asked;
}

result<ledger_page> read_page(
    queries::ledger_query const& query, std::optional<serial_range> const& serials
)
{
    auto const issued = read_period(query.from, query.to);
    if (issued.has_error())
        return issued.error();
    ledger_page page;
    page.serials = serials;
    page.last = query.last.value_or(false);
    if (query.block)
        page.block_id = static_cast<std::int32_t>(*query.block);
    page.after = query.after;
    page.limit = static_cast<std::int32_t>(query.limit);
    page.reference = query.reference;
    page.issued = *issued;
    return page;
}

/// The Link field for the rows after this ordinal, with the same conditions.
std::string link_to_next(exchange const& current, ledger_page const& page, std::int64_t after)
{
    std::string link{"</v1/series/"};
    append_percent_encoded(link, current.series->name);
    link += "/issuances?after=";
    append_decimal(link, after);
    link += "&limit=";
    append_decimal(link, page.limit);
    for (std::string_view const name :
         {"reference", "from", "to", "block", "last", "first_number", "last_number", "excel"})
        if (auto const value = current.query.find(name))
        {
            link.append("&").append(name).append("=");
            append_percent_encoded(link, *value);
        }
    return link + R"(>; rel="next")";
}

/// The numbers of these rows as CSV: of a page if the query has a limit, else all.
asio::awaitable<result<void>> write_numbers(
    exchange& current, ledger_page const page, csv_style const style
)
{
    auto const whole = !current.query.find("limit");
    cases::list_numbers wanted{
        .series = current.series, .page = page, .whole = whole, .style = style};
    auto listed = co_await current.service<record_service>().read(std::move(wanted));
    if (listed.has_error())
        co_return listed.error();
    current.out.content_type = media_type::csv;
    current.out.body = std::move(listed->csv);
    if (listed->next)
        current.out.link = link_to_next(current, page, *listed->next);
    co_return result<void>{};
}

}  // namespace

asio::awaitable<result<void>> get_ledger(exchange& current)
{
    auto const query = read_query<queries::ledger_query>(current);
    if (query.has_error())
        co_return query.error();
    auto const asked = read_serials(*current.series, *query);
    if (asked.has_error())
        co_return asked.error();
    auto const page = read_page(*query, asked->serials);
    if (page.has_error())
        co_return page.error();
    csv_style const style{.excel = query->excel};
    if (current.head.prefers_csv)
        co_return co_await write_numbers(current, *page, style);
    cases::read_ledger wanted{current.series, *page};
    auto const found = co_await current.service<record_service>().read(std::move(wanted));
    if (found.has_error())
        co_return found.error();
    auto& json = current.out.body;
    json += R"({"items":[)";
    for (auto const& row : found->rows)
    {
        if (json.back() != '[')
            json += ',';
        append_ledger_row(*current.series, row, json);
    }
    json += R"(],"next":)";
    if (found->next)
    {
        append_quoted_decimal(json, *found->next);
        current.out.link = link_to_next(current, *page, *found->next);
    }
    else
        json += "null";
    if (!asked->completed.empty())
        append_text(json, "completed", tell(asked->completed, current.head.text_language).text);
    json += '}';
    co_return result<void>{};
}

}  // namespace gapless
