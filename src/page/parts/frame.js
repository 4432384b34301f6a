// What surrounds every view: how the service is, who is signed in, what is wrong.
import { el, patchChildren, pieces } from "../base/element.js";
import { known, may, readReadiness, readSeries } from "../base/known.js";
import { listen } from "../base/live.js";
import { t, timeOfDay, zone } from "../base/locale.js";
import { detailOf, sentenceOf } from "./problem.js";
import { alarms } from "./urgency.js";

const lookMilliseconds = 3000;
const hiddenMilliseconds = 60000; // between looks at the series by a tab that nobody sees

const at = (id) => document.getElementById(id);

const issues = (told) => ["ok", "degraded"].includes(told?.status);

function howItIs() {
    const told = known.readiness;
    if (told === undefined) return ["", ""];
    if (told === null) return [t("service.silent"), "bad"];
    if (!issues(told)) return [t("service.not-ready"), "bad"];
    return told.status === "ok" ? [t("service.ready"), "good"] : [t("service.degraded"), "warn"];
}

function showService() {
    const line = at("service");
    const [text, look] = howItIs();
    if (line.textContent !== text) line.textContent = text;
    line.className = look;
}

const icon = (colour, sign) =>
    `data:image/svg+xml,${encodeURIComponent(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
            `<rect width="16" height="16" rx="3" fill="${colour}"/><text x="8" y="13" ` +
            `font-size="13" text-anchor="middle" fill="#fff">${sign}</text></svg>`,
    )}`;

// Of a tab nobody looks at, people see its title and its icon.
function showAlarm() {
    showTitle(document.title.replace(/^\(\d+!\) | · gapless$/g, ""));
}

/** Names the tab after what it shows, with how many series run out. */
export function showTitle(text) {
    const many = alarms(known.series);
    const title = text === "gapless" ? text : `${text} · gapless`;
    document.title = many > 0 ? `(${many}!) ${title}` : title;
    const shown = many > 0 ? icon("#a01818", "!") : icon("#1d5c8c", "#");
    const link = document.querySelector("link[rel=icon]");
    if (link.href !== shown) link.href = shown;
}

// What is wrong, the worst first -> its sentence and more of it; null: nothing.
function trouble() {
    const told = known.readiness;
    const problem = known.trouble;
    if (told === null) return [t("trouble.service"), null];
    if (told && !issues(told)) {
        const { database, detail, fenced, status } = told;
        const away = !fenced && (!database || status === "stale");
        if (away) return [t("trouble.database"), null];
        const why = t(fenced ? "trouble.fenced" : "trouble.not-ready");
        return [why, el("p", { lang: "en" }, detail)];
    }
    if (problem) return [sentenceOf(problem), detailOf(problem)];
    return null;
}

/** Shows what is wrong, and of when the view is (milliseconds; null: it shows nothing). */
export function showTrouble(seen) {
    showService();
    showAlarm();
    const found = trouble();
    const since = found && seen ? el("p", {}, t("trouble.seen", timeOfDay(seen))) : null;
    patchChildren(
        at("trouble"),
        found ? pieces(el("p", {}, el("strong", {}, found[0])), found[1], since) : pieces(),
    );
    at("main").classList.toggle("stale", Boolean(since));
}

let looking = null;
let lookedAtSeries = 0;
let reading = null; // the series, once at a time

function readAlarm() {
    const done = () => (reading = null);
    reading ??= readSeries().then(showAlarm, done).finally(done); // 401: the view will say so
}

async function look(seenAt, refresh) {
    if (known.session && !document.hidden) {
        const before = known.readiness;
        await readReadiness();
        showTrouble(seenAt());
        if (known.seen === null) readAlarm();
        // What could not be read can be by now.
        if (known.trouble && !issues(before) && issues(known.readiness)) refresh();
    } else if (known.session && Date.now() - lookedAtSeries > hiddenMilliseconds) {
        lookedAtSeries = Date.now();
        readAlarm();
    }
    clearTimeout(looking);
    looking = setTimeout(look, lookMilliseconds, seenAt, refresh);
}

/**
 * From now on asks every few seconds how the service is, whatever a view is waiting for.
 * `seenAt()`: of when the view is; `refresh()`: reads it again.
 */
export function watchService(seenAt, refresh) {
    clearTimeout(looking);
    look(seenAt, refresh);
}

listen((come) => come.some(({ kind }) => /^(series|block)\./.test(kind)) && readAlarm());

/** Shows who is signed in, and the texts around the view. */
export function showFrame() {
    const { session } = known;
    at("skip").textContent = t("skip");
    at("home").setAttribute("aria-label", t("home"));
    at("ways").setAttribute("aria-label", t("ways"));
    at("main").classList.remove("stale");
    const [label, button] = at("search").querySelectorAll("label, button");
    label.textContent = t("search.label");
    at("scan").placeholder = t("search.short");
    button.textContent = t("search.button");
    at("search").hidden = !may("read");
    at("who").hidden = session === null;
    at("who").querySelector("span").textContent = session?.name ?? "";
    at("who").querySelector("button").textContent = t("sign-out");
    at("environment").textContent = session?.environment ?? "";
    at("environment").hidden = !session?.environment;
    at("zone").textContent = t("zone", zone());
    at("zone").hidden = session === null;
    showService();
    showAlarm();
}
