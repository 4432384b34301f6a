#include "issuing/series_lock.hpp"

#include "postgres/query.hpp"

namespace gapless {

series_lock::series_lock(pqxx::connection& connection, std::int32_t series_id)
    : connection_{connection}
{
    try
    {
        pqxx::nontransaction plain{connection_};
        execute(plain, "select pg_advisory_lock(28263, $1)", series_id);
        taken_ = true;
    }
    catch (pqxx::sql_error const&)
    {
        // Somebody did not give it back in time: it goes without.
    }
}

series_lock::~series_lock()
{
    try
    {
        if (!taken_ || !connection_.is_open())
            return;
        pqxx::nontransaction plain{connection_};
        execute(plain, "select pg_advisory_unlock_all()");
    }
    catch (std::exception const&)
    {
        // The connection is gone, and with it the lock.
    }
}

}  // namespace gapless
