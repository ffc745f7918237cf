// Recording in browsers: scorer.wasm takes what the program takes, byte for byte; it asks for what comes into the open, and
// offers what can come, among it what did; it goes back; and how many taps a ply takes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

import { Choice } from '../../../web-static/lib/choice.js';
import { Refused } from '../../../web-static/game/engine-answers.js';
import { ScorerEngine } from '../../../web-static/scorer/engine.js';
import { Journal } from '../../../web-static/scorer/journal.js';
import { build } from '../../api/support/testbed.mjs';
import { isLong } from '../../long.mjs';

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../../..');
const wasm = path.join(build, 'scorer.wasm');
const slugs = ['shinjuku', 'super-motherload', 'supermarche', 'superstore-3000', 'mall-world'];
const games = isLong ? 50 : 1;

const componentsOf = (slug) => JSON.parse(readFileSync(path.join(root, 'engine/games', slug, 'components.json'), 'utf8'));

// A whole record as the program writes it: { record, header, entries up to `show` }.
function told(slug, number) {
  const record = execFileSync(path.join(build, 'tests/write_roll'), [slug, slug === 'supermarche' ? '1' : '3', String(number), 'recorded'], { encoding: 'utf8' });
  const lines = record.trimEnd().split('\n');
  const header = lines.findIndex((line) => line.startsWith('start ')) + 1;
  const entries = lines.slice(header).map((line) => line.slice(0, -' #01234567'.length));
  return { record, header: lines.slice(0, header).join('\n'), entries: entries.slice(0, entries.findIndex((entry) => entry.endsWith(' show')) + 1) };
}

// The steps of a record: { told, decided, ms }. Plies that are decided at the same time are one step.
function stepsOf(entries) {
  const steps = [];
  let step = { told: [], decided: [] };
  for (const entry of entries) {
    const [, who, ms, ...what] = entry.split(' ');
    if (what[0] === 'bind') step.told.push({ place: what[1], component: what[2] });
    else step.decided.push(who === '-' ? { what: what[0] } : { seat: Number(who), move: what.join(' ') });
    step.ms = Number(ms);
    if (what[0] === 'bind') continue;
    steps.push(step);
    step = { told: [], decided: [] };
  }
  return steps;
}

