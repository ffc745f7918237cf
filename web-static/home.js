import { player } from "./account.js";
import { byRank, element, gameLink, importedBadge, link, listLinks, listPage, listed, nameOf, place, playerLink, present, read, roundsWords, table, time } from "./common.js";
import { searchForm } from "./search.js";
import { number, said, say } from "./words.js";

const eventColumns = [{ text: say("home.event"), header: true }, { text: say("home.game") }, { text: say("home.state") }, { text: say("event.rounds"), class: "extra" },
  { text: say("entry.title"), number: true, class: "extra" }, { text: say("home.organizer"), class: "extra" }, { text: say("home.made"), class: "extra" }];
const gameColumns = [{ text: say("home.game"), header: true }, { text: say("home.state"), class: "extra" }, { text: say("seats.players") }, { text: say("home.started"), class: "extra" }];

function eventRow(event) {
  return [
    [link(`/events/${event.id}`, nameOf(event)), importedBadge(event.imported)],
    event.ruleset.title,
    say(`state.${event.state}`),
    roundsWords(event),
    number(event.entries),
    playerLink(event.organizer),
    time(event.created_at),
  ];
}

function seatWords(seat, seats) {
  if (seat.rank === null) return nameOf(seat.player);
  return element("span", { class: "part" }, `${place(seat.rank, seats.map((each) => each.rank))}. `, nameOf(seat.player), ` (${number(seat.score)})`);
}

function gameRow(game) {
  return [
    gameLink(game),
    say(`game.is_${game.state}`),
    listed(byRank(game.seats).map((seat) => seatWords(seat, game.seats))),
    time(game.started_at),
  ];
}

function seasonItem(season) {
  return element("li", {}, link(`/seasons/${season.id}`, nameOf(season)), " ", say(`home.season_${season.state}`, { count: season.events_counted }));
}

function eventCard(event) {
  const { slug, title } = event.ruleset;
  return element("li", { class: "event-card" },
    element("span", { class: "game-sign", "data-game": slug, "aria-hidden": "true" }, title[0]),
    link(`/events/${event.id}`, nameOf(event)),
    element("p", {}, `${title} \u00b7 `, event.state === "running" ? [say("home.round", { rounds: roundsWords(event) }), " \u00b7 "] : null,
      say("event.entries", { count: event.entries }), importedBadge(event.imported)));
}

// Events of one state, if there are any.
function statePart(heading, { items }) {
  return items.length === 0 ? null : [element("h2", {}, heading), element("ul", { class: "event-cards" }, items.map(eventCard))];
}

present(async () => {
  const [running, open, events, games, seasons] = await Promise.all([read("/v1/events?state=running&limit=10"), read("/v1/events?state=entries_open&limit=10"),
    read(`/v1/events?limit=30${listPage("events")}`), read(`/v1/games?limit=15${listPage("games")}`), read("/v1/seasons?limit=10")]);
  const nothing = element("p", { class: "notice" }, said("home.no_event", { command: element("code", {}, "./deploy/run --demo"), api: link("/docs", say("site.api")) }));
  return { content: [
    element("h1", {}, say("site.events")),
    element("p", { class: "about" }, say("home.about")),
    player() === null ? null : element("p", { class: "no-print" }, link("/events/new", say("home.new_event"))),
    searchForm(),
    statePart(say("home.running"), running),
    statePart(say("home.open"), open),
    element("h2", {}, say("fault.all_events")),
    events.items.length === 0 ? nothing : table(say("list.newest_first"), eventColumns, events.items.map(eventRow)),
    listLinks("events", events.next, say("home.older_events")),
    seasons.items.length === 0 ? null : [element("h2", {}, say("home.seasons")), element("ul", {}, seasons.items.map(seasonItem))],
    element("h2", {}, say("home.games")),
    games.items.length === 0 ? element("p", {}, say("home.no_game")) : table(say("list.newest_first"), gameColumns, games.items.map(gameRow)),
    listLinks("games", games.next, say("home.older_games")),
    element("p", { class: "links no-print" }, link("/ratings/revisions", say("revision.title"))),
  ] };
});
