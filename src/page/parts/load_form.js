// The form of a load: one block as in the carrier's letter, or a table of blocks.
import { el } from "../base/element.js";
import { known } from "../base/known.js";
import { t, today } from "../base/locale.js";
import { field } from "./fields.js";
import { seriesField } from "./series_field.js";

function oneBlock() {
    return el(
        "div",
        { "data-mode": "block" },
        field({ name: "first", label: t("load.first"), hint: t("load.first.hint"), most: 80 }),
        field({ name: "last", label: t("load.last"), most: 80 }),
        field({
            name: "count",
            label: t("load.count"),
            hint: t("load.count.hint"),
            digits: true,
            most: 30,
        }),
        field({
            name: "reference",
            label: t("load.reference"),
            hint: t("load.reference.hint"),
            most: 255,
        }),
        field({ name: "valid_until", label: t("load.until"), kind: "date", min: today() }),
        el(
            "details",
            {},
            el("summary", {}, t("load.more")),
            field({
                name: "issued_until",
                label: t("load.issued-until"),
                hint: t("load.issued-until.hint"),
                most: 80,
            }),
        ),
    );
}

function wholeTable() {
    return el(
        "div",
        { "data-mode": "table", hidden: true },
        field({
            name: "rows",
            label: t("load.rows"),
            hint: t("load.rows.hint"),
            kind: "lines",
            rows: 8,
        }),
        field({ name: "file", label: t("load.file"), kind: "file", accept: ".csv,.txt,text/csv" }),
    );
}

function modes() {
    const radio = (value, checked) => {
        const id = `mode-${value}`;
        return el(
            "span",
            { class: "check" },
            el("input", { type: "radio", name: "mode", id, value, checked }),
            el("label", { for: id }, t(`load.mode.${value}`)),
        );
    };
    return el(
        "fieldset",
        { class: "modes" },
        el("legend", {}, t("load.mode")),
        radio("block", true),
        radio("table", false),
    );
}

/** Its series; `series`: the one that is chosen at first, else nobody chooses among several. */
export function whichSeries(series) {
    const open = known.series.length > 1 && !series;
    return seriesField({
        label: t("load.series"),
        value: series,
        hint: open ? t("load.series.hint") : null,
        open: open ? t("load.series.open") : null,
        show: ({ name, carrier }) => `${name} (${carrier})`,
    });
}

/** The form, for that series or any. */
export function loadForm(series, key) {
    return el(
        "form",
        { class: "card load", "data-stays": true, "data-key": key },
        whichSeries(series),
        modes(),
        oneBlock(),
        wholeTable(),
        el("div", { class: "outcome", role: "alert" }),
        el("div", { class: "shown-before" }),
        el(
            "p",
            { class: "acts" },
            el("button", { class: "main" }, t("load.preview")),
            el("button", { type: "button", class: "plain", hidden: true }, t("load.change")),
        ),
    );
}
