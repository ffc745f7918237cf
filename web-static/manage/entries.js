// Participants: check-in, byes, dropping out and returning, the waiting list, and pairs kept apart.
import { element, fill, listed, nameOf, nameText, playerLink, Problem, send, table } from "../lib/common.js";
import { differencesTable } from "../lib/changes.js";
import { freeRounds, mayEnter } from "../event/event-links.js";
import { choiceBox, field, numberBox, openDialog, searchBox, tickBox } from "../lib/forms.js";
import { plain, said, say } from "../lib/words.js";
import { houseLevels } from "../lib/settings.js";
import { findPlayer, playerBox, playerNames } from "./find-player.js";
import { absentees, carryOut, doing, isAbsent, isOrganizer, nameOfPlayer, section } from "./part.js";
import { hold, isHeld, placesActions, placesPart } from "./places.js";

const NAMES_MOST = 500; // of a pasted list

// The result of the last pasted list: { name, key } for each line; `key` is that of its text.
let pasted = [];

// What the list is searched for, and whether all of a long one is shown.
let sought = "";
let whole = false;
const SHOWN = 40;
const WAITING = 8; // of a long list: those whom somebody has to see to

const byeKinds = ["zero", "half", "full"];

// Officials cannot give themselves or their bots points.
const kindsFor = (desk, player) => (desk.parts.own.includes(player) ? ["zero"] : byeKinds);

/* ---- Display ---- */

// The first round whose byes can still change; null if there is none.
const nextRound = ({ event }) => event.may.bye_from;

// Late entries count as checked in, which says something only where players have to.
function stateWords(desk, entry) {
  const isPresent = entry.checked_in && desk.parts.event.settings.check_in;
  const told = [isHeld(desk, entry.player) ? say("places.held") : null, entry.state === "entered" ? null : say(`entry.is_${entry.state}`, { place: entry.waiting_place }), isPresent ? say("entry.checked_in") : null].filter((each) => each !== null);
  return told.length === 0 ? say("entry.is_entered") : told.join(", ");
}

function byesCell(desk, entry) {
  const first = nextRound(desk.parts);
  return entry.byes.map((bye) => element("div", { class: "bar" }, say("entry.bye_in", { round: bye.round, kind: say(`bye.${bye.kind}`) }),
    first !== null && bye.round >= first
      ? doing("revoke_bye", say("entry.revoke_bye"), { player: entry.player.id, round: bye.round }, { "aria-label": say("entry.revoke_bye_of", { name: nameText(entry.player), round: bye.round }) }) : null));
}

// A button with a short text, whose accessible name includes the player.
function named(action, entry, key, data = {}) {
  return doing(action, say(`entry.do_${key}`), { player: entry.player.id, ...data }, { id: `${key}-${entry.player.id}`, "aria-label": say(`entry.do_${key}_of`, { name: nameText(entry.player) }) });
}

// True for entries on the waiting list, or not checked in, when entries were closed.
function mayEnterLate(desk, { state }) {
  const { event } = desk.parts;
  return ["waiting", "not_there"].includes(state) && event.state !== "entries_open" && isOrganizer(desk) && mayEnter(event);
}

function buttons(desk, entry) {
  const { event } = desk.parts;
  if (event.state === "closed") return null;
  const isIn = entry.state === "entered";
  const checks = (isIn || entry.state === "waiting") && event.settings.check_in && event.state === "entries_open";
  return element("div", { class: "bar" },
    checks && !entry.checked_in ? named("check_in", entry, "check_in", { present: "yes" }) : null,
    checks && entry.checked_in ? named("check_in", entry, "check_out", { present: "no" }) : null,
    mayEnterLate(desk, entry) ? named("enter_late", entry, "enter") : null,
    isIn && freeRounds(event, entry).length > 0 ? named("bye", entry, "bye") : null,
    isIn || entry.state === "waiting" ? named("leave", entry, "leave") : null,
    entry.state === "dropped" && event.may.return ? named("return", entry, "return") : null);
}

function isSought(entry) {
  const words = plain(sought.trim());
  return words === "" || String(entry.number) === words || plain(entry.player.name).includes(words);
}

function inOrder({ entries }) {
  const order = ["entered", "waiting", "not_there", "dropped", "withdrawn"];
  const rank = (entry) => order.indexOf(entry.state) * 10000 + (entry.waiting_place ?? entry.number ?? 0);
  return entries.filter((entry) => entry.state !== "withdrawn").sort((a, b) => rank(a) - rank(b));
}

function entryRow(desk, entry) {
  return element("tr", { id: `entry-${entry.player.id}`, class: "row" },
    element("td", { class: "number" }, entry.number === null ? "" : String(entry.number)), element("th", { scope: "row" }, playerLink(entry.player)),
    element("td", {}, stateWords(desk, entry)), element("td", { class: "byes-of" }, byesCell(desk, entry)), element("td", {}, buttons(desk, entry)));
}

