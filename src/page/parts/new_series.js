// A new series, with the parameters that its format takes.
import { getAll } from "../base/client.js";
import { el } from "../base/element.js";
import { known } from "../base/known.js";
import { t } from "../base/locale.js";
import { askAndDo } from "./dialog.js";
import { field } from "./fields.js";
import { explain } from "./problem.js";
import { say } from "./said.js";

// As in "[{ext:N1}{gcp:N4-12}{n:*}]{c}": a name, what it is made of and how long it is.
const parameters = (format) => [...format.number.matchAll(/{([a-z]\w*):([A-Z])([\d-]+)}/g)];

const fieldsOf = (format) =>
    parameters(format).map(([, name, kind, length]) =>
        field({
            name: `param.${name}`,
            label: t("series.new.param", name),
            hint: kind === "N" ? t("series.new.digits", length) : t("series.new.letters", length),
        }),
    );

function choice(formats) {
    const place = el("div", {});
    const select = field({
        name: "format",
        label: t("series.new.format"),
        kind: "select",
        options: formats.map(({ name, number }) => [name, `${name}  ${number}`]),
        value: "plain",
    });
    select.addEventListener("change", ({ target }) =>
        place.replaceChildren(...fieldsOf(formats.find(({ name }) => name === target.value))),
    );
    return el("div", {}, select, place);
}

function bodyOf(values) {
    const given = Object.entries(values).filter(([name, value]) => name && value !== "");
    const params = given.filter(([name]) => name.startsWith("param."));
    const { name, carrier, format } = values;
    const made = params.map(([param, value]) => [param.slice("param.".length), value]);
    return { name, carrier, format, params: Object.fromEntries(made) };
}

/** Asks for what a series is made of, and creates it. */
export async function askForSeries(page) {
    let formats;
    try {
        formats = await getAll("/v1/formats");
    } catch (problem) {
        return say(explain(problem).textContent);
    }
    const carriers = known.carriers.map(({ code }) => code).join(", ");
    return askAndDo({
        title: t("series.new"),
        about: [t("series.new.about")],
        fields: [
            {
                name: "name",
                label: t("series.new.name"),
                hint: t("series.new.name.hint"),
                required: true,
                most: 63,
            },
            {
                name: "carrier",
                label: t("carrier"),
                hint: carriers && t("series.new.carriers", carriers),
                required: true,
                most: 63,
            },
            choice(formats),
        ],
        confirm: t("series.new.do"),
        request: (values) => ({ method: "POST", path: "/v1/series", body: bodyOf(values) }),
        done: ({ body }) => t("series.new.done", body.name),
        after: () => page.refresh(),
    });
}
