#!/usr/bin/env node
// Begins something new that is whole from its first minute: it builds, it has tests, and they pass.
//
//     node tests/new.mjs game SLUG [TITLE]       a game for 2 to 4 in which each seat draws a card or passes (skeleton/game)
//     node tests/new.mjs route 'GET /v1/PATH' [FOLDER]     a route that answers with what its path names (skeleton/route), in api/FOLDER;
//                                                without a folder, beside the routes whose paths begin alike
//
// It writes new files and lines into the lists that have a row for each, says which, and what is left to do. What is there already is
// never overwritten. Look at it with `git status`.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (file) => path.join(root, file);
const read = (file) => readFileSync(at(file), 'utf8');

class Refusal extends Error {}

// ---- Writing: all at the end, so that a refusal leaves nothing behind ----

const pending = new Map(); // file -> { text, isNew }

function create(file, text) {
  if (existsSync(at(file)) || pending.has(file)) throw new Refusal(`${file} is there already`);
  pending.set(file, { text, isNew: true });
}

// Changes a file by a function of its text, which must change it unless it `may` leave it.
function edit(file, change, { may = false } = {}) {
  const { text, isNew } = pending.get(file) ?? { text: read(file), isNew: false };
  const changed = change(text);
  if (changed === text && may) return;
  if (changed === text) throw new Refusal(`${file} does not look as it did; tests/new.mjs has to learn how it looks now`);
  pending.set(file, { text: changed, isNew });
}

const place = (file, pattern, replacement) => edit(file, (text) => text.replace(pattern, replacement));

function write() {
  for (const [file, { text }] of pending) {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  }
  const code = [...pending.keys()].filter((file) => /\.[ch]$/.test(file));
  spawnSync('clang-format', ['-i', ...code], { cwd: root }); // lines that grew with a name; the step `format` looks
  for (const [file, { isNew }] of [...pending].sort()) console.log(`${isNew ? 'new    ' : 'changed'}  ${file}`);
}

// A row goes before the first one that comes after it, else to the end. `rows` are lines that `key` finds a name in.
export function insertSorted(lines, line, key) {
  const name = key(line);
  const after = lines.findIndex((each) => key(each) !== null && key(each) > name);
  const last = lines.findLastIndex((each) => key(each) !== null);
  if (last < 0) return lines;
  const place = after < 0 ? last + 1 : after;
  return [...lines.slice(0, place), line, ...lines.slice(place)];
}

// Puts a line into a list in a text between the first line that has `from` and the next that has `to`.
function insertLine(text, from, to, line, key) {
  const lines = text.split('\n');
  const begin = lines.findIndex((each) => each.includes(from)) + 1;
  const end = begin + lines.slice(begin).findIndex((each) => each.includes(to));
  if (begin === 0 || end < begin) return text;
  return [...lines.slice(0, begin), ...insertSorted(lines.slice(begin, end), line, key), ...lines.slice(end)].join('\n');
}

// The same in JSON, behind the line `part`: between the lines that match `from` and `to`, with the indent of the list's other rows, and commas.
function insertIn(text, part, from, to, line, key) {
  const lines = text.split('\n');
  const start = lines.findIndex((each) => each.includes(part));
  const begin = start + lines.slice(start).findIndex((each) => from.test(each)) + 1;
  const end = begin + lines.slice(begin).findIndex((each) => to.test(each));
  if (start < 0 || begin === start || end <= begin) return text;
  const [indent] = /^ */.exec(lines[begin]);
  const rows = insertSorted(lines.slice(begin, end).map((each) => each.replace(/,$/, '')), `${indent}${line}`, key);
  return [...lines.slice(0, begin), ...rows.map((each, i) => (i < rows.length - 1 ? `${each},` : each)), ...lines.slice(end)].join('\n');
}

// ---- A game ----

// `game_tea_house_1_0_0`: the slug, by which the catalogue is ordered.
const keyOfConstant = (name) => /^game_(\w+)_\d+_\d+_\d+$/.exec(name ?? '')?.[1].replaceAll('_', '-') ?? null;

const wordsOf = (slug) => slug.split('-');
const capital = (word) => word[0].toUpperCase() + word.slice(1);

