import { element, link, listPage, millionths, parameter, place, playerLink, present, read, scopeName, table, title } from "./common.js";

const scope = parameter("scope") ?? "overall";
const columns = [{ text: "Place", number: true }, { text: "Player", header: true },
  { text: "Rating", number: true, class: "points", title: "The strength less three times its uncertainty" },
  { text: "Strength", number: true, class: "extra" }, { text: "Uncertainty", number: true, class: "extra" }, { text: "Games", number: true }, { text: "Remark" }];

function scopeLinks(rulesets) {
  const scopes = [{ slug: "overall", title: "All games" }, ...rulesets.items];
  return element("nav", { class: "links", "aria-label": "Games" }, scopes.map((each) =>
    element("a", { href: `?scope=${each.slug}`, "aria-current": each.slug === scope ? "page" : null }, each.title)));
}

// Places are known on the first page only: a later one does not say how many came before it.
function row(rating, ratings, first) {
  const { rating_millionths: value } = rating;
  const rank = 1 + ratings.filter((each) => each.rating_millionths > value).length;
  const ranks = ratings.map((each) => 1 + ratings.filter((other) => other.rating_millionths > each.rating_millionths).length);
  return [first ? place(rank, ranks) : "", playerLink(rating.player), millionths(value), millionths(rating.mu_millionths),
    `± ${millionths(rating.sigma_millionths)}`, String(rating.games), rating.provisional ? "provisional" : ""];
}

present(async () => {
  const [rulesets, board] = await Promise.all([
    read("/v1/rulesets"), read(`/v1/leaderboard?limit=100&scope=${encodeURIComponent(scope)}${listPage("after")}`)]);
  const glicko = scope.startsWith("glicko.");
  if (scope !== "overall") title(`Leaderboard of ${scopeName(scope, rulesets)}`);
  return { content: [
    element("h1", {}, "Leaderboard"),
    scopeLinks(rulesets),
    element("p", { class: "about" }, glicko ? "The rating is the strength in events at tables of two (Glicko-2), rated when an event is closed. "
      : "The rating is the strength less three times its uncertainty (Plackett-Luce): playing more makes a strength surer. ",
      "Provisional ones are still far from sure."),
    board.items.length === 0 ? element("p", {}, "No rated game yet.") : table("Best first", columns,
      board.items.map((each) => row(each, board.items, parameter("after") === null))),
    board.next === null ? null : element("p", { class: "links" }, link(`?scope=${encodeURIComponent(scope)}&after=${board.next}`, "Further down")),
  ] };
});
