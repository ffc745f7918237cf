import { element, millionths, pageId, read, show, table, time, title } from "./common.js";

const id = pageId();

function ratingRow(rating) {
  return [rating.scope, millionths(rating.rating_millionths), `${millionths(rating.mu_millionths)} ± ${millionths(rating.sigma_millionths)}`,
    String(rating.games), rating.provisional ? "provisional" : ""];
}

function gameRow(game) {
  const own = game.seats.find((seat) => seat.player.id === id);
  return [
    element("a", { href: `/games/${game.id}` }, game.ruleset.title),
    own.rank === null ? game.state : `${own.rank}. of ${game.seats.length}`,
    own.score === null ? "" : String(own.score),
    game.seats.filter((seat) => seat !== own).map((seat) => seat.player.name).join(", "),
    time(game.started_at),
  ];
}

show(async () => {
  const [player, ratings, games] = await Promise.all([read(`/v1/players/${id}`), read(`/v1/players/${id}/ratings`), read(`/v1/players/${id}/games`)]);
  title(player.name);
  return [
    element("h1", {}, player.name),
    element("p", { class: "about" }, "Here since ", time(player.created_at), "."),
    element("h2", {}, "Ratings"),
    ratings.items.length === 0 ? element("p", {}, "No rated game yet.") : table("The rating is the strength less three times its uncertainty.", [
      { text: "Scope", header: true }, { text: "Rating", number: true }, { text: "Strength" }, { text: "Games", number: true }, { text: "" }], ratings.items.map(ratingRow)),
    element("h2", {}, "Games"),
    games.items.length === 0 ? element("p", {}, "No game yet.") : table("Newest first", [
      { text: "Game", header: true }, { text: "Place" }, { text: "Score", number: true }, { text: "Against" }, { text: "Started" }], games.items.map(gameRow)),
  ];
});
