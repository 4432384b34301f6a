import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

test("no module imports another one twice", () => {
    for (const folder of ["base", "parts", "texts", "views"])
        for (const file of readdirSync(`page/${folder}`)) {
            const source = readFileSync(`page/${folder}/${file}`, "utf8");
            const found = [...source.matchAll(/^(?:import|\}) .*"(.+)";$/gm)];
            const paths = found.map(([, path]) => path);
            assert.deepEqual(paths, [...new Set(paths)], file);
        }
});
