// Who did what, the newest first: a line an act.
import { get, getAll } from "../base/client.js";
import { el } from "../base/element.js";
import { known, readSeries } from "../base/known.js";
import { language, moment, t, tIfAny } from "../base/locale.js";
import { actButton, buttons, cutNote, download, person } from "../parts/facts.js";
import { field, valuesOf } from "../parts/fields.js";
import { explain } from "../parts/problem.js";
import { say } from "../parts/said.js";
import { seriesField } from "../parts/series_field.js";

const kinds = ["block", "number", "series", "proposal", "manifest", "carrier", "token", "webhook"];
const pagesMax = 50; // of a thousand acts, in a file

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

function address(wanted, more = {}) {
    const query = new URLSearchParams(
        Object.entries({ ...wanted, ...more }).filter(([, value]) => value),
    );
    return query.size > 0 ? `/v1/audit?${query}` : "/v1/audit";
}

const read = (wanted, after) => get(address(wanted, { after, limit: "100" }));

// What a filter asks for may not be there: that is said below it, where it can be changed.
async function readFirst(wanted) {
    try {
        return { wanted, problem: null, ...(await read(wanted, "")) };
    } catch (problem) {
        if (![400, 404, 422].includes(problem.status)) throw problem;
        return { wanted, problem, items: [], next: null };
    }
}

async function readOlder(_, data, shown) {
    const { items, next } = await read(data.wanted, data.next);
    Object.assign(data, { items: [...data.items, ...items], next });
    shown.redraw();
}

/** A cell as a spreadsheet of the reader's language opens it: none is a formula. */
function cellOf(value) {
    const text = typeof value === "object" && value !== null ? JSON.stringify(value) : value ?? "";
    if (/^(0\d+|\d{16,}|\d+e\d+)$/i.test(text)) return `"=""${text}"""`; // as csv_writer does
    const guarded = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return `"${guarded.replaceAll('"', '""')}"`;
}

async function save(_, { wanted }) {
    const acts = await getAll(address(wanted), pagesMax);
    const names = ["when", "who", "what", "subject", "about", "before", "after", "request"];
    const lines = [names.map((name) => t(`audit.${name}`))];
    for (const act of acts)
        lines.push([
            act.at,
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
    download("gapless-audit.csv", `${text}\r\n`);
    say([t("saved"), cutNote(acts)?.textContent].filter(Boolean).join(" "));
}

export const audit = {
    title: () => t("way.audit"),
    seconds: 0,
    async read(_, before) {
        if (known.seen === null) await readSeries();
        return before?.items ? before : readFirst(before?.wanted ?? {});
    },
    show: (params, { items, next, problem }) => [
        filter(),
        problem ? explain(problem) : table(items),
        buttons(
            next !== null && actButton("older", t("audit.older")),
            items.length > 0 && actButton("save", t("audit.save")),
        ),
    ],
    shown(data, params, shown) {
        document.querySelector("main form").onsubmit = (event) => {
            event.preventDefault();
            Object.assign(data, { wanted: valuesOf(event.target), items: null });
            shown.refresh();
        };
    },
    acts: { older: readOlder, save },
};
