// What surrounds every view: how the service is, who is signed in, what is wrong.
import { el, patchChildren, pieces } from "../base/element.js";
import { known, may } from "../base/known.js";
import { t, timeOfDay, zone } from "../base/locale.js";
import { detailOf, sentenceOf } from "./problem.js";

const at = (id) => document.getElementById(id);

function showService() {
    const line = at("service");
    const told = known.readiness;
    const ready = told?.status === "ok";
    const text =
        told === null
            ? t("service.unknown")
            : ready
              ? t("service.ready", told.epoch)
              : t("service.not-ready");
    if (line.textContent !== text) line.textContent = text;
    line.className = ready ? "good" : told === null ? "soft" : "bad";
}

// What is wrong, the worst first -> its sentence and more of it; null: nothing.
function trouble() {
    const told = known.readiness;
    const problem = known.trouble;
    if (told === null && problem) return [t("trouble.service"), null];
    if (told?.fenced) return [t("trouble.fenced"), el("p", { lang: "en" }, told.detail)];
    if (told && (!told.database || told.status === "stale")) return [t("trouble.database"), null];
    if (problem) return [sentenceOf(problem), detailOf(problem)];
    return null;
}

/** Shows what is wrong, and of when the view is (milliseconds; null: it shows nothing). */
export function showTrouble(seen) {
    showService();
    const found = trouble();
    const since =
        found && known.trouble && seen ? el("p", {}, t("trouble.seen", timeOfDay(seen))) : null;
    patchChildren(
        at("trouble"),
        found ? pieces(el("p", {}, el("strong", {}, found[0])), found[1], since) : pieces(),
    );
    at("main").classList.toggle("stale", Boolean(since));
}

/** Shows who is signed in, and the texts around the view. */
export function showFrame() {
    const { session } = known;
    at("skip").textContent = t("skip");
    at("home").setAttribute("aria-label", t("home"));
    at("ways").setAttribute("aria-label", t("ways"));
    at("main").classList.remove("stale");
    const [label, button] = at("search").querySelectorAll("label, button");
    label.textContent = t("search.label");
    at("scan").placeholder = t("search.label");
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
}
