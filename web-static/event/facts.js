// What an event is, at the top of its page: game, format, entries, organizer, its seasons, and unusual settings.
import { clockWords, element, eventState, importedBadge, link, listed, nameOf, playerLink, read, roundsWords, time } from "../lib/common.js";
import { said, say } from "../lib/words.js";

export const formatName = (format) => say(`format.${format}`);

function formatWords(event) {
  if (event.format === "duplicate") {
    return say("event.duplicate", { count: event.boards, play: say(`event.play_${event.play}`), scoring: say(`event.scoring_${event.scoring}`) });
  }
  return event.settings.stages.map((stage) => formatName(stage.format)).reduce((first, next) => say("event.formats", { first, next }));
}

export const hasRounds = (event) => event.games_from === "rounds";

const ladderMost = 1024; // the service's own limit, not one that an organizer has set

function entriesWords(event) {
  const { capacity } = event.settings;
  const free = capacity === null || (event.format === "ladder" && capacity === ladderMost);
  const entries = say(free ? "event.entries" : "event.entries_of", { count: event.entries, capacity });
  return event.waiting > 0 ? say("event.entries_waiting", { entries, waiting: event.waiting }) : entries;
}

function stateWords(event) {
  if (event.cancelled || event.state !== "entries_closed") return eventState(event);
  return say(hasRounds(event) ? "event.entries_closed" : "state.running");
}

// `Second edition (3f9c02ab…)`
const setName = ({ components, name }) => (name === null ? `${components.slice(0, 8)}…` : `${name} (${components.slice(0, 8)}…)`);

// Unusual settings that readers should know, before they enter.
function allowedWords({ component_set: set, ruleset, settings }) {
  return [set === undefined ? null : element("p", { id: "component-set", class: "notice" },
    said("event.component_set", { set: link(`/games/${ruleset.slug}/components?set=${set.components}`, element("bdi", {}, setName(set))) })),
  settings.house === undefined ? null : element("p", { id: "house", class: "notice" },
    say("event.house", { level: say(`level.is_${settings.house}`) }), " ", say(settings.rate_house ? "event.house_rated" : "event.house_apart")),
  settings.rate_reported ? element("p", { id: "rate-reported", class: "notice" }, say("event.rate_reported")) : null,
  settings.bots === false ? element("p", { id: "no-bots", class: "notice" }, say("event.no_bots")) : null,
  settings.same_owner === "allowed" ? element("p", { id: "same-owner", class: "notice" }, say("event.same_owner_allowed")) : null];
}

// Before the first round only the number of rounds is said, if it is known.
function howKey(event) {
  if (!hasRounds(event)) return "event.without_rounds";
  if (event.rounds.started > 0) return "event.in_rounds";
  return event.rounds.planned === null || event.settings.stages.length > 1 ? "event.without_rounds" : "event.before_rounds";
}

function line(event) {
  const { min, max } = event.seats;
  return element("p", { class: "about" }, element("span", { class: event.state === "closed" && !event.cancelled ? "badge good" : "badge" }, stateWords(event)), importedBadge(event.imported), " ",
    said(max === 1 ? "event.facts_alone" : "event.facts", { game: link(`/games/${event.ruleset.slug}`, event.ruleset.title), seats: min === max ? min : say("event.seats", { min, max }),
      how: say(howKey(event), { rounds: roundsWords(event), count: event.rounds.planned, format: formatWords(event) }),
      entries: entriesWords(event), organizer: playerLink(event.organizer), made: time(event.created_at) }));
}

function clockLine({ settings: { clock } }) {
  return clock === undefined || clock === null ? null : element("p", { id: "clock", class: "about" }, say("event.clock", { clock: clockWords(clock) }));
}

// The seasons for which it counts.
export async function readSeasons(event) {
  return (await read(`/v1/seasons?event=${event.id}&limit=10`)).items;
}

function seasonsLine(seasons) {
  if (seasons.length === 0) return null;
  return element("p", { id: "seasons" }, said("event.in_seasons", { count: seasons.length, seasons: listed(seasons.map((season) => link(`/seasons/${season.id}`, nameOf(season)))) }));
}

// All of it. `seasons`: from readSeasons().
export function facts(event, seasons) {
  return [line(event), clockLine(event), seasonsLine(seasons),
    event.cancelled_reason === null ? null : element("p", { id: "cancelled", class: "notice" }, said("event.cancelled_because", { reason: element("bdi", {}, event.cancelled_reason) })),
    allowedWords(event)];
}

// The tables of each round, on pages of their own.
export function roundLinks(event) {
  const { started } = event.rounds;
  if (started === 0) return null;
  return element("nav", { class: "links steps-of no-print", "aria-label": say("event.rounds") }, say("event.tables_of_round"), " ",
    Array.from({ length: started }, (_, i) => link(`/events/${event.id}/rounds/${started - i}`, String(started - i))));
}
