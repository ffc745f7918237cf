// What the parts of the page of an event's officials are made of.
import { element } from "../common.js";
import { button, formFault } from "../forms.js";

// A part with its heading, to which the keyboard goes when what it was at is gone.
export function section(id, heading, ...content) {
  return element("section", { id, class: "part" }, element("h2", { tabindex: "-1" }, heading), formFault(`${id}-fault`), content);
}

// A button that takes a step: `name` of the part's actions, with `data` for it.
export function doing(name, words, data = {}, attributes = {}) {
  const values = Object.entries(data).map(([key, value]) => [`data-${key}`, value]);
  return button(words, { "data-do": name, ...Object.fromEntries(values), ...attributes });
}

export const isOrganizer = (desk) => desk.parts.role === "organizer";

export const nameOfPlayer = (desk, id) => desk.parts.entries.find((entry) => entry.player.id === id)?.player ?? { id, name: id };
