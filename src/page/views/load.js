// Loading a block from the carrier's letter, or a table of blocks: first a preview, then the load.
import { ask, get, getAll, path, Problem } from "../base/client.js";
import { asItIs, takeDropped, takeDrops } from "../base/drop.js";
import { el } from "../base/element.js";
import { forgetGlances } from "../base/glance.js";
import { known, readOne, readSeries, seriesOf } from "../base/known.js";
import { count, list, t } from "../base/locale.js";
import { hasSeveralNumbers, twoNumbers } from "../base/pasted.js";
import { isAlive } from "../parts/blocks.js";
import { freeze, trimLines, valuesOf } from "../parts/fields.js";
import { loadForm, whichSeries } from "../parts/load_form.js";
import { blocksOf, preview, totalOf, warningBoxes } from "../parts/preview.js";
import { explain } from "../parts/problem.js";
import { say } from "../parts/said.js";
import { Sending } from "../parts/sending.js";

const tableBytesMax = 1048576;
const guessedMax = 30; // series that are asked whether numbers are theirs
const alikeMin = 4; // characters that numbers of a series begin with, at least
const ofOneBlock = ["count", "reference", "valid_until", "issued_until"]; // a table has its own

const given = (values) =>
    Object.fromEntries(
        ["first", "last", ...ofOneBlock]
            .filter((name) => values[name] !== "")
            .map((name) => [name, values[name]]),
    );

