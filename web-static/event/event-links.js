// Links from an event to its other pages, and for entering it.
import { player } from "../lib/account.js";
import { element, link, send, shareButton, signInLink } from "../lib/common.js";
import { button, formFault } from "../lib/forms.js";
import { addWords, say } from "../lib/words.js";

// `parts`: sections of the page itself, [fragment, name], which come first.
export function otherPages(event, parts = []) {
  const page = (name, words) => link(`/events/${event.id}/${name}`, words);
  return element("nav", { class: "links parts-of no-print", "aria-label": say("event.parts") }, parts.map(([fragment, name]) => link(`#${fragment}`, name)),
    page("statistics", say("stats.title")), page("hall", say("hall.title")), page("audit", say("event.audit")), " ", shareButton());
}

// To the event's desk, for its officials. `roles`: null for readers who have not signed in.
export function officialsLink(event, roles) {
  if (!roles?.items.some((each) => each.player.id === player()?.id)) return null;
  return element("p", { class: "actions no-print" }, link(`/events/${event.id}/manage`, say("desk.run")));
}

/* ---- Entering ---- */

export const mayEnter = ({ may }) => may.enter === "place" || may.enter === "waiting_list";

const roundsMost = 64; // of an event

// The next rounds for which an entry can get a bye.
export function freeRounds({ may: { bye_from: first }, last_round: end }, entry) {
  if (first === null) return [];
  const last = end ?? Math.min(first + 9, roundsMost);
  const taken = new Set(entry.byes.map((bye) => bye.round));
  return Array.from({ length: last - first + 1 }, (_, i) => first + i).filter((round) => !taken.has(round));
}

// Shown instead of the panel to readers who have not signed in; leads back here.
export function signInPart(event) {
  if (event.state === "closed" || event.state === "draft") return null;
  return element("section", { id: "mine", class: "mine no-print" },
    element("p", { class: "bar" }, signInLink(say(mayEnter(event) ? "event.sign_in_enter" : "event.sign_in_table")),
      mayEnter(event) && event.settings.guests === "allowed" ? button(say("event.enter_guest"), { "data-guest": event.id }) : null), formFault("guest-fault"));
}

async function enterAsGuest(panel, event) {
  const [{ asSomebody }] = await Promise.all([import("../lobby/guests.js"), addWords("lobby")]);
  await asSomebody(panel, async () => {
    await send("POST", `/v1/events/${event}/entries`, {});
    location.reload();
  }, say("event.enter_guest"));
}

document.addEventListener("click", ({ target }) => {
  if (target.dataset?.guest !== undefined) enterAsGuest(target.closest("#mine"), target.dataset.guest);
});

// The panel of a signed-in reader, loaded only for them. `known`: see readMine().
export async function readPanel(event, known) {
  if (player() === null) return null;
  const [{ readMine, minePanel }] = await Promise.all([import("./mine.js"), addWords("mine")]);
  const mine = await readMine(event, known);
  return mine === null ? null : { mine, draw: () => minePanel(event, mine) };
}
