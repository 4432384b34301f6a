#include "harness/issuing.hpp"
#include "postgres/connection.hpp"
#include "postgres/query.hpp"
#include "postgres/transaction.hpp"

#include <doctest/doctest.h>

namespace session_lock_test {

using namespace gapless;
using test::issuing;

struct writers : issuing
{
    std::unique_ptr<pqxx::connection> own{open_connection(url(), connection_purpose::service)};

    /// The locks of a session of ours: "ShareLock", "ExclusiveLock", "ExclusiveLock+7", "none".
    static std::string lock_of(pqxx::transaction_base& transaction)
    {
        return query_value<std::string>(
            transaction,
            "select coalesce(max(mode) filter (where classid = 28276), 'none') || "
            "coalesce('+' || max(objid::bigint) filter (where classid = 28263), '') from pg_locks "
            "where locktype = 'advisory' and pid = pg_backend_pid() and granted"
        );
    }

    /// The locks of a write whose first so many attempts are in conflict; what is left of them
    /// behind a bar.
    template <class Run>
    std::string locks(int conflicts, Run run_it)
    {
        std::string seen;
        auto const outcome = run_it(*own, [&](pqxx::transaction_base& transaction) {
            seen += lock_of(transaction) + ' ';
            if (conflicts-- > 0)
                execute(
                    transaction,
                    "do $$ begin raise exception 'made up' using errcode = '40001'; end $$"
                );
            return 0;
        });
        if (outcome.has_error())
            seen += std::string{name_of(outcome.error().kind)} + ' ';
        pqxx::nontransaction after{*own};
        return seen + "| " + lock_of(after);
    }

    std::string locks(int conflicts, std::int32_t series_id = 0)
    {
        return locks(conflicts, [=](auto& connection, auto work) {
            return run_write(connection, series_id, work);
        });
    }
};

TEST_SUITE("postgres/session_lock_database")
{
    TEST_CASE_FIXTURE(
        writers, "a write runs beside others, and alone from its first conflict on; then it is over"
    )
    {
        CHECK(locks(0) == "ShareLock | none");
        CHECK(locks(2) == "ShareLock ExclusiveLock ExclusiveLock | none");
        CHECK(locks(99).ends_with("ExclusiveLock ExclusiveLock database-unavailable | none"));
    }

    TEST_CASE_FIXTURE(writers, "batches of its series wait for a write from its third attempt on")
    {
        CHECK(locks(1, 7) == "ShareLock ExclusiveLock | none");
        CHECK(locks(3, 7) == "ShareLock ExclusiveLock ExclusiveLock+7 ExclusiveLock+7 | none");
    }

    TEST_CASE_FIXTURE(writers, "issuing takes no such lock")
    {
        CHECK(locks(1, [](auto& connection, auto work) {
                  return run_serializable(connection, {}, work);
              }) == "none none | none");
    }

    TEST_CASE_FIXTURE(writers, "a lock that nobody gives back delays a write, and does not stop it")
    {
        pqxx::connection frozen{url()};
        pqxx::nontransaction holding{frozen};
        execute(holding, "select pg_advisory_lock(28276, 0)");
        CHECK(locks(0) == "none | none");
        CHECK(own->is_open());
    }
}

}  // namespace session_lock_test
