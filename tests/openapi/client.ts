// Issues, is refused, draws labels, as the OpenAPI document types it. It is compiled, not run.
import createClient from "openapi-fetch";
import type { components, paths } from "./interface.js";

type IssueRequest = components["schemas"]["IssueRequest"];

const client = createClient<paths>({ baseUrl: process.env.GAPLESS_URL });
const params = { path: { series: "dhl-paket" }, header: { "Idempotency-Key": "order-4711/1" } };
const body: IssueRequest = { count: 3, reference: "order-4711" };

const issued = await client.POST("/v1/series/{series}/numbers", { params, body });
if (issued.error) {
    const executed: "no" | "unknown" = issued.error.executed;
    throw new Error(`${issued.error.type}, executed: ${executed}`);
}
if (typeof issued.data === "string") throw new Error("text/csv was not asked for");
const numbers: string[] = issued.data.numbers ?? [];

const labels = await client.GET("/v1/issuances/{id}/labels.zpl", {
    params: { path: { id: issued.data.id } },
    parseAs: "text",
});
console.log(numbers, labels.data?.length);

// What the document does not allow is an error of the compiler, too.
// @ts-expect-error: the count is a number
export const wrong: IssueRequest = { count: "3" };
