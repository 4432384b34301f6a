import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { answer, pretend, pretendDocument, serve } from "./browser.mjs";

pretend();
const textOf = pretendDocument();
const { forget, known } = await import("./page/base/known.js");
const { ask } = await import("./page/base/client.js");
const { blockCard } = await import("./page/parts/blocks.js");
const { totalOf } = await import("./page/parts/preview.js");
const { audit } = await import("./page/views/audit.js");
const { block } = await import("./page/views/load.js");
const { issued } = await import("./page/views/issued.js");
const { overview } = await import("./page/views/overview.js");
const { proposals } = await import("./page/views/proposals.js");
const { series } = await import("./page/views/series.js");
const { tokens } = await import("./page/views/tokens.js");
const { webhooks } = await import("./page/views/webhooks.js");

const anna = { id: "7", name: "anna", scopes: ["read"], series: null };
const list = (items = [], next = null) => answer(200, { items, next });
const paths = (requests) => requests.map(({ path }) => path);

beforeEach(() => {
    forget();
    known.session = anna;
});

test("what became of an issuance's numbers is told, also where none is left", () => {
    const gone = [
        { first: "101", last: "101", count: 1, state: "voided" },
        { first: "102", last: "109", count: 8, state: "expired" },
    ];
    const whole = { series: "s", numbers: [], count: 0, reference: null, state: "voided", gone };
    const text = textOf(issued.show({}, { whole }));
    assert.match(text, /^voided\n.*101 voided.*102 – 109 expired/);
    const left = { ...whole, numbers: ["100"], count: 1, state: "issued" };
    assert.match(textOf(issued.show({}, { whole: left })), /^1 number issued\n100\n101 voided/);
});

test("a limit of 0 is none", () => {
    const token = { id: "1", name: "a", scopes: [], series: null, state: "in force", rate: "0",
        daily_quota: "0", expires_at: null, created_at: "2026-01-01T00:00:00Z", revoked_at: null };
    const text = textOf(tokens.show({}, { tokens: [token] }));
    assert.equal(text.match(/no limit/g).length, 2);
    const limited = { ...token, rate: "5", daily_quota: null };
    assert.match(textOf(tokens.show({}, { tokens: [limited] })), /5 a second/);
});

test("one series that was read is not taken for all of them", async () => {
    for (const view of [tokens, webhooks, audit, block]) {
        known.seen = null;
        known.series = [{ name: "hermes" }];
        const requests = serve(list([{ name: "aa" }, { name: "hermes" }]), list(), list(), list());
        await view.read({}, null);
        assert.equal(paths(requests)[0], "/v1/series?limit=200");
        assert.deepEqual(known.series.map(({ name }) => name), ["aa", "hermes"]);
    }
});

const one = (name) => ({ name, carrier: "dhl", remaining: "5", issued: "1", blocks: "1", next: "3",
    low_water: null, paused: false, forecast: { order_by: null, per_day: null, days_left: null } });

test("nobody counts series where not all are here, and a search that is cut says so", async () => {
    serve(list([one("a")], "a"), list(), list(), list(), list(), list());
    const part = await overview.read();
    assert.doesNotMatch(textOf(overview.show({}, part)), /dhl 1 series/);
    assert.doesNotMatch(textOf(overview.show({}, part)), /There are more/);
    const cut = Object.assign([one("a")], { cut: true });
    assert.match(textOf(overview.show({}, cut)), /There are more: these are the first 1\./);
    known.more = false;
    const all = Array.from({ length: 13 }, (_, place) => one(`s${place}`));
    known.series = all;
    assert.match(textOf(overview.show({}, all)), /dhl 13 series/);
});

test("a series of thousands of blocks is read less often", async () => {
    for (const [blocks, seconds] of [[1001, 120], [2, 15]]) {
        const read = list(Array.from({ length: blocks }, () => ({})));
        serve(answer(200, one("s")), list(), read, answer(200, {}), list());
        await series.read({ series: "s" });
        assert.equal(series.seconds, seconds);
    }
});

test("a block of more numbers than a double holds is counted exactly", () => {
    const block = { id: "1", first: "1", last: "9", first_serial: "1", state: "open", issued: "0",
        last_serial: "9007199254740993", count: 9007199254740992, remaining: "0", elsewhere: "0" };
    assert.match(textOf([blockCard(block, [])]), /of 9,007,199,254,740,993/);
    assert.equal(totalOf([block, block]), "18014398509481986");
});

test("open proposals are asked for by their state, and for what needs a look by now", async () => {
    const open = { id: "9", state: "proposed", series: "s", blocks: [], proposed_by: "token:ben",
        proposed_at: "2026-01-01T00:00:00Z", expires_at: "2026-01-08T00:00:00Z" };
    const requests = serve(list([open]), list([{ ...open, id: "1", state: "expired" }], "1"),
        list([], "1"), list([], "1"), list([], "1"), list([], "1"),
        answer(200, { ...open, warnings: [{ code: "other-series", detail: "block 3 has it" }] }));
    const data = await proposals.read();
    assert.equal(paths(requests)[0], "/v1/proposals?state=proposed&limit=1000");
    const text = textOf(proposals.show({}, data));
    assert.match(text, /Proposal 9 for s proposed/);
    assert.match(text, /block 3 has it/);
    assert.match(text, /There are more: these are the first 1\.Proposal 1 for s expired/);
});

test("a file has more time than a word", async () => {
    const waited = mock.method(AbortSignal, "timeout", () => new AbortController().signal);
    serve(answer(200, {}), answer(200, {}), answer(200, {}));
    await ask("POST", "/v1/series/s/blocks", { body: "1;9", type: "text/csv" });
    await ask("GET", "/v1/series/s/manifests/2026-01-01", { long: true });
    await ask("POST", "/v1/series/s/blocks", { body: {} });
    const patience = waited.mock.calls.map(({ arguments: [most] }) => most);
    assert.deepEqual(patience, [120000, 120000, 15000]);
    waited.mock.restore();
});
