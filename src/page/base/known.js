// What the page knows: who is signed in, the series and how the service is. It stays in this tab
// for when the database is away, and goes with the tab or the session.
import { get, getAll, path, Problem } from "./client.js";
import { setTimeZone, setToday } from "./locale.js";

const kept = "gapless-known";

const readinessPatience = 3000; // milliseconds: it is answered from memory

const seriesMax = 200; // that are read of a list
const troubled = ["exhausted", "due", "low", "paused"]; // the states somebody has to look at
const seriesPath = `/v1/series?limit=${seriesMax}`;

const nothing = { session: null, series: [], more: false, carriers: [], seen: null, trouble: null };

/**
 * session: null: nobody is signed in. more: there are other series than these: they hold the first
 * ones, those to look at, and what was searched for. seen: when they were read. readiness: null: the
 * service does not answer; undefined: it was not asked yet. trouble: a Problem.
 */
export const known = { ...nothing };

function keep() {
    try {
        const { session, series, more, carriers, seen } = known;
        sessionStorage.setItem(kept, JSON.stringify({ session, series, more, carriers, seen }));
    } catch {
        // Without storage a reload has to wait for the database.
    }
}

/** True when whoever is signed in may do it. */
export function may(scope) {
    return known.session?.scopes.includes(scope) ?? false;
}

/** True for a token of every series. */
export function seesAll() {
    return known.session?.series === null;
}

/** The series of that name, as last seen. */
export function seriesOf(name) {
    return known.series.find((series) => series.name === name);
}

/** The carrier of a series, as last seen. */
export function carrierOf(series) {
    return known.carriers.find((carrier) => carrier.code === series.carrier);
}

/** Nobody is signed in. What was sent and not answered stays, for whoever signs in again. */
export function forget() {
    Object.assign(known, nothing);
    try {
        sessionStorage.removeItem(kept);
    } catch {
        // There is none.
    }
}

/** Notes who is signed in. For somebody else, by another tab, the page begins anew. */
export function remember(session) {
    if (known.session && known.session.name !== session.name) return location.reload();
    known.session = session;
    setTimeZone(session.time_zone);
    return setToday(session.today);
}

/** Who is signed in. False: nobody. While the database is away, who was in this tab. */
export async function findSession() {
    try {
        remember(await get("/v1/session"));
        keep();
        return true;
    } catch (problem) {
        if (problem.status === 401) {
            forget();
            return false;
        }
        if (!known.session) {
            const before = JSON.parse(sessionStorage.getItem(kept) ?? "null");
            if (before?.session) {
                Object.assign(known, before);
                setTimeZone(before.session.time_zone);
            }
        }
        known.trouble = problem;
        return known.session !== null;
    }
}

const eachOnce = (series) => [...new Map(series.map((each) => [each.name, each])).values()];

async function readLists() {
    const { items, next } = await get(seriesPath);
    if (next === null) return [items, false];
    const lists = troubled.map((state) => get(`${seriesPath}&state=${state}`));
    const read = await Promise.all(lists);
    return [eachOnce([...items, ...read.flatMap((list) => list.items)]), true];
}

/**
 * Reads the series and their carriers: all of them, or, of many, the first and those to look at.
 * What cannot be read stays, and known.trouble says why.
 */
export async function readSeries() {
    try {
        const read = await Promise.all([readLists(), getAll("/v1/carriers")]);
        [[known.series, known.more], known.carriers] = read;
        known.seen = Date.now();
        known.trouble = null;
        keep();
    } catch (problem) {
        known.trouble = problem;
        if (problem.status === 401) throw problem;
    }
}

/** The first series with this text in name, carrier, format or a block's reference, known from now
 * on; `cut`: there are more. */
export async function searchSeries(text) {
    const { items, next } = await get(`${seriesPath}&q=${encodeURIComponent(text)}`);
    known.series = eachOnce([...known.series, ...items]);
    return Object.assign(items, { cut: next !== null });
}

/** Reads one series, and the carriers. */
export async function readOne(name) {
    const read = await Promise.all([get(path`/v1/series/${name}`), getAll("/v1/carriers")]);
    known.carriers = read[1];
    known.series = [...known.series.filter((series) => series.name !== name), read[0]];
    return read[0];
}

/** Asks how the service is; null: it does not answer. */
export async function readReadiness() {
    try {
        const answer = await fetch("./readyz", {
            cache: "no-store",
            signal: AbortSignal.timeout(readinessPatience),
        });
        known.readiness = await answer.json();
    } catch {
        known.readiness = null;
    }
}

/** Notes what a view could not read; a Problem that only the view can explain is thrown on. */
export function note(problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (![0, 429].includes(problem.status) && problem.status < 500) throw problem;
    known.trouble = problem;
}
