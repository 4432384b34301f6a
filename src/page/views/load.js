// Loading a block from the carrier's letter, or a table of blocks: first a preview, then the load.
import { ask, Problem } from "../base/client.js";
import { takeDropped, takeDrops } from "../base/drop.js";
import { el } from "../base/element.js";
import { forgetGlances } from "../base/glance.js";
import { known, readSeries } from "../base/known.js";
import { count, t } from "../base/locale.js";
import { readPasted, toTable } from "../base/pasted.js";
import { valuesOf } from "../parts/fields.js";
import { loadForm } from "../parts/load_form.js";
import { blocksOf, preview, totalOf } from "../parts/preview.js";
import { explain } from "../parts/problem.js";
import { say } from "../parts/said.js";
import { Sending } from "../parts/sending.js";

const tableBytesMax = 1048576;

const given = (values) =>
    Object.fromEntries(
        ["first", "last", "count", "reference", "valid_until", "issued_until"]
            .filter((name) => values[name] !== "")
            .map((name) => [name, values[name]]),
    );

// Counts are written in groups in letters.
const plainCount = (text) => text.replace(/[\s.,'’]/g, "");

/** The state of the form: what was previewed, and what is sent. */
class Load {
    constructor(form) {
        this.form = form;
        [this.button, this.change] = form.querySelectorAll("p.acts button");
        this.outcome = form.querySelector(".outcome");
        this.place = form.querySelector(".shown-before");
        this.told = null; // the dry run; null: nothing was previewed yet
        this.sending = null;
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.press();
        });
        form.addEventListener("paste", (event) => this.paste(event));
        form.addEventListener("change", (event) => {
            if (event.target.name === "mode") this.showMode();
        });
        this.change.addEventListener("click", () => this.back());
    }

    showMode() {
        const mode = this.form.elements.mode.value;
        for (const part of this.form.querySelectorAll("[data-mode]"))
            part.hidden = part.dataset.mode !== mode;
    }

    setMode(mode) {
        this.form.elements.mode.value = mode;
        this.showMode();
    }

    paste(event) {
        const { name } = event.target;
        const pasted = readPasted(event.clipboardData.getData("text"));
        if (!pasted || !["first", "last"].includes(name)) return;
        event.preventDefault();
        if (pasted.table) {
            this.setMode("table");
            this.form.elements.rows.value = pasted.table;
            this.form.elements.rows.focus();
        } else {
            this.form.elements.first.value = pasted.first;
            this.form.elements.last.value = pasted.last;
            this.form.elements.count.focus();
        }
        say(t("load.pasted"));
    }

    takeFile(file) {
        if (this.told) this.back();
        this.setMode("table");
        const chosen = new DataTransfer();
        chosen.items.add(file);
        this.form.elements.file.files = chosen.files;
        this.form.elements.rows.value = "";
        say(t("load.dropped", file.name));
        this.press();
    }

    /** {path, body, type}, or null after saying what is missing. */
    request() {
        const values = valuesOf(this.form);
        const address = `/v1/series/${encodeURIComponent(values.series)}/blocks`;
        if (this.form.elements.mode.value === "table") {
            const body = values.file ?? (values.rows ? toTable(values.rows) : null);
            if (!body) return this.refuse("rows", t("load.no-rows"));
            if ((body.size ?? body.length) > tableBytesMax)
                return this.refuse("file", t("problem.too-large"));
            return { address, body, type: "text/csv" };
        }
        for (const name of ["first", "last"])
            if (!values[name]) return this.refuse(name, t("load.no-number"));
        const body = given(values);
        if (body.count) body.count = plainCount(body.count);
        return { address, body };
    }

    refuse(name, why) {
        this.outcome.replaceChildren(el("p", {}, why));
        this.form.elements[name].focus();
        return null;
    }

    press() {
        if (this.sending?.busy || this.looking) return null;
        return this.told ? this.load() : this.look();
    }

    async look() {
        const wanted = this.request();
        if (!wanted) return;
        this.outcome.replaceChildren(el("p", {}, t("reading")));
        this.looking = true;
        try {
            const { address, ...sent } = wanted;
            const { body } = await ask("POST", `${address}?dry_run=true`, sent);
            this.outcome.replaceChildren();
            this.show(wanted, body);
        } catch (problem) {
            if (!(problem instanceof Problem)) throw problem;
            this.outcome.replaceChildren(explain(problem));
        } finally {
            this.looking = false;
        }
    }

    show(wanted, told) {
        Object.assign(this, { wanted, told });
        for (const part of this.form.querySelectorAll(":scope > .field, .modes, [data-mode]"))
            part.inert = true;
        this.form.classList.add("previewed");
        this.place.replaceChildren(preview(told));
        const text = t("load.do", count(totalOf(blocksOf(told))));
        this.button.textContent = text;
        this.change.hidden = false;
        this.sending = new Sending({
            name: text,
            form: this.form,
            button: this.button,
            place: this.outcome,
        });
        this.place.querySelector("h2").focus();
    }

    /** Back to the fields. */
    back() {
        if (this.sending?.busy) return;
        this.told = null;
        this.sending?.lock(false);
        this.sending = null;
        for (const part of this.form.querySelectorAll("[inert]")) part.inert = false;
        this.form.classList.remove("previewed");
        this.place.replaceChildren();
        this.outcome.replaceChildren();
        this.button.textContent = t("load.preview");
        this.change.hidden = true;
        this.form.querySelector("[data-mode]:not([hidden]) :is(input, textarea)").focus();
    }

    confirmed() {
        const boxes = [...this.place.querySelectorAll("[name=confirm_warnings]")];
        return {
            all: boxes.every((box) => box.checked),
            codes: boxes.filter((box) => box.checked).map((box) => box.value),
        };
    }

    async load() {
        const { all, codes } = this.confirmed();
        if (!all && !this.sending.act.unknown) {
            this.outcome.replaceChildren(el("p", {}, t("load.not-confirmed")));
            this.place.querySelector("[name=confirm_warnings]:not(:checked)").focus();
            return;
        }
        const { address, body, type } = this.wanted;
        const query = type && codes.length ? `?confirm_warnings=${codes.join(",")}` : "";
        const sent = type || codes.length === 0 ? body : { ...body, confirm_warnings: codes };
        if (!this.sending.act.unknown)
            this.sending.request = { method: "POST", path: address + query, body: sent, type };
        const answer = await this.sending.send(this.sending.request);
        if (answer) this.done(answer);
    }

    done({ status, body }) {
        forgetGlances();
        const { series } = this.told.items?.[0] ?? this.told;
        if (status === 202) {
            location.hash = "#/proposals";
            say(t("load.proposed", body.id));
            return;
        }
        location.hash = `#/series/${encodeURIComponent(series)}`;
        say(t("load.done", count(totalOf(blocksOf(body))), series));
    }
}

let load = null;

export const block = {
    title: ({ series }) => (series ? t("load.title", series) : t("load.block")),
    seconds: 0,
    async read() {
        if (known.series.length === 0) await readSeries();
        return known.series;
    },
    show: ({ series }, all) =>
        all.length === 0
            ? el("p", {}, t("summary.none"))
            : [el("p", { class: "soft" }, t("load.why")), loadForm(series)],
    shown() {
        const form = document.querySelector("form.load");
        if (!form || load?.form === form) return;
        load = new Load(form);
        takeDrops((file) => load.takeFile(file));
        const dropped = takeDropped();
        if (dropped) load.takeFile(dropped);
    },
    left() {
        load = null;
        takeDrops(null);
    },
};