// True for entries without a place, or not checked in, as long as that can change.
function isWaiting(desk, entry) {
  const { state, settings } = desk.parts.event;
  return state === "entries_open" ? entry.state === "waiting" || (settings.check_in && isAbsent(entry)) : mayEnterLate(desk, entry);
}

// If there are many entries, shows those that match the search; without one, those that wait for something.
function entriesList(desk) {
  const all = inOrder(desk.parts);
  const found = all.filter(isSought);
  const waiting = all.filter((entry) => isWaiting(desk, entry));
  const isBrief = !whole && sought.trim() === "" && all.length > SHOWN;
  const rows = isBrief ? waiting.slice(0, WAITING) : whole ? found : found.slice(0, SHOWN);
  const words = !isBrief ? say("entry.shown", { shown: rows.length, count: all.length })
    : waiting.length === 0 ? say("entry.nobody_waits", { all: all.length }) : say("entry.waiting", { count: waiting.length, shown: rows.length, all: all.length });
  const columns = [{ text: say("entry.number"), number: true }, { text: say("seats.player"), header: true }, { text: say("entry.state") }, { text: say("entry.byes"), class: "byes-of" }, { text: say("entry.steps") }];
  return [all.length <= SHOWN ? null : element("p", { class: "hint", role: "status" }, words),
    rows.length === 0 ? null : table(say(all.length <= SHOWN ? "entry.caption" : "entry.title"), columns, rows.map((entry) => entryRow(desk, entry))),
    rows.length >= found.length ? null : element("p", {}, doing("whole_list", say("entry.show_all", { count: found.length }), {}, { id: "whole-list" }))];
}

function checkInAll(desk) {
  const count = absentees(desk.parts).length;
  return count < 2 ? null : element("p", { class: "bar" }, doing("check_in_all", say("entry.check_in_all", { count }), {}, { id: "check-in-all" }));
}

function entriesTable(desk) {
  const { length } = inOrder(desk.parts);
  if (length === 0) return element("p", {}, say("entry.nobody"));
  return [checkInAll(desk),
    length <= SHOWN ? null : field(searchBox("entry-find", sought), say("entry.find"), say("entry.find_hint")),
    element("div", { id: "entry-list" }, entriesList(desk))];
}

function enterForm(desk) {
  const { may, settings } = desk.parts.event;
  if (isOrganizer(desk) && may.enter === "full" && settings.capacity !== null) return element("p", { class: "hint" }, say("entry.full"));
  if (!isOrganizer(desk) || !mayEnter(desk.parts.event)) return null;
  return element("form", { id: "enter", class: "inline", "data-do": "enter", novalidate: true },
    field(playerBox("enter-name"), say("entry.enter"), say("find.hint")), playerNames("enter-name"), element("p", {}, element("button", { type: "submit" }, say("entry.enter_do"))));
}

// How many house players entered the last time; null before.
let filled = null;

// Offers the levels that the event admits. House players do not wait for places.
function houseForm(desk) {
  const { event } = desk.parts;
  const levels = houseLevels.slice(0, houseLevels.indexOf(event.settings.house) + 1);
  if (!isOrganizer(desk) || event.may.enter !== "place" || levels.length === 0) return null;
  return [element("form", { id: "fill-house", class: "inline", "data-do": "fill_house", novalidate: true },
    field(choiceBox("house-level", levels.map((each) => [each, say(`level.is_${each}`)]), levels.at(-1)), say("house.level")),
    field(numberBox("house-count", "", 1, 64, { "data-field": "count" }), say("house.count"), event.games_from === "rounds" ? say("house.count_hint") : null),
    element("p", {}, element("button", { type: "submit" }, say("house.fill")))),
  element("p", { id: "house-result", role: "status" }, filled === null ? null : filled === 0 ? say("house.full") : say("house.entered", { count: filled }))];
}

function pastedList() {
  if (pasted.length === 0) return null;
  const entered = pasted.filter((each) => ["paste.entered", "paste.held"].includes(each.key)).length;
  return [element("p", {}, say("paste.result", { count: entered, lines: pasted.length })),
    element("ul", { class: "pasted" }, pasted.map(({ name, key, why }) => element("li", {}, said(key, { name: element("bdi", {}, name), why }))))];
}

