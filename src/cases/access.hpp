#pragma once

#include "domain/refusal.hpp"
#include "store/answer_store.hpp"
#include "store/pqxx_fwd.hpp"
#include "store/token_store.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Use cases of tokens; see cases/series.hpp.
namespace gapless::cases {

/// What is wrong with a draft: the field, and in words what it has to be.
struct draft_fault
{
    std::string_view field;
    std::string why;
};

/// What is wrong with the draft of a token, if anything is. `now`: by the clock of this machine.
std::optional<draft_fault> find_fault(token_draft const& draft, database_time now);

/// Tokens by id, without their secrets. Refuses with forbidden.
struct list_tokens
{
    using answer = std::vector<token_record>;
    token_page page{};

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Refuses with not_found, forbidden.
struct read_token
{
    using answer = token_record;
    std::int32_t id{};

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// The draft has no fault. Refuses with unknown_series, forbidden.
struct create_token
{
    using answer = created_token;
    token_draft draft;

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;

    /// A kept answer holds no secret, so it is rendered without.
    void leave_out_secret(answer& created) const { created.text.clear(); }

    /// What a repeated key is told: the secret is known to nobody any more.
    refusal refuse_repetition(kept_answer const& kept) const;
};

/// Repeatable; the answer is the token's id. Refuses with not_found, forbidden.
struct revoke_token
{
    using answer = std::int32_t;
    std::int32_t id{};

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

}  // namespace gapless::cases
