// A refusal in the reader's words, with what the service says of it.
import { el } from "../base/element.js";
import { language, t, tIfAny } from "../base/locale.js";

/** What the service calls a problem, in one sentence. */
export function sentenceOf(problem) {
    if (problem.status === 0) return t("problem.no-answer");
    return tIfAny(`problem.${problem.type}`) ?? (problem.title || t("problem.other"));
}

/** The service's own words, which are English; null: none, or they say the same. */
export function detailOf(problem) {
    if (!problem.message || problem.message === problem.title) return null;
    const lang = language === "en" ? null : "en";
    return el("p", { class: "detail", lang }, problem.message);
}

function faults(problem) {
    if (problem.faults.length === 0) return null;
    const rows = problem.faults.map((fault) =>
        el(
            "li",
            {},
            t("fault", fault.line, fault.column),
            " ",
            el("span", { lang: language === "en" ? null : "en" }, fault.what),
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
