#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace token_handlers_test {

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("access/token_handlers_http")
{
    TEST_CASE_FIXTURE(http_fixture, "a token that was taken out of force is forgotten at once")
    {
        auto const answer = ask(request("DELETE /v1/tokens/17"));
        CHECK(answer.status == 204);
        CHECK(answer.body.empty());
        CHECK(service.revoked == std::vector<std::int32_t>{17});
        CHECK(service.forgotten == std::vector<std::int32_t>{17});
        service.refuses = refusal{refusal_kind::forbidden, "beyond"};
        CHECK(ask(request("DELETE /v1/tokens/18")).outcome() == "403 forbidden");
        CHECK(service.forgotten.size() == 1);
    }
}

}  // namespace token_handlers_test
