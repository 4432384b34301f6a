// The desk: issues the number of one parcel, and finds what was issued.
import { path } from "../base/client.js";
import { el } from "../base/element.js";
import { known, may, readSeries } from "../base/known.js";
import { dayBefore, t, today } from "../base/locale.js";
import { field, valuesOf } from "../parts/fields.js";
import { addressOfIssued, openIssues } from "../parts/open_acts.js";
import { seriesField } from "../parts/series_field.js";
import { Sending } from "../parts/sending.js";

const referenceMax = 255;

// Nobody's series is guessed: where there are several, the reader says which.
const oneSeries = () =>
    seriesField({ open: known.series.length === 1 ? null : t("parcels.choose"), required: true });

function form(key, title, fields, ...buttons) {
    return el(
        "form",
        { class: "card", "data-key": key, "data-stays": true, name: key },
        el("h2", {}, title),
        el("div", { class: "row" }, oneSeries(), fields),
        el("div", { role: "alert" }),
        el("p", { class: "acts" }, buttons),
    );
}

const dayButton = (which) => el("button", { name: "on", value: which }, t(`parcels.${which}`));

function forms() {
    return [
        may("issue") &&
            form(
                "issue",
                t("parcels.issue"),
                field({ name: "reference", label: t("reference"), most: referenceMax }),
                el("button", { class: "main" }, t("parcels.issue.do")),
            ),
        form(
            "day",
            t("parcels.day"),
            field({ name: "date", label: t("manifest.day"), kind: "date", max: today() }),
            el("button", {}, t("manifest.show")),
            dayButton("today"),
            dayButton("yesterday"),
        ),
        form(
            "range",
            t("parcels.range"),
            [
                field({ name: "first", label: t("load.first"), required: true, most: 80 }),
                field({ name: "last", label: t("load.last"), required: true, most: 80 }),
            ],
            el("button", {}, t("manifest.show")),
        ),
    ];
}

// The address of what a form asks for; null: something is missing.
const addresses = {
    day: ({ series, date }, button) => {
        const days = { today: today(), yesterday: dayBefore(today()) };
        const on = days[button?.value] ?? date;
        return on ? path`#/series/${series}/day/${on}` : null;
    },
    range: ({ series, first, last }) => path`#/series/${series}/range/${first}/${last}`,
};

/** One number; its outcome is the view of the number, so that a reload shows it again. */
async function issue(sending, { series, reference }) {
    const open = openIssues().filter((act) => act.key !== sending.act.key);
    if (open.length > 0) return sending.tell(el("p", {}, t("parcels.issue.open")));
    if (!sending.act.unknown)
        sending.request = {
            method: "POST",
            path: path`/v1/series/${series}/numbers?numbers=true`,
            body: { count: 1, reference: reference || null },
        };
    const answer = await sending.send(sending.request);
    if (answer) location.hash = addressOfIssued(answer.body);
    return null;
}

function listen(shown) {
    const { date } = shown.elements;
    if (date) date.onfocus = () => (date.max = today()); // it may have been left open over midnight
    shown.onsubmit = (event) => {
        event.preventDefault();
        const address = addresses[shown.name](valuesOf(shown), event.submitter);
        if (address) location.hash = address;
        else shown.elements.date.focus();
    };
}

function listenToIssue(form) {
    const button = form.querySelector("button");
    const place = form.querySelector("[role=alert]");
    const sending = new Sending({ name: t("parcels.issue.act"), form, button, place });
    form.onsubmit = (event) => {
        event.preventDefault();
        if (!sending.busy) issue(sending, valuesOf(form));
    };
}

export const parcels = {
    title: () => t("way.parcels"),
    seconds: 0,
    async read() {
        await readSeries();
        return {};
    },
    show: forms,
    shown() {
        for (const shown of document.querySelectorAll("main form")) {
            if (shown.onsubmit) continue;
            if (shown.name === "issue") listenToIssue(shown);
            else listen(shown);
        }
    },
};
