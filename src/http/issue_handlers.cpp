#include "http/issue_handlers.hpp"

#include "domain/idempotency_key.hpp"
#include "domain/issuance_id.hpp"
#include "domain/limits.hpp"
#include "http/issuance_json.hpp"
#include "http/request_body.hpp"

#include <array>

namespace gapless {

namespace asio = boost::asio;

namespace {

result<issue_request> read_issue_request(exchange const& current)
{
    if (!current.head.idempotency_key)
        return refusal{
            refusal_kind::idempotency_key_missing,
            "Send an Idempotency-Key of your own and repeat it when you repeat the request."};
    auto const key = read_idempotency_key(*current.head.idempotency_key);
    if (key.has_error())
        return key.error();

    std::optional<std::int64_t> count;
    std::optional<std::string> reference;
    std::optional<bool> contiguous;
    std::array<json_field, 3> const fields{
        {{"count", &count}, {"reference", &reference}, {"contiguous", &contiguous}}};
    if (auto const read = read_body(current, fields); read.has_error())
        return read.error();
    if (count && (*count < 1 || *count > count_max))
        return refusal{
            refusal_kind::out_of_range,
            "The field \"count\" has to be 1 to " + std::to_string(count_max) + "."};
    if (auto const checked = check_reference(reference); checked.has_error())
        return checked.error();
    return issue_request{
        .series_id = current.series->series_id,
        .owner_id = current.who->owner_id,
        .key = *key,
        .count = static_cast<std::int32_t>(count.value_or(1)),
        .contiguous = contiguous.value_or(false),
        .reference = std::move(reference)};
}

/// How the client wants the numbers.
result<listing> read_listing(exchange const& current)
{
    auto const wanted = current.query.read_truth("numbers");
    if (wanted.has_error())
        return wanted.error();
    if (!*wanted)
        return listing::usual;
    return **wanted ? listing::all : listing::none;
}

void write_issuance(
    exchange& current, series_entry const& series, issuance const& value, listing numbers
)
{
    if (current.head.prefers_csv)
    {
        current.out.content_type = media_type::csv;
        append_csv(series, value, current.out.body);
        return;
    }
    append_issuance(series, value, numbers, current.out.body);
}

refusal unknown_issuance()
{
    return {refusal_kind::unknown_issuance, "No issuance of this id is visible to this token."};
}

}  // namespace

asio::awaitable<result<void>> post_numbers(exchange& current)
{
    auto const numbers = read_listing(current);
    if (numbers.has_error())
        co_return numbers.error();
    auto wanted = read_issue_request(current);
    if (wanted.has_error())
        co_return wanted.error();

    auto& service = current.service();
    auto const issued = co_await issue(service, std::move(*wanted));
    if (issued.has_error())
        co_return issued.error();

    current.out.status = 201;
    current.out.replayed = issued->replayed;
    current.out.location = "/v1/issuances/";
    append_id(*issued, current.out.location);
    write_issuance(current, *current.series, *issued, *numbers);
    co_return result<void>{};
}

asio::awaitable<result<void>> get_issuance(exchange& current)
{
    auto const numbers = read_listing(current);
    if (numbers.has_error())
        co_return numbers.error();
    auto const id = read_issuance_id(current.path[0]);
    if (!id)
        co_return unknown_issuance();

    auto const found = co_await current.service().read_issuance(*id);
    if (found.has_error() && found.error().kind == refusal_kind::unknown_issuance)
        co_return unknown_issuance();
    if (found.has_error())
        co_return found.error();
    if (!current.who->sees(found->series))
        co_return unknown_issuance();

    series_entry const series{.series_id = found->value.series_id, .name = found->series};
    write_issuance(current, series, found->value, *numbers);
    co_return result<void>{};
}

}  // namespace gapless
