// What somebody pastes from a carrier's letter or a spreadsheet. The service finds the numbers in it.

const several = /[a-zäöü]{3}|\sto\s|[\n\t;,–—…]|\s-\s|\s{2}|\d{8}\D+\d{8}/i;

// Between two numbers: a word, a sign, or a single blank or hyphen behind many digits.
const between = /\s+(?:to|bis)\s+|\s*[\n\t;,–—…]\s*|\s+-\s+|\s{2,}|(?<=\d{8})[\s-](?=\d{8})/i;

const digitsOf = (text) => text.replace(/\D/g, "").length;

/** [first, last] of a text that is two numbers of one length and nothing else, or null. */
export function twoNumbers(text) {
    const parts = text.trim().split(between);
    const [one, two] = parts.map(digitsOf);
    const words = /[a-zäöü]{3}/i.test(parts.join(" "));
    return parts.length === 2 && one === two && !words ? parts : null;
}

/** Whether a text has more than one number; words alone, or a short one, have not. */
export function hasSeveralNumbers(text) {
    return several.test(text) && digitsOf(text) >= 12;
}
