import { element, eventState, gameLink, hexText, importedBadge, link, listed, listLinks, listPage, nameOf, nameText, pageId, place, playerLink, present, ratingCells, read, scopeName, scoreWords, shareButton, stateWords, table, time, title, whereWords } from "../lib/common.js";
import { headToHead, ratedTablePath, ratingGraphs } from "../event/player-more.js";
import { followPart } from "../event/follow.js";
import { ratingRemark } from "../event/rating-remark.js";
import { number, said, say } from "../lib/words.js";

const id = pageId();
const ratingColumns = () => [{ text: say("player.games_of"), header: true }, { text: say("rating.rating"), number: true, class: "points" },
  { text: say("rating.deviation"), number: true, title: say("rating.deviation_is") }, { text: say("rating.games"), number: true },
  { text: say("rating.remark"), class: "remark extra" }];
const gameColumns = () => [{ text: say("home.game"), header: true }, { text: say("seats.place"), class: "unbroken" }, { text: say("seats.score"), number: true, class: "roomy" }, { text: say("player.against") },
  { text: say("home.started"), class: "extra" }];

function ratingRow(rating, rulesets) {
  const scope = scopeName(rating.scope, rulesets);
  return [link(`/leaderboard?scope=${rating.scope}`, scope), ...ratingCells(rating), number(rating.games), ratingRemark(rating)];
}

function gameRow(game) {
  const own = game.seats.find((seat) => seat.player.id === id);
  const ranks = game.seats.map((seat) => seat.rank);
  return [
    gameLink(game),
    own.rank === null ? stateWords(game) : ranks.length === 1 ? "" : say("player.place_of", { place: place(own.rank, ranks), count: ranks.length }),
    scoreWords(own.score, ranks.length),
    listed(game.seats.filter((seat) => seat !== own).map((seat) => playerLink(seat.player))),
    time(game.started_at),
  ];
}

const reportedColumns = () => [{ text: say("player.event"), header: true }, { text: say("home.game"), class: "extra" }, { text: say("seats.place") }, { text: say("seats.score"), number: true },
  { text: say("player.reported_at"), class: "extra" }];

// Results from real tables, which no record proves.
function reportedPart({ items }) {
  if (items.length === 0) return null;
  return [element("h2", { id: "reported" }, say("player.reported")), table(say("player.reported_about"), reportedColumns(), items.map((each) => [
    link(ratedTablePath({ ...each, event: each.event.id }), nameOf(each.event), ", ", whereWords({ round: each.round, table: each.table })), each.ruleset.title,
    say("player.place_of", { place: String(each.rank), count: each.seats }), each.score === null ? "" : number(each.score), time(each.at)]))];
}

const organizedColumns = () => [{ text: say("home.event"), header: true }, { text: say("home.game"), class: "extra" }, { text: say("home.state") }, { text: say("entry.title"), number: true, class: "extra" },
  { text: say("home.made"), class: "extra" }];

function organizedPart({ items, next }) {
  if (items.length === 0) return null;
  return [element("h2", { id: "organized" }, say("player.organizes")), table(say("list.newest_first"), organizedColumns(), items.map((event) => [
    [link(`/events/${event.id}`, nameOf(event)), importedBadge(event.imported)], event.ruleset.title, eventState(event),
    number(event.entries), time(event.created_at)])), listLinks("organized", next, say("home.older_events"))];
}

present(async () => {
  const [player, ratings, games, rulesets, opponents, reported, organized] = await Promise.all([read(`/v1/players/${id}`), read(`/v1/players/${id}/ratings`),
    read(`/v1/players/${id}/games?limit=50${listPage("games")}`), read("/v1/rulesets"), read(`/v1/players/${id}/opponents`), read(`/v1/players/${id}/reported`),
    read(`/v1/players/${id}/organized?limit=20${listPage("organized")}`)]);
  const graphs = await ratingGraphs(id, ratings, rulesets);
  title(nameText(player));
  return { content: [
    element("h1", {}, nameOf(player), importedBadge(player.imported)),
    element("p", { class: "about" }, player.imported === null ? said("player.since", { when: time(player.created_at) })
      : said("player.imported_from", { key: hexText(player.imported.key), when: time(player.created_at) })),
    element("p", { class: "links no-print" }, link(`/players/${id}/card`, say("player.card")), " ", shareButton()),
    player.imported === null ? await followPart(id) : null, // who has no account here cannot open an event
    element("h2", {}, say("player.ratings")),
    ratings.items.length === 0 ? element("p", {}, say("rating.none"))
      : table(say("player.ratings_about"), ratingColumns(), ratings.items.map((rating) => ratingRow(rating, rulesets))),
    graphs,
    headToHead(opponents),
    element("h2", {}, say("home.games")),
    games.items.length === 0 ? element("p", {}, say("player.no_game")) : table(say("list.newest_first"), gameColumns(), games.items.map(gameRow)),
    listLinks("games", games.next, say("home.older_games")),
    reportedPart(reported),
    organizedPart(organized),
  ] };
});
