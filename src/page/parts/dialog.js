// A question before an act: what is going to happen, what has to be known, and one button.
import { el, newName, pieces } from "../base/element.js";
import { t } from "../base/locale.js";
import { choices, field, valuesOf } from "./fields.js";
import { closeButton, openModal, showUntilClosed } from "./modal.js";
import { say } from "./said.js";
import { Sending } from "./sending.js";

function makeDialog(spec) {
    const title = newName("dialog");
    const send = el("button", { class: spec.danger ? "danger" : "main" }, spec.confirm);
    const cancel = el("button", { type: "button", class: "plain" }, t("cancel"));
    const place = el("div", { role: "alert" });
    const make = (each) => (each.kind === "choices" ? choices(each) : field(each));
    const fields = (spec.fields ?? []).map((each) => (each instanceof Node ? each : make(each)));
    const form = el(
        "form",
        { method: "dialog" },
        el("h2", { id: title }, spec.title),
        (spec.about ?? []).map((each) => (typeof each === "string" ? el("p", {}, each) : each)),
        fields,
        place,
        el("p", { class: "acts" }, send, cancel),
    );
    const dialog = el("dialog", { "aria-labelledby": title }, form);
    return { dialog, form, send, cancel, place };
}

// What is shown once, instead of the form.
function showOnce(parts, nodes) {
    const close = closeButton(parts.dialog);
    const heading = parts.form.querySelector("h2");
    parts.dialog.dataset.stays = ""; // with another view, too
    parts.form.replaceChildren(heading, pieces(nodes), el("p", { class: "acts" }, close));
    close.focus();
}

/**
 * Asks, and does it: {title, about, fields (elements, too), confirm, danger, request(values),
 * done(answer), after()}. `request` makes {method, path, body}; `done` returns the sentence to say,
 * or {once: nodes} to show before the dialog is closed.
 */
export function askAndDo(spec) {
    const parts = makeDialog(spec);
    const { dialog, form, send, cancel, place } = parts;
    const sending = new Sending({ name: spec.title, form, button: send, place });
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (sending.busy || !form.reportValidity()) return;
        // Read before they are locked, and once: what is repeated is the same request.
        if (!sending.act.unknown) sending.request = spec.request(valuesOf(form));
        const answer = await sending.send(sending.request);
        if (!answer) return;
        const told = spec.done(answer);
        if (told?.once && !dialog.isConnected) {
            showUntilClosed(spec.title, told.once); // its view was left meanwhile
        } else if (told?.once) {
            showOnce(parts, told.once);
        } else {
            dialog.close();
            say(told);
        }
        await spec.after?.(answer);
    });
    cancel.addEventListener("click", () => dialog.close());
    dialog.addEventListener("cancel", (event) => {
        if (sending.busy) event.preventDefault();
    });
    openModal(dialog);
    (form.querySelector("input, select, textarea") ?? send).focus();
}

/** The field in which somebody says why. */
export function reasonField() {
    return {
        name: "reason",
        label: t("reason"),
        hint: t("reason.hint"),
        required: true,
        most: 255,
    };
}
