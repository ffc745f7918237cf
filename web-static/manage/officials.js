// An event's officials, and copying the event.
import { element, nameText, playerLink, send } from "../lib/common.js";
import { choiceBox, field, openDialog, textBox } from "../lib/forms.js";
import { say } from "../lib/words.js";
import { findPlayer, playerBox, playerNames } from "./find-player.js";
import { carryOut, doing, isOrganizer, section } from "./part.js";

const roles = ["arbiter", "organizer"];

function roleItem(desk, { player, role }) {
  return element("li", { id: `role-${role}-${player.id}`, class: "bar" }, element("span", {}, playerLink(player), `: ${say(`role.is_${role}`)}`),
    isOrganizer(desk) ? doing("take_role", say("role.take"), { player: player.id, role }, { "aria-label": say("role.take_of", { name: nameText(player), role: say(`role.is_${role}`) }) }) : null);
}

function giveForm(desk) {
  if (!isOrganizer(desk)) return null;
  return element("form", { id: "give-role", class: "inline", "data-do": "give_role", novalidate: true },
    field(playerBox("role-name"), say("role.name"), say("find.hint")), playerNames("role-name"), field(choiceBox("role-kind", roles.map((role) => [role, say(`role.is_${role}`)]), "arbiter"), say("role.role")),
    element("p", {}, element("button", { type: "submit" }, say("role.give"))));
}

export function part(desk) {
  return section("officials", say("role.title"), element("p", { class: "hint" }, say("role.about")),
    element("ul", {}, desk.parts.roles.items.map((each) => roleItem(desk, each))), giveForm(desk),
    element("p", {}, doing("clone", say("clone.title"), {}, { id: "clone" })));
}

async function give(desk, _, form) {
  const player = await findPlayer(form.querySelector("#role-name").value, desk.parts);
  await send("POST", `${desk.at}/roles`, { player, role: form.querySelector("#role-kind").value });
  form.reset();
  await desk.refresh();
}

const take = (desk, { player, role }) => carryOut(desk, "DELETE", `${desk.at}/roles`, { player, role });

function clone(desk) {
  openDialog({ heading: say("clone.title"), about: say("clone.about"), label: say("clone.do"), fields: [field(textBox("name", "", { maxlength: 80 }), say("settings.name"))],
    read: (form) => ({ name: form.elements.name.value.trim() }),
    act: async (body) => location.assign(`/events/${(await send("POST", `${desk.at}/clone`, body)).id}/manage`) });
}

export const actions = { give_role: give, take_role: take, clone };
