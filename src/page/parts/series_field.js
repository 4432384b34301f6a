// Choosing among series: a list of all, or, where there are too many, a field that suggests some.
import { el, newName } from "../base/element.js";
import { known, note, searchSeries } from "../base/known.js";
import { t } from "../base/locale.js";
import { field } from "./fields.js";

const restMilliseconds = 250; // after the last key

/** Acts once whoever types in it rests. */
export function afterTyping(input, act) {
    let waiting = null;
    input.addEventListener("input", () => {
        clearTimeout(waiting);
        waiting = setTimeout(act, restMilliseconds);
    });
}

async function suggest(input, list) {
    if (!input.value.trim()) return;
    try {
        const found = await searchSeries(input.value.trim());
        list.replaceChildren(...found.map(({ name }) => el("option", { value: name })));
    } catch (problem) {
        note(problem);
    }
}

/** A field for one series: what field() takes; `open`: the text for none, `show(series)`: for one. */
export function seriesField({ open, show = ({ name }) => name, ...given }) {
    const wanted = { name: "series", label: t("series"), ...given };
    if (!known.more) {
        const named = known.series.map((series) => [series.name, show(series)]);
        const options = open ? [["", open], ...named] : named;
        return field({ ...wanted, kind: "select", options });
    }
    const made = field(wanted);
    const input = made.querySelector("input");
    const list = el("datalist", { id: newName("series") });
    input.setAttribute("list", list.id);
    afterTyping(input, () => suggest(input, list));
    made.append(list);
    return made;
}

/** What choices() takes, or field(), for any of the series that whoever is signed in sees. */
export function seriesChoices() {
    const { session, more, series } = known;
    if (more && !session.series)
        return { name: "series", kind: "lines", rows: 2, label: t("token.only.names") };
    const names = session.series ?? series.map(({ name }) => name);
    return {
        name: "series",
        kind: "choices",
        label: t("token.only"),
        options: names.map((name) => [name, name, session.series !== null]),
    };
}
