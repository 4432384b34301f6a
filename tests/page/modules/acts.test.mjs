import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { answer, pretend, problem, serve } from "./browser.mjs";

pretend();
const { Act, newKey, openActs } = await import("./page/base/acts.js");
const { whenSignedOut } = await import("./page/base/client.js");
const { known } = await import("./page/base/known.js");
const anna = { id: "7", name: "anna", scopes: [] };
const ben = { id: "8", name: "ben", scopes: [] };
known.session = anna;

const load = { method: "POST", path: "/v1/series/s/blocks", body: { first: "1", last: "9" } };
const done = () => answer(201, { id: "4" });

/** Sends, without waiting for the pauses between attempts. */
async function send(act, request = load) {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
        const sent = act.send(request);
        let ended = false;
        sent.then(() => (ended = true), () => (ended = true));
        for (let turn = 0; turn < 200 && !ended; turn += 1) {
            await new Promise((resolve) => setImmediate(resolve));
            mock.timers.tick(10000);
        }
        return await sent;
    } finally {
        mock.timers.reset();
    }
}

test("a key has 128 random bits and can be sent", () => {
    assert.match(newKey(), /^page-[0-9a-f]{32}$/);
    assert.notEqual(newKey(), newKey());
});

test("an act has a key and is over once it was answered", async () => {
    const requests = serve(done());
    const told = await send(new Act("load"));
    assert.equal(told.status, 201);
    assert.match(requests[0].key, /^page-/);
    assert.deepEqual(openActs(), []);
});

test("a second press while an act is sent is the same act", async () => {
    const requests = serve(done(), done());
    const act = new Act("load");
    const [one, two] = await Promise.all([act.send(load), act.send(load)]);
    assert.equal(one, two);
    assert.equal(requests.length, 1);
});

test("a lost answer is asked for again with the same key", async () => {
    const requests = serve(null, null, done());
    assert.equal((await send(new Act("load"))).status, 201);
    assert.equal(requests.length, 3);
    assert.equal(new Set(requests.map((request) => request.key)).size, 1);
    assert.deepEqual(openActs(), []);
});

test("an act whose answer stays lost is remembered with its key", async () => {
    const requests = serve();
    const act = new Act("load");
    await assert.rejects(send(act), (refused) => refused.executed === "unknown");
    assert.equal(requests.length, 4);
    const { key } = requests[0];
    assert.deepEqual(openActs(), [{ name: "load", request: load, key, who: "anna" }]);
    const again = serve(done());
    await send(act);
    assert.equal(again[0].key, requests[0].key);
    assert.deepEqual(openActs(), []);
});

test("what was remembered is repeated with its key after a reload", async () => {
    const requests = serve(done());
    const told = await send(new Act("load", "page-before"));
    assert.equal(told.status, 201);
    assert.equal(requests[0].key, "page-before");
});

test("an outcome that is unknown stays so until an answer decides it", async () => {
    for (const silent of [problem(503, "overloaded"), problem(429, "too-many-requests"),
        problem(401, "unauthenticated"), problem(403, "forbidden")]) {
        const act = new Act("load");
        serve(null, silent, null, null);
        await assert.rejects(send(act), (refused) => refused.executed === "unknown");
        assert.equal(openActs().length, 1);
        serve(problem(409, "block-overlap"));
        await assert.rejects(send(act), (refused) => refused.executed === "no");
        assert.deepEqual(openActs(), []);
    }
});

test("a refusal is final, and the next request has another key", async () => {
    const act = new Act("load");
    const refused = serve(problem(409, "block-overlap"));
    await assert.rejects(send(act), (told) => told.type === "block-overlap");
    assert.equal(refused.length, 1);
    const next = serve(done());
    await send(act, { ...load, body: { first: "1", last: "8" } });
    assert.notEqual(next[0].key, refused[0].key);
});

test("the very same request after a refusal has another key, too", async () => {
    const act = new Act("load");
    const refused = serve(problem(409, "series-exhausted"));
    await assert.rejects(send(act));
    const next = serve(done());
    await send(act);
    assert.notEqual(next[0].key, refused[0].key);
});

