// Requests to the service this page came from.
import { language } from "./locale.js";

const patience = 15000; // milliseconds until an answer is given up
const patienceOfLong = 120000; // of what takes a file, or is as long as one

/** What a request did not get. `executed`: "no" is a promise, "unknown": repeat with the key. */
export class Problem extends Error {
    constructor(status, told = {}) {
        super(told.detail ?? told.title ?? "");
        this.status = status; // 0: there was no answer
        this.type = (told.type ?? "").split("/").pop() || "about:blank";
        this.title = told.title ?? "";
        this.lang = told.lang ?? null; // of the message; null: the reader's
        this.executed = told.executed ?? (status === 0 || status >= 500 ? "unknown" : "no");
        this.warnings = told.warnings ?? [];
        this.faults = told.faults ?? [];
        this.series = told.series ?? []; // that have the number
        this.requestId = told.request_id ?? "";
        this.retryAfter = 0; // seconds
    }
}

async function problemOf(answer) {
    let told = {};
    try {
        told = await answer.json();
    } catch {
        // A proxy in front may answer in its own words.
    }
    const problem = new Problem(answer.status, told);
    problem.retryAfter = Number(answer.headers.get("Retry-After") ?? 0) || 0;
    return problem;
}

let comeBack = null;

/** Who has somebody sign in again: a promise of whether it is the same person as before. */
export function whenSignedOut(handler) {
    comeBack = handler;
}

/**
 * One request. `body`: an object (JSON), or text or a file of the `type`; `accept`: "text/csv" for
 * text; `long`: it takes long, as what has a `type` does; `signal`: ends it, instead of our patience;
 * `tokenId()`: of the token that it is meant for: by another one's cookie it is not done, as if the
 * session were over. Waits where the session is over until somebody has signed in, and goes on: acts
 * (`key`) only if it is the same person.
 * -> {status, body}; throws Problem.
 */
export async function ask(method, path, given = {}) {
    try {
        return await send(method, path, given);
    } catch (problem) {
        const mayWait = comeBack && !given.signal && path !== "/v1/session";
        if (problem.status !== 401 || !mayWait) throw problem;
        const same = await comeBack(problem);
        if (given.key && !same) throw new Problem(401, { type: "somebody-else" });
        return send(method, path, given);
    }
}

async function send(method, path, given) {
    const fields = { Accept: given.accept ?? "application/json", "Accept-Language": language };
    let body = given.body;
    if (body !== undefined) fields["Content-Type"] = given.type ?? "application/json";
    if (body !== undefined && !given.type) body = JSON.stringify(body);
    if (given.key) fields["Idempotency-Key"] = given.key;
    if (given.tokenId) fields["Gapless-Token-Id"] = given.tokenId();
    let answer;
    let text;
    try {
        // Relative: a proxy may serve the page below a path of its own.
        answer = await fetch(`.${path}`, {
            method,
            headers: fields,
            body,
            cache: "no-store",
            credentials: "same-origin",
            redirect: "error",
            signal:
                given.signal ??
                AbortSignal.timeout(given.long || given.type ? patienceOfLong : patience),
        });
        if (!answer.ok) throw await problemOf(answer);
        text = await answer.text();
    } catch (error) {
        throw error instanceof Problem ? error : new Problem(0);
    }
    if (answer.status === 204 || given.accept) return { status: answer.status, body: text };
    return { status: answer.status, body: JSON.parse(text) };
}

/** What GET answers. */
export async function get(path, given = {}) {
    return (await ask("GET", path, given)).body;
}

/** All items of a list, page by page; at most so many pages: `cut` says that there are more. */
export async function getAll(path, pagesMax = 20) {
    const items = [];
    let after = null;
    for (let page = 0; page < pagesMax; page += 1) {
        const mark = path.includes("?") ? "&" : "?";
        const behind = after === null ? "" : `&after=${encodeURIComponent(after)}`;
        const told = await get(`${path}${mark}limit=1000${behind}`);
        items.push(...told.items);
        after = told.next;
        if (after === null) break;
    }
    return Object.assign(items, { cut: after !== null });
}

/** A path of parts that may hold any character: path`/v1/series/${name}`. */
export function path(texts, ...values) {
    return String.raw({ raw: texts }, ...values.map((value) => encodeURIComponent(value)));
}
