// What was issued on a day, of a range of numbers, or at once: and what became of it.
import { get, path } from "../base/client.js";
import { el } from "../base/element.js";
import { count, day, t, tIfAny } from "../base/locale.js";
import { dayCounts } from "../parts/day_counts.js";
import { actButton, buttons, chip, code, range, rows } from "../parts/facts.js";
import { issuedList } from "../parts/issued_list.js";
import { saveList } from "../parts/save.js";

const pageRows = 100;
const looks = { issued: "good", held: "warn", voided: "bad" };

const addressOf = ({ series, day: date, first, last }) =>
    path`/v1/series/${series}/issuances?` +
    new URLSearchParams(
        date ? { from: date, to: date } : { first_number: first, last_number: last },
    );

const listOf = (params, after) =>
    get(`${addressOf(params)}&limit=${pageRows}${after === null ? "" : `&after=${after}`}`);

// A day's sums come with it.
async function readFirst(params) {
    const { series, day: date, issuance } = params;
    if (issuance) return { whole: await get(path`/v1/issuances/${issuance}?numbers=true`) };
    const [counts, list] = await Promise.all([
        date ? get(path`/v1/series/${series}/days/${date}`) : null,
        listOf(params, null),
    ]);
    return { asked: params, counts, ...list };
}

const fate = (state) =>
    chip(tIfAny(`ended.${state}`) ?? t(`number.${state}`), looks[state] ?? "soft");

// Its numbers, and what became of those that are not its own any more.
function whole({ series, numbers, count: all, reference, state, gone = [] }) {
    const link = (number, text = code(number)) =>
        el("a", { href: path`#/series/${series}/number/${number}` }, text);
    const links = numbers.map((each) => el("li", {}, link(each)));
    const lost = ({ first, last, count: several, state: end }) =>
        el("li", {}, link(first, several === 1 ? code(first) : range(first, last)), " ", fate(end));
    return [
        el("p", { "data-tell": true }, all > 0 && `${t("numbers", count(String(all)))} `, fate(state)),
        reference && el("p", {}, `${t("reference")}: ${reference}`),
        links.length > 0 && el("ul", { class: "numbers", "data-key": "numbers" }, links),
        gone.length > 0 && rows(gone.map(lost)),
    ];
}

function title({ series, day: date, first, last, issuance }) {
    if (date) return t("issued.day", series, day(date));
    return issuance ? t("issued.issuance", issuance) : t("issued.range", first, last);
}

export const issued = {
    title,
    seconds: 0,
    read: async (params, before) => before ?? readFirst(params),
    show: (params, data) =>
        data.whole
            ? whole(data.whole)
            : [
                  data.counts && dayCounts(data.counts),
                  data.completed && el("p", { class: "warn" }, data.completed),
                  issuedList(data.items),
                  buttons(
                      data.next !== null && actButton("more", t("issued.more")),
                      data.items.length > 0 && actButton("save", t("issued.save")),
                  ),
              ],
    acts: {
        save: (_, { asked }) =>
            saveList(`${asked.series}-issued-${asked.day ?? asked.first}.csv`, addressOf(asked)),
        async more(_, data, page) {
            const { items, next } = await listOf(data.asked, data.next);
            Object.assign(data, { items: [...data.items, ...items], next });
            page.redraw();
        },
    },
};
