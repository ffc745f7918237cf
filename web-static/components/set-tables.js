// A component set as tables: which tables a file has, how a value is written in a cell and read from one, what differs from
// another set, and the file's text. Works on the parsed file; a place in it is a list of keys.

const origin = "provenance"; // where the data come from: shown, never edited

export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isRows = (value) => Array.isArray(value) && value.length > 0 && value.every((row) => isObject(row) || Array.isArray(row));
export const wordsOfKey = (key) => key.replaceAll("_", " ");

export const valueAt = (set, place) => place.reduce((value, key) => value?.[key], set);

// RFC 6901.
export const pointerOf = (place) => place.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

export function putValue(set, place, value) {
  valueAt(set, place.slice(0, -1))[place.at(-1)] = value;
}

/* ---- Which tables ---- */

// Single values, also those of objects in an object: [place, ..].
function singles(value, place) {
  return Object.entries(value).flatMap(([key, child]) => {
    if (key === origin || isRows(child)) return [];
    return isObject(child) ? singles(child, [...place, key]) : [[...place, key]];
  });
}

// The columns of rows, each as the keys from the row to the value.
function columnsOf(rows) {
  const columns = new Map();
  for (const row of rows.filter(isObject)) {
    for (const keys of cellsOf(row)) columns.set(keys.join("/"), keys);
  }
  return [...columns.values()];
}

// Lists of objects with many members are tables of their own, others are written into their cell.
const isTable = (value) => isRows(value) && value.every((row) => isObject(row) && Object.keys(row).length > 3);

function cellsOf(row, before = []) {
  return Object.entries(row).flatMap(([key, child]) => {
    if (key === origin || isTable(child)) return [];
    return isObject(child) ? cellsOf(child, [...before, key]) : [[...before, key]];
  });
}

// Tables of rows below a place: { place, columns }; a list of lists has one column, with no keys.
function rowTables(value, place) {
  if (isRows(value)) {
    const inner = value.flatMap((row, i) => (isObject(row) ? Object.entries(row).filter(([, child]) => isTable(child)).flatMap(([key, child]) => rowTables(child, [...place, i, key])) : []));
    return [{ place, columns: isObject(value[0]) ? columnsOf(value) : [[]] }, ...inner];
  }
  return isObject(value) ? Object.entries(value).flatMap(([key, child]) => rowTables(child, [...place, key])) : [];
}

// The parts of a set: { key, origin, singles: places, tables: [{ place, columns }] }. What stands outside of any part comes first.
export function partsOf(set) {
  const outside = Object.entries(set).filter(([, value]) => !isObject(value)).map(([key]) => [key]);
  const parts = Object.entries(set).filter(([, value]) => isObject(value)).map(([key, value]) => ({
    key, origin: typeof value[origin] === "string" ? value[origin] : null, singles: singles(value, [key]), tables: rowTables(value, [key]),
  }));
  return [...(outside.length > 0 ? [{ key: "", origin: null, singles: outside, tables: [] }] : []), ...parts];
}

/* ---- Cells ---- */

const isText = (value) => typeof value === "string";
const isDrawing = (value) => Array.isArray(value) && value.length > 0 && value.every(isText) && value.some((line) => /[.#*]/.test(line) && !/\s/.test(line));
const isPlainList = (value) => Array.isArray(value) && value.every((each) => each === null || typeof each !== "object") && !value.some((each) => isText(each) && each.includes(","));

// How a value stands in its cell, and in which kind of control it is edited.
export function written(value) {
  if (value === undefined || value === null) return "";
  if (isDrawing(value)) return value.join("\n");
  if (isPlainList(value)) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export const isLong = (value) => isDrawing(value) || (Array.isArray(value) && (!isPlainList(value) || value.length > 8));

function scalarOf(text, like) {
  if (text === "") return null;
  if ((typeof like === "number" || like === null) && /^-?\d{1,9}$/.test(text)) return Number(text);
  if (typeof like === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

// What somebody has written into a cell for values like `before`. Throws a SyntaxError for what must be JSON and is none.
export function valueOf(text, before) {
  if (isDrawing(before)) return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  if (isPlainList(before)) {
    const like = before.find((each) => each !== null);
    return text.trim() === "" ? [] : text.split(",").map((each) => scalarOf(each.trim(), like ?? ""));
  }
  if (before !== null && typeof before === "object") return JSON.parse(text);
  return scalarOf(text.trim(), before ?? null);
}

/* ---- Rows ---- */

// Rows that have a number are numbered as they stand.
function renumber(rows) {
  rows.forEach((row, i) => {
    if (isObject(row) && "index" in row) row.index = i;
  });
}

// Another row like that one, behind it.
export function copyRow(rows, i) {
  rows.splice(i + 1, 0, structuredClone(rows[i]));
  renumber(rows);
}

export function removeRow(rows, i) {
  rows.splice(i, 1);
  renumber(rows);
}

// What names the set: the name stands beside the slug.
export const aboutOf = (set) => (isObject(set.game) ? set.game : set);

/* ---- Differences ---- */

// Neither where the data come from nor how rows are numbered.
const compared = (value) => JSON.stringify(value, (key, child) => (key === origin || key === "index" ? undefined : child));
export const isSame = (a, b) => compared(a) === compared(b);

// The number of a row among `others`, or -1: the one with its id; without ids the same row, or else the one in its place, unless that
// one stands elsewhere here.
function rowAmong(rows, i, others) {
  if (!Array.isArray(others)) return -1;
  if (isText(rows[i]?.id)) return others.findIndex((each) => each?.id === rows[i].id);
  if (i < others.length && isSame(rows[i], others[i])) return i;
  const same = others.findIndex((each) => isSame(each, rows[i]));
  if (same >= 0) return same;
  return i < others.length && !rows.some((each) => isSame(each, others[i])) ? i : -1;
}

// The place in another set of what stands here, or null.
export function counterpart(set, other, place) {
  const found = [];
  let here = set;
  let there = other;
  for (const key of place) {
    const at = Array.isArray(here) ? rowAmong(here, key, there) : key;
    here = here?.[key];
    there = there?.[at];
    if (there === undefined) return null;
    found.push(at);
  }
  return found;
}

/* ---- The text of a file ---- */

const lineLength = 150;

// JSON as the files of the rulesets are written: what fits into a line stands in one.
function print(value, indent) {
  const short = shortOf(value);
  if (value === null || typeof value !== "object" || indent.length + short.length <= lineLength) return short;
  const inner = `${indent} `;
  const lines = Array.isArray(value) ? value.map((each) => print(each, inner)) : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${print(each, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${lines.map((line) => inner + line).join(",\n")}\n${indent}${close}`;
}

function shortOf(value) {
  if (Array.isArray(value)) return `[${value.map(shortOf).join(", ")}]`;
  if (isObject(value)) return `{${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${shortOf(each)}`).join(", ")}}`;
  return JSON.stringify(value);
}

export const fileOf = (set) => `${print(set, "")}\n`;
