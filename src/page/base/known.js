// What the page knows: who is signed in, the series and how the service is. It stays in this tab
// for when the database is away, and goes with the tab or the session.
import { get, getAll, Problem } from "./client.js";
import { setTimeZone } from "./locale.js";

const kept = "gapless-known";

/** session: null: nobody is signed in. seen: when the series were read. trouble: a Problem. */
export const known = { session: null, series: [], seen: null, readiness: null, trouble: null };

function keep() {
    try {
        const { session, series, seen } = known;
        sessionStorage.setItem(kept, JSON.stringify({ session, series, seen }));
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

/** Nobody is signed in. What was sent and not answered stays, for whoever signs in again. */
export function forget() {
    Object.assign(known, { session: null, series: [], seen: null, trouble: null });
    try {
        sessionStorage.removeItem(kept);
    } catch {
        // There is none.
    }
}

function remember(session) {
    known.session = session;
    setTimeZone(session.time_zone);
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
                remember(before.session);
                known.series = before.series;
                known.seen = before.seen;
            }
        }
        known.trouble = problem;
        return known.session !== null;
    }
}

/** Reads the series. What cannot be read stays as it was, and known.trouble says why. */
export async function readSeries() {
    try {
        known.series = await getAll("/v1/series");
        known.seen = Date.now();
        known.trouble = null;
        keep();
    } catch (problem) {
        known.trouble = problem;
        if (problem.status === 401) throw problem;
    }
}

/** Asks how the service is; null: it does not answer. */
export async function readReadiness() {
    try {
        const answer = await fetch("/readyz", {
            cache: "no-store",
            signal: AbortSignal.timeout(5000),
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