// The fewest taps by which a move is chosen on the page: words of the list beside the board, or things on the board, which stand for a
// word of the move; or, where few moves are left, the button of the whole move. The last tap plays it. Infinity for a move that is not offered, which has to be written.
function tapsOf(legal, move) {
  const words = move.split(' ');
  if (!legal.includes(move)) return Infinity;
  const choose = (steps) => {
    const choice = new Choice(legal);
    for (const step of steps)
      if (step === null) choice.follow(words[choice.beginning.length] ?? null);
      else choice.pick({ tokens: [step], place: null, verbs: null });
    return choice;
  };
  const isLast = (choice) => choice.few.includes(move); // one more tap
  const listed = (steps) => (steps.length > 0 && choose(steps).count === 1 ? steps.length : isLast(choose(steps)) ? steps.length + 1 : listed([...steps, null]));
  const most = listed([]);
  const steps = [null, ...new Set(words.slice(1))];
  const reaches = (taken, left) => (taken.length > 0 && choose(taken).count === 1) || (left === 1 && isLast(choose(taken))) || (left > 0 && steps.some((step) => reaches([...taken, step], left - 1)));
  for (let taps = 1; taps < most; taps++) if (reaches([], taps)) return taps;
  return most;
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

// Follows a game as a scorer at the page would: decides, and answers what is asked.
function follow(engine, { header, entries }, components, look) {
  engine.begin({ header, entries: [], components });
  const steps = stepsOf(entries);
  const kept = [];
  for (let i = 0; i < steps.length; i++) {
    const { deciders } = engine.state;
    const count = Math.max(deciders.length, 1);
    const group = steps.slice(i, i + count);
    const wanted = group.flatMap((step) => step.told);
    const step = { told: [], decided: group.flatMap((each) => each.decided), ms: group[0].ms };
    for (;;) {
      const answer = engine.propose(step);
      if (answer.entries) {
        kept.push(...answer.entries);
        break;
      }
      const at = wanted.findIndex(({ place }) => place === answer.asks);
      assert.ok(at >= 0, `${answer.asks} was not told at entry ${engine.state.seq}`);
      const [{ place, component }] = wanted.splice(at, 1);
      assert.ok(answer.choices.includes(component), `${place}: ${component} is not among ${answer.choices}`);
      look?.(answer);
      step.told.push({ place, component });
    }
    i += count - 1;
  }
  return kept;
}

describe('scorer.wasm', { skip: !existsSync(wasm) }, () => {
  for (const slug of slugs)
    it(`records ${slug} as the program does, and offers what comes`, async () => {
      const engine = await ScorerEngine.make(readFileSync(wasm));
      const components = componentsOf(slug);
      for (let number = 1; number <= games; number++) {
        const game = told(slug, number);
        let asked = 0;
        const kept = follow(engine, game, components, ({ choices }) => { asked += choices.length > 1; });
        assert.equal(engine.record, game.record);
        assert.deepEqual(kept, game.entries);
        assert.ok(asked > 0);
        assert.equal(engine.state.phase, 'finished');
        const again = await ScorerEngine.make(readFileSync(wasm)); // a page that is loaded again
        again.begin({ header: game.header, entries: kept, components });
        assert.equal(again.record, game.record);
        assert.deepEqual(again.position().items, engine.position().items);
        assert.deepEqual(again.position().view, engine.position().view);
      }
    });

  // What is not told cannot be shown: a hand is there for its seat alone, as one arrangement that is possible.
  for (const [slug, decides] of [['shinjuku', null], ['mall-world', ' bid ']])
    it(`shows ${slug} to those who watch as to a spectator, entry by entry, and to the scorer as to the seat that decides`, async () => {
      const [scorer, watcher] = await Promise.all([1, 2].map(() => ScorerEngine.make(readFileSync(wasm))));
      const components = componentsOf(slug);
      const { header, entries } = told(slug, 1);
      const first = entries.findIndex((entry) => (decides === null ? entry.endsWith(' deal') : entry.includes(decides))) + (decides === null ? 1 : 0);
      scorer.begin({ header, entries: entries.slice(0, first), components });
      watcher.begin({ header, entries: [], components, watches: true });
      assert.equal(watcher.shown().view, null);
      for (let seq = 1; seq <= first; seq++) watcher.follow({ entries: entries.slice(0, seq) });
      const [own, seen] = [scorer.position(), watcher.shown()];
      assert.deepEqual([own.view.viewer, seen.view.viewer], [{ kind: 'seat', seat: own.deciders[0] }, { kind: 'spectator' }]);
      const hands = ({ view: { players } }) => players.map(({ hand, cards }) => (hand ?? cards ?? null) !== null);
      assert.deepEqual(hands(own.view), hands(own.view).map((_, seat) => seat === own.deciders[0]));
      assert.ok(hands(seen.view).every((isOpen) => !isOpen));
      assert.deepEqual(seen.items, own.items);
      if (own.deciders.length > 1) assert.deepEqual(scorer.position([own.deciders[0]]).view.viewer, { kind: 'seat', seat: own.deciders[1] });
      watcher.follow({ entries });
      assert.equal(watcher.record, told(slug, 1).record);
    });

  it('goes back to before a step, and on from there', async () => {
    const engine = await ScorerEngine.make(readFileSync(wasm));
    const components = componentsOf('shinjuku');
    const game = told('shinjuku', 1);
    const deal = game.entries.findIndex((entry) => entry.endsWith(' deal')) + 1;
    engine.begin({ header: game.header, entries: game.entries.slice(0, deal), components });
    const first = engine.position();
    const steps = stepsOf(game.entries.slice(deal));
    for (const step of steps.slice(0, 3)) engine.propose(step);
    const later = engine.position();
    assert.equal(later.items.length, 3);
    engine.back({ target: later.last, ms: 0 });
    assert.equal(engine.position().items.length, 2);
    engine.back({ target: engine.position().items[0].first, ms: 0 });
    const now = engine.position();
    assert.deepEqual([now.items, now.view, now.legal], [[], first.view, first.legal]);
    for (const step of steps.slice(0, 3)) engine.propose(step);
    assert.deepEqual(engine.position().items.map((item) => item.move), later.items.map((item) => item.move));
    assert.throws(() => engine.propose({ told: [], decided: [{ seat: 0, move: 'nonsense' }], ms: 0 }), Refused);
    assert.throws(() => engine.propose({ told: [{ place: 'deck', component: 'nowhere' }], decided: [{ what: 'deal' }], ms: 0 }), Refused);
    engine.back({ target: 1, ms: 0 });
    assert.equal(engine.position().phase, 'deal');
    assert.equal(engine.position().view, null);
    for (const _ of ['again', 'and again']) { // set up, which is then the step to go back to
      for (const step of stepsOf(game.entries.slice(0, deal))) engine.propose(step);
      assert.deepEqual(engine.position().view, first.view);
      engine.back({ target: engine.position().last, ms: 0 });
      assert.deepEqual([engine.position().phase, engine.position().last], ['deal', null]);
    }
  });

  it('takes decisions of several seats back together', async () => {
    const engine = await ScorerEngine.make(readFileSync(wasm));
    const { header, entries } = told('mall-world', 1);
    engine.begin({ header, entries: [], components: componentsOf('mall-world') });
    const steps = stepsOf(entries);
    const at = steps.findIndex((step) => { // the last of several that are decided together
      const before = engine.state.together;
      engine.take(step);
      return before === 1 && engine.state.together === 0;
    });
    assert.ok(at > 0);
    const { items, last } = engine.position();
    const alike = items.filter((item) => item.first === last);
    assert.ok(alike.length > 1);
    assert.equal(new Set(alike.map((item) => item.seat)).size, alike.length);
    engine.back({ target: last, ms: 0 });
    assert.deepEqual(engine.position().items, items.slice(0, items.length - alike.length));
    for (const step of steps.slice(at + 1 - alike.length, at + 1)) engine.take(step);
    assert.deepEqual(engine.position().items.map(({ move }) => move), items.map(({ move }) => move));
  });

  // Also those that need another hand than the one that the engine has dealt for its own use.
  for (const slug of ['shinjuku', 'super-motherload', 'mall-world'])
    it(`offers moves of ${slug} that can be made`, async () => {
      const engine = await ScorerEngine.make(readFileSync(wasm));
      const { header, entries } = told(slug, 2);
      engine.begin({ header, entries: [], components: componentsOf(slug) });
      let tried = 0;
      for (const [i, step] of stepsOf(entries).entries()) {
        const [{ seat }] = step.decided;
        const alone = engine.state.deciders.length === 1 && engine.state.together === 0;
        const legal = seat === undefined || !alone || i % 6 !== 0 ? [] : engine.legal(seat);
        for (const move of legal.filter((_, k) => k % 11 === i % 11)) {
          tried++;
          if (engine.propose({ told: [], decided: [{ seat, move }], ms: step.ms }).entries) engine.back({ target: engine.position().last, ms: step.ms });
          if (tried % 20 === 0) break;
        }
        if (tried > 200) break;
        engine.take(step);
      }
      assert.ok(tried > 20, `${tried}`);
    });

  for (const slug of slugs)
    it(`needs two taps a ply of ${slug}, in the median`, async (test) => {
      const engine = await ScorerEngine.make(readFileSync(wasm));
      const taps = [];
      for (let number = 1; number <= games; number++) {
        const { header, entries } = told(slug, number);
        engine.begin({ header, entries: [], components: componentsOf(slug) });
        for (const { told: wanted, decided, ms } of stepsOf(entries)) {
          const [{ seat, move }] = decided;
          if (seat !== undefined) taps.push(tapsOf(engine.legal(seat), move) + wanted.length);
          engine.take({ told: wanted, decided, ms });
        }
      }
      const written = taps.filter((each) => each === Infinity).length;
      test.diagnostic(`${slug}: ${taps.length} plies, median ${median(taps)}, ${written} of them written`);
      assert.ok(median(taps) <= 2, `${median(taps)}`);
      assert.ok(written <= taps.length / 50, `${written} of ${taps.length}`);
    });
});

describe('the journal', () => {
  const storage = () => {
    const kept = new Map();
    return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
  };

  it('begins with what the service has, and keeps entries before they are sent', async () => {
    const shop = storage();
    const { record, header, entries } = told('shinjuku', 1);
    const journal = new Journal(shop, 'key');
    assert.equal(journal.kept, null);
    journal.begin({ id: 'some', record, started_at: 'then' });
    assert.deepEqual([journal.kept.header, journal.kept.entries, journal.unsent], [header, entries, 0]);
    journal.add(['901 - 5 back 7']);
    const again = new Journal(shop, 'key');
    assert.deepEqual([again.kept, again.unsent], [journal.kept, 1]);
    const unreachable = Object.assign(new Error('no'), { passes: true });
    assert.equal(await again.sync(() => Promise.reject(unreachable)), false);
    assert.equal(again.unsent, 1);
    const sent = [];
    assert.equal(await again.sync(async (method, path, body) => { sent.push([method, path, body]); }), true);
    assert.deepEqual(sent, [['POST', '/v1/recordings/some/entries', { entries: ['901 - 5 back 7'] }]]);
    assert.equal(new Journal(shop, 'key').unsent, 0);
  });

  it('sends more when the service has less, and stops when it has something else', async () => {
    const journal = new Journal(storage(), 'key');
    journal.begin({ id: 'some', record: told('shinjuku', 1).record, started_at: 'then' });
    journal.kept.sent = 10;
    const asked = [];
    const service = async (_method, _path, { entries }) => {
      asked.push(entries[0].split(' ')[0]);
      if (asked.length === 1) throw Object.assign(new Error(), { code: 'entries-missing', document: { rows: 4 } });
    };
    assert.equal(await journal.sync(service), true);
    assert.deepEqual(asked.slice(0, 2), ['11', '5']);
    journal.add(['901 - 5 back 7']);
    const differs = Object.assign(new Error(), { code: 'recording-differs' });
    assert.equal(await journal.sync(() => Promise.reject(differs)), false);
    assert.equal(journal.fault, differs);
    assert.equal(journal.unsent, 1);
  });
});