function pasteForm(desk) {
  if (!isOrganizer(desk) || !mayEnter(desk.parts.event)) return null;
  return element("details", { id: "paste" }, element("summary", {}, say("paste.title")),
    element("form", { id: "paste-form", "data-do": "paste", novalidate: true },
      field(element("textarea", { id: "paste-names", name: "names", rows: 8, "data-field": "names" }), say("paste.names"), say("paste.hint")),
      field(tickBox("paste-hold", true), say("paste.hold")),
      element("p", {}, element("button", { type: "submit" }, say("paste.do")))),
    element("div", { id: "paste-result", role: "status" }, pastedList()));
}

function apartList(desk) {
  const { apart } = desk.parts;
  if (apart.length === 0) return element("p", {}, say("apart.nobody"));
  return element("ul", {}, apart.map(({ players, weight }) => element("li", { class: "bar" },
    element("span", {}, listed(players.map((id) => nameOf(nameOfPlayer(desk, id)))), ": ", weight === "forbidden" ? say("apart.forbidden") : say("apart.weighs", { weight })),
    isOrganizer(desk) ? doing("together", say("apart.end"), { one: players[0], other: players[1] },
      { "aria-label": say("apart.end_of", { names: players.map((id) => nameText(nameOfPlayer(desk, id))).join(", ") }) }) : null)));
}

function apartForm(desk) {
  const people = desk.parts.entries.filter((entry) => entry.state !== "withdrawn").map((entry) => [entry.player.id, nameText(entry.player)]);
  if (!isOrganizer(desk) || people.length < 2 || desk.parts.event.state === "closed") return null;
  return element("form", { id: "keep-apart", class: "inline", "data-do": "apart", novalidate: true },
    field(choiceBox("apart-one", people, people[0][0]), say("apart.one")), field(choiceBox("apart-other", people, people[1][0]), say("apart.other")),
    field(numberBox("apart-weight", "", 1, 10000, { "data-field": "weight" }), say("apart.weight"), say("apart.weight_hint")), element("p", {}, element("button", { type: "submit" }, say("apart.begin"))));
}

let shownDesk = null;

export function part(desk) {
  shownDesk = desk;
  return section("entries", say("entry.title"), entriesTable(desk), enterForm(desk), houseForm(desk), pasteForm(desk), placesPart(desk, mayEnter(desk.parts.event)),
    element("details", { id: "apart" }, element("summary", {}, say("apart.title", { count: desk.parts.apart.length })), element("p", { class: "hint" }, say("apart.about")), apartList(desk), apartForm(desk)));
}

/* ---- Handlers of its buttons ---- */

const entryAt = (desk, player) => `${desk.at}/entries/${player}`;

// Dropping out changes the standings if results no longer count.
function leave(desk, { player }) {
  const at = entryAt(desk, player);
  openDialog({ heading: say("entry.leave_title", { name: nameText(nameOfPlayer(desk, player)) }), label: say("entry.leave_do"),
    preview: async () => {
      const { step, differences } = await send("DELETE", `${at}?preview=true`);
      return [element("p", {}, say(`entry.leaving_${step}`)), step === "dropped" ? differencesTable(differences) : null];
    },
    act: () => carryOut(desk, "DELETE", at) });
}

function bye(desk, { player }) {
  const { event, entries } = desk.parts;
  const [first] = freeRounds(event, entries.find((entry) => entry.player.id === player));
  openDialog({ heading: say("entry.bye_title", { name: nameText(nameOfPlayer(desk, player)) }), label: say("entry.bye_do"),
    fields: [field(numberBox("round", first, 1, 64), say("entry.bye_round")), field(choiceBox("kind", kindsFor(desk, player).map((kind) => [kind, say(`bye.${kind}`)]), "zero"), say("entry.bye_kind"))],
    read: (form) => ({ round: Number(form.elements.round.value), kind: form.elements.kind.value }),
    act: (body) => carryOut(desk, "POST", `${entryAt(desk, player)}/byes`, body) });
}

// After entries are closed there is no waiting list.
async function enterPlayer(desk, player) {
  try {
    return await send("POST", `${desk.at}/entries`, { player });
  } catch (problem) {
    if (problem.code !== "event-full" || desk.parts.event.settings.capacity === null) throw problem;
    throw new Problem(problem.code, problem.status, say("entry.full"));
  }
}

// Offers to hold a place under a name that no account has.
function askToHold(desk, name, form) {
  openDialog({ heading: said("places.ask", { name: element("bdi", {}, name) }), about: say("places.about"), label: say("places.do"),
    act: async () => {
      await hold(desk, name);
      form.reset();
      await desk.refresh();
    } });
}

// The entry of a guest with this name, for whom no second place is to be held.
function heldAs(desk, name) {
  return desk.parts.entries.find((entry) => entry.state !== "withdrawn" && plain(entry.player.name) === plain(`${name} [guest]`));
}

