// Common elements of the parts of an event's desk.
import { element, send } from "../lib/common.js";
import { button, formFault } from "../lib/forms.js";
import { plain } from "../lib/words.js";

// A part with its heading, which gets the focus if the focused element is gone.
export function section(id, heading, ...content) {
  return element("section", { id, class: "part" }, element("h2", { tabindex: "-1" }, heading), formFault(`${id}-fault`), content);
}

// A button for a step: `name` of the part's actions, with `data` for it.
export function doing(name, words, data = {}, attributes = {}) {
  const values = Object.entries(data).map(([key, value]) => [`data-${key}`, value]);
  return button(words, { "data-do": name, ...Object.fromEntries(values), ...attributes });
}

// True if the table has this number, or a player of this name; `players`: those at the table.
export function isTableSought(text, table, players) {
  const words = plain(text.trim());
  return /^\d+$/.test(words) ? String(table) === words : players.some((player) => plain(player.name).includes(words));
}

// Sends a change, and shows the desk as it is then.
export async function carryOut(desk, ...request) {
  await send(...request);
  await desk.refresh();
}

// The table of a round by their numbers, which come as text from a button.
export const tableAt = (desk, { round, table }) => desk.parts.rounds.find(({ number }) => number === Number(round)).seating.find((each) => each.table === Number(table));

export const isAbsent = (entry) => entry.state === "entered" && !entry.checked_in;

// The entries that still have to check in before entries are closed.
export const absentees = ({ event, entries }) => (event.state === "entries_open" && event.settings.check_in ? entries.filter(isAbsent) : []);

export const isOrganizer = (desk) => desk.parts.role === "organizer";

export const nameOfPlayer = (desk, id) => desk.parts.entries.find((entry) => entry.player.id === id)?.player ?? { id, name: id };

// Players at a table, or who may still have to play its board, cannot rule on it: the service would refuse.
export function isParty(desk, round, table) {
  const { own, entries } = desk.parts;
  const games = round.games.filter((game) => game.event.table === table.table);
  const seats = [...table.seats, ...games.flatMap((game) => game.seats)];
  return seats.some((seat) => own.includes(seat.player.id) || own.includes(seat.substitute_for?.id)) ||
    (games.some((game) => game.hidden) && entries.some((entry) => own.includes(entry.player.id)));
}
