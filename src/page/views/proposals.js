// Blocks that one person wants to load and another one has to confirm.
import { get, getAll, path } from "../base/client.js";
import { el } from "../base/element.js";
import { forgetGlances } from "../base/glance.js";
import { known } from "../base/known.js";
import { count, moment, t, until } from "../base/locale.js";
import { askAndDo } from "../parts/dialog.js";
import { actButton, buttons, chip, cutNote, facts, person, range, rows } from "../parts/facts.js";
import { warned } from "../parts/preview.js";

const lookedAtMost = 20;

const isOwn = (proposal) => proposal.proposed_by === `token:${known.session.name}`;

function block(given, place) {
    return el(
        "li",
        { "data-key": `block-${place}` },
        range(given.first, given.last),
        " ",
        el(
            "span",
            { class: "soft" },
            [
                t("numbers", count(given.count)),
                given.reference,
                given.valid_until && t("block.valid", until(given.valid_until)),
                given.issued_until && t("block.issued-until", given.issued_until),
            ]
                .filter(Boolean)
                .join(" · "),
        ),
    );
}

function card(proposal) {
    const data = { proposal: proposal.id };
    const open = proposal.state === "proposed";
    return el(
        "li",
        { class: "card", "data-key": `proposal-${proposal.id}` },
        el(
            "h2",
            { class: "title" },
            t("proposal.title", proposal.id, proposal.series),
            " ",
            chip(t(`proposal.${proposal.state}`), open ? "warn" : "soft"),
        ),
        el("ul", { class: "queue" }, proposal.blocks.map(block)),
        open && proposal.warnings?.length > 0 && warned(proposal.warnings),
        facts([
            [
                t("proposal.by"),
                t("proposal.who", person(proposal.proposed_by), moment(proposal.proposed_at)),
            ],
            [t("proposal.expires"), open ? moment(proposal.expires_at) : null],
            [
                t("proposal.settled"),
                proposal.settled_at &&
                    t(
                        "proposal.who",
                        person(proposal.settled_by) ?? "–",
                        moment(proposal.settled_at),
                    ),
            ],
        ]),
        open && isOwn(proposal) && el("p", { class: "soft" }, t("proposal.own")),
        open &&
            buttons(
                !isOwn(proposal) && actButton("confirm", t("proposal.confirm"), data, "main"),
                actButton("reject", t("proposal.reject"), data),
            ),
    );
}

function askToSettle(verb) {
    return ({ proposal: id }, { open }, page) => {
        const proposal = open.find((each) => each.id === id);
        askAndDo({
            title: t(`proposal.${verb}.title`, id),
            about: [
                t(`proposal.${verb}.about`, proposal.series),
                el("ul", { class: "queue" }, proposal.blocks.map(block)),
            ],
            confirm: t(`proposal.${verb}`),
            danger: verb === "reject",
            request: () => ({ method: "POST", path: path`/v1/proposals/${id}/${verb}`, body: {} }),
            done: () => t(`proposal.${verb}.done`, id),
            after: () => {
                forgetGlances();
                return page.refresh();
            },
        });
    };
}

export const proposals = {
    title: () => t("way.proposals"),
    seconds: 15,
    // Lists begin with the oldest: the open ones could be behind years of others.
    async read() {
        const [open, all] = await Promise.all([
            getAll("/v1/proposals?state=proposed"),
            getAll("/v1/proposals", 5),
        ]);
        const settled = all.filter((proposal) => proposal.state !== "proposed").reverse();
        open.reverse();
        // Their warnings are those of this moment; a list has none.
        const looked = await Promise.all(
            open.slice(0, lookedAtMost).map(({ id }) => get(path`/v1/proposals/${id}`)),
        );
        return {
            open: [...looked, ...open.slice(lookedAtMost)],
            settled: Object.assign(settled, { cut: all.cut }),
        };
    },
    show(params, { open, settled }) {
        return [
            el(
                "p",
                { class: "summary", "data-key": "summary" },
                t("proposal.summary", open.length),
            ),
            el("div", { "data-key": "open" }, rows(open.map(card), t("proposal.none"))),
            settled.length > 0 &&
                el(
                    "details",
                    { "data-key": "settled" },
                    el("summary", {}, t("proposal.over", settled.length)),
                    cutNote(settled),
                    rows(settled.map(card), ""),
                ),
        ];
    },
    acts: { confirm: askToSettle("confirm"), reject: askToSettle("reject") },
};
