// What happened and what has to be done, as it comes.
import { el } from "../base/element.js";
import { kinds, listen, live } from "../base/live.js";
import { t } from "../base/locale.js";
import { rows } from "../parts/facts.js";
import { noticeRow } from "../parts/notice_list.js";

let end = null;
let wanted = "";

function filter() {
    const option = (value, text) => el("option", { value, selected: value === wanted }, text);
    return el(
        "form",
        { class: "row", "data-stays": true, "data-key": "filter" },
        el(
            "div",
            { class: "field" },
            el("label", { for: "kind" }, t("notice.kind")),
            el(
                "select",
                { id: "kind" },
                option("", t("notice.every")),
                kinds.map((kind) => option(kind, t(`kind.${kind}`))),
            ),
        ),
    );
}

export const notices = {
    title: () => t("way.notices"),
    seconds: 0,
    read: async () => live,
    show(params, { notices: all, connected }) {
        const shown = all.filter((notice) => wanted === "" || notice.kind === wanted);
        return [
            el(
                "p",
                { class: "summary", "data-key": "summary" },
                connected ? t("notice.live") : t("notice.not-live"),
            ),
            filter(),
            el(
                "section",
                { "data-key": "all", class: "card", "aria-label": t("way.notices") },
                rows(shown.map(noticeRow), t("notice.none")),
            ),
        ];
    },
    shown(data, params, page) {
        end ??= listen(page.redraw);
        const kind = document.getElementById("kind");
        kind.onchange = () => {
            wanted = kind.value;
            page.redraw();
        };
    },
    left() {
        end?.();
        end = null;
        wanted = "";
    },
};
