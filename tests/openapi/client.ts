// Uses the interface as its OpenAPI document types it: issues, repeats, is refused, draws labels.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import type { components, paths } from "./interface.js";

const client = createClient<paths>({
    baseUrl: process.env.GAPLESS_URL,
    headers: { Authorization: `Bearer ${process.env.GAPLESS_TOKEN}` },
});
const params = { path: { series: "dhl-paket" }, header: { "Idempotency-Key": randomUUID() } };
const body: components["schemas"]["IssueRequest"] = { count: 3, reference: "order-4711" };

const issued = await client.POST("/v1/series/{series}/numbers", { params, body });
assert.equal(issued.response.status, 201);
assert.ok(typeof issued.data === "object"); // text/csv would be a string
const numbers: string[] = issued.data.numbers ?? [];
assert.equal(numbers.length, 3);

const repeated = await client.POST("/v1/series/{series}/numbers", { params, body });
assert.deepEqual(repeated.data, issued.data);
assert.equal(repeated.response.headers.get("Idempotency-Replayed"), "true");

const refused = await client.POST("/v1/series/{series}/numbers", { params, body: { count: 4 } });
assert.equal(refused.response.status, 422);
assert.ok(refused.error);
const executed: "no" | "unknown" = refused.error.executed;
assert.equal(executed, "no");
assert.equal(refused.error.type, "/problems/idempotency-key-reused");

const labels = await client.GET("/v1/issuances/{id}/labels.zpl", {
    params: { path: { id: issued.data.id } },
    parseAs: "text",
});
assert.equal(labels.data?.match(/\^XA.*\^XZ\n/g)?.length, 3);

// What the document does not allow is an error of the compiler, too.
// @ts-expect-error: the count is a number
const wrong: components["schemas"]["IssueRequest"] = { count: "3" };
const answer = await client.POST("/v1/series/{series}/numbers", {
    params: { ...params, header: { "Idempotency-Key": randomUUID() } },
    body: wrong,
});
assert.equal(answer.response.status, 400);
console.log("the client made from the document works");
