// One number, in any spelling: what became of it, its barcode, and voiding it.
import { get, path } from "../base/client.js";
import { el } from "../base/element.js";
import { known, may } from "../base/known.js";
import { moment, t } from "../base/locale.js";
import { askAndDo, reasonField } from "../parts/dialog.js";
import { actButton, buttons, chip, code, facts, person, rows } from "../parts/facts.js";
import { say } from "../parts/said.js";

const looks = { voided: "bad", held: "warn", returned: "warn", free: "soft", elsewhere: "soft" };
const drawn = ["issued", "printed", "held", "manifested", "returned"];
// A voided number was not on a parcel; one that was reported to the carrier needs more than a yes.
const voidable = ["issued", "printed"];
const forced = ["manifested", "returned"];

const seriesLink = (name) => el("a", { href: `#/series/${encodeURIComponent(name)}` }, name);

function barcode(found) {
    if (!drawn.includes(found.state)) return null;
    const picture = el("img", {
        class: "barcode",
        "data-key": "barcode",
        "data-stays": true,
        alt: t("number.barcode", found.hrt ?? found.number),
        src: path`/v1/series/${found.series}/numbers/${found.number}/barcode.svg`,
    });
    // A format without a barcode has no picture.
    picture.addEventListener("error", () => picture.remove());
    return picture;
}

function history(found) {
    const steps = found.history.map((step, place) =>
        el(
            "li",
            { "data-key": `step-${place}` },
            el("strong", {}, t(`event.${step.kind}`)),
            " ",
            el(
                "span",
                { class: "soft" },
                [moment(step.at), person(step.actor)].filter(Boolean).join(" · "),
            ),
            step.reason && step.reason !== found.reference && el("span", {}, ` – ${step.reason}`),
        ),
    );
    return [
        el("h2", { "data-key": "history-title" }, t("number.history")),
        el("ol", { class: "history", "data-key": "history" }, steps),
        steps.length === 0 && el("p", { class: "soft" }, t("number.no-history")),
    ];
}

function record(found) {
    const voids = may("issue") && [...voidable, ...forced].includes(found.state);
    const told = t("number.is", found.number, t(`number.${found.state}`));
    return [
        el(
            "section",
            { class: "card", "data-key": "record" },
            el("p", { class: "visually-hidden", "data-tell": true }, told),
            el(
                "p",
                {},
                code(found.hrt ?? found.number),
                " ",
                chip(t(`number.${found.state}`), looks[found.state] ?? "good"),
                found.recalled ? chip(t("block.recalled"), "bad") : null,
            ),
            facts([
                [t("number"), found.hrt ? code(found.number) : null],
                [t("series"), seriesLink(found.series)],
                [t("reference"), found.reference_erased ? t("erased") : found.reference],
                [t("block"), found.block],
                [t("number.ordinal"), found.ordinal],
                [t("number.issuance"), found.issuance],
            ]),
            barcode(found),
            buttons(
                actButton("copy", t("copy")),
                voids && actButton("void", t("number.void"), {}, "danger"),
            ),
        ),
        history(found),
    ];
}

// A number of several series: the reader says which.
function ambiguous(text, problem) {
    const link = (series) =>
        el("li", {}, el("a", { href: path`#/series/${series.name}/number/${text}` }, series.name));
    const named = known.series.filter((series) => problem.message.includes(series.name));
    return [el("p", { "data-tell": true }, t("number.ambiguous")), rows(named.map(link), "")];
}

function askToVoid(_, { found }, page) {
    const reported = forced.includes(found.state);
    askAndDo({
        title: t("number.void.title", found.number),
        about: [t("number.void.about"), reported && t("number.void.reported")].filter(Boolean),
        fields: [
            reasonField(),
            ...(reported
                ? [{ name: "force", kind: "check", label: t("number.void.force"), required: true }]
                : []),
        ],
        confirm: t("number.void"),
        danger: true,
        request: (values) => ({
            method: "POST",
            path: path`/v1/series/${found.series}/events`,
            body: {
                kind: "voided",
                ranges: [{ first: found.number, last: found.number }],
                reason: values.reason,
                ...(values.force ? { force: true } : {}),
            },
        }),
        done: () => t("number.void.done", found.number),
        after: page.refresh,
    });
}

async function copy(_, { found }) {
    try {
        await navigator.clipboard.writeText(found.number);
        say(t("copied"));
    } catch {
        say(t("not-copied"));
    }
}

export const number = {
    title: ({ number: text }, data) => t("number.title", data?.found?.number ?? text),
    seconds: 0,
    async read({ series, number: text }) {
        try {
            const found = await get(
                series ? path`/v1/series/${series}/numbers/${text}` : path`/v1/numbers/${text}`,
            );
            return { found };
        } catch (problem) {
            if (problem.type === "ambiguous-number") return { problem };
            throw problem;
        }
    },
    show: ({ number: text }, { found, problem }) =>
        found ? record(found) : ambiguous(text, problem),
    acts: { void: askToVoid, copy },
};
