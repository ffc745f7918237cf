// The options of rulesets in the page's language. Where the catalogue has no words for one, in the service's own.
import { english } from "./common.js";
import { capital, hasWords, say } from "./words.js";

export function optionName(slug, name) {
  const key = `option.${slug}.${name}`;
  return hasWords(key) ? say(key) : english(capital(name.replaceAll("_", " ")));
}

// What it means, as the API tells it.
export function optionMeaning(slug, { name, meaning }) {
  const key = `option.${slug}.${name}_is`;
  return hasWords(key) ? say(key) : english(meaning);
}

// As text: choices have no elements in them.
export function optionValue(slug, name, value) {
  const key = `option.${slug}.${name}.${value}`;
  return hasWords(key) ? say(key) : value;
}
