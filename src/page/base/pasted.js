// What somebody pastes from a carrier's letter or a spreadsheet.

const between = /\s+(?:bis|to|through|until|and|und)\s+|\s*[–—…]\s*|\s+-\s+|[\t;,\n]|\s{2,}/i;
const pair = /^(\w{8,})\s*[\s–—-]\s*(\w{8,})$/; // two numbers written in one piece each
const digitsMin = 6; // of a number of a letter; shorter ones are counts and dates

/**
 * The numbers of a text, without the blanks inside them and the dot of a sentence. Other dots stay:
 * the service knows which of them group digits, and which a spreadsheet made.
 */
export function numbersIn(text) {
    const two = text.trim().match(pair);
    if (two) return two.slice(1);
    return text
        .trim()
        .split(between)
        .map((part) => part.replace(/\s|\.\s*$/g, ""))
        .filter(
            (part) => /^[A-Z0-9().]+$/i.test(part) && part.replace(/\D/g, "").length >= digitsMin,
        );
}

/** True for rows with columns, or more than one row. */
export function isTable(text) {
    const lines = text
        .trim()
        .split(/\r?\n/)
        .filter((line) => line.trim() !== "");
    return lines.length > 1 && lines.some((line) => /[\t;,]/.test(line));
}

/**
 * What to do with a pasted text: {table} for rows, {first, last} for the ends of a block; null:
 * nothing but to paste it.
 */
export function readPasted(text) {
    if (isTable(text)) return { table: text };
    const [first, last, ...more] = numbersIn(text);
    return first && last && more.length === 0 ? { first, last } : null;
}

/** Rows as the service reads them: with names of columns, where there are none. */
export function toTable(text) {
    const rows = text.trim();
    const [head] = rows.split(/\r?\n/);
    if (/[a-zäöü]{4,}/i.test(head)) return `${rows}\n`;
    const mark = /\t/.test(head) ? "\t" : /;/.test(head) ? ";" : ",";
    const names = ["first", "last", "count", "reference", "valid_until"];
    return `${names.slice(0, head.split(mark).length).join(mark)}\n${rows}\n`;
}
