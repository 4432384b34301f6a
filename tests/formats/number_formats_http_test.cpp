#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace number_formats_test {

using namespace gapless;
using namespace gapless::test;

struct express_fixture : http_fixture
{
    express_fixture() { service.add_series("express", "dhl-express-10"); }

    raw_answer issue(std::string_view key, std::string_view lines, std::string_view body)
    {
        return ask(request(
            "POST /v1/series/express/numbers",
            "Idempotency-Key: " + std::string{key} + "\r\n" + std::string{lines},
            body
        ));
    }
};

TEST_SUITE("formats/number_formats_http")
{
    TEST_CASE_FIXTURE(express_fixture, "issued numbers are written in the format of their series")
    {
        auto const answer = issue("a", "", R"({"count":2})");
        CHECK(
            answer.body.find(
                R"("first":"3318810025","last":"3318810036","count":2,"ordinal":"1"}],)"
                R"("numbers":["3318810025","3318810036"])"
            ) != std::string::npos
        );
        CHECK(ask(request("GET " + answer.field("location"))).body == answer.body);
        CHECK(
            issue("a", "Accept: text/csv\r\n", R"({"count":2})").body == "3318810025\n3318810036\n"
        );
    }
}

}  // namespace number_formats_test
