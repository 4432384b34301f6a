#include "formats/assigned_values.hpp"

#include <algorithm>

namespace gapless {
namespace {

// The two-letter codes of ISO 3166-1, which end an S10 item number.
constexpr std::string_view countries{
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN "
    "BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ "
    "DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL "
    "GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM "
    "JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME "
    "MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP "
    "NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD "
    "SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO "
    "TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"};

constexpr std::string_view dhl_ecommerce{"GM LX RX UV CN SG TH IN HK MY"};
constexpr std::string_view dhl_piece{"D JD VGL"};

constexpr assigned_values limits[]{
    {"amazon-tba", "mkt", "A C M"},
    {"amazon-intl", "pre", "A C F"},
    {"bpost-24", "kind", "32 99"},
    {"canpar-22", "pre", "C D K L S U X Z"},
    {"dhl-gm", "pre", dhl_ecommerce},
    {"dhl-gm-variable", "pre", dhl_ecommerce},
    {"dhl-piece-16", "iac", dhl_piece},
    {"dhl-piece-18", "iac", dhl_piece},
    {"dhl-piece-20", "iac", dhl_piece},
    {"dhl-piece-21", "iac", dhl_piece},
    {"lasership-lx", "kind", "A E H I N X"},
    {"lasership-lx", "n", "1* 2* 3*"},
    {"odfl-11", "n", "072* 777* 778* 780* 80*"},
    {"ontrac", "pre", "C D"},
    {"swisspost-18", "id", "98 99"},
    {"ups-waybill", "svc", "A H J K T V"},
    {"upu-s10", "cc", countries},
    {"usps-impb-22", "ai", "91 92 93 94 95"},
    {"usps-impb-26", "ai", "91 92 93 94 95"},
};

}  // namespace

std::span<assigned_values const> assigned() noexcept
{
    return limits;
}

bool is_among(std::string_view values, std::string_view text) noexcept
{
    while (!values.empty())
    {
        auto const value = values.substr(0, values.find(' '));
        values.remove_prefix(std::min(values.size(), value.size() + 1));
        if (value.ends_with('*') ? text.starts_with(value.substr(0, value.size() - 1))
                                 : text == value)
            return true;
    }
    return false;
}

}  // namespace gapless
