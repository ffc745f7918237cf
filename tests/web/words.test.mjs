// Everything that pages say is in the catalogues, and nothing else is.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { document as api } from '../api/support/contract.mjs';
import { refusalsIn } from './support/refusals.mjs';
import {
  boardKeys, catalogues, cFiles, differences, englishParts, importsIn, isNarrow, keysIn, keysInShell, labelsIn, matches, otherwiseInC, partsAddedTo, partsOfShell, saidInC, scripts, scriptsOf, seenIn, served, shells,
  unnamedIn, whileLoading,
} from './support/words.mjs';

const games = new URL('../../engine/games/', import.meta.url);
const english = catalogues.get('en');
const keys = Object.keys(english);
const areas = new Set(keys.map((key) => key.split('.')[0]));

// Areas with a key for each word that the API has for something: pages ask for whichever comes.
const enumerations = new Set(['bye', 'claim', 'format', 'kind', 'scope', 'settings', 'state', 'step', 'where']);

const { Event, EventStepKind, GameStreamEntry, NewDispute, Entry, DisputeStep, DisputeSummary, DisputeOrder, Game, Season, SeasonStandings, Standings, StandingRound, Role,
  Traveller, NewBye } = api.components.schemas;
const words = (schema, member) => schema.properties[member].enum;

