// A secret that is shown once.
import { el, newName } from "../base/element.js";
import { t } from "../base/locale.js";
import { copyButton } from "./facts.js";
import { say } from "./said.js";

/** A secret in a field that can be copied, and that it is not shown again. */
export function secretOnce(label, secret) {
    const id = newName("secret");
    const input = el("input", { id, type: "text", readonly: true, value: secret, class: "secret" });
    input.addEventListener("focus", () => input.select());
    return [
        el("p", {}, t("once")),
        el("div", { class: "field" }, el("label", { for: id }, label), input),
        el("p", { class: "acts" }, copyButton(secret, say)),
    ];
}
