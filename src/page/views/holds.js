// Open holds of every series, those that expire first.
import { getAll } from "../base/client.js";
import { el } from "../base/element.js";
import { t } from "../base/locale.js";
import { holdActs, holdList } from "../parts/hold_list.js";

export const holds = {
    title: () => t("way.holds"),
    seconds: 15,
    read: async () => ({ holds: await getAll("/v1/holds", 2) }),
    show: (params, data) => [
        el("p", { class: "summary", "data-key": "summary" }, t("hold.summary", data.holds.length)),
        holdList(data.holds, "h2"),
    ],
    acts: holdActs,
};
