// One series: how long it lasts, its queue of blocks, and what can be done.
import { get, getAll, path } from "../base/client.js";
import { el } from "../base/element.js";
import { forgetGlances } from "../base/glance.js";
import { carrierOf, may, readOne } from "../base/known.js";
import { count, t } from "../base/locale.js";
import { blockCard, isAlive, verbs } from "../parts/blocks.js";
import { askAndDo, reasonField } from "../parts/dialog.js";
import { actButton, buttons, chip, code, cutNote, facts, pauseOf } from "../parts/facts.js";
import { chart, hasUse, inWords, lasts, orderBy, perDay, table } from "../parts/forecast.js";
import { holdList, holdActs } from "../parts/hold_list.js";
import { firstOf, more } from "../parts/more.js";
import { saveList } from "../parts/save.js";
import { stateOf, urgencyOfOrder } from "../parts/urgency.js";

const manyBlocks = 1000; // are read less often: 20,000 are 8 MB
let isLong = false;

const link = (name, rest, text, look = "button") =>
    el("a", { class: look, href: `#/series/${encodeURIComponent(name)}/${rest}` }, text);

function reserve(series) {
    if (series.reserve_numbers === null) return null;
    const numbers = t("reserve.of", count(series.reserve_numbers), count(series.on_lease));
    return series.reserve_minutes === null
        ? numbers
        : `${numbers} · ${t("reserve.covers", series.reserve_minutes)}`;
}

function head({ series, use }) {
    const { text, look } = stateOf(series);
    const states = Object.entries(series.states)
        .filter(([, numbers]) => numbers !== "0")
        .map(([state, numbers]) => `${t(`number.${state}`)} ${count(numbers)}`);
    return el(
        "section",
        { class: "card head", "data-key": "head" },
        el(
            "p",
            { "data-tell": true },
            chip(text, look),
            " ",
            series.paused && text !== t("state.paused") ? chip(t("state.paused"), "warn") : null,
        ),
        pauseOf(series),
        facts([
            [t("remaining"), count(series.remaining), "big"],
            [
                t("lasts"),
                lasts(series) ?? (series.forecast.per_day === null ? t("not-known") : null),
            ],
            [t("order"), orderBy(series), urgencyOfOrder(series.forecast)],
            [t("rate"), perDay(series)],
            [t("next"), series.next === null ? t("none") : code(series.next)],
            [t("issued"), count(series.issued)],
            [t("states"), states.length ? states.join(" · ") : null],
            [t("low-water"), series.low_water === null ? null : count(series.low_water)],
            [t("reserve"), reserve(series)],
            [t("format"), `${series.carrier} · ${series.format}`],
            [t("contact"), carrierOf(series)?.contact],
        ]),
        hasUse(use) &&
            el("div", {}, chart(use), el("p", { class: "soft" }, inWords(use)), table(use)),
    );
}

const asks = (act, text) => actButton(act, `${text} …`);

function actsOf(series) {
    return buttons(
        may("load") && link(series.name, "load", t("load.block"), "button main"),
        link(series.name, "manifest", t("manifest")),
        link(series.name, "invoice", t("invoice")),
        may("admin") &&
            (series.paused ? actButton("resume", t("resume")) : asks("pause", t("pause"))),
        may("admin") && asks("warn", t("low-water")),
        may("admin") && asks("carrier", t("carrier.change", series.carrier)),
    );
}

function queueOf(blocks) {
    const alive = blocks.filter(isAlive);
    const over = blocks.filter((block) => !isAlive(block)).reverse();
    const cardsOf = (name, those) => firstOf(name, those, (block) => blockCard(block, alive));
    const [next, past] = [cardsOf("queue", alive), cardsOf("over", over)];
    return [
        el("h2", { "data-key": "queue-title" }, t("queue")),
        blocks.length > 0 && verbs(),
        cutNote(blocks),
        alive.length === 0
            ? !blocks.cut && el("p", { class: "bad", "data-key": "queue" }, t("queue.empty"))
            : el("ol", { class: "cards", "data-key": "queue" }, next.shown),
        next.more,
        over.length > 0 &&
            el(
                "details",
                { "data-key": "over" },
                el("summary", {}, t("queue.over", over.length)),
                el("ul", { class: "cards" }, past.shown),
                past.more,
            ),
    ];
}

async function again(page) {
    forgetGlances();
    await page.refresh();
}

/** A question about a block, with a reason: close, withdraw, recall. */
function askWithReason(verb, danger = true) {
    return ({ block: id }, { series, blocks }, page) => {
        const block = blocks.find((each) => each.id === id);
        askAndDo({
            title: t(`block.${verb}.title`, id),
            about: [
                t(`block.${verb}.about`, count(block.remaining), count(block.issued)),
                el("p", { class: "number" }, `${block.first} – ${block.last}`),
            ],
            fields: [reasonField()],
            confirm: t(`block.${verb}.confirm`, count(block.remaining)),
            danger,
            request: (values) => ({
                method: "POST",
                path: path`/v1/series/${series.name}/blocks/${id}/${verb}`,
                body: { reason: values.reason },
            }),
            done: () => t(`block.${verb}.done`, id),
            after: () => again(page),
        });
    };
}

