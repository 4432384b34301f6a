#pragma once

#include "postgres/answer_store.hpp"
#include "postgres/transaction.hpp"
#include "record/pqxx_fwd.hpp"

#include <functional>
#include <optional>

namespace gapless {

/// Renders the answer of a request, inside the transaction of its effect. It may run more than
/// once, so it only computes.
template <class Record>
using renderer = std::function<kept_answer(Record const&)>;

/// An answer, new or replayed.
struct rendered_answer
{
    kept_answer answer;
    bool replayed{};
};

/// Runs an act under an idempotency key: a known key gives the kept answer, a new one keeps what
/// `render` makes of the act's answer, in one transaction. Without a key it just runs. An answer
/// with a secret is kept without it, and a repeated key is refused in the act's words. If the act
/// can report the current state (`repeat`), a repeated key gets that, and no body is kept. Only
/// tokens that may do the act get a kept answer. Runs as run_write, or by the act's `policy`.
/// `series_id`: the series that the act changes, or 0. Blocks.
template <class Act>
result<rendered_answer> run_once(
    pqxx::connection& connection,
    std::optional<request_identity> const& identity,
    request_actor const& actor,
    std::int32_t series_id,
    Act const& act,
    renderer<typename Act::answer> const& render
)
{
    constexpr bool is_secret = requires(typename Act::answer & answer)
    {
        act.leave_out_secret(answer);
    };
    constexpr bool is_told_anew = requires(pqxx::transaction_base & transaction)
    {
        act.repeat(transaction);
    };
    auto const once = [&](pqxx::transaction_base& transaction) -> result<rendered_answer> {
        name_actor(transaction, actor);
        if (identity)
            if (auto kept = find_answer(transaction, *identity))
            {
                if constexpr (is_secret)
                    return act.refuse_repetition(*kept);
                write_replay(transaction);
                if constexpr (is_told_anew)
                {
                    auto const now = act.repeat(transaction);
                    if (now.has_error())
                        return now.error();
                    return rendered_answer{render(*now), true};
                }
                return rendered_answer{std::move(*kept), true};
            }
        auto done = act.run(transaction, actor.name);
        if (done.has_error())
            return done.error();
        auto made = render(*done);
        if constexpr (is_secret)
        {
            act.leave_out_secret(*done);
            if (identity)
                keep_answer(transaction, *identity, render(*done));
        }
        else if (identity)
            keep_answer(
                transaction,
                *identity,
                is_told_anew ? kept_answer{.status = made.status, .location = {}, .body = {}} : made
            );
        return rendered_answer{std::move(made), false};
    };
    transaction_policy policy{.turn = write_turn::together};
    if constexpr (requires { act.policy(); })
        policy = act.policy();
    policy.series_id = series_id;
    return run_transaction(connection, policy, once);
}

}  // namespace gapless
