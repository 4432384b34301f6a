import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { answer, pretend, problem, serve } from "./browser.mjs";

pretend();
const { known } = await import("./page/base/known.js");
const { listen, live, pause, start, stop } = await import("./page/base/live.js");

const notice = (seq) => ({ seq: String(seq), id: `n${seq}` });
const session = (end) => answer(200, end === undefined ? {} : { last_notice: String(end) });
const page = (from, to) =>
    answer(200, {
        items: Array.from({ length: to - from + 1 }, (_, place) => notice(from + place)),
        next: String(to),
    });
const behind = (seq) => `/v1/notices?after=${seq}&wait=25&limit=1000`;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** What a request that waits is answered, later. */
function later() {
    let tell;
    const promise = new Promise((resolve) => (tell = resolve));
    return Object.assign(promise, { tell });
}

/** Starts, and is answered with these -> the requests behind that for the session */
async function begin(...answers) {
    const requests = serve(...answers);
    await start();
    requests.shift();
    for (const _ of answers) await pass(1);
    return requests;
}

const pathsOf = (requests) => requests.map((request) => request.path);

/** Lets so much time go by, and what is due then happen. */
async function pass(milliseconds) {
    mock.timers.tick(milliseconds);
    await turn();
}

beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    globalThis.document = { hidden: false };
    stop();
});

afterEach(async () => {
    stop();
    await pass(1000); // what is told together is told
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
    const [first, second] = [later(), later()];
    const read = await begin(session(100000), page(99501, 100000), first, second, later());
    assert.deepEqual(pathsOf(read), [behind(99500), behind(100000)]);
    assert.equal(live.notices.length, 500);
    assert.equal(live.notices[0].seq, "100000");
    assert.equal(live.connected, true);
    first.tell(page(100001, 100002));
    await turn();
    await pass(1);
    assert.equal(read.at(-1).path, behind(100002));
    second.tell(page(1, 0)); // nothing came: asked again a moment later
    await turn();
    await pass(1);
    assert.equal(read.length, 3);
    await pass(1000);
    assert.equal(read.length, 4);
    assert.equal(read.at(-1).path, behind(100002));
    assert.deepEqual(heard, ["100001", "100002"]);
    assert.equal(live.notices[0].seq, "100002");
});

test("a short history is read from its start, page by page", async (context) => {
    const heard = hear(context);
    const read = await begin(session(400), page(1, 300), page(301, 400), later());
    assert.deepEqual(pathsOf(read), [behind(0), behind(300), behind(400)]);
    assert.deepEqual(heard, []);
    stop();
    assert.deepEqual(pathsOf(await begin(session(0), later())), [behind(0)]);
    assert.equal(live.connected, true);
});

test("a tab that is hidden asks for nothing, and misses nothing", async () => {
    const before = await begin(session(3), page(1, 3), later());
    document.hidden = true;
    pause();
    assert.equal(before.at(-1).signal.aborted, true);
    const asked = serve();
    await start();
    await pass(60000);
    assert.deepEqual(asked, []);
    document.hidden = false;
    const read = await begin(session(900), page(4, 900), later());
    assert.deepEqual(pathsOf(read), [behind(3), behind(900)]);
    assert.deepEqual([live.notices.length, live.notices[0].seq], [500, "900"]);
    // Unless that is as much as years of it.
    pause();
    const years = await begin(session(20000), page(19501, 20000), later());
    assert.deepEqual(pathsOf(years), [behind(19500), behind(20000)]);
});

test("what comes for a tab that was hidden meanwhile does not count", async () => {
    const next = later();
    const requests = serve(session(3), page(1, 3));
    const reading = start();
    pause();
    await reading;
    assert.equal(requests.length, 1);
    await begin(session(3), page(1, 3), next);
    pause();
    next.tell(page(4, 4));
    await pass(5000);
    assert.equal(live.notices[0].seq, "3");
    assert.equal(live.connected, false);
});

test("what cannot be read is tried again, and what is gone is read anew", async () => {
    await begin(problem(503, "database-unavailable"));
    assert.equal(live.connected, false);
    const first = later();
    const requests = serve(session(7), page(1, 7), first, session(9000), page(8501, 9000), later());
    await pass(5000);
    await pass(1);
    assert.equal(requests.at(-1).path, behind(7));
    first.tell(answer(200, { items: [], next: "8000", reset: true }));
    await turn();
    await pass(1000);
    await pass(1);
    assert.deepEqual(pathsOf(requests).slice(4), [behind(8500), behind(9000)]);
    assert.equal(live.notices.at(-1).seq, "8501");
});

test("of what is gone nothing is asked for again, and what comes is read", async () => {
    // Of 606 notices 200 are kept.
    const gone = answer(200, { items: [], next: "406", reset: true });
    const requests = serve(session(606), gone, session(606), page(407, 606), later());
    await start();
    await turn();
    await pass(1000);
    await pass(1);
    assert.deepEqual(pathsOf(requests),
        ["/v1/session", behind(106), "/v1/session", behind(406), behind(606)]);
    assert.deepEqual([live.notices.length, live.notices[0].seq], [200, "606"]);
    stop();
    assert.deepEqual(pathsOf(await begin(session(300), later())), [behind(0)]);
});

test("a tab whose browser signed in somebody else meanwhile begins anew", async (context) => {
    let reloads = 0;
    globalThis.location = { reload: () => (reloads += 1) };
    known.session = null;
    context.after(() => (known.session = null));
    const by = (id, name) => answer(200, { id, name, time_zone: "UTC", last_notice: "0" });
    await begin(by("7", "anna"), later());
    pause();
    await begin(by("9", "anna"), later());
    assert.deepEqual([known.session.id, reloads], ["9", 0]);
    pause();
    await begin(by("8", "ben"), later());
    assert.deepEqual([known.session.id, reloads], ["9", 1]);
});

test("a request that waits and gets no answer is given up", async () => {
    const read = await begin(session(7), later());
    await pass(39000);
    assert.equal(read.at(-1).signal.aborted, false);
    await pass(1000);
    assert.equal(read.at(-1).signal.aborted, true);
});

test("who is signed out is not asked for again", async () => {
    const next = later();
    await begin(session(7), next);
    const requests = serve(session(7));
    next.tell(problem(401, "unauthenticated"));
    await turn();
    await pass(60000);
    assert.equal(live.connected, false);
    assert.deepEqual(requests, []);
});
