#include "formats/catalogue.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace gapless {
namespace {

// One row per format, in the template language of number_declaration.hpp: name, carrier, number,
// length, check, hrt, symbology, barcode data. tests/data/formats/published_numbers.txt names the
// source of every number they are tested with.
// clang-format off
constexpr catalogue_row catalogue_rows[]{
    {"plain", "", "{n:*}"},
    {"gs1-sscc", "GS1: SSCC, NVE", "[{ext:N1}{gcp:N4-12}{n:*}]{c}", {18, 18}, "gs1",
     "(00) {number}", "gs1-128", "(00){number}"},
    {"gs1-sscc-ai00", "GS1: SSCC, NVE with its 00", "00[{ext:N1}{gcp:N4-12}{n:*}]{c}", {20, 20},
     "gs1", "", "gs1-128", "{number}"},
    {"gs1-gtin14", "GS1: GTIN-14, ITF-14", "[{ind:N1}{gcp:N4-12}{n:*}]{c}", {14, 14}, "gs1", "",
     "itf14", "{number}"},
    {"upu-s10",
     "Royal Mail, Parcelforce, Deutsche Post, La Poste, bpost and every post of the UPU",
     "{svc:A2}[{n:8}]{c}{cc:A2}", {}, "s10", "## ### ### ### ##", "code128", "{number}"},
    {"ups-1z", "UPS", "1Z[{acct:X6}{svc:X2}{n:7}]{c}", {}, "ups", "## ### ### ## #### ####",
     "code128", "{number}"},
    {"ups-1z-alnum", "UPS", "1Z[{acct:X6}{svc:X2}{n:7:36}]{c}", {}, "ups", "", "code128",
     "{number}"},
    {"ups-waybill", "UPS", "{svc:A1}[{n:9}]{c}", {}, "ups", "", "code128", "{number}"},
    {"usps-impb-22", "USPS", "[{ai:N2}{stc:N3}{mid:N6-9}{n:*}]{c}", {22, 22}, "gs1",
     "#### #### #### #### #### ##", "gs1-128", "(420){zip:N5-9}({ai}){number@2}"},
    {"usps-impb-26", "USPS", "[{ai:N2}{stc:N3}{mid:N6-9}{n:*}]{c}", {26, 26}, "gs1", "", "gs1-128",
     "(420){zip:N5-9}({ai}){number@2}"},
    {"usps-20", "USPS", "[{stc:N2}{mid:N9}{n:8}]{c}", {}, "gs1", "#### #### #### #### ####",
     "code128", "{number}"},
    {"usps-20-91", "USPS", "[{stc:N2}{mid:N9}{n:8}]{c}", {}, "usps-91", "#### #### #### #### ####",
     "gs1-128", "(91){number}"},
    {"fedex-express-12", "FedEx Express", "[{n:11}]{c}", {}, "fedex-137", "#### #### ####",
     "code128", "{number}"},
    {"fedex-express-34", "FedEx Express", "{hdr:N15}{zip:N5}[{n:13}]{c}", {}, "fedex-137", "",
     "code128", "{number}"},
    {"fedex-astra-32", "FedEx Express", "{hdr:N16}[{n:11}]{c}{tail:N4}", {}, "fedex-137", "",
     "code128", "{number}"},
    {"fedex-gsn-34", "FedEx Ground", "96{scnc:N2}{x:N5}{gsn:N10}{y:N1}[{n:13}]{c}", {}, "fedex-137",
     "", "code128", "{number}"},
    {"fedex-ground-15", "FedEx Ground", "[{shipper:N7}{n:7}]{c}", {}, "gs1", "#### #### #### ###",
     "code128", "96{scnc:N2}{svc:N3}{number}"},
    {"fedex-ground-96", "FedEx Ground", "96{scnc:N2}{svc:N3}[{shipper:N7}{n:7}]{c}", {}, "gs1", "",
     "code128", "{number}"},
    {"dhl-identcode", "DHL Paket, Deutsche Post", "[{mailcentre:N2}{cust:N1-5}{n:*}]{c}", {12, 12},
     "dp-4-9", "##.### ###.### #", "itf", "{number}"},
    {"dhl-leitcode", "DHL Paket, Deutsche Post: routing", "[{plz:N5}{street:N3}{house:N3}{n:2}]{c}",
     {}, "dp-4-9", "#####.###.###.## #", "itf", "{number}"},
    {"dhl-paket-20", "DHL Paket", "00[{ext:N1}{gcp:N4-12}{n:*}]{c}", {20, 20}, "gs1", "", "gs1-128",
     "{number}"},
    {"dhl-express-10", "DHL Express", "[{n:9}]{c}", {}, "mod7", "## #### ####", "code128",
     "{number}"},
    {"dhl-express-11", "DHL Express", "[{n:10}]{c}", {}, "mod7", "", "code128", "{number}"},
    {"dhl-piece-jd", "DHL", "J{iac:A2-3}{n:10}", {}, "none", "", "code128", "{number}"},
    {"dhl-piece-16", "DHL", "J{iac:A1-3}{n:*}", {16, 16}, "none", "", "code128", "{number}"},
    {"dhl-piece-18", "DHL", "J{iac:A1-3}{n:*}", {18, 18}, "none", "", "code128", "{number}"},
    {"dhl-piece-20", "DHL", "J{iac:A1-3}{n:*}", {20, 20}, "none", "", "code128", "{number}"},
    {"dhl-piece-21", "DHL", "J{iac:A1-3}{n:*}", {21, 21}, "none", "", "code128", "{number}"},
    {"dhl-gm", "DHL eCommerce", "{pre:A2}{n:16}", {}, "none", "", "code128", "{number}"},
    {"dhl-ecom-14", "DHL eCommerce", "{n:14}", {}, "none", "", "code128", "{number}"},
    {"dpd-15", "DPD", "[{depot:X4}{n:10}]{c}", {}, "iso7064-37-36", "#### #### #### ## #",
     "code128", "%{plz:X7}{number@0-14}{svc:N3}{country:N3}"},
    {"dpd-28", "DPD", "[{plz:X7}{depot:X4}{n:10}{svc:N3}{country:N3}]{c}", {}, "iso7064-37-36",
     "#### ### #### #### #### ## ### ### #", "code128", "%{number@0-27}"},
    {"gls-12", "GLS", "[{depot:N2}{kind:N2}{n:7}]{c}", {}, "gls", "", "itf", "{number}"},
    {"gls-8", "GLS: Track ID", "{n:8:36}"},
    {"hermes-14", "Hermes Germany", "[{cust:N3}{n:10}]{c}", {}, "gs1-left", "", "itf", "{number}"},
    {"hermes-20", "Hermes Germany", "H{pre:N2}{n:17}", {}, "none", "", "code128", "{number}"},
    {"hermes-21", "Hermes Germany", "H{pre:N2}{n:18}", {}, "none", "", "code128", "{number}"},
    {"evri-16", "Evri (Hermes UK)", "{pre:X6}{n:10}", {}, "none", "", "code128", "{number}"},
    {"derkurier-12", "Der Kurier", "[{n:11}]{c}", {}, "gs1-left", "", "itf", "{number}"},
    {"derkurier-11", "Der Kurier", "[{n:10}]{c}", {}, "gs1-left", "", "itf", "{number}"},
    {"post-at-22", "Österreichische Post", "[{pre:N10}{n:11}]{c}", {}, "gs1-left", "", "code128",
     "{number}"},
    {"swisspost-18", "Swiss Post", "{id:N2}{lic:N8}{n:8}", {}, "none", "##.##.######.########",
     "code128", "{number}"},
    {"postnl-3s-15", "PostNL", "3S{cust:A1-4}{n:*}", {15, 15}, "none", "", "code128", "{number}"},
    {"postnl-3s-13", "PostNL", "3S{cust:A1-4}{n:*}", {13, 13}, "none", "", "code128", "{number}"},
    {"bpost-24", "bpost", "32{kind:N2}{cust:N6}{n:11}{end:N3}", {}, "none", "", "code128",
     "{number}"},
    {"bpost-18", "bpost", "3232{n:14}", {}, "none", "", "code128", "{number}"},
    {"bpost-27", "bpost", "JJBEA{pre:N4}{n:18}", {}, "none", "", "code128", "{number}"},
    {"colissimo-fr-13", "La Poste (Colissimo)", "{prod:X2}[{n:10}]{c}", {}, "gs1",
     "## ##### ##### #", "code128", "{number}"},
    {"colissimo-intl-13", "La Poste (Colissimo)", "{prod:X2}[{n:8}]{c}FR", {}, "s10",
     "## #### #### ###", "code128", "{number}"},
    {"tnt-9", "TNT", "[{n:8}]{c}", {}, "s10", "", "code128", "{number}"},
    {"canadapost-16", "Canada Post", "[{cust:N7}{n:8}]{c}", {}, "gs1-left", "#### #### #### ####",
     "code128", "{number}"},
    {"purolator-12", "Purolator", "[{n:11}]{c}", {}, "luhn", "", "code128", "{number}"},
    {"purolator-alpha", "Purolator", "{pre:A3}{n:9}", {}, "none", "", "code128", "{number}"},
    {"odfl-11", "Old Dominion", "[{n:10}]{c}", {}, "luhn", "", "code128", "{number}"},
    {"ontrac", "OnTrac", "[{pre:A1}{n:13}]{c}", {}, "ups", "", "code128", "{number}"},
    {"canpar-22", "Canpar", "{pre:A1}{n:21}", {}, "none", "", "code128", "{number}"},
    {"amazon-tba", "Amazon Logistics", "TB{mkt:A1}{n:12}", {}, "none", "", "code128", "{number}"},
    {"amazon-intl", "Amazon Logistics", "{pre:A1}{n:10}", {}, "none", "", "code128", "{number}"},
    {"yodel-18", "Yodel, InPost UK", "JD{n:16}", {}, "none", "", "code128", "{number}"},
    {"yodel-19", "Yodel, InPost UK", "JJD{n:16}", {}, "none", "", "code128", "{number}"},
    {"yunexpress", "YunExpress", "YT{n:16}", {}, "none", "", "code128", "{number}"},
    {"gofo-us", "GOFO", "GFUS{n:14}", {}, "none", "", "code128", "{number}"},
    {"speedee-20", "Spee-Dee", "SP{n:18}", {}, "none", "", "code128", "{number}"},
    {"landmark-ltn", "Landmark Global", "LTN{n:8}N1", {}, "none", "", "code128", "{number}"},
    {"lasership-lx", "OnTrac (LaserShip)", "L{kind:A1}{n:8}", {}, "none", "", "code128",
     "{number}"},
    {"lasership-1ls7", "OnTrac (LaserShip)", "1LS7{n:11}", {}, "none", "", "code128", "{number}"},
    {"lasership-1ls7-18", "OnTrac (LaserShip)", "1LS7{n:12}-1", {}, "none", "", "code128",
     "{number}"},
    {"lasership-1lscx", "OnTrac (LaserShip)", "1LSCX{n:10:36}", {}, "none", "", "code128",
     "{number}"},
    {"japan-7dr-12", "Yamato, Sagawa, Japan Post", "[{n:11}]{c}", {}, "mod7", "####-####-####",
     "codabar", "a{number}a"},
    {"correios-br", "Correios (Brazil)", "{svc:A2}[{n:8}]{c}BR", {}, "s10", "", "code128",
     "{number}"},
    {"correos-es-23", "Correos (Spain)", "[{prod:A2}{cust:X4}{ch:N2}{n:7}{pkg:N2}{plz:X5}]{c}", {},
     "correos", "", "code128", "{number}"},
    {"correos-es-16", "Correos (Spain): expedition", "[{prod:A2}{cust:X4}{ch:N2}{n:7}]{c}", {},
     "correos", "", "code128", "{number}"},
    {"inpost-24", "InPost", "{pre:N6}{n:18}", {}, "none", "", "code128", "{number}"},
    {"iso7064-37-36-any", "", "[{n:*}]{c}", {}, "iso7064-37-36"},
    {"plain-1", "", "{n:1}"},
    {"plain-2", "", "{n:2}"},
    {"plain-3", "", "{n:3}"},
    {"plain-4", "", "{n:4}"},
    {"plain-5", "", "{n:5}"},
    {"plain-6", "", "{n:6}"},
    {"plain-7", "", "{n:7}"},
    {"plain-8", "", "{n:8}"},
    {"plain-9", "", "{n:9}"},
    {"plain-10", "", "{n:10}"},
    {"plain-11", "", "{n:11}"},
    {"plain-12", "", "{n:12}"},
    {"plain-13", "", "{n:13}"},
    {"plain-14", "", "{n:14}"},
    {"plain-15", "", "{n:15}"},
    {"plain-16", "", "{n:16}"},
    {"plain-17", "", "{n:17}"},
    {"plain-18", "", "{n:18}"},
    {"plain-19", "", "{n:19}"},
    {"packeta-10", "Packeta (Zásilkovna)", "Z{n:10}"},
    {"dhl-gm-variable", "DHL eCommerce", "{pre:A2}{n:*:36}", {12, 41}, "none", "", "code128",
     "{number}"},
};
// clang-format on

using compiled_formats = std::map<std::string, number_format, std::less<>>;

compiled_formats compile_all()
{
    compiled_formats formats;
    for (auto const& row : catalogue_rows)
        formats.emplace(row.name, number_format::compile(to_declaration(row)).value());
    return formats;
}

}  // namespace

std::span<catalogue_row const> catalogue() noexcept
{
    return catalogue_rows;
}

number_declaration to_declaration(catalogue_row const& row)
{
    return {
        .name = std::string{row.name},
        .number = std::string{row.number},
        .length = row.length,
        .check = std::string{row.check},
        .hrt = std::string{row.hrt},
        .barcode = {std::string{row.symbology}, std::string{row.data}},
        .carrier = std::string{row.carrier}};
}

number_format const* find_format(std::string_view name)
{
    static compiled_formats const formats = compile_all();
    auto const found = formats.find(name);
    return found == formats.end() ? nullptr : &found->second;
}

}  // namespace gapless
