// What pages say, as it stands in their files: which keys of the catalogues scripts and shells name, and literals
// that a reader would see although they are in no catalogue.
import { readFileSync, readdirSync } from 'node:fs';

import { parse } from 'acorn';

import { shells as made } from '../../api/support/shells.mjs';

const root = new URL('../../../web-static/', import.meta.url);
const inside = (folder) => readdirSync(new URL(folder, root), { withFileTypes: true })
  .flatMap((entry) => (entry.isDirectory() ? inside(`${folder}${entry.name}/`) : [`${folder}${entry.name}`]));
const files = inside('').sort();
const isCatalogue = (name) => /^(game-)?words\//.test(name);
const isOfRefusals = (name) => /^refusals\/(?!refusals\.js)/.test(name); // refusals.test.mjs is about these
const textOf = (name) => readFileSync(new URL(name, root), 'utf8');

export const scripts = files.filter((name) => name.endsWith('.js') && !isCatalogue(name) && !isOfRefusals(name)).map((name) => ({ name, text: textOf(name) }));
export const shells = [...made, ...['docs.html', 'embed.html'].map((name) => [name, textOf(name)])].map(([name, text]) => ({ name, text }));

// Language -> its catalogue, of all its files: words/en.js, words/en-games.js, game-words/en-shinjuku.js.
export const catalogues = new Map();
// What English says in a part of its own: `games` -> keys; in en.js, `` -> keys. Of the words of games: those that come with boards.
export const englishParts = new Map();
export const boardKeys = [];
for (const name of files.filter(isCatalogue)) {
  const [, folder, language, part = ''] = /^(\S*)\/(\w+?)(?:-(\S+))?\.js$/.exec(name);
  // By its text: node 18 takes a .js file for another kind of module.
  const { default: words } = await import(`data:text/javascript;base64,${Buffer.from(textOf(name)).toString('base64')}`);
  const twice = Object.keys(words).filter((key) => key in (catalogues.get(language) ?? {}));
  if (twice.length > 0) throw new Error(`${name}: ${twice} have been said before`);
  catalogues.set(language, { ...catalogues.get(language), ...words });
  if (language === 'en' && folder === 'words') englishParts.set(part, Object.keys(words));
  if (language === 'en' && folder === 'game-words') boardKeys.push(...Object.keys(words));
}

/* ---- While scripts are loaded ---- */

const ofWords = new Set(['say', 'said', 'hasWords']);
const callsAtOnce = new Set(['every', 'filter', 'find', 'findIndex', 'flatMap', 'forEach', 'from', 'map', 'reduce', 'some', 'sort']);

// A module's functions, and what it imports, by name.
function readModule(name, text) {
  const { body } = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  const functions = body.map((each) => each.declaration ?? each).flatMap((each) => (each.type === 'FunctionDeclaration' ? [[each.id?.name, each]]
    : each.type === 'VariableDeclaration' ? each.declarations.filter(({ init }) => /Function/.test(init?.type)).map(({ id, init }) => [id.name, init]) : []));
  const imports = body.filter(({ type }) => type === 'ImportDeclaration').flatMap(({ source, specifiers }) => specifiers.filter(({ imported }) => imported)
    .map(({ local, imported }) => [local.name, [new URL(source.value, `file:///${name}`).pathname.slice(1), imported.name]]));
  return { name, text, body, functions: new Map(functions), imports: new Map(imports) };
}

const modules = new Map();
function moduleOf(name) {
  if (!modules.has(name)) modules.set(name, readModule(name, scripts.find((each) => each.name === name)?.text ?? ''));
  return modules.get(name);
}

// The function that a module calls by a name, with the module that has it.
function functionOf(module, name) {
  const [from, as] = module.imports.get(name) ?? [];
  const owner = from === undefined ? module : moduleOf(from);
  return [owner.functions.get(as ?? name), owner];
}

// Where a module asks for words, or waits, outside all functions, or in what it calls there itself: { what, name, line }. Asynchronous
// functions may have waited for the words.
export function whileLoading({ name, text }) {
  const found = [];
  const entered = new Set();
  const note = (what, node, module) => found.push({ what, name: module.name, line: module.text.slice(0, node.start).split('\n').length });
  const enter = (called, module) => {
    if (called?.async !== false || entered.has(called)) return;
    entered.add(called);
    visit(called.body, module);
  };
  const call = ({ callee, arguments: given }, module) => {
    for (const each of [callee, ...given]) if (ofWords.has(each.name)) note(each.name, each, module);
    if (ofWords.has(callee.name)) return;
    for (const each of [callee, ...callsAtOnce.has(callee.property?.name) ? given : []])
      if (/Function/.test(each.type)) enter(each, module);
      else if (each.type === 'Identifier') enter(...functionOf(module, each.name));
  };
  const visit = (node, module) => {
    if (/Function/.test(node.type) || (node.type === 'PropertyDefinition' && !node.static)) return;
    if (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await)) note('await', node, module);
    if (node.type === 'CallExpression') call(node, module);
    for (const value of Object.values(node)) for (const each of [value].flat()) if (typeof each?.type === 'string') visit(each, module);
  };
  const module = readModule(name, text);
  for (const each of module.body) visit(each, module);
  return found;
}

