// The lobby: open tables of casual games, a form to open one, and games to practice alone.
import { keepPlayer, player } from "../lib/account.js";
import { element, fill, gameSign, link, listed, nameText, newestOf, present, read, send, title } from "../lib/common.js";
import { button, choiceBox, field, formFault, tickBox } from "../lib/forms.js";
import { optionMeaning, optionName, optionValue, otherSets, setField } from "../lib/options.js";
import { say, wordsOf } from "../lib/words.js";
import { accountPart, asSomebody } from "../lobby/guests.js";
import { clockWords, missing, personOf, ratedWords, seatOf, setPart } from "../lobby/tables.js";

const main = document.getElementById("main");
const minute = 60000;
const day = 1440 * minute;
const clocks = [{ bank_ms: 10 * minute, increment_ms: 10000 }, { bank_ms: 20 * minute, increment_ms: 20000 }, { bank_ms: 60 * minute, increment_ms: 30000 },
  { move_ms: day }, { move_ms: 3 * day }, { move_ms: 7 * day }];

let games = []; // rulesets that two or more can play, each in its newest version
let shownTables = []; // their documents, once read

/* ---- Component sets ---- */

// Where a form offers the sets of its game, if that has any. They are asked for once the form is open.
const setsPart = (form) => element("div", { id: `${form}-sets`, class: "of-game" });

async function offerSets(form) {
  const [part, game] = [document.getElementById(`${form}-sets`), document.getElementById(`${form}-game`)?.value];
  if (game === undefined || !part.closest("details").open || part.dataset.game === game) return;
  part.dataset.game = game;
  part.replaceChildren();
  const found = setField(`${form}-components`, await otherSets(game), "", null);
  if (found !== null && part.dataset.game === game) part.replaceChildren(found);
}

// What a new table is told: nothing of the ruleset's own set.
function chosenSet(form) {
  const chosen = document.getElementById(`${form}-components`)?.value ?? "";
  return chosen === "" ? {} : { components: chosen };
}

const offerAll = () => ["new", "house"].forEach(offerSets);

main.addEventListener("toggle", offerAll, true);
main.addEventListener("change", offerAll);

/* ---- Opening a table ---- */

const gameOf = (slug) => games.find((each) => each.slug === slug);

// Nothing if there are too many seats for `most` players.
function seatsField(id, { seats_min: fewest }, most) {
  const least = Math.max(fewest, 2);
  const counts = Array.from({ length: Math.max(most - least + 1, 0) }, (_, i) => least + i);
  return counts.length === 0 ? null : field(choiceBox(id, counts.map((each) => [each, each]), least), say("lobby.seats"));
}

// Seats and options of a game.
function fieldsOf(game) {
  const { slug, options } = game;
  return [
    seatsField("new-seats", game, game.seats_max),
    options.map((option) => field(choiceBox(`new-option-${option.name}`, option.values.map((value) => [value, optionValue(slug, option.name, value)]), option.default),
      optionName(slug, option.name), optionMeaning(slug, option))),
  ];
}

function newTable() {
  const chosen = new URLSearchParams(location.search).get("game");
  const game = gameOf(chosen) ?? games[0];
  return element("details", { id: "new-table", "data-keep": true, open: gameOf(chosen) !== undefined }, element("summary", {}, say("lobby.new")),
    element("form", { id: "new-form", method: "post" },
      element("div", { class: "fields" },
        field(choiceBox("new-game", games.map((each) => [each.slug, each.title]), game.slug), say("lobby.game")),
        element("div", { id: "new-of-game", class: "of-game" }, fieldsOf(game)), setsPart("new"),
        field(choiceBox("new-clock", clocks.map((each, i) => [i, clockWords(each)]), 1), say("lobby.clock"), say("lobby.clock_hint")),
        field(tickBox("new-listed", true), say("lobby.listed"), say("lobby.listed_hint")),
        field(tickBox("new-rated", false), say("lobby.rated"), say("lobby.rated_hint"))),
      formFault(), element("p", { class: "bar" }, element("button", { type: "submit", class: "main" }, say("lobby.do_open")))));
}

function wanted(form) {
  const control = (name) => form.querySelector(`#new-${CSS.escape(name)}`);
  const { slug, options } = gameOf(control("game").value);
  return { ruleset: slug, seats: Number(control("seats").value), clock: clocks[control("clock").value], listed: control("listed").checked, rated: control("rated").checked,
    options: Object.fromEntries(options.map(({ name }) => [name, control(`option-${name}`).value])), ...chosenSet("new") };
}

const goTo = (table) => location.assign(table.game === null ? `/join/${table.code}` : `/games/${table.game}`);

main.addEventListener("submit", (event) => {
  if (event.target.id !== "new-form") return;
  event.preventDefault();
  const body = wanted(event.target);
  asSomebody(event.target, async () => goTo(await send("POST", "/v1/lobby", body)), say("lobby.do_open"), body);
});

main.addEventListener("change", ({ target }) => {
  if (target.id === "new-game") fill(document.getElementById("new-of-game"), fieldsOf(gameOf(target.value)));
});

/* ---- Against the house ---- */

let cameTo = false; // the part that the address is of
let levels = []; // at which the house plays

const levelName = ({ level }) => wordsOf(`level.is_${level}`, level);

// Seats of a game that the house can fill.
function houseSeats(slug) {
  const game = gameOf(slug);
  return seatsField("house-seats", game, Math.min(game.seats_max, 1 + Math.max(...levels.map((each) => each.accounts))));
}

