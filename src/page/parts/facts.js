// Small pieces that views are made of.
import { el, svg } from "../base/element.js";
import { count, moment, t } from "../base/locale.js";

/** Names and what they are: [[name, value, class]]; a value that is null is left out. */
export function facts(rows) {
    const shown = rows.filter(([, value]) => value !== null && value !== undefined);
    return el(
        "dl",
        { class: "facts" },
        shown.map(([name, value, look]) =>
            el("div", { "data-key": name }, el("dt", {}, name), el("dd", { class: look }, value)),
        ),
    );
}

/** A word for a state, told apart by more than its colour. */
export function chip(text, look = "") {
    return el("span", { class: `chip ${look}`.trim() }, text);
}

/** A number as it is printed: never grouped, broken anywhere. */
export function code(number) {
    return el("span", { class: "number" }, number);
}

/** From the first to the last number of a range. */
export function range(first, last) {
    return el("span", { class: "number" }, first, " ", el("span", { class: "to" }, "–"), " ", last);
}

/** A button that names an act of its view. */
export function actButton(act, text, data = {}, look = null) {
    const named = Object.fromEntries(
        Object.entries(data).map(([name, value]) => [`data-${name}`, value]),
    );
    return el("button", { type: "button", "data-act": act, class: look, ...named }, text);
}

/** Buttons in a row; those that are null are left out. */
export function buttons(...all) {
    const shown = all.filter(Boolean);
    return shown.length === 0 ? null : el("p", { class: "acts" }, shown);
}

/** A list, or in words that it is empty. */
export function rows(items, empty) {
    return items.length === 0
        ? el("p", { class: "soft", "data-key": "empty" }, empty)
        : el("ul", { class: "rows", "data-key": "rows" }, items);
}

/** That a list of getAll() is not all; null: it is. */
export function cutNote(items) {
    if (!items.cut) return null;
    const text = t("list.cut", count(String(items.length)));
    return el("p", { class: "warn", "data-key": "cut" }, text);
}

/** Who did something, without what kind of name it is. */
export function person(actor) {
    return actor === null ? null : actor.replace(/^(token|cli|sql|role):/, "");
}

/** Who paused a series, when and why; null: it is not paused. */
export function pauseOf(series) {
    if (!series.paused) return null;
    const who = t("pause.by", person(series.paused_by), moment(series.paused_at));
    const told = [who, series.paused_reason].filter(Boolean).join(": ");
    return el("p", { "data-key": "paused" }, told);
}

/** A bar of which so many of 1,000 parts are filled, and what it shows. */
export function bar(parts, text, look = "") {
    const shape = { viewBox: "0 0 1000 4", preserveAspectRatio: "none" };
    return svg(
        "svg",
        { ...shape, class: `level ${look}`.trim(), role: "img", "aria-label": text },
        svg("rect", { width: 1000, height: 4, class: "all" }),
        svg("rect", { width: parts, height: 4, class: "part" }),
    );
}

/** Saves CSV as a file of this browser, with the byte order mark that reading it took away. */
export function download(name, text) {
    const url = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" }));
    const link = el("a", { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** A button that copies a text, and says so. */
export function copyButton(text, say) {
    const button = el("button", { type: "button" }, t("copy"));
    button.addEventListener("click", async () => {
        try {
            await navigator.clipboard.writeText(text);
            say(t("copied"));
        } catch {
            say(t("not-copied"));
        }
    });
    return button;
}
