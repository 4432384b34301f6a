// Elements, made without markup in strings, and brought up to date without losing focus.

const drawing = "http://www.w3.org/2000/svg";

const isThere = (child) => child !== null && child !== undefined && child !== false;

function fill(made, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === true) made.setAttribute(name, "");
        else if (isThere(value)) made.setAttribute(name, value);
    }
    made.append(...children.flat(Infinity).filter(isThere));
    return made;
}

/** An element. An attribute that is true has no value; false, null and undefined are none, as are
 * such children. */
export function el(name, attributes = {}, ...children) {
    return fill(document.createElement(name), attributes, children);
}

/** The same for a drawing. */
export function svg(name, attributes = {}, ...children) {
    return fill(document.createElementNS(drawing, name), attributes, children);
}

/** Elements that belong together, without one around them. */
export function pieces(...children) {
    return fill(document.createDocumentFragment(), {}, children);
}

const keyOf = (node) => node.dataset?.key;

const alike = (node, next) =>
    node && node.nodeName === next.nodeName && keyOf(node) === keyOf(next);

// What a person has changed on the page stays: an opened list, a form.
const ofPerson = (node, attribute) => node.nodeName === "DETAILS" && attribute === "open";

function patch(node, next) {
    if (node.nodeType === Node.TEXT_NODE) {
        if (node.data !== next.data) node.data = next.data;
        return;
    }
    if (node.hasAttribute("data-stays") && next.hasAttribute("data-stays")) return;
    for (const name of node.getAttributeNames())
        if (!next.hasAttribute(name) && !ofPerson(node, name)) node.removeAttribute(name);
    for (const name of next.getAttributeNames())
        if (node.getAttribute(name) !== next.getAttribute(name) && !ofPerson(node, name))
            node.setAttribute(name, next.getAttribute(name));
    patchChildren(node, next);
}

/**
 * Makes the children of an element those of another one. Elements that are alike stay the same
 * ones, found by data-key or by place; what has data-stays is not touched.
 */
export function patchChildren(shown, wanted) {
    const keyed = new Map();
    for (const child of shown.children) if (keyOf(child)) keyed.set(keyOf(child), child);
    const focused = document.activeElement;
    let place = shown.firstChild;
    for (const next of [...wanted.childNodes]) {
        const known = keyOf(next) ? keyed.get(keyOf(next)) : place;
        if (!alike(known, next)) {
            shown.insertBefore(next, place);
            continue;
        }
        if (known === place) place = place.nextSibling;
        else shown.insertBefore(known, place);
        patch(known, next);
    }
    while (place) {
        const gone = place;
        place = place.nextSibling;
        gone.remove();
    }
    if (focused !== document.activeElement && focused?.isConnected) focused.focus();
}

let names = 0;

/** A new name for an element that another one refers to. */
export function newName(of) {
    names += 1;
    return `${of}-${names}`;
}
