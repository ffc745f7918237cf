// What a position, an event and a move of each game look like in openapi.json, held against positions of whole games:
// every number of seats, every option, every kind of viewer, played at random and with sense.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, it } from 'node:test';

import { isLong } from '../../long.mjs';
import { document, validatorOf } from '../support/contract.mjs';
import { build } from '../support/testbed.mjs';

const { schemas } = document.components;
const schemaOf = (name) => ({ $ref: `#/components/schemas/${name}` });
const view = validatorOf(schemaOf('View'));

// What does not come up in these games: a hand card of no use thrown away, an upgrade in the last round, minerals when all
// four stacks are bought.
const games = {
  'mall-world': { positions: 1800, seats: [3, 4, 5], rare: ['removed'] },
  shinjuku: { positions: 1800, seats: [2, 3, 4], rare: ['removed'] },
  'super-motherload': { positions: 1800, seats: [2, 3, 4], rare: ['minerals_lost'] },
  supermarche: { positions: 2200, seats: [1], rare: [] },
  'supermarche@0.9.0': { positions: 900, seats: [1], rare: [] },
  'superstore-3000': { positions: 1500, seats: [2, 3, 4], rare: [] },
};
// What others are not told.
const optional = ['income cards', 'cards_drawn cards', 'artifact_found artifact'];
const slugOf = (ruleset) => ruleset.split('@')[0];
const nameOf = (ruleset) => schemas.View.discriminator.mapping[slugOf(ruleset)].split('/').at(-1).replace(/View$/, '');

async function* positionsOf(ruleset, count) {
  const program = spawn(path.join(build, 'tests/write_positions'), [ruleset, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(program, 'close');
  for await (const line of createInterface({ input: program.stdout })) yield JSON.parse(line);
  assert.deepEqual(await ended, [0, null]);
}

function must(validator, value, what) {
  if (!validator(value)) assert.fail(`${what}: ${JSON.stringify(validator.errors.slice(0, 3))}\n${JSON.stringify(value).slice(0, 1000)}`);
}

// Every place in `value`, as [object or array, key].
function* placesIn(value) {
  if (value === null || typeof value !== 'object') return;
  for (const key of Object.keys(value)) {
    yield [value, key];
    yield* placesIn(value[key]);
  }
}

// Puts something else there for a moment.
function refused(validator, whole, object, key, other, what) {
  const { [key]: was } = object;
  if (other === undefined) delete object[key];
  else object[key] = other;
  if (validator(whole)) assert.fail(`${what}: ${JSON.stringify(whole).slice(0, 2000)}`);
  if (was === undefined) delete object[key];
  else object[key] = was;
}

// A schema that lets a changed document pass promises nothing about it.
function refusedWhenChanged(validator, whole, what, optional = []) {
  for (const [object, key] of placesIn([whole])) {
    if (object[key] === null || typeof object[key] !== 'object') refused(validator, whole, object, key, 0.5, `${what}: ${key} = 0.5`);
    else if (!Array.isArray(object[key])) refused(validator, whole, object[key], 'unknown', 1, `${what}: ${key}.unknown`);
  }
  for (const key of Object.keys(whole))
    if (!optional.includes(`${whole.kind} ${key}`)) refused(validator, whole, whole, key, undefined, `${what} without ${key}`);
}

describe('openapi.json and the games', () => {
  const total = { positions: 0, views: 0, moves: 0, changed: 0 };
  const tried = new Set();
  // A single game (`tests/run changed`) has fewer.
  after(() => assert.ok(tried.size < Object.keys(games).length || (total.positions >= 10_000 && total.views >= 20_000 && total.moves >= 100_000 && total.changed >= 35)));

  it('has all games', () => {
    assert.deepEqual(Object.keys(schemas.View.discriminator.mapping), [...new Set(Object.keys(games).map(slugOf))]);
  });

  for (const [ruleset, { positions, seats, rare }] of Object.entries(games))
    it(`tells how ${ruleset} looks`, async () => {
      tried.add(ruleset);
      const event = validatorOf(schemaOf(`${nameOf(ruleset)}Event`));
      const move = validatorOf(schemaOf(`${nameOf(ruleset)}Move`));
      const own = validatorOf(schemaOf(`${nameOf(ruleset)}View`));
      const seen = { seats: new Set(), kinds: new Set(), decisions: new Set() };
      let number = 0;
      for await (const position of positionsOf(ruleset, positions)) {
        const what = `${ruleset}, position ${number}`;
        for (const each of position.events.flat()) must(event, each, what);
        if (position.move !== null) must(move, position.move, what);
        // There are many views and moves: of every tenth position, and of all in the long run.
        if (isLong || number % 10 === 0) {
          for (const each of position.views) must(own, each, what);
          for (const each of position.legal) must(move, each, what);
          must(view, position.views[0], what);
        }
        seen.seats.add(position.views[0].seats);
        seen.decisions.add(position.views[0].decision);
        for (const { kind } of position.events.flat()) seen.kinds.add(kind);
        total.views += position.views.length;
        total.moves += position.legal.length;
        if (number++ % 250 !== 249) continue;
        refusedWhenChanged(own, position.views[0], what);
        for (const each of position.events.flat()) refusedWhenChanged(event, each, what, optional);
        for (const each of position.legal) assert.ok(!move(each.slice(1)) && !move(`${each} ?`), `${what}: ${each}`);
        total.changed++;
      }
      assert.equal(number, positions);
      total.positions += number;
      assert.deepEqual([...seen.seats].sort(), seats);
      const { properties } = schemas[`${nameOf(ruleset)}View`];
      assert.deepEqual([...seen.decisions].sort(), [...properties.decision.anyOf[0].enum, null].sort());
      const kinds = schemas[`${nameOf(ruleset)}Event`].anyOf.map((each) => each.properties.kind.const);
      assert.deepEqual(kinds.filter((kind) => !seen.kinds.has(kind)), rare);
    });
});
