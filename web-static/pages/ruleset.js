// The page of a game: how it is played, with pictures that its board draws, its best players and its events. The text of the
// rules is what the service has written, or the one in the reader's language.
import { element, gameSign, importedBadge, link, listed, nameOf, pageId, playerLink, present, read, table, title } from "../lib/common.js";
import { percentileWords } from "../event/rating-remark.js";
import { language, number, say } from "../lib/words.js";
import { drawPictures, readPictures, readText } from "../rules/rules.js";

const slug = pageId();
const written = document.getElementById("rules");

/* ---- The best players ---- */

function best({ items }, isSolo) {
  const columns = [{ text: say("seats.player"), header: true }, { text: say(isSolo ? "rating.percentile" : "rating.rating"), number: true, class: "points" },
    { text: say("rating.games"), number: true }];
  return table(say(isSolo ? "leaderboard.best_first" : "leaderboard.best_ranked"), columns, items.map((each) => [[playerLink(each.player), importedBadge(each.imported)],
    isSolo ? percentileWords(each.percentile) : number(each.display.rating), number(each.games)]));
}

function leaderboardPart(board, scope, isSolo) {
  return [
    element("h2", {}, say("site.leaderboard")),
    board.items.length === 0 ? element("p", {}, say("rating.none")) : best(board, isSolo),
    element("p", { class: "links" }, link(`/leaderboard?scope=${scope}`, say("ruleset.whole_leaderboard")), link(`/games/${slug}/statistics`, say("ruleset.statistics"))),
  ];
}

/* ---- Events ---- */

const ofGame = ({ items }) => items.filter((each) => each.ruleset.slug === slug);

function eventList(heading, events) {
  return events.length === 0 ? null : [element("h3", {}, heading), element("ul", {}, events.map((event) =>
    element("li", {}, listed([link(`/events/${event.id}`, nameOf(event)), say("ruleset.entered", { count: event.entries })]))))];
}

function eventsPart(running, open) {
  return [element("h2", {}, say("ruleset.events")), eventList(say("ruleset.running"), running), eventList(say("ruleset.open"), open),
    running.length + open.length > 0 ? null : element("p", {}, say("ruleset.no_event"))];
}

/* ---- The page ---- */

present(async () => {
  const ruleset = await read(`/v1/rulesets/${slug}`);
  const isSolo = ruleset.seats_max === 1;
  const scope = isSolo ? `solo.${slug}` : slug;
  const [board, running, open, puzzles, found, rules] = await Promise.all([read(`/v1/leaderboard?limit=10&scope=${scope}`), read("/v1/events?state=running&limit=100"),
    read("/v1/events?state=entries_open&limit=100"), read("/v1/puzzles"), written === null ? null : readPictures(slug), written === null || language === "en" ? written : readText(slug)]);
  title(ruleset.title);
  if (rules !== null) drawPictures(rules, found);
  return { content: [
    element("h1", {}, gameSign(slug), " ", ruleset.title),
    element("p", { class: "actions no-print" }, link(`/practice/${slug}?learn=1`, say("ruleset.learn")), link(`/practice/${slug}`, say("ruleset.practice")),
      puzzles.items.some((each) => each.ruleset === slug) ? link(`/puzzles/${slug}`, say("ruleset.puzzle")) : null, link(`/games/${slug}/components`, say("ruleset.components"))),
    rules === null || rules.lang === language ? null : element("p", { class: "hint" }, say("ruleset.english")),
    element("div", { class: "game-page" }, rules ?? element("div"),
      element("div", { class: "aside" }, leaderboardPart(board, scope, isSolo), eventsPart(ofGame(running), ofGame(open)))),
  ] };
});
