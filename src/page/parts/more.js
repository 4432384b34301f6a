// Long lists: the first of them are shown, and more when somebody asks.
import { el } from "../base/element.js";
import { t } from "../base/locale.js";

const shownOf = new Map(); // by the list's name, in this tab

/** The first of a list, and the button for the rest, which names the act "more". */
export function firstOf(name, items, show, step = 50) {
    const most = shownOf.get(name) ?? step;
    const rest = items.length - most;
    const data = { "data-act": "more", "data-list": name, "data-most": most + 2 * step };
    const button = { type: "button", "data-key": `more-${name}`, ...data };
    return {
        shown: items.slice(0, most).map(show),
        more: rest > 0 ? el("p", { class: "acts" }, el("button", button, t("more", rest))) : null,
    };
}

/** The act. */
export function more({ list, most }, data, page) {
    shownOf.set(list, Number(most));
    page.redraw();
}
