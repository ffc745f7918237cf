// Texts come from one catalogue per language, words/<language>.js: the language chosen by the reader (language.js), or else
// requested by the browser. Texts of only some pages are in a separate part, words/<language>-<part>.js, for pages whose
// `<html>` names it in `data-words`. To add a language, add files with the same keys, and its name here.
export const languages = ["en", "de"];

const stored = "tillroll.language";

// "de-AT" is German.
const languageOf = (tag) => tag.split("-")[0];
const asked = [localStorage.getItem(stored), ...navigator.languages].filter(Boolean);

export const language = asked.map(languageOf).find((each) => languages.includes(each)) ?? "en";

// With the reader's region: dates in en-GB and en-US differ.
const locale = navigator.languages.find((each) => languageOf(each) === language) ?? language;

const parts = document.documentElement.dataset.words?.split(" ") ?? [];
const files = [language, ...parts.map((part) => `${language}-${part}`)].map((name) => import(`../words/${name}.js`));
const words = {};
let isLoaded = false;

// Resolves once there are words; present() waits for it. No module that others import may `await` at its
// top: WebKit evaluates those in the wrong order that depend on one that did (https://bugs.webkit.org/show_bug.cgi?id=242740).
export const wordsLoaded = Promise.all(files).then((all) => {
  Object.assign(words, ...all.map((file) => file.default));
  isLoaded = true;
});

// Loads a part that only some readers of a page need.
export async function addWords(part) {
  Object.assign(words, (await import(`../words/${language}-${part}.js`)).default);
}

// Loads the texts of a game, game-words/<language>-<slug>.js, which come with its board.
export async function addGameWords(slug) {
  Object.assign(words, (await import(`../game-words/${language}-${slug}.js`)).default);
}

// Applies from the next page opened in this browser.
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

// The text for `key`, with values replacing `{name}`. Numbers are formatted for the language; identifying numbers (an id, a
// year) are passed as text.
export function say(key, values = {}) {
  return said(key, values).join("");
}

// The same as a list of texts and values, which may be elements or lists of them.
export function said(key, values = {}) {
  const valueOf = (name) => (typeof values[name] === "number" ? number(values[name]) : values[name]);
  return pattern(key, values).split(/\{(\w+)\}/).map((part, i) => (i % 2 === 1 ? valueOf(part) : part)).filter((part) => part !== "");
}

// Whether there is a text for `key`.
export function hasWords(key) {
  if (!isLoaded) throw new Error(`asked for ${key} before there are words`);
  return Object.hasOwn(words, key);
}

// The text for `key`, if there is one.
export const wordsOf = (key, otherwise) => (hasWords(key) ? say(key) : otherwise);

// As compared in searches: without case, and without accents, so that a keyboard of any country finds everybody.
export const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();

// Capitalizes the first letter.
export function capital(text) {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

// Fills in the texts of a page's file, and of what the service has written: `data-word="<key>"` for an element's text, with values in other
// attributes (`data-count` for `{count}`: a number, or the key of words), `data-word-label="<key>"` for its aria-label. From then on the document
// is in the reader's language.
export function translate(root = document) {
  document.documentElement.lang = language;
  const values = ({ dataset: { word, ...rest } }) => Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, hasWords(value) ? say(value) : Number(value)]));
  for (const each of root.querySelectorAll("[data-word]")) each.textContent = say(each.dataset.word, values(each));
  for (const each of root.querySelectorAll("[data-word-label]")) each.setAttribute("aria-label", say(each.dataset.wordLabel));
}

/* ---- Numbers and times ---- */

const formats = new Map(); // decimals -> Intl.NumberFormat

// A number with a proper minus sign; `places`: the number of decimals.
export function number(value, places = null) {
  if (!formats.has(places)) {
    const digits = places === null ? {} : { minimumFractionDigits: places, maximumFractionDigits: places };
    formats.set(places, new Intl.NumberFormat(locale, { useGrouping: "min2", ...digits }));
  }
  return formats.get(places).format(value).replace("-", "−");
}

// A number written exactly by the service, `7.5`, with the language's decimal sign.
export function figure(text) {
  return /^-?\d+(\.\d+)?$/.test(text) ? text.replace(".", decimalSign).replace("-", "−") : text;
}

const decimalSign = number(0.5, 1).charAt(1);

// A day as the API writes it, 2026-11-28.
export const dayWords = (day) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(Date.parse(day));

const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });

// A date and the time of day.
export function dateAndTime(date) {
  return moment.format(date);
}

const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });

export const timeOfDay = (date) => clock.format(date);