/* ---- Catalogues beside each other ---- */

const formsOf = (entry) => (typeof entry === 'string' ? { other: entry } : entry);
const placeholdersOf = (text) => [...new Set([...text.matchAll(/\{\w+\}/g)].map(([each]) => each))].sort();
const entryHolders = (entry) => [...new Set(Object.values(formsOf(entry)).flatMap(placeholdersOf))].sort();

function formFaults(key, entry, isCounted, language) {
  const known = isCounted ? new Intl.PluralRules(language).resolvedOptions().pluralCategories : ['other'];
  const forms = typeof entry === 'string' && isCounted ? [] : Object.keys(formsOf(entry));
  const missing = known.filter((each) => !forms.includes(each)).sort();
  return [missing.length > 0 ? `${key}: no form for ${missing.join(', ')}` : null,
    ...forms.filter((each) => !known.includes(each)).map((each) => `${key}: ${each} is no form of ${language}`)].filter(Boolean);
}

function entryFaults(key, entry, english, language) {
  const [wanted, found] = [entryHolders(english), entryHolders(entry)];
  return [...Object.values(formsOf(entry)).some((text) => text.trim() === '') ? [`${key}: empty`] : [],
    ...String(wanted) === String(found) ? [] : [`${key}: ${wanted}, not ${found}`], ...formFaults(key, entry, typeof english !== 'string', language)];
}

const servedFaults = (key, entry, language) => (Object.values(formsOf(entry)).some((text) => text.trim() === '') ? [`${key}: empty`] : formFaults(key, entry, typeof entry !== 'string', language));

// What the service itself says in English: other catalogues have words of theirs for it.
export const served = ['tie_break', 'criterion', 'told', 'option'];
const isServed = (key) => served.includes(key.split('.')[0]);

// In what a catalogue is no translation of the English one, as sentences. A form for one may leave its number unsaid.
export function differences(english, catalogue, language) {
  return [
    ...Object.keys(english).flatMap((key) => (key in catalogue ? entryFaults(key, catalogue[key], english[key], language) : [`${key}: not there`])),
    ...Object.keys(catalogue).filter((key) => !(key in english)).flatMap((key) => (isServed(key) ? servedFaults(key, catalogue[key], language) : [`${key}: not in English`]))];
}

/* ---- Literals of a script ---- */

const HOLE = '\0'; // stands for an expression in a template

function nodesIn(node, parents, found) {
  const text = node.type === 'Literal' && typeof node.value === 'string' ? node.value
    : node.type === 'TemplateLiteral' ? node.quasis.map((each) => each.value.cooked).join(HOLE) : null;
  if (text !== null) found.push({ node, text, parents });
  for (const [name, value] of Object.entries(node)) {
    for (const child of [value].flat()) if (typeof child?.type === 'string' && name !== 'quasis') nodesIn(child, [{ node, child }, ...parents], found);
  }
  return found;
}

// Strings and templates, each with what it stands in, innermost first. Of each text once: many pages have the same scripts.
const literals = new Map();
function literalsOf(text) {
  if (!literals.has(text)) literals.set(text, nodesIn(parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true }), [], []));
  return literals.get(text);
}

/* ---- Keys ---- */

const isFileName = (text) => /\.(js|json|csv|ics|html|css|svg)$/.test(text);

// The keys of `areas` that a script's literals name, as patterns: `order.\0_did` is for all that begin and end so.
export function keysIn(text, areas) {
  return literalsOf(text).map((each) => ({ key: each.text, line: each.node.loc.start.line }))
    .filter(({ key }) => /^[a-z_]+\.[\w.\0-]+$/.test(key) && areas.has(key.split('.')[0]) && !isFileName(key));
}

// Whether a literal is in what only a tool tip says.
const isTitle = (parents) => parents.some(({ node, child }) => node.type === 'Property' && child === node.value && keyOf(node) === 'title');

