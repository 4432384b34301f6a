#include "formats/catalogue.hpp"
#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace label_handlers_test {

using namespace gapless;
using namespace gapless::test;

struct label_fixture : http_fixture
{
    /// Issues numbers of dhl-paket; the first are serials 4901214213405250000 and so on.
    void take(std::string_view body) { ask(issue_request("k", body)); }

    raw_answer get(std::string_view query = {}, std::string_view id = "111")
    {
        return ask(
            request("GET /v1/issuances/" + std::string{id} + "/labels.zpl" + std::string{query})
        );
    }

    /// "<status> <problem>"
    std::string refused(std::string_view query = {}, std::string_view id = "111")
    {
        return get(query, id).outcome();
    }
};

std::string label(std::string_view number)
{
    return "^XA^FO30,30^BY3,3,200^BCN,200,Y,N,N,N^FD>;" + std::string{number.substr(0, 18)} + ">6" +
           std::string{number.substr(18)} + "^FS^XZ\n";
}

std::size_t count_of(std::string_view text, std::string_view what)
{
    std::size_t count = 0;
    for (auto at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1))
        ++count;
    return count;
}

TEST_SUITE("http/label_handlers")
{
    TEST_CASE_FIXTURE(label_fixture, "an issuance comes as a label for each number, in order")
    {
        take(R"({"count":3})");
        auto const answer = get();
        CHECK(answer.status == 200);
        CHECK(answer.field("content-type") == "application/zpl");
        CHECK(
            answer.body == label("4901214213405250000") + label("4901214213405250001") +
                               label("4901214213405250002")
        );
    }

    TEST_CASE_FIXTURE(label_fixture, "the query sets size and text of every label")
    {
        take(R"({"count":2})");
        auto const labels = get("?text=false&dpi=300&height_mm=10&module=2").body;
        CHECK(count_of(labels, "^XA^FO20,20^BY2,3,118^BCN,118,N,N,N,N^FD") == 2);
        CHECK(refused("?dpi=204") == "422 out-of-range");
        CHECK(refused("?module=11") == "422 out-of-range");
        CHECK(refused("?zip=12345") == "400 malformed-request");
        CHECK(refused("?numbers=true") == "400 malformed-request");
    }

    TEST_CASE_FIXTURE(label_fixture, "a thousand numbers have labels, one more has not")
    {
        take(R"({"count":1000})");
        auto const labels = get().body;
        CHECK(count_of(labels, "^XA") == 1000);
        CHECK(count_of(labels, "^XZ\n") == 1000);
        CHECK(labels.ends_with(label("4901214213405250999")));
        ask(issue_request("more", R"({"count":1001})"));
        CHECK(refused({}, "111001") == "422 out-of-range");
    }

    TEST_CASE_FIXTURE(label_fixture, "labels of others look as if they were not there")
    {
        service.add_series("other");
        service.add_token("bound", all_scopes, {{"other"}});
        service.add_token("issuer", 1);
        take(R"({"count":1})");
        auto const as = [this](std::string_view token) {
            return ask(
                "GET /v1/issuances/111/labels.zpl HTTP/1.1\r\nHost: h\r\n"
                "Authorization: Bearer " +
                std::string{token} + "\r\n\r\n"
            );
        };
        CHECK(as("all").status == 200);
        CHECK(as("bound").problem() == "unknown-issuance");
        CHECK(as("issuer").problem() == "forbidden");
        CHECK(as("nobody").status == 401);
        CHECK(refused({}, "199") == "404 unknown-issuance");
        CHECK(refused({}, "x") == "404 unknown-issuance");
    }

    TEST_CASE_FIXTURE(label_fixture, "what the barcode needs comes with the request")
    {
        auto format = bound_format::bind(
            *find_format("usps-impb-22"), {{"ai", "94"}, {"stc", "001"}, {"mid", "112062064"}}
        );
        service.series.find("dhl-paket")->second.format = *format;
        service.firsts[0] = 626'078;
        take(R"({"count":2})");
        CHECK(refused() == "422 out-of-range");
        CHECK(refused("?zip=787") == "422 out-of-range");
        CHECK(count_of(get("?zip=78745").body, "^FD>;>842078745>8") == 2);
    }
}

}  // namespace label_handlers_test
