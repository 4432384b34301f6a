// The page: who is signed in, which view is shown, and how it is kept up to date.
import { el, patchChildren, pieces } from "./element.js";
import { whenSignedOut } from "./client.js";
import { findSession, forget, known, may, note, readReadiness } from "./known.js";
import * as notices from "./live.js";
import { language, locale, t } from "./locale.js";
import { listenToDrops } from "./drop.js";
import { forgetActs } from "./acts.js";
import { findRoute, isOpen, ways } from "./routes.js";
import { closeDialogs, openModal } from "../parts/modal.js";
import { showFrame, showTitle, showTrouble, watchService } from "../parts/frame.js";
import { endOpenIssues, showOpenActs } from "../parts/open_acts.js";
import { textOf } from "../parts/notice_list.js";
import { explain, sentenceOf } from "../parts/problem.js";
import { orSay, say } from "../parts/said.js";
import { signIn, signOut } from "../views/sign_in.js";

const readinessSeconds = 5;
const sessionSeconds = 3600; // a token that only reads stays signed in by being asked for

const at = (id) => document.getElementById(id);
const shown = { view: null, params: {}, data: null, seen: null, turn: 0 };
const pressed = new WeakSet(); // buttons whose act is under way: a double click does it once
let timer;

function showWays() {
    const here = location.hash.replace(/^#?\/?/, "").split("/")[0];
    const links = ways
        .filter(([address]) => isOpen(address))
        .map(([address, name]) =>
            el(
                "li",
                { "data-key": name },
                el(
                    "a",
                    {
                        href: `#/${address}`,
                        "aria-current": (here === "series" ? "" : here) === address ? "page" : null,
                    },
                    t(name),
                ),
            ),
        );
    patchChildren(at("ways"), pieces(el("ul", {}, links)));
    at("ways").hidden = links.length === 0;
}

function heading(text) {
    return el("h1", { tabindex: "-1", "data-key": "heading" }, text);
}

function showView() {
    const { view, params, data } = shown;
    const title = view.title(params, data);
    showTitle(title);
    patchChildren(at("main"), pieces(heading(title), view.show(params, data)));
    view.shown?.(data, params, page);
    markShown();
}

// For who looks at the page from outside: which address is shown.
function markShown() {
    at("main").dataset.shown = location.hash;
}

/** What views may ask for: to be shown again as they are, or read and shown again. */
const page = {
    redraw: () => shown.view && shown.data !== null && showView(),
    refresh: () => shown.view && refresh(),
};

function showProblem(problem) {
    patchChildren(
        at("main"),
        pieces(heading(shown.view.title(shown.params, null)), explain(problem)),
    );
    markShown();
}

/** Reads and shows the present view again. */
async function refresh() {
    clearTimeout(timer);
    const turn = (shown.turn += 1);
    const { view, params } = shown;
    known.trouble = null;
    at("main").dataset.reading = "";
    try {
        const data = await view.read(params, shown.data);
        if (turn !== shown.turn) return;
        if (known.trouble === null && data !== shown.data) shown.seen = Date.now();
        shown.data = data;
        showView();
    } catch (problem) {
        if (turn !== shown.turn) return;
        try {
            note(problem);
            if (shown.data === null) showProblem(problem);
        } catch {
            if (problem.status === undefined) throw problem;
            showProblem(problem);
        }
    } finally {
        if (turn === shown.turn) {
            delete at("main").dataset.reading;
            showTrouble(seenAt());
            later();
        }
    }
}

const seenAt = () => shown.seen ?? known.seen;

// What is being read is of no interest any more.
function stopReading() {
    shown.turn += 1;
    clearTimeout(timer);
    delete at("main").dataset.reading;
}

function later() {
    clearTimeout(timer);
    if (!shown.view) return;
    const seconds = known.trouble ? readinessSeconds : shown.view.seconds;
    if (seconds) timer = setTimeout(() => (document.hidden ? later() : refresh()), seconds * 1000);
}

/** Shows the view of the address. `focus`: where somebody came by a link. */
async function open(focus) {
    const route = findRoute(location.hash);
    shown.view?.left?.();
    closeDialogs();
    showWays();
    known.trouble = null;
    stopReading();
    if (!route?.allowed) {
        shown.view = null;
        showTitle(t("nothing-here"));
        const why = route ? t("not-allowed") : t("no-such-view");
        patchChildren(at("main"), pieces(heading(t("nothing-here")), el("p", {}, why)));
        markShown();
    } else {
        Object.assign(shown, { view: route.view, params: route.params, data: null, seen: null });
        const title = route.view.title(route.params, null);
        showTitle(title);
        at("main").replaceChildren(heading(title), el("p", { class: "soft" }, t("reading")));
        await refresh();
    }
    if (focus && !at("search").contains(document.activeElement))
        at("main").querySelector("h1")?.focus();
    else if (focus) say(at("main").querySelector("[data-tell]")?.textContent ?? "");
}

// Nobody is signed in: nothing is asked for, and nobody is named.
function rest() {
    stopReading();
    notices.stop();
    forget();
    showFrame();
    at("ways").hidden = true;
    showOpenActs();
}

/** Shows the form to sign in. */
function leave(why) {
    shown.view?.left?.();
    shown.view = null;
    rest();
    signIn(at("main"), why, () => enter(() => begin(true)));
}

/** -> why not; null: `goOn` was called. */
async function enter(goOn) {
    if (!(await findSession())) {
        if (known.trouble) return sentenceOf(known.trouble);
        return t(isSecureContext ? "signed-out" : "needs-https");
    }
    if (may("read")) return goOn() ?? null;
    const ended = await signOut();
    forget();
    return ended ? t("needs-read") : `${t("needs-read")} ${t("still-signed-in")}`;
}

/** Shows the page to who is signed in. */
function begin(focus) {
    showFrame();
    showOpenActs();
    endOpenIssues();
    notices.start();
    watchService(seenAt, page.refresh);
    return open(focus);
}

let returning = null; // a promise of whether it is the same person

/**
 * The session is over: has somebody sign in above the view, which stays as it is, with what was
 * typed; nobody sees it meanwhile.
 */
function comeBack() {
    const { session: before, series } = known;
    if (!before && !returning) return Promise.resolve(false); // somebody signed out
    returning ??= new Promise((resolve) => {
        const dialog = el("dialog", { class: "sign-in", "data-stays": true });
        const goOn = () => {
            const same = known.session.name === before.name;
            if (same) known.series = series;
            else shown.data = null;
            at("main").hidden = false;
            dialog.close();
            returning = null;
            resolve(same);
            showFrame();
            showOpenActs();
            showWays();
            notices.start();
            if (findRoute(location.hash)?.allowed) page.refresh();
            else open(true);
        };
        rest();
        at("main").hidden = true;
        dialog.addEventListener("cancel", (event) => event.preventDefault());
        // Browsers ask once: a second Escape closes it, and behind it is nothing.
        const open = () => {
            openModal(dialog);
            dialog.addEventListener("close", () => returning && open(), { once: true });
        };
        open();
        signIn(dialog, t("signed-out.here"), () => enter(goOn));
    });
    return returning;
}

// A file that no view takes is a table of blocks, for the series that is shown.
function loadDropped() {
    if (!may("load")) return;
    const { series } = shown.params;
    location.hash = series ? `#/series/${encodeURIComponent(series)}/load` : "#/load";
}

function listen() {
    whenSignedOut(comeBack);
    listenToDrops(loadDropped);
    notices.listen((come) => come.length > 0 && say(textOf(come.at(-1)), "others"));
    addEventListener("hashchange", () => known.session && open(true));
    document.addEventListener("visibilitychange", () => {
        if (document.hidden) return notices.pause();
        if (known.session) notices.start();
        if (shown.view) refresh();
    });
    // Buttons name an act of their view; links and forms work by themselves.
    at("main").addEventListener("click", (event) => {
        const button = event.target.closest("[data-act]");
        const act = button && shown.view?.acts?.[button.dataset.act];
        if (!act || pressed.has(button)) return;
        pressed.add(button);
        orSay(() => act(button.dataset, shown.data, page)).finally(() => pressed.delete(button));
    });
    at("search").addEventListener("submit", (event) => {
        event.preventDefault();
        const text = at("scan").value.trim();
        at("scan").select();
        if (text === "") return;
        const address = `#/number/${encodeURIComponent(text)}`;
        if (location.hash === address) open(true);
        else location.hash = address;
    });
    at("skip").addEventListener("click", (event) => {
        event.preventDefault();
        at("main").focus();
    });
    at("who")
        .querySelector("button")
        .addEventListener("click", async () => {
            if (!(await signOut())) return say(t("still-signed-in"));
            forgetActs();
            leave("");
        });
}

// It may not have been the cookie: asks again as long as nobody types a token.
async function findOut() {
    if (await findSession()) return may("read") ? begin(false) : leave(t("needs-read"));
    const { trouble } = known;
    if (!at("token")) leave("");
    await readReadiness();
    known.trouble = trouble;
    showTrouble(null);
    const again = () => at("token")?.value === "" && findOut();
    return trouble && setTimeout(again, readinessSeconds * 1000);
}

async function start() {
    document.documentElement.lang = locale.startsWith(language) ? locale : language;
    showFrame();
    listen();
    setInterval(async () => {
        if (!known.session || document.hidden) return;
        const { session } = known;
        if (await findSession()) return;
        known.session = session;
        comeBack();
    }, sessionSeconds * 1000);
    return findOut();
}

start();
