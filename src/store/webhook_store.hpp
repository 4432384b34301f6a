#pragma once

#include "domain/webhook.hpp"
#include "store/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Webhooks as administrators keep them. Each call refuses with unauthenticated and forbidden; a
/// token that is for some series knows only webhooks that are for no others.
namespace gapless {

/// Which webhooks are wanted; none: all.
struct webhook_page
{
    std::optional<std::int32_t> id{};
    std::optional<std::int32_t> after{};  // those with higher ids
    std::optional<std::int32_t> limit{};  // none: 1,000, which is as many as there can be
};

/// A webhook that was just created, or has a new secret: its id, and the secret, which is nowhere
/// else.
struct webhook_secret
{
    std::int32_t webhook_id{};
    std::string text;  // "whsec_…"
};

/// Webhooks by id.
std::vector<webhook_record> read_webhooks(
    pqxx::transaction_base& transaction, webhook_page const& page
);

/// Creates a webhook for what is published from now on. Refuses with unknown_series, out_of_range
/// (too many, a URL or a kind that is none).
webhook_secret create_webhook(
    pqxx::transaction_base& transaction, webhook_draft const& draft, std::string const& actor
);

/// Gives a webhook another secret; the one before signs as well for a day. Refuses with not_found,
/// here and below.
webhook_secret rotate_webhook(
    pqxx::transaction_base& transaction, std::int32_t webhook_id, std::string const& actor
);

/// Has all that waits delivered now, also by one that is dead; repeatable.
void retry_webhook(
    pqxx::transaction_base& transaction, std::int32_t webhook_id, std::string const& actor
);

/// Has a test delivered, once.
void test_webhook(
    pqxx::transaction_base& transaction, std::int32_t webhook_id, std::string const& actor
);

/// Deletes a webhook with all that it has not delivered.
void delete_webhook(
    pqxx::transaction_base& transaction, std::int32_t webhook_id, std::string const& actor
);

}  // namespace gapless
