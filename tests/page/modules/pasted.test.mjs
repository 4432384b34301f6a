import assert from "node:assert/strict";
import { test } from "node:test";
import { hasSeveralNumbers, twoNumbers } from "./page/base/pasted.js";

test("what has more than one number goes to the service as it is", () => {
    for (const text of [
        "4901214213605250000 bis 4901214213605500000",
        "4901214213605250000 4901214213605500000",
        "4901214213605250000-4901214213605500000",
        "4901 2142 1360 5250 000 – 4901 2142 1360 5500 000",
        "(00) 3 4012345 000000002 4 to (00) 3 4012345 000000009 3",
        "Start: 1012345\nEnde: 1012999",
        "4901214213605250000\t4901214213605500000\t250001\tBrief vom 1.12.",
    ])
        assert.equal(hasSeveralNumbers(text), true, text);
});

test("one number, or words, are pasted as they are", () => {
    for (const text of [
        "4901214213605250000",
        "4901 2142 1360 5250 000",
        "(00) 3 4012345 000000002 4",
        "RB 123 456 785 DE",
        "4901214213605250000\r\n", // a cell of Excel
        "TBA123456789012",
        "JJD0001234567890123",
        "letter of 2026-12-01",
        "12 to 34",
        "",
    ])
        assert.equal(hasSeveralNumbers(text), false, text);
});

test("what is two numbers and nothing else is a first and a last one", () => {
    const [first, last] = ["4901214213605250000", "4901214213605500000"];
    for (const [text, ...wanted] of [
        [`${first} bis ${last}`, first, last],
        [`${first} ${last}\n`, first, last],
        [`${first}-${last}`, first, last],
        [`${first}\t${last}\r\n`, first, last],
        ["4901 2142 – 4901 2149", "4901 2142", "4901 2149"],
        ["RB 123 456 785 DE to RB 123 456 799 DE", "RB 123 456 785 DE", "RB 123 456 799 DE"],
        ["TBA123456789012 to TBA123456789099", "TBA123456789012", "TBA123456789099"],
    ])
        assert.deepEqual(twoNumbers(text), wanted, text);
    for (const text of [
        first,
        "4901 2142 1360 5250 000",
        "Start: 1012345\nEnde: 1012999",
        `${first}\t${last}\t250001`,
        `${first};250001`,
        "",
    ])
        assert.equal(twoNumbers(text), null, text);
});
