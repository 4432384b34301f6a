// A form that does something: it is sent once however often it is pressed, says what it waits for,
// and can be repeated while its answer is not known.
import { Act } from "../base/acts.js";
import { el } from "../base/element.js";
import { t } from "../base/locale.js";
import { showOpenActs } from "./open_acts.js";
import { explain, sentenceOf } from "./problem.js";
import { say } from "./said.js";

/** Ties a form to an act. `button`: the one that sends; `place`: where outcomes are shown. */
export class Sending {
    constructor({ name, form, button, place }) {
        this.act = new Act(name);
        this.form = form;
        this.button = button;
        this.place = place;
        this.label = button.textContent;
    }

    get busy() {
        return this.act.running !== null;
    }

    // Fields of a request whose answer is not known stay as they are: it is repeated, or given up.
    lock(locked) {
        const focused = document.activeElement;
        for (const input of this.form.elements)
            if (input.type !== "submit" && input.type !== "button") input.disabled = locked;
        if (locked && this.form.contains(focused) && focused.disabled) this.button.focus();
    }

    tell(...nodes) {
        this.place.replaceChildren(...nodes.filter(Boolean));
    }

    /** -> the answer; null: it was refused, and the reader knows why. `refused` may handle it. */
    async send(request, refused = () => false) {
        if (this.busy) return null;
        this.button.setAttribute("aria-disabled", "true");
        this.button.textContent = t("sending");
        this.tell();
        this.lock(true);
        try {
            const answer = await this.act.send(request, () =>
                this.tell(el("p", {}, t("repeating"))),
            );
            this.lock(false);
            this.button.textContent = this.label;
            return answer;
        } catch (problem) {
            const unknown = problem.executed === "unknown";
            this.lock(unknown);
            this.button.textContent = unknown ? t("repeat") : this.label;
            const safe = unknown && problem.type !== "begun-by-another";
            if (unknown) this.tell(explain(problem), safe && el("p", {}, t("repeat-safely")));
            else if (!refused(problem))
                this.tell(explain(problem), problem.status >= 500 && el("p", {}, t("not-done")));
            // Whoever has gone to another view meanwhile is told there.
            if (!this.place.isConnected) say(`${this.act.name}: ${sentenceOf(problem)}`);
            return null;
        } finally {
            this.button.removeAttribute("aria-disabled");
            showOpenActs();
        }
    }
}
