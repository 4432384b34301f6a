// What a person should look at first.
import { t, today } from "../base/locale.js";

const daysSoon = 7; // before the day on which a block has to be ordered

/** Days from today; negative: it is over. */
export const daysUntil = (date) => (Date.parse(date) - Date.parse(today())) / 86400000;

function hasFewLeft(series) {
    return series.low_water !== null && BigInt(series.remaining) < BigInt(series.low_water);
}

/** How urgent an order is: "bad", "warn" or "". */
export function urgencyOfOrder(forecast) {
    if (forecast.order_by === null) return "";
    const days = daysUntil(forecast.order_by);
    return days <= 0 ? "bad" : days <= daysSoon ? "warn" : "";
}

/**
 * The state of a series: its word, its look, and its place among others, 0 first. `alarm`: it has
 * no numbers, or hardly any; `stock`: a new block mends it.
 */
export function stateOf(series) {
    if (BigInt(series.remaining) === 0n)
        return series.blocks === "0"
            ? { text: t("state.no-block"), look: "bad", place: 1, stock: true }
            : { text: t("state.exhausted"), look: "bad", place: 0, alarm: true, stock: true };
    const order = urgencyOfOrder(series.forecast);
    if (order === "bad")
        return { text: t("state.order"), look: "bad", place: 2, alarm: true, stock: true };
    if (hasFewLeft(series))
        return { text: t("state.low"), look: "warn", place: 3, alarm: true, stock: true };
    if (series.paused) return { text: t("state.paused"), look: "warn", place: 4 };
    if (order === "warn")
        return { text: t("state.order-soon"), look: "warn", place: 5, stock: true };
    return { text: t("state.open"), look: "good", place: 6 };
}

/** How many of them have no numbers, or hardly any. */
export const alarms = (all) => all.filter((series) => stateOf(series).alarm).length;

const far = "9999-12-31";

/** The worst first. */
export function worstFirst(all) {
    const judged = all.map((series) => ({
        series,
        place: stateOf(series).place,
        order: series.forecast.order_by ?? far,
    }));
    judged.sort(
        (a, b) =>
            a.place - b.place ||
            a.order.localeCompare(b.order) ||
            a.series.name.localeCompare(b.series.name),
    );
    return judged.map(({ series }) => series);
}
