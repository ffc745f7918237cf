import { isGuest, keepPlayer, player } from "../lib/account.js";
import { byRank, duration, element, eventState, gameLink, gameSign, guestLink, importedBadge, link, listed, listLinks, listPage, nameOf, newestOf, place, playerLink, present, read, roundsWords, scoreWords, send, stateWords, table, time, whereWords } from "../lib/common.js";
import { contestedAt, reportPage } from "../event/rounds.js";
import { attempt, button, formFault } from "../lib/forms.js";
import { searchForm } from "../lib/search.js";
import { addWords, number, said, say } from "../lib/words.js";

const eventColumns = () => [{ text: say("home.event"), header: true }, { text: say("home.game"), class: "extra" }, { text: say("home.state") }, { text: say("event.rounds"), class: "extra" },
  { text: say("entry.title"), number: true, class: "extra" }, { text: say("home.organizer"), class: "extra" }, { text: say("home.made"), class: "extra" }];
const gameColumns = () => [{ text: say("home.game"), header: true }, { text: say("home.state"), class: "extra" }, { text: say("seats.players") }, { text: say("home.started"), class: "extra" }];

// Time and place, if given.
function whenLine({ settings: { place: where, starts_at: when } }) {
  if (when === undefined && where === undefined) return null;
  return element("p", { class: "when" }, listed([when === undefined ? null : time(when), where === undefined ? null : element("bdi", {}, where)], " \u00b7 "));
}

function eventRow(event) {
  return [
    [link(`/events/${event.id}`, nameOf(event)), importedBadge(event.imported), whenLine(event)],
    event.ruleset.title,
    eventState(event),
    roundsWords(event),
    number(event.entries),
    playerLink(event.organizer),
    time(event.created_at),
  ];
}

// The comma after a seat stays with it.
function seatWords(seat, i, seats) {
  const comma = i + 1 < seats.length ? "," : "";
  if (seat.rank === null) return [nameOf(seat.player), `${comma} `];
  const rank = place(seat.rank, seats.map((each) => each.rank));
  return [element("span", { class: "part" }, rank === "" ? null : `${rank}. `, nameOf(seat.player), ` (${scoreWords(seat.score, seats.length)})${comma}`), " "];
}

function gameRow(game) {
  return [
    gameLink(game),
    stateWords(game),
    byRank(game.seats).map(seatWords),
    time(game.started_at),
  ];
}

function seasonItem(season) {
  return element("li", {}, link(`/seasons/${season.id}`, nameOf(season)), " ", say(`home.season_${season.state}`, { count: season.events_counted }));
}

function tile({ slug, title, seats_min: min, seats_max: max }) {
  return element("li", { class: "event-card" }, gameSign(slug), link(`/games/${slug}`, title),
    element("p", {}, min === max ? say("home.players", { count: max }) : say("home.players_between", { min, max })));
}

// Each game once, whatever the versions of its rules.
function tiles({ items }, puzzles) {
  const games = newestOf(items);
  return [element("h2", {}, say("home.the_games")), element("ul", { class: "event-cards tiles" }, games.map(tile)),
    element("p", { class: "links no-print" }, say("home.practice"), games.map(({ slug, title }) => link(`/practice/${slug}`, title))),
    puzzles.items.length === 0 ? null : element("p", { id: "puzzles-of-today", class: "links no-print" }, say(puzzles.items.some(({ day }) => day === puzzles.today) ? "home.puzzles" : "home.old_puzzles"), puzzles.items.map(({ ruleset, title }) => link(`/puzzles/${ruleset}`, title)))];
}

const picture = (game) => element("div", { class: "picture", "data-picture": game.id, "data-keep": true, inert: true, "aria-hidden": "true" });

// The newest public game in progress; strangers see it being played.
function livePart(game) {
  return [element("h2", {}, say("home.live")), element("ul", { class: "event-cards" }, element("li", { class: "event-card live" },
    gameSign(game.ruleset.slug), gameLink(game), element("p", {}, listed(game.seats.map((seat) => nameOf(seat.player)))), player() === null ? picture(game) : null))];
}

// The page does not wait for it.
async function showLive(game) {
  const host = document.querySelector(".live > .picture");
  if (host === null) return;
  try {
    const { followPicture } = await import("../event/live-board.js");
    await followPicture(host, game);
  } catch (error) {
    console.info(error.message);
  }
}

/* ---- For signed-in readers ---- */

const shownGames = 20;

// The time on a seat's clock; nothing without clocks.
function clockWords(game, seat) {
  const clock = game.clocks?.seats.find((each) => each.seat === seat);
  if (clock === undefined) return null;
  const left = clock.running && clock.runs_out_at !== null ? Math.max(Date.parse(clock.runs_out_at) - Date.now(), 0) : clock.left_ms;
  return say("home.clock", { left: duration(left) });
}

