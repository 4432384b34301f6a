#include "postgres/session_lock.hpp"

#include "postgres/outcome.hpp"
#include "postgres/query.hpp"

#include <string>

namespace gapless {

session_lock::session_lock(
    pqxx::connection& connection,
    turn_kind kind,
    std::int32_t which,
    turn_mode mode,
    std::chrono::milliseconds wait_max
)
    : connection_{connection},
      kind_{kind},
      which_{which},
      mode_{mode}
{
    try
    {
        pqxx::nontransaction plain{connection};
        auto const number = static_cast<std::int32_t>(kind);
        auto const wait = std::to_string(wait_max.count());
        // The setting ends with the statement. In FROM it is there before the lock is asked for.
        if (mode == turn_mode::alone)
            execute(
                plain,
                "select pg_advisory_lock($1, $2) from set_config('lock_timeout', $3, true)",
                number,
                which,
                wait
            );
        else
            execute(
                plain,
                "select pg_advisory_lock_shared($1, $2) from set_config('lock_timeout', $3, true)",
                number,
                which,
                wait
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
        auto const number = static_cast<std::int32_t>(kind_);
        if (mode_ == turn_mode::alone)
            execute(plain, "select pg_advisory_unlock($1, $2)", number, which_);
        else
            execute(plain, "select pg_advisory_unlock_shared($1, $2)", number, which_);
    }
    catch (std::exception const&)
    {
        // The connection is gone, and with it the lock.
    }
}

}  // namespace gapless
