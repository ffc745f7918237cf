// What pages say comes from one catalogue for each language, words/<language>.js: that which the reader has chosen
// (language.js), or else what the browser asks for. What only some pages say is in a part with a file of its own,
// words/<language>-<part>.js, for the pages whose `<html>` names it in `data-words`. Another language is other files of
// the same keys, and its name here.
export const languages = ["en", "de"];

const stored = "tillroll.language";

// "de-AT" is German.
const languageOf = (tag) => tag.split("-")[0];
const asked = [localStorage.getItem(stored), ...navigator.languages].filter(Boolean);

export const language = asked.map(languageOf).find((each) => languages.includes(each)) ?? "en";

// With the reader's region: dates are written otherwise in en-GB than in en-US.
const locale = navigator.languages.find((each) => languageOf(each) === language) ?? language;

const parts = document.documentElement.dataset.words?.split(" ") ?? [];
const files = [language, ...parts.map((part) => `${language}-${part}`)].map((name) => import(`../words/${name}.js`));
const words = Object.assign({}, ...(await Promise.all(files)).map((file) => file.default));

// Takes in a part that only some readers of a page need.
export async function addWords(part) {
  Object.assign(words, (await import(`../words/${language}-${part}.js`)).default);
}

// From the next page on that is opened at this browser.
export function keepLanguage(chosen) {
  localStorage.setItem(stored, chosen);
}

/* ---- Words ---- */

const plurals = new Intl.PluralRules(language);

function pattern(key, values) {
  const found = words[key];
  if (found === undefined) throw new Error(`no words for ${key}`);
  return typeof found === "string" ? found : found[plurals.select(values.count)] ?? found.other;
}

// The words of `key`, with values in the place of `{name}`. Numbers are written as the language does; what is a
// name rather than a number (an id, a year) is given as text.
export function say(key, values = {}) {
  return said(key, values).join("");
}

// The same as a list of texts and values, which may be elements or lists of them.
export function said(key, values = {}) {
  const valueOf = (name) => (typeof values[name] === "number" ? number(values[name]) : values[name]);
  return pattern(key, values).split(/\{(\w+)\}/).map((part, i) => (i % 2 === 1 ? valueOf(part) : part)).filter((part) => part !== "");
}

// Whether there are words of their own for `key`.
export function hasWords(key) {
  return Object.hasOwn(words, key);
}

// The first letter as at the beginning of a sentence.
export function capital(text) {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

// Puts the words into what stands in a page's file: `data-word="<key>"` is for an element's text,
// `data-word-label="<key>"` for its aria-label. The document is in the reader's language from then on.
export function translate(root = document) {
  document.documentElement.lang = language;
  for (const each of root.querySelectorAll("[data-word]")) each.textContent = say(each.dataset.word);
  for (const each of root.querySelectorAll("[data-word-label]")) each.setAttribute("aria-label", say(each.dataset.wordLabel));
}

/* ---- Numbers and times ---- */

const formats = new Map(); // places after the point -> Intl.NumberFormat

// A number with a minus that is one; with `places`, so many of them after the point.
export function number(value, places = null) {
  if (!formats.has(places)) {
    const digits = places === null ? {} : { minimumFractionDigits: places, maximumFractionDigits: places };
    formats.set(places, new Intl.NumberFormat(locale, { useGrouping: "min2", ...digits }));
  }
  return formats.get(places).format(value).replace("-", "−");
}

// A number that the service has written exactly, `7.5`, with the language's sign between the whole and its parts.
export function figure(text) {
  return /^-?\d+(\.\d+)?$/.test(text) ? text.replace(".", decimalSign).replace("-", "−") : text;
}

const decimalSign = number(0.5, 1).charAt(1);

const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });

// A date and the time of day.
export function dateAndTime(date) {
  return moment.format(date);
}
