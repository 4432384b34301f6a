// Fields of forms, each with its label, and what they hold.
import { el, newName } from "../base/element.js";

function control(field, id) {
    const shared = {
        id,
        name: field.name,
        required: field.required ?? false,
        "aria-describedby": field.hint ? `${id}-hint` : null,
    };
    if (field.kind === "select")
        return el(
            "select",
            shared,
            field.options.map(([value, text]) =>
                el("option", { value, selected: value === field.value }, text),
            ),
        );
    if (field.kind === "lines")
        return el(
            "textarea",
            { ...shared, rows: field.rows ?? 4, spellcheck: "false" },
            field.value ?? "",
        );
    if (field.kind === "check")
        return el("input", { ...shared, type: "checkbox", checked: field.value ?? false });
    return el("input", {
        ...shared,
        type: field.kind ?? "text",
        value: field.value ?? "",
        maxlength: field.most ?? null,
        min: field.min ?? null,
        max: field.max ?? null,
        accept: field.accept ?? null,
        autocomplete: "off",
        spellcheck: "false",
        inputmode: field.digits ? "numeric" : null,
    });
}

/** A field with its label: {name, label, kind, value, required, hint, options, most, min, max}. */
export function field(given) {
    const id = newName(given.name);
    const input = control(given, id);
    const label = el("label", { for: id }, given.label);
    const hint = given.hint && el("span", { class: "hint", id: `${id}-hint` }, given.hint);
    return el(
        "div",
        { class: given.kind === "check" ? "field check" : "field" },
        given.kind === "check" ? [input, label] : [label, input],
        hint,
    );
}

/** Several that belong together, of which any may be ticked: {name, label, options}. */
export function choices(given) {
    return el(
        "fieldset",
        { class: "field" },
        el("legend", {}, given.label),
        given.options.map(([value, text, ticked]) => {
            const id = newName(given.name);
            return el(
                "div",
                { class: "check" },
                el("input", { type: "checkbox", id, name: given.name, value, checked: ticked }),
                el("label", { for: id }, text),
            );
        }),
    );
}

/**
 * Makes these parts of a form inert while a request is under way that was made of them; who was in
 * one waits at the button. -> a function that lets them go
 */
export function freeze(form, parts) {
    const focused = document.activeElement;
    const button = form.querySelector("button.main");
    const frozen = [...form.querySelectorAll(parts)];
    for (const part of frozen) part.inert = true;
    if (focused?.closest("[inert]")) button.focus();
    return () => {
        for (const part of frozen) part.inert = false;
        if (document.activeElement === button) focused.focus();
    };
}

/** Without empty lines around; blanks and tabs may be empty cells. */
export function trimLines(text) {
    return text.replace(/^[\r\n]+|[\r\n]+$/g, "");
}

/** What a form holds: texts without blanks around; ticked choices are a list, files a file. */
export function valuesOf(form) {
    const values = {};
    for (const input of form.elements) {
        if (!input.name) continue;
        const group = form.querySelectorAll(`[type=checkbox][name="${input.name}"]`);
        if (group.length > 1 || input.closest("fieldset.field"))
            values[input.name] = [...group]
                .filter((each) => each.checked)
                .map((each) => each.value);
        else if (input.type === "checkbox") values[input.name] = input.checked;
        else if (input.type === "file") values[input.name] = input.files[0] ?? null;
        else if (input.type === "textarea") values[input.name] = trimLines(input.value);
        else values[input.name] = input.value.trim();
    }
    return values;
}

/** What was ticked of choices, or written with blanks between; nothing: null, which means all. */
export function chosen(values) {
    const all = typeof values === "string" ? values.split(/[\s,]+/).filter(Boolean) : values;
    return all?.length ? all : null;
}
