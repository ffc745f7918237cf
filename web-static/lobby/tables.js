// Tables of casual games, in words.
import { element, link, playerLink } from "../lib/common.js";
import { shortSet } from "../lib/options.js";
import { said, say } from "../lib/words.js";

export const ratedWords = (table) => say(table.rated ? "lobby.is_rated" : "lobby.is_unrated");

// The component set of a table that has one of its own, or null.
export const setPart = ({ ruleset, components: hash }) => (hash === undefined ? null
  : element("p", { class: "component-set" }, said("event.component_set", { set: link(`/games/${ruleset.slug}/components?set=${hash}`, shortSet(hash)) })));

export const seatOf = (table, id) => table.players.find((each) => each.player.id === id) ?? null;
export const missing = (table) => table.seats - table.players.filter((each) => each.seated).length;

// The name says by itself whether it is a guest's.
export const personOf = ({ player }) => playerLink(player);
