// The board of games that have none of their own: the view's members as nested lists of terms. Plain, but
// complete, and the same for every game.
import { element, english, listed } from "../lib/common.js";
import { say } from "../lib/words.js";

const ofSeats = new Set(["seat", "active", "deciders"]);

function plainMember(name, value, context) {
  if (!ofSeats.has(name)) return String(value);
  return typeof value === "number" ? context.seatName(value) : String(value);
}

const isPlain = (value) => value === null || typeof value !== "object";

export function terms(value, context, name = "") {
  if (value === null) return "-";
  if (isPlain(value)) return plainMember(name, value, context);
  if (Array.isArray(value)) {
    if (value.length === 0) return say("position.none");
    if (value.every(isPlain)) return listed(value.map((item) => plainMember(name, item ?? "-", context)));
    return element("ul", {}, value.map((item) => element("li", {}, terms(item, context))));
  }
  const members = Object.entries(value);
  if (members.length === 0) return say("position.none");
  if (members.every(([, member]) => isPlain(member))) {
    return listed(members.map(([key, member]) => element("span", {}, english(key.replaceAll("_", " ")), " ", member === null ? "-" : plainMember(key, member, context))));
  }
  return element("dl", { class: "terms" }, members.flatMap(([key, member]) => [
    element("dt", {}, english(key.replaceAll("_", " "))), element("dd", {}, terms(member, context, key))]));
}

export function draw(view, context) {
  return element("div", { class: "plain-board" }, terms(view, context));
}
