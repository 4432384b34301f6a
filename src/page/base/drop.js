// Files: those that are chosen, and those that are dropped anywhere on the page.

/** A field's file as it is now, whatever becomes of it; null: it changed since it was chosen. */
export async function asItIs(field) {
    const [file] = field.files;
    try {
        const { name, lastModified } = file;
        return new File([await file.arrayBuffer()], name, { lastModified });
    } catch {
        field.value = "";
        return null;
    }
}

let waiting = null;
let target = null;

/** The file that was dropped before its view was there; afterwards there is none. */
export function takeDropped() {
    const file = waiting;
    waiting = null;
    return file;
}

/** Who takes files now: a function of a file; null: whoever `elsewhere` opens. */
export function takeDrops(taker) {
    target = taker;
}

/** Listens; `elsewhere` opens a view for a file that the present one does not take. */
export function listenToDrops(elsewhere) {
    const carriesFile = (event) => event.dataTransfer?.types.includes("Files");
    addEventListener("dragover", (event) => {
        if (!carriesFile(event)) return;
        event.preventDefault();
        document.body.classList.add("dragging");
    });
    addEventListener("dragleave", (event) => {
        if (event.relatedTarget === null) document.body.classList.remove("dragging");
    });
    addEventListener("drop", (event) => {
        document.body.classList.remove("dragging");
        if (!carriesFile(event)) return;
        event.preventDefault();
        const [file] = event.dataTransfer.files;
        if (!file) return;
        if (target) {
            target(file);
        } else {
            waiting = file;
            elsewhere();
        }
    });
}
