#include "webhooks/operations.hpp"

#include "base/contract.hpp"
#include "postgres/sql.hpp"
#include "record/operates.hpp"
#include "record/refused.hpp"

#include <algorithm>
#include <fmt/format.h>

/// The SQL functions check the scope. A token limited to some series only sees webhooks that are
/// limited to these series.
namespace gapless::webhooks {

std::string_view text_of(notice_kind const& kind) noexcept
{
    return kind.name;
}

result<notice_kind> read_text(std::string_view text, std::type_identity<notice_kind>)
{
    if (!is_notice_kind(text))
        return refusal{refusal_kind::out_of_range, unknown_notice_kind(text)};
    return notice_kind{std::string{text}};
}

void append_schema(std::string& json, std::type_identity<notice_kind>)
{
    append_enum(json, notice_kinds);
}

namespace {

constexpr std::size_t credentials_characters_max = 1'000;

constexpr bool is_visible(char c) noexcept
{
    return c > ' ' && c <= '~';
}

}  // namespace

result<credentials> read_text(std::string_view text, std::type_identity<credentials>)
{
    auto const is_value =
        !text.empty() && text.size() <= credentials_characters_max && is_visible(text.front()) &&
        is_visible(text.back()) &&
        std::ranges::all_of(text, [](char c) { return c == ' ' || is_visible(c); });
    if (!is_value)
        return refusal{
            refusal_kind::out_of_range,
            "it has to be 1 to 1000 visible characters of ASCII, with blanks inside only"};
    return credentials{std::string{text}};
}

void append_schema(std::string& json, std::type_identity<credentials>)
{
    json += R"("type":"string","minLength":1,"maxLength":)";
    json += std::to_string(credentials_characters_max);
    json += R"(,"writeOnly":true)";
}

void check(webhook_draft const& draft)
{
    if (draft.kinds && draft.kinds->empty())
        throw wrong(&webhook_draft::kinds, "must not be empty; omit it to receive every kind");
    if (draft.series && draft.series->empty())
        throw wrong(&webhook_draft::series, "must not be empty; omit it to receive all series");
}

namespace {

std::vector<webhook> list(pqxx::transaction_base& database, page const& wanted)
{
    return select<webhook>(
        database,
        "select webhook_id as id, * from gapless.webhook_page(p_after => $1, p_limit => $2)",
        wanted.after_id(),
        wanted.rows()
    );
}

/// The webhook, if it exists and the token may see it.
std::optional<webhook> find(pqxx::transaction_base& database, record_id id)
{
    auto found = select<webhook>(
        database, "select webhook_id as id, * from gapless.webhook_page(p_webhook_id => $1)", id
    );
    return found.empty() ? std::nullopt : std::optional{std::move(found.front())};
}

webhook read(pqxx::transaction_base& database, webhook_id const& which)
{
    auto found = find(database, which.id);
    if (!found)
        throw refused{
            refusal_kind::not_found,
            fmt::format("there is no webhook {}; list them: gapless webhook list", which.id.value)};
    return std::move(*found);
}

/// Refuses with unknown_series and out_of_range (too many webhooks).
new_webhook create(pqxx::transaction_base& database, webhook_draft const& draft, caller const& by)
{
    auto const row = call(database, "webhook_create", draft, by)[0];
    record_id const id{row["webhook_id"].as<std::int32_t>()};
    return {read(database, {id}), {row["secret"].as<std::string>()}};
}

new_webhook rotate(pqxx::transaction_base& database, webhook_id const& which, caller const& by)
{
    auto secret = query_value<std::string>(
        database,
        "select gapless.webhook_rotate(p_webhook_id => $1, p_actor => $2)",
        which.id.value,
        by.name
    );
    return {read(database, which), {std::move(secret)}};
}

/// Refuses with out_of_range to skip notices that do not exist yet.
webhook retry(pqxx::transaction_base& database, webhook_retry const& wanted, caller const& by)
{
    execute(
        database,
        "select gapless.webhook_retry(p_webhook_id => $1, p_after => $2, p_actor => $3)",
        wanted.id.value,
        to_sql(wanted.after),
        by.name
    );
    return read(database, {wanted.id});
}

webhook test(pqxx::transaction_base& database, webhook_id const& which, caller const& by)
{
    execute(
        database,
        "select gapless.webhook_test(p_webhook_id => $1, p_actor => $2)",
        which.id.value,
        by.name
    );
    return read(database, which);
}

/// Returns the webhook as it was. SQL refuses one that does not exist, so also a second call.
webhook remove(pqxx::transaction_base& database, webhook_id const& which, caller const& by)
{
    auto was = find(database, which.id);
    execute(
        database,
        "select gapless.webhook_delete(p_webhook_id => $1, p_actor => $2)",
        which.id.value,
        by.name
    );
    ensure(was.has_value(), "a webhook that can be deleted is visible");
    return std::move(*was);
}

constexpr auto shown_with_secret = chosen_columns<
    &new_webhook::id,
    &new_webhook::url,
    &new_webhook::kinds,
    &new_webhook::series,
    &new_webhook::old_secret_until,
    &new_webhook::secret>;

constexpr std::string_view secret_shown_once{
    "this is the only time the secret is shown; the receiver checks signatures by it"};
constexpr std::string_view delivered_soon{"a running service delivers within seconds"};

// In the order of `gapless webhook --help`.
constexpr operation table[]{
    operates<&create>({
        .verb = "create",
        .method = http_method::post,
        .path = "/v1/webhooks",
        .needs = scope::admin,
        .summary = "Create a webhook; its secret is shown once",
        .description =
            "Delivers what is published from then on, as Standard Webhooks has it: POST "
            "{\"type\",\"timestamp\",\"data\"}, with webhook-id (the notice's, to notice "
            "repetitions), webhook-timestamp and webhook-signature. An answer of 2xx within ten "
            "seconds is a delivery; a redirect is not. A notice that is refused is repeated for 72 "
            "hours, not before Retry-After (of which an hour counts), and the webhook's later "
            "notices wait for it; 410 ends the webhook at once. Notices go after 90 days: if one "
            "was not delivered by then, the next says \"missed\":true. https leads to public "
            "addresses; other addresses, and http, only within webhook_networks. A repeated key is "
            "refused, and says which webhook it created. There are 1,000 webhooks at most, 100 of "
            "them of one person's tokens; at the same time 16 deliveries go to one host, and 32 "
            "for one person.",
        .status = 201,
        .repeated = "This key created {location}; its secret was shown once and is kept for "
                    "signing alone. If it was lost, rotate that webhook under a new key.",
        .done = secret_shown_once,
        .shows = shown_with_secret,
        .calls = url_in<&webhook_draft::url>,
    }),
    operates<&list>({
        .verb = "list",
        .method = http_method::get,
        .path = "/v1/webhooks",
        .needs = scope::admin,
        .summary = "Webhooks by id, without their secrets",
        .help = "List the webhooks",
    }),
    operates<&rotate>({
        .verb = "rotate",
        .method = http_method::post,
        .path = "/v1/webhooks/{id}/rotate",
        .needs = scope::admin,
        .summary = "Give a webhook another secret; it is shown once",
        .help = "Give a webhook another secret; the one before signs as well for 24 h",
        .description = "The secret before signs as well for 24 hours: webhook-signature then has "
                       "two signatures.",
        .repeated = "This key gave webhook {id} a new secret, which was shown once. If it was "
                    "lost, rotate the webhook again under a new key, and give the receiver that "
                    "secret at once: what it has then no longer signs.",
        .done = secret_shown_once,
        .shows = shown_with_secret,
    }),
    operates<&retry>({
        .verb = "retry",
        .method = http_method::post,
        .path = "/v1/webhooks/{id}/retry",
        .needs = scope::admin,
        .summary = "Deliver now what waits, also by a webhook that is dead",
        .help = "Deliver now what waits, also if the webhook is dead",
        .description = "From where it is on. With after, what was not delivered up to that seq is "
                       "given up, for ever.",
        .status = 202,
        .done = delivered_soon,
    }),
    operates<&remove>({
        .verb = "delete",
        .method = http_method::delete_,
        .path = "/v1/webhooks/{id}",
        .needs = scope::admin,
        .summary = "Delete a webhook, with all that it has not delivered",
        .help = "Delete a webhook with what it has not delivered",
        .status = 204,
        .question = "Delete webhook {id} of '{url}'? {pending} notices that it has not delivered "
                    "are given up.",
        .done = "deleted",
    }),
    operates<&read>({
        .method = http_method::get,
        .path = "/v1/webhooks/{id}",
        .needs = scope::admin,
        .summary = "A webhook, without its secret",
    }),
    operates<&test>({
        .method = http_method::post,
        .path = "/v1/webhooks/{id}/test",
        .needs = scope::admin,
        .summary = "Deliver a test",
        .description = "A delivery of the kind webhook.test, which is tried once within seconds. "
                       "Once it ended, tested_at is later than before and test_status has what the "
                       "receiver answered; last_error says how it failed.",
        .status = 202,
    }),
};

}  // namespace

std::vector<webhook> read_all(pqxx::transaction_base& database)
{
    return select<webhook>(
        database, "select webhook_id as id, * from gapless.webhook_page(p_limit => null)"
    );
}

constinit feature const administration{"webhook", "Receivers that notices are delivered to", table};

}  // namespace gapless::webhooks
