// What somebody pastes from a carrier's letter or a spreadsheet. The service finds the numbers in it.

// Letters before or behind digits are of the number itself: TBA123456789012.
const word = /(?<![\da-zäöü])[a-zäöü]{3,}(?![\da-zäöü])/i;

const several = /\sto\s|[\n\t;,–—…]|\s-\s|\s{2}|\d{8}\D+\d{8}/i;

// Between two numbers: a word, a sign, or a single blank or hyphen behind many digits.
const between = /\s+(?:to|bis)\s+|\s*[\n\t;,–—…]\s*|\s+-\s+|\s{2,}|(?<=\d{8})[\s-](?=\d{8})/i;

const digitsOf = (text) => text.replace(/\D/g, "").length;

/** [first, last] of a text that is two numbers of one length and nothing else, or null. */
export function twoNumbers(text) {
    const parts = text.trim().split(between);
    const [one, two] = parts.map(digitsOf);
    return parts.length === 2 && one === two && !word.test(parts.join(" ")) ? parts : null;
}

/** Whether a text has more than one number; words alone, or a short one, have not. */
export function hasSeveralNumbers(text) {
    const trimmed = text.trim(); // a cell of a spreadsheet is copied with the end of its row
    return (word.test(trimmed) || several.test(trimmed)) && digitsOf(trimmed) >= 12;
}
