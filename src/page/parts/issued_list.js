// Issuances as a list: their numbers, when and for which order they were issued, and what became of
// them.
import { path } from "../base/client.js";
import { el } from "../base/element.js";
import { count, longMoment, t } from "../base/locale.js";
import { chip, code, range, rows } from "./facts.js";

const looks = { voided: "bad", held: "warn", returned: "warn" };

function chips(row) {
    if (row.ended) return chip(t(`ended.${row.ended}`), "soft");
    return Object.entries(row.states ?? {}).map(([state, numbers]) => {
        const text = t(`number.${state}`);
        const shown = row.count === 1 ? text : `${count(String(numbers))} ${text}`;
        return [chip(shown, looks[state] ?? "good"), " "];
    });
}

// One number has its own view; of several the view of the issuance lists each.
function numbersOf(row) {
    if (row.count === 1)
        return el("a", { href: path`#/series/${row.series}/number/${row.first}` }, code(row.first));
    return el(
        "a",
        { href: path`#/series/${row.series}/issuance/${row.id}` },
        range(row.first, row.last),
    );
}

/** Rows of the ledger. */
export function issuedList(issuances) {
    const items = issuances.map((row) =>
        el(
            "li",
            { "data-key": `row-${row.id}-${row.ordinal}` },
            el("p", {}, numbersOf(row), " ", chips(row)),
            el(
                "p",
                { class: "soft" },
                t("issued.about", longMoment(row.issued_at), row.series, row.reference),
            ),
        ),
    );
    return el("div", { "data-key": "issued" }, rows(items, t("issued.none")));
}