describe('the catalogue', () => {
  const used = [
    ...scripts.flatMap(({ name, text }) => keysIn(text, areas).map(({ key, line }) => ({ key, at: `${name}:${line}` }))),
    ...shells.flatMap(({ name, text }) => keysInShell(text).map((key) => ({ key, at: name }))),
    ...cFiles.flatMap(({ name, text }) => saidInC(text).map(({ key }) => ({ key, at: name }))),
  ];

  it('has words for every key that a page names', () => {
    assert.ok(used.length > 500);
    assert.deepEqual(used.filter(({ key }) => !served.includes(key.split('.')[0]) && !keys.some((each) => matches(key, each))), []);
  });

  it('has no words that no page says', () => {
    const patterns = [...new Set(used.map(({ key }) => key))];
    assert.deepEqual(keys.filter((key) => !patterns.some((pattern) => matches(pattern, key))), []);
  });

  for (const shell of shells) it(`is in the parts that ${shell.name} names, and each of these is needed`, () => {
    const asked = [...keysInShell(shell.text), ...scriptsOf(shell).flatMap(({ text }) => keysIn(text, areas).map(({ key }) => key))];
    assert.ok(asked.length > 0);
    const needed = [...englishParts].filter(([, all]) => asked.some((pattern) => all.some((key) => matches(pattern, key)))).map(([part]) => part);
    assert.deepEqual(needed.filter((part) => part !== '').sort(), [...partsOfShell(shell.text), ...partsAddedTo(shell)].sort());
    const isOfBoards = asked.some((pattern) => boardKeys.some((key) => matches(pattern, key)));
    assert.ok(!isOfBoards || scriptsOf(shell).some(({ name }) => name === 'boards/boards.js'));
  });

  // In en.js, which every page has: the service's words may come with any.
  it('says what the service writes with its keys', () => {
    const common = Object.fromEntries(englishParts.get('').map((key) => [key, english[key]]));
    assert.ok(cFiles.flatMap(({ text }) => saidInC(text)).length > 30);
    assert.deepEqual(cFiles.flatMap(({ name, text }) => otherwiseInC(text, common).map((each) => `${name}: ${each}`)), []);
    assert.deepEqual(cFiles.filter(({ text }) => /data-word/.test(text) || text.split(/PART_(?:SAID|LABELED)\(/).length - 1 !== saidInC(text).length).map(({ name }) => name), []);
    assert.deepEqual(otherwiseInC('PART_SAID("a.b", "One " "of %lld") PART_LABELED(\n"a.c", "So \\u2013") PART_SAID("a.d", "Two")', { 'a.b': 'One of {all}', 'a.c': 'so –' }), ['a.c: So –', 'a.d: Two']);
  });

  // lib/words.js says why.
  it('is asked for nothing while a script is being loaded, and no script waits then that others import', () => {
    const imported = new Set(scripts.flatMap(importsIn));
    assert.ok(imported.has('lib/words.js') && imported.has('boards/super-motherload-signs.js'));
    assert.deepEqual(scripts.flatMap((script) => whileLoading(script).filter(({ what }) => what !== 'await' || imported.has(script.name))
      .map(({ what, name, line }) => `${script.name}: ${name}:${line} ${what}`)), []);
    const whileLoadingOf = (text) => whileLoading({ name: 'lib/none.js', text });
    assert.deepEqual(whileLoadingOf('const a = say("x");\nexport const b = () => say("y");\nfor (;;) await b();\nclass C { static d = hasWords("z"); e = say("z"); }').map(({ what, line }) => `${line} ${what}`),
      ['1 say', '3 await', '2 say', '4 hasWords']);
    assert.deepEqual(whileLoadingOf('const a = all.filter((one) => hasWords(one));\nconst b = all.find(hasWords);\nb(() => say("x"));\nconst c = () => say("y");\nc();\nall.map(d);\nfunction d() { c(); }\nasync function e() { say("z"); }\ne();')
      .map(({ what, line }) => `${line} ${what}`), ['1 hasWords', '2 hasWords', '4 say']);
    assert.equal(whileLoadingOf('import { title } from "./common.js";\ntitle("x");').length, 1);
  });

  it('is asked for keys of which more than the area is known', () => {
    assert.deepEqual(used.filter(({ key }) => !isNarrow(key) && !enumerations.has(key.split('.')[0])), []);
  });

  it('has words for each word of the API that pages show', () => {
    const shown = [
      ['state.', words(Event, 'state')], ['format.', words(Event, 'format')],
      ['log.was_', EventStepKind.enum], ['roll.was_', words(GameStreamEntry, 'kind').filter((each) => each !== 'ply')],
      ['roll.was_ruling_', words(GameStreamEntry, 'order')], ['claim.', words(NewDispute, 'claim')], ['step.', words(DisputeStep, 'kind')],
      ['dispute.is_', words(DisputeSummary, 'state')], ['order.did_', words(DisputeOrder, 'order')], ['game.is_', words(Game, 'state')],
      ['season.is_', words(Season, 'state')], ['home.season_', words(Season, 'state')], ['season.standings_', words(SeasonStandings, 'state')],
      ['standings.state_', words(Standings, 'state')], ['standings.caption_', words(Standings, 'kind')], ['kind.', words(StandingRound, 'kind')],
      ['role.is_', words(Role, 'role')], ['traveller.is_', words(Traveller, 'state')], ['bye.', words(NewBye, 'kind')],
      ['entry.is_', words(Entry, 'state').filter((each) => each !== 'withdrawn')],
    ];
    assert.deepEqual(shown.flatMap(([start, all]) => all.map((each) => start + each)).filter((key) => !keys.includes(key)), []);
  });

  for (const [language, catalogue] of catalogues) it(`says the same in ${language}`, () => assert.deepEqual(differences(english, catalogue, language), []));

  const tournament = new URL('../../engine/tournament/', import.meta.url);
  const inTournament = readdirSync(tournament, { recursive: true });

  // The texts of a table in the engine that begin with a code: `{"BH", "Buchholz", ...`. A list of codes alone has no words after them.
  const codesIn = (file) => [...readFileSync(new URL(inTournament.find((each) => each.endsWith(`/${file}`)), tournament), 'utf8').matchAll(/\{"([A-Z]+\d*)",\s*"[^"]*[a-z]/g)].map(([, code]) => code);

  it('has words in other languages for each tie-break and each criterion of a draw', () => {
    const tieBreaks = [...codesIn('tie_break.c'), ...codesIn('duplicate.c')];
    const criteria = [...codesIn('pod_swiss.c'), ...codesIn('dutch.c')];
    assert.deepEqual([tieBreaks.includes('BH'), tieBreaks.includes('MP'), criteria.includes('P9'), criteria.includes('C21')], [true, true, true, true]);
    const wanted = [...tieBreaks.map((code) => `tie_break.${code}`), ...criteria.map((code) => `criterion.${code}`)].flatMap((key) => [key, `${key}_is`]);
    for (const [language, catalogue] of catalogues)
      if (language !== 'en') assert.deepEqual(wanted.filter((key) => !(key in catalogue)), []);
  });

  it('names the formats as the pages do that the service writes', () => {
    const text = readFileSync(new URL('event/settings_fields.c', tournament), 'utf8');
    const titles = [...text.matchAll(/\[FORMAT_\w+\] = \{"(\w+)",\s*"([^"]+)"/g)].map(([, name, title]) => [name, title]);
    assert.deepEqual(titles.map(([name]) => name).sort(), [...words(Event, 'format')].sort());
    assert.deepEqual(titles.filter(([name, title]) => english[`format.${name}`] !== title), []);
  });

  it('has words in other languages for each option of a ruleset, and its values', () => {
    const wanted = readdirSync(games).flatMap((slug) => {
      const text = readdirSync(new URL(`${slug}/`, games)).filter((name) => name.endsWith('.c')).map((name) => readFileSync(new URL(`${slug}/${name}`, games), 'utf8')).join('');
      const [, list = ''] = /struct game_option options\[\] = \{(.*?)\n\};/s.exec(text) ?? [];
      return [...list.matchAll(/\{"(\w+)", (\w+), \d/g)].flatMap(([, name, values]) => {
        const [, all] = new RegExp(`${values}\\[\\] = \\{(.*), NULL\\};`).exec(text);
        return ['', '_is', ...[...all.matchAll(/"(\w+)"/g)].map(([, value]) => `.${value}`)].map((end) => `option.${slug}.${name}${end}`);
      });
    });
    assert.equal(wanted.length, 21);
    for (const [language, catalogue] of catalogues)
      if (language !== 'en') assert.deepEqual(wanted.filter((key) => !(key in catalogue)), []);
  });

  it('has no words in other languages for the service that no page asks for', () => {
    const asked = [...new Set(scripts.flatMap(({ text }) => keysIn(text, new Set(served))).map(({ key }) => key))];
    const all = [...catalogues.values()].flatMap((catalogue) => Object.keys(catalogue)).filter((key) => served.includes(key.split('.')[0]));
    assert.deepEqual(all.filter((key) => !asked.some((pattern) => matches(pattern, key))), []);
  });

  // Speech control needs the words on a button in its label (WCAG 2.5.3). If a key stands for several, its words are named like their label.
  const labels = new Map(scripts.flatMap(({ text }) => labelsIn(text)).flatMap(({ seen, label }) => keys.filter((key) => matches(label, key))
    .map((key) => [key, [seen, key.replace(/_[a-z]+$/, '')].find((each) => each in english)])));
  const unsaid = (catalogue) => [...labels].filter(([label, seen]) => !catalogue[label].toLowerCase().includes(catalogue[seen].toLowerCase())).map(([label]) => label);

  for (const [language, catalogue] of catalogues) it(`has the words on a button in its label in ${language}`, () => {
    assert.ok(labels.size > 30);
    assert.deepEqual(unsaid(catalogue), []);
  });

  it('would be found to label a button otherwise', () => {
    assert.deepEqual(unsaid({ ...english, 'seat.do_fallback_of': 'Mark {name} absent', 'account.new_token_of': 'Another for {name}' }), ['seat.do_fallback_of', 'account.new_token_of']);
    assert.deepEqual(labelsIn('button(say("a.do"), { title: say("a.do"), "aria-label": say("a.do_of", { name }) }); row(say("a.end"), button(say("a.end_of")))'), [{ seen: 'a.do', label: 'a.do_of' }]);
  });

  it('would be found to say something else', () => {
    const sentences = { greet: 'Hello, {name}', games: { one: '{count} game', other: '{count} games' } };
    assert.deepEqual(differences(sentences, { greet: 'Hallo, {name}', games: { one: 'ein Spiel', other: '{count} Spiele' } }, 'de'), []);
    assert.deepEqual(differences(sentences, { greet: 'Hallo, {nane}', games: { other: '{count} Spiele' }, more: 'mehr' }, 'de'),
      ['greet: {name}, not {nane}', 'games: no form for one', 'more: not in English']);
    assert.deepEqual(differences(sentences, { games: '{count} Spiele' }, 'de'), ['greet: not there', 'games: no form for one, other']);
    assert.deepEqual(differences(sentences, { greet: ' ', games: { one: '{count} Spiel', other: '{count} Spiele', few: '{count} Spiele' } }, 'de'),
      ['greet: empty', 'greet: {name}, not ', 'games: few is no form of de']);
  });
});

describe('no page', () => {
  for (const { name, text } of scripts) it(`says words of its own in ${name}`, () => assert.deepEqual(seenIn(text), []));
  for (const { name, text } of shells) it(`says words of its own in ${name}`, () => assert.deepEqual(unnamedIn(text, english), []));

  it('could say words of its own unseen', () => {
    for (const each of ['element("p", {}, "seen")', 'element("p", {}, [name, isIt ? `${count} games` : null])', 'element("a", { title: "seen" })',
      'element("input", { placeholder: `by ${name}` })', 'button.textContent = "seen"', 'box.ariaLabel = last ? "seen" : say("key.key")', 'title(`Round ${number}`)',
      'link("/games", "seen")', 'main.append("seen")', 'each.setAttribute("aria-label", "seen")', 'const names = { bye: "Half bye" };', 'const tell = (n) => `${n} of ${all}`;',
      'throw new Problem("code", 404, "seen")', 'new Notification("seen")', 'const columns = [{ text: "seen", number: true }];', 'const tell = () => { return "Seen"; };', 'confirm("seen")',
      'let all = 3 + " games";'])
      assert.equal(seenIn(each).length, 1, each);
  });

  it('is accused of what is for machines', () => {
    for (const each of ['import "./words.js";', 'element("p", { class: "badge good", id: `row-${id}` }, say("key.key"))', 'svg("path", { d: "M1 2h3 4 5z" })', 'read("/v1/events?limit=30")',
      'const is = kind === "Other thing";', 'element("code", {}, "tillroll verify game.roll")', 'throw new Error(`no words for ${key}`);',
      'main.querySelector("a b")', 'const states = ["running", "closed"];', '`${name}: ${place} / ${count}`', 'fetch(at, { headers: { Authorization: `Bearer ${token}` } })'])
      assert.deepEqual(seenIn(each), [], each);
  });

  it('could have words of its own in its file', () => {
    const catalogue = { 'site.name': 'Fish & chips', 'site.nav': 'Site' };
    assert.deepEqual(unnamedIn('<title data-word="site.name">Fish &amp; chips</title><nav data-word-label="site.nav" aria-label="Site">\n</nav>', catalogue), []);
    assert.deepEqual(unnamedIn('<noscript><p>Without.</p></noscript><!-- seen by nobody --><b translate="no">Tillroll</b>', catalogue), []);
    for (const each of ['<p>seen</p>', '<p data-word="site.name">Fish</p>', '<p data-word="site.none">seen</p>', '<nav aria-label="seen">', '<p title="seen"></p>',
      '<b translate="no">Tillroll</b> seen', '<nav data-word-label="site.nav" aria-label="seen">'])
      assert.equal(unnamedIn(each, catalogue).length, 1, each);
  });
});

// American (CONTRIBUTING.md). What stands in code is a name, and names do not change; the command's own name stands in its help.
describe('the spelling', async () => {
  const british = /\b(?:analys(?:e|ed|ing)\b|catalogue|centre|grey|learnt|(?:mis)?spelt|fulfils|labelled|licence|practis|programme|\w*(?:behavi|col|fav|neighb)our|\w*(?:author|optim|organ|real|recogn)is(?:e|a|i))\w*/gi;
  const britishIn = (text) => text.replaceAll(/^```(?!picture).*?^```|`[^`]*`|\]\([^)]*\)|^ {4}[^\n]*$|tillroll analyse/gms, '').match(british) ?? [];
  const strings = (value) => (typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(strings));
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const documents = execFileSync('git', ['-C', root, 'ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n').filter((file) => !file.endsWith('.de.md'));
  const described = (value) => Object.entries(value ?? {}).flatMap(([name, its]) => (typeof its === 'object' ? described(its) : ['description', 'summary'].includes(name) ? [its] : []));

  for (const [what, texts] of [
    ['documents', documents.map((file) => readFileSync(root + file, 'utf8'))],
    ['words of pages', strings(english)],
    ['refusals', Object.keys(await refusalsIn('de'))],
    ['descriptions of the API', described(api)],
    ['help of the command line', [readFileSync(`${root}web-static/docs/reference/command-line.md`, 'utf8').replaceAll(/```|^ +|`[^`\n]*`/gm, '').replaceAll('(as for\nanalyse)', '')]],
  ]) it(`is American in ${what}`, () => {
    assert.ok(texts.length > 0);
    assert.deepEqual(texts.flatMap(britishIn), []);
  });

  it('would be found to be British', () => {
    assert.deepEqual(britishIn('Neighbours analyse `colour`, colours and [it](behaviour.md).\n```sh\ngrey\n```\n'), ['Neighbours', 'analyse', 'colours']);
  });
});
