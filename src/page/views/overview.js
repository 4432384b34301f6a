// All series, the worst first: what a screen on a wall shows.
import { el } from "../base/element.js";
import { glanceAt, glanceOf } from "../base/glance.js";
import { listen, live } from "../base/live.js";
import {
    carrierOf,
    known,
    may,
    readSeries,
    searchSeries,
    seesAll,
} from "../base/known.js";
import { count, list, t } from "../base/locale.js";
import { blockLine, isAlive } from "../parts/blocks.js";
import { actButton, bar, buttons, chip, code, cutNote, facts, pauseOf } from "../parts/facts.js";
import { chart, hasUse, lasts, orderBy, perDay } from "../parts/forecast.js";
import { firstOf, more } from "../parts/more.js";
import { askForSeries } from "../parts/new_series.js";
import { noticeRow } from "../parts/notice_list.js";
import { afterTyping } from "../parts/series_field.js";
import { stateOf, urgencyOfOrder, worstFirst } from "../parts/urgency.js";

const noticesShown = 5;
const namesShown = 5; // in the summary
const tilesShown = 12; // of more, each carrier's are a group, and there is a search

let wanted = ""; // what is searched for

function level(series, look) {
    const remaining = BigInt(series.remaining);
    const all = remaining + BigInt(series.issued);
    const parts = all > 0n ? Number((remaining * 1000n) / all) : 0;
    return bar(parts, t("left", count(series.remaining)), look);
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

// What helps: a block, and who sends one.
function remedy(series) {
    const carrier = carrierOf(series);
    const address = `#/series/${encodeURIComponent(series.name)}/load`;
    const isNew = series.blocks === "0";
    const text = t(isNew ? "load.block" : "load.next");
    const link = el("a", { class: "button main", href: address }, text);
    return [
        carrier &&
            el(
                "p",
                { "data-key": "contact" },
                carrier.contact
                    ? t("contact.of", series.carrier, carrier.contact)
                    : t("contact.none", series.carrier),
            ),
        may("load") && el("p", { class: "acts", "data-key": "load" }, link),
    ];
}

function tile(series) {
    const { text, look, stock } = stateOf(series);
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
        pauseOf(series),
        stock && remedy(series),
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

const needy = (all) => all.filter((series) => stateOf(series).look !== "good");

function summary(all) {
    if (all.length === 0) return t("summary.none");
    const bad = needy(all);
    if (known.more)
        return bad.length === 0 ? t("summary.part.well") : t("summary.part.look", namesOf(bad));
    return bad.length === 0
        ? t("summary.well", all.length)
        : t("summary.look", all.length, namesOf(bad));
}

function namesOf(all) {
    const names = all.slice(0, namesShown).map((series) => series.name);
    const rest = all.length - names.length;
    return list(rest > 0 ? [...names, t("summary.more", rest)] : names);
}

function tilesOf(name, all) {
    const key = `tiles-${name}`;
    const { shown, more: rest } = firstOf(key, all, tile, tilesShown);
    return [el("div", { class: "tiles", "data-key": key }, shown), rest];
}

// The carrier whose series are the worst first, as the series of each are.
function groups(all) {
    if (!isMany(all)) return tilesOf("", all);
    const byCarrier = new Map();
    for (const series of known.more ? all : all.filter(isWanted))
        byCarrier.set(series.carrier, [...(byCarrier.get(series.carrier) ?? []), series]);
    if (byCarrier.size === 0) return el("p", { "data-key": "none" }, t("search.none"));
    return [...byCarrier].map(([carrier, those]) => {
        // Where not all are here, nobody knows how many there are.
        const about = known.more ? "" : t("group", those.length, count(needy(those).length));
        return el(
            "section",
            { "data-key": `carrier-${carrier}`, "aria-label": carrier },
            el("h2", { class: "title" }, carrier, " ", el("span", { class: "soft" }, about)),
            tilesOf(carrier, those),
        );
    });
}

const isMany = (all) => known.more || all.length > tilesShown;

// Where not all are here, the service searches.
const isWanted = ({ name, carrier }) =>
    `${name}\n${carrier}`.toLowerCase().includes(wanted.toLowerCase());

function search(all) {
    if (!isMany(all)) return null;
    const input = el("input", { type: "search", id: "filter", value: wanted, autocomplete: "off" });
    input.addEventListener("input", () => {
        wanted = input.value.trim();
        if (!known.more) drawn();
    });
    afterTyping(input, () => known.more && read());
    return el(
        "div",
        { class: "field", "data-key": "filter", "data-stays": true },
        el("label", { for: "filter" }, t("search.series")),
        input,
    );
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
let drawn = () => {};
let read = () => {};

export const overview = {
    title: () => t("way.series"),
    get seconds() {
        return known.more ? 60 : 10;
    },
    async read() {
        await readSeries();
        const found = known.more && wanted ? await searchSeries(wanted) : known.series;
        return Object.assign(worstFirst(found), { cut: found.cut });
    },
    show: (params, all) => [
        el("p", { class: "summary", "data-key": "summary", "data-tell": true }, summary(known.series)),
        may("load") && el("p", { class: "soft", "data-key": "drop" }, t("drop-anywhere")),
        may("admin") && seesAll() && buttons(actButton("new", `${t("series.new")} …`)),
        search(all),
        cutNote(all),
        groups(all),
        latest(),
    ],
    shown(all, params, page) {
        drawn = page.redraw;
        read = page.refresh;
        end ??= listen(page.redraw);
        for (const element of document.querySelectorAll("[data-series]")) {
            const series = all.find((each) => each.name === element.dataset.series);
            if (series) glanceAt(element, series, page.redraw); // no tile of an earlier list
        }
    },
    left() {
        end?.();
        end = null;
    },
    acts: { more, new: (button, all, page) => askForSeries(page) },
};
