#include "harness/database.hpp"
#include "postgres/connection.hpp"
#include "postgres/query.hpp"
#include "postgres/transaction.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using namespace std::chrono_literals;

TEST_SUITE("issuing/retry_database")
{
    TEST_CASE_FIXTURE(test::database, "a conflict is tried as often as the policy says, not more")
    {
        auto const own = open_connection(url(), connection_purpose::service);
        int attempts = 0;
        auto const outcome = run_serializable(
            *own,
            {.attempts_max = 3, .pause_max = 0ms},
            [&](pqxx::transaction_base& transaction) {
                ++attempts;
                execute(
                    transaction,
                    "do $$ begin raise exception 'made up' using errcode = '40001'; end $$"
                );
                return 0;
            }
        );
        CHECK(outcome.error().kind == refusal_kind::database_unavailable);
        CHECK(attempts == 3);
    }
}
