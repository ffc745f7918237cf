// An event's desk: its state, the next step, and everything that its officials can do. Each part of the page has its own
// script in manage/, for its display and its buttons.
import { player } from "../lib/account.js";
import { element, link, nameOf, nameText, pageId, Problem, present, read, showContent, signInLink, title } from "../lib/common.js";
import { readLog } from "../event/event-log.js";
import { attempt } from "../lib/forms.js";
import * as draft from "../manage/draft.js";
import * as entries from "../manage/entries.js";
import { offerPlayers } from "../manage/find-player.js";
import * as log from "../manage/log.js";
import * as next from "../manage/next.js";
import * as officials from "../manage/officials.js";
import * as results from "../manage/results.js";
import * as seasons from "../manage/seasons.js";
import * as settings from "../manage/settings-change.js";
import * as tables from "../manage/tables.js";
import { readRounds } from "../event/rounds.js";
import { said, say } from "../lib/words.js";

const id = pageId();
const at = `/v1/events/${id}`;
const main = document.getElementById("main");
const sections = [next, results, draft, tables, entries, officials, seasons, settings, log];
const actions = Object.assign({}, ...sections.map((each) => each.actions));

// Shared by the parts. `parts`: everything that was read, as of one moment.
const desk = { at, id, parts: null, refresh, redraw };

/* ---- Reading ---- */

// The preview of the next pairing, or why there is none.
async function readDraw(event, rounds) {
  if (!next.mayDraw(event, rounds)) return { draw: null, why: null };
  try {
    return { draw: await read(`${at}/rounds/next`), why: null };
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.passes) throw problem;
    return { draw: null, why: { code: problem.code, words: problem.words } };
  }
}

async function myRole(roles) {
  const me = player();
  const found = roles.items.filter((each) => each.player.id === me.id).map((each) => each.role);
  if (found.includes("organizer")) return "organizer";
  if (found.length > 0) return "arbiter";
  return (await read("/v1/me")).roles.includes("admin") ? "organizer" : null;
}

async function readParts() {
  const event = await read(at);
  const roles = await read(`${at}/roles`);
  const role = player() === null ? null : await myRole(roles);
  if (role === null) return { event, roles, role };
  const isLadder = event.games_from === "challenges" && !["draft", "entries_open"].includes(event.state);
  const [list, places, apart, disputes, rounds, lines, bots, challenges] = await Promise.all([
    read(`${at}/entries`), role === "organizer" ? read(`${at}/places`) : { items: [] }, read(`${at}/kept-apart`), read(`${at}/disputes?limit=100`), readRounds(event), readLog(at), read("/v1/me/bots?limit=100"),
    isLadder ? read(`${at}/challenges`) : { challenges: [] }]);
  const { draw, why } = await readDraw(event, rounds);
  const own = [player().id, ...bots.items.map((bot) => bot.id)];
  return { event, roles, role, own, entries: list.items, places: places.items, apart: apart.items, disputes: disputes.items, rounds, draw, why, log: [...lines], challenges: challenges.challenges };
}

/* ---- Drawing ---- */

function outside({ event }) {
  const heading = element("h1", {}, nameOf(event));
  if (player() === null) return [heading, element("p", {}, said("desk.sign_in", { link: signInLink() }))];
  return [heading, element("p", { class: "notice" }, said("desk.not_yours", { link: link(`/events/${id}`, say("desk.public_page")) }))];
}

// Leads to the parts, which are long where many play.
function partLinks(shown) {
  return element("nav", { class: "links parts", "aria-label": say("desk.parts") }, shown.map((each) => link(`#${each.id}`, each.querySelector("h2").textContent)));
}

function content() {
  const { parts } = desk;
  if (parts.role === null) return outside(parts);
  const shown = sections.map((each) => each.part(desk)).filter((each) => each !== null);
  return [
    element("h1", {}, nameOf(parts.event)),
    element("p", { class: "about" }, parts.event.ruleset.title, ". ", say(`desk.as_${parts.role}`), " ", link(`/events/${id}`, say("desk.public_page")), ", ", link(`/events/${id}/badges`, say("places.print_badges"))),
    partLinks(shown),
    shown,
  ];
}

function take(parts) {
  if (desk.parts !== null && parts.event.changes < desk.parts.event.changes) return;
  desk.parts = parts;
}

function redraw() {
  showContent(main, content());
  settings.shown(desk);
}

async function refresh() {
  take(await readParts());
  redraw();
}

let shown = null;

async function draw() {
  take(await readParts());
  const { event, role } = desk.parts;
  const more = role !== null;
  const data = JSON.stringify(desk.parts);
  if (data === shown) return { more, after: event.changes };
  shown = data;
  title(say("desk.title", { name: nameText(event) }));
  return { more, after: event.changes, content: content(), shown: () => settings.shown(desk) };
}

/* ---- Actions ---- */

// If the focused element is gone, the focus moves to the heading of its part.
function keepFocus(section) {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  document.querySelector(`#${section.id} h2`)?.focus();
}

// Takes the step of a button or form. Errors are shown there.
async function run(control, name) {
  const section = control.closest("section");
  await attempt(section, () => actions[name](desk, control.dataset, control), (field) => (control.matches("form") ? control.querySelector(`[data-field="${CSS.escape(field)}"]`) : null));
  keepFocus(section);
}

main.addEventListener("click", (event) => {
  const control = event.target.closest("button[data-do]");
  if (control !== null) run(control, control.dataset.do);
});

main.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target.dataset.do !== undefined) run(event.target, event.target.dataset.do);
});

offerPlayers();
present(draw, 3000, `${at}/stream`);
