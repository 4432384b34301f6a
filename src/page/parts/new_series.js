// A new series, with the parameters that its format takes.
import { getAll } from "../base/client.js";
import { el } from "../base/element.js";
import { known } from "../base/known.js";
import { t } from "../base/locale.js";
import { askAndDo } from "./dialog.js";
import { field } from "./fields.js";

// As in "[{ext:N1}{gcp:N4-12}{n:*}]{c}": a name, a letter for what it is made of, its length.
const parameters = (format) => [...format.number.matchAll(/{([a-z]\w*):[A-Z]([\d-]+)}/g)];

const fieldsOf = (format) =>
    parameters(format).map(([, name, length]) =>
        field({ name: `param.${name}`, label: t("series.new.param", name, length) }),
    );

function choice(formats) {
    const place = el("div", {});
    const select = field({
        name: "format",
        label: t("series.new.format"),
        kind: "select",
        options: formats.map(({ name, number, carrier }) => [
            name,
            [name, number, carrier].filter(Boolean).join("  "),
        ]),
        value: "plain",
    });
    select.addEventListener("change", ({ target }) =>
        place.replaceChildren(...fieldsOf(formats.find(({ name }) => name === target.value))),
    );
    return el("div", {}, select, place);
}

function bodyOf({ name, carrier, format, ...more }) {
    const given = Object.entries(more).filter(([, value]) => value !== "");
    const params = given.map(([param, value]) => [param.replace("param.", ""), value]);
    return { name, carrier, format, params: Object.fromEntries(params) };
}

const ask = (name, label, hint) => ({ name, label, hint, required: true, most: 63 });

/** Asks for what a series is made of, and creates it. */
export async function askForSeries(page) {
    const formats = await getAll("/v1/formats");
    const carriers = known.carriers.map(({ code }) => code).join(", ");
    askAndDo({
        title: t("series.new"),
        about: [t("series.new.about")],
        fields: [
            ask("name", t("series.new.name"), t("series.new.name.hint")),
            ask("carrier", t("carrier"), carriers && t("series.new.carriers", carriers)),
            choice(formats),
        ],
        confirm: t("series.new.do"),
        request: (values) => ({ method: "POST", path: "/v1/series", body: bodyOf(values) }),
        done: ({ body }) => t("series.new.done", body.name),
        after: () => page.refresh(),
    });
}
