// Who did what, the newest first: a line an act.
import { get, getAll } from "../base/client.js";
import { el } from "../base/element.js";
import { known, readSeries } from "../base/known.js";
import { language, moment, t, tIfAny } from "../base/locale.js";
import { actButton, buttons, download, person } from "../parts/facts.js";
import { field, valuesOf } from "../parts/fields.js";
import { say } from "../parts/said.js";
import { seriesField } from "../parts/series_field.js";

const kinds = ["block", "number", "series", "proposal", "manifest", "carrier", "token", "webhook"];
const pagesMax = 50; // of a thousand acts, in a file

let wanted = {};
let page = null; // {items, next}: what was read so far; null: nothing

const actionOf = (act) => tIfAny(`act.${act.action}`) ?? act.action;

/** What an act says of itself in few words: why, and which numbers. */
function about({ after }) {
    if (after === null || typeof after !== "object") return after;
    const numbers = after.first && (after.first === after.last || !after.last);
    const range = numbers ? after.first : after.first && `${after.first} – ${after.last}`;
    return [range, after.reason].filter(Boolean).join(" · ");
}

function whole(name, value) {
    if (value === null) return null;
    return [el("p", { class: "soft" }, name), el("pre", {}, JSON.stringify(value, null, 1))];
}

function row(act) {
    const cell = (...children) => el("td", {}, ...children);
    return el(
        "tr",
        { "data-key": `act-${act.id}` },
        cell(el("time", { datetime: act.at }, moment(act.at))),
        cell(person(act.actor)),
        cell(actionOf(act)),
        cell(act.subject),
        cell(about(act)),
        el(
            "td",
            {},
            el(
                "details",
                {},
                el("summary", {}, t("audit.more")),
                el("p", {}, `${act.actor} · ${act.action} · ${act.id}`),
                act.request_id && el("p", {}, t("request-id", act.request_id)),
                whole(t("audit.before"), act.before),
                whole(t("audit.after"), act.after),
            ),
        ),
    );
}

function table(items) {
    if (items.length === 0) return el("p", { class: "soft", "data-key": "empty" }, t("audit.none"));
    const names = ["when", "who", "what", "subject", "about", "more"];
    return el(
        "div",
        { class: "scrolls", "data-key": "acts" },
        el(
            "table",
            { class: "lines" },
            el(
                "thead",
                {},
                el(
                    "tr",
                    {},
                    names.map((name) => el("th", { scope: "col" }, t(`audit.${name}`))),
                ),
            ),
            el("tbody", {}, items.map(row)),
        ),
    );
}

function filter() {
    const of = (name, names, text) => [["", t("audit.any")], ...names.map((n) => [n, text(n)])];
    return el(
        "form",
        { class: "card", "data-stays": true, "data-key": "filter" },
        el(
            "div",
            { class: "row" },
            seriesField({ open: t("audit.any") }),
            field({ name: "actor", label: t("audit.who"), hint: t("audit.who.hint") }),
            field({
                name: "action",
                label: t("audit.what"),
                kind: "select",
                options: of("action", kinds, (kind) => t(`acts.${kind}`)),
            }),
            field({ name: "from", label: t("invoice.from"), kind: "date" }),
            field({ name: "to", label: t("invoice.to"), kind: "date" }),
            field({ name: "block", label: t("block"), digits: true, most: 10 }),
        ),
        el("p", { class: "acts" }, el("button", {}, t("audit.show"))),
    );
}

function address(more = {}) {
    const query = new URLSearchParams(
        Object.entries({ ...wanted, ...more }).filter(([, value]) => value),
    );
    return `/v1/audit?${query}`;
}

const read = (after) => get(address({ after, limit: "100" }));

async function readOlder(_, data, shown) {
    const more = await read(page.next);
    page = { items: [...page.items, ...more.items], next: more.next };
    await shown.refresh();
}

/** A cell as a spreadsheet of the reader's language opens it: none is a formula. */
function cellOf(value) {
    const text = typeof value === "object" && value !== null ? JSON.stringify(value) : value ?? "";
    const guarded = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return `"${guarded.replaceAll('"', '""')}"`;
}

async function save() {
    const acts = await getAll(address(), pagesMax);
    const names = ["when", "who", "what", "subject", "about", "before", "after", "request"];
    const lines = [names.map((name) => t(`audit.${name}`))];
    for (const act of acts)
        lines.push([
            moment(act.at),
            act.actor,
            actionOf(act),
            act.subject,
            about(act),
            act.before,
            act.after,
            act.request_id,
        ]);
    const comma = language === "de" ? ";" : ",";
    const text = lines.map((line) => line.map(cellOf).join(comma)).join("\r\n");
    download("gapless-audit.csv", `\ufeff${text}\r\n`);
    say(t("saved"));
}

export const audit = {
    title: () => t("way.audit"),
    seconds: 0,
    async read() {
        if (known.series.length === 0) await readSeries();
        page ??= await read("");
        return page;
    },
    show: (params, { items, next }) => [
        filter(),
        table(items),
        buttons(
            next !== null && actButton("older", t("audit.older")),
            items.length > 0 && actButton("save", t("audit.save")),
        ),
    ],
    shown(data, params, shown) {
        document.querySelector("main form").onsubmit = (event) => {
            event.preventDefault();
            wanted = valuesOf(event.target);
            page = null;
            shown.refresh();
        };
    },
    left() {
        wanted = {};
        page = null;
    },
    acts: { older: readOlder, save },
};
