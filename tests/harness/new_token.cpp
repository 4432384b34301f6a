#include "harness/new_token.hpp"

#include "access/token_text.hpp"
#include "postgres/columns.hpp"
#include "postgres/query.hpp"

namespace gapless::test {

made_token make_token(pqxx::transaction_base& transaction, wanted_token const& wanted)
{
    auto const secret = make_token_secret();
    made_token made;
    made.token_id = query_value<std::int32_t>(
        transaction,
        "select gapless.token_create(p_name => $1, p_secret_hash => $2, p_scopes => $3, "
        "p_series => $4, p_expires_at => $5::timestamptz, p_actor => 'test', p_rate => $6, "
        "p_burst => $7, p_daily_quota => $8)",
        wanted.name,
        to_bytea(hash_token_secret(secret)),
        to_array(wanted.scopes),
        wanted.series ? std::optional{to_array(*wanted.series)} : std::nullopt,
        to_parameter(wanted.expires_at),
        wanted.rate,
        wanted.burst,
        wanted.daily_quota
    );
    made.owner_id = query_value<std::int32_t>(
        transaction, "select owner_id from gapless.token where token_id = $1", made.token_id
    );
    made.text = to_token_text(made.token_id, secret);
    return made;
}

}  // namespace gapless::test
