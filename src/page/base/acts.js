// Acts: what changes something. Each has an idempotency key, so that it can be repeated until its
// answer is known; one whose answer is not known stays in this tab, also after a reload.
import { ask, Problem } from "./client.js";
import { known } from "./known.js";

const kept = "gapless-open-acts";
const attemptsMax = 4;
const pauses = [1000, 2000, 4000]; // milliseconds before the next attempt
const pauseMax = 8000;

/** 128 random bits; crypto.randomUUID is missing where the page is not served by TLS. */
export function newKey() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return "page-" + [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Acts whose answer is not known: {name, request, key, who}; tokens of one name share keys. */
export function openActs() {
    try {
        return JSON.parse(sessionStorage.getItem(kept) ?? "[]");
    } catch {
        return [];
    }
}

function keepOpen(acts) {
    try {
        if (acts.length === 0) sessionStorage.removeItem(kept);
        else sessionStorage.setItem(kept, JSON.stringify(acts));
    } catch {
        // Too large, or there is no storage: it can be repeated as long as its form is open.
    }
}

/** Gives up to learn what became of it. */
export function forgetAct(key) {
    keepOpen(openActs().filter((act) => act.key !== key));
}

/** The same for all: somebody signs out. */
export function forgetActs() {
    keepOpen([]);
}

function rememberAct(act) {
    keepOpen([...openActs().filter((each) => each.key !== act.key), act]);
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Said before the key is looked at, so it says nothing of an earlier attempt.
const saysNothing = (problem) => [401, 403, 429, 503].includes(problem.status);

const fingerprint = ({ method, path, body }) => {
    const whole = body instanceof Blob ? [body.name, body.size, body.lastModified] : body;
    return JSON.stringify([method, path, whole]);
};

/** One thing that a person wants done, however often it has to be sent. */
export class Act {
    /** `name`: what the person calls it; `key`: of an act that was begun before. */
    constructor(name, key = null) {
        this.name = name;
        this.key = key;
        this.wanted = null;
        this.running = null;
        this.unknown = key !== null;
        this.who = known.session?.name ?? null;
    }

    /**
     * Sends {method, path, body, type}, and repeats it under its key while there is no
     * answer; `waits` is called before a repetition. A second call meanwhile is the same act.
     * -> the answer; throws Problem: with executed "no" nothing changed, else call it again.
     */
    send(request, waits = () => {}) {
        this.running ??= this.attempt(request, waits).finally(() => {
            this.running = null;
        });
        return this.running;
    }

    async attempt(request, waits) {
        const wanted = fingerprint(request);
        const { name: who = null, id } = known.session ?? {};
        // To somebody else's token the key is new: it would be done twice.
        if (this.unknown && who !== this.who)
            throw new Problem(401, { type: "begun-by-another", executed: "unknown" });
        this.who = who;
        // Another request needs another key; one whose answer is not known stays as it is.
        if (this.key === null || (wanted !== this.wanted && !this.unknown)) this.key = newKey();
        this.wanted = wanted;
        if (!(request.body instanceof Blob))
            rememberAct({ name: this.name, request, key: this.key, who });
        for (let attempt = 1; ; attempt += 1) {
            try {
                this.endForAnother();
                const answer = await ask(request.method, request.path, {
                    ...request,
                    key: this.key,
                    tokenId: () => (known.session?.name === who ? known.session.id : id),
                });
                this.settle();
                return answer;
            } catch (problem) {
                if (!(problem instanceof Problem)) throw problem;
                if (this.isGone(request, problem)) return { status: 204, body: "" };
                if (this.judge(problem, attempt)) throw problem;
                waits(problem);
                const least = pauses[Math.min(attempt, pauses.length) - 1];
                await pause(Math.min(pauseMax, Math.max(least, problem.retryAfter * 1000)));
            }
        }
    }

    // It is repeated for its person alone; while nobody is signed in, the cookie decides.
    endForAnother() {
        if ((known.session?.name ?? this.who) === this.who) return;
        throw new Problem(401, { type: this.unknown ? "begun-by-another" : "somebody-else" });
    }

    // True when it ends here. A problem after an unknown one is unknown unless it is decisive.
    judge(problem, attempt) {
        if (problem.executed === "unknown") this.unknown = true;
        if (this.unknown && saysNothing(problem)) problem.executed = "unknown";
        const again = problem.executed === "unknown" || [429, 503].includes(problem.status);
        if (again && problem.type !== "fenced" && attempt < attemptsMax && problem.status !== 401)
            return false;
        // Whoever signs in sends the same with the same key.
        if (problem.status === 401 && !this.unknown) forgetAct(this.key);
        else if (problem.executed !== "unknown") this.settle();
        return true;
    }

    // What was to be removed is not there: an earlier attempt removed it.
    isGone(request, problem) {
        const gone = request.method === "DELETE" && this.unknown && problem.status === 404;
        if (gone) this.settle();
        return gone;
    }

    settle() {
        this.unknown = false;
        forgetAct(this.key);
        this.wanted = null;
    }
}
