#include "formats/number_completion.hpp"
#include "formats/numbers.hpp"

#include <doctest/doctest.h>

namespace number_completion_test {

using namespace gapless;
using namespace gapless::test;

TEST_CASE("formats/number_completion: what is not whole is completed where it fits, else advised")
{
    struct row
    {
        bound_format format;
        std::string_view text, found;
    };
    auto const s10 = bound("upu-s10", {{"svc", "DL"}, {"cc", "BR"}});
    auto const dpd = bound("dpd-15", {{"depot", "0150"}});
    auto const hermes = bound("hermes-14", {{"cust", "091"}});
    auto const gls = bound("gls-12", {{"depot", "50"}, {"kind", "10"}});
    auto const ups = bound("ups-1z", {{"acct", "879E93"}, {"svc", "03"}});
    auto const paket = bound("dhl-paket-20", {{"ext", "3"}, {"gcp", "4043416109"}});
    auto const identcode = bound("dhl-identcode", {{"mailcentre", "21"}, {"cust", "802"}});
    row const rows[]{
        {s10, "dl76023726 br", "DL760237269BR without its check digit"},
        {s10, "DL76023726DE", "; without its check digit: parameter cc: expected BR, found DE"},
        {s10, "DL7602372BR", "found 11"},
        {dpd, "01505001234567", "015050012345671 without its check digit"},
        {dpd, "15050012345671", "015050012345671 without zeros in front"},
        {dpd, "]C1%006376201505001234567327276", "015050012345671 without its check digit"},
        {hermes, "9133131530724", "09133131530724 without zeros in front"},
        {hermes, "0913313153072", "09133131530724 without its check digit"},
        {hermes, "913313153072", "found 12"},  // nothing would check the zero
        {hermes,
         "9133131530.724",
         "; without its check digit: parameter cust: expected 091, found 913"},
        {gls, "50101234567", "501012345671 without its check digit"},
        {ups, "1Z 879E93 03 4683444", "1Z879E930346834440 without its check digit"},
        {paket, "34043416109402731", "00340434161094027318 without its check digit"},
        {identcode, "21.802 580.906", "218025809066 without its check digit"},
        {bound("fedex-express-12"),
         "79479134190",
         "794791341900 without its check digit or 079479134190 without zeros in front"},
        {bound("dhl-ecom-14"), "9133131530724", "; with zeros in front: 09133131530724"},
        {bound("iso7064-37-36-any"), "55", "check character: expected R, found 5"}};
    for (auto const& [format, text, found] : rows)
    {
        auto const made = complete_number(format, text);
        auto const told = made.fits.empty() ? made.reason : to_text(text, made.fits);
        CHECK_MESSAGE(told.ends_with(found), told);
    }
}

}  // namespace number_completion_test
