// A season: who is ahead over several events, and which results of each player count.
import { element, link, listed, millionths, nameOf, nameText, pageId, parameter, playerLink, present, read, table, title } from "./common.js";
import { sharedPlace } from "./standings.js";

const id = pageId();
const at = `/v1/seasons/${id}`;
const eventColumns = [{ text: "Event", header: true }, { text: "Game", class: "extra" }, { text: "State" }, { text: "Players", number: true },
  { text: "Weight", number: true, title: "What results of the event are multiplied by" }];
const columns = [{ text: "Place", number: true }, { text: "Player", header: true }, { text: "Total", number: true, class: "points" },
  { text: "Results, best first" }, { text: "Can reach", class: "extra" }];

const thousandths = (number) => String(number / 1000);

function rulesWords({ method, best, least_entrants: least, weighting }) {
  const worth = method === "points" ? "A result is worth its points in the event" : "A result is worth its percentile among those who played";
  const weighed = weighting === "field" ? ", weighed by the strength of the field" : "";
  const counted = best === null ? "All results count" : best === 1 ? "The best result of a player counts" : `The best ${best} results of a player count`;
  return `${worth}${weighed}. ${counted}, in events of at least ${least} players.`;
}

function eventRow({ event, over, entrants, weight_thousandths: weight }) {
  return [link(`/events/${event.id}`, nameOf(event)), event.ruleset.title, over ? "over" : "to be finished", over ? String(entrants) : "", thousandths(weight)];
}

// Events that only one side has asked for.
function askedFor(events) {
  const waiting = events.filter((each) => !each.counts);
  return waiting.length === 0 ? null : element("p", {}, "Asked for, not yet agreed: ",
    listed(waiting.map(({ event, invited }) => [link(`/events/${event.id}`, nameOf(event)), invited ? " (invited)" : " (offered)"])));
}

function resultPart(result, events) {
  const event = events.get(result.event);
  const place = `place ${sharedPlace(result.place, result.shared)} of ${result.entrants}, ${result.points.text} points`;
  return element("li", { class: result.counted ? null : "left-out" }, element("strong", {}, millionths(result.value_millionths)),
    result.counted ? " " : " (does not count) ", link(`/events/${result.event}`, event === undefined ? "event" : nameOf(event)), `: ${place}`);
}

function reachWords(row, state) {
  if (state === "final") return "";
  const places = row.rank_best === row.rank_worst ? String(row.rank_best) : `${row.rank_best} to ${row.rank_worst}`;
  const next = row.next_place === null ? "" : `; a result worth ${millionths(row.next_place.needed_millionths)} reaches place ${row.next_place.rank}`;
  return `Place ${places}${next}`;
}

function standingsPart(standings) {
  const events = new Map(standings.events.map(({ event }) => [event.id, event]));
  const sharing = (rank) => standings.items.filter((each) => each.rank === rank).length;
  if (standings.items.length === 0) return element("p", {}, "No event of the season is over yet.");
  return table(standings.state === "final" ? "Final" : "Provisional: events are still to be finished", columns, standings.items.map((row) => [
    sharedPlace(row.rank, sharing(row.rank)), playerLink(row.player), millionths(row.total_millionths),
    element("ul", { class: "results" }, row.results.map((result) => resultPart(result, events))), reachWords(row, standings.state)]));
}

present(async () => {
  const after = parameter("after");
  const [season, standings] = await Promise.all([read(at),
    read(`${at}/standings?limit=100${after === null ? "" : `&after=${encodeURIComponent(after)}`}`)]);
  title(nameText(season));
  return { more: season.state === "open", content: [
    element("h1", {}, nameOf(season)),
    element("p", { class: "about" }, element("span", { class: season.state === "closed" ? "badge good" : "badge" }, season.state), " ",
      rulesWords(season.rules), " Organizer: ", playerLink(season.organizer), "."),
    element("h2", {}, "Standings"), standingsPart(standings),
    standings.next === null ? null : element("p", { class: "links no-print" }, link(`?after=${standings.next}`, "Further down")),
    element("h2", {}, "Events"),
    standings.events.length === 0 ? element("p", {}, "No event counts yet.") : table("In order of time", eventColumns, standings.events.map(eventRow)),
    askedFor(season.events),
    element("p", { class: "no-print" }, link(`${at}/standings`, "The standings as JSON"), ", ", link(`${at}/log`, "the season’s log")),
  ] };
}, 30000);
