// Signing in with a token, which becomes a cookie that no script can read.
import { ask, Problem } from "../base/client.js";
import { el } from "../base/element.js";
import { t } from "../base/locale.js";
import { explain } from "../parts/problem.js";

/** Takes the cookie away; the token stays in force. -> false: the browser still has it */
export async function signOut() {
    try {
        await ask("DELETE", "/v1/session");
    } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        // No script can take it away, so whoever uses this browser next would be signed in.
        return false;
    }
    return true;
}

// The service says so to whoever knows the secret.
function whyRefused({ message }) {
    if (/revoked|widerrufen/.test(message)) return t("sign-in.revoked");
    return /expired|abgelaufen/.test(message) ? t("sign-in.expired") : t("sign-in.wrong");
}

/**
 * Shows the form. `why`: why somebody has to sign in (again); `enter`: called if it went well, a
 * promise of why the page cannot be used all the same; null: it can.
 */
export function signIn(place, why, enter) {
    document.title = `${t("sign-in")} · gapless`;
    const input = el("input", {
        id: "token",
        type: "password",
        autocomplete: "off",
        spellcheck: "false",
        required: true,
        "aria-describedby": "token-hint",
    });
    const told = el("div", { role: "alert" }, why && el("p", {}, why));
    const button = el("button", { class: "main" }, t("sign-in"));
    const form = el(
        "form",
        { class: "card sign-in", "data-stays": true },
        el(
            "div",
            { class: "field" },
            el("label", { for: "token" }, t("sign-in.token")),
            input,
            el("span", { class: "hint", id: "token-hint" }, t("sign-in.hint")),
        ),
        told,
        el("p", { class: "acts" }, button),
    );
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (button.getAttribute("aria-disabled")) return;
        button.setAttribute("aria-disabled", "true");
        const token = input.value.trim();
        try {
            if (!/^[\x21-\x7e]+$/.test(token)) throw new Problem(401);
            await ask("POST", "/v1/session", { body: { token } });
            input.value = "";
            const not = await enter();
            if (not) told.replaceChildren(el("p", {}, not));
        } catch (problem) {
            if (!(problem instanceof Problem)) throw problem;
            told.replaceChildren(
                problem.status === 401 ? el("p", {}, whyRefused(problem)) : explain(problem),
            );
            input.focus();
        } finally {
            button.removeAttribute("aria-disabled");
        }
    });
    place.replaceChildren(el("h1", { tabindex: "-1" }, t("sign-in")), form);
    input.focus();
}
