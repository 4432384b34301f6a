// What the modules use of a browser, as far as they are tested without one.

/** Texts by name, as sessionStorage keeps them. */
export function makeStorage() {
    const kept = new Map();
    return {
        getItem: (name) => kept.get(name) ?? null,
        setItem: (name, text) => kept.set(name, text),
        removeItem: (name) => kept.delete(name),
        clear: () => kept.clear(),
    };
}

/** An answer of the service. */
export const answer = (status, body, fields = {}) =>
    new Response(status === 204 ? null : JSON.stringify(body), {
        status,
        headers: { "Content-Type": "application/json", ...fields },
    });

/** A refusal. */
export const problem = (status, type, executed = "no", fields = {}) =>
    answer(status, { type: `/problems/${type}`, title: type, status, executed }, fields);

/** The browser's globals, in that language. */
export function pretend(languages = ["en"]) {
    Object.defineProperty(globalThis, "navigator", {
        value: { languages },
        configurable: true,
    });
    globalThis.sessionStorage = makeStorage();
}

/**
 * Answers requests with these, one after the other: a Response or a promise of one, or null for an
 * answer that is lost.
 * -> what was requested: [{method, path, key, tokenId, body, signal}]
 */
export function serve(...answers) {
    const requests = [];
    globalThis.fetch = async (path, options) => {
        const { method, headers, body, signal } = options;
        path = path.replace(/^\./, ""); // relative to the page
        const [key, tokenId] = [headers["Idempotency-Key"], headers["Gapless-Token-Id"]];
        requests.push({ method, path, key, tokenId, body, signal });
        const next = answers.shift();
        if (!next) throw new TypeError("Failed to fetch");
        return next;
    };
    return requests;
}

/** A node of a document that only holds what is put into it. */
class Element {
    constructor(nodeName, ...children) {
        Object.assign(this, { nodeName, children, attributes: {} });
    }

    setAttribute(name, value) {
        this.attributes[name] = value;
    }

    append(...children) {
        this.children.push(...children);
    }

    addEventListener() {}

    get textContent() {
        return this.children.map((child) => child.textContent ?? child).join("");
    }
}

/** The same of a document, as far as views are shown in it. -> the text of what a view shows */
export function pretendDocument() {
    globalThis.document = {
        createElement: (name) => new Element(name),
        createElementNS: (space, name) => new Element(name),
        addEventListener() {},
    };
    globalThis.IntersectionObserver = class {};
    return (shown) => new Element("main", shown.flat(Infinity).filter(Boolean)).children
        .flat().map((child) => child.textContent).join("\n");
}
