#include "formats/catalogue.hpp"
#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace barcode_handlers_test {

using namespace gapless;
using namespace gapless::test;

struct barcode_fixture : http_fixture
{
    barcode_fixture()
    {
        service.add_series("express", "dhl-express-10");
        service.add_number("express", 331'881'002, "issued");
        add_usps();
    }

    /// A series whose barcode needs the ZIP of the recipient.
    void add_usps()
    {
        auto format = bound_format::bind(
            *find_format("usps-impb-22"), {{"ai", "94"}, {"stc", "001"}, {"mid", "112062064"}}
        );
        service.series.emplace("usps", series_entry{9, "usps", *format});
        service.add_number("usps", 626'078, "issued");
    }

    raw_answer get(std::string_view series, std::string_view number, std::string_view file)
    {
        return ask(request(
            "GET /v1/series/" + std::string{series} + "/numbers/" + std::string{number} +
            "/barcode." + std::string{file}
        ));
    }

    /// "<status> <problem> <detail>"
    std::string refused(std::string_view series, std::string_view number, std::string_view file)
    {
        auto const answer = get(series, number, file);
        auto const mark = answer.body.find(R"("detail":")");
        auto const start = mark == std::string::npos ? answer.body.size() : mark + 10;
        return answer.outcome() + ' ' +
               answer.body.substr(start, answer.body.find('"', start) - start);
    }
};

constexpr std::string_view usps_number{"9400111206206406260787"};

TEST_SUITE("labels/barcode_handlers_http")
{
    TEST_CASE_FIXTURE(barcode_fixture, "the query sets size and text")
    {
        CHECK(
            get("express", "3318810025", "zpl?text=false&dpi=300&height_mm=10&module=2").body ==
            "^BY2,3,118^BCN,118,N,N,N,N^FD>;3318810025^FS\n"
        );
        CHECK(
            get("express", "3318810025", "zpl?dpi=600").body ==
            "^BY9,3,591^BCN,591,Y,N,N,N^FD>;3318810025^FS\n"
        );
        CHECK(
            get("express", "3318810025", "svg?text=false").body.find("<text") == std::string::npos
        );
        for (std::string_view const query :
             {"dpi=204",
              "dpi=601",
              "module=0",
              "module=-1",
              "module=11",
              "height_mm=4",
              "height_mm=51"})
        {
            CAPTURE(query);
            CHECK(
                get("express", "3318810025", "svg?" + std::string{query}).problem() ==
                "out-of-range"
            );
        }
        for (std::string_view const query :
             {"dpi=x", "text=1", "text=", "zip=12345", "foo=1", "dpi=203&dpi=203"})
        {
            CAPTURE(query);
            CHECK(
                get("express", "3318810025", "svg?" + std::string{query}).problem() ==
                "malformed-request"
            );
        }
    }

    TEST_CASE_FIXTURE(barcode_fixture, "parameters the series did not fix come with the request")
    {
        CHECK(
            get("usps", usps_number, "zpl?zip=78745").text() ==
            "200 ^BY3,3,200^BCN,200,Y,N,N,N^FD>;>842078745>89400111206206406260787^FS\n"
        );
        CHECK(get("usps", usps_number, "svg?zip=787451234").status == 200);
        CHECK(get("usps", usps_number, "svg?zip=787451234&ai=94&text=false").status == 200);
        CHECK(
            refused("usps", usps_number, "svg") ==
            "422 out-of-range The barcode cannot be drawn: the parameter zip is missing: 5 to 9 "
            "digits."
        );
        CHECK(
            refused("usps", usps_number, "svg?zip=787") ==
            "422 out-of-range The barcode cannot be drawn: parameter zip takes 5 to 9 digits, not "
            "'787'."
        );
        CHECK(get("usps", usps_number, "zpl?zip=78745&ai=92").problem() == "out-of-range");
        CHECK(get("usps", usps_number, "zpl?zip=78745&zip=78745").problem() == "malformed-request");
    }

    TEST_CASE_FIXTURE(barcode_fixture, "only a number that left and may be used has a barcode")
    {
        std::int64_t serial = 10;
        for (std::string_view const state : {"held", "issued", "printed", "manifested", "returned"})
        {
            CAPTURE(state);
            service.add_number("dhl-paket", ++serial, state);
            CHECK(get("dhl-paket", std::to_string(serial), "svg").status == 200);
        }
        service.add_number("dhl-paket", 7, "free");
        service.add_number("dhl-paket", 8, "voided");
        service.add_number("dhl-paket", 5, "elsewhere");
        service.add_number("dhl-paket", 6, "held");
        service.known_numbers.back().on_lease = {true, {"packing-1", database_time{}}};
        for (std::string_view const file : {"svg", "zpl"})
        {
            CHECK(
                refused("dhl-paket", "7", file) ==
                "409 state-conflict The number 7 is free: it has a barcode once it is issued."
            );
            CHECK(
                refused("dhl-paket", "8", file) ==
                "409 state-conflict The number 8 is voided: it must not get on a parcel."
            );
            CHECK(
                refused("dhl-paket", "5", file) ==
                "409 state-conflict number 5 was issued elsewhere, before its block was loaded"
            );
            CHECK(
                refused("dhl-paket", "6", file) ==
                "409 on-lease number 6 is on lease at packing-1 since 1970-01-01T00:00:00.000000Z; "
                "repeat later"
            );
            CHECK(get("dhl-paket", "9", file).problem() == "unknown-number");
            CHECK(get("express", "3318810024", file).problem() == "unknown-number");
            CHECK(get("nothing", "7", file).problem() == "unknown-series");
        }
        CHECK(get("express", "3318810025", "png").problem() == "not-found");
    }
}

}  // namespace barcode_handlers_test
