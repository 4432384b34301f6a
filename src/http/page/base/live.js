// Notices as they come: one stream for the page, opened again when it breaks.
import { get, Problem } from "./client.js";

const keptMax = 500;
const gapMax = 10000; // read after an interruption; behind a larger one only the latest are
const pageMax = 1000;
const pagesMax = 20;
const againMilliseconds = 15000; // after a stream was refused
const togetherMilliseconds = 250; // notices that come within are told together

/** Every kind of notice. */
export const kinds = [
    "block.opened",
    "block.exhausted",
    "block.expired",
    "block.loaded",
    "block.closed",
    "block.recalled",
    "series.no_successor",
    "series.low",
    "series.order_by",
    "series.exhausted",
    "series.paused",
    "fence.raised",
    "verify.finding",
    "token.expires",
    "reserve.settled",
    "lease.overdue",
];

/** The latest notices, the newest first. `connected`: new ones come by themselves. */
export const live = { notices: [], connected: false };

let stream = null;
let again = null;
let last = "0"; // the highest seq that was read
let old = "0"; // what had been published by the time this tab began to listen is no news
let turn = 0; // of the session; what an earlier one asked for does not count
let told = null;
let fresh = [];
let listeners = [];

function tell() {
    told ??= setTimeout(() => {
        told = null;
        const come = fresh;
        fresh = [];
        for (const listener of listeners) listener(come);
    }, togetherMilliseconds);
}

function add(notice) {
    if (BigInt(notice.seq) > BigInt(last)) last = notice.seq;
    if (live.notices.some((known) => known.id === notice.id)) return;
    live.notices.unshift(notice);
    live.notices.length = Math.min(live.notices.length, keptMax);
}

function connect() {
    stream = new EventSource(`/v1/notices?after=${last}`);
    const become = (connected) => {
        live.connected = connected;
        tell();
    };
    stream.addEventListener("open", () => become(true));
    stream.addEventListener("error", () => {
        become(false);
        if (stream?.readyState === EventSource.CLOSED) retry();
    });
    for (const kind of kinds)
        stream.addEventListener(kind, (event) => {
            const notice = JSON.parse(event.data);
            add(notice);
            if (BigInt(notice.seq) > BigInt(old)) fresh.push(notice);
            tell();
        });
    // What lies between is gone: begin anew.
    stream.addEventListener("reset", () => {
        last = "0";
        live.notices = [];
        retry(0);
    });
}

function retry(milliseconds = againMilliseconds) {
    stream?.close();
    stream = null;
    clearTimeout(again);
    again = setTimeout(start, milliseconds);
}

// Lists begin with the oldest, of which there may be years: reads near the end of them.
function beginNear(end) {
    const gap = BigInt(end) - BigInt(last);
    const much = gap > BigInt(last === "0" ? keptMax : gapMax);
    old = end;
    return much ? String(BigInt(end) - BigInt(keptMax)) : last;
}

// -> false: it counts no more
async function readBehind(seq, mine) {
    let after = seq;
    for (let page = 0; page < pagesMax && after !== null; page += 1) {
        const told = await get(`/v1/notices?after=${after}&limit=${pageMax}`);
        if (mine !== turn) return false;
        for (const notice of told.items) add(notice);
        after = told.next;
    }
    // Also what this token does not see lies behind.
    if (after === null && BigInt(old) > BigInt(last)) last = old;
    return true;
}

/**
 * Reads the latest, and listens from then on. What goes wrong is tried again. A tab that is hidden
 * does not listen: browsers open six connections to a service, and each stream takes one.
 */
export async function start() {
    if (stream !== null || document.hidden) return;
    const mine = (turn += 1);
    try {
        const { last_notice: end = "0" } = await get("/v1/session");
        if (mine !== turn || !(await readBehind(beginNear(end), mine))) return;
        connect();
        tell();
    } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        if (mine === turn && problem.status !== 401) retry();
    }
}

/** Ends the stream and keeps what it brought: start() goes on from there. */
export function pause() {
    turn += 1;
    clearTimeout(again);
    stream?.close();
    stream = null;
    live.connected = false;
}

/** Ends the stream and forgets: somebody signed out. */
export function stop() {
    pause();
    last = "0";
    fresh = [];
    live.notices = [];
}

/** Calls back with the notices that came. -> how to end it */
export function listen(listener) {
    listeners.push(listener);
    return () => {
        listeners = listeners.filter((each) => each !== listener);
    };
}
