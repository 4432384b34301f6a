// Which view an address shows, and who may see it.
import { may, seesAll } from "./known.js";
import { audit } from "../views/audit.js";
import { block } from "../views/load.js";
import { holds } from "../views/holds.js";
import { invoice } from "../views/invoice.js";
import { issued } from "../views/issued.js";
import { manifest } from "../views/manifest.js";
import { notices } from "../views/notices.js";
import { number } from "../views/number.js";
import { overview } from "../views/overview.js";
import { parcels } from "../views/parcels.js";
import { proposals } from "../views/proposals.js";
import { series } from "../views/series.js";
import { tokens } from "../views/tokens.js";
import { webhooks } from "../views/webhooks.js";

const reads = () => may("read");
const loads = () => may("read") && may("load");
const rules = () => may("admin");
const rulesAll = () => may("admin") && seesAll();

// Address, view, who may. `:name` stands for one part.
const routes = [
    ["", overview, reads],
    ["series/:series", series, reads],
    ["series/:series/load", block, loads],
    ["series/:series/manifest", manifest, reads],
    ["series/:series/invoice", invoice, reads],
    ["series/:series/number/:number", number, reads],
    ["series/:series/day/:day", issued, reads],
    ["series/:series/range/:first/:last", issued, reads],
    ["series/:series/issuance/:issuance", issued, reads],
    ["number/:number", number, reads],
    ["parcels", parcels, reads],
    ["load", block, loads],
    ["holds", holds, reads],
    ["proposals", proposals, loads],
    ["notices", notices, reads],
    ["webhooks", webhooks, rules],
    ["tokens", tokens, rules],
    ["audit", audit, rulesAll],
];

/** What the navigation shows: address and the name of its text. */
export const ways = [
    ["", "way.series"],
    ["parcels", "way.parcels"],
    ["load", "way.load"],
    ["holds", "way.holds"],
    ["proposals", "way.proposals"],
    ["notices", "way.notices"],
    ["webhooks", "way.webhooks"],
    ["tokens", "way.tokens"],
    ["audit", "way.audit"],
];

function match(pattern, address) {
    const wanted = pattern.split("/");
    const parts = address.split("/");
    if (wanted.length !== parts.length) return null;
    const found = {};
    for (const [place, part] of wanted.entries()) {
        if (part.startsWith(":")) found[part.slice(1)] = decodeURIComponent(parts[place]);
        else if (part !== parts[place]) return null;
    }
    return found;
}

/** The view of an address like "#/series/dhl-paket" -> {view, params, allowed}, or null. */
export function findRoute(hash) {
    const address = hash.replace(/^#?\/?/, "");
    try {
        for (const [pattern, view, allowed] of routes) {
            const params = match(pattern, address);
            if (params) return { view, params, allowed: allowed() };
        }
    } catch {
        // A part that cannot be decoded.
    }
    return null;
}

/** Whether the view of a navigation's address may be seen. */
export function isOpen(address) {
    return findRoute(`#/${address}`)?.allowed ?? false;
}
