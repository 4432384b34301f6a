// All series, the worst first: what a screen on a wall shows.
import { el, svg } from "../base/element.js";
import { glanceAt, glanceOf } from "../base/glance.js";
import { listen, live } from "../base/live.js";
import { known, may, readSeries, seriesOf } from "../base/known.js";
import { count, list, t } from "../base/locale.js";
import { blockLine, isAlive } from "../parts/blocks.js";
import { chip, code, facts } from "../parts/facts.js";
import { chart, hasUse, lasts, orderBy, perDay } from "../parts/forecast.js";
import { noticeRow } from "../parts/notice_list.js";
import { stateOf, urgencyOfOrder, worstFirst } from "../parts/urgency.js";

const noticesShown = 5;

function level(series, look) {
    const remaining = BigInt(series.remaining);
    const all = remaining + BigInt(series.issued);
    const part = all > 0n ? Number((remaining * 1000n) / all) / 10 : 0;
    return svg(
        "svg",
        {
            viewBox: "0 0 100 4",
            class: `level ${look}`,
            "aria-hidden": "true",
            preserveAspectRatio: "none",
        },
        svg("rect", { width: 100, height: 4, class: "all" }),
        svg("rect", { width: part, height: 4, class: "part" }),
    );
}

function queue(series) {
    const { blocks } = glanceOf(series.name);
    const alive = blocks?.filter(isAlive);
    if (!alive) return null;
    if (alive.length === 0) return el("p", { class: "bad", "data-key": "queue" }, t("queue.empty"));
    const last = alive.every((block) => block.state === "open");
    return el(
        "details",
        { "data-key": "queue" },
        el(
            "summary",
            { class: last ? "warn" : null },
            last ? t("queue.last") : t("queue.some", alive.length),
        ),
        el("ul", { class: "queue" }, alive.map(blockLine)),
    );
}

function tile(series) {
    const { text, look } = stateOf(series);
    const { use } = glanceOf(series.name);
    const title = `series-${series.name}`;
    return el(
        "article",
        { class: `card tile ${look}`, "data-key": title, "data-series": series.name },
        el(
            "h2",
            {},
            el("a", { href: `#/series/${encodeURIComponent(series.name)}` }, series.name),
            " ",
            chip(text, look),
        ),
        level(series, look),
        facts([
            [t("remaining"), count(series.remaining), "big"],
            [t("lasts"), lasts(series)],
            [t("order"), orderBy(series), urgencyOfOrder(series.forecast)],
            [t("rate"), perDay(series)],
            [t("next"), series.next === null ? t("none") : code(series.next)],
        ]),
        use && hasUse(use) && chart(use),
        queue(series),
    );
}

function summary(all) {
    if (all.length === 0) return t("summary.none");
    const bad = all.filter((series) => stateOf(series).look !== "good");
    return bad.length === 0
        ? t("summary.well", all.length)
        : t("summary.look", all.length, list(bad.map((series) => series.name)));
}

function latest() {
    if (live.notices.length === 0) return null;
    return el(
        "section",
        { class: "card latest", "data-key": "latest", "aria-labelledby": "latest" },
        el("h2", { id: "latest" }, t("notice.latest")),
        el("ul", { class: "rows" }, live.notices.slice(0, noticesShown).map(noticeRow)),
        el("p", {}, el("a", { href: "#/notices" }, t("notice.all"))),
    );
}

let end = null;

export const overview = {
    title: () => t("way.series"),
    seconds: 10,
    async read() {
        await readSeries();
        return worstFirst(known.series);
    },
    show: (params, all) => [
        el("p", { class: "summary", "data-key": "summary", "data-tell": true }, summary(all)),
        may("load") && el("p", { class: "soft", "data-key": "drop" }, t("drop-anywhere")),
        el("div", { class: "tiles", "data-key": "tiles" }, all.map(tile)),
        latest(),
    ],
    shown(all, params, page) {
        end ??= listen(page.redraw);
        for (const element of document.querySelectorAll("[data-series]"))
            glanceAt(element, seriesOf(element.dataset.series), page.redraw);
    },
    left() {
        end?.();
        end = null;
    },
};
