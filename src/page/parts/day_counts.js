// What became of the numbers of a day, and what to look at before it is closed.
import { el } from "../base/element.js";
import { count, t } from "../base/locale.js";
import { facts } from "./facts.js";

const states = ["unprinted", "printed", "held", "voided", "manifested", "returned"];

/** The sums of a day, in words. */
export function dayCounts(counts) {
    const shown = states.filter((state) => counts[state] !== "0");
    return el(
        "div",
        { "data-key": "counts" },
        el("p", { "data-tell": true }, t("day.issued", count(counts.issued))),
        facts(shown.map((state) => [t(`number.${state}`), count(counts[state])])),
    );
}

/** What is asked before a day is closed: [[name, sentence]]. */
export function doubtsOf(counts) {
    const { over, issued, unprinted, to_report: reported } = counts;
    const [all, ...others] = [issued, unprinted, counts.held, counts.voided].map(BigInt);
    const printed = others.reduce((rest, each) => rest - each, all);
    return [
        !over && ["over", t("manifest.not-over")],
        unprinted !== "0" && [
            "unprinted",
            printed === 0n
                ? t("manifest.none-printed", count(unprinted))
                : t("manifest.unprinted", count(unprinted), count(issued)),
        ],
        reported === "0" && ["empty", t("manifest.empty")],
    ].filter(Boolean);
}
