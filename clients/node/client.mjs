// @ts-check
const usage = `Issues numbers of gapless, so that no crash on either side loses or doubles one.

  run SERIES COUNT [REFERENCE]   ends the order that is open in the outbox, then orders COUNT
                                 numbers of SERIES, for your REFERENCE
  run                            only ends the order that is open

Environment: GAPLESS_URL (http://… or https://…), GAPLESS_TOKEN, OUTBOX (a file: it exists while an
order is open, and holds "KEY COUNT SERIES", a reference below); GAPLESS_TIMEOUT and
GAPLESS_PATIENCE, in seconds.
../README.md has the rules.
Without the script "run" nothing keeps two processes from using one outbox.`;
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** @typedef {{key: string, count: number, series: string, reference?: string}} Order */

const url = (process.env.GAPLESS_URL ?? "").replace(/\/+$/, "");
const token = (process.env.GAPLESS_TOKEN ?? "").trim();
const outbox = process.env.OUTBOX ?? "";
const timeoutMs = 1000 * Number(process.env.GAPLESS_TIMEOUT ?? 15); // from sending to the last byte
const patienceMs = 1000 * Number(process.env.GAPLESS_PATIENCE ?? 30); // for one order in this run
const pauseMaxMs = 5000;
const wrongOrders = [400, 404, 413, 422]; // the same order would be refused each time

/** The message is for the user. */
class GivenUp extends Error {}

/** In the order of time, as the service likes its keys best. */
function uuid7() {
    const bytes = randomBytes(16);
    bytes.writeUIntBE(Date.now(), 0, 6);
    bytes[6] = 0x70 | (bytes[6] & 0x0f);
    bytes[8] = 0x80 | (bytes[8] & 0x3f);
    return bytes.toString("hex").replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}

/** @param {string} path @param {string} flags @param {string} [text] */
function sync(path, flags, text) {
    const file = fs.openSync(path, flags);
    if (text !== undefined) fs.writeFileSync(file, text);
    fs.fsyncSync(file);
    fs.closeSync(file);
}

/** On disk, whole, before anything is sent. @param {Order} order */
function save(order) {
    const below = order.reference ? `${order.reference}\n` : "";
    sync(`${outbox}.new`, "w", `${order.key} ${order.count} ${order.series}\n${below}`);
    fs.renameSync(`${outbox}.new`, outbox);
    sync(dirname(outbox), "r");
}

function forget() {
    fs.unlinkSync(outbox);
    sync(dirname(outbox), "r");
}

/** @returns {Order | null} */
function openOrder() {
    const text = fs.existsSync(outbox) ? fs.readFileSync(outbox, "utf8") : "";
    if (text === "") return null;
    const found = /^([0-9a-f-]{36}) ([0-9]+) ([^\n]+)\n(?:([^\n]+)\n)?$/.exec(text);
    if (!found)
        throw new GivenUp(`${outbox} is not an outbox: it holds something else; move it away`);
    return { key: found[1], count: Number(found[2]), series: found[3], reference: found[4] };
}

/** Throws without a whole answer. @param {Order} order */
async function send(order) {
    const answer = await fetch(`${url}/v1/series/${encodeURIComponent(order.series)}/numbers`, {
        method: "POST",
        headers: {
            "Authorization": `Bearer ${token}`, "Idempotency-Key": order.key,
            "Content-Type": "application/json", "Accept": "text/csv",
        },
        body: JSON.stringify({ count: order.count, reference: order.reference }),
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
    });
    const afterMs = 1000 * (Number(answer.headers.get("Retry-After")) || 0);
    const repeated = answer.headers.get("Idempotency-Replayed") === "true";
    return { status: answer.status, body: await answer.text(), repeated, afterMs };
}

/** @param {string} body @returns {Record<string, string | undefined>} */
function problemOf(body) {
    try {
        return Object(JSON.parse(body));
    } catch {
        return { detail: body.slice(0, 200) };
    }
}

/** Repeats an order until its numbers are there, and prints them. `inDoubt`: it may have been
 * executed, although we have no answer. @param {Order} order @param {boolean} inDoubt
 * @returns {Promise<boolean>} whether the answer was a repeat: the numbers may be in use since an
 * earlier run */
async function end(order, inDoubt) {
    const giveUpAt = performance.now() + patienceMs;
    for (let pauseMs = 200; ; pauseMs = Math.min(2 * pauseMs, pauseMaxMs)) {
        const { status, body, repeated, afterMs } = await send(order).catch((error) =>
            ({ status: 0, body: String(error.cause ?? error), repeated: false, afterMs: 0 }));
        const got = status === 201 && body.endsWith("\n") ? body.split("\n").length - 1 : 0;
        if (0 < got && (got === order.count || (got < order.count && repeated))) {
            await print(body);
            forget(); // only now: printed twice is better than never
            const gone = order.count - got;
            if (gone > 0)
                console.error(`run: ${gone} numbers of this order are gone: ` +
                    "released, expired, reused or voided");
            return repeated;
        }
        const problem = problemOf(body);
        const detail = `${status || "no answer"}: ${problem.detail ?? problem.title}`;
        if (problem.executed !== "no") {
            inDoubt = true;
        } else if (status !== 429 && status !== 503) {
            const settled = problem.type === "/problems/issuance-settled";
            if (settled || (wrongOrders.includes(status) && !inDoubt)) forget();
            throw new GivenUp(detail);
        }
        const waitMs = afterMs + pauseMs * (0.5 + Math.random() / 2);
        if (performance.now() + waitMs > giveUpAt)
            throw new GivenUp(`given up for now, the order stays in ${outbox}: ${detail}`);
        await sleep(waitMs);
    }
}

/** @param {string} text */
async function print(text) {
    if (!fs.fstatSync(1).isFile()) {
        await new Promise((done, failed) =>
            process.stdout.write(text, (error) => (error ? failed(error) : done(null))));
        return;
    }
    fs.writeFileSync(1, Buffer.from(text)); // process.stdout drops what a full disk did not take
    fs.fsyncSync(1);
}

/** @param {string[]} words @returns {Promise<number>} the exit status */
async function main(words) {
    const counted = (words.length === 2 || words.length === 3) && /^[0-9]+$/.test(words[1]) &&
        words.every((word) => /^[^\0-\x1f]+$/.test(word));
    const known = /^https?:\/\/[^/:?#]/i.test(url) && token && outbox;
    if ((words.length > 0 && !counted) || !known) {
        console.error(usage);
        return 2;
    }
    process.stdout.on("error", () => {}); // whoever writes is told
    try {
        const open = openOrder();
        if (open) await end(open, true);
        if (counted) {
            const [series, count, reference] = words;
            const order = { key: uuid7(), count: Number(count), series, reference };
            save(order);
            await end(order, false);
        }
        return 0;
    } catch (error) {
        console.error(`run: ${error instanceof Error ? error.message : error}`);
        return 1;
    }
}

process.exit(await main(process.argv.slice(2)));
