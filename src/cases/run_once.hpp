#pragma once

#include "store/answer_store.hpp"
#include "store/pqxx_fwd.hpp"
#include "store/token_store.hpp"
#include "store/transaction.hpp"

#include <functional>
#include <optional>

namespace gapless {

/// Turns the effect of a request into its answer, inside the transaction that has the effect. It
/// may run more than once, so it only computes.
template <class Record>
using renderer = std::function<kept_answer(Record const&)>;

/// An answer, new or from its first time.
struct rendered_answer
{
    kept_answer answer;
    bool replayed{};
};

/// Runs an act under an idempotency key: a known key gives the kept answer, a new one keeps what
/// `render` makes of the act's answer, in one transaction. Without a key it just runs. An answer
/// that holds a secret is kept without, and a repeated key is refused as the act says. A kept
/// answer is for tokens that may do the act themselves. Blocks.
template <class Act>
result<rendered_answer> run_once(
    pqxx::connection& connection,
    std::optional<request_identity> const& identity,
    request_actor const& actor,
    Act const& act,
    renderer<typename Act::answer> const& render
)
{
    constexpr bool is_personal = requires(typename Act::answer & answer)
    {
        act.leave_out_personal(answer);
    };
    constexpr bool is_secret = requires(typename Act::answer & answer)
    {
        act.leave_out_secret(answer);
    };
    auto const complete = [&](pqxx::transaction_base& transaction, kept_answer answer) {
        if constexpr (is_personal)
            act.put_in_personal(transaction, answer);
        return answer;
    };
    auto const once = [&](pqxx::transaction_base& transaction) -> result<rendered_answer> {
        name_actor(transaction, actor);
        if (identity)
            if (auto kept = find_answer(transaction, *identity))
            {
                if constexpr (is_secret)
                    return act.refuse_repetition(*kept);
                write_replay(transaction);
                return rendered_answer{complete(transaction, std::move(*kept)), true};
            }
        auto done = act.run(transaction, actor.name);
        if (done.has_error())
            return done.error();
        if constexpr (is_personal)
            act.leave_out_personal(*done);
        auto made = render(*done);
        if constexpr (is_secret)
        {
            act.leave_out_secret(*done);
            if (identity)
                keep_answer(transaction, *identity, render(*done));
        }
        else if (identity)
            keep_answer(transaction, *identity, made);
        return rendered_answer{complete(transaction, std::move(made)), false};
    };
    return run_serializable(connection, {}, once);
}

}  // namespace gapless
