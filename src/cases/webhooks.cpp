#include "cases/webhooks.hpp"

#include "base/contract.hpp"
#include "domain/written_value.hpp"

#include <fmt/format.h>

namespace gapless::cases {

namespace {

/// The webhook that an act of this transaction left.
result<webhook_record> find_webhook(pqxx::transaction_base& transaction, std::int32_t id)
{
    auto found = read_webhooks(transaction, {.id = id});
    if (found.empty())
        return refusal{refusal_kind::not_found, fmt::format("there is no webhook {}", id)};
    return std::move(found.front());
}

secret_webhook with_secret(pqxx::transaction_base& transaction, webhook_secret made)
{
    auto found = find_webhook(transaction, made.webhook_id);
    ensure(found.has_value(), "a webhook that was changed can be read");
    return {std::move(*found), std::move(made.text)};
}

}  // namespace

std::optional<draft_fault> find_fault(webhook_draft const& draft)
{
    if (draft.kinds && draft.kinds->empty())
        return draft_fault{"kinds", "name one kind or several; without any, it is for all"};
    if (draft.kinds)
        for (auto const& kind : *draft.kinds)
            if (!is_notice_kind(kind))
                return draft_fault{
                    "kinds", fmt::format("{} is no kind of notice", written::to_quoted(kind))};
    if (draft.series && draft.series->empty())
        return draft_fault{"series", "name one series or several; without any, it is for all"};
    return std::nullopt;
}

result<std::vector<webhook_record>> list_webhooks::run(pqxx::transaction_base& transaction) const
{
    return read_webhooks(transaction, page);
}

result<webhook_record> read_webhook::run(pqxx::transaction_base& transaction) const
{
    return find_webhook(transaction, id);
}

result<secret_webhook> create_webhook::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    return with_secret(transaction, gapless::create_webhook(transaction, draft, actor));
}

refusal create_webhook::refuse_repetition(kept_answer const& kept) const
{
    return {
        refusal_kind::state_conflict,
        "This key created " + kept.location +
            "; its secret was shown once and is kept for signing alone. If it was lost, rotate "
            "that webhook under a new key."};
}

result<secret_webhook> rotate_webhook::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    return with_secret(transaction, gapless::rotate_webhook(transaction, id, actor));
}

refusal rotate_webhook::refuse_repetition(kept_answer const&) const
{
    return {
        refusal_kind::state_conflict,
        fmt::format(
            "This key gave webhook {} a new secret, which was shown once. If it was lost, rotate "
            "the webhook again under a new key.",
            id
        )};
}

result<webhook_record> retry_webhook::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    gapless::retry_webhook(transaction, id, actor);
    return find_webhook(transaction, id);
}

result<webhook_record> test_webhook::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    gapless::test_webhook(transaction, id, actor);
    return find_webhook(transaction, id);
}

result<std::int32_t> delete_webhook::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    gapless::delete_webhook(transaction, id, actor);
    return id;
}

}  // namespace gapless::cases
