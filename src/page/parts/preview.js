// What would be loaded, and what a person has to look at before.
import { el } from "../base/element.js";
import { count, t, tIfAny, until } from "../base/locale.js";
import { sizeOf } from "./blocks.js";
import { choices } from "./fields.js";
import { facts, range } from "./facts.js";
import { lasts } from "./forecast.js";

const blocksShown = 20;
const numbersOf = (text) => t("numbers", count(text));

function line(block) {
    const about = [
        numbersOf(sizeOf(block)),
        block.elsewhere !== "0" &&
            t("preview.elsewhere", count(block.elsewhere), block.next ?? "–"),
        block.reference,
        block.valid_until && t("block.valid", until(block.valid_until)),
    ].filter(Boolean);
    return el(
        "li",
        {},
        range(block.first, block.last),
        " ",
        el("span", { class: "soft" }, about.join(" · ")),
    );
}

/** The blocks of a dry run: one, or those of a table. */
export const blocksOf = (told) => told.items ?? [told];

/** How many numbers they hold together. */
export function totalOf(blocks) {
    return String(blocks.reduce((sum, block) => sum + sizeOf(block), 0n));
}

/** Warnings in words, and what else belongs below them. */
export function warned(warnings, ...more) {
    const details = warnings.map((warning) =>
        el(
            "li",
            {},
            el("strong", {}, tIfAny(`warning.${warning.code}`) ?? warning.code),
            " ",
            el("span", {}, warning.detail),
        ),
    );
    return el(
        "div",
        { class: "warnings" },
        el("p", {}, t("preview.warnings")),
        el("ul", {}, details),
        more,
    );
}

/** Warnings as boxes to tick, one for each kind; `ticked`: kinds that are ticked already. */
export function warningBoxes(warnings, ticked = []) {
    if (warnings.length === 0) return null;
    const codes = [...new Set(warnings.map((warning) => warning.code))];
    return warned(
        warnings,
        choices({
            name: "confirm_warnings",
            label: t("preview.confirm"),
            options: codes.map((code) => [
                code,
                tIfAny(`warned.${code}`) ?? code,
                ticked.includes(code),
            ]),
        }),
    );
}

// From when a block behind all others is used.
function usedFrom(series) {
    if (series.remaining === "0") return t("preview.used.now");
    const after = t("preview.used.after", numbersOf(series.remaining));
    const when = lasts(series);
    return when === null ? after : `${after} (${t("preview.used.last", when)})`;
}

// Whose block it is, and its place in the queue.
function placeOf({ series, before, guessed }) {
    const left = before && t("left", numbersOf(before.remaining));
    const ahead = before && [range(before.first, before.last), " ", left];
    return [
        facts([
            [t("load.series"), t("preview.series", series.name, series.carrier)],
            [t("preview.before"), before === undefined ? null : ahead ?? t("preview.before.none")],
            [t("preview.after"), t("preview.after.none")],
            [t("preview.used"), usedFrom(series)],
        ]),
        guessed && el("p", { class: "guessed" }, t(`preview.guessed.${guessed}`, series.name)),
    ];
}

/** The preview of a dry run; `about`: {series, before (the last block of its queue; null: there is
 * none; undefined: there are too many to say), guessed}. */
export function preview(told, about) {
    const blocks = blocksOf(told);
    const more = blocks.length - blocksShown;
    return el(
        "section",
        { class: "preview", "aria-labelledby": "preview-title" },
        el(
            "h2",
            { id: "preview-title", tabindex: "-1" },
            t(
                "preview.title",
                count(totalOf(blocks)),
                t("blocks", blocks.length),
                about.series.name,
            ),
        ),
        placeOf(about),
        el("ul", { class: "queue" }, blocks.slice(0, blocksShown).map(line)),
        more > 0 && el("p", { class: "soft" }, t("preview.more", more)),
        warningBoxes(told.warnings ?? []),
    );
}