function ownGameCard({ game, event, seat }) {
  const others = game.seats.filter((each) => each.seat !== seat).map((each) => nameOf(each.player));
  const facts = [event === null ? null : nameOf(event), clockWords(game, seat)].filter((each) => each !== null);
  return element("li", { class: "event-card" }, gameSign(game.ruleset.slug), gameLink(game),
    facts.length === 0 ? null : element("p", {}, listed(facts, " \u00b7 ")),
    others.length === 0 ? null : element("p", {}, said("home.against", { players: listed(others) })), game.deciders.includes(seat) ? picture(game) : null);
}

const picturesMost = 4;

// The boards of the first games that wait. Without them the cards say all there is.
async function showPictures(own) {
  const hosts = [...document.querySelectorAll("#your-turn [data-picture]")].slice(0, picturesMost);
  if (hosts.length === 0) return;
  const { drawPicture } = await import("../event/live-board.js");
  for (const host of hosts) {
    const { game, seat } = own.find((each) => each.game.id === host.dataset.picture);
    await drawPicture(host, game, seat).catch((error) => console.info(error.message));
  }
}

// Each item, a game or a dispute, with its event.
function withEvents(name, items) {
  const events = new Map();
  for (const { event } of items) if (event !== null && !events.has(event.id)) events.set(event.id, read(`/v1/events/${event.id}`));
  return Promise.all(items.map(async (item) => ({ [name]: item, event: item.event === null ? null : await events.get(item.event.id) })));
}

// A player's newest running games, each with its event and the seat.
async function readOwn(id) {
  const { items } = await read(`/v1/me/games?state=running&limit=${shownGames}`);
  const own = await withEvents("game", await Promise.all(items.map((each) => read(`/v1/games/${each.id}`))));
  return own.map((each) => ({ ...each, seat: each.game.seats.find(({ player: { id: of } }) => of === id)?.seat }));
}

/* ---- Real tables ---- */

const isPlayedAtTables = ({ state, rounds, settings }) => state === "running" && rounds.started > 0 && settings.stages.some(({ play }) => play === "table");

// Tables where the reader sits and whose result does not count yet, with what can be done about it.
async function readReports(events, id) {
  const own = await Promise.all(events.filter(isPlayedAtTables).map(async (event) => {
    const round = await read(`/v1/events/${event.id}/rounds/${event.rounds.started}`);
    return { event, round, table: round.seating.find(({ seats }) => seats.some((seat) => seat.player.id === id)) };
  }));
  const open = own.filter(({ round, table }) => round.play === "table" && table !== undefined && !table.ruled && (!table.reported || table.report.against !== null));
  if (open.length === 0) return [];
  const [{ reportWords }] = await Promise.all([import("../event/mine.js"), addWords("mine")]);
  return open.map(({ event, round, table }) => ({ event, at: reportPage(round.number, table.table, event.id), words: reportWords(round, table, event.id) }));
}

function reportCard({ event, at, words }) {
  return element("li", { class: "event-card" }, gameSign(event.ruleset.slug), link(at, nameOf(event)), element("p", {}, words));
}

/* ---- Disputes and contested results that a reader may decide ---- */

function disputeCard({ dispute, event }) {
  return element("li", { class: "event-card" }, event === null ? null : gameSign(event.ruleset.slug), link(`/disputes/${dispute.id}`, say("dispute.title", { claim: say(`claim.${dispute.claim}`) })),
    event === null ? null : element("p", {}, nameOf(event), say("dispute.at", dispute.event)),
    element("p", {}, say(`dispute.is_${dispute.state}`), " \u00b7 ", time(dispute.opened_at)),
    element("p", {}, said("dispute.opened", { name: nameOf(dispute.opened_by) })));
}

function contestedCard(each) {
  return element("li", { class: "event-card" }, gameSign(each.ruleset.slug), link(contestedAt(each), say("home.contested")), element("p", {}, nameOf(each.event), ": ", whereWords(each)), element("p", {}, time(each.since)));
}

async function readDecisions() {
  const [{ items: disputes }, { items: results }] = await Promise.all([read(`/v1/me/disputes?limit=${shownGames}`), read("/v1/me/contested-results")]);
  if (disputes.length > 0) await addWords("audit");
  return { disputes: await withEvents("dispute", disputes), results };
}

function decisionsPart({ disputes, results }) {
  return ownPart(say("home.disputes"), "to-decide", [...disputes.map(disputeCard), ...results.slice(0, shownGames).map(contestedCard)]);
}

/* ---- Games that a reader follows ---- */

// The games that the reader follows, running ones first.
async function readFollowed() {
  const { items } = await read(`/v1/me/followed-games?limit=${shownGames}`);
  return withEvents("game", [...items.filter(({ state }) => state === "running"), ...items.filter(({ state }) => state !== "running")]);
}

function followedCard({ game, event }) {
  return element("li", { class: game.state === "running" ? "event-card live" : "event-card" }, gameSign(game.ruleset.slug), gameLink(game),
    element("p", {}, listed([event === null ? null : nameOf(event), stateWords(game)], " \u00b7 ")),
    element("p", {}, byRank(game.seats).map(seatWords)),
    element("p", {}, button(say("follow.end"), { "data-unfollow": game.id }), formFault()));
}

