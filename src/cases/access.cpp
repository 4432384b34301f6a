#include "cases/access.hpp"

#include "domain/moment.hpp"
#include "domain/written_value.hpp"

#include <fmt/format.h>

namespace gapless::cases {

namespace {

constexpr std::size_t name_bytes_max = 100;

bool is_within(std::optional<std::int64_t> const& number, std::int64_t least, std::int64_t most)
{
    return !number || (least <= *number && *number <= most);
}

std::string beyond(std::int64_t number, std::int64_t least, std::int64_t most)
{
    return fmt::format("{} is not {} to {}", number, least, most);
}

std::optional<draft_fault> find_fault_of_limits(token_draft const& draft)
{
    if (!is_within(draft.rate, 0, rate_max))
        return draft_fault{"rate", beyond(*draft.rate, 0, rate_max)};
    if (!is_within(draft.burst, 1, rate_max))
        return draft_fault{"burst", beyond(*draft.burst, 1, rate_max)};
    if (!is_within(draft.daily_quota, 0, daily_quota_max))
        return draft_fault{"daily_quota", beyond(*draft.daily_quota, 0, daily_quota_max)};
    if (draft.burst && draft.rate.value_or(0) == 0)
        return draft_fault{"burst", "it goes with a rate"};
    return std::nullopt;
}

}  // namespace

std::optional<draft_fault> find_fault(token_draft const& draft, database_time now)
{
    if (draft.name.empty() || draft.name.size() > name_bytes_max ||
        written::read_reference(draft.name).has_error())
        return draft_fault{
            "name",
            fmt::format(
                "{} is not 1 to {} printable characters",
                written::to_quoted(draft.name),
                name_bytes_max
            )};
    if (draft.scopes.empty())
        return draft_fault{"scopes", "a token needs one of issue, read, load, admin, or several"};
    for (auto const& name : draft.scopes)
        if (!read_scope(name))
            return draft_fault{
                "scopes",
                fmt::format("{} is not one of issue, read, load, admin", written::to_quoted(name))};
    if (draft.series && draft.series->empty())
        return draft_fault{"series", "name one series or several; without any, it is for all"};
    if (draft.expires_at && *draft.expires_at <= now)
        return draft_fault{
            "expires_at", fmt::format("{} is over already", to_rfc3339(*draft.expires_at))};
    return find_fault_of_limits(draft);
}

result<std::vector<token_record>> list_tokens::run(pqxx::transaction_base& transaction) const
{
    return read_tokens(transaction, page);
}

result<token_record> read_token::run(pqxx::transaction_base& transaction) const
{
    auto found = read_tokens(transaction, {.id = id});
    if (found.empty())
        return refusal{refusal_kind::not_found, fmt::format("there is no token {}", id)};
    return std::move(found.front());
}

result<created_token> create_token::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    return gapless::create_token(transaction, draft, actor);
}

refusal create_token::refuse_repetition(kept_answer const& kept) const
{
    return {
        refusal_kind::state_conflict,
        "This key created " + kept.location +
            "; its secret was shown once and is kept nowhere. If it was lost, revoke that token "
            "and create another one under a new key."};
}

result<std::int32_t> revoke_token::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    gapless::revoke_token(transaction, id, actor);
    return id;
}

}  // namespace gapless::cases
