// Statistics of an event: how its scores are spread, and what its game's seats are worth; or of a game: its seats alone.
import { element, link, nameOf, nameText, pageId, present, read, title } from "../lib/common.js";
import { barPlot, intervalPlot } from "../lib/plots.js";
import { number, said, say } from "../lib/words.js";

const id = pageId();
const at = `/v1/events/${id}`;

/* ---- Scores ---- */

// What was scored at tables; fallback moves and forfeits are left out.
function playedOf(standings) {
  return standings.rows.flatMap((row) => row.rounds).filter((round) => round.kind === "played" && round.score !== undefined && round.rank !== undefined);
}

// A defeat in a game for one is a score below zero, which is no number of points.
const isDefeat = ({ seats, score }) => seats === 1 && score < 0;

function middle(sorted) {
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

function scores(standings) {
  const played = playedOf(standings);
  const defeats = played.filter(isDefeat).length;
  const lost = defeats === 0 ? null : element("p", {}, say("stats.defeats", { count: defeats }));
  const all = played.filter((round) => !isDefeat(round)).map(({ score }) => score).sort((a, b) => a - b);
  if (all.length === 0) return lost ?? element("p", {}, say("stats.no_score"));
  const mean = all.reduce((sum, each) => sum + each, 0) / all.length;
  return [
    element("p", {}, say("stats.scores_about", { count: all.length, low: all[0], high: all.at(-1), middle: number(middle(all)), mean: number(mean, 1) })), lost,
    barPlot(say("stats.scores"), all, { value: say("seats.score"), count: say("stats.times") }),
  ];
}

/* ---- Seats ---- */

const part = (millionths) => millionths / 1e6;

const tablesLeast = 5; // for each seat: with fewer none is called better or worse

// What the plot shows, and no more.
function seatWords({ seats: count, tables, even, by_seat: seats }) {
  if (tables < tablesLeast * count) return say("stats.seats_few", { count: tablesLeast * count });
  const strong = seats.filter((each) => each.significant);
  const told = (key, those) => (those.length === 0 ? [] : [say(key, { count: those.length, seats: those.map((each) => each.seat + 1).join(", ") }), " "]);
  const isBetter = ({ wins }) => part(wins.value_millionths) * even.denominator > even.numerator;
  if (strong.length === 0) return say("stats.seats_alike");
  return [...told("stats.seats_better", strong.filter(isBetter)), ...told("stats.seats_worse", strong.filter((each) => !isBetter(each))), say("stats.seats_doubt")];
}

function seatPlot(size) {
  const { numerator, denominator } = size.even;
  const items = size.by_seat.map((each) => ({ name: say("stats.seat", { seat: each.seat + 1 }), strong: each.significant,
    value: part(each.wins.value_millionths), low: part(each.wins.low_millionths), high: part(each.wins.high_millionths) }));
  return element("div", {},
    intervalPlot(say("stats.wins_of_size", { seats: size.seats, count: size.tables }), items, numerator / denominator,
      { item: say("seats.seat"), value: say("stats.wins"), low: say("stats.low"), high: say("stats.high") }),
    element("p", {}, seatWords(size)));
}

function seats(advantage, ruleset) {
  const { sizes } = advantage.versions.find((each) => each.ruleset.version === ruleset.version) ?? { sizes: [] };
  if (sizes.length === 0) return element("p", {}, say("stats.no_table"));
  return [element("p", {}, say("stats.seats_about", { game: ruleset.title, count: advantage.games_most })), element("div", { class: "plots" }, sizes.map(seatPlot))];
}

/* ---- The page ---- */

async function draw() {
  const event = await read(at);
  const begun = event.rounds.started > 0 || ["running", "closed"].includes(event.state);
  const [standings, advantage] = await Promise.all([begun ? read(`${at}/standings?operands=none`) : { rows: [] }, read(`/v1/rulesets/${event.ruleset.slug}/seat-advantage`)]);
  title(say("stats.title_of", { event: nameText(event) }));
  return { more: event.state !== "closed", after: event.changes, content: [
    element("h1", {}, say("stats.title")),
    element("p", { class: "about" }, link(`/events/${id}`, nameOf(event))),
    element("h2", {}, say("stats.scores")), scores(standings),
    element("h2", {}, say("stats.seats")), seats(advantage, event.ruleset), asJson(event.ruleset),
  ] };
}

const asJson = ({ slug }) => element("p", { class: "no-print" }, said("stats.as_json", { seats: link(`/v1/rulesets/${slug}/seat-advantage`, say("stats.seats")) }));

async function drawGame() {
  const [ruleset, advantage] = await Promise.all([read(`/v1/rulesets/${id}`), read(`/v1/rulesets/${id}/seat-advantage`)]);
  title(say("stats.title_of", { event: ruleset.title }));
  return { content: [
    element("h1", {}, say("stats.title")), element("p", { class: "about" }, link(`/games/${id}`, ruleset.title)),
    element("h2", {}, say("stats.seats")), seats(advantage, ruleset), asJson(ruleset),
  ] };
}

if (location.pathname.startsWith("/games/")) present(drawGame);
else present(draw, 5000, `${at}/stream`);