// Counts are written in groups in letters.
const plainCount = (text) => text.replace(/[\s.,'’]/g, "");

const urlOf = (series) => path`/v1/series/${series}/blocks`;

/** Whether a number begins like those of a block: with their first half. */
function isAlike(number, block) {
    const same = Math.max(alikeMin, Math.floor(number.length / 2));
    return number.length === block.first.length && block.first.startsWith(number.slice(0, same));
}

const isForeign = (told) => told.warnings.some(({ code }) => code === "other-series");

// The dry run of a load into a series -> {told}, {overlap} or null: it is none of its numbers.
async function rehearse(series, sent) {
    try {
        return { told: (await ask("POST", `${urlOf(series)}?dry_run=true`, sent)).body };
    } catch (problem) {
        if (problem.type === "block-overlap") return { overlap: problem };
        if (problem.status === 422) return null;
        throw problem;
    }
}

/**
 * Which series the numbers are of: {series, why}, where only one fits: by the beginning of its
 * blocks, or because no other one's format takes them. Else {among}: those that take them; null:
 * there are too many to ask. Throws the Problem of numbers that are loaded already.
 */
async function guess(sent) {
    if (known.series.length > guessedMax) return { among: null };
    const fit = [];
    let overlap = null;
    for (const { name } of known.series) {
        const found = await rehearse(name, sent);
        if (found?.told) fit.push({ series: name, told: found.told });
        overlap ??= found?.overlap ?? null;
    }
    const among = fit.filter(({ told }) => !isForeign(told)).map(({ series }) => series);
    if (overlap && among.length === 0) throw overlap;
    if (overlap) return { among };
    const alike = [];
    for (const each of fit) {
        const { first } = blocksOf(each.told)[0];
        const loaded = await getAll(urlOf(each.series));
        if (loaded.some((block) => block.state !== "withdrawn" && isAlike(first, block)))
            alike.push(each);
    }
    const [one, why] = alike.length > 0 ? [alike, "alike"] : [fit, "format"];
    if (one.length === 1 && !isForeign(one[0].told)) return { series: one[0].series, why };
    return { among: fit.map(({ series }) => series) };
}

/** The state of the form: what was previewed, and what is sent. */
class Load {
    constructor(form) {
        this.form = form;
        [this.button, this.change] = form.querySelectorAll("p.acts button");
        this.outcome = form.querySelector(".outcome");
        this.place = form.querySelector(".shown-before");
        this.told = null; // the dry run; null: nothing was previewed yet
        this.guessed = null; // why this series, if nobody chose it
        this.who = known.session.name;
        this.sending = null;
        this.thaw = () => {}; // the fields, which stay as they are from the dry run on
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.press();
        });
        form.addEventListener("paste", (event) => this.paste(event));
        form.addEventListener("change", (event) => {
            if (event.target.name === "mode") this.showMode();
            if (event.target.name === "series") this.guessed = null;
        });
        // What was given last counts.
        form.addEventListener("input", ({ target }) => {
            if (target.name === "rows") form.elements.file.value = "";
        });
        this.change.addEventListener("click", () =>
            history.state?.preview ? history.back() : this.back(),
        );
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
        const text = event.clipboardData.getData("text");
        if (!["first", "last"].includes(event.target.name) || !hasSeveralNumbers(text)) return;
        event.preventDefault();
        this.outcome.replaceChildren();
        const numbers = twoNumbers(text);
        if (numbers) {
            [this.form.elements.first.value, this.form.elements.last.value] = numbers;
            return this.form.elements.last.focus();
        }
        const values = valuesOf(this.form);
        if (ofOneBlock.some((name) => values[name]))
            return this.refuse(event.target.name, t("load.not-pasted"));
        this.setMode("table");
        this.form.elements.rows.value = trimLines(text);
        this.form.elements.file.value = "";
        this.form.elements.rows.focus();
        return say(t("load.pasted"));
    }

    takeFile(file) {
        if (this.looking || this.sending?.busy) return say(t("sending"));
        if (this.told) this.back();
        this.setMode("table");
        const chosen = new DataTransfer();
        chosen.items.add(file);
        this.form.elements.file.files = chosen.files;
        this.form.elements.rows.value = "";
        say(t("load.dropped", file.name));
        return this.press();
    }

    /** {body, type}, or null after saying what is missing. */
    async request() {
        const values = valuesOf(this.form);
        if (this.form.elements.mode.value === "table") {
            const body = values.file ?? (values.rows.trim() ? `${values.rows}\n` : null);
            if (!body) return this.refuse("rows", t("load.no-rows"));
            if ((body.size ?? body.length) > tableBytesMax)
                return this.refuse("file", t("problem.too-large"));
            const read = values.file ? await asItIs(this.form.elements.file) : body;
            return read ? { body: read, type: "text/csv" } : this.refuse("file", t("file-changed"));
        }
        for (const name of ["first", "last"])
            if (!values[name]) return this.refuse(name, t("load.no-number"));
        const body = given(values);
        if (body.count) body.count = plainCount(body.count);
        return { body };
    }

    /** The series that there are now, for a form that was made before. */
    renewSeries(series) {
        const { value } = this.form.elements.series;
        this.form.querySelector(".field").replaceWith(whichSeries(series));
        this.form.elements.series.value = value;
    }

    refuse(name, why) {
        this.thaw();
        this.outcome.replaceChildren(el("p", {}, why));
        this.form.elements[name].focus();
        return null;
    }

    press() {
        if (this.sending?.busy || this.looking) return null;
        return this.told ? this.load() : this.look();
    }

    async look() {
        this.looking = true;
        try {
            const sent = await this.request();
            if (!sent) return;
            this.thaw = freeze(this.form, ":scope > .field, .modes, [data-mode]");
            this.outcome.replaceChildren(el("p", {}, t("reading")));
            const chosen = this.form.elements.series.value || (await this.guess(sent));
            if (!chosen) return;
            const { body } = await ask("POST", `${urlOf(chosen)}?dry_run=true`, sent);
            const series = await get(path`/v1/series/${chosen}`);
            const blocks = await getAll(urlOf(chosen));
            const before = blocks.cut ? undefined : blocks.filter(isAlive).at(-1) ?? null;
            this.outcome.replaceChildren();
            this.show(sent, body, { series, before, guessed: this.guessed });
        } catch (problem) {
            if (!(problem instanceof Problem)) throw problem;
            this.outcome.replaceChildren(explain(problem));
        } finally {
            this.looking = false;
            if (!this.told) this.thaw();
        }
    }

    // -> a series; null: somebody has to choose, and knows why.
    async guess(sent) {
        const { series, why: guessed, among } = await guess(sent);
        if (series) {
            this.form.elements.series.value = series;
            this.guessed = guessed;
            return series;
        }
        if (among === null) return this.refuse("series", t("load.choose"));
        const why = among.length > 0 ? t("load.of-several", list(among)) : t("load.of-none");
        return this.refuse("series", why);
    }

    show(wanted, told, about) {
        if (!this.form.isConnected) return; // its view was left meanwhile
        Object.assign(this, { wanted, told, series: about.series.name });
        if (!history.state?.preview) history.pushState({ preview: true }, "");
        this.form.classList.add("previewed");
        this.place.replaceChildren(preview(told, about));
        const text = t("load.do", t("numbers", count(totalOf(blocksOf(told)))), this.series);
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
        if (this.guessed) this.form.elements.series.value = "";
        this.guessed = null;
        this.sending?.lock(false);
        this.sending = null;
        this.thaw();
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
        const { body, type } = this.wanted;
        const query = type && codes.length ? `?confirm_warnings=${codes.join(",")}` : "";
        const sent = type || codes.length === 0 ? body : { ...body, confirm_warnings: codes };
        if (!this.sending.act.unknown)
            this.sending.request = {
                method: "POST",
                path: urlOf(this.series) + query,
                body: sent,
                type,
            };
        const answer = await this.sending.send(this.sending.request, ({ warnings }) => {
            // What came up since the preview has its box, too.
            if (warnings.length > 0) this.place.querySelector(".warnings")?.remove();
            this.place.append(warningBoxes(warnings, codes) ?? "");
        });
        if (answer) this.done(answer);
    }

    done({ status, body }) {
        forgetGlances();
        forms.delete(this.form.dataset.key);
        const numbers = t("numbers", count(totalOf(blocksOf(this.told))));
        if (status === 202) say(t("load.proposed", body.id, numbers, this.series));
        else say(t("load.done", numbers, this.series));
        // Who has gone to another view meanwhile stays there.
        if (!this.form.isConnected) return;
        location.replace(status === 202 ? "#/proposals" : `#/series/${path`${this.series}`}`);
    }
}

