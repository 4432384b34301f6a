// Lists that the service writes as CSV, saved as files of this browser.
import { ask } from "../base/client.js";
import { language, t } from "../base/locale.js";
import { download } from "./facts.js";
import { orSay, say } from "./said.js";

/** Saves what `request` brings, and says so, or what is in the way. */
export function save(name, request) {
    return orSay(async () => {
        download(name, (await request()).body);
        say(t("saved"));
    });
}

/** Saves the list of an address, for the spreadsheet of the page's language. */
export function saveList(name, address) {
    const query = `${address.includes("?") ? "&" : "?"}excel=${language}`;
    return save(name, () => ask("GET", address + query, { accept: "text/csv", long: true }));
}
