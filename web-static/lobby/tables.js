// Tables of casual games, in words.
import { element, link, playerLink } from "../lib/common.js";
import { shortSet } from "../lib/options.js";
import { language, said, say } from "../lib/words.js";

const units = [["day", 86400000], ["hour", 3600000], ["minute", 60000], ["second", 1000]];

// In the largest unit of which it is a whole number.
function lengthWords(ms) {
  const [unit, size] = units.find(([, each]) => ms >= each && ms % each === 0) ?? units.at(-1);
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: ms < 3600000 ? "short" : "long" }).format(ms / size);
}

export function clockWords({ move_ms: move, bank_ms: bank, increment_ms: more }) {
  if (move !== undefined) return say("lobby.clock_move", { length: lengthWords(move) });
  return more > 0 ? say("lobby.clock_bank_more", { length: lengthWords(bank), more: lengthWords(more) }) : say("lobby.clock_bank", { length: lengthWords(bank) });
}

export const ratedWords = (table) => say(table.rated ? "lobby.is_rated" : "lobby.is_unrated");

// The component set of a table that has one of its own, or null.
export const setPart = ({ ruleset, components: hash }) => (hash === undefined ? null
  : element("p", { class: "component-set" }, said("event.component_set", { set: link(`/games/${ruleset.slug}/components?set=${hash}`, shortSet(hash)) })));

export const seatOf = (table, id) => table.players.find((each) => each.player.id === id) ?? null;
export const missing = (table) => table.seats - table.players.filter((each) => each.seated).length;

// The name says by itself whether it is a guest's.
export const personOf = ({ player }) => playerLink(player);
