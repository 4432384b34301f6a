// The reader's language, and numbers and days as it writes them.
import { english } from "../texts/english.js";
import { german } from "../texts/german.js";

const languages = { en: english, de: german };
const languageOf = (tag) => tag.toLowerCase().split("-")[0];

/** Of the languages the browser asks for, the first that there is. */
export const locale = navigator.languages.find((tag) => languageOf(tag) in languages) ?? "en";
export const language = languageOf(locale);

const texts = languages[language];
const clockErrorMin = 600000; // milliseconds; what is less is the way of an answer around midnight
let timeZone = "UTC";
let clockError = 0; // milliseconds, whole days
let formats = new Map(); // making one takes longer than a thousand uses

function dateFormat(parts, tag = locale) {
    const name = JSON.stringify([tag, parts]);
    if (!formats.has(name)) formats.set(name, new Intl.DateTimeFormat(tag, parts));
    return formats.get(name);
}

/** Where the moments and days of this page are. */
export const zone = () => timeZone;

/** Sets the time zone of the database; one the browser does not know is UTC. */
export function setTimeZone(name) {
    formats = new Map();
    try {
        timeZone = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
    } catch {
        timeZone = "UTC";
    }
}

/** Sets the day that it is for the service: the clock of this browser may be wrong. */
export function setToday(day) {
    const near = [-clockErrorMin, 0, clockErrorMin].map((by) => today(new Date(Date.now() + by)));
    clockError = near.includes(day) ? 0 : Date.parse(near[1]) - Date.parse(day);
}

function fill(text, values) {
    return typeof text === "function" ? text(...values) : text;
}

/** The text of that name, with what belongs in it; first how many, where one differs from many. */
export function t(name, ...values) {
    const text = texts[name];
    if (text === undefined) return name;
    if (text.many === undefined) return fill(text, values);
    const [n, ...rest] = values;
    return n === 1 ? fill(text.one, rest) : text.many(n.toLocaleString(locale), ...rest);
}

/** The same where there may be none: null. */
export function tIfAny(name, ...values) {
    return name in texts ? t(name, ...values) : null;
}

/** A count, which is text because it can exceed 2^53. */
export function count(text) {
    return BigInt(text).toLocaleString(locale);
}

/** A decimal number, like "12.5". */
export function decimal(text, digits = 1) {
    return Number(text).toLocaleString(locale, { maximumFractionDigits: digits });
}

/** An amount of money, like "1234.50": as exact as it is. */
export function amount(text) {
    const [whole, part = ""] = text.split(".");
    const comma = (1.5).toLocaleString(locale).charAt(1);
    const minus = whole.startsWith("-") ? "−" : "";
    return minus + count(whole.replace("-", "")) + (part ? comma + part : "");
}

const dayParts = { day: "numeric", month: "long", timeZone: "UTC" };
const atNoon = (day) => new Date(`${day}T12:00:00Z`);
const thisYear = () => dateFormat({ year: "numeric", timeZone }, "en").format();

function dayFormat(...days) {
    const other = days.some((day) => !day.startsWith(thisYear()));
    return dateFormat(other ? { ...dayParts, year: "numeric" } : dayParts);
}

/** A day like 2026-12-03. */
export function day(text) {
    return dayFormat(text).format(atNoon(text));
}

/** The days from one to another. */
export function days(from, to) {
    return dayFormat(from, to).formatRange(atNoon(from), atNoon(to));
}

/** A day in few letters, for a chart. */
export function shortDay(text) {
    return dateFormat({ day: "numeric", month: "short", timeZone: "UTC" }).format(atNoon(text));
}

/** The name of a day of the week. */
export function weekday(text) {
    return dateFormat({ weekday: "short", timeZone: "UTC" }).format(atNoon(text));
}

/** A moment, in the time zone of the database. */
export function moment(text) {
    const parts = { dateStyle: "medium", timeStyle: "short", timeZone };
    return dateFormat(parts).format(new Date(text));
}

/** The same in a sentence: "25 November 2026 at 14:03". */
export function longMoment(text) {
    return dateFormat({ dateStyle: "long", timeStyle: "short", timeZone }).format(new Date(text));
}

/** The time of day of a moment of this browser, there. */
export function timeOfDay(date) {
    return dateFormat({ timeStyle: "medium", timeZone }).format(date);
}

/** The day of a moment there, like 2026-11-20; without one it is today. */
export function today(date = new Date(Date.now() - clockError)) {
    return dateFormat({ timeZone, dateStyle: "short" }, "sv").format(date);
}

/** The end of a validity: a day, where it is the last microsecond of one, or a moment. */
export function until(text) {
    const end = new Date(text);
    const ends = text.endsWith("59.999999Z") && today(end) !== today(new Date(end.getTime() + 1));
    return ends ? day(today(end)) : moment(text);
}

/** The day before one like 2026-11-20. */
export function dayBefore(text) {
    return new Date(atNoon(text) - 86400000).toISOString().slice(0, 10);
}

/** Names in a row. */
export function list(names) {
    return new Intl.ListFormat(locale, { type: "conjunction" }).format(names);
}
