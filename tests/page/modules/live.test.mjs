import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { answer, pretend, problem, serve } from "./browser.mjs";

pretend();
const { listen, live, pause, start, stop } = await import("./page/base/live.js");

/** Streams as they were opened; each has what listens to it. */
const streams = [];
globalThis.EventSource = class {
    static CLOSED = 2;
    constructor(url) {
        Object.assign(this, { url, readyState: 0, listeners: {} });
        streams.push(this);
    }
    addEventListener(kind, listener) {
        this.listeners[kind] = listener;
    }
    close() {
        this.readyState = 2;
    }
    bring(seq) {
        this.listeners["series.low"]({ data: JSON.stringify(notice(seq)) });
    }
};

const notice = (seq) => ({ seq: String(seq), id: `n${seq}` });
const session = (end) => answer(200, end === undefined ? {} : { last_notice: String(end) });
const page = (from, to, next = null) =>
    answer(200, {
        items: Array.from({ length: to - from + 1 }, (_, place) => notice(from + place)),
        next,
    });
const behind = (seq) => `/v1/notices?after=${seq}&limit=1000`;

/** Starts, and is answered with these -> what was read after the session */
async function begin(...answers) {
    const requests = serve(...answers);
    await start();
    return requests.map((request) => request.path).slice(1);
}

beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    globalThis.document = { hidden: false };
    stop();
    streams.length = 0;
});

afterEach(() => {
    mock.timers.tick(1000); // what is told together is told
    mock.timers.reset();
});

/** What listeners are told as fresh from now on: the seqs. */
function hear(context) {
    const heard = [];
    const end = listen((come) => heard.push(...come.map((each) => each.seq)));
    context.after(end);
    return heard;
}

test("of a long history the end is read, and none of it is fresh", async (context) => {
    const heard = hear(context);
    const read = await begin(session(100000), page(99501, 100000));
    assert.deepEqual(read, [behind(99500)]);
    assert.equal(live.notices.length, 500);
    assert.equal(live.notices[0].seq, "100000");
    assert.equal(streams[0].url, "/v1/notices?after=100000");
    streams[0].bring(100000);
    streams[0].bring(100001);
    mock.timers.tick(1000);
    assert.deepEqual(heard, ["100001"]);
    assert.equal(live.notices[0].seq, "100001");
});

test("a short history is read from its start, page by page", async () => {
    assert.deepEqual(await begin(session(500), page(1, 500)), [behind(0)]);
    stop();
    assert.deepEqual(await begin(session(0), page(1, 0)), [behind(0)]);
    stop();
    // A service that does not tell where its history ends.
    const read = await begin(session(), page(1, 1000, "1000"), page(1001, 1400));
    assert.deepEqual(read, [behind(0), behind(1000)]);
    assert.equal(streams.at(-1).url, "/v1/notices?after=1400");
});

test("notices that a token does not see lie behind, too", async (context) => {
    const heard = hear(context);
    assert.deepEqual(await begin(session(9000), page(1, 0)), [behind(8500)]);
    assert.equal(streams[0].url, "/v1/notices?after=9000");
    streams[0].bring(8999);
    mock.timers.tick(1000);
    assert.deepEqual(heard, []);
});

test("a tab that is hidden has no stream, and misses nothing", async () => {
    await begin(session(3), page(1, 3));
    document.hidden = true;
    pause();
    assert.equal(streams[0].readyState, 2);
    const asked = serve();
    await start();
    assert.deepEqual(asked, []);
    document.hidden = false;
    assert.deepEqual(await begin(session(900), page(4, 900)), [behind(3)]);
    assert.deepEqual([live.notices.length, live.notices[0].seq], [500, "900"]);
    assert.equal(streams[1].url, "/v1/notices?after=900");
    // Unless that is as much as years of it.
    pause();
    assert.deepEqual(await begin(session(20000), page(19501, 20000)), [behind(19500)]);
});

test("a tab that is hidden while it reads opens no stream", async () => {
    serve(session(3), page(1, 3));
    const reading = start();
    pause();
    await reading;
    assert.equal(streams.length, 0);
});

test("what cannot be read is tried again, and what is gone is read anew", async () => {
    await begin(problem(503, "database-unavailable"));
    assert.equal(streams.length, 0);
    const requests = serve(session(7), page(1, 7), session(9000), page(8501, 9000));
    mock.timers.tick(15000);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(streams.length, 1);
    streams[0].listeners.reset();
    mock.timers.tick(1);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(requests.at(-1).path, behind(8500));
    assert.equal(streams[1].url, "/v1/notices?after=9000");
});
