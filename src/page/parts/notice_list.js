// Notices in words.
import { el } from "../base/element.js";
import { language, moment, t } from "../base/locale.js";
import { chip } from "./facts.js";

const looks = {
    "series.exhausted": "bad",
    "series.low": "warn",
    "series.order_by": "warn",
    "series.no_successor": "warn",
    "series.paused": "warn",
    "fence.raised": "bad",
    "verify.finding": "bad",
    "token.expires": "warn",
    "lease.overdue": "bad",
    "block.recalled": "warn",
    "block.expired": "warn",
};

/** What a notice says. */
export const textOf = (notice) => notice.text[language] ?? notice.text.en;

/** A notice with its kind, its moment and the way to its series. */
export function noticeRow(notice) {
    const name = notice.series;
    return el(
        "li",
        { "data-key": `notice-${notice.id}` },
        el(
            "p",
            {},
            chip(t(`kind.${notice.kind}`), looks[notice.kind] ?? ""),
            " ",
            el("time", { datetime: notice.at, class: "soft" }, moment(notice.at)),
        ),
        el("p", {}, textOf(notice)),
        name &&
            el(
                "p",
                {},
                el("a", { href: `#/series/${encodeURIComponent(name)}` }, t("notice.to", name)),
            ),
    );
}
