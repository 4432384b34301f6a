#include "harness/json_value.hpp"
#include "notices/notice_json.hpp"

#include <doctest/doctest.h>

namespace notice_json_test {

using namespace gapless;
using test::json_value;
using namespace std::chrono;

notice_record notice(std::string kind, std::string data = "{}")
{
    notice_record told;
    told.id = "8a6e0804-2bd0-4672-b79d-d97027f9071a";
    told.seq = 17;
    told.kind = std::move(kind);
    told.series = "dhl-paket";
    told.at = database_time{microseconds{1'795'212'311'123'456}};
    told.day = floor<days>(told.at);
    told.epoch = 1;
    told.data = std::move(data);
    return told;
}

json_value read(notice_record const& told)
{
    return json_value::parse(notice_json(told));
}

/// Both texts of a notice, English first.
std::string texts(notice_record const& told)
{
    auto const text = read(told).at("text");
    return text.at("en").text() + " | " + text.at("de").text();
}

std::string texts(std::string const& kind, std::string const& data = "{}")
{
    return texts(notice(kind, data));
}

constexpr auto block = R"({"block": "2", "first": "4901", "last": "4999", "remaining": "1234"})";

TEST_SUITE("notices/notice_json")
{
    TEST_CASE("a notice is told as the contract has it")
    {
        auto told = notice("series.low", R"({"remaining": "41200", "low_water": "50000"})");
        told.environment = "production";
        CHECK(
            notice_json(told) ==
            R"({"id":"8a6e0804-2bd0-4672-b79d-d97027f9071a","seq":"17","kind":"series.low",)"
            R"("series":"dhl-paket","at":"2026-11-20T22:05:11.123456Z","epoch":"1",)"
            R"("environment":"production","data":{"remaining":"41200","low_water":"50000"},)"
            R"("text":{"en":"dhl-paket: 41,200 remaining, below the low-water mark of 50,000",)"
            R"("de":"dhl-paket: noch 41.200, weniger als der Meldebestand von 50.000"}})"
        );
        told.series = std::nullopt;
        told.environment = std::nullopt;
        auto const bare = read(told);
        CHECK(bare["series"].is_null());
        CHECK(bare["environment"].is_null());
    }

    TEST_CASE("counts stay texts, findings stay a number")
    {
        auto const told = read(notice("verify.finding", R"({"findings": 3})"));
        CHECK(told["data"]["findings"] == 3);
        CHECK(read(notice("block.opened", block))["data"]["block"] == "2");
    }

    TEST_CASE("a day to order by is told with digits and dates of the language")
    {
        std::string const data =
            R"({"per_day":"4120.0","days_left":14,"exhausted_on":"2026-12-04","days_left_p10":13,)"
            R"("days_left_p90":15,"exhausted_from":"2026-12-03","exhausted_to":"2026-12-05",)"
            R"("order_by":"2026-11-27","lead_days":5,"remaining":"41200"})";
        CHECK(
            texts("series.order_by", data) ==
            "dhl-paket: 41,200 remaining, until 3–5 December; order by 27 November (lead time 5 "
            "days) | dhl-paket: noch 41.200, reicht bis 3.–5. Dezember; bestellen bis 27. November "
            "(Lieferzeit 5 Tage)"
        );
        CHECK(
            texts(
                "series.order_by",
                R"({"exhausted_from":"2026-12-03","exhausted_to":null,"order_by":"2026-11-27",)"
                R"("lead_days":1,"remaining":"41200"})"
            ) ==
            "dhl-paket: 41,200 remaining, until 3 December at least; order by 27 November (lead "
            "time 1 day) | dhl-paket: noch 41.200, reicht mindestens bis 3. Dezember; bestellen "
            "bis 27. November (Lieferzeit 1 Tag)"
        );
    }

    TEST_CASE("what happens to a block is told with its numbers, one or many")
    {
        CHECK(
            texts("block.opened", block) ==
            "dhl-paket: block 2 (4901 to 4999) opened, 1,234 remaining | dhl-paket: Block 2 (4901 "
            "bis 4999) geöffnet, noch 1.234"
        );
        CHECK(
            texts("block.closed", R"({"block":"2","first":"1","last":"9","remaining":"1"})") ==
            "dhl-paket: block 2 (1 to 9) closed; 1 number was not issued | dhl-paket: Block 2 (1 "
            "bis 9) geschlossen; 1 Nummer wurde nicht ausgegeben"
        );
    }

    TEST_CASE("what happens to a series, and to none, has its words")
    {
        CHECK(
            texts("series.exhausted") ==
            "dhl-paket: no numbers remaining; load a block | dhl-paket: keine Nummern mehr; einen "
            "Block laden"
        );
        CHECK(
            texts("series.paused", R"({"actor":"cli:anna"})") ==
            "dhl-paket: paused by cli:anna | dhl-paket: angehalten von cli:anna"
        );
        CHECK(
            texts("fence.raised", R"({"reason":"the standby was promoted"})") ==
            "No numbers are issued: the standby was promoted | Es werden keine Nummern "
            "ausgegeben: the standby was promoted"
        );
        CHECK(
            texts("verify.finding", R"({"findings":1})") ==
            "gapless verify has 1 finding: not gapless | gapless verify hat 1 Befund: nicht "
            "lückenlos"
        );
        CHECK(
            texts("verify.finding", R"({"findings":1200})") ==
            "gapless verify has 1,200 findings: not gapless | gapless verify hat 1.200 Befunde: "
            "nicht lückenlos"
        );
        CHECK(texts("webhook.test") == "A test of the webhook | Ein Test des Webhooks");
    }

    TEST_CASE("a token expires on a day of the database's time zone")
    {
        auto told = notice(
            "token.expires", R"({"token":"12","name":"office","expires_at":"2026-12-07T23:30:00Z"})"
        );
        CHECK(
            texts(told) == "Token 12 of 'office' expires on 2026-12-07T23:30:00Z | Token 12 von "
                           "„office“ läuft am 2026-12-07T23:30:00Z ab"
        );
        told.data_day = sys_days{2026y / 12 / 8};
        CHECK(
            texts(told) ==
            "Token 12 of 'office' expires on 8 December | Token 12 von „office“ läuft am 8. "
            "Dezember ab"
        );
    }

    TEST_CASE("a reserve that was settled is told with what did not go by itself")
    {
        CHECK(
            texts(
                "reserve.settled",
                R"({"issued":1812,"returned":188,"answered_twice":0,"in_doubt":0})"
            ) ==
            "dhl-paket: 1,812 numbers were issued from the reserve while the database was away, "
            "188 returned | dhl-paket: 1.812 Nummern wurden aus der Reserve ausgegeben, als die "
            "Datenbank fehlte, 188 zurückgegeben"
        );
        CHECK(
            texts(
                "reserve.settled",
                R"({"issued":"1","returned":"0","answered_twice":"1","tokens_revoked":"2",)"
                R"("in_doubt":"3"})"
            ) ==
            "dhl-paket: 1 number was issued from the reserve while the database was away, 0 "
            "returned, 1 key answered twice, 2 tokens revoked meanwhile, 3 requests in doubt | "
            "dhl-paket: 1 Nummer wurde aus der Reserve ausgegeben, als die Datenbank fehlte, 0 "
            "zurückgegeben, 1 Schlüssel doppelt, 2 Tokens widerrufen, 3 Anfragen im Zweifel"
        );
    }

    TEST_CASE("a lease that is overdue is told with its host and its last contact")
    {
        auto told = notice(
            "lease.overdue",
            R"({"host":"packing-1","numbers":"1188","contact":"2026-12-02T23:30:00.5Z"})"
        );
        told.data_day = sys_days{2026y / 12 / 3};
        CHECK(
            texts(told) ==
            "dhl-paket: 1,188 numbers are on lease at packing-1, which should be back; last "
            "contact on 3 December | dhl-paket: 1.188 Nummern sind an packing-1 verliehen und "
            "überfällig; letzter Kontakt am 3. Dezember"
        );
    }

    TEST_CASE("every kind has words, and one of a later version is told by its name")
    {
        for (auto const kind : notice_kinds)
            CHECK(texts(std::string{kind}).find('.') == std::string::npos);
        CHECK(texts("series.flown", R"({"to":"the moon"})") == "series.flown | series.flown");
    }

    TEST_CASE("a test of a webhook has no seq")
    {
        auto told = notice("webhook.test");
        told.seq = 0;
        CHECK(read(told)["seq"].is_null());
    }
}

}  // namespace notice_json_test
