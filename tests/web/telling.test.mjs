// What happened in games, told in other languages than the service's: with the same names and numbers, and all of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { good } from '../api/support/client.mjs';
import { makeDuplicate } from '../api/support/duplicate.mjs';
import { makeGame, makePlayers, playLively, Random, startRound } from '../api/support/play.mjs';
import { client, organizer, serve } from '../api/support/served.mjs';

const pages = new URL('../../web-static/', import.meta.url);

// What the pages' scripts find in a browser.
Object.defineProperty(globalThis, 'document', { value: { documentElement: { dataset: { words: 'games' } } } });
Object.defineProperty(globalThis, 'localStorage', { value: { getItem: () => 'de' } });
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['de-DE'] }, configurable: true });
const { named, telling } = await import(new URL('lib/telling.js', pages));
const { addGameWords } = await import(new URL('lib/words.js', pages));

// Members that a sentence need not have, because others say the same, or because the service's own leaves them out too.
const unsaid = {
  'mall-world': {},
  'shinjuku': {},
  'super-motherload': {},
  'supermarche': { cost_card: ['card'] },
  'superstore-3000': { card_revealed: ['condition'], docking_bay_built: ['floor'], game_over: ['cards'], money_taken: ['from_bank'], customer_satisfied: ['store'] },
};
const seated = { 'mall-world': 3, 'shinjuku': 2, 'super-motherload': 2, 'supermarche': 1, 'superstore-3000': 2 };

// An event that notes which of its members are looked at.
function watched(event, seen) {
  return new Proxy(event, { get: (target, name) => { seen.add(name); return target[name]; } });
}

const textOf = (told) => told.map((part) => (part.seat !== undefined ? `{seat ${part.seat}}` : part)).join('');
// A starter of Super Motherload costs nothing, and is not called by it; an entrance of Superstore 3000 is called by whom it brings; a
// customer of Shinjuku who counts double by a word.
const figuresIn = (text) => text.replace(/\b([rbyw]0|Entrance \d+|(?:food|clothing|books|electronics)-2)\b/g, '').replace(/(\d)\.(?=\d{3}\b)/g, '$1').match(/\{seat \d+\}|\d+/g) ?? [];

