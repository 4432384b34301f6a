// What is said once: shown for some seconds, and read out by screen readers.
import { Problem } from "../base/client.js";
import { el } from "../base/element.js";
import { explain } from "./problem.js";

const seconds = 12;
const timers = {};

// It may cover a button: whoever presses anything has seen it.
document.addEventListener("pointerdown", () => ["me", "others"].forEach((by) => say("", by)));

/**
 * Says what happened; an empty text says nothing. `by`: "me", the outcome of what this person did,
 * or "others", what came meanwhile: neither takes the place of the other.
 */
export function say(text, by = "me") {
    const place = document.getElementById("said");
    clearTimeout(timers[by]);
    place.querySelector(`[data-by="${by}"]`)?.remove();
    if (text) {
        // Whoever goes on has seen it.
        if (by === "me") addEventListener("pointerdown", () => say(""), { once: true });
        place.append(el("p", { "data-by": by }, text));
        timers[by] = setTimeout(() => say("", by), seconds * 1000);
    }
    place.classList.toggle("shown", place.childElementCount > 0);
}

/** Does what somebody asked for, and says what is in the way. */
export async function orSay(act) {
    try {
        return await act();
    } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        return say(explain(problem).textContent);
    }
}
