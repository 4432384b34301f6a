#include "http/http_fixture.hpp"

#include <doctest/doctest.h>

namespace lease_handlers_test {

using namespace gapless;
using namespace gapless::test;

constexpr database_time the_moment{std::chrono::microseconds{1'795'212'311'123'456}};

std::string outcome(raw_answer const& answer)
{
    return std::to_string(answer.status) + ' ' + answer.problem();
}

struct leases_fixture : http_fixture
{
    leases_fixture()
    {
        for (std::int64_t place = 4; place <= 6; ++place)
        {
            auto& lease = service.leases.emplace_back();
            lease.place = place;
            lease.lease.bytes[15] = static_cast<unsigned char>(place);
            lease.series = "dhl-paket";
            lease.instance.bytes[0] = 0xab;
            lease.host = "packing-1";
            lease.status = lease_status::recalled;
            lease.contact = the_moment;
            lease.granted_at = the_moment;
            lease.draw_until = the_moment;
            lease.first = "100";
            lease.last = "109";
            lease.count = 10;
            lease.held = 4;
            lease.settled = 3;
            lease.returned = 2;
            lease.written_off = 1;
            lease.overdue = true;
        }
    }
};

TEST_SUITE("http/lease_handlers")
{
    TEST_CASE_FIXTURE(http_fixture, "what a reserve issued says so, also when it is read again")
    {
        service.draws = true;
        auto const post = [this] { return ask(issue_request("k", R"({"count":2})")); };
        auto const drawn = post();
        CHECK(drawn.status == 201);
        CHECK(drawn.field("location") == "/v1/issuances/90111");
        CHECK(drawn.body.starts_with(R"({"id":"90111","series":"dhl-paket","state":"issued",)"));
        CHECK(drawn.body.find(R"("epoch":"1","reserve":true,"issued_at":)") != std::string::npos);
        CHECK(post().body == drawn.body);
        CHECK(ask(request("GET /v1/issuances/90111")).body == drawn.body);
        CHECK(ask(request("GET /v1/issuances/90111/labels.zpl")).status == 200);
    }

    TEST_CASE_FIXTURE(http_fixture, "what is not settled yet is unknown, and that is said")
    {
        auto const hint = [this](std::string_view target) {
            auto const answer = ask(request(target));
            CHECK(outcome(answer) == "404 unknown-issuance");
            return answer.body.find("settled: repeat later") != std::string::npos;
        };
        CHECK(hint("GET /v1/issuances/90117"));
        CHECK(hint("GET /v1/issuances/90117/labels.zpl"));
        CHECK(hint("POST /v1/issuances/90117/confirm"));
        CHECK_FALSE(hint("GET /v1/issuances/117"));
        CHECK_FALSE(hint("GET /v1/issuances/9"));
    }

    TEST_CASE_FIXTURE(http_fixture, "an event of a number that is on lease can be repeated later")
    {
        service.refuses = refusal{
            refusal_kind::on_lease, "number 7 is on lease at packing-1 since then; repeat later"};
        auto const answer =
            ask("POST /v1/series/dhl-paket/events",
                "",
                R"({"kind":"printed","ranges":[{"first":"7","last":"7"}]})");
        CHECK(outcome(answer) == "409 on-lease");
        CHECK_FALSE(answer.field("retry-after").empty());
        CHECK(answer.body.find("on lease at packing-1") != std::string::npos);
    }

    TEST_CASE_FIXTURE(http_fixture, "a number that is on lease says where, and since when")
    {
        number_record record;
        record.serial = 7;
        record.state = "held";
        record.ordinal = 5;
        record.history = {{"leased", the_moment, "lease:5f0c6a1e at packing-1", std::nullopt}};
        service.add_number("dhl-paket", record);
        auto const lease =
            R"("on_lease":{"host":"packing-1","since":"2026-11-20T22:05:11.123456Z"})";
        CHECK(ask(request("GET /v1/numbers/7")).body.find(lease) != std::string::npos);
        record.serial = 8;
        record.state = "issued";
        record.history.push_back({"issued", the_moment, "token:a", std::nullopt});
        service.add_number("dhl-paket", record);
        CHECK(ask(request("GET /v1/numbers/8")).body.find("on_lease") == std::string::npos);
    }

    TEST_CASE_FIXTURE(http_fixture, "a reserve is set, changed and removed")
    {
        auto const patch = [this](std::string_view body) {
            return ask("PATCH /v1/series/dhl-paket", "", body);
        };
        CHECK(
            patch(R"({"reserve_numbers":500})").body.find(R"("reserve_numbers":"500")") !=
            std::string::npos
        );
        CHECK(service.series_changes.back().reserve_numbers == 500);
        patch(R"({"reserve_numbers":"1000"})");
        CHECK(service.series_changes.back().reserve_numbers == 1'000);
        CHECK_FALSE(service.series_changes.back().low_water);
        patch(R"({"paused":true})");
        CHECK_FALSE(service.series_changes.back().reserve_numbers);
        patch(R"({"reserve_numbers":null})");
        REQUIRE(service.series_changes.back().reserve_numbers);
        CHECK_FALSE(*service.series_changes.back().reserve_numbers);
        CHECK(outcome(patch(R"({"reserve_numbers":-1})")) == "400 malformed-request");
    }

    TEST_CASE_FIXTURE(leases_fixture, "leases of a series are listed, the oldest first, in pages")
    {
        CHECK(
            ask(request("GET /v1/series/dhl-paket/leases?limit=1")).text() ==
            R"(200 {"items":[{"lease":"00000000-0000-0000-0000-000000000004",)"
            R"("series":"dhl-paket","instance":"ab000000-0000-0000-0000-000000000000",)"
            R"("host":"packing-1","status":"recalled","contact":"2026-11-20T22:05:11.123456Z",)"
            R"("granted_at":"2026-11-20T22:05:11.123456Z",)"
            R"("draw_until":"2026-11-20T22:05:11.123456Z","first":"100","last":"109",)"
            R"("count":"10","held":"4","settled":"3","returned":"2","written_off":"1",)"
            R"("overdue":true}],"next":"4"})"
        );
        CHECK(service.lease_pages.at(0).series == "dhl-paket");
        CHECK(service.lease_pages.at(0).limit == 2);
        ask(request("GET /v1/series/dhl-paket/leases?after=4"));
        CHECK(service.lease_pages.at(1).after == 4);
        CHECK(ask(request("GET /v1/series/dhl-paket/leases?limit=3"))
                  .body.ends_with(R"("next":null})"));
        service.leases.clear();
        CHECK(
            ask(request("GET /v1/series/dhl-paket/leases")).text() ==
            R"(200 {"items":[],"next":null})"
        );
    }

    TEST_CASE_FIXTURE(leases_fixture, "leases are of a series that is there, and of whole pages")
    {
        CHECK(outcome(ask(request("GET /v1/series/none/leases"))) == "404 unknown-series");
        CHECK(
            outcome(ask(request("GET /v1/series/dhl-paket/leases?limit=0"))) == "422 out-of-range"
        );
        CHECK(
            outcome(ask(request("GET /v1/series/dhl-paket/leases?after=x"))) ==
            "400 malformed-request"
        );
        CHECK(service.lease_pages.empty());
    }
}

}  // namespace lease_handlers_test