function game(slug, title = wordsOf(slug ?? '').filter(Boolean).map(capital).join(' ')) {
  if (slug === undefined || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(slug) || slug.length > 24) throw new Refusal('a slug is lower-case words joined by `-`, at most 24 letters: tests/new.mjs game tea-house');
  if (!/^[\p{L}\p{N}][\p{L}\p{N} '’-]{0,39}$/u.test(title)) throw new Refusal('a title is at most 40 letters, digits and blanks');
  if (existsSync(at(`engine/games/${slug}`))) throw new Refusal(`there is a game ${slug} already`);
  const identifier = slug.replaceAll('-', '_');
  const pascal = wordsOf(slug).map(capital).join('');
  const components = read('tests/skeleton/game/engine/components.json');
  const named = (text) => text.replaceAll('the-skeleton', slug).replaceAll('the_skeleton', identifier).replaceAll('THE_SKELETON', identifier.toUpperCase())
    .replaceAll('TheSkeleton', pascal).replaceAll('The Skeleton', title).replaceAll('COMPONENTS_SHA256', createHash('sha256').update(components).digest('hex'));
  const template = (name) => named(read(`tests/skeleton/game/${name}`));

  for (const name of readdirSync(at('tests/skeleton/game/engine'))) create(`engine/games/${slug}/${named(name)}`, template(`engine/${name}`));
  for (const name of readdirSync(at('tests/skeleton/game/cases'))) create(`tests/cases/${slug}/${name}`, template(`cases/${name}`));
  create(`tests/engine/games/${slug}/test_${identifier}_rules.c`, template('tests/test_the_skeleton_rules.c'));
  create(`tests/engine/support/twist/twist_${identifier}.c`, template('tests/twist_the_skeleton.c'));

  // The catalogue, by slug; versions of one game stay as they are.
  const constant = `game_${identifier}_1_0_0`;
  edit('engine/game/catalog.c', (text) => {
    const declared = insertLine(text, '#include <string.h>', 'static const struct game *const rulesets', `extern const struct game ${constant};`, (line) => keyOfConstant(/struct game (\w+)/.exec(line)?.[1]));
    return declared.replace(/(rulesets\[\] = \{)([^}]*)(\};)/, (_, before, list, end) => {
      const items = [...list.matchAll(/&(\w+)/g)].map(([, name]) => name);
      return `${before}\n    ${insertSorted(items, constant, keyOfConstant).map((name) => `&${name}`).join(', ')},\n${end}`;
    });
  });
  // The verifier for browsers leaves out what a game shows, and its cases.
  edit('engine/wasm/left_out.c', (text) => text.replace(/(LEFT_OUT\(\w+\)\n)\n/, `$1LEFT_OUT(${identifier})\n\n`));
  edit('engine/wasm/no_cases.c', (text) => text.replace(/(NO_CASES\(\w+\)\n)\n/, `$1NO_CASES(${identifier})\n\n`));
  create(`tests/fuzz/corpus/play-${slug}/choices`, 'Any bytes choose moves.\n'.repeat(8));
  place('tests/layout.mjs', /'engine\/games\/[^']*'/, (first) => `'engine/games/${slug}', ${first}`);
  edit('tests/engine/support/twist/twist.h', (text) => text.replace(/(extern const struct twisting \w+;\n)(?!extern)/, `$1extern const struct twisting twisting_${identifier};\n`));
  place('tests/engine/support/twist/twist.c', /(&twisting_\w+)\};/, `$1,\n&twisting_${identifier}};`);

  // The API's description: a part of its own, and the lists of what is of each game.
  create(`api/openapi/games/${slug}.json`, template('schemas.json'));
  const ref = (kind) => `{"$ref": "${pascal}${kind}"}`;
  const keyOf = (kind) => (line) => new RegExp(`"\\$ref": "(\\w+)${kind}"\\}`).exec(line)?.[1] ?? null;
  const list = (part, name, kind, row = ref(kind)) => edit(`api/openapi/${part}.json`, (text) => insertIn(text, name, /Of": \[$/, /^ *\]/, row, keyOf(kind)));
  list('shared', '      "Move": {', 'Move');
  list('moves', '"description": "In byte order, all of this game;', 'Move', `{"type": "array", "uniqueItems": true, "items": ${ref('Move')}}`);
  list('games', '      "GameEvent": {', 'Event');
  list('shared', '      "View": {', 'View');
  edit('api/openapi/shared.json', (text) => insertIn(text, '      "View": {', /"mapping": \{$/, /^ *\}/, `"${slug}": "#/components/schemas/${pascal}View"`, (line) => /^ *"([^"]+)": "#/.exec(line)?.[1] ?? null));

  // Documents, and tests with a row for each game.
  place('web-static/docs/reference/views.md', /^## Superstore 3000$/m, (found) => `${template('views.md')}${found}`);
  edit('tests/api/request/readme.test.mjs', (text) => text.replace(/(for \(const slug of \[)(?='.*supermarche)/, `$1'${slug}', `)
    .replace('const titles = { ', (found) => `${found}'${slug}': '${title.replaceAll("'", "\\'")}', `));
  edit('tests/api/request/game_schemas.test.mjs', (text) => insertLine(text, 'const games = {', '};', `  '${slug}': { positions: 500, seats: [2, 3, 4], rare: [] },`, (line) => /^ {2}'?([a-z0-9@.-]+)'?: \{/.exec(line)?.[1] ?? null));
  place('web-static/refusals/de-games.js', /^\};\n$/m, (end) => `  "This is not a move of ${title}: \`draw\` or \`pass\`.": "Das ist kein Zug in ${title}: \`draw\` oder \`pass\`.",\n${end}`);
  place('CHANGELOG.md', /^## Unreleased\n\n### Added\n/m, (head) => `${head}- The game ${title}.\n`);
  return [`write its rules: engine/games/${slug}/RULES.md, then play.c; if nothing is hidden, tests/engine/support/twist/twist_${identifier}.c has no twists`,
    `try it while you do: ./tests/run build && ctest --test-dir build/release -R ${identifier === slug ? slug : `'${slug}|${identifier}'`} --output-on-failure`,
    'when the rules are final, write down what levels and analyses make of it: build/release/tests/test_level digests >tests/engine/vectors/levels.json, and test_analysis digests >tests/engine/vectors/analysis.json',
    `describe it for players: web-static/docs/games/${slug}.md, ${slug}.de.md; README.md says how many games there are`,
    'draw its board: web-static/boards/ (until then it is shown as terms); German sentences: web-static/lib/telling.js, and web-static/refusals/de-games.js for each refusal',
    "have its views held by the service's own tests: tests/api/request/noninterference.test.mjs, tests/mutants/views.mjs",
    'before it is merged: ./tests/run'];
}

// ---- A route ----

const singular = (word) => word.replace(/ies$/, 'y').replace(/s$/, '').replaceAll(/[^a-z]/g, '');
const placeholders = ['{id}', '{word}', '{number}'];

// How a placeholder is read, told, described and filled in a test. What an id names is looked up where that is one call.
function partOf(kind, before, index) {
  const name = singular(before);
  if (kind === '{number}')
    return { name, value: `json_integer((json_int_t)call->number[${index}])`, schema: '{"type": "integer", "minimum": 0, "maximum": 1000000}', sample: '7', told: '7', what: 'A number.' };
  if (kind === '{word}')
    return { name, value: `json_stringn(call->word[${index}].at, call->word[${index}].length)`, schema: '{"type": "string", "minLength": 1, "maxLength": 64}', sample: 'abc', told: "'abc'", what: 'A word.' };
  const id = { name, value: `json_string(call->id[${index}].text)`, schema: '{"$ref": "Id"}', id: true, what: `The ${name}'s id.` };
  if (before === 'players')
    return { ...id, include: 'db/store/people/players.h', declare: '    struct player player;\n', load: `call_found(call, player_by_id(call->db, call->arena, &call->id[${index}], &player))`,
      maker: 'makePlayer', setup: "  const player = await makePlayer(client, 'Somebody');\n", sample: '${player.id}', told: 'player.id' };
  if (before === 'events')
    return { ...id, include: 'api/event/event_load.h', declare: '    struct loaded_event loaded;\n', load: `event_load(call, &call->id[${index}], false, &loaded)`,
      maker: 'makePlayer', setup: "  const organizer = await makePlayer(client, 'Organizer');\n  const event = good(await client.post('/v1/events', { name: 'An event', ruleset: 'shinjuku', rounds: 1 }, organizer.token));\n", sample: '${event.id}', told: 'event.id' };
  return { ...id, isNew: true, sample: '01900000-0000-7000-8000-000000000001', told: "'01900000-0000-7000-8000-000000000001'" };
}

// The routes of the table, in order: { line, path, handler }, `line` being the number of the first of its lines.
const routesIn = (text) => [...text.matchAll(/^ {4}\{HTTP_\w+, "([^"]+)",[^}]*?\.handle = (\w+)/gm)].map((found) => ({ at: found.index, path: found[1], handler: found[2] }));

const foldersOfApi = () => readdirSync(at('api'), { withFileTypes: true }).filter((entry) => entry.isDirectory() && existsSync(at(`api/${entry.name}/handlers.h`))).map(({ name }) => name);

const apiParts = () => ['api/openapi', 'api/openapi/games'].flatMap((folder) => readdirSync(at(folder)).filter((name) => name.endsWith('.json')).map((name) => `${folder}/${name}`));

// The tag that is called like the first word of the path, or that of most routes whose paths begin alike. Each tag's routes stand in a part
// of its name.
function tagOf([version, word]) {
  if (existsSync(at(`api/openapi/${word}.json`))) return word;
  const begins = new RegExp(`^    "/${version}/${word.replaceAll('.', '\\.')}[/"]`, 'gm');
  const counts = apiParts().map((file) => [path.basename(file, '.json'), read(file).match(begins)?.length ?? 0]);
  const [tag, most] = counts.reduce((a, b) => (b[1] > a[1] ? b : a));
  return most > 0 ? tag : 'service';
}

function siblingOf(routes, segments) {
  const shared = ({ path: other }) => {
    const theirs = other.split('/').slice(1);
    return theirs.findIndex((each, i) => each !== segments[i]) < 0 ? theirs.length : theirs.findIndex((each, i) => each !== segments[i]);
  };
  const best = Math.max(...routes.map(shared));
  return best < 2 ? null : routes.filter((each) => shared(each) === best);
}

// The one with the shortest path: the thing itself, rather than what belongs to it.
const nearest = (routes) => routes.reduce((a, b) => (b.path.length < a.path.length ? b : a));

function route(words, folder = null) {
  const found = /^GET (\/v1((?:\/[a-z][a-z.-]*|\/\{(?:id|word|number)\})+))$/.exec(words);
  if (found === null) throw new Refusal("a route is like 'GET /v1/things/{id}': GET, and segments of lower-case letters, {id}, {word} or {number}; what writes is written by hand");
  const [, target] = found;
  const segments = target.split('/').slice(1);
  const isFixed = (segment) => !placeholders.includes(segment);
  if (segments.some((each, i) => !isFixed(each) && !isFixed(segments[i - 1])) || !isFixed(segments[1])) throw new Refusal('a placeholder stands behind a word');
  const text = read('api/routes.c');
  const routes = routesIn(text);
  if (routes.some(({ path: each }) => each === target)) throw new Refusal(`there is a route ${words} already`);

  const counts = {};
  const parts = segments.flatMap((segment, i) => (isFixed(segment) ? [] : [partOf(segment, segments[i - 1], (counts[segment] = (counts[segment] ?? -1) + 1))]));
  if (counts['{id}'] > 0 || new Set(parts.map(({ name }) => name)).size < parts.length || parts.some(({ name }) => name === '')) throw new Refusal('one {id} a path, and no two placeholders behind the same word');
  const known = /"(\w+)", "\w+",/g;
  const places = [...read('api/request/route.c').matchAll(known)].map(([, word]) => word);
  for (const [i, segment] of segments.entries())
    if (segment === '{id}' && places.includes(segments[i - 1]) && !['players', 'events'].includes(segments[i - 1]))
      throw new Refusal(`who may see what an id behind /${segments[i - 1]}/ names is for its folder to say: copy a route of that folder`);

  const siblings = siblingOf(routes, segments);
  const folders = foldersOfApi();
  const home = folder ?? folders.find((each) => siblings !== null && new RegExp(`\\b${nearest(siblings).handler}\\(`).test(read(`api/${each}/handlers.h`)));
  if (home === undefined) throw new Refusal(`no route begins alike; say in which folder it is to be: one of ${folders.join(', ')}, or a new one`);
  if (!/^[a-z]+$/.test(home)) throw new Refusal('a folder of api/ is one word');

  const literals = segments.slice(1).filter(isFixed);
  const stem = literals.join('_').replaceAll(/[.-]/g, '_');
  const pascal = stem.split('_').map(capital).join('');
  const title = literals.map((word) => word.replaceAll(/[.-]/g, ' ')).join(', ');
  const isList = isFixed(segments.at(-1)) && stem.endsWith('s');
  const handler = `${stem}_${isList ? 'list' : 'get'}`;
  const schemaName = isList ? `${pascal}List` : pascal;
  const load = parts.find((part) => part.load);

  if (!folders.includes(home)) {
    create(`api/${home}/handlers.h`, read('tests/skeleton/route/handlers.h').replaceAll('FOLDER', home.toUpperCase()));
    edit('tests/layout.mjs', (layout) => layout.replace(/'api\/pages', /, (first) => `'api/${home}', ${first}`));
    edit('api/routes.c', (table) => insertLine(table, '#include <assert.h>', '/* The columns after the path', `#include "api/${home}/handlers.h"`, (line) => /^#include "(api\/[^"]+)"/.exec(line)?.[1] ?? null));
  }
  const members = parts.map(({ name, value }) => `    json_object_set_new(document, "${name}", ${value});\n`).join('');
  const body = `\nvoid ${handler}(struct call *call)\n{\n${load ? `${load.declare}    if (!${load.load})\n        return;\n` : ''}`
    + `    json_t *document = json_pack("{s:s}", "title", "${title}");\n${members}    call_answer(call, 200, document);\n}\n`;
  const file = `api/${home}/${stem}.c`;
  const header = `api/${home}/handlers.h`;
  if (existsSync(at(file))) {
    if (load && !read(file).includes(`"${load.include}"`)) edit(file, (code) => code.replace(/^#include "/m, `#include "${load.include}"\n#include "`));
    edit(file, (code) => code + body);
  } else {
    create(file, `${[`#include "${header}"`, ...(load ? [`#include "${load.include}"`] : [])].sort().join('\n')}\n${body}`);
  }
  const declaration = `void ${handler}(struct call *call);\n`;
  edit(header, (declared) => (declared.includes(`/* ${stem}.c */\n`) ? declared.replace(`/* ${stem}.c */\n`, (comment) => `${comment}${declaration}`)
    : declared.replace(/\n#endif\n$/, `\n/* ${stem}.c */\n${declaration}\n#endif\n`)));

  // A fixed last segment must be tried before a placeholder.
  const row = `    {HTTP_GET, "${target}", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ, .handle = ${handler}},\n`;
  edit('api/routes.c', (table) => {
    const now = routesIn(table);
    const near = siblings?.map(({ path: each }) => each) ?? ['/v1/stream'];
    const rows = now.filter(({ path: each }) => near.includes(each));
    const before = isFixed(segments.at(-1)) ? rows[0].at : now.find(({ at: place }) => place > rows.at(-1).at).at;
    return table.slice(0, before) + row + table.slice(before);
  });
  const fresh = parts.find(({ isNew }) => isNew);
  if (fresh !== undefined) {
    const word = segments[segments.indexOf('{id}') - 1];
    const source = routes.some(({ path: each }) => each === `/v1/${word}`) ? `GET /v1/${word} lists ${word}, with their ids` : 'GET /openapi.json says where they are found';
    edit('api/request/route.c', (code) => code.replace(/(\} id_places\[\] = \{\n)/, `$1    {"${word}", "${fresh.name}", "${source}"},\n`));
  }

  // The API's description.
  const described = segments.map((segment, i) => (isFixed(segment) ? segment : `{${singular(segments[i - 1])}}`)).join('/');
  const json = (value, indent) => JSON.stringify(value, null, 2).split('\n').join(`\n${' '.repeat(indent)}`);
  const part = `api/openapi/${tagOf(segments)}.json`;
  const operation = {
    operationId: `${isList ? 'list' : 'get'}${pascal}`, tags: [tagOf(segments)], summary: capital(title), description: 'What the path names.',
    security: [{}, { token: ['read'] }, { cookie: ['read'] }], 'x-access': { relation: 'public', roles: [] },
    ...(parts.length > 0 ? { parameters: parts.map(({ name, what, schema }) => ({ name, in: 'path', required: true, description: what, schema: JSON.parse(schema) })) } : {}),
    responses: { $use: parts.length > 0 ? 'one' : 'account', 200: { $use: 'answer', description: 'The document.', content: { 'application/json': { schema: { $ref: schemaName } } } } },
  };
  const schema = { type: 'object', description: 'What a path names.', required: 'all', additionalProperties: false,
    properties: { title: { type: 'string', const: title }, ...Object.fromEntries(parts.map(({ name, schema: of, what }) => [name, { ...JSON.parse(of), description: what }])) } };
  if (apiParts().some((file) => read(file).includes(`      "${schemaName}": {`))) throw new Refusal(`the API has a schema ${schemaName} already`);
  for (const [list, row] of [['  "paths": {\n', `    "/${described}": ${json({ get: operation }, 4)},\n`], ['    "schemas": {\n', `      "${schemaName}": ${json(schema, 6)},\n`]])
    edit(part, (text) => text.replace(list, (found) => found + row));

  // Tests that go through all routes.
  place('tests/api/support/every_route.mjs', "'GET /v1/rulesets/{word}/components', ", (first) => `${first}'GET ${target}', `);
  edit('tests/api/request/input.test.mjs', (input) => {
    const fixed = /const fixed = \(\) => \(\{(.*?)\}\);/.exec(input)[1];
    const missing = parts.filter(({ name }) => !new RegExp(`\\b${name}: `).test(fixed));
    const filled = input.replace(/(const fixed = \(\) => \(\{.*?)( \}\);)/, `$1${missing.map(({ name, id, sample }) => `, ${name}: ${id ? 'players[0].id' : `'${sample}'`}`).join('')}$2`);
    return fresh === undefined ? `${filled}` : filled.replace(/(const idNames = \[.*)\];/, `$1, '${fresh.name}'];`);
  }, { may: true });
  const makers = [...new Set(parts.map(({ maker }) => maker).filter(Boolean))];
  const told = parts.map(({ name, told: value }) => `${name}: ${value}`).join(', ');
  const test = `tests/api/${home}/${handler}.test.mjs`;
  const filledIn = segments.map((segment, i) => (isFixed(segment) ? segment : parts.find(({ name }) => name === singular(segments[i - 1])).sample)).join('/');
  const idAt = segments.indexOf('{id}');
  const refusal = idAt < 0 ? '' : `\n  it('says what an id looks like', async () => {\n    const { status, json } = await client.get('/${segments.map((segment, i) => (i === idAt ? 'none' : isFixed(segment) ? segment : partOf(segment, segments[i - 1], 0).sample)).join('/')}');\n    assert.deepEqual([status, json.code], [404, 'not-an-id']);\n  });\n`;
  create(test, read('tests/skeleton/route/route_test.mjs').replaceAll('ROUTE', words).replace(/^import \{ MAKERS \}.*\n/m, (line) => (makers.length > 0 ? line.replace('MAKERS', makers.join(', ')) : ''))
    .replace('SETUP\n', `${parts.map(({ setup }) => setup ?? '').join('')}  named = {${told && ` ${told} `}};\n`).replace('TARGET', `\`/${filledIn}\``).replace("'TITLE'", `'${title}'`).replace('REFUSAL', refusal));
  return [`write what it does: ${file}, and its description and schema ${schemaName} in ${part}`,
    `tell who may, in the row of api/routes.c; if answers differ by who asks, move its line in tests/api/support/every_route.mjs to askedOf()`,
    `try it while you do: ./tests/run one ${test} tests/api/request/contract.test.mjs`, 'before it is merged: ./tests/run'];
}

// ---- The command ----

function main([what, ...words]) {
  const kinds = { game, route };
  if (!(what in kinds) || words.length === 0 || words.length > 2) throw new Refusal("usage: node tests/new.mjs game SLUG [TITLE]  or  node tests/new.mjs route 'GET /v1/PATH' [FOLDER]");
  const left = kinds[what](...words);
  write();
  console.log('\nWhat is left to do:');
  for (const each of left) console.log(`  ${each}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(`tests/new.mjs: ${error.message}`);
    process.exitCode = 2;
  }
}
