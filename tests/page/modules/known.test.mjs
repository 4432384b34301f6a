import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { answer, pretend, serve } from "./browser.mjs";

pretend();
const { forget, known, readSeries, searchSeries, seriesOf } = await import("./page/base/known.js");
const { chosen } = await import("./page/parts/fields.js");

const list = (names, next = null) => answer(200, { items: names.map((name) => ({ name })), next });
const names = () => known.series.map(({ name }) => name);
const seriesPaths = (requests) =>
    requests.map(({ path }) => path).filter((path) => path.startsWith("/v1/series"));

beforeEach(forget);

test("a few series are all read at once", async () => {
    const requests = serve(list(["a", "b"]), list([]));
    await readSeries();
    assert.deepEqual([names(), known.more], [["a", "b"], false]);
    assert.deepEqual(seriesPaths(requests), ["/v1/series?limit=200"]);
});

test("of many series the first, those to look at and those searched are read", async () => {
    const states = ["exhausted", "due", "low", "paused"];
    const requests = serve(
        list(["a", "b"], "b"),
        list([]), // carriers
        ...states.map((state) => list([state, "b"])),
    );
    await readSeries();
    assert.deepEqual([names(), known.more], [["a", "b", ...states], true]);
    assert.deepEqual(seriesPaths(requests), [
        "/v1/series?limit=200",
        ...states.map((state) => `/v1/series?limit=200&state=${state}`),
    ]);
    const asked = serve(list(["b", "z&1"]));
    assert.equal((await searchSeries("z&1")).length, 2);
    assert.deepEqual(seriesPaths(asked), ["/v1/series?limit=200&q=z%261"]);
    assert.deepEqual([seriesOf("z&1").name, names().length], ["z&1", 7]);
});

test("what could not be read stays", async () => {
    serve(list(["a"]), list([]));
    await readSeries();
    serve(list(["b"], "b"), list([]), null, list([]), list([]), list([]));
    await readSeries();
    assert.deepEqual([names(), known.more, known.trouble.status], [["a"], false, 0]);
});

test("names that are written are chosen like those that are ticked", () => {
    for (const [given, wanted] of [
        [["a"], ["a"]],
        [[], null],
        [undefined, null],
        ["", null],
        ["a b,\n c ", ["a", "b", "c"]],
    ])
        assert.deepEqual(chosen(given), wanted);
});
