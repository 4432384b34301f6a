import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { english } from "./page/texts/english.js";
import { german } from "./page/texts/german.js";

/** What a text takes: nothing, so many values, or how many of something and so many values. */
function shapeOf(text) {
    if (typeof text === "string") return "text";
    if (typeof text === "function") return `text of ${text.length}`;
    return `one: ${shapeOf(text.one)}, many: ${shapeOf(text.many)}`;
}

const sources = ["base", "parts", "views"].flatMap((folder) =>
    readdirSync(`page/${folder}`).map((file) => readFileSync(`page/${folder}/${file}`, "utf8")));

/** Names of texts in the sources; "*" stands for what is known only when the page runs. */
function namesUsed() {
    const names = new Set();
    for (const source of sources) {
        for (const [, name] of source.matchAll(/\bt(?:IfAny)?\(\s*"([^"]+)"/g)) names.add(name);
        for (const [, name] of source.matchAll(/\bt(?:IfAny)?\(\s*`([^`]+)`/g))
            names.add(name.replaceAll(/\$\{[^}]+\}/g, "*"));
        for (const [, one, two] of source.matchAll(/\bt\(\s*\w+ \? "([^"]+)" : "([^"]+)"/g))
            names.add(one).add(two);
        for (const [, name] of source.matchAll(/, "(way\.[a-z]+)"\]/g)) names.add(name);
    }
    return names;
}

const pattern = (name) =>
    new RegExp(`^${name.split("*").map((part) => part.replaceAll(".", "\\.")).join(".+")}$`);

test("both languages have the same texts, which take the same", () => {
    assert.deepEqual(Object.keys(german).sort(), Object.keys(english).sort());
    for (const [name, text] of Object.entries(english))
        assert.equal(shapeOf(german[name]).replaceAll(/\d/g, ""),
            shapeOf(text).replaceAll(/\d/g, ""), name);
});

test("every text that the page names is there, and every one is used", () => {
    const used = [...namesUsed()];
    assert.ok(used.length > 200);
    for (const name of used.filter((each) => !each.includes("*")))
        assert.ok(name in english, `${name} is no text`);
    const patterns = used.map(pattern);
    for (const name of Object.keys(english))
        assert.ok(patterns.some((each) => each.test(name)), `${name} is used nowhere`);
});

test("no text is the same in both languages by mistake", () => {
    // Names, and words that are German by now.
    const allowed =
        new Set(["Webhooks", "Webhook", "Tokens", "Token", "URL", "Block", "Name", "Reserve"]);
    for (const [name, text] of Object.entries(english))
        if (typeof text === "string" && text !== "" && !allowed.has(text))
            assert.notEqual(german[name], text, name);
});
