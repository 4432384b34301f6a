// Comparing a carrier's invoice with what was issued.
import { ask, Problem } from "../base/client.js";
import { asItIs, takeDrops } from "../base/drop.js";
import { el } from "../base/element.js";
import { amount, count, language, t } from "../base/locale.js";
import { code, facts } from "../parts/facts.js";
import { field, freeze, valuesOf } from "../parts/fields.js";
import { explain } from "../parts/problem.js";
import { say } from "../parts/said.js";
import { save } from "../parts/save.js";

const findingsShown = 200;
const bytesMax = 16777216;
const kinds = [
    "billed-twice",
    "billed-voided",
    "never-issued",
    "outside-blocks",
    "not-of-series",
    "never-billed",
];

function makeForm() {
    return el(
        "form",
        { class: "card", "data-stays": true, "data-key": "invoice" },
        field({
            name: "file",
            label: t("invoice.file"),
            kind: "file",
            hint: t("invoice.hint"),
            accept: ".csv,.txt,text/csv",
            required: true,
        }),
        el(
            "div",
            { class: "row" },
            field({ name: "from", label: t("invoice.from"), kind: "date" }),
            field({ name: "to", label: t("invoice.to"), kind: "date" }),
        ),
        el(
            "details",
            {},
            el("summary", {}, t("load.more")),
            field({ name: "column", label: t("invoice.column"), hint: t("invoice.column.hint") }),
            field({
                name: "amount_column",
                label: t("invoice.amount.column"),
                hint: t("invoice.column.hint"),
            }),
        ),
        el("p", { class: "acts" }, el("button", { class: "main" }, t("invoice.compare"))),
        el("div", { class: "outcome", role: "status" }),
    );
}

/** What the comparison comes to; an invoice without numbers agrees with nothing. */
export function verdict({ findings, lines }) {
    if (findings !== "0") return t("invoice.found", Number(findings));
    return lines === "0" ? t("invoice.nothing") : t("invoice.agrees");
}

function sums(summary) {
    return facts([
        [t("invoice.lines"), count(summary.lines)],
        ...kinds.map((kind) => {
            const found = summary[kind.replaceAll("-", "_")];
            const sum = summary.amounts[kind];
            return [
                t(`finding.${kind}`),
                found === "0" ? null : count(found) + (sum ? ` · ${amount(sum)}` : ""),
            ];
        }),
        [t("invoice.sum"), summary.sum && amount(summary.sum)],
        ...["several_rows", "title_lines", "total_lines"].map((name) => [
            t(`invoice.${name}`),
            summary[name] === "0" ? null : count(summary[name]),
        ]),
    ]);
}

/** What the clerk has to look at because it could not be read, or does not add up. */
function remarks({ summary }) {
    const unread = summary.first_unread;
    return [
        summary.amount_column === null && t("invoice.no-amounts"),
        unread &&
            t(
                "invoice.unread",
                Number(summary.amounts_unread),
                count(String(unread.line)),
                unread.value,
            ),
        ...summary.differing_totals.map((total) =>
            t(
                "invoice.differs",
                count(String(total.line)),
                amount(total.amount),
                amount(total.sum),
            ),
        ),
    ]
        .filter(Boolean)
        .map((text) => el("p", {}, text));
}

function findings(told) {
    const columns = ["finding", "number", "line", "amount", "detail"];
    const rows = told.findings
        .slice(0, findingsShown)
        .map((found) =>
            el(
                "tr",
                {},
                el("th", { scope: "row" }, t(`finding.${found.finding}`)),
                el("td", {}, code(found.number)),
                el("td", {}, found.line === null ? "–" : count(String(found.line))),
                el("td", {}, found.amount === null ? "–" : amount(found.amount)),
                el("td", {}, found.detail),
            ),
        );
    return el(
        "div",
        { class: "scrolls", tabindex: "0", role: "region", "aria-label": t("invoice.findings") },
        el(
            "table",
            {},
            el(
                "thead",
                {},
                el(
                    "tr",
                    {},
                    columns.map((name) => el("th", { scope: "col" }, t(`invoice.${name}`))),
                ),
            ),
            el("tbody", {}, rows),
        ),
    );
}

/** A comparison: the form, and what was found. */
class Comparison {
    constructor(form, series) {
        Object.assign(this, { form, series, running: false });
        this.place = form.querySelector(".outcome");
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.compare();
        });
    }

    takeFile(file) {
        if (this.running) return say(t("sending"));
        const chosen = new DataTransfer();
        chosen.items.add(file);
        this.form.elements.file.files = chosen.files;
        return this.compare();
    }

    send(accept, excel = "") {
        const { file, from, to, column, amount_column } = this.wanted;
        const wanted = { from, to, column, amount_column, excel };
        const query = new URLSearchParams(
            Object.entries(wanted).filter(([, value]) => value !== ""),
        );
        const mark = query.size ? "?" : "";
        return ask(
            "POST",
            `/v1/series/${encodeURIComponent(this.series)}/reconcile${mark}${query}`,
            { body: file, type: "text/csv", accept },
        );
    }

    async compare() {
        if (this.running || !this.form.reportValidity()) return;
        if (this.form.elements.file.files[0].size > bytesMax) {
            this.place.replaceChildren(el("p", {}, t("problem.too-large")));
            return;
        }
        this.running = true;
        this.place.replaceChildren(el("p", {}, t("invoice.running")));
        // Also saved: the form may have another file by then.
        this.wanted = valuesOf(this.form);
        const thaw = freeze(this.form, ":scope > .field, .row, details");
        try {
            this.wanted.file = await asItIs(this.form.elements.file);
            if (this.wanted.file) this.show((await this.send()).body);
            else this.place.replaceChildren(el("p", {}, t("file-changed")));
        } catch (problem) {
            if (!(problem instanceof Problem)) throw problem;
            this.place.replaceChildren(explain(problem));
        } finally {
            this.running = false;
            thaw();
        }
    }

    show(told) {
        const all = el("button", { type: "button" }, t("invoice.save"));
        all.addEventListener("click", () => this.save());
        const found = Number(told.summary.findings); // told.findings has the first of them
        const more = found - findingsShown;
        const none = found === 0;
        this.place.replaceChildren(
            el("h2", {}, verdict(told.summary)),
            el("p", { class: "soft" }, t("invoice.read", told.column, this.wanted.file.name)),
            sums(told.summary),
            ...remarks(told),
            ...(none ? [] : [findings(told)]),
            ...(more > 0 ? [el("p", { class: "soft" }, t("preview.more", more))] : []),
            ...(none ? [] : [el("p", { class: "acts" }, all)]),
        );
    }

    save() {
        return save(`${this.series}-findings.csv`, () => this.send("text/csv", language));
    }
}

let comparison = null;

export const invoice = {
    title: ({ series }) => t("invoice.title", series),
    seconds: 0,
    read: async () => ({}),
    show: () => [el("p", { class: "soft", "data-key": "why" }, t("invoice.why")), makeForm()],
    shown(data, { series }) {
        const form = document.querySelector("main form");
        if (comparison?.form === form) return;
        comparison = new Comparison(form, series);
        takeDrops((file) => comparison.takeFile(file));
    },
    left() {
        comparison = null;
        takeDrops(null);
    },
};
