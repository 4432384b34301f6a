#pragma once

#include "notices/notice.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"
#include "webhooks/webhook_url.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// Records of the webhook operations.
namespace gapless::webhooks {

/// One of notice_kinds.
struct notice_kind
{
    std::string name;

    friend bool operator==(notice_kind const&, notice_kind const&) = default;
};

std::string_view text_of(notice_kind const& kind) noexcept;

/// Refuses with out_of_range what is not a kind of notice.
result<notice_kind> read_text(std::string_view text, std::type_identity<notice_kind>);

void append_schema(std::string& json, std::type_identity<notice_kind>);

enum class webhook_state
{
    active = 1,
    failing,  // the last attempt failed, and another will follow
    dead,     // nothing is sent until a retry is requested
};
BOOST_DESCRIBE_ENUM(webhook_state, active, failing, dead)

struct webhook
{
    record_id id;
    std::string url;
    std::optional<std::vector<std::string>> kinds;  // not notice_kind: the database may know more
    std::optional<std::vector<std::string>> series;
    webhook_state state{webhook_state::active};
    quoted<std::int64_t> after;
    quoted<std::int64_t> pending;
    std::optional<std::string> last_error;
    std::optional<database_time> next_attempt_at;
    std::optional<database_time> last_delivered_at;
    std::optional<database_time> tested_at;
    std::optional<std::int32_t> test_status;
    std::optional<database_time> old_secret_until;
    std::optional<std::string> environment;
    database_time created_at;
    std::string created_by;
};
GAPLESS_RECORD(
    webhook,
    (),
    (id, "Id of the webhook."),
    (url, "Where notices are delivered to."),
    (kinds, "Null: every kind."),
    (series, "Null: every series, and notices that concern none."),
    (state,
     "failing: the last attempt failed, another follows; dead: nothing follows before a retry."),
    (after, "Notices up to this seq were delivered, or not wanted.", .in_table = false),
    (pending, "Notices still to be delivered, of the next 10000; in a long list, of fewer."),
    (last_error, "Why the last attempt failed."),
    (next_attempt_at, "Null: nothing waits, or it is dead."),
    (last_delivered_at, "Null: nothing was delivered yet.", .in_table = false),
    (tested_at, "When the latest test ended. Null: none did.", .in_table = false),
    (test_status,
     "The HTTP status that the receiver gave to it, 2xx for a delivery. Null: no answer, and "
     "last_error says why.",
     .in_table = false),
    (old_secret_until, "Until then the secret before signs as well.", .in_table = false),
    (environment,
     "It delivers from a database of this environment only; a retry makes it the present one.",
     .in_table = false),
    (created_at, "When it was created.", .in_table = false),
    (created_by, "Who created it.", .in_table = false)
)

/// A webhook with its newly generated secret.
struct new_webhook : webhook
{
    gapless::secret secret;
};
GAPLESS_RECORD(new_webhook, (webhook), (secret, "whsec_ and the Base64 of the key that signs."))

/// The value of the header field Authorization. Never shown.
struct credentials
{
    std::string text;
};

inline std::string_view text_of(credentials const& value) noexcept
{
    return value.text;
}

/// Refuses with out_of_range anything but 1 to 1,000 visible ASCII characters, with blanks only in
/// between.
result<credentials> read_text(std::string_view text, std::type_identity<credentials>);

void append_schema(std::string& json, std::type_identity<credentials>);

struct webhook_draft
{
    webhook_url url;
    std::optional<distinct<notice_kind>> kinds;
    std::optional<distinct<std::string>> series;
    std::optional<credentials> authorization;
};
GAPLESS_RECORD(
    webhook_draft,
    (),
    (url,
     "https://host[:port][/path][?query]; http within webhook_networks. No user, no fragment.",
     .option = "URL",
     .help = "Where notices are delivered to: https://…"),
    (kinds,
     "Null: every kind.",
     .option = "--kind",
     .help = "For these kinds of notices only, with commas between"),
    (series,
     "Null: every series, and notices that concern none.",
     .help = "For these series only, with commas between"),
    (authorization,
     "Sent with each delivery as the header field Authorization; never shown.",
     .value = "FILE",
     .help = "Send what this file holds as the header field Authorization; -: read it from stdin",
     .in_file = true)
)

/// Throws wrong_field for an empty list.
void check(webhook_draft const& draft);

struct webhook_id
{
    record_id id;
};
GAPLESS_RECORD(webhook_id, (), (id, "Id of the webhook."))

struct webhook_retry
{
    record_id id;
    std::optional<quoted<std::int64_t>> after;
};
GAPLESS_RECORD(
    webhook_retry,
    (),
    (id, "Id of the webhook."),
    (after,
     "Gives up what was not delivered up to this seq. Null: nothing.",
     .value = "SEQ",
     .help = "Give up what was not delivered up to this seq")
)

}  // namespace gapless::webhooks

namespace gapless {

// webhook_url.hpp does not depend on records, so webhook_url is made readable here.

inline std::string_view text_of(webhook_url const& url) noexcept
{
    return url.text;
}

inline result<webhook_url> read_text(std::string_view text, std::type_identity<webhook_url>)
{
    return read_webhook_url(text);
}

inline void append_schema(std::string& json, std::type_identity<webhook_url>)
{
    json += R"("type":"string","minLength":1,"maxLength":)";
    json += std::to_string(webhook_url_bytes_max);
}

}  // namespace gapless
