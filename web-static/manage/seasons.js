// Seasons over several events, to which this one is added; and the next season of a league.
import { element, nameOf, Problem, read, send, table } from "../lib/common.js";
import { choiceBox, field, numberBox, openDialog, textBox } from "../lib/forms.js";
import { say } from "../lib/words.js";
import { doing, isOrganizer, section } from "./part.js";

export function part(desk) {
  const { event } = desk.parts;
  if (!isOrganizer(desk) || event.cancelled) return null;
  return section("seasons", say("seasons.title"), element("p", { class: "hint" }, say("seasons.about")), element("p", { class: "bar" },
    doing("add_to_season", say("seasons.add"), {}, { id: "add-to-season" }), doing("create_season", say("seasons.create"), {}, { id: "create-season" }),
    event.format === "league" && event.state === "closed" ? doing("next_season", say("seasons.next"), {}, { id: "next-season" }) : null));
}

async function addTo(season, desk) {
  await send("POST", `/v1/seasons/${season}/events`, { event: desk.id });
  location.assign(`/seasons/${season}`);
}

async function add(desk) {
  const { items } = await read("/v1/seasons?limit=100");
  const open = items.filter(({ state }) => state === "open");
  if (open.length === 0) throw new Problem("no-season", 404, say("seasons.none"));
  openDialog({ heading: say("seasons.add"), label: say("seasons.add_do"),
    fields: [field(choiceBox("season", open.map(({ id, name }) => [id, name]), open[0].id), say("seasons.which"))],
    read: (form) => form.elements.season.value, act: (season) => addTo(season, desk) });
}

function readRules({ elements }) {
  const number = (name) => (elements[name].value === "" ? {} : { [name]: Number(elements[name].value) });
  return { name: elements.name.value.trim(), method: elements.method.value, weighting: elements.weighting.value, ...number("best"), ...number("least_entrants") };
}

function create(desk) {
  openDialog({ heading: say("seasons.create"), about: say("seasons.create_about"), label: say("seasons.create_do"), read: readRules,
    fields: [field(textBox("name", "", { maxlength: 80 }), say("seasons.name")),
      field(choiceBox("method", ["percentile", "points"].map((each) => [each, say(`seasons.method_${each}`)]), "percentile"), say("seasons.method")),
      field(numberBox("best", "", 1, 256), say("seasons.best"), say("seasons.best_hint")),
      field(numberBox("least_entrants", 2, 2, 4096), say("seasons.least"), say("seasons.least_hint")),
      field(choiceBox("weighting", ["equal", "field"].map((each) => [each, say(`seasons.weighting_${each}`)]), "equal"), say("seasons.weighting"))],
    act: async (rules) => addTo((await send("POST", "/v1/seasons", rules)).id, desk) });
}

/* ---- Leagues ---- */

function divisions({ places }) {
  const columns = [{ text: say("seasons.division"), number: true }, { text: say("seats.player"), header: true }, { text: say("seasons.division_was"), number: true }];
  return [table(say("seasons.next_caption"), columns, places.map((each) => [String(each.division), nameOf(each.player), String(each.division_was)]))];
}

function next(desk) {
  const at = `${desk.at}/next-season`;
  openDialog({ heading: say("seasons.next"), about: say("seasons.next_about"), label: say("seasons.next_do"),
    fields: [field(textBox("name", "", { maxlength: 80 }), say("settings.name"))], read: (form) => ({ name: form.elements.name.value.trim() }),
    preview: async (body) => divisions(await send("POST", `${at}?preview=true`, body)),
    act: async (body) => location.assign(`/events/${(await send("POST", at, body)).id}/manage`) });
}

export const actions = { add_to_season: add, create_season: create, next_season: next };
