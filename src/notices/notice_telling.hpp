#pragma once

#include "cli/command_context.hpp"
#include "notices/notice_store.hpp"

#include <pqxx/except>

#include <utility>

/// What the command line adds to the notices of a database.
namespace gapless::cli {

/// Runs `work`, which takes pqxx::transaction_base&, in its own READ COMMITTED transaction. Returns
/// false if nothing was done, because the database role may not, or the schema has no notices yet.
/// `work` must be repeatable: a connection lost at its COMMIT counts as an unavailable database.
/// Blocks. Throws command_failed.
template <class Work>
bool run_if_allowed(command_context& context, Work work)
{
    auto const run = [&](pqxx::transaction_base& transaction) {
        work(transaction);
        return true;
    };
    try
    {
        auto const done = context.seal(run);
        if (done.has_value())
            return true;
        auto const& why = done.error();
        if (why.kind != refusal_kind::forbidden && why.trouble != trouble_kind::not_our_schema)
            throw why.kind == refusal_kind::outcome_unknown
                ? command_failed{exit_code::unreachable, why.detail}
                : to_failure(why);
        return false;
    }
    catch (pqxx::insufficient_privilege const&)
    {
        return false;  // libpqxx 6.4 gives it no SQLSTATE
    }
}

/// Publishes committed notices, if the role may: the service may be down.
inline void publish_if_allowed(command_context& context)
{
    run_if_allowed(context, [](pqxx::transaction_base& transaction) {
        publish_notices(transaction);
    });
}

}  // namespace gapless::cli