function followedPart(followed) {
  return followed.length === 0 ? null : [element("h2", {}, say("home.followed")), element("ul", { id: "followed", class: "event-cards" }, followed.map(followedCard))];
}

document.addEventListener("click", ({ target }) => {
  const card = target.dataset?.unfollow === undefined ? null : target.closest(".event-card");
  if (card === null) return;
  attempt(card, async () => {
    await send("DELETE", `/v1/me/followed-games/${target.dataset.unfollow}`);
    const list = card.parentElement;
    card.remove();
    if (list.children.length === 0) {
      list.previousElementSibling.remove();
      list.remove();
    }
  });
});

function ownPart(heading, id, cards) {
  return cards.length === 0 ? null : [element("h2", {}, heading), element("ul", { id, class: "event-cards" }, cards)];
}

let ownGames = []; // as they were read

// Games waiting for a signed-in reader, then their other games and events; nothing for others, or if the session has ended.
async function ownParts() {
  const known = player();
  if (known === null) return null;
  const all = await Promise.all([readOwn(known.id), readFollowed(), read(`/v1/me/events?limit=${shownGames}`), readDecisions()]).catch((error) => {
    if (error.status !== 401) throw error;
    keepPlayer(null);
    return null;
  });
  if (all === null) return null;
  const [own, followed, { items: events }, decisions] = all;
  ownGames = own;
  const isTurn = ({ game, seat }) => game.deciders.includes(seat);
  const waiting = [...own.filter(isTurn).map(ownGameCard), ...(await readReports(events, known.id)).map(reportCard)];
  return [
    ownPart(say("home.your_turn"), "your-turn", waiting) ?? element("p", { class: "notice" }, say("home.no_turn")),
    decisionsPart(decisions),
    ownPart(say("home.your_games"), "your-games", own.filter((each) => !isTurn(each)).map(ownGameCard)),
    events.length === 0 ? null : [element("h2", {}, say("home.your_events")), element("ul", { id: "your-events", class: "event-cards" }, events.map(eventCard))],
    followedPart(followed),
  ];
}

function actions() {
  return element("p", { class: "actions no-print" }, link("/lobby", say("home.play")), isGuest() ? guestLink() : link("/events/new", say("home.new_event")), player() === null ? link("/login", say("home.join")) : null);
}

// Ladders and open play have no rounds.
const roundPart = (event) => (event.rounds.started === 0 ? null : [say("home.round", { rounds: roundsWords(event) }), " \u00b7 "]);

function eventCard(event) {
  const { slug, title } = event.ruleset;
  return element("li", { class: "event-card" },
    gameSign(slug),
    link(`/events/${event.id}`, nameOf(event)),
    element("p", {}, `${title} \u00b7 `, event.state === "running" ? roundPart(event) : event.state === "entries_open" ? null : [say(`state.${event.state}`), " \u00b7 "],
      say("event.entries", { count: event.entries }), importedBadge(event.imported)),
    whenLine(event));
}

// Events in one state, if there are any.
function statePart(heading, { items }) {
  return items.length === 0 ? null : [element("h2", {}, heading), element("ul", { class: "event-cards" }, items.map(eventCard))];
}

present(async () => {
  const own = await ownParts();
  const [rulesets, puzzles, live, running, open, events, games, seasons] = await Promise.all([read("/v1/rulesets"), read("/v1/puzzles"), read("/v1/games?state=running&limit=10"),
    read("/v1/events?state=running&limit=10"), read("/v1/events?state=entries_open&limit=10"),
    read(`/v1/events?limit=30${listPage("events")}`), read(`/v1/games?limit=15${listPage("games")}`), read("/v1/seasons?limit=10")]);
  const shownLive = live.items.find((each) => !each.hidden);
  const nothing = element("p", { class: "notice" }, said("home.no_event", { command: element("code", {}, "./deploy/run --demo"), api: link("/docs/api", say("site.api")) }));
  return { content: [
    element("h1", {}, say("home.title")),
    element("p", { class: "about" }, say("home.about")),
    own,
    actions(),
    tiles(rulesets, puzzles),
    shownLive === undefined ? null : livePart(shownLive),
    element("section", { id: "events" }, statePart(say("home.running"), running),
      statePart(say("home.open"), open),
      searchForm(),
      element("h2", {}, say("fault.all_events")),
      events.items.length === 0 ? nothing : table(say("list.newest_first"), eventColumns(), events.items.map(eventRow)),
      listLinks("events", events.next, say("home.older_events"))),
    seasons.items.length === 0 ? null : [element("h2", {}, say("home.seasons")), element("ul", {}, seasons.items.map(seasonItem))],
    element("h2", {}, say("home.games")),
    games.items.length === 0 ? element("p", {}, say("home.no_game")) : table(say("list.newest_first"), gameColumns(), games.items.map(gameRow)),
    listLinks("games", games.next, say("home.older_games")),
    element("p", { class: "links no-print" }, link("/ratings/revisions", say("revision.title"))),
  ], shown: () => {
    showLive(shownLive);
    return showPictures(ownGames);
  } };
});
