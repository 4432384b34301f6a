#pragma once

#include "cases/access.hpp"
#include "domain/webhook.hpp"
#include "store/answer_store.hpp"
#include "store/pqxx_fwd.hpp"
#include "store/webhook_store.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Use cases of webhooks; see cases/series.hpp.
namespace gapless::cases {

/// What is wrong with the draft of a webhook, if anything is. Its URL was read before.
std::optional<draft_fault> find_fault(webhook_draft const& draft);

/// Webhooks by id, without their secrets. Refuses with forbidden.
struct list_webhooks
{
    using answer = std::vector<webhook_record>;
    webhook_page page{};

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Refuses with not_found, forbidden.
struct read_webhook
{
    using answer = webhook_record;
    std::int32_t id{};

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// The draft has no fault, and its receiver may be called. Refuses with unknown_series,
/// out_of_range (too many), forbidden.
struct create_webhook
{
    using answer = secret_webhook;
    webhook_draft draft;

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;

    /// A kept answer holds no secret, so it is rendered without.
    void leave_out_secret(answer& created) const { created.secret.clear(); }

    /// What a repeated key is told: the secret is known to nobody any more.
    refusal refuse_repetition(kept_answer const& kept) const;
};

/// Another secret; the one before signs as well for a day. Refuses with not_found, forbidden.
struct rotate_webhook
{
    using answer = secret_webhook;
    std::int32_t id{};

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
    void leave_out_secret(answer& rotated) const { rotated.secret.clear(); }
    refusal refuse_repetition(kept_answer const& kept) const;
};

/// Has all that waits delivered now, also by one that is dead; the answer is the webhook as it is
/// then. Repeatable. Refuses with not_found, forbidden.
struct retry_webhook
{
    using answer = webhook_record;
    std::int32_t id{};

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

/// The same with a test. Refuses with not_found, forbidden.
struct test_webhook
{
    using answer = webhook_record;
    std::int32_t id{};

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

/// The answer is the webhook's id. Refuses with not_found, also the second time, and forbidden.
struct delete_webhook
{
    using answer = std::int32_t;
    std::int32_t id{};

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

}  // namespace gapless::cases
