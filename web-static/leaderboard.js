import { element, link, listPage, millionths, parameter, place, playerLink, present, read, scopeName, table, title } from "./common.js";

const scope = parameter("scope") ?? "overall";
const columns = [{ text: "Place", number: true }, { text: "Player", header: true },
  { text: "Rating", number: true, class: "points", title: "The strength less three times its uncertainty" },
  { text: "Strength", number: true, class: "extra" }, { text: "Uncertainty", number: true, class: "extra" }, { text: "Games", number: true }, { text: "Remark" }];

const soloColumns = [{ text: "Place", number: true }, { text: "Player", header: true },
  { text: "Percentile", number: true, class: "points", title: "The mean of the percentiles of all results" }, { text: "Games", number: true }];
const isSolo = scope.startsWith("solo.");
const isGlicko = scope.startsWith("glicko.");

function linksTo(label, scopes) {
  return scopes.length === 0 ? null : element("nav", { class: "links", "aria-label": label }, `${label}: `, scopes.map((each) =>
    element("a", { href: `?scope=${each.scope}`, "aria-current": each.scope === scope ? "page" : null }, each.title)));
}

// Every game has a rating, whatever its version; those that two or one can play another one of that.
function scopeLinks({ items: rulesets }) {
  const items = rulesets.filter((each, i) => rulesets.findIndex((other) => other.slug === each.slug) === i);
  const of = (prefix, seats) => items.filter((each) => each.seats_min <= seats && each.seats_max >= seats)
    .map((each) => ({ scope: `${prefix}.${each.slug}`, title: each.title }));
  return [
    linksTo("Games", [{ scope: "overall", title: "All games" }, ...items.map((each) => ({ scope: each.slug, title: each.title }))]),
    linksTo("Tables of two", of("glicko", 2)), linksTo("Games for one", of("solo", 1)),
  ];
}

function soloRow({ player, percentile, games }, first, all) {
  const share = ({ numerator, denominator }) => numerator / denominator;
  const better = (than) => 1 + all.filter((each) => share(each.percentile) > share(than)).length;
  return [first ? place(better(percentile), all.map((each) => better(each.percentile))) : "", playerLink(player), `${percentile.text} %`, String(games)];
}

function board({ items }, first) {
  if (items.length === 0) return element("p", {}, "No rated game yet.");
  return isSolo ? table("Best first", soloColumns, items.map((each) => soloRow(each, first, items)))
    : table("Best first", columns, items.map((each) => row(each, items, first)));
}

function meaning() {
  if (isSolo) return "The percentile of a result is the share of the other results on its board that it is ahead of; the mean of all of a player’s results stands here.";
  const rating = isGlicko ? "The rating is the strength in events at tables of two (Glicko-2), rated when an event is closed. "
    : "The rating is the strength less three times its uncertainty (Plackett-Luce): playing more makes a strength surer. ";
  return `${rating}Provisional ones are still far from sure.`;
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
  const [rulesets, found] = await Promise.all([
    read("/v1/rulesets"), read(`/v1/leaderboard?limit=100&scope=${encodeURIComponent(scope)}${listPage("after")}`)]);
  if (scope !== "overall") title(`Leaderboard of ${scopeName(scope, rulesets)}`);
  return { content: [
    element("h1", {}, "Leaderboard"),
    scopeLinks(rulesets),
    element("p", { class: "about" }, meaning()),
    board(found, parameter("after") === null),
    found.next === null ? null : element("p", { class: "links" }, link(`?scope=${encodeURIComponent(scope)}&after=${found.next}`, "Further down")),
  ] };
});
