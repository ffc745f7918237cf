// Places held for people without an account, and the links for claiming them. A link is known to this page only from its
// creation until the page is left: the service stores only its hash.
import { element, nameText, playerLink, Problem, send, table, time } from "../lib/common.js";
import { field, textBox } from "../lib/forms.js";
import { guestNameLength } from "../lib/limits.js";
import { copyFrom } from "../lib/share.js";
import { say } from "../lib/words.js";
import { doing, isOrganizer } from "./part.js";

const codes = new Map(); // player -> code

export const isHeld = (desk, player) => desk.parts.places.some((place) => place.player.id === player.id);

// Holds a place; the caller redraws the page.
export async function hold(desk, name) {
  const { player, code } = await send("POST", `${desk.at}/places`, { name }).catch((problem) => {
    throw problem.code === "bad-field" ? new Problem(problem.code, problem.status, say("places.fault_name", { count: guestNameLength })) : problem;
  });
  codes.set(player.id, code);
}

/* ---- Display ---- */

const renewing = (player) => doing("renew_link", say("places.do_new"), { player: player.id }, { id: `renew-${player.id}`, "aria-label": say("places.do_new_of", { name: nameText(player) }) });

function linkCell({ player }) {
  const code = codes.get(player.id);
  if (code === undefined) return renewing(player);
  return element("div", { class: "bar" },
    element("input", { id: `link-${player.id}`, type: "text", readonly: true, value: `${location.origin}/claim/${code}`, "aria-label": say("places.link_of", { name: nameText(player) }) }),
    doing("copy_link", say("places.do_copy"), { player: player.id }, { id: `copy-${player.id}`, "aria-label": say("places.do_copy_of", { name: nameText(player) }) }),
    element("span", { id: `copied-${player.id}`, role: "status", "data-keep": true }), renewing(player));
}

function placesTable(desk) {
  const { places } = desk.parts;
  if (places.length === 0) return null;
  const columns = [{ text: say("seats.player"), header: true }, { text: say("places.since"), class: "extra" }, { text: say("places.link") }, { text: say("entry.steps") }];
  return table(say("places.caption"), columns, places.map((place) => element("tr", { id: `place-${place.player.id}`, class: "row" },
    element("th", { scope: "row" }, playerLink(place.player)), element("td", { class: "extra" }, time(place.held_at)), element("td", {}, linkCell(place)),
    element("td", {}, doing("leave", say("places.do_drop"), { player: place.player.id }, { "aria-label": say("places.do_drop_of", { name: nameText(place.player) }) })))));
}

function holdForm(mayEnter) {
  if (!mayEnter) return null;
  return element("form", { id: "hold", class: "inline", "data-do": "hold", novalidate: true },
    field(textBox("hold-name", null, { "data-field": "name", maxlength: guestNameLength }), say("places.name"), say("places.hint")), element("p", {}, element("button", { type: "submit" }, say("places.do"))));
}

export function placesPart(desk, mayEnter) {
  if (!isOrganizer(desk) || (!mayEnter && desk.parts.places.length === 0)) return null;
  return element("details", { id: "places" }, element("summary", {}, say("places.title", { count: desk.parts.places.length })),
    element("p", { class: "hint" }, say("places.about")), placesTable(desk), holdForm(mayEnter));
}

/* ---- Handlers of its buttons ---- */

async function copy({ player }) {
  document.getElementById(`copied-${player}`).textContent = await copyFrom(document.getElementById(`link-${player}`));
}

export const placesActions = {
  copy_link: (desk, data) => copy(data),
  hold: async (desk, _, form) => {
    await hold(desk, form.querySelector("#hold-name").value.trim());
    form.reset();
    await desk.refresh();
  },
  renew_link: async (desk, { player }) => {
    const { code } = await send("POST", `${desk.at}/places/${player}/code`);
    codes.set(player, code);
    await desk.refresh();
  },
};