const forms = new Map(); // what was typed stays, also when its view was left: a Load by its key
let load = null; // the one that is shown

// Back from a preview leads to the form.
globalThis.addEventListener?.("popstate", () => {
    if (load?.told && !history.state?.preview) load.back();
});

/** The form of a series, or of any: as it was left by the same person. */
function formOf(series) {
    const key = `load-${series ?? ""}`;
    const kept = forms.get(key);
    if (kept?.who !== known.session.name && !kept?.form.isConnected) return loadForm(series, key);
    // What is shown stays as it is.
    return kept.form.isConnected ? el("form", { "data-stays": true, "data-key": key }) : kept.form;
}

export const block = {
    title: ({ series }) => (series ? t("load.title", series) : t("load.block")),
    seconds: 0,
    async read({ series }) {
        await readSeries();
        if (series && !seriesOf(series)) await readOne(series);
        return known.series;
    },
    show: ({ series }, all) =>
        all.length === 0
            ? el("p", {}, t("summary.none"))
            : [el("p", { class: "soft" }, t("load.why")), formOf(series)],
    shown(all, { series }) {
        const form = document.querySelector("form.load");
        if (!form || load?.form === form) return;
        load = forms.get(form.dataset.key);
        if (load?.form !== form) load = new Load(form);
        forms.set(form.dataset.key, load);
        // What was looked at long ago is looked at again; what has no answer is repeated.
        if (load.told && !history.state?.preview && !load.sending.act.unknown) load.back();
        if (!load.told && !load.looking) load.renewSeries(series);
        takeDrops((file) => load.takeFile(file));
        const dropped = takeDropped();
        if (dropped) load.takeFile(dropped);
    },
    left() {
        load = null;
        takeDrops(null);
    },
};
