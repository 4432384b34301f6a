// What somebody pastes from a carrier's letter or a spreadsheet. The service finds the numbers in it.

const several = /[a-zäöü]{3}|\sto\s|[\n\t;,–—…]|\s-\s|\s{2}|\d{8}\D+\d{8}/i;

/** Whether a text has more than one number; words alone, or a short one, have not. */
export function hasSeveralNumbers(text) {
    return several.test(text) && text.replace(/\D/g, "").length >= 12;
}
