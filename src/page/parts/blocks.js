// The blocks of a series, and what may be done to each.
import { may } from "../base/known.js";
import { el } from "../base/element.js";
import { count, moment, t, until } from "../base/locale.js";
import { actButton, bar, buttons, chip, facts, person, range } from "./facts.js";

const looks = { open: "good", queued: "", exhausted: "soft", closed: "warn", withdrawn: "soft" };

/** True for a block that can still be issued from. */
export const isAlive = (block) => block.state === "open" || block.state === "queued";

/** How many numbers it holds; its count, a number, is not exact beyond 2^53. */
export const sizeOf = (block) => BigInt(block.last_serial) - BigInt(block.first_serial) + 1n;

function stateChips(block) {
    return [
        chip(t(`block.${block.state}`), looks[block.state]),
        block.recalled_at ? chip(t("block.recalled"), "bad") : null,
    ];
}

// Of which no number ever was issued can be withdrawn; the service knows of holds, too.
function acts(block, alive) {
    if (!may("load")) return null;
    const data = { block: block.id };
    const more = alive.filter((each) => each.state === "queued").length > 1;
    return buttons(
        block.state === "queued" && more && actButton("move", t("block.move"), data),
        block.state !== "withdrawn" &&
            block.issued === "0" &&
            actButton("withdraw", `${t("block.withdraw")} …`, data),
        isAlive(block) && actButton("close", t("block.close.rest", count(block.remaining)), data),
        block.state !== "withdrawn" &&
            !block.recalled_at &&
            actButton("recall", `${t("block.recall")} …`, data),
        block.issued !== "0" && actButton("listed", t("block.listed"), data),
    );
}

/** What the buttons of blocks are for, told once above them. */
export function verbs() {
    if (!may("load")) return null;
    const of = (verb) => [t(`block.${verb}`), t(`block.${verb}.for`)];
    const told = ["withdraw", "close", "recall"].map(of);
    return el("div", { class: "soft", "data-key": "verbs" }, facts(told));
}

/** A block with its letter, its validity and who loaded it. */
export function blockCard(block, alive) {
    const loaded = block.loaded_by
        ? t("block.loaded", person(block.loaded_by), moment(block.loaded_at))
        : null;
    return el(
        "li",
        { class: "card", "data-key": `block-${block.id}` },
        el("h3", { class: "title" }, t("block.title", block.id), " ", stateChips(block)),
        bar(
            Number((BigInt(block.issued) * 1000n) / sizeOf(block)),
            t("block.extent", block.first, block.last, count(block.issued)),
        ),
        el("p", {}, range(block.first, block.last)),
        facts([
            [t("remaining"), t("of", count(block.remaining), count(sizeOf(block)))],
            [t("block.letter"), block.reference],
            [t("block.until"), block.valid_until && until(block.valid_until)],
            [t("block.elsewhere"), block.elsewhere === "0" ? null : count(block.elsewhere)],
            [t("block.reason"), block.closed_reason],
            [t("block.by"), loaded],
        ]),
        acts(block, alive),
    );
}

/** The same in a line, for a look from afar. */
export function blockLine(block) {
    const about = [
        block.reference,
        block.valid_until && t("block.valid", until(block.valid_until)),
        block.loaded_by && t("block.who", person(block.loaded_by)),
    ].filter(Boolean);
    return el(
        "li",
        { "data-key": `block-${block.id}` },
        stateChips(block),
        " ",
        range(block.first, block.last),
        " ",
        el("span", { class: "soft" }, [t("left", count(block.remaining)), ...about].join(" · ")),
    );
}
