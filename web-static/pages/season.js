// A season: the standings over several events, and which results of each player count.
import { element, link, listed, millionths, nameOf, nameText, pageId, parameter, playerLink, present, read, sharedPlace, showContent, table, title } from "../lib/common.js";
import { player } from "../lib/account.js";
import { figure, number, said, say } from "../lib/words.js";

const id = pageId();
const at = `/v1/seasons/${id}`;
const main = document.getElementById("main");
const eventColumns = ({ weighting }) => [{ text: say("home.event"), header: true }, { text: say("home.game"), class: "extra" }, { text: say("home.state") }, { text: say("seats.players"), number: true },
  { text: say("season.weight"), number: true, title: say("season.weight_is"), class: weighting === "field" ? null : "extra" }];
const columns = () => [{ text: say("seats.place"), number: true }, { text: say("seats.player"), header: true }, { text: say("season.total"), number: true, class: "points" },
  { text: say("season.results") }, { text: say("season.can_reach"), class: "extra" }];

function rulesWords({ method, best, least_entrants: least, weighting }) {
  const worth = say(`season.worth_${method}${weighting === "field" ? "_weighed" : ""}`);
  return [worth, " ", method === "percentile" ? [say("season.percentile_is"), " "] : null, best === null ? say("season.all_count", { least }) : say("season.best_count", { count: best, least })];
}

function eventRow({ event, over, entrants, weight_thousandths: weight }) {
  return [link(`/events/${event.id}`, nameOf(event)), event.ruleset.title, say(over ? "season.over" : "season.unfinished"), over ? number(entrants) : "", number(weight / 1000)];
}

// Events that only one side has requested.
function askedFor(events) {
  const waiting = events.filter((each) => !each.counts);
  return waiting.length === 0 ? null : element("p", {}, said("season.asked_for", {
    events: listed(waiting.map(({ event, invited }) => [link(`/events/${event.id}`, nameOf(event)), " ", say(invited ? "season.invited" : "season.offered")])) }));
}

function resultPart(result, events) {
  const event = events.get(result.event);
  const place = say("season.result", { place: sharedPlace(result.place, result.shared), entrants: result.entrants, points: figure(result.points.text), count: Number(result.points.text) });
  return element("li", { class: result.counted ? null : "left-out" }, element("strong", {}, millionths(result.value_millionths)), " ",
    element("span", {}, result.counted ? null : [say("season.does_not_count"), " "], link(`/events/${result.event}`, event === undefined ? say("season.event") : nameOf(event)), `: ${place}`));
}

function reachWords(row, state) {
  if (state === "final") return "";
  const { rank_best: best, rank_worst: worst, next_place: next } = row;
  const places = best === worst ? say("season.place", { best }) : say("season.places", { best, worst });
  return next === null ? places : say("season.places_and_next", { places, worth: millionths(next.needed_millionths), place: next.rank });
}

function standingsPart(standings) {
  const events = new Map(standings.events.map(({ event }) => [event.id, event]));
  const sharing = (rank) => standings.items.filter((each) => each.rank === rank).length;
  if (standings.items.length === 0) return element("p", {}, say("season.nothing_over"));
  return element("div", { class: "season-standings" }, table(say(`season.standings_${standings.state}`), columns(), standings.items.map((row) => [
    sharedPlace(row.rank, sharing(row.rank)), playerLink(row.player), millionths(row.total_millionths),
    element("ul", { class: "results" }, row.results.map((result) => resultPart(result, events))), reachWords(row, standings.state)])));
}

// What the season's organizer, and those of its events, can do.
async function stepsPart(season, refresh) {
  if (season.state !== "open" || player() === null) return null;
  const { ownEventsPart, runPart } = await import("../manage/season-run.js");
  if (player().id === season.organizer.id) return runPart(season, refresh);
  const { items } = await read(`/v1/players/${player().id}/organized?limit=100`);
  return ownEventsPart(season, items.map(({ id: event }) => event), refresh);
}

async function draw() {
  const after = parameter("after");
  const [season, standings] = await Promise.all([read(at),
    read(`${at}/standings?limit=100${after === null ? "" : `&after=${encodeURIComponent(after)}`}`)]);
  const refresh = async () => showContent(main, (await draw()).content);
  title(nameText(season));
  return { more: season.state === "open", content: [
    element("h1", {}, nameOf(season)),
    element("p", { class: "about" }, element("span", { class: season.state === "closed" ? "badge good" : "badge" }, say(`season.is_${season.state}`)), " ",
      rulesWords(season.rules), " ", said("season.organizer", { name: playerLink(season.organizer) })),
    element("h2", {}, say("event.standings")), standingsPart(standings),
    standings.next === null ? null : element("p", { class: "links no-print" }, link(`?after=${standings.next}`, say("list.further"))),
    element("h2", {}, say("site.events")),
    standings.events.length === 0 ? element("p", {}, say("season.no_event")) : table(say("season.in_time"), eventColumns(season.rules), standings.events.map(eventRow)),
    askedFor(season.events),
    element("p", { class: "no-print" }, said("season.as_json", { standings: link(`${at}/standings`, say("season.json_standings")), log: link(`${at}/log`, say("season.json_log")) })),
    await stepsPart(season, refresh),
  ] };
}

present(draw, 30000);
