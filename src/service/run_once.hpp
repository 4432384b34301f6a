#pragma once

#include "service/numbering.hpp"
#include "store/transaction.hpp"

#include <pqxx/pqxx>

#include <optional>

namespace gapless {

/// Runs `effect` under an idempotency key: a known key gives the kept answer, a new one keeps what
/// `effect` answers, in one transaction. Without a key it just runs.
template <class Effect>
result<rendered_answer> run_once(
    pqxx::connection& connection, std::optional<request_identity> const& identity, Effect effect
)
{
    auto once = [&](pqxx::transaction_base& transaction) -> result<rendered_answer> {
        if (identity)
            if (auto kept = find_answer(transaction, *identity))
            {
                // A replay writes, too: its COMMIT waits for the standby like the first one did.
                transaction.exec1("select pg_logical_emit_message(true, 'gapless', 'replay')");
                return rendered_answer{std::move(*kept), true};
            }
        result<kept_answer> answer = effect(transaction);
        if (answer.has_error())
            return answer.error();
        if (identity)
            keep_answer(transaction, *identity, *answer);
        return rendered_answer{std::move(*answer), false};
    };
    return run_serializable(connection, {}, once);
}

}  // namespace gapless
