#include "http/hold_handlers.hpp"

#include "cases/numbers.hpp"
#include "http/dispatch.hpp"
#include "http/list_page.hpp"
#include "wire/record_json.hpp"

#include <algorithm>
#include <charconv>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// The place of a hold as `next` tells it: when it expires, and its issuance.
void append_place(open_hold const& hold, std::string& json)
{
    json += '"';
    append_decimal(json, hold.expires_at.time_since_epoch().count());
    json += '-';
    append_issuance_id(json, hold.issuance);
    json += '"';
}

std::optional<hold_place> read_place(std::string_view text) noexcept
{
    constexpr std::int64_t moment_max = 253'402'300'799'999'999;  // the end of the year 9999
    std::int64_t moment{};
    auto const read = std::from_chars(text.data(), text.data() + text.size(), moment);
    if (read.ec != std::errc{} || moment < 0 || moment > moment_max || *text.data() == '-' ||
        read.ptr == text.data() + text.size() || *read.ptr != '-')
        return std::nullopt;
    auto const id = read_issuance_id({read.ptr + 1, text.data() + text.size()});
    if (!id)
        return std::nullopt;
    return hold_place{database_time{std::chrono::microseconds{moment}}, *id};
}

result<hold_page> read_hold_page(exchange const& current)
{
    auto const limit = read_limit(current);
    if (limit.has_error())
        return limit.error();
    hold_page page{};
    page.limit = static_cast<std::int32_t>(*limit) + 1;  // one more tells whether more follow
    if (auto const series = current.query.find("series"))
        page.series = *series;
    if (auto const after = current.query.find("after"))
    {
        page.after = read_place(*after);
        if (!page.after)
            return refusal{
                refusal_kind::malformed_request,
                "The query parameter after has to be the next of a page before."};
    }
    return page;
}

}  // namespace

asio::awaitable<result<void>> get_holds(exchange& current)
{
    auto page = read_hold_page(current);
    if (page.has_error())
        co_return page.error();
    auto const limit = static_cast<std::size_t>(*page->limit) - 1;
    cases::list_holds wanted{std::move(*page)};
    auto const found =
        co_await current.service().records.read_for(std::move(wanted), current.by(std::nullopt));
    if (found.has_error())
        co_return found.error().kind == refusal_kind::unknown_series ? unknown_series()
                                                                     : found.error();
    auto& json = current.out.body;
    json += R"({"items":[)";
    auto const count = std::min(found->size(), limit);
    for (std::size_t n = 0; n < count; ++n)
    {
        if (n > 0)
            json += ',';
        append_open_hold((*found)[n], json);
    }
    json += R"(],"next":)";
    if (count < found->size())
        append_place((*found)[count - 1], json);
    else
        json += "null";
    json += '}';
    co_return result<void>{};
}

}  // namespace gapless
