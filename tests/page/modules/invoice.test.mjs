import assert from "node:assert/strict";
import { test } from "node:test";
import { pretend } from "./browser.mjs";

pretend();
globalThis.document = { addEventListener() {} };
const { verdict } = await import("./page/views/invoice.js");

test("an invoice agrees only if a line has a number", () => {
    for (const [lines, findings, text] of [
        ["2", "0", "Everything agrees"],
        ["0", "0", "No line has a number. You can name the column of the numbers above."],
        ["0", "1", "1 finding"],
        ["2", "3", "3 findings"],
    ])
        assert.equal(verdict({ lines, findings }), text);
});
