#include "numbers/issue_handlers.hpp"

#include "access/token_service.hpp"
#include "base/idempotency_key.hpp"
#include "http/request_body.hpp"
#include "issuing/issuing_service.hpp"
#include "numbers/issuance_handlers.hpp"
#include "numbers/number_cases.hpp"
#include "numbers/settled_issuance.hpp"
#include "postgres/record_service.hpp"

namespace gapless {

namespace asio = boost::asio;

namespace {

result<issue_request> read_issue_request(exchange const& current)
{
    if (!current.head.idempotency_key)
        return refusal{
            refusal_kind::idempotency_key_missing,
            "Send the header field Idempotency-Key, your name for this request such as "
            "order-4711/1, and "
            "the same one when you repeat it."};
    auto const key = read_idempotency_key(*current.head.idempotency_key);
    if (key.has_error())
        return key.error();

    // An empty body does not mean one number: its client may have asked for many, or for a hold.
    if (current.body.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return refusal{
            refusal_kind::malformed_request,
            "The request has no body; for one number without anything else send {}."};

    auto body = read_body<bodies::issue_request>(current);
    if (body.has_error())
        return body.error();
    if (auto const checked = check_reference(body->reference); checked.has_error())
        return checked.error();
    issue_request wanted{
        .series_id = current.series->series_id,
        .owner_id = current.who->owner_id,
        .key = *key,
        .count = static_cast<std::int32_t>(body->count),
        .contiguous = body->contiguous.value_or(false),
        .reference = std::move(body->reference)};
    if (body->hold_seconds)
        wanted.hold_seconds = static_cast<std::int32_t>(*body->hold_seconds);
    return wanted;
}

/// True if no number was issued. Where nobody knows, the numbers stay taken.
bool takes_nothing(result<issuance> const& issued) noexcept
{
    return issued.has_error() ? issued.error().kind != refusal_kind::outcome_unknown
                              : issued->replayed && !issued->in_doubt;
}

}  // namespace

asio::awaitable<result<void>> post_numbers(exchange& current)
{
    auto const style = read_listing(current);
    if (style.has_error())
        co_return style.error();
    auto wanted = read_issue_request(current);
    if (wanted.has_error())
        co_return wanted.error();

    auto& records = current.service<record_service>();
    if (auto const acted_at = records.acted_at(wanted->owner_id, wanted->key))
    {
        // Another instance may have issued under it all the same; it then has numbers.
        auto const spent =
            co_await records.read(cases::find_spent_key{wanted->owner_id, wanted->key});
        if (spent.has_error())
            co_return spent.error();
        if (!*spent)
            co_return refusal{// worded as in gapless.key_reused
                              refusal_kind::idempotency_key_reused,
                              "the key was spent on another request at " + to_rfc3339(*acted_at) +
                                  ", which differs in: path; use a new key for a new request"};
    }

    auto& tokens = current.service<token_service>();
    quota_share share;
    if (current.who->limits.daily_quota > 0)
    {
        auto const taken = co_await tokens.take_quota(current.who, *wanted);
        if (taken.has_error())
            co_return taken.error();
        share = *taken;
    }
    auto const issued = co_await issue(current.service<issuing_service>(), std::move(*wanted));
    if (takes_nothing(issued))
        tokens.give_back(share);
    if (issued.has_error())
        co_return issued.error();
    if (issued->ranges.empty())
        co_return refuse_settled(*issued, current.series->format);

    current.out.status = 201;
    current.out.replayed = issued->replayed;
    current.out.location = "/v1/issuances/";
    append_id(*issued, current.out.location);
    write_issuance(current, *current.series, *issued, *style);
    co_return result<void>{};
}

}  // namespace gapless
