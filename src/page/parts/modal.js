// Dialogs: each is on top of the page until it is closed.
import { el, newName } from "../base/element.js";
import { t } from "../base/locale.js";

// It goes with its view, but for one that is being sent, or shows what is shown once.
function closeWithView(dialog) {
    if (dialog.querySelector(".secret")) return;
    if (dialog.dispatchEvent(new Event("cancel", { cancelable: true }))) dialog.close();
}

/** Opens a dialog; once it is closed the focus is where it was. */
export function openModal(dialog) {
    const opener = document.activeElement;
    const end = new AbortController();
    addEventListener("hashchange", () => closeWithView(dialog), { signal: end.signal });
    const closed = () => {
        end.abort();
        dialog.remove();
        if (opener?.isConnected) opener.focus();
        else document.querySelector("main h1")?.focus();
    };
    dialog.addEventListener("close", closed, { once: true });
    document.body.append(dialog);
    dialog.showModal();
}

/** Closes dialogs with their view; what nobody may miss stays. */
export function closeDialogs() {
    for (const dialog of document.querySelectorAll("dialog:not([data-stays])")) dialog.close();
}

/** A button that closes a dialog. */
export function closeButton(dialog) {
    const close = el("button", { type: "button", class: "main" }, t("close"));
    close.addEventListener("click", () => dialog.close());
    return close;
}

/** Shows what nobody may miss, under a title, until somebody closes it. */
export function showUntilClosed(title, nodes) {
    const id = newName("dialog");
    const dialog = el("dialog", { "aria-labelledby": id, "data-stays": true });
    const close = closeButton(dialog);
    dialog.append(
        el(
            "form",
            { method: "dialog" },
            el("h2", { id }, title),
            nodes,
            el("p", { class: "acts" }, close),
        ),
    );
    openModal(dialog);
    close.focus();
}
