// Open holds, and how they are settled.
import { path } from "../base/client.js";
import { el } from "../base/element.js";
import { may } from "../base/known.js";
import { count, moment, t } from "../base/locale.js";
import { askAndDo } from "./dialog.js";
import { actButton, buttons, cutNote, facts, rows } from "./facts.js";

function row(hold, level) {
    const data = { issuance: hold.issuance };
    return el(
        "li",
        { class: "card", "data-key": `hold-${hold.issuance}` },
        el(level, { class: "title" }, t("hold.title", hold.issuance, hold.series)),
        facts([
            [t("hold.held"), count(String(hold.held))],
            [t("reference"), hold.reference_erased ? t("erased") : hold.reference],
            [t("hold.expires"), moment(hold.expires_at)],
        ]),
        may("issue") &&
            buttons(
                actButton("confirm", t("hold.confirm"), data),
                actButton("release", t("hold.release"), data),
            ),
    );
}

/** A list of holds, in cards with headings of that level. */
export function holdList(holds, level) {
    const cards = holds.map((hold) => row(hold, level));
    return el("div", { "data-key": "holds" }, cutNote(holds), rows(cards, t("hold.none")));
}

function askToSettle(verb) {
    return ({ issuance }, data, page) => {
        const hold = data.holds.find((each) => each.issuance === issuance);
        askAndDo({
            title: t(`hold.${verb}.title`, issuance),
            about: [t(`hold.${verb}.about`, count(String(hold.held)), hold.series)],
            confirm: t(`hold.${verb}`),
            danger: verb === "release",
            request: () => ({
                method: "POST",
                path: path`/v1/issuances/${issuance}/${verb}?numbers=false`,
                body: {},
            }),
            done: () => t(`hold.${verb}.done`, issuance),
            after: page.refresh,
        });
    };
}

/** Acts of a view whose data has `holds`. */
export const holdActs = { confirm: askToSettle("confirm"), release: askToSettle("release") };
