// What a ruleset is played with: its options in the page's language (where the catalogue has no words for one, in the service's own), and its
// component sets.
import { english, read } from "./common.js";
import { choiceBox, field } from "./forms.js";
import { capital, say, wordsOf } from "./words.js";

export function optionName(slug, name) {
  return wordsOf(`option.${slug}.${name}`, english(capital(name.replaceAll("_", " "))));
}

// What it means, as the API tells it.
export function optionMeaning(slug, { name, meaning }) {
  return wordsOf(`option.${slug}.${name}_is`, english(meaning));
}

// As text: choices have no elements in them.
export function optionValue(slug, name, value) {
  return wordsOf(`option.${slug}.${name}.${value}`, value);
}

/* ---- Component sets ---- */

// The component sets registered for a ruleset besides its own; none if the request fails.
export async function otherSets(slug) {
  const { items } = await read(`/v1/rulesets/${slug}/component-sets?limit=100`).catch(() => ({ items: [] }));
  return items.filter((each) => !each.built_in);
}

// The start of a set's SHA-256, by which people tell sets apart.
export const shortSet = (hash) => `${hash.slice(0, 8)}\u2026`;

// A choice between the ruleset's own set, which is "", and these: null where there are none. One that is chosen is offered in any case.
export function setBox(id, sets, chosen) {
  const known = sets.map(({ components, name }) => [components, `${name ?? ""} ${shortSet(components)}`.trim()]);
  if (chosen && !sets.some(({ components }) => components === chosen)) known.push([chosen, shortSet(chosen)]);
  return known.length === 0 ? null : choiceBox(id, [["", say("set.built_in")], ...known], chosen ?? "");
}

export function setField(id, sets, chosen, hint) {
  const box = setBox(id, sets, chosen);
  return box === null ? null : field(box, say("set.title"), hint);
}
