import { byRank, element, playerLink, read, show, table, time, words } from "./common.js";

function eventRow(event) {
  return [
    element("a", { href: `/events/${event.id}` }, event.name),
    event.ruleset.title,
    words(event.state),
    `${event.rounds.started} of ${event.rounds.planned}`,
    String(event.entries),
    playerLink(event.organizer),
    time(event.created_at),
  ];
}

function gameRow(game) {
  const seats = byRank(game.seats).map((seat) => (seat.rank === null ? seat.player.name : `${seat.rank}. ${seat.player.name} (${seat.score})`));
  return [
    element("a", { href: `/games/${game.id}` }, game.ruleset.title),
    game.state,
    seats.join(", "),
    time(game.started_at),
  ];
}

show(async () => {
  const [events, games] = await Promise.all([read("/v1/events?limit=30"), read("/v1/games?limit=15")]);
  const nothing = element("p", { class: "notice" }, "There is no event yet. ", element("code", {}, "./deploy/run --demo"),
    " plays one, and the ", element("a", { href: "/docs" }, "API"), " says how to make one.");
  return [
    element("h1", {}, "Events"),
    element("p", { class: "about" }, "Tournaments of board games, with every move on the roll."),
    events.items.length === 0 ? nothing : table("Newest first", [
      { text: "Event", header: true }, { text: "Game" }, { text: "State" }, { text: "Rounds" },
      { text: "Entries", number: true }, { text: "Organizer" }, { text: "Made" }], events.items.map(eventRow)),
    element("h2", {}, "Games"),
    games.items.length === 0 ? element("p", {}, "No game has been started.") : table("Newest first", [
      { text: "Game", header: true }, { text: "State" }, { text: "Players" }, { text: "Started" }],
      games.items.map(gameRow)),
  ];
});
