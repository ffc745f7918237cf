// Lengths of time in a form: chosen from a list of usual ones in words, or written as a number where another is wanted.
import { element } from "./common.js";
import { choiceBox, field, numberBox } from "./forms.js";
import { say } from "./words.js";

const OTHER = "other"; // the choice that opens the box for a number
const units = [["length.weeks", 604800], ["length.days", 86400], ["length.hours", 3600], ["length.minutes", 60], ["length.seconds", 1]];

// In the largest unit of which it is a whole number: "90 minutes", "3 days".
function lengthWords(seconds) {
  const [unit, size] = units.find(([, each]) => seconds >= each && seconds % each === 0) ?? units.at(-1);
  return say(unit, { count: Math.round(seconds * 1000 / size) / 1000 });
}

// The parts of a form for a length of `value` units, or undefined.
//   unit    seconds in one: 1 or 60
//   usual   the lengths that are offered, in units
//   empty   the words for no value, or null where there has to be one
//   zero    the words for 0
export function lengthFields(id, value, { unit, usual, empty = null, zero = say("length.none"), most }, label, hint) {
  const offered = value === undefined || value === null || usual.includes(value) ? usual : [...usual, value].sort((a, b) => a - b);
  const choices = [...(empty === null ? [] : [["", empty]]), ...offered.map((each) => [each, each === 0 ? zero : lengthWords(each * unit)]), [OTHER, say("length.other")]];
  const select = choiceBox(id, choices, value);
  select.dataset.length = "yes";
  const written = field(numberBox(`${id}-${OTHER}`, "", 0, most), say(unit === 1 ? "length.in_seconds" : "length.in_minutes", { label }));
  written.hidden = true;
  return element("div", {}, field(select, label, hint), written);
}

// Shows or hides the box for a number when the choice of a length has changed.
export function lengthChosen({ target }) {
  if (target.dataset.length === undefined) return;
  const written = target.closest("div").querySelector(`#${CSS.escape(`${target.id}-${OTHER}-field`)}`);
  written.hidden = target.value !== OTHER;
  if (!written.hidden) written.querySelector("input").focus();
}

// The text for the length in its units, "" where nothing is said.
export function lengthText(form, id) {
  const select = form.querySelector(`#${CSS.escape(id)}`);
  return select?.value === OTHER ? form.querySelector(`#${CSS.escape(`${id}-${OTHER}`)}`).value : select?.value ?? "";
}
