// Tie-breaks and pairing criteria in the page's language, by code. If the catalogue has no text for one, the service's text
// is used.
import { english } from "./common.js";
import { figure, hasWords, number, say } from "./words.js";

// A few codes mean something else in another format; those are keyed with the format.
const keyOf = (keyFor, { code, name }) => [keyFor(`${code}_${name.replaceAll(" ", "_")}`), keyFor(code)].find(hasWords);

/* ---- Tie-breaks ---- */

// `C1` of `BH/C1`: the key of its text, and its number.
const modifiers = [[/^C(\d+)$/, "cut"], [/^M(\d+)$/, "median"], [/^L(\d+)$/, "limit"], [/^L\+(\d+)$/, "limit_more"], [/^L-(\d+)$/, "limit_less"],
  [/^F$/, "fore"], [/^P$/, "forfeits"]];

function modifierOf(base, written) {
  const [pattern, name] = modifiers.find(([each]) => each.test(written)) ?? [];
  if (name === undefined) return null;
  return { key: base === "PS" && name === "cut" ? "tie_break.cut_rounds" : `tie_break.${name}`, count: Number(pattern.exec(written)[1] ?? 0) };
}

// The text for all parts of a code, or null if one is missing.
function tieBreakWords({ code, name }, suffix) {
  const [base, ...rest] = code.split("/");
  const found = [{ key: keyOf((each) => `tie_break.${each}`, { code: base, name }), count: 0 }, ...rest.map((each) => modifierOf(base, each))];
  return found.every((each) => hasWords(each?.key)) ? found.map(({ key, count }) => say(`${key}${suffix}`, { count })) : null;
}

export function tieBreakName(tieBreak) {
  return tieBreakWords(tieBreak, "")?.join(", ") ?? english(tieBreak.name);
}

export function tieBreakMeaning(tieBreak) {
  return tieBreakWords(tieBreak, "_is")?.join(" ") ?? english(tieBreak.definition);
}

// The name where elements are not possible.
export function tieBreakText(tieBreak) {
  return tieBreakWords(tieBreak, "")?.join(", ") ?? tieBreak.name;
}

// The position of a row in the drawing of lots among all rows, 1 for the first.
function lotOf(rows, position, row) {
  const drawn = (each) => Number(each.tie_breaks[position].text);
  return 1 + rows.filter((each) => drawn(each) > drawn(row)).length;
}

// 8 * table + place of the last round, negated; without a table it is far beyond any table.
function lastTable(value) {
  const [table, rank] = [Math.floor(-value / 8), -value % 8];
  return table > 65535 ? say("standings.no_table") : say("standings.at_table", { table, place: rank });
}

// The value of a tie-break for people: those that only order players (lots, the last table, pairing numbers) have values that mean
// nothing by themselves. A row on its own, without the others, cannot have a position among them.
export function tieBreakValue({ chain, rows }, row, position) {
  const { code, name } = chain[position];
  const { text } = row.tie_breaks[position];
  if (code === "RND") return rows.length > 1 ? number(lotOf(rows, position, row)) : say("standings.by_lot");
  if (code === "LAST" && name === "last round") return lastTable(Number(text));
  return code === "TPN" ? number(-Number(text)) : figure(text);
}

// The heading of its column: a code that people know, or a word.
export function tieBreakHead({ code }) {
  return code === "RND" ? say("standings.lot_head") : code;
}

/* ---- Pairing criteria ---- */

export function criterionName(criterion) {
  const key = keyOf((each) => `criterion.${each}`, criterion);
  return key === undefined ? english(criterion.name) : say(key);
}

export function criterionMeaning(criterion) {
  const key = keyOf((each) => `criterion.${each}`, criterion);
  return key === undefined ? english(criterion.meaning) : say(`${key}_is`);
}