// What is wrong with the sentence for an event, if anything.
function faultsOf(slug, event, components) {
  const seen = new Set();
  const told = telling(slug, watched(event, seen), components);
  if (told === null) return [`${event.kind}: no sentence`];
  const text = textOf(told);
  const missing = Object.keys(event).filter((name) => !['kind', 'text'].includes(name) && !seen.has(name) && !unsaid[slug][event.kind]?.includes(name));
  const figures = figuresIn(text);
  const lost = figuresIn(event.text).filter((each) => !figures.includes(each));
  const coded = slug === 'super-motherload' && /(?<![\w-])[rbyw]\d+(?![\w-])/.exec(named(slug, event, components));
  return [...(coded ? [`${event.kind}: ${coded[0]} instead of a card's name`] : []), ...missing.map((name) => `${event.kind}: nothing of ${name} in ${text}`), ...lost.map((each) => `${event.kind}: ${each} of ${event.text} is not in ${text}`),
    ...(/undefined|null|NaN|\[object/.test(text) ? [`${event.kind}: ${text}`] : [])];
}

serve();

async function gameOf(ruleset, players) {
  if (players.length > 1) return (await makeGame(client, organizer, players, { ruleset })).game;
  const event = await makeDuplicate(client, organizer, players, { ruleset, boards: 1, options: { difficulty: 'easy' } });
  return (await startRound(client, event, organizer, players)).games[0];
}

describe('the sentences of a game', () => {
  for (const [slug, seats] of Object.entries(seated)) {
    it(`are there for each kind of event of ${slug}`, async () => {
      const text = readFileSync(new URL(`../../engine/games/${slug}/events.c`, import.meta.url), 'utf8');
      const kinds = [...text.matchAll(/(?:telling_begin|telling_begin_with_seat|telling_plain|begin_with_player|tell_achievement)\(\s*telling, (?:automatic \? )?"(\w+)"(?: : "(\w+)")?/g)]
        .flatMap(([, one, other]) => [one, other].filter(Boolean));
      assert.ok(kinds.length > 10);
      const keys = Object.keys((await import(new URL(`game-words/de-${slug}.js`, pages))).default);
      assert.deepEqual(kinds.filter((kind) => !keys.some((key) => key.startsWith(`told.${slug}.${kind}`))), []);
    });

    it(`say what happened in a game of ${slug}`, async () => {
      await addGameWords(slug);
      const players = await makePlayers(client, seats);
      const components = good(await client.get(`/v1/rulesets/${slug}/components`));
      const faults = new Set();
      const random = new Random('telling');
      let told = 0;
      for (let games = 0; told <= 50 && games < 10; games++) { // a game may end after a few plies
        const game = await gameOf(slug, players);
        await playLively(client, game, random, 300);
        for (let next = 0; ;) {
          const page = good(await client.get(`${game.at}/events?after=${next}`, { token: game.players[0].token }));
          if (page.items.length === 0) break;
          for (const event of page.items.flatMap((item) => item.events ?? [])) {
            told++;
            for (const fault of faultsOf(slug, event, components)) faults.add(fault);
          }
          next = page.items.at(-1).seq;
        }
      }
      assert.ok(told > 50, `${told}`);
      assert.deepEqual([...faults].slice(0, 20), []);
    });
  }

  it('have the figures of each minor achievement of Super Motherload', async () => {
    const components = good(await client.get('/v1/rulesets/super-motherload/components'));
    const { list } = components.minor_achievements;
    assert.equal(list.length, 20);
    const faults = list.flatMap(({ id, text, vp }) =>
      faultsOf('super-motherload', { kind: 'achievement_revealed', achievement: id, points: vp, text: `New minor achievement: ${id} (${text}).` }, components));
    assert.deepEqual(faults, []);
  });

  it('of the service have the names of cards, and not their codes', () => {
    const drill = { kind: 'drill', seat: 0, color: 'blue', length: 3, cards: ['r0', 'b10'], text: '{seat 0} drills 3 spaces as blue with r0, b10.' };
    assert.equal(named('super-motherload', drill), '{seat 0} drills 3 spaces as blue with Startkarte Rot, Blau 10\u00a0$.');
    const bought = { kind: 'card_bought', seat: 1, card: 'w2', points: 2, text: '{seat 1} buys w2 (2).' };
    assert.doesNotMatch(named('super-motherload', bought), /w2/);
  });

  it('name spaces by what the board shows, patterns and boards by words, and moves without their notation', async () => {
    const components = good(await client.get('/v1/rulesets/super-motherload/components'));
    const words = (slug, event) => textOf(telling(slug, event, components));
    assert.equal(words('super-motherload', { kind: 'tunnel', seat: 1, spaces: ['1f6', '1g6', '2f1'] }), '{seat 1} überdeckt f6, g6 (Tiefe 1), f1 (Tiefe 2).');
    for (const { id } of components.bomb_patterns.list) {
      const text = words('super-motherload', { kind: 'bomb', seat: 0, pattern: id, cards: ['r10'] });
      assert.ok(!text.includes(id) && !text.includes('motherload'), text);
    }
    assert.equal(words('super-motherload', { kind: 'board_placed', board: '2b' }), 'Der Plan für Tiefe 2, Seite B wird ausgelegt.');
    await addGameWords('shinjuku');
    assert.equal(words('shinjuku', { kind: 'action_named', seat: 0, action: 'open', move: 'open futako-tamagawa electronics' }), '{seat 0} zahlt gleich für: Eröffnen, Futako Tamagawa, Elektronik.');
    assert.equal(words('shinjuku', { kind: 'action_named', seat: 0, action: 'open', move: 'open aoto from shinjuku' }), '{seat 0} zahlt gleich für: Eröffnen, Aoto, versetzt von Shinjuku.');
    await addGameWords('superstore-3000');
    const store = good(await client.get('/v1/rulesets/superstore-3000/components'));
    assert.equal(textOf(telling('superstore-3000', { kind: 'dispenser_refilled', dispenser: 'a', tile: 'entrance-02' }, store)), 'Spalte a der Auslage wird aufgefüllt: Eingang (Eisdiele, Theater).');
  });

  it('would be found to lack something', () => {
    const event = { kind: 'track_laid', seat: 1, a: 'ueno', b: 'kita-senju', text: '{seat 1} lays track between Ueno and Kita Senju.' };
    assert.deepEqual(faultsOf('shinjuku', event), []);
    assert.equal(faultsOf('shinjuku', { ...event, length: 2 }).length, 1);
    assert.equal(faultsOf('shinjuku', { ...event, text: '{seat 0} lays 2 tracks.' }).length, 2);
    assert.equal(faultsOf('shinjuku', { kind: 'tracks_laid', text: '' }).length, 1);
  });
});
