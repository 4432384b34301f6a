// Blocks and use of the series that are on the screen, read one after the other and seldom: a list
// of many series does not ask for all of them at once.
import { get, getAll, path, Problem } from "./client.js";

const freshMilliseconds = 60000;
const blocksMax = 1000; // of a series with more, the view of the series shows them

const glances = new Map(); // by name: {blocks, use, at}
const wanted = new Set();
let running = false;
let redraw = () => {};

/** What is known of a series: {blocks, use}; nothing of it may be there yet. */
export function glanceOf(name) {
    return glances.get(name) ?? { blocks: null, use: null };
}

async function read(series) {
    const blocks =
        BigInt(series.blocks) > BigInt(blocksMax)
            ? null
            : await getAll(path`/v1/series/${series.name}/blocks`);
    const use = await get(path`/v1/series/${series.name}/consumption`);
    glances.set(series.name, { blocks, use, at: Date.now() });
}

async function readWanted() {
    if (running) return;
    running = true;
    try {
        for (const series of wanted) {
            wanted.delete(series);
            if (Date.now() - (glances.get(series.name)?.at ?? 0) < freshMilliseconds) continue;
            await read(series);
            redraw();
        }
    } catch (problem) {
        // What was known stays; the view itself says that something is wrong.
        if (!(problem instanceof Problem)) throw problem;
        wanted.clear();
    } finally {
        running = false;
    }
}

const watch = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) entry.target.wants?.();
});

/** Reads what an element shows of a series, once it is on the screen and whenever it is old. */
export function glanceAt(element, series, read) {
    redraw = read;
    element.wants = () => {
        wanted.add(series);
        readWanted();
    };
    watch.unobserve(element);
    watch.observe(element);
}

/** Nothing that was read is fresh any more. */
export function forgetGlances() {
    glances.clear();
    wanted.clear();
}