// Buttons, links and fields whose label for a screen reader says more than the words on them, as each call that names both in its own
// arguments does: `undo` and `undo_of`, `token_for` and `token_of`. Keys, as patterns: { seen, label }.
export function labelsIn(text) {
  const calls = new Map();
  for (const { text: key, parents } of literalsOf(text)) {
    const [say, call] = parents.filter(({ node }) => node.type === 'CallExpression').map(({ node }) => node);
    if (call === undefined || nameOf(say.callee) !== 'say' || isTitle(parents)) continue;
    calls.set(call, [...calls.get(call) ?? [], key]);
  }
  return [...calls.values()].flatMap((keys) => keys.flatMap((seen) =>
    keys.filter((label) => label !== seen && /_(of|at|line|row)$/.test(label) && label.replace(/_[a-z]+$/, '') === seen.replace(/_for$/, '')).map((label) => ({ seen, label }))));
}

// What a script imports, at once or later.
export const importsIn = ({ name, text }) => [...text.matchAll(/(?:\bfrom|\bimport|\bimport\() ?"(\.[^"]+\.js)"/g)].map(([, found]) => new URL(found, `file:///${name}`).pathname.slice(1));

// The scripts that a shell's page may load: its own, what they import, and what that does.
export function scriptsOf(shell) {
  const loaded = new Set([...shell.text.matchAll(/<script [^>]*src="\/static\/(?:~\w+\/)?([^"]+)"/g)].map(([, name]) => name));
  for (const name of loaded) for (const found of importsIn(scripts.find((each) => each.name === name))) loaded.add(found);
  return scripts.filter((each) => loaded.has(each.name));
}

export const partsOfShell = (text) => / data-words="([^"]*)"/.exec(text)?.[1].split(' ') ?? [];

// The parts that a shell's scripts load on demand.
export const partsAddedTo = (shell) => [...new Set(scriptsOf(shell).flatMap(({ text }) => [...text.matchAll(/\baddWords\("(\w+)"\)/g)].map(([, part]) => part)))];

export const keysInShell = (text) => [...text.matchAll(/ data-word(?:-label)?="([^"]*)"/g)].map(([, key]) => key);

// Whether `key` is one of those that a pattern stands for.
const patterns = new Map();
export function matches(pattern, key) {
  if (!patterns.has(pattern)) patterns.set(pattern, expressionOf(pattern));
  return patterns.get(pattern).test(key);
}

