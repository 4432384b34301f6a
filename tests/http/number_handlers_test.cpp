#include "http/http_fixture.hpp"

#include <doctest/doctest.h>

namespace number_handlers_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::string_view the_number{
    R"({"number":"3318810025","serial":"331881002","series":"express","state":"voided",)"
    R"("ordinal":"5","block":"2","cycle":1,"issuance":"124","reference":"order","history":[)"
    R"({"kind":"issued","at":"1970-01-01T00:00:00.000001Z","actor":"token:a","reason":null},)"
    R"({"kind":"voided","at":"1970-01-01T00:00:01.000000Z","actor":"token:b","reason":"torn"}],)"
    R"("hrt":"33 1881 0025"})"};

struct number_fixture : http_fixture
{
    number_fixture()
    {
        service.add_series("express", "dhl-express-10");
        number_record record;
        record.serial = 331'881'002;
        record.state = "voided";
        record.ordinal = 5;
        record.block_id = 2;
        record.issuance = issuance_id{.series_id = 2, .turn = 0, .ordinal = 4};
        record.reference = "order";
        record.history = {
            {"issued", database_time{std::chrono::microseconds{1}}, "token:a", std::nullopt},
            {"voided", database_time{std::chrono::seconds{1}}, "token:b", "torn"}};
        service.add_number("express", record);
        number_record free;
        free.serial = 7;
        free.state = "free";
        free.block_id = 1;
        service.add_number("dhl-paket", free);
    }

    std::string get(std::string_view path)
    {
        return ask(request("GET " + std::string{path})).text();
    }
};

TEST_SUITE("http/number_handlers")
{
    TEST_CASE_FIXTURE(number_fixture, "a number is found in every spelling")
    {
        for (std::string_view const spelling : {"3318810025", "33%201881%200025", "%33318810025"})
        {
            CAPTURE(spelling);
            auto const number = std::string{spelling};
            CHECK(get("/v1/series/express/numbers/" + number) == "200 " + std::string{the_number});
            CHECK(get("/v1/numbers/" + number) == "200 " + std::string{the_number});
        }
    }

    TEST_CASE_FIXTURE(number_fixture, "a number that has not left has no history")
    {
        CHECK(
            get("/v1/series/dhl-paket/numbers/7") ==
            R"(200 {"number":"7","serial":"7","series":"dhl-paket","state":"free","ordinal":null,)"
            R"("block":"1","cycle":1,"issuance":null,"reference":null,"history":[]})"
        );
    }

    TEST_CASE_FIXTURE(number_fixture, "an unknown number is told why, a foreign one is unknown")
    {
        for (std::string_view const path :
             {"/v1/series/express/numbers/3318810024",
              "/v1/series/dhl-paket/numbers/3318810025",
              "/v1/numbers/nothing"})
        {
            CAPTURE(path);
            auto const answer = ask(request("GET " + std::string{path}));
            CHECK(answer.status == 404);
            CHECK(answer.problem() == "unknown-number");
            CHECK(answer.body.find(R"("detail":)") != std::string::npos);
        }
        service.add_token("one", all_scopes, std::vector<std::string>{"dhl-paket"});
        auto const search = [this](std::string_view number) {
            return ask(
                "GET /v1/numbers/" + std::string{number} +
                " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer one\r\n\r\n"
            );
        };
        CHECK(search("3318810025").text() == search("3318810036").text());
        CHECK(search("7").status == 200);
    }
}

}  // namespace number_handlers_test
