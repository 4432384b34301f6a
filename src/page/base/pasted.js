// What somebody pastes from a carrier's letter or a spreadsheet. The service finds the numbers in it.

const several = /[a-zäöü]{3}|\sto\s|[\n\t;,–—…]|\s-\s|\s{2}|\d{8}\D+\d{8}/i; // more than one number

/** {table}: a text in which the service is to find blocks; null: one number, or words alone. */
export function readPasted(text) {
    const rows = text.trim();
    return several.test(rows) && rows.replace(/\D/g, "").length >= 12 ? { table: rows } : null;
}

/** Rows as the service reads them. */
export const toTable = (text) => `${text.trim()}\n`;
