// Notices as they come: one request of the page waits for the next ones, again and again.
import { get, Problem } from "./client.js";
import { remember } from "./known.js";

const keptMax = 500;
const gapMax = 10000; // read after an interruption; behind a larger one only the latest are
const pageMax = 1000;
const waitSeconds = 25; // for a notice, within one request
const patience = 40000; // milliseconds until that request is given up
const againMilliseconds = 5000; // after one that failed
const emptyMilliseconds = 1000; // after one that brought nothing: a service that stops answers at once
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

let asking = null; // the request that waits
let again = null;
let last = "0"; // the highest seq that was read
let floor = "0"; // nothing up to here is kept
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

function become(connected) {
    live.connected = connected;
    tell();
}

function later(milliseconds, next) {
    clearTimeout(again);
    again = setTimeout(next, milliseconds);
}

function fail(problem, mine) {
    if (!(problem instanceof Problem)) throw problem;
    if (mine !== turn) return;
    asking = null;
    become(false);
    if (problem.status !== 401) later(againMilliseconds, start);
}

function forget() {
    last = "0";
    fresh = [];
    live.notices = [];
}

async function follow(mine) {
    asking = new AbortController();
    later(patience, () => asking?.abort());
    try {
        const address = `/v1/notices?after=${last}&wait=${waitSeconds}&limit=${pageMax}`;
        const { items, next, reset } = await get(address, { signal: asking.signal });
        if (mine !== turn) return;
        asking = null;
        items.forEach(add);
        fresh.push(...items.filter((notice) => BigInt(notice.seq) > BigInt(old)));
        if (items.length > 0) tell();
        // What lies between is gone: reads anew.
        if (reset) {
            forget();
            floor = next;
        }
        later(items.length > 0 ? 0 : emptyMilliseconds, reset ? start : () => follow(mine));
    } catch (problem) {
        fail(problem, mine);
    }
}

// Lists begin with the oldest, of which there may be years: reads near the end of them.
function beginNear(end) {
    const gap = BigInt(end) - BigInt(last);
    const much = gap > BigInt(last === "0" ? keptMax : gapMax);
    old = end;
    const from = much ? BigInt(end) - BigInt(keptMax) : BigInt(last);
    return String(from > BigInt(floor) ? from : floor);
}

/**
 * Reads the latest, and listens from then on. What goes wrong is tried again. A tab that is hidden
 * does not listen: browsers open six connections to a service, and a request that waits takes one.
 */
export async function start() {
    if (asking !== null || document.hidden) return;
    clearTimeout(again);
    const mine = (turn += 1);
    try {
        const session = await get("/v1/session");
        if (mine !== turn) return;
        remember(session);
        last = beginNear(session.last_notice ?? "0");
        become(true);
        follow(mine);
    } catch (problem) {
        fail(problem, mine);
    }
}

/** Listens no more and keeps what came: start() goes on from there. */
export function pause() {
    turn += 1;
    clearTimeout(again);
    asking?.abort();
    asking = null;
    live.connected = false;
}

/** Listens no more and forgets: somebody signed out. */
export function stop() {
    pause();
    forget();
    floor = "0";
}

/** Calls back with the notices that came. -> how to end it */
export function listen(listener) {
    listeners.push(listener);
    return () => {
        listeners = listeners.filter((each) => each !== listener);
    };
}