function houseTable() {
  const possible = levels.length === 0 ? [] : games.filter(({ slug }) => houseSeats(slug) !== null);
  if (possible.length === 0) return null;
  const chosen = possible.find(({ slug }) => slug === new URLSearchParams(location.search).get("game")) ?? possible[0];
  return element("details", { id: "house-table", "data-keep": true }, element("summary", {}, say("lobby.house")),
    element("form", { id: "house-form", method: "post" },
      element("p", { class: "about" }, say("lobby.house_about")),
      element("div", { class: "fields" },
        field(choiceBox("house-game", possible.map((each) => [each.slug, each.title]), chosen.slug), say("lobby.game")),
        field(choiceBox("house-level", levels.map((each) => [each.level, levelName(each)]), (levels.find((each) => each.level === "casual") ?? levels[0]).level), say("lobby.level")),
        element("div", { id: "house-of-game", class: "of-game" }, houseSeats(chosen.slug)), setsPart("house")),
      formFault(), element("p", { class: "bar" }, element("button", { type: "submit", class: "main" }, say("lobby.do_house")))));
}

main.addEventListener("submit", (event) => {
  if (event.target.id !== "house-form") return;
  event.preventDefault();
  const value = (name) => event.target.querySelector(`#house-${name}`).value;
  const body = { ruleset: value("game"), house: value("level"), seats: Number(value("seats")), ...chosenSet("house") };
  asSomebody(event.target, async () => goTo(await send("POST", "/v1/lobby", body)), say("lobby.do_house"));
});

main.addEventListener("change", ({ target }) => {
  if (target.id === "house-game") document.getElementById("house-of-game").replaceChildren(houseSeats(target.value));
});

/* ---- Tables ---- */

function card(table) {
  const { slug, title: name } = table.ruleset;
  return element("li", { class: "event-card lobby-table" }, gameSign(slug), element("div", {}, listed(table.players.map(personOf))),
    element("p", {}, `${say("lobby.filled", { filled: table.players.length, seats: table.seats })} \u00b7 ${clockWords(table.clock)} \u00b7 ${ratedWords(table)}`), setPart(table),
    table.players.length >= table.seats ? null : element("p", { class: "bar" }, button(say("lobby.do_sit"), { "data-sit": table.id, class: "main",
      "aria-label": say("lobby.do_sit_at", { game: name, players: table.players.map((each) => nameText(each.player)).join(", ") }) })),
    element("p", { class: "fault form-fault", role: "alert" }));
}

function ownCard(table) {
  const invited = !seatOf(table, player().id)?.seated;
  return element("li", { class: "event-card" }, gameSign(table.ruleset.slug), link(`/join/${table.code}`, table.ruleset.title),
    element("p", {}, invited ? say("lobby.invited_to") : say("lobby.you_wait", { count: missing(table) })));
}

main.addEventListener("click", ({ target }) => {
  const id = target.dataset?.sit;
  if (id === undefined) return;
  asSomebody(target.closest("li"), async () => goTo(await send("POST", `/v1/lobby/${id}/seat`)), say("lobby.do_sit"), shownTables.find((table) => table.id === id));
});

function ofGame({ slug, title: name }) {
  const own = player()?.id;
  const tables = shownTables.filter((each) => each.ruleset.slug === slug && seatOf(each, own) === null);
  return tables.length === 0 ? null : [element("h3", {}, name), element("ul", { class: "event-cards" }, tables.map(card))];
}

/* ---- The page ---- */

async function readOwn() {
  if (player() === null) return [];
  try {
    return (await read("/v1/me/tables")).items;
  } catch (error) {
    if (error.status !== 401) throw error;
    keepPlayer(null);
    return [];
  }
}

// /practice leads to that part of the lobby.
function showAll() {
  offerAll();
  if (location.pathname === "/practice" && !cameTo) document.getElementById("practice").scrollIntoView({ block: "start" });
  cameTo = true;
}

function tile({ slug, title: name }) {
  return element("li", { class: "event-card" }, gameSign(slug), link(`/practice/${slug}`, name));
}

present(async () => {
  const [rulesets, tables, house, own] = await Promise.all([read("/v1/rulesets"), read("/v1/lobby?limit=100"), read("/v1/house"), readOwn()]);
  levels = house.items;
  const newest = newestOf(rulesets.items);
  games = newest.filter((each) => each.seats_max > 1);
  shownTables = tables.items;
  const open = games.map(ofGame).filter((each) => each !== null);
  title(say("lobby.title"));
  return { more: true, shown: showAll, content: [
    element("h1", {}, say("lobby.title")),
    element("p", { class: "about" }, say("lobby.about")),
    accountPart(),
    own.length === 0 ? null : element("section", { id: "your-tables" }, element("h2", {}, say("lobby.mine")), element("ul", { class: "event-cards" }, own.map(ownCard))),
    newTable(),
    houseTable(),
    element("section", { id: "open-tables" }, element("h2", {}, say("lobby.open_tables")), open.length === 0 ? element("p", { class: "notice" }, say("lobby.none")) : open),
    element("section", { id: "practice" }, element("h2", {}, say("lobby.practice")), element("p", { class: "about" }, say("lobby.practice_about")),
      element("ul", { class: "event-cards tiles" }, newest.map(tile))),
  ] };
}, 5000);
