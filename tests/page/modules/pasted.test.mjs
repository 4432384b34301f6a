import assert from "node:assert/strict";
import { test } from "node:test";
import { readPasted, toTable } from "./page/base/pasted.js";

const both = { first: "4901214213605250000", last: "4901214213605500000" };

test("two numbers of a letter are the ends of a block", () => {
    for (const text of [
        "4901214213605250000 bis 4901214213605500000",
        "4901214213605250000 to 4901214213605500000",
        "4901214213605250000 4901214213605500000",
        "4901214213605250000-4901214213605500000",
        "4901214213605250000 – 4901214213605500000\n",
        "4901 2142 1360 5250 000 – 4901 2142 1360 5500 000",
        "4901214213605250000\n4901214213605500000",
        "4901214213605250000\t4901214213605500000",
    ])
        assert.deepEqual(readPasted(text), both, text);
    assert.deepEqual(readPasted("(00) 3 4012345 000000002 4 to (00) 3 4012345 000000009 3"),
        { first: "(00)340123450000000024", last: "(00)340123450000000093" });
    assert.deepEqual(readPasted("1012345.0 bis 5.000.000."),
        { first: "1012345.0", last: "5.000.000" });
});

test("one number, or words, are pasted as they are", () => {
    for (const text of ["4901214213605250000", "letter of 2026-12-01", "", "12 34", "12 to 34"])
        assert.equal(readPasted(text), null, text);
});

test("rows are a table, which gets names of columns where it has none", () => {
    const rows = "4901214213605250000;4901214213605500000;250.001\n1;2;3";
    assert.deepEqual(readPasted(rows), { table: rows });
    assert.equal(toTable(rows), `first;last;count\n${rows}\n`);
    assert.equal(toTable("1\t2\n3\t4"), "first\tlast\n1\t2\n3\t4\n");
    assert.equal(toTable("Erste;Letzte\n1;2"), "Erste;Letzte\n1;2\n");
});
