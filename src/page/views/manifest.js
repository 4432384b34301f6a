// The evening: closing a day, and its numbers for the carrier.
import { get, path } from "../base/client.js";
import { el } from "../base/element.js";
import { may } from "../base/known.js";
import { count, day, t, today } from "../base/locale.js";
import { dayCounts, doubtsOf } from "../parts/day_counts.js";
import { askAndDo } from "../parts/dialog.js";
import { actButton, buttons, code } from "../parts/facts.js";
import { field } from "../parts/fields.js";
import { saveList } from "../parts/save.js";

const numbersShown = 200;
const lookMilliseconds = 5000; // whether it is another day by now
let chosen = null;
let looking = null;

function dateForm(date) {
    return el(
        "form",
        { class: "card row", "data-stays": true, "data-key": "date" },
        field({
            name: "date",
            label: t("manifest.day"),
            kind: "date",
            value: date,
            max: today(),
            required: true,
        }),
        el("p", { class: "acts" }, el("button", {}, t("manifest.show"))),
    );
}

// The form stays while somebody uses it; at midnight its days go on. A day that somebody has typed
// is not the default any more, and stays, too.
function keepDays({ elements }, date) {
    elements.date.max = today();
    if (elements.date.defaultValue !== date) elements.date.defaultValue = date;
}

function lookForMidnight(page) {
    let day = today();
    return setInterval(() => {
        if (day === today()) return;
        day = today();
        page.refresh();
    }, lookMilliseconds);
}

function closed(manifest, counts) {
    const more = manifest.numbers.length - numbersShown;
    return el(
        "section",
        { class: "card", "data-key": "manifest" },
        el(
            "p",
            { "data-tell": true },
            t("manifest.closed", day(manifest.date), count(manifest.count)),
        ),
        dayCounts(counts),
        buttons(actButton("save", t("manifest.save"), {}, "main")),
        manifest.numbers.length > 0 &&
            el(
                "details",
                {},
                el("summary", {}, t("manifest.numbers")),
                el(
                    "ul",
                    { class: "numbers" },
                    manifest.numbers
                        .slice(0, numbersShown)
                        .map((number) => el("li", {}, code(number))),
                ),
                more > 0 && el("p", { class: "soft" }, t("preview.more", more)),
            ),
    );
}

function notClosed(date, counts) {
    return el(
        "section",
        { class: "card", "data-key": "open" },
        el("p", {}, t("manifest.open", day(date))),
        dayCounts(counts),
        doubtsOf(counts).map(([name, text]) => el("p", { class: "warn", "data-key": name }, text)),
        may("issue") && buttons(actButton("close", t("manifest.close"), {}, "main")),
    );
}

// With the figures of now, not of when the day was looked at.
async function askToClose(_, { series, date }, page) {
    const counts = await readCounts(series, date);
    askAndDo({
        title: t("manifest.close.title", day(date)),
        about: [t("manifest.close.about", count(counts.to_report), series)],
        fields: doubtsOf(counts).map(([name, label]) => ({
            name,
            kind: "check",
            label,
            required: true,
        })),
        confirm: t("manifest.close.do", count(counts.to_report)),
        request: () => ({
            method: "POST",
            path: path`/v1/series/${series}/manifests`,
            body: { date },
            long: true,
        }),
        done: ({ body }) => t("manifest.closed", day(date), count(String(body.count))),
        after: page.refresh,
    });
}

const save = (_, { series, date }) =>
    saveList(`${series}-${date}.csv`, path`/v1/series/${series}/manifests/${date}`);

const readCounts = (series, date) => get(path`/v1/series/${series}/days/${date}`);

export const manifest = {
    title: ({ series }) => t("manifest.title", series),
    seconds: 0,
    async read({ series }) {
        const date = chosen ?? today();
        const counts = await readCounts(series, date);
        const manifest =
            counts.reported === null
                ? null
                : await get(path`/v1/series/${series}/manifests/${date}`, { long: true });
        return { series, date, counts, manifest };
    },
    show: (params, data) => [
        dateForm(data.date),
        data.manifest ? closed(data.manifest, data.counts) : notClosed(data.date, data.counts),
    ],
    shown(data, params, page) {
        const form = document.querySelector("form.row");
        keepDays(form, data.date);
        looking ??= lookForMidnight(page);
        form.onsubmit = (event) => {
            event.preventDefault();
            chosen = event.target.elements.date.value;
            page.refresh();
        };
    },
    left() {
        clearInterval(looking);
        looking = null;
        chosen = null;
    },
    acts: { close: askToClose, save },
};