async function enter(desk, _, form) {
  const name = form.querySelector("#enter-name").value.trim();
  const known = heldAs(desk, name);
  let found;
  if (known !== undefined && !mayEnterLate(desk, known)) throw Object.assign(new Problem("already-entered", 409, say("entry.held_already")), { field: "player" });
  try {
    found = known?.player.id ?? await findPlayer(name, desk.parts);
  } catch (problem) {
    if (problem.code !== "unknown-player" || name === "" || !isOrganizer(desk) || !mayEnter(desk.parts.event)) throw problem;
    askToHold(desk, name, form);
    return;
  }
  await enterPlayer(desk, found);
  form.reset();
  await desk.refresh();
}

async function fillHouse(desk, _, form) {
  const count = form.querySelector("#house-count").value;
  const { items } = await send("POST", `${desk.at}/house`, { level: form.querySelector("#house-level").value, ...(count === "" ? {} : { count: Number(count) }) });
  filled = items.length;
  form.reset();
  await desk.refresh();
}

// Handles a line whose name no account has. If a longer list is pasted again, its first names get no second places.
async function holdLine(desk, name, held) {
  if (held.includes(`${name.normalize("NFKC")} [guest]`)) return { name, key: "paste.already" };
  try {
    await hold(desk, name);
    return { name, key: "paste.held" };
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    return { name, key: "paste.refused", why: problem.words };
  }
}

// One line of the list: enters the player, and records the result. `held`: the names of places held before; null: none is to be.
async function enterLine(desk, name, held) {
  try {
    const player = await findPlayer(name, desk.parts);
    const { state } = await enterPlayer(desk, player);
    return { name, key: state === "waiting" ? "paste.waits" : "paste.entered" };
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (problem.code === "unknown-player" && held !== null) return holdLine(desk, name, held);
    const keys = { "unknown-player": "paste.unknown", "already-entered": "paste.already" };
    return { name, key: keys[problem.code] ?? "paste.refused", why: problem.words };
  }
}

// One after another, in the order of the list, which becomes the order of entry.
async function paste(desk, _, form) {
  const box = form.querySelector("#paste-names");
  const names = box.value.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  if (names.length === 0 || names.length > NAMES_MOST) throw Object.assign(new Problem("bad-field", 422, say("paste.how_many", { most: NAMES_MOST })), { field: "names" });
  const lines = [];
  const held = form.querySelector("#paste-hold").checked ? desk.parts.places.map(({ player }) => player.name) : null;
  for (const name of names) lines.push(await enterLine(desk, name, held));
  pasted = lines; // all at once: the page may be redrawn meanwhile
  box.value = pasted.filter(({ key }) => ["paste.unknown", "paste.refused"].includes(key)).map((each) => each.name).join("\n");
  await desk.refresh();
}

// One after another; who is checked in meanwhile, at another desk or alone, is passed over.
function checkInEverybody(desk) {
  const absent = absentees(desk.parts);
  openDialog({ heading: say("entry.check_in_all", { count: absent.length }), about: say("entry.check_in_all_sure"), label: say("entry.do_check_in"), act: async () => {
    for (const { player } of absent)
      await send("POST", `${entryAt(desk, player.id)}/check-in`, { present: true }).catch((problem) => {
        if (!["already-entered", "not-entered"].includes(problem.code)) throw problem;
      });
    await desk.refresh();
  } });
}

document.addEventListener("input", ({ target }) => {
  if (target.id !== "entry-find") return;
  sought = target.value;
  fill(document.getElementById("entry-list"), entriesList(shownDesk));
});

function apart(desk, _, form) {
  const value = (name) => form.querySelector(`#apart-${name}`).value;
  const weight = value("weight") === "" ? "forbidden" : Number(value("weight"));
  return carryOut(desk, "POST", `${desk.at}/kept-apart`, { players: [value("one"), value("other")], weight });
}

export const actions = {
  ...placesActions,
  check_in_all: checkInEverybody,
  whole_list(desk) {
    whole = true;
    desk.redraw();
  },
  enter,
  fill_house: fillHouse,
  paste,
  enter_late: async (desk, { player }) => {
    await enterPlayer(desk, player);
    await desk.refresh();
  },
  leave,
  bye,
  apart,
  check_in: (desk, { player, present }) => carryOut(desk, "POST", `${entryAt(desk, player)}/check-in`, { present: present === "yes" }),
  return: (desk, { player }) => carryOut(desk, "POST", `${entryAt(desk, player)}/return`, {}),
  revoke_bye: (desk, { player, round }) => carryOut(desk, "DELETE", `${entryAt(desk, player)}/byes/${round}`),
  together: (desk, { one, other }) => carryOut(desk, "DELETE", `${desk.at}/kept-apart`, { players: [one, other] }),
};
