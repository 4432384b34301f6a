// A number in any spelling, or an order number: what became of it, its label, and voiding it.
import { ask, get, path } from "../base/client.js";
import { el } from "../base/element.js";
import { may } from "../base/known.js";
import { day, longMoment, t } from "../base/locale.js";
import { askAndDo, reasonField } from "../parts/dialog.js";
import { actButton, buttons, chip, code, facts, person, rows } from "../parts/facts.js";
import { issuedList } from "../parts/issued_list.js";
import { detailOf, explain } from "../parts/problem.js";
import { say } from "../parts/said.js";

const looks = { voided: "bad", held: "warn", returned: "warn", free: "soft", elsewhere: "soft" };
const drawn = ["issued", "printed", "held", "manifested", "returned"];
const printable = ["issued", "printed", "manifested"];
// A voided number was not on a parcel; one that was reported to the carrier needs more than a yes.
const voidable = ["issued", "printed"];
const forced = ["manifested", "returned"];
const ordersMax = 20; // series with the same order number
const ordersPath = path`/v1/series?limit=${ordersMax}&reference=`;

const seriesLink = (name) => el("a", { href: `#/series/${encodeURIComponent(name)}` }, name);

// All that is printed: the barcode in its size, with the number, and the order.
function label(found) {
    if (!drawn.includes(found.state)) return null;
    const address = path`/v1/series/${found.series}/numbers/${found.number}/barcode.svg`;
    const bare = `${address}?text=false`;
    const text = found.hrt ?? found.number;
    const alt = t("number.barcode", text);
    const picture = el("img", { class: "barcode", alt, src: `.${address}` });
    const draw = (from) => ask("GET", from, { accept: "image/svg+xml" }).catch((no) => no);
    // Whatever is in the way may pass, but for 422: then the line below the bars does not fit, and
    // is put there by us, or the bars lack a parameter of the format.
    picture.addEventListener("error", async () => {
        if (picture.src.endsWith("?text=false") || (await draw(address)).status !== 422) return;
        const drawn = await draw(bare);
        if (drawn.status === 200) {
            picture.src = `.${bare}`;
            picture.after(code(text));
        } else if (drawn.status === 422) picture.replaceWith(code(text), detailOf(drawn) ?? "");
    });
    return el(
        "figure",
        { class: "label", "data-key": `label-${found.number}`, "data-stays": true },
        picture,
        found.reference && el("figcaption", {}, found.reference),
    );
}

// What was issued has its reference for a reason, what was reported with its day that day.
function sentence({ kind, at, actor, reason }) {
    const told = [longMoment(at), person(actor) ?? ""];
    if (kind === "manifested" && /^\d{4}-\d\d-\d\d$/.test(reason))
        return t("told.closed", ...told, day(reason));
    return t(`told.${kind}`, ...told, reason);
}

function history(found) {
    return [
        el("h2", { "data-key": "history-title" }, t("number.history")),
        el(
            "ol",
            { class: "history", "data-key": "history" },
            found.history.map((step, place) =>
                el("li", { "data-key": `step-${place}` }, sentence(step)),
            ),
        ),
        found.history.length === 0 && el("p", { class: "soft" }, t("number.no-history")),
    ];
}

const printing = (found) => (found.state === "issued" ? "printed" : "reprinted");

function record(found) {
    const voids = may("issue") && [...voidable, ...forced].includes(found.state);
    const prints = may("issue") && printable.includes(found.state);
    const told = t("number.is", found.number, t(`number.${found.state}`));
    return [
        el(
            "section",
            { class: "card", "data-key": "record" },
            el("p", { class: "visually-hidden", "data-tell": true }, told),
            found.completed && el("p", { class: "warn" }, t("number.completed")),
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
            label(found),
            buttons(
                prints && actButton("print", t(`label.${printing(found)}`), {}, "main"),
                actButton("copy", t("copy")),
                voids && actButton("void", t("number.void"), {}, "danger"),
            ),
        ),
        history(found),
    ];
}

// A number of several series: the reader says which.
function ambiguous(text, { series }) {
    const link = (name) =>
        el("li", {}, el("a", { href: path`#/series/${name}/number/${text}` }, name));
    return [el("p", { "data-tell": true }, t("number.ambiguous")), rows(series.map(link), "")];
}

