// What the service can refuse: the sentences of its C sources that a page may receive as the `detail` of a problem, or from an engine
// that runs in the browser.
import { readFileSync, readdirSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);

// Files whose sentences no page receives, and why. All others of the service and the engine are looked at.
const otherFiles = [
  ['command lines, configuration, and what is written elsewhere', /^api\/(cli|base|state|mail|notices|watch|docs|openapi|pages|event_pages|config|main\.c|routes\.c|service_parts\.c)/],
  ['pages and titles', /^api\/(casual\/page|disputes\/page|seasons\/page|people\/page|request\/problem\.c)/],
  ['messages themselves, and logs', /^api\/(channels\/(channels|push_channel|push_message)\.c|push\/(dealers|sequencer|stream_message|topic|witnesses)\.c)/],
  ['requests that no browser sends', /^api\/http\/(?!traffic\.c)|^api\/request\/route\.c/],
  ['requests that no page sends', /^api\/(deadlines\/deadlines\.c|event\/tlog|play\/sample\.c|records\/(bundle_making|bundles|event_import|exchange_trf|imports)\.c|tables\/(dealing|tlog_documents)\.c)/],
  ['report files of FIDE, bundles and calendars', /^engine\/tournament\/(interchange\/(?!report_lines)|formats\/dutch\/dutch\.c)/],
  ['records that were changed or are not complete', /^engine\/(log|record\/(clock|dealer|difference|receipt|record|record_entry|record_header|replay_verify|signature)\.c)/],
  ['analyses by programs, levels, worked cases', /^engine\/(analysis\/analysis_check|search|game\/case|game\/worked|base\/arena)|\/cases\.c$/],
  ['names and explanations: words/de*.js has them', /^engine\/tournament\/(result|event\/settings_fields\.c|standings\/standings_value\.c)|^engine\/games\/.*\/(events|mall_world|shinjuku|super-motherload|supermarche|superstore)\.c$/],
];

// Sentences of the files that are left, likewise.
const otherSentences = [
  ['a log, a record or a state in memory that is damaged, which comes with the status 500',
    /^(The|A|This) (restated )?line (has|is|does|needs|gives|leaves|follows)|^(An id|A number|A match|The settings) of the line|^There are no lines to|restated line has|^it is (missing|not JSON)|damaged|malformed|^The (secret|head|sequence number|record ends)|sealed with another key|sealed move cannot|not the one promised|do not agree|could not be (made|written|stored)|has no head|stored rating|step that|^The step|is incomplete|must have a list of (byes|tables)|^This is not a line of a dispute|not recorded before this line/],
  ['no refusals', /^(This is a test of your webhook|A proposal for adjudication|A ruling stood when|The ruling was revoked|Players who (sit in another seat|are there and have no))/],
];

const literal = /"((?:[^"\\\n]|\\.)*)"/g;
const blank = (found) => found.replace(/[^\n]/g, ' ');
const definition = /#define (\w+)\s+((?:\\\n|\s|"(?:[^"\\\n]|\\.)*")+)\n/g;

// The literals of a C source and their lines. Adjacent ones are joined, also if a macro stands for one; comments and tables of codes and
// explanations are left out.
export function literalsOf(text) {
  const macros = [...text.matchAll(definition)].map(([, name, value]) => [name, value.replace(/\\?\n/g, ' ')]);
  let bare = text.replace(/\/\*.*?\*\/|\{"[A-Z]+\d*",[^{}]*\}/gs, blank).replace(definition, (found, _, value) => (value.includes('"') ? blank(found) : found));
  for (const [name, value] of macros) bare = bare.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), () => value);
  return [...bare.matchAll(/"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*/g)].map((found) => ({
    text: [...found[0].matchAll(literal)].map(([, part]) => part).join('').replace(/\\(.)/g, (_, c) => (c === 'n' ? '\n' : c)),
    line: bare.slice(0, found.index).split('\n').length,
  }));
}

// Whole sentences, the ends of those that are put together, and what stands before a value at the end.
const endsSentence = (text) => /[a-z\])`,;:] ?[a-z`(]/i.test(text) && text.includes(' ') && /\.$|^[A-Z,].*(: |`)$/s.test(text);
const isApart = (at, text) => otherFiles.some(([, files]) => files.test(at)) || otherSentences.some(([, sentences]) => sentences.test(text));

const sources = ['api/', 'engine/'].flatMap((folder) => readdirSync(new URL(folder, root), { recursive: true }).filter((name) => name.endsWith('.c')).map((name) => folder + name)).sort();
const all = sources.flatMap((name) => literalsOf(readFileSync(new URL(name, root), 'utf8')).map(({ text, line }) => ({ at: `${name}:${line}`, text })));

// { at, text }: what readers may see.
export const sentences = all.filter(({ at, text }) => endsSentence(text) && !isApart(at.replace(/:\d+$/, ''), text));
export const literals = [...new Set(all.map(({ text }) => text))];

/* ---- Their words ---- */

const textOf = (name) => readFileSync(new URL(`web-static/refusals/${name}`, root), 'utf8');
// By its text: node 18 takes a .js file for another kind of module.
const wordsIn = async (name) => (await import(`data:text/javascript;base64,${Buffer.from(textOf(name)).toString('base64')}`)).default;

// A language's sentences and their words, from its parts; fails if one stands in two.
export async function refusalsIn(language) {
  const parts = readdirSync(new URL('web-static/refusals/', root)).filter((name) => name.startsWith(`${language}-`));
  if (parts.length === 0) return wordsIn(`${language}.js`);
  const words = {};
  for (const part of parts) {
    if (!textOf(`${language}.js`).includes(`from "./${part}"`)) throw new Error(`${language}.js does not have ${part}`);
    for (const [sentence, its] of Object.entries(await wordsIn(part))) {
      if (sentence in words) throw new Error(`${part} has again: ${sentence}`);
      words[sentence] = its;
    }
  }
  return words;
}

// Whether what stands between the values of a sentence is in the sources, in one literal or several.
const isSaid = (part) => part.trim().length < 2 || literals.some((each) => each.includes(part.trim()))
  || literals.some((each) => each.length >= 5 && each.length < part.length && part.startsWith(each) && isSaid(part.slice(each.length)));
export const isKnown = (sentence) => sentence.split(/\{\w+\}/).every(isSaid);
