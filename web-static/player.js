import { element, gameLink, link, listLinks, listPage, listed, millionths, nameText, nameOf, pageId, place, playerLink, present, read, scopeName, table, time, title } from "./common.js";

const id = pageId();
const ratingColumns = [{ text: "Games of", header: true }, { text: "Rating", number: true, class: "points" },
  { text: "Strength", number: true, class: "extra" }, { text: "Uncertainty", number: true, class: "extra" }, { text: "Games", number: true }, { text: "Remark" }];
const gameColumns = [{ text: "Game", header: true }, { text: "Place" }, { text: "Score", number: true }, { text: "Against" }, { text: "Started", class: "extra" }];

function ratingRow(rating, rulesets) {
  const scope = scopeName(rating.scope, rulesets);
  return [link(`/leaderboard?scope=${rating.scope}`, scope), millionths(rating.rating_millionths), millionths(rating.mu_millionths),
    `± ${millionths(rating.sigma_millionths)}`, String(rating.games), rating.provisional ? "provisional" : ""];
}

function gameRow(game) {
  const own = game.seats.find((seat) => seat.player.id === id);
  const ranks = game.seats.map((seat) => seat.rank);
  return [
    gameLink(game),
    own.rank === null ? game.state : `${place(own.rank, ranks)} of ${ranks.length}`,
    own.score === null ? "" : String(own.score),
    listed(game.seats.filter((seat) => seat !== own).map((seat) => playerLink(seat.player))),
    time(game.started_at),
  ];
}

present(async () => {
  const [player, ratings, games, rulesets] = await Promise.all([read(`/v1/players/${id}`), read(`/v1/players/${id}/ratings`),
    read(`/v1/players/${id}/games?limit=50${listPage("games")}`), read("/v1/rulesets")]);
  title(nameText(player));
  return { content: [
    element("h1", {}, nameOf(player)),
    element("p", { class: "about" }, "Here since ", time(player.created_at), "."),
    element("h2", {}, "Ratings"),
    ratings.items.length === 0 ? element("p", {}, "No rated game yet.")
      : table("The rating is the strength less three times its uncertainty; of tables of two (Glicko-2) the strength.", ratingColumns, ratings.items.map((rating) => ratingRow(rating, rulesets))),
    element("h2", {}, "Games"),
    games.items.length === 0 ? element("p", {}, "No game yet.") : table("Newest first", gameColumns, games.items.map(gameRow)),
    listLinks("games", games.next, "Older games"),
  ] };
});
