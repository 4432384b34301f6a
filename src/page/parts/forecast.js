// How long the remaining numbers last, in words and as a drawing.
import { el, newName, svg } from "../base/element.js";
import { count, day, days, decimal, shortDay, t } from "../base/locale.js";

const daysShown = 36500;

/** How long it lasts: "until 3–5 December"; null: not known, or for longer than people plan. */
export function lasts(series) {
    const { forecast } = series;
    if (BigInt(series.remaining) === 0n || forecast.days_left === null) return null;
    const { exhausted_from: from, exhausted_to: to } = forecast;
    if (forecast.days_left > daysShown || from === null) return t("lasts.long");
    if (to === null) return t("lasts.from", day(from));
    return from === to ? t("lasts.until", day(from)) : t("lasts.until", days(from, to));
}

/** Numbers a day. */
export function perDay(series) {
    const { per_day: rate } = series.forecast;
    return rate === null ? null : t("per-day", decimal(rate, Number(rate) < 10 ? 1 : 0));
}

/** Until when to order. */
export function orderBy(series) {
    const { forecast } = series;
    if (forecast.order_by === null || forecast.days_left > daysShown) return null;
    return t("order-by", day(forecast.order_by), forecast.lead_days);
}

const width = 320;
const height = 96;
const base = 76; // where bars stand
const barsMin = 14; // as wide as with so many days, at most
const past = 140; // what is over ends here, the forecast begins

const bar = (x, thick, tall, look) =>
    svg("rect", { x, y: base - tall, width: thick, height: tall, class: look });

function bars(use) {
    const used = [...use.days.map((each) => Number(each.numbers)), Number(use.used_today)];
    const most = Math.max(...used, 1);
    const step = past / Math.max(used.length, barsMin);
    const left = past - step * used.length;
    return used.map((numbers, place) =>
        bar(
            left + place * step,
            Math.max(step - 1, 0.5),
            (numbers / most) * (base - 8),
            place === used.length - 1 ? "today" : "used",
        ),
    );
}

function fan(use) {
    const { exhausted_from: from, exhausted_on: on, exhausted_to: to } = use.forecast;
    if (from === null || on === null || to === null) return [];
    const begin = Date.parse(use.today);
    const end = Math.max(Date.parse(to), begin + 86400000);
    const x = (date) => past + ((Date.parse(date) - begin) / (end - begin)) * (width - past - 4);
    const order = use.forecast.order_by;
    const ordered = order !== null && Date.parse(order) > begin && Date.parse(order) < end;
    return [
        svg("polygon", { points: `${past},8 ${x(from)},${base} ${x(to)},${base}`, class: "fan" }),
        svg("line", { x1: past, y1: 8, x2: x(on), y2: base, class: "median" }),
        ordered && svg("line", { x1: x(order), y1: 4, x2: x(order), y2: base, class: "order" }),
        svg("text", { x: width, y: height - 6, "text-anchor": "end" }, shortDay(to)),
    ].filter(Boolean);
}

/** True when there is something to draw. */
export const hasUse = (use) => use.days.length > 0 || use.used_today !== "0";

/** What the drawing shows. */
export const inWords = (use) =>
    use.days.length === 0 ? t("chart.no-days") : t("chart.days", use.days.length);

/** What was used by day, and how what is remaining becomes less. */
export function chart(use) {
    const first = use.days[0]?.date;
    const name = newName("chart");
    return el(
        "figure",
        { class: "chart" },
        svg(
            "svg",
            { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": name },
            svg("title", { id: name }, inWords(use)),
            svg("line", { x1: 0, y1: base, x2: width, y2: base, class: "axis" }),
            bars(use),
            fan(use),
            svg("line", { x1: past, y1: 2, x2: past, y2: base + 4, class: "now" }),
            use.days.length >= barsMin && svg("text", { x: 0, y: height - 6 }, shortDay(first)),
            svg("text", { x: past, y: height - 6, "text-anchor": "middle" }, t("chart.today")),
        ),
    );
}

/** The same as a table, for those who want the numbers. */
export function table(use) {
    const rows = [...use.days]
        .reverse()
        .map((each) =>
            el(
                "tr",
                { "data-key": each.date },
                el("th", { scope: "row" }, day(each.date)),
                el("td", {}, count(each.numbers)),
            ),
        );
    return el(
        "details",
        { "data-key": "by-day" },
        el("summary", {}, t("chart.table")),
        el(
            "table",
            {},
            el(
                "thead",
                {},
                el(
                    "tr",
                    {},
                    el("th", { scope: "col" }, t("chart.day")),
                    el("th", { scope: "col" }, t("chart.numbers")),
                ),
            ),
            el(
                "tbody",
                {},
                el(
                    "tr",
                    {},
                    el("th", { scope: "row" }, t("chart.today")),
                    el("td", {}, count(use.used_today)),
                ),
                rows,
            ),
        ),
    );
}
