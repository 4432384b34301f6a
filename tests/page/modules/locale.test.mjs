import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { pretend } from "./browser.mjs";

pretend(["fr-FR", "de-AT", "en-US"]);
const {
    amount, count, day, days, language, locale, moment, setTimeZone, setToday, t, today, until,
} = await import("./page/base/locale.js");

test("the first language of the browser that there is counts", () => {
    assert.equal(language, "de");
    assert.equal(locale, "de-AT");
});

test("counts have the digits of the locale, also beyond 2^53", () => {
    assert.equal(count("41200").replaceAll(/[\u00a0\u202f.]/g, "."), "41.200");
    assert.equal(count("9223372036854775806").replaceAll(/\D/g, ""), "9223372036854775806");
});

test("amounts are as exact as they are", () => {
    assert.match(amount("-12.50"), /^−12,50$/);
    assert.equal(amount("0.125"), "0,125");
    assert.equal(amount("3"), "3");
});

test("days are those of the calendar, in no time zone", () => {
    const year = today().slice(0, 4);
    assert.equal(day(`${year}-12-03`), "3. Dezember");
    assert.match(days(`${year}-12-03`, `${year}-12-05`), /^3\.\s?–\s?5\. Dezember$/);
    assert.equal(day("2099-12-31"), "31. Dezember 2099");
});

test("moments are told in the time zone of the database", () => {
    setTimeZone("Pacific/Kiritimati");
    assert.match(moment("2026-11-20T22:05:11.123456Z"), /21\.11\.2026,? 12:05/);
    setTimeZone("Europe/Berlin");
    assert.match(moment("2026-11-20T22:05:11.123456Z"), /20\.11\.2026,? 23:05/);
    assert.equal(until("2099-12-31T22:59:59.999999Z"), "31. Dezember 2099");
    assert.match(until("2099-12-31T23:59:59.999999Z"), /01\.01\.2100,? 00:59/);
    setTimeZone("Mars/Olympus");
    assert.match(moment("2026-11-20T22:05:11.123456Z"), /20\.11\.2026,? 22:05/);
    assert.match(today(), /^\d{4}-\d\d-\d\d$/);
});

test("today is the service's day, also where this computer's clock is wrong", () => {
    setTimeZone("UTC");
    const at = (text) => mock.timers.setTime(Date.parse(text));
    mock.timers.enable({ apis: ["Date"] });
    try {
        for (const [here, there] of [
            ["2026-11-27T12:00Z", "2026-11-30"],
            ["2027-01-01T12:00Z", "2026-12-31"],
        ]) {
            at(here);
            setToday(there);
            assert.equal(today(), there);
        }
        at("2027-01-02T12:00Z");
        assert.equal(today(), "2027-01-01");
        // At midnight the answer was on its way.
        at("2026-11-28T00:00:01Z");
        setToday("2026-11-27");
        assert.equal(today(), "2026-11-28");
        assert.equal(today(new Date("2026-11-20T12:00Z")), "2026-11-20");
    } finally {
        mock.timers.reset();
    }
});

test("one and many differ, and a text that is not there is its name", () => {
    assert.equal(t("hold.summary", 1), "1 offene Reservierung");
    assert.equal(t("hold.summary", 2), "2 offene Reservierungen");
    assert.equal(t("no.such.text"), "no.such.text");
});