function expressionOf(pattern) {
  const parts = pattern.split(HOLE).map((part) => part.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

// What a pattern says of its keys besides their area.
export const isNarrow = (pattern) => pattern.split('.').slice(1).join('.').replaceAll(HOLE, '') !== '';

/* ---- Literals that are seen ---- */

// Arguments that are shown, from this one on.
const shownArguments = { element: 2, svg: 2, link: 1, title: 0, append: 0, prepend: 0, before: 0, after: 0, replaceChildren: 0, insertAdjacentText: 1,
  createTextNode: 0, Notification: 0, Problem: 2, Option: 0, alert: 0, confirm: 0, prompt: 0 };
const shownMembers = new Set(['text', 'title', 'caption', 'label', 'heading', 'about', 'hint', 'placeholder', 'alt', 'summary', 'aria-label', 'aria-description',
  'aria-roledescription', 'aria-valuetext', 'data-label', 'textContent', 'innerText', 'ariaLabel', 'ariaDescription', 'nodeValue', 'data', 'words', 'remark']);
// Calls whose arguments, or whose object, are for machines.
const machineCalls = new Set(['say', 'said', 'hasWords', 'shell', 'Error', 'SyntaxError', 'encode', 'importKey', 'verify', 'querySelector', 'querySelectorAll', 'closest', 'matches', 'getElementById', 'addEventListener',
  'removeEventListener', 'replaceSync', 'setItem', 'getItem', 'includes', 'split', 'replace', 'replaceAll', 'startsWith', 'endsWith', 'read', 'send', 'fetch', 'present', 'log', 'error',
  'generateKey', 'sign', 'signed']);
const machineMembers = new Set(['class', 'classes', 'icon', 'className', 'id', 'href', 'd', 'transform', 'viewBox', 'points', 'Authorization', 'verbs', 'data-verbs', 'data-token', 'aria-describedby']);
// What hands on the value of a literal in it.
const transparent = new Set(['TemplateLiteral', 'ConditionalExpression', 'LogicalExpression', 'ArrayExpression', 'SpreadElement', 'ParenthesizedExpression', 'ObjectExpression']);
const comparing = new Set(['===', '!==', '==', '!=', 'in', '<', '>']);

const nameOf = (node) => (node.type === 'MemberExpression' ? node.property.name : node.name);
const keyOf = ({ key }) => key.name ?? key.value;

// Code is the same in every language.
const isCode = (node) => nameOf(node.callee) === 'element' && ['code', 'pre'].includes(node.arguments[0].value);

function useInCall(node, child) {
  const name = nameOf(node.callee);
  if (machineCalls.has(name) || isCode(node)) return 'machine';
  if (name === 'setAttribute') return child !== node.arguments[0] && shownMembers.has(node.arguments[0].value) ? 'shown' : 'machine';
  const from = Object.hasOwn(shownArguments, name) ? shownArguments[name] : undefined;
  if (from === undefined || child === node.callee) return 'unknown';
  return node.arguments.indexOf(child) >= from ? 'shown' : 'unknown';
}

// What a parent makes of a literal in it: 'shown', 'machine', 'unknown', or 'same' as what the parent itself is used for.
function useIn({ node, child }) {
  if (/^(Import|Export)/.test(node.type)) return 'machine';
  if (node.type === 'CallExpression' || node.type === 'NewExpression') return useInCall(node, child);
  if (node.type === 'Property') return child === node.key || machineMembers.has(keyOf(node)) ? 'machine' : shownMembers.has(keyOf(node)) ? 'shown' : 'same';
  if (node.type === 'AssignmentExpression') return shownMembers.has(nameOf(node.left)) ? 'shown' : machineMembers.has(nameOf(node.left)) ? 'machine' : 'unknown';
  if (node.type === 'VariableDeclarator') return machineMembers.has(node.id.name) ? 'machine' : 'unknown';
  if (node.type === 'ConditionalExpression' && child === node.test) return 'machine';
  if (node.type === 'BinaryExpression') return comparing.has(node.operator) ? 'machine' : 'same';
  if (node.type === 'MemberExpression') return child === node.object ? 'same' : 'machine';
  if (node.type === 'SwitchCase') return child === node.test ? 'machine' : 'unknown';
  return transparent.has(node.type) ? 'same' : 'unknown';
}

function useOf(parents) {
  for (const parent of parents) {
    const use = useIn(parent);
    if (use !== 'same') return use;
  }
  return 'unknown';
}

const isDrawing = (text) => (/^[MmLlHhVvCcSsQqTtAaZz\d\s.,\0-]*$/.test(text) && /\d/.test(text)) || /^(translate|scale|rotate)\(/.test(text);
// Words with blanks between them, or one that begins with a capital.
const isProse = (text) => !isDrawing(text) && (/\p{L}[,.:;]?\s|\s\p{L}/u.test(text) || /^\p{Lu}\p{Ll}/u.test(text));

// Literals that somebody would read: where something is shown any letter, elsewhere what looks like prose.
export function seenIn(text) {
  return literalsOf(text).filter((each) => {
    const use = useOf(each.parents);
    return use === 'shown' ? /\p{L}/u.test(each.text) : use === 'unknown' && isProse(each.text);
  }).map((each) => `${each.node.loc.start.line}: ${each.text.replaceAll(HOLE, '{}')}`);
}

/* ---- What the service writes ---- */

// The English words in a C file that carry their keys (PART_SAID and PART_LABELED in api/pages/page_parts.h), as a catalogue would have them:
// { key, english }, with {} for each value.
export const saidInC = (text) => [...text.matchAll(/PART_(?:SAID|LABELED)\(\s*"([\w.]+)",\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)/g)]
  .map(([, key, literals]) => ({ key, english: JSON.parse(literals.trim().replace(/"\s*"/g, '')).replace(/%(?:lld|s)/g, '{}') }));

const api = new URL('../../../api/', import.meta.url);
export const cFiles = readdirSync(api, { recursive: true }).filter((name) => name.endsWith('.c')).map((name) => ({ name, text: readFileSync(new URL(name, api), 'utf8') }));

// Which of these say something else than the key's words, or in another number.
export const otherwiseInC = (text, catalogue) => saidInC(text).filter(({ key, english }) => key in catalogue
  ? !Object.values(formsOf(catalogue[key])).some((form) => form.replace(/\{\w+\}/g, '{}') === english) : true).map(({ key, english }) => `${key}: ${english}`);

/* ---- Shells ---- */

const decode = (text) => text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
const attributeOf = (tag, name) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? null;

// What stands in a page's file without being, word for word, what `catalogue` has for the key beside it. Without a
// script there are no other words: what is for that case only needs no key.
export function unnamedIn(html, catalogue) {
  const found = [];
  const bare = html.replace(/<noscript>.*?<\/noscript>/gs, '').replace(/<!--.*?-->/gs, '');
  for (const [, tag, text] of bare.matchAll(/(<[^>]*>)([^<]*)/g)) {
    const check = (said, key) => {
      if (/\p{L}/u.test(said) && (key === null || catalogue[key] !== decode(said))) found.push(said.trim());
    };
    if (attributeOf(tag, 'translate') !== 'no') check(text, attributeOf(tag, 'data-word'));
    for (const name of ['title', 'placeholder', 'alt', 'aria-description']) check(attributeOf(tag, name) ?? '', null);
    check(attributeOf(tag, 'aria-label') ?? '', attributeOf(tag, 'data-word-label'));
  }
  return found;
}
