import assert from "node:assert/strict";
import { test } from "node:test";
import { pretend } from "./browser.mjs";

pretend();
const { today } = await import("./page/base/locale.js");
const { lasts, orderBy } = await import("./page/parts/forecast.js");
const { alarms, stateOf } = await import("./page/parts/urgency.js");

/** So many days from today on, like 2026-11-20. */
const inDays = (n) => new Date(Date.parse(today()) + n * 86400000).toISOString().slice(0, 10);
const series = (given) => ({
    name: "s",
    remaining: "100",
    blocks: "1",
    low_water: null,
    paused: false,
    ...given,
    forecast: { order_by: given.order === undefined ? null : inDays(given.order), lead_days: 7 },
});

test("what runs out raises the alarm", () => {
    for (const [given, text, alarm] of [
        [{ remaining: "0" }, "exhausted", 1],
        [{ remaining: "0", blocks: "0" }, "no block", 0],
        [{ order: -7 }, "order now", 1],
        [{ order: 0 }, "order now", 1],
        [{ low_water: "101" }, "low", 1],
        [{ low_water: "100", paused: true }, "paused", 0],
        [{ order: 7 }, "order soon", 0],
        [{ order: 8 }, "in order", 0],
    ])
        assert.deepEqual([stateOf(series(given)).text, alarms([series(given)])], [text, alarm]);
});

test("an order that is late says by how much", () => {
    assert.equal(orderBy(series({ order: -7 })), "overdue by 7 days");
    assert.equal(orderBy(series({ order: -1 })), "overdue by 1 day");
    assert.equal(orderBy(series({ order: 0 })), "by today (lead time 7 days)");
    assert.equal(orderBy(series({})), null);
});

test("numbers that nobody uses any more last for long; without a forecast nobody knows", () => {
    const left = (per_day) =>
        lasts({ remaining: "5", forecast: { per_day, days_left: null, exhausted_from: null } });
    assert.equal(left("0.0"), "over 100 years");
    assert.equal(left(null), null);
});

test("a service that does not answer in time is noticed, whatever else waits", async () => {
    const { known, readReadiness } = await import("./page/base/known.js");
    let patience = null;
    AbortSignal.timeout = (milliseconds) => {
        patience = milliseconds;
        return AbortSignal.abort();
    };
    globalThis.fetch = (path, { signal }) => Promise.reject(signal.reason);
    await readReadiness();
    assert.deepEqual([known.readiness, patience], [null, 3000]);
});
