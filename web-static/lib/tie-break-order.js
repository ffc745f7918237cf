// Tie-breaks in a form: as usual for the format, or in an order of one's own, of which each is chosen by its name.
import { element } from "./common.js";
import { choiceBox, field } from "./forms.js";
import { say, wordsOf } from "./words.js";

const offered = ["PTS", "DE", "WIN", "WON", "BH/C1", "BH", "SB", "OPA/C1", "OPA", "SBA", "KS", "PS", "ARO", "TPR", "SHR", "VPD", "BWG", "LAST", "RTNG", "TPN", "RND"];
const slots = 8; // more where more are chosen

// The order that is proposed where one's own begins: that of the format (engine/tournament/result/tie_break.c).
const swiss = ["PTS", "DE", "BH/C1", "BH", "SB", "WIN", "BWG", "RND"];
const roundRobin = ["PTS", "DE", "WIN", "SB", "KS", "RND"];
const pods = ["PTS", "DE", "WIN", "OPA/C1", "SBA", "SHR", "LAST", "RND"];
const proposed = { dutch: swiss, round_robin: roundRobin };

// One that only the API can choose has no words here.
const nameOf = (code) => wordsOf(`settings.tie_break.${code.replace("/", "_")}`, code);

// `order`: codes, or undefined for the usual one.
export function tieBreakFields(id, order, label, hint) {
  const mode = choiceBox(id, [["", say("setup.usual")], ["own", say("settings.tie_breaks.own")]], order === undefined ? "" : "own");
  if (order === undefined) return field(mode, label, hint);
  const codes = [...offered, ...order.filter((code) => !offered.includes(code))];
  const choices = [["", say("settings.tie_breaks.none")], ...codes.map((code) => [code, nameOf(code)])];
  const select = (k) => {
    const box = choiceBox(`${id}-${k}`, choices, order[k]);
    box.setAttribute("aria-label", say("settings.tie_break_at", { number: k + 1 }));
    return box;
  };
  return element("div", {}, field(mode, label, hint), element("ol", { class: "order" }, Array.from({ length: Math.max(slots, order.length) }, (_, k) => element("li", {}, select(k)))));
}

// The codes that were chosen, or undefined for the usual ones.
export function tieBreakOrder(form, id, format) {
  if (form.querySelector(`#${id}`)?.value !== "own") return undefined;
  const boxes = [...form.querySelectorAll(`select[id^="${id}-"]`)];
  return boxes.length === 0 ? proposed[format] ?? pods : boxes.map((each) => each.value).filter((code) => code !== "");
}
