#include "harness/http_client.hpp"
#include "harness/service_bench.hpp"

#include <doctest/doctest.h>

using namespace gapless::test;

TEST_SUITE("process/ambiguous_number")
{
    TEST_CASE_FIXTURE(database_bench, "a number that several series hold is refused, naming them")
    {
        create_series("a", {{100, 199}});
        run("select gapless.series_create('b', 'c', 'elsewhere', null, null, null, null, null, "
            "'test')");
        run("select gapless.block_load('b', 150, 299, null, null, null, 'test')");
        auto const everywhere = create_token("shop");
        auto const only_b = create_token("office", {.series = {{"b"}}});
        service_process service{url()};
        service.wait_ready();
        auto const get = [&](credential const& who, std::string const& target) {
            http_client client{service.address()};
            auto const got =
                client
                    .exchange(
                        {.target = target, .fields = {{"Authorization", "Bearer " + who.token}}}
                    )
                    .answer;
            return got ? std::to_string(got->status) + " " + got->body : "no answer";
        };

        auto const refused = get(everywhere, "/v1/numbers/150");
        CHECK(refused.starts_with(R"(409 {"type":"/problems/ambiguous-number")"));
        CHECK(refused.find("the series a, b") != std::string::npos);
        CHECK(get(everywhere, "/v1/numbers/149").find(R"("series":"a")") != std::string::npos);
        CHECK(get(only_b, "/v1/numbers/150").find(R"("series":"b")") != std::string::npos);
        CHECK(get(everywhere, "/v1/series/a/numbers/150").starts_with("200"));
        CHECK(get(everywhere, "/v1/numbers/300").starts_with("404"));
        CHECK(service.stop() == 0);
    }
}
