// What pages say comes from one catalogue for each language, words/<language>.js, chosen by what the
// browser asks for. Another language is another file of the same keys, and a line below.
import english from "./words/en.js";

const languages = { en: async () => english };

function chosenLanguage() {
  const asked = [localStorage.getItem("tillroll.language"), ...navigator.languages].filter(Boolean);
  return asked.map((each) => each.split("-")[0]).find((each) => Object.hasOwn(languages, each)) ?? "en";
}

export const language = chosenLanguage();
const words = { ...english, ...(language === "en" ? {} : await languages[language]()) };
const plurals = new Intl.PluralRules(language);

function pattern(key, values) {
  const found = words[key];
  if (found === undefined) throw new Error(`no words for ${key}`);
  return typeof found === "string" ? found : found[plurals.select(values.count)] ?? found.other;
}

// The words of `key`, with values in the place of `{name}`.
export function say(key, values = {}) {
  return said(key, values).join("");
}

// The same as a list of texts and values, which may be elements.
export function said(key, values = {}) {
  return pattern(key, values).split(/\{(\w+)\}/).map((part, i) => (i % 2 === 1 ? values[part] : part)).filter((part) => part !== "");
}

// Whether there are words of their own for `key`.
export function hasWords(key) {
  return Object.hasOwn(words, key);
}
