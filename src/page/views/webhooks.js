// Webhooks, for administrators: where notices are sent, and whether they arrive.
import { get, getAll, path } from "../base/client.js";
import { el } from "../base/element.js";
import { known, readSeries } from "../base/known.js";
import { kinds } from "../base/live.js";
import { count, moment, t } from "../base/locale.js";
import { askAndDo } from "../parts/dialog.js";
import { chosen } from "../parts/fields.js";
import { actButton, buttons, chip, facts, rows } from "../parts/facts.js";
import { secretOnce } from "../parts/once.js";
import { explain } from "../parts/problem.js";
import { seriesChoices } from "../parts/series_field.js";

const looks = { active: "good", failing: "warn", dead: "bad" };
const testSecondsMax = 15; // ten of the attempt, and until it begins and is noted
const kindName = (kind) => t(`kind.${kind}`);

const arrived = (hook) => hook.test_status >= 200 && hook.test_status < 300;

function outcome(hook) {
    if (hook.test_status === null) return t("hook.test.failed");
    return t(arrived(hook) ? "hook.test.answered" : "hook.test.refused", hook.test_status);
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Looks until a test has ended -> what says how, and the service's own words. */
async function findOutcome({ id, tested_at: before }) {
    for (const end = Date.now() + testSecondsMax * 1000; Date.now() < end; await pause(500)) {
        const hook = await get(path`/v1/webhooks/${id}`);
        if (hook.tested_at === before) continue;
        const why = hook.test_status === null && hook.last_error;
        return [
            el("p", { class: arrived(hook) ? "good" : "bad" }, outcome(hook)),
            why && el("p", { lang: "en" }, why),
        ];
    }
    return [el("p", { class: "warn" }, t("hook.test.late"))];
}

/** Shows what comes of a test, in the dialog that asked for it. */
function showOutcome(hook, page) {
    const place = el("div", { role: "status" }, el("p", {}, t("hook.test.runs")));
    findOutcome(hook)
        .catch((problem) => [explain(problem)])
        .then((nodes) => place.replaceChildren(...nodes.filter(Boolean)))
        .then(page.refresh);
    return { once: place };
}

function row(hook) {
    const data = { webhook: hook.id };
    return el(
        "li",
        { class: "card", "data-key": `webhook-${hook.id}` },
        el(
            "h2",
            { class: "title" },
            t("hook.title", hook.id) + " ",
            chip(t(`hook.${hook.state}`), looks[hook.state]),
            hook.tested_at && !arrived(hook) && chip(t("hook.test.bad"), "bad"),
        ),
        el("p", { class: "number" }, hook.url),
        facts([
            [t("hook.kinds"), hook.kinds?.map(kindName).join(", ") ?? t("notice.every")],
            [t("series"), hook.series?.join(", ") ?? t("token.all")],
            [t("hook.pending"), count(hook.pending)],
            [t("hook.next"), hook.next_attempt_at && moment(hook.next_attempt_at)],
            [t("hook.tested"), hook.tested_at && `${moment(hook.tested_at)} · ${outcome(hook)}`],
            [t("hook.error"), hook.last_error && el("span", { lang: "en" }, hook.last_error)],
        ]),
        buttons(
            actButton("test", t("hook.test"), data),
            hook.state !== "active" && actButton("retry", t("hook.retry"), data, "main"),
            actButton("rotate", t("hook.rotate"), data),
            actButton("delete", t("hook.delete"), data),
        ),
    );
}

function askToCreate(_, data, page) {
    askAndDo({
        title: t("hook.create"),
        about: [t("hook.about")],
        fields: [
            {
                name: "url",
                kind: "url",
                label: t("hook.url"),
                hint: t("hook.url.hint"),
                required: true,
                most: 2048,
            },
            { name: "authorization", kind: "password", label: t("hook.key"), most: 1000 },
            {
                name: "kinds",
                kind: "choices",
                label: t("hook.only-kinds"),
                options: kinds.map((kind) => [kind, kindName(kind), false]),
            },
            seriesChoices(),
        ],
        confirm: t("hook.create"),
        request: (values) => ({
            method: "POST",
            path: "/v1/webhooks",
            body: {
                url: values.url,
                authorization: values.authorization || null,
                kinds: chosen(values.kinds),
                series: chosen(values.series),
            },
        }),
        done: ({ body }) => ({ once: secretOnce(t("hook.secret"), body.secret) }),
        after: page.refresh,
    });
}

/** A question about a webhook that needs no answer but yes. */
function askTo(verb, request, done) {
    return ({ webhook: id }, { webhooks: all }, page) => {
        const hook = all.find((each) => each.id === id);
        askAndDo({
            title: t(`hook.${verb}.title`, id),
            about: [t(`hook.${verb}.about`), el("p", { class: "number" }, hook.url)],
            confirm: t(`hook.${verb}`),
            danger: verb === "delete",
            request: () => request(id),
            done: (answer) => done?.(answer, hook, page) ?? t(`hook.${verb}.done`, id),
            after: page.refresh,
        });
    };
}

const post = (verb) => (id) =>
    ({ method: "POST", path: path`/v1/webhooks/${id}/${verb}`, body: {} });

export const webhooks = {
    title: () => t("way.webhooks"),
    seconds: 10,
    async read() {
        if (known.seen === null) await readSeries();
        return { webhooks: await getAll("/v1/webhooks") };
    },
    show: (params, { webhooks: all }) => [
        buttons(actButton("create", t("hook.create"), {}, "main")),
        el("div", { "data-key": "hooks" }, rows(all.map(row), t("hook.none"))),
    ],
    acts: {
        create: askToCreate,
        test: askTo("test", post("test"), (answer, hook, page) => showOutcome(hook, page)),
        retry: askTo("retry", post("retry")),
        rotate: askTo("rotate", post("rotate"), ({ body }) => ({
            once: secretOnce(t("hook.secret"), body.secret),
        })),
        delete: askTo("delete", (id) => ({ method: "DELETE", path: path`/v1/webhooks/${id}` })),
    },
};
