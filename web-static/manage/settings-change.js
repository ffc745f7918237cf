// Changing an event's settings: the form, with a preview of the effect on the standings.
import { element, Problem, read, send } from "../lib/common.js";
import { differencesTable } from "../lib/changes.js";
import { attempt, formFault, openDialog } from "../lib/forms.js";
import { changesOf, SettingsForm } from "../lib/settings.js";
import { say, wordsOf } from "../lib/words.js";
import { carryOut, isOrganizer, section } from "./part.js";

let form = null; // of the settings `drawn`
let drawn = null;

export function part(desk) {
  if (!isOrganizer(desk) || desk.parts.event.state === "closed") return null;
  return section("change", say("change.title"), element("details", { id: "change-settings" }, element("summary", {}, say("change.open")),
    element("p", { class: "hint" }, say("change.about")),
    element("form", { id: "change-form", class: "settings", "data-do": "change", novalidate: true }, element("div", { id: "settings", "data-keep": true }),
      formFault("change-form-fault"), element("p", {}, element("button", { type: "submit" }, say("change.preview"))))));
}

// Draws the form if it is not there yet, or if another organizer has changed the settings meanwhile.
export async function shown(desk) {
  const fields = document.getElementById("settings");
  const { settings } = desk.parts.event;
  if (fields === null || (drawn === JSON.stringify(settings) && fields.firstChild !== null)) return;
  drawn = JSON.stringify(settings);
  const [{ items }, { dealers }] = await Promise.all([read("/v1/rulesets"), read("/v1/keys")]);
  fields.replaceChildren();
  form = new SettingsForm(fields, items, dealers, settings);
}

function names(changes) {
  return Object.keys(changes).map((name) => wordsOf(`settings.${name}`, name)).join(", ");
}

// The first preview uses the form's fields, so that errors appear at them.
async function change(desk, _, control) {
  const changes = changesOf(desk.parts.event.settings, form.values());
  if (Object.keys(changes).length === 0) throw new Problem("nothing-new", 400, say("change.nothing"));
  await attempt(control, async () => {
    const { differences } = await send("PATCH", `${desk.at}?preview=true`, changes);
    openDialog({ heading: say("change.sure"), about: say("change.what", { names: names(changes) }), label: say("change.do"), fields: [differencesTable(differences)],
      act: () => carryOut(desk, "PATCH", desk.at, changes) });
  }, (name) => form.controlOf(name));
}

export const actions = { change };
