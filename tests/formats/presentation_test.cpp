#include "formats/numbers.hpp"
#include "formats/presentation.hpp"

#include <doctest/doctest.h>

namespace presentation_test {

using namespace gapless;
using namespace gapless::test;

std::string barcode(
    bound_format const& format, std::int64_t serial, parameter_values const& request = {}
)
{
    auto const content = to_barcode(format, serial, request);
    return content.has_value() ? content->symbology + " " + content->data
                               : "refused: " + content.error().reason;
}

TEST_SUITE("formats/presentation")
{
    TEST_CASE("people read the number in groups")
    {
        CHECK(text(to_hrt(bound("fedex-express-12"), 79479134194)) == "7947 9134 1943");
        CHECK(
            text(to_hrt(bound("upu-s10", {{"svc", "RB"}, {"cc", "DE"}}), 12345678)) ==
            "RB 123 456 785 DE"
        );
        CHECK(
            text(to_hrt(bound("dhl-identcode", {{"mailcentre", "39"}, {"cust", "601"}}), 313414)) ==
            "39.601 313.414 0"
        );
        CHECK(text(to_hrt(bound("japan-7dr-12"), 44441375870)) == "4444-1375-8703");
        CHECK(
            text(to_hrt(bound("gs1-sscc", {{"ext", "0"}, {"gcp", "0012345"}}), 2)) ==
            "(00) 000123450000000027"
        );
        CHECK(text(to_hrt(bound("plain"), 4711)) == "4711");
    }

    TEST_CASE("a barcode carries what the format says")
    {
        CHECK(
            barcode(bound("gs1-sscc", {{"ext", "0"}, {"gcp", "0012345"}}), 2) ==
            "gs1-128 (00)000123450000000027"
        );
        CHECK(barcode(bound("japan-7dr-12"), 44441375870) == "codabar a444413758703a");
        CHECK(barcode(bound("plain"), 4711) == " ");
    }

    TEST_CASE("parameters come with the request, and the check character may stay out")
    {
        auto const dpd = bound("dpd-15", {{"depot", "0998"}});
        CHECK(
            barcode(dpd, 20034, {{"plz", "0081827"}, {"svc", "327"}, {"country", "276"}}) ==
            "code128 %008182709980000020034327276"
        );
        auto const usps =
            bound("usps-impb-22", {{"ai", "94"}, {"stc", "001"}, {"mid", "112062064"}});
        CHECK(
            barcode(usps, 626078, {{"zip", "78745"}}) ==
            "gs1-128 (420)78745(94)00111206206406260787"
        );
        CHECK(
            barcode(usps, 626078, {{"zip", "787451234"}}) ==
            "gs1-128 (420)787451234(94)00111206206406260787"
        );
        CHECK(text(to_hrt(usps, 626078)) == "9400 1112 0620 6406 2607 87");
    }

    TEST_CASE("a parameter that is missing, wrong or fixed otherwise is refused")
    {
        auto const usps =
            bound("usps-impb-22", {{"ai", "94"}, {"stc", "001"}, {"mid", "112062064"}});
        CHECK(barcode(usps, 1) == "refused: the parameter zip is missing: 5 to 9 digits");
        CHECK(
            barcode(usps, 1, {{"zip", "787"}}) ==
            "refused: parameter zip takes 5 to 9 digits, not '787'"
        );
        CHECK(
            barcode(usps, 1, {{"zip", "78745"}, {"ai", "92"}}) ==
            "refused: parameter ai is 94 in this series, not 92"
        );
        CHECK(
            barcode(usps, 1, {{"zip", "78745"}, {"ai", "94"}}).starts_with("gs1-128 (420)78745(94)")
        );
        CHECK(barcode(usps, 1, {{"depot", "1"}}).starts_with("refused: format usps-impb-22 has no")
        );
        CHECK(text(to_hrt(usps, 1, {{"depot", "1"}})).starts_with("refused: format usps-impb-22"));
    }
}

}  // namespace presentation_test
