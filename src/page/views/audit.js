// Who did what, the newest first.
import { get } from "../base/client.js";
import { el } from "../base/element.js";
import { moment, t } from "../base/locale.js";
import { actButton, buttons, facts, rows } from "../parts/facts.js";
import { field, valuesOf } from "../parts/fields.js";

let wanted = {};
let page = null; // {items, next}: what was read so far; null: nothing

const told = (value) =>
    value === null ? null : typeof value === "string" ? value : JSON.stringify(value, null, 1);

function details(name, value) {
    const text = told(value);
    return text === null ? null : el("details", {}, el("summary", {}, name), el("pre", {}, text));
}

function row(act) {
    return el(
        "li",
        { class: "card", "data-key": `act-${act.id}` },
        el("h2", { class: "title" }, el("code", {}, act.action), " ", act.subject),
        facts([
            [t("audit.who"), act.actor],
            [t("audit.when"), moment(act.at)],
            [t("audit.request"), act.request_id],
        ]),
        details(t("audit.before"), act.before),
        details(t("audit.after"), act.after),
    );
}

function filter() {
    return el(
        "form",
        { class: "card", "data-stays": true, "data-key": "filter" },
        el(
            "div",
            { class: "row" },
            field({ name: "actor", label: t("audit.actor"), hint: t("audit.actor.hint") }),
            field({ name: "subject", label: t("audit.subject") }),
            field({ name: "from", label: t("invoice.from"), kind: "date" }),
            field({ name: "to", label: t("invoice.to"), kind: "date" }),
        ),
        el("p", { class: "acts" }, el("button", {}, t("audit.show"))),
    );
}

function read(after) {
    const query = new URLSearchParams(
        Object.entries({ ...wanted, after: after ?? "" }).filter(([, value]) => value !== ""),
    );
    query.set("limit", "100");
    return get(`/v1/audit?${query}`);
}

async function readOlder(_, data, shown) {
    const more = await read(page.next);
    page = { items: [...page.items, ...more.items], next: more.next };
    await shown.refresh();
}

export const audit = {
    title: () => t("way.audit"),
    seconds: 0,
    async read() {
        page ??= await read(null);
        return page;
    },
    show: (params, { items, next }) => [
        filter(),
        el("div", { "data-key": "acts" }, rows(items.map(row), t("audit.none"))),
        next !== null && buttons(actButton("older", t("audit.older"))),
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
    acts: { older: readOlder },
};
