// Lists that the service writes as CSV, saved as files of this browser.
import { ask, Problem } from "../base/client.js";
import { language, t } from "../base/locale.js";
import { download } from "./facts.js";
import { explain } from "./problem.js";
import { say } from "./said.js";

/** Saves what `request` brings, and says so, or what is in the way. */
export async function save(name, request) {
    try {
        download(name, (await request()).body);
        say(t("saved"));
    } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        say(explain(problem).textContent);
    }
}

/** Saves the list of an address, for the spreadsheet of the page's language. */
export function saveList(name, address) {
    const query = `${address.includes("?") ? "&" : "?"}excel=${language}`;
    return save(name, () => ask("GET", address + query, { accept: "text/csv", long: true }));
}
