// Tokens, for administrators: create, list, revoke.
import { getAll, path } from "../base/client.js";
import { el } from "../base/element.js";
import { known, readSeries } from "../base/known.js";
import { count, moment, t, today, until } from "../base/locale.js";
import { askAndDo } from "../parts/dialog.js";
import { chosen } from "../parts/fields.js";
import { actButton, buttons, chip, facts, rows } from "../parts/facts.js";
import { secretOnce } from "../parts/once.js";
import { seriesChoices } from "../parts/series_field.js";

const scopes = ["read", "issue", "load", "admin"];
const looks = { "in force": "good", expired: "soft", revoked: "soft" };

const scopesOf = (token) => token.scopes.map((scope) => t(`scope.${scope}`)).join(", ");
const seriesOf = (token) => (token.series === null ? t("token.all") : token.series.join(", "));

const limited = (most, text) => most && (most === "0" ? t("token.no-limit") : text(count(most)));

function row(token) {
    const inForce = token.state === "in force";
    const own = token.id === known.session.id;
    return el(
        "li",
        { class: "card", "data-key": `token-${token.id}` },
        el(
            "h2",
            { class: "title" },
            t("token.title", token.id, token.name),
            " ",
            chip(t(`token.${token.state}`), looks[token.state]),
            own && chip(t("token.own")),
        ),
        facts([
            [t("token.scopes"), scopesOf(token)],
            [t("token.series"), seriesOf(token)],
            [t("token.expires"), token.expires_at && until(token.expires_at)],
            [t("token.quota"), limited(token.daily_quota, (n) => t("token.a-day", n))],
            [t("token.rate"), limited(token.rate, (n) => t("token.a-second", n))],
            [t("token.created"), moment(token.created_at)],
            [t("token.revoked-at"), token.revoked_at && moment(token.revoked_at)],
        ]),
        inForce && buttons(actButton("revoke", t("token.revoke"), { token: token.id })),
    );
}

function askToCreate(_, data, page) {
    const mine = scopes.filter((scope) => known.session.scopes.includes(scope));
    askAndDo({
        title: t("token.create"),
        about: [t("token.about")],
        fields: [
            {
                name: "name",
                label: t("token.name"),
                hint: t("token.name.hint"),
                required: true,
                most: 100,
            },
            {
                name: "scopes",
                kind: "choices",
                label: t("token.scopes"),
                options: mine.map((scope) => [scope, t(`scope.${scope}.long`), scope === "read"]),
            },
            seriesChoices(),
            { name: "expires_at", kind: "date", label: t("token.expires"), min: today() },
            {
                name: "daily_quota",
                label: t("token.quota"),
                hint: t("token.quota.hint"),
                most: 13,
                digits: true,
            },
        ],
        confirm: t("token.create"),
        request: (values) => ({
            method: "POST",
            path: "/v1/tokens",
            body: {
                name: values.name,
                scopes: values.scopes,
                series: chosen(values.series),
                expires_at: values.expires_at || null,
                daily_quota: values.daily_quota || null,
            },
        }),
        done: ({ body }) => ({ once: secretOnce(t("token.secret", body.name), body.token) }),
        after: page.refresh,
    });
}

function askToRevoke({ token: id }, { tokens: all }, page) {
    const token = all.find((each) => each.id === id);
    askAndDo({
        title: t("token.revoke.title", token.name),
        about: [
            t("token.revoke.about"),
            id === known.session.id && el("p", {}, el("strong", {}, t("token.revoke.own"))),
        ].filter(Boolean),
        confirm: t("token.revoke"),
        danger: true,
        request: () => ({ method: "DELETE", path: path`/v1/tokens/${id}` }),
        done: () => t("token.revoke.done", token.name),
        after: page.refresh,
    });
}

export const tokens = {
    title: () => t("way.tokens"),
    seconds: 0,
    async read() {
        if (known.seen === null) await readSeries();
        return { tokens: (await getAll("/v1/tokens")).reverse() };
    },
    show(params, { tokens: all }) {
        const inForce = all.filter((token) => token.state === "in force");
        const over = all.filter((token) => token.state !== "in force");
        return [
            buttons(actButton("create", t("token.create"), {}, "main")),
            el("div", { "data-key": "in-force" }, rows(inForce.map(row), t("token.none"))),
            over.length > 0 &&
                el(
                    "details",
                    { "data-key": "over" },
                    el("summary", {}, t("token.over", over.length)),
                    rows(over.map(row), ""),
                ),
        ];
    },
    acts: { create: askToCreate, revoke: askToRevoke },
};
