#include "postgres/session_lock.hpp"

#include "postgres/outcome.hpp"
#include "postgres/query.hpp"

namespace gapless {

session_lock::session_lock(
    pqxx::connection& connection, lock_purpose purpose, std::int32_t which, lock_mode mode
)
    : connection_{connection},
      purpose_{purpose},
      which_{which},
      mode_{mode}
{
    try
    {
        pqxx::nontransaction plain{connection};
        auto const number = static_cast<std::int32_t>(purpose);
        // The setting ends with the statement. In FROM, it is set before the lock is requested.
        if (mode == lock_mode::exclusive)
            execute(
                plain,
                "select pg_advisory_lock($1, $2) from set_config('lock_timeout', '1s', true)",
                number,
                which
            );
        else
            execute(
                plain,
                "select pg_advisory_lock_shared($1, $2) "
                "from set_config('lock_timeout', '1s', true)",
                number,
                which
            );
        taken_ = true;
    }
    catch (pqxx::failure const& failure)
    {
        if (to_outcome(failure, connection.is_open()).kind != outcome_kind::locked)
            throw;
    }
}

session_lock::~session_lock()
{
    try
    {
        if (!taken_ || !connection_.is_open())
            return;
        pqxx::nontransaction plain{connection_};
        auto const number = static_cast<std::int32_t>(purpose_);
        if (mode_ == lock_mode::exclusive)
            execute(plain, "select pg_advisory_unlock($1, $2)", number, which_);
        else
            execute(plain, "select pg_advisory_unlock_shared($1, $2)", number, which_);
    }
    catch (std::exception const&)
    {
        // The connection is lost, and the lock with it.
    }
}

}  // namespace gapless
