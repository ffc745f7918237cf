import { player } from "./account.js";
import { byRank, element, gameLink, link, listLinks, listPage, listed, nameOf, place, playerLink, present, read, roundsWords, table, time, words } from "./common.js";
import { say } from "./words.js";

const eventColumns = [{ text: "Event", header: true }, { text: "Game" }, { text: "State" }, { text: "Rounds", class: "extra" },
  { text: "Entries", number: true, class: "extra" }, { text: "Organizer", class: "extra" }, { text: "Made", class: "extra" }];
const gameColumns = [{ text: "Game", header: true }, { text: "State", class: "extra" }, { text: "Players" }, { text: "Started", class: "extra" }];

function eventRow(event) {
  return [
    link(`/events/${event.id}`, nameOf(event)),
    event.ruleset.title,
    words(event.state),
    roundsWords(event),
    String(event.entries),
    playerLink(event.organizer),
    time(event.created_at),
  ];
}

function seatWords(seat, seats) {
  if (seat.rank === null) return nameOf(seat.player);
  return element("span", {}, `${place(seat.rank, seats.map((each) => each.rank))}. `, nameOf(seat.player), ` (${seat.score})`);
}

function gameRow(game) {
  return [
    gameLink(game),
    game.state,
    listed(byRank(game.seats).map((seat) => seatWords(seat, game.seats))),
    time(game.started_at),
  ];
}

function seasonItem(season) {
  return element("li", {}, link(`/seasons/${season.id}`, nameOf(season)), ` (${season.state}, ${season.events_counted} ${season.events_counted === 1 ? "event" : "events"})`);
}

present(async () => {
  const [events, games, seasons] = await Promise.all([
    read(`/v1/events?limit=30${listPage("events")}`), read(`/v1/games?limit=15${listPage("games")}`), read("/v1/seasons?limit=10")]);
  const nothing = element("p", { class: "notice" }, "There is no event yet. ", element("code", {}, "./deploy/run --demo"),
    " plays one, and the ", link("/docs", "API"), " says how to make one.");
  return { content: [
    element("h1", {}, "Events"),
    element("p", { class: "about" }, "Tournaments of board games, with every move on the roll."),
    player() === null ? null : element("p", { class: "no-print" }, link("/events/new", say("new.title"))),
    events.items.length === 0 ? nothing : table("Newest first", eventColumns, events.items.map(eventRow)),
    listLinks("events", events.next, "Older events"),
    seasons.items.length === 0 ? null : [element("h2", {}, "Seasons"), element("ul", {}, seasons.items.map(seasonItem))],
    element("h2", {}, "Games"),
    games.items.length === 0 ? element("p", {}, "No game has been started.") : table("Newest first", gameColumns, games.items.map(gameRow)),
    listLinks("games", games.next, "Older games"),
  ] };
});
