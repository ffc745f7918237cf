// What the service and the engines refuse, in the reader's language. They say it in English; <language>.js has words for their
// sentences, with `{name}` where a value stands. For English it has only what pages say better. It is loaded with the first refusal.
// tests/web/refusals.test.mjs finds sentences that have no words, and words whose sentence nobody says any more.
import { language } from "../lib/words.js";

let words = {}; // sentence -> words
let patterns = []; // those with values, the most specific first
let loading = null;

const valuesOf = (sentence) => sentence.match(/\{\w+\}/g) ?? [];

// More specific patterns first: those that say more themselves, or have a value twice.
function bySense(a, b) {
  const said = (sentence) => sentence.length - valuesOf(sentence).join("").length;
  return said(b) - said(a) || new Set(valuesOf(a)).size - new Set(valuesOf(b)).size;
}

async function load() {
  words = (await import(`./${language}.js`)).default;
  patterns = Object.keys(words).filter((sentence) => valuesOf(sentence).length > 0).sort(bySense).map((sentence) => [expressionOf(sentence), words[sentence]]);
}

// To be awaited before the words are asked for. Without them, readers see what the service says.
export function readRefusals() {
  loading ??= load().catch(() => { loading = null; });
  return loading;
}

// `{name}` stands for anything, the same wherever it stands.
export function expressionOf(sentence) {
  const seen = new Set();
  const parts = sentence.split(/\{(\w+)\}/).map((part, i) => {
    if (i % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    if (seen.has(part)) return `\\k<${part}>`;
    seen.add(part);
    return `(?<${part}>.+)`;
  });
  return new RegExp(`^${parts.join("")}$`, "su");
}

// The words for a sentence, or null. `{why}` is a sentence itself.
export function refusalWords(sentence) {
  if (Object.hasOwn(words, sentence)) return words[sentence];
  for (const [expression, pattern] of patterns) {
    const found = expression.exec(sentence)?.groups;
    if (found) return pattern.replace(/\{(\w+)\}/g, (_, name) => (name === "why" ? refusalWords(found.why) ?? found.why : found[name]));
  }
  return null;
}
