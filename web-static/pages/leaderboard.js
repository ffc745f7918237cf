import { element, importedBadge, link, listPage, newestOf, parameter, playerLink, present, ratingCells, read, scopeName, sharedPlace, table, title } from "../lib/common.js";
import { percentileWords, ratingRemark, shareOf } from "../event/rating-remark.js";
import { number, say } from "../lib/words.js";

const scope = parameter("scope") ?? "overall";
const who = () => [{ text: say("seats.place"), number: true }, { text: say("seats.player"), header: true }];
const games = () => ({ text: say("rating.games"), number: true });
const soloColumns = () => [...who(), { text: say("rating.percentile"), number: true, class: "points", title: say("rating.percentile_is") }, games()];
const isSolo = scope.startsWith("solo.");
const isHouse = scope.startsWith("house.");
const isGlicko = scope.startsWith("glicko.");
// Glicko-2 ratings are ranked by nothing else.
const columns = () => [...who(), { text: say("rating.rating"), number: true, class: "points" }, { text: say("rating.deviation"), number: true, class: "extra", title: say("rating.deviation_is") },
  ...(isGlicko ? [] : [{ text: say("rating.ranked_by"), number: true, class: "extra", title: say("rating.ranked_by_is") }]), { ...games(), class: "extra" }, { text: say("rating.remark"), class: "remark" }];

function linksTo(label, scopes) {
  return scopes.length === 0 ? null : element("nav", { class: "links steps-of", "aria-label": label }, `${label}: `, scopes.map((each) =>
    element("a", { href: `?scope=${each.scope}`, "aria-current": each.scope === scope ? "page" : null }, each.title)));
}

// Every game has a rating across versions; games that two or one can play have another one for that.
function scopeLinks({ items: rulesets }) {
  const items = newestOf(rulesets);
  const of = (prefix, least, most = least) => items.filter((each) => each.seats_min <= most && each.seats_max >= least)
    .map((each) => ({ scope: `${prefix}.${each.slug}`, title: each.title }));
  return [
    linksTo(say("rating.games"), [{ scope: "overall", title: say("leaderboard.all_games") }, ...items.map((each) => ({ scope: each.slug, title: each.title }))]),
    linksTo(say("leaderboard.tables_of_two"), of("glicko", 2)), linksTo(say("leaderboard.games_for_one"), of("solo", 1)),
    linksTo(say("leaderboard.house"), of("house", 2, Infinity)),
  ];
}

const valueOf = (each) => (isSolo ? shareOf(each.percentile) : each.rating_millionths);

// On phones the deviation stands below the rating (style.css): without it the order could not be understood.
function row(each, placeWords) {
  const who = [playerLink(each.player), importedBadge(each.imported)];
  const [rating, deviation] = isSolo ? [] : ratingCells(each);
  return isSolo ? [placeWords, who, percentileWords(each.percentile), number(each.games)]
    : [placeWords, who, element("span", { "data-deviation": deviation }, rating), deviation, ...(isGlicko ? [] : [number(each.display.ranked_by)]), number(each.games), ratingRemark(each)];
}

// Places are shown on the first page only: a later page does not know how many came before.
function board({ items, games_for_place: least }, first) {
  if (items.length === 0) return element("p", {}, say("rating.none"));
  const placed = items.filter((each) => each.games >= least);
  const placeOf = (of) => sharedPlace(1 + placed.filter((each) => valueOf(each) > valueOf(of)).length, placed.filter((each) => valueOf(each) === valueOf(of)).length);
  return table(say("leaderboard.best_first"), isSolo ? soloColumns() : columns(), items.map((each) =>
    row(each, each.games < least ? element("span", { title: say("leaderboard.no_place", { count: least }) }, "–") : first ? placeOf(each) : "")));
}

function meaning({ games_for_place: least }) {
  return [say(isSolo ? "leaderboard.solo_about" : isGlicko ? "leaderboard.glicko_about" : isHouse ? "leaderboard.house_about" : "leaderboard.about"),
    isSolo ? null : say("leaderboard.provisional_about"), least === 1 ? null : say("leaderboard.places_about", { count: least })].filter(Boolean).join(" ");
}

present(async () => {
  const [rulesets, found] = await Promise.all([
    read("/v1/rulesets"), read(`/v1/leaderboard?limit=100&scope=${encodeURIComponent(scope)}${listPage("after")}`)]);
  title(scope === "overall" ? say("site.leaderboard") : say("leaderboard.title_of", { scope: scopeName(scope, rulesets) }));
  return { content: [
    element("h1", {}, say("site.leaderboard")),
    scopeLinks(rulesets),
    element("p", { class: "about" }, meaning(found)),
    board(found, parameter("after") === null),
    found.next === null ? null : element("p", { class: "links" }, link(`?scope=${encodeURIComponent(scope)}&after=${found.next}`, say("list.further"))),
  ] };
});