function askToMove({ block: id }, { series, blocks }, page) {
    const others = blocks.filter((block) => block.state === "queued" && block.id !== id);
    askAndDo({
        title: t("block.move.title", id),
        fields: [
            {
                name: "place",
                label: t("block.move.where"),
                kind: "select",
                options: [
                    ...others.map((block) => [
                        block.id,
                        t("block.move.before", block.id, block.first, block.last),
                    ]),
                    ["", t("block.move.last")],
                ],
            },
        ],
        confirm: t("block.move"),
        request: (values) => ({
            method: "POST",
            path: path`/v1/series/${series.name}/blocks/${id}/move`,
            body: values.place === "" ? { last: true } : { before: values.place },
        }),
        done: () => t("block.move.done", id),
        after: () => again(page),
    });
}

function askToPause(paused) {
    return (_, { series }, page) =>
        askAndDo({
            title: t(paused ? "pause.title" : "resume.title", series.name),
            about: [t(paused ? "pause.about" : "resume.about"), pauseOf(series) ?? ""],
            fields: paused ? [reasonField()] : [],
            confirm: t(paused ? "pause" : "resume"),
            danger: paused,
            request: ({ reason }) => ({
                method: "PATCH",
                path: path`/v1/series/${series.name}`,
                body: paused ? { paused, paused_reason: reason } : { paused },
            }),
            done: () => t(paused ? "pause.done" : "resume.done", series.name),
            after: () => again(page),
        });
}

function askForLowWater(_, { series }, page) {
    const title = `${series.name}: ${t("low-water")}`;
    const before = { value: series.low_water, digits: true };
    askAndDo({
        title,
        fields: [
            { name: "low_water", label: t("low-water"), hint: t("low-water.hint"), ...before },
        ],
        confirm: t("save"),
        request: ({ low_water: typed }) => ({
            method: "PATCH",
            path: path`/v1/series/${series.name}`,
            // "50.000" is grouped; "0.5" is not, and the service refuses it.
            body: { low_water: typed.replace(/(?<=\d)[\s.,'’](?=\d{3}(\D|$))/g, "") || null },
        }),
        done: () => t("settings.saved", title),
        after: () => again(page),
    });
}

function askForCarrier(_, { series }, page) {
    const carrier = carrierOf(series);
    const days = String(carrier?.lead_days ?? "");
    const lead = { kind: "number", min: 0, max: 365, required: true, value: days };
    const contact = { most: 500, value: carrier?.contact ?? "" };
    // What nobody touched here stays as somebody else may have set it meanwhile.
    const changed = ({ lead_days: typed, contact: text }) => ({
        ...(typed !== days && { lead_days: Number(typed) }),
        ...(text !== contact.value && { contact: text || null }),
    });
    askAndDo({
        title: t("carrier.change", series.carrier),
        about: [t("carrier.about", series.carrier)],
        fields: [
            { name: "lead_days", label: t("lead-days"), hint: t("lead-days.hint"), ...lead },
            { name: "contact", label: t("contact"), hint: t("contact.hint"), ...contact },
        ],
        confirm: t("save"),
        request: (values) => ({
            method: "PATCH",
            path: path`/v1/carriers/${series.carrier}`,
            body: changed(values),
        }),
        done: () => t("settings.saved", t("carrier.change", series.carrier)),
        after: () => again(page),
    });
}

// What was issued of a block, number by number: the list for a carrier that recalls it.
function saveListed({ block: id }, { series }) {
    const list = path`/v1/series/${series.name}/issuances?block=${id}&last=true`;
    return saveList(`${series.name}-block-${id}.csv`, list);
}

export const series = {
    title: ({ series: name }) => t("series.title", name),
    get seconds() {
        return isLong ? 120 : 15;
    },
    async read({ series: name }) {
        const [found, blocks, use, held] = await Promise.all([
            readOne(name),
            getAll(path`/v1/series/${name}/blocks`),
            get(path`/v1/series/${name}/consumption`),
            getAll(`/v1/holds?series=${encodeURIComponent(name)}`, 1),
        ]);
        isLong = blocks.length > manyBlocks;
        return { series: found, blocks, use, holds: held };
    },
    show: (params, data) => [
        head(data),
        el("div", { "data-key": "acts" }, actsOf(data.series)),
        queueOf(data.blocks),
        data.holds.length > 0 && [
            el("h2", { "data-key": "holds-title" }, t("way.holds")),
            holdList(data.holds, "h3"),
        ],
    ],
    acts: {
        close: askWithReason("close"),
        withdraw: askWithReason("withdraw"),
        recall: askWithReason("recall"),
        move: askToMove,
        pause: askToPause(true),
        resume: askToPause(false),
        warn: askForLowWater,
        carrier: askForCarrier,
        more,
        listed: saveListed,
        ...holdActs,
    },
};