test("when the session is over, the act goes on with its key once its person is back", async () => {
    let same = true;
    whenSignedOut(async () => {
        known.session = same ? { ...anna, id: "9" } : ben;
        return same;
    });
    const over = () => problem(401, "unauthenticated");
    const seamless = serve(over(), done());
    assert.equal((await send(new Act("load"))).status, 201);
    assert.equal(new Set(seamless.map((request) => request.key)).size, 1);
    assert.deepEqual(seamless.map(({ tokenId }) => tokenId), ["7", "9"]); // another of her tokens

    // Somebody else looks first: what was not done has the same key, what is unknown stays.
    same = false;
    const act = new Act("load");
    const first = serve(over());
    await assert.rejects(send(act), (told) => told.type === "somebody-else");
    assert.deepEqual(openActs(), []);
    const second = serve(done());
    assert.equal((await send(act)).status, 201);
    assert.equal(second[0].key, first[0].key);

    known.session = anna;
    const lost = new Act("load");
    serve(null, over());
    await assert.rejects(send(lost), (told) => told.executed === "unknown");
    const none = serve(done());
    await assert.rejects(send(lost), (told) => told.type === "begun-by-another");
    assert.equal(none.length, 0);
    assert.equal(openActs()[0].who, "anna");
    known.session = anna;
    assert.equal((await send(lost)).status, 201);
    whenSignedOut(null);
});

test("what somebody else's cookie would do is not sent, nor repeated", async () => {
    /** An answer that is lost while somebody else signs in, or nobody. */
    const lostTo = (session) => Promise.reject(new TypeError("lost")).finally(() => {
        known.session = session;
    });
    const act = new Act("load");
    const sent = serve(lostTo(ben), done());
    await assert.rejects(send(act),
        ({ type, executed }) => type === "begun-by-another" && executed === "unknown");
    assert.deepEqual(sent.map(({ tokenId }) => tokenId), ["7"]);
    assert.equal(openActs()[0].who, "anna");
    known.session = { ...anna, id: "9" };
    const again = serve(done());
    await send(act);
    assert.deepEqual([again[0].key, again[0].tokenId], [sent[0].key, "9"]);

    // While nobody is signed in the service is told, too, whose it is.
    known.session = anna;
    const nobody = serve(lostTo(null), done());
    await send(new Act("load"));
    assert.deepEqual(nobody.map(({ tokenId }) => tokenId), ["7", "7"]);

    // What was not done before is not done by somebody else, either.
    known.session = anna;
    const busy = problem(503, "overloaded");
    const none = serve(Promise.resolve(busy).finally(() => (known.session = ben)), done());
    await assert.rejects(send(new Act("load")),
        ({ type, executed }) => type === "somebody-else" && executed === "no");
    assert.equal(none.length, 1);
    assert.deepEqual(openActs(), []);
    known.session = anna;
});

test("a busy service is asked again, a fenced one is not", async () => {
    const busy = serve(problem(503, "overloaded", "no", { "Retry-After": "2" }), done());
    await send(new Act("load"));
    assert.equal(busy.length, 2);
    const fenced = serve(problem(503, "fenced"));
    await assert.rejects(send(new Act("load")), (told) => told.type === "fenced");
    assert.equal(fenced.length, 1);
    const down = serve(...Array.from({ length: 9 }, () => problem(503, "database-unavailable")));
    await assert.rejects(send(new Act("load")), (told) => told.executed === "no");
    assert.equal(down.length, 4);
    assert.deepEqual(openActs(), []);
});

test("what was to be removed and is gone after a lost answer was removed", async () => {
    const remove = { method: "DELETE", path: "/v1/webhooks/3" };
    serve(null, problem(404, "not-found"));
    assert.equal((await send(new Act("delete"), remove)).status, 204);
    serve(problem(404, "not-found"));
    await assert.rejects(send(new Act("delete"), remove), (told) => told.status === 404);
});

test("a file is sent, and not kept in the tab", async () => {
    const file = new Blob(["first;last\n1;9\n"]);
    serve();
    await assert.rejects(send(new Act("load"), { ...load, body: file, type: "text/csv" }));
    assert.deepEqual(openActs(), []);
});