function orders(text, { rows: under, more }) {
    return [
        el("h2", { "data-key": "orders-title", "data-tell": true }, t("orders.title", text)),
        issuedList(under),
        more && el("p", { class: "warn", "data-key": "more" }, t("orders.more")),
    ];
}

// What happened to a number that somebody looks at.
const event = (found, kind, more) => ({
    method: "POST",
    path: path`/v1/series/${found.series}/events`,
    body: { kind, ranges: [{ first: found.number, last: found.number }], ...more },
});

// Whether its label is shown, with its barcode; one that did not come is asked for once more.
async function isDrawn(number) {
    const picture = document.querySelector(`[data-key="label-${CSS.escape(number)}"] img`);
    if (!picture) return false;
    if (picture.complete && picture.naturalWidth === 0) picture.src = picture.getAttribute("src");
    const there = await picture.decode().then(() => true, () => false);
    return there && picture.isConnected;
}

// As it is now: another desk may have printed it since it was looked at.
async function askToPrint(_, { found: seen }, page) {
    const found = await get(path`/v1/series/${seen.series}/numbers/${seen.number}`);
    if (!printable.includes(found.state)) return page.refresh();
    const kind = printing(found);
    const again = kind === "reprinted";
    if (!(await isDrawn(found.number))) return say(t("label.not-drawn", found.number));
    return askAndDo({
        title: t(`label.${kind}.title`, found.number),
        about: [t(`label.${kind}.about`)],
        fields: again ? [{ ...reasonField(), hint: t("number.reason.hint") }] : [],
        confirm: t(`label.${kind}`),
        request: ({ reason }) => event(found, kind, again ? { reason } : {}),
        // A repetition has the count of what it repeats: with none somebody else was faster.
        done: ({ body }) =>
            body.count === 0
                ? t("label.late", found.number)
                : t(`label.${kind}.done`, found.number),
        after: async ({ body }) => {
            await page.refresh();
            if (body.count === 0) return;
            // What is printed is what is shown: by now that may be something else.
            if (await isDrawn(found.number)) window.print();
            else say(t("label.not-printed", found.number));
        },
    });
}

function askToVoid(_, { found }, page) {
    const reported = forced.includes(found.state);
    askAndDo({
        title: t("number.void.title", found.number),
        about: [t("number.void.about"), reported && t("number.void.reported")].filter(Boolean),
        fields: [
            { ...reasonField(), hint: t("number.reason.hint") },
            ...(reported
                ? [{ name: "force", kind: "check", label: t("number.void.force"), required: true }]
                : []),
        ],
        confirm: t("number.void"),
        danger: true,
        request: ({ reason, force }) =>
            event(found, "voided", { reason, ...(force ? { force } : {}) }),
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

// Without `found` there is no such number, or several series have it: the problem says so.
async function readNumber(series, text) {
    try {
        const where = series ? path`/v1/series/${series}/numbers/` : "/v1/numbers/";
        return { found: await get(where + encodeURIComponent(text)) };
    } catch (problem) {
        if (["unknown-number", "ambiguous-number"].includes(problem.type)) return { problem };
        throw problem;
    }
}

// What was issued under this order number, in any series.
async function readOrders(text) {
    const { items, next } = await get(ordersPath + encodeURIComponent(text));
    const lists = await Promise.all(
        items.map(({ name }) =>
            get(path`/v1/series/${name}/issuances?last=true&limit=100&reference=${text}`),
        ),
    );
    return {
        rows: lists.flatMap((list) => list.items),
        more: next !== null || lists.some((list) => list.next !== null),
    };
}

export const number = {
    title: ({ number: text }, data) =>
        data && !data.found && data.orders.rows.length > 0
            ? t("orders.title", text)
            : t("number.title", data?.found?.number ?? text),
    seconds: 0,
    async read({ series, number: text }) {
        const [told, under] = await Promise.all([
            readNumber(series, text),
            series ? { rows: [] } : readOrders(text),
        ]);
        return { ...told, orders: under };
    },
    show: ({ series, number: text }, { found, problem, orders: under }) => [
        found && record(found),
        problem?.type === "ambiguous-number" && ambiguous(text, problem),
        problem?.type === "unknown-number" && under.rows.length === 0 && [
            explain(problem),
            !series && el("p", {}, t("orders.none")),
        ],
        under.rows.length > 0 && orders(text, under),
    ],
    acts: { print: askToPrint, void: askToVoid, copy },
};
