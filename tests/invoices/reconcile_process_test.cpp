#include "harness/http_client.hpp"
#include "harness/json_value.hpp"
#include "harness/service_bench.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <future>
#include <thread>

namespace reconcile_test {

using namespace gapless::test;

struct reconciling : database_bench
{
    reconciling()
    {
        create_series("s", {{100, 199}});
        reader = create_token("office", {.scopes = {"read"}});
    }

    /// Six numbers of s are issued and printed. After the service has begun: the journals of this
    /// run know more of another database, of which this one would look like an old copy.
    void issue_and_print()
    {
        run("select gapless.issue('s', 6, key => 'k', reference => 'r')");
        run("select gapless.note_event(1, 'printed', gapless.ordinals_of(1, '{100}', '{105}'), "
            "'test', null, false)");
    }

    http_answer reconcile(
        service_process& service,
        std::string body,
        std::string const& query = "",
        std::string const& accept = "application/json"
    ) const
    {
        http_client client{service.address()};
        auto got = client
                       .exchange(
                           {.method = "POST",
                            .target = "/v1/series/s/reconcile" + query,
                            .fields =
                                {{"Authorization", "Bearer " + reader.token},
                                 {"Content-Type", "text/csv"},
                                 {"Accept", accept}},
                            .body = std::move(body)}
                       )
                       .answer;
        return got.value_or(http_answer{});
    }

    credential reader;
};

/// Numbers that SQL issues before a service starts are in no journal, and all databases of the
/// tests are copies of one.
std::vector<std::string> const unjournaled{"--no-journal"};

TEST_SUITE("invoices/reconcile_process")
{
    TEST_CASE_FIXTURE(
        reconciling,
        "JSON has ten thousand findings at most, CSV all" * doctest::test_suite("night")
    )
    {
        service_process service{service_url(), unjournaled};
        service.wait_ready();
        issue_and_print();
        std::string invoice{"number\n"};
        for (int n = 0; n < 10'001; ++n)
            invoice += "x\n";
        auto const read = json_value::parse(reconcile(service, invoice).body);
        CHECK(read["findings"].size() == 10'000);
        CHECK(read["summary"]["findings"] == "10007");
        CHECK(read["summary"]["not_of_series"] == "10001");
        CHECK(read["summary"]["never_billed"] == "6");
        auto const csv = reconcile(service, invoice, "", "text/csv");
        CHECK(std::ranges::count(csv.body, '\n') == 10'008);
        CHECK(service.stop() == 0);
    }

    TEST_CASE_FIXTURE(reconciling, "one invoice is compared at a time, and others are served")
    {
        service_process service{service_url(), unjournaled};
        service.wait_ready();
        issue_and_print();
        // The comparison reads the states of the series, and waits for this lock.
        pqxx::connection holder{url()};
        pqxx::work lock{holder};
        gapless::execute(lock, "lock table gapless.number_state in access exclusive mode");
        auto first =
            std::async(std::launch::async, [&] { return reconcile(service, "number\n100\n"); });
        std::string const waits{
            "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like "
            "'%state_ranges%' and pid <> pg_backend_pid()"};
        while (run(waits) == "0")
            std::this_thread::yield();
        auto const second = reconcile(service, "number\n100\n");
        CHECK(second.status == 503);
        CHECK(second.body.find(R"("type":"/problems/overloaded")") != std::string::npos);
        CHECK(second.body.find(R"("executed":"no")") != std::string::npos);
        CHECK_FALSE(second.field("retry-after").empty());
        lock.abort();
        CHECK(first.get().status == 200);
        CHECK(reconcile(service, "number\n100\n").status == 200);
        CHECK(service.stop() == 0);
    }
}

}  // namespace reconcile_test
