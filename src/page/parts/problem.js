// A refusal in the reader's words, with what the service says of it.
import { el } from "../base/element.js";
import { t, tIfAny } from "../base/locale.js";

/** What the service, or this page, calls a problem, in one sentence. */
export function sentenceOf(problem) {
    if (problem.status === 0) return t("problem.no-answer");
    if (problem.title) return `${problem.title}.`;
    return tIfAny(`problem.${problem.type}`) ?? t("problem.other");
}

/** What it says of this case, in English where it has no other words; null: nothing more. */
export function detailOf(problem) {
    if (!problem.message || problem.message === problem.title) return null;
    return el("p", { class: "detail", lang: problem.lang }, problem.message);
}

function faults(problem) {
    if (problem.faults.length === 0) return null;
    const rows = problem.faults.map((fault) =>
        el(
            "li",
            {},
            t("fault", fault.line, fault.column),
            " ",
            el("span", { lang: fault.lang }, fault.what),
        ),
    );
    return el("ul", { class: "faults" }, rows);
}

/** The same with lines and columns of a file. Whether an act was done, whoever sent it says. */
export function explain(problem) {
    return el(
        "div",
        { class: "problem" },
        el("p", { "data-tell": true }, el("strong", {}, sentenceOf(problem))),
        detailOf(problem),
        faults(problem),
        problem.requestId && el("p", { class: "soft" }, t("request-id", problem.requestId)),
    );
}
