// How long the remaining numbers last, in words and as a drawing.
import { el, newName, svg } from "../base/element.js";
import { count, day, days, decimal, shortDay, t, weekday } from "../base/locale.js";
import { daysUntil } from "./urgency.js";

const daysShown = 36500;

/** How long it lasts: "until 3–5 December"; null: not known, or for longer than people plan. */
export function lasts(series) {
    const { forecast } = series;
    if (BigInt(series.remaining) === 0n || forecast.per_day === null) return null;
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
    const left = daysUntil(forecast.order_by);
    if (left < 0) return t("order-overdue", -left);
    const until = left === 0 ? t("chart.today") : day(forecast.order_by);
    return t("order-by", until, forecast.lead_days);
}

const width = 320;
const height = 96;
const base = 76; // where bars stand
const barsMin = 14; // as wide as with so many days, at most
const past = 140; // what is over ends here, the forecast begins

const bar = (x, thick, tall, look) =>
    svg("rect", { x, y: base - tall, width: thick, height: tall, class: look });

const weeksDays = 28; // that the means of weekdays are taken of, as the forecast does
const ofWeek = (date) => new Date(date).getUTCDay(); // 0: Sunday

/** What each day of the week uses, from Monday on: [{date, mean}]; none before a week is over. */
function meansOf(use) {
    const latest = use.days.slice(-weeksDays);
    if (latest.length < 7) return [];
    const of = (weekday) => latest.filter(({ date }) => ofWeek(date) === weekday);
    return [1, 2, 3, 4, 5, 6, 0].map(of).map((those) => ({
        date: those[0].date,
        mean: those.reduce((sum, each) => sum + Number(each.numbers), 0) / those.length,
    }));
}

// What was used by day, and above it what such a day of the week uses.
function bars(use) {
    const used = [...use.days.map((each) => Number(each.numbers)), Number(use.used_today)];
    const means = new Map(meansOf(use).map(({ date, mean }) => [ofWeek(date), mean]));
    const most = Math.max(...used, ...means.values(), 1);
    const step = past / Math.max(used.length, barsMin);
    const left = past - step * used.length;
    const thick = Math.max(step - 1, 0.5);
    const tall = (numbers) => (numbers / most) * (base - 8);
    return used.map((numbers, place) => {
        const x = left + place * step;
        const mean = means.get(ofWeek(use.days[place]?.date ?? use.today));
        const y = base - tall(mean ?? 0);
        return [
            bar(x, thick, tall(numbers), place === used.length - 1 ? "today" : "used"),
            means.size > 0 && svg("line", { x1: x, y1: y, x2: x + thick, y2: y, class: "mean" }),
        ];
    });
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
        ordered &&
            svg(
                "text",
                { x: x(order), y: 10, "text-anchor": x(order) < width - 50 ? "start" : "end" },
                ` ${shortDay(order)} `,
            ),
        svg("text", { x: width, y: height - 6, "text-anchor": "end" }, shortDay(to)),
    ].filter(Boolean);
}

/** True when there is something to draw. */
export const hasUse = (use) => use.days.length > 0 || use.used_today !== "0";

/** What the drawing shows. */
export function inWords(use) {
    const used = use.days.length === 0 ? t("chart.no-days") : t("chart.days", use.days.length);
    const [rate, until, order] = [perDay(use), lasts(use), orderBy(use)];
    const more = [
        rate && t("chart.mean", rate),
        until && `${t("lasts")} ${until}`,
        order && `${t("order")}: ${order}`,
    ];
    return `${[used, ...more.filter(Boolean)].join(". ")}.`;
}

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

function grid(heads, rows, caption = null) {
    const head = (scope) => (text) => el("th", { scope }, text);
    const row = ([first, ...rest]) =>
        el("tr", {}, head("row")(first), rest.map((text) => el("td", {}, text)));
    return el(
        "table",
        {},
        caption && el("caption", {}, caption),
        el("thead", {}, el("tr", {}, heads.map(head("col")))),
        el("tbody", {}, rows.map(row)),
    );
}

/** The same as tables, for those who want the numbers. */
export function table(use) {
    const past = [...use.days].reverse();
    const days = past.map(({ date, numbers }) => [`${weekday(date)} ${day(date)}`, count(numbers)]);
    const means = meansOf(use).map(({ date, mean }) => [weekday(date), decimal(mean, 0)]);
    const heads = [t("chart.day"), t("chart.numbers")];
    return el(
        "details",
        { "data-key": "by-day" },
        el("summary", {}, t("chart.table")),
        means.length > 0 && grid(heads, means, t("chart.weekdays")),
        grid(heads, [[t("chart.today"), count(use.used_today)], ...days]),
    );
}
