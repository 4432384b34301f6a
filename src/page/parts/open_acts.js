// Acts whose answer was lost, also before a reload: they can be repeated with their key.
import { Act, forgetAct, openActs } from "../base/acts.js";
import { path, Problem } from "../base/client.js";
import { el, patchChildren, pieces } from "../base/element.js";
import { known } from "../base/known.js";
import { t } from "../base/locale.js";
import { showUntilClosed } from "./modal.js";
import { secretOnce } from "./once.js";
import { explain } from "./problem.js";
import { say } from "./said.js";

/** Where a number is that was just issued: what an issuance answers. */
export const addressOfIssued = ({ series, numbers }) =>
    path`#/series/${series}/number/${numbers[0]}`;

const issues = ({ request }) => /^\/v1\/series\/[^/]+\/numbers\?/.test(request.path);
const mine = () => openActs().filter((act) => act.who === known.session?.name);

/** Requests for numbers whose answer is not known. */
export const openIssues = () => mine().filter(issues);

const at = (id) => document.getElementById(id);

// It was to be printed once that was known; somebody may have printed it elsewhere since.
function tellOfLabel({ series, count }, number) {
    const late = count === 0;
    location.hash = path`#/series/${series}/number/${number}`;
    say(t(late ? "label.late" : "label.not-printed", number));
}

// What has a secret was not done before: this is the one time that it is shown.
function tell(act, { status, body }) {
    const { kind, ranges } = act.request.body ?? {};
    if (body?.token)
        showUntilClosed(act.name, secretOnce(t("token.secret", body.name), body.token));
    else if (body?.secret) showUntilClosed(act.name, secretOnce(t("hook.secret"), body.secret));
    else if (kind === "printed" || kind === "reprinted") tellOfLabel(body, ranges[0].first);
    else {
        const proposed = status === 202 && body?.proposed_by;
        say(t(proposed ? "open.proposed" : "open.done", act.name));
    }
    if (issues(act)) location.hash = addressOfIssued(body);
}

async function repeat(act, button) {
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    try {
        tell(act, await new Act(act.name, act.key).send(act.request));
    } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        // It is no open act any more: why it was refused, and what to do, is said nowhere else.
        if (problem.executed === "unknown") say(t("open.still", act.name));
        else showUntilClosed(act.name, explain(problem));
    } finally {
        // A row that is still there has the same button.
        button.removeAttribute("aria-disabled");
        showOpenActs();
    }
}

function row(act) {
    const again = el("button", { type: "button" }, t("open.repeat"));
    const forget = el("button", { type: "button", class: "plain" }, t("open.forget"));
    again.addEventListener("click", () => repeat(act, again));
    forget.addEventListener("click", () => {
        forgetAct(act.key);
        showOpenActs();
    });
    return el(
        "li",
        { "data-key": act.key, "data-stays": true },
        el("span", {}, t("open.act", act.name)),
        " ",
        again,
        " ",
        forget,
    );
}

/** After a reload: a number that may have been issued is asked for before another one is. */
export function endOpenIssues() {
    for (const act of openIssues())
        repeat(act, document.querySelector(`#open-acts [data-key="${act.key}"] button`));
}

/** Shows those of whoever is signed in. */
export function showOpenActs() {
    const acts = mine();
    const place = at("open-acts");
    place.hidden = acts.length === 0;
    place.setAttribute("aria-label", t("open.label"));
    patchChildren(
        place,
        acts.length === 0
            ? pieces()
            : pieces(
                  el("p", {}, el("strong", {}, t("open.title")), " ", t("open.why")),
                  el("ul", {}, acts.map(row)),
              ),
    );
}
