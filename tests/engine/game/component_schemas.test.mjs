// The JSON Schemas of component sets say the same as the reader of the rules: what a schema refuses, `tillroll components check` refuses,
// and what only the command refuses is a rule that a schema cannot say.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import Ajv2020 from 'ajv/dist/2020.js';

import { daily, isLong } from '../../long.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const tillroll = path.join(process.env.TILLROLL_BUILD ?? path.join(root, 'build/release'), 'tillroll');
const games = readdirSync(path.join(root, 'engine/games')).filter((game) => existsSync(path.join(root, 'engine/games', game, 'components.schema.json'))); // that have tables
const read = (game, file) => JSON.parse(readFileSync(path.join(root, 'engine/games', game, file), 'utf8'));
const MUTANTS = isLong ? 3000 : 120; // of each game

// What a schema cannot say: rules about several values, by the reader's sentences and the places where they may come up.
const everywhere = [
  /^There is no .* of this name in the set\.$/, /^An earlier row has this name\.$/, /^Rows must be in the order of their index/,
  /^A text for people has 1 to 160 bytes/, // bytes, not characters
];
const beyond = {
  'mall-world': [
    ['/chains/items/', /^There is already a chain for this use and group/],
    ['/approval_cards/items', /byte order|neither use|different groups|30 to 40 cards/],
    ['/bribe_chips/values', /from the best to the worst|exactly 7 different/],
    ['/lobby/sites/', /not be cheaper/],
    ['/board/plan', /36 rooms/],
    ['/board/rooms/', /^By the plan|^This list must have exactly|^The rules fix this number/],
    ['/board/edges', /^The rules fix this number/],
    ['/board', /in one piece|none is left for the second/],
    ['/trios', /^By the plan|^This list must have exactly|^The rules fix this number|more than 160/],
    ['/fixed_opening/', /^A cover lies|^First tiles must lie apart/],
  ],
  shinjuku: [
    ['/goods/rows/', /before `from`/],
    ['/customer_kinds/rows', /^Rows 2g|byte order|24 to 72|^The rules fix this number/],
    ['/wards/rows', /66 to 72|itself|byte order|another ward|is missing in the list/],
    ['/wards/rows/\\d+/number', /^The rules fix this number/],
    ['/ward_adjacency/rows', /list each other|other pairs/],
    ['/connections', /byte order|permanent|falls apart|More than 6|too long|more than 256/],
    ['/upgrade_bonus/rows/\\d+/(order|queue_size)', /^The rules fix this number/],
  ],
  'super-motherload': [
    ['/bomb_patterns/list', /at least 2 spaces|at most 7|exactly . characters|^The rules fix this number|^This list must have exactly/],
    ['/(starters|decks)/list/.*/id', /^In every set this is/],
    ['/decks/list/0/cards/\\d+/cost', /^This number must be from/],
    ['/decks/list/[123]/cards/\\d+/(cost|vp|icons)', /^The rules fix this number/],
    ['/card_order/list/', /^In every set this is/],
    ['/artifacts/list', /16 artifact tiles/],
    ['/major_achievements/list/', /asks for nothing/],
    ['/boards/list/', /4 artifacts|lies in rock|one piece|leads to|begins with dirt/],
  ],
  supermarche: [
    ['/foods/rows/\\d+/sale_price', /^This number must be from/],
    ['/foods/rows/\\d+/store_boxes', /^The Store has the boxes/],
    ['/purchase_box/rows/', /^A cube bought/],
    ['/initial_store/rows', /room for 15|begins with the earliest/],
    ['/coupon_chart/rows/\\d+/total', /^The rules fix this number/],
    ['/customers/rows/\\d+/number', /^The rules fix this number/],
    ['/customers/rows/\\d+/ranges', /end with 12|^This number must be|^The rules fix this number/],
    ['/levels/rows/', /^The rules fix this number|^This number must be/],
  ],
  'superstore-3000': [
    ['/store_types/items/', /order of the categories/],
    ['/entrances/items/', /order of the marks/],
    ['/marks/tiles', /48 tiles/],
    ['/mall_element_list/items/', /^This place in the list/],
    ['/attractions/items', /is not a cell|lowest row up|base \[0, 0\]|side by side|24 platforms/],
    ['/attractions/items/.*/category', /^Customers are counted/],
    ['/attraction_groups/', /in their order/],
    ['/individual_cards/', /individual attraction|^Customers are counted/],
    ['/docking_bays/items/', /wants any store/],
    // The names of categories are keys here.
    ['/balloons/by_seats/', /^The key `.*` is missing|best value|same values|^This must be a (list|whole number)|^This list must|^This number must/],
  ],
};

// mulberry32
function generator(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

// Every place of a set, as [object or list, key, whether it is for people only].
function* placesIn(value) {
  if (value === null || typeof value !== 'object') return;
  for (const key of Object.keys(value)) {
    yield [value, key];
    yield* placesIn(value[key]);
  }
}

// Numbers just inside and outside of the bounds that schemas name, by a number that is there.
const beside = (number, bounds) => [number - 1, number + 1, ...bounds];

// One change of `set`, in place.
function mutate(set, random, bounds) {
  const places = [...placesIn(set)];
  const [object, key] = places[random(places.length)];
  const value = object[key];
  const one = (list) => list[random(list.length)];
  const wrong = () => { object[key] = one([null, true, 7, -1, 'x', [], {}, 'X_Y', ''].filter((other) => typeof other !== typeof value || other !== value)); };
  switch (random(4)) {
    case 0:
      if (Array.isArray(object)) object.splice(Number(key), 1);
      else delete object[key];
      return;
    case 1: {
      if (Array.isArray(object)) object.push(structuredClone(value));
      else object[one(['coins', '', 'id', 'count', 'sides', 'provenance', 'game'])] = one([1, 'x', null]);
      return;
    }
    case 2:
      if (typeof value === 'number') object[key] = one(beside(value, bounds));
      else if (typeof value === 'string') object[key] = one([`${value}-`, 'a'.repeat(2 + random(45)), 'ö'.repeat(60 + random(110)), `${value}\\`, `${value}"`, `${value}{`, value.slice(1)]);
      else if (Array.isArray(value) && value.length > 0) value.push(structuredClone(one(value)));
      else wrong();
      return;
    default:
      wrong();
  }
}

// The last place of each numeric member, as keys from the root.
function numbersOf(value, keys = [], found = new Map()) {
  if (typeof value === 'number') found.set(keys.map((key) => (/^\d+$/.test(key) ? '*' : key)).join('/'), keys);
  else if (value !== null && typeof value === 'object') for (const key of Object.keys(value)) numbersOf(value[key], [...keys, key], found);
  return [...found.values()];
}

// Sets with every such number at every bound, and beyond.
function* atBounds(text, bounds) {
  for (const keys of numbersOf(JSON.parse(text))) {
    for (const bound of bounds) {
      const set = JSON.parse(text);
      keys.slice(0, -1).reduce((object, key) => object[key], set)[keys.at(-1)] = bound;
      yield set;
    }
  }
}

// The bounds of all numbers of a schema, and the numbers beyond.
function boundsOf(schema) {
  const found = new Set();
  for (const [object, key] of placesIn(schema)) {
    if (key === 'minimum') found.add(object[key]).add(object[key] - 1);
    if (key === 'maximum') found.add(object[key]).add(object[key] + 1);
  }
  return [...found];
}

describe('the JSON Schemas of component sets', () => {
  let directory;
  before(() => { directory = mkdtempSync(path.join(os.tmpdir(), 'component-schemas-')); });
  after(() => rmSync(directory, { recursive: true }));

  for (const game of games) {
    const schema = read(game, 'components.schema.json');
    const validate = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, strictTuples: false }).compile(schema);

    it(`${game}: takes the set that comes with the program`, () => {
      assert.ok(validate(read(game, 'components.json')), JSON.stringify(validate.errors));
    });

    it(`${game}: refuses nothing that the rules take, and takes only what a schema cannot refuse`, () => {
      const random = generator(games.indexOf(game) + 1);
      const bounds = boundsOf(schema);
      const text = JSON.stringify(read(game, 'components.json'));
      const changed = Array.from({ length: MUTANTS }, () => {
        const set = JSON.parse(text);
        mutate(set, random, bounds);
        return set;
      });
      const mutants = [...changed, ...daily([...atBounds(text, bounds)], 17)].map((set, i) => {
        const file = path.join(directory, `${i}.json`);
        writeFileSync(file, JSON.stringify(set));
        return { file, takes: validate(set), errors: validate.errors };
      });
      const { stdout, stderr } = spawnSync(tillroll, ['components', 'check', ...mutants.map(({ file }) => file)], { encoding: 'utf8', maxBuffer: 2 ** 26 });
      assert.equal(stderr, '');
      const lines = stdout.trimEnd().split('\n');
      assert.equal(lines.length, mutants.length);
      const faults = [];
      const seen = { both: 0, neither: 0, rules: 0 };
      for (const [i, { file, takes, errors }] of mutants.entries()) {
        assert.ok(lines[i].startsWith(file));
        const said = lines[i].slice(file.length);
        const taken = said.startsWith(': a component set of ');
        const [, place = '', message] = /^(?::\d+)?(?:: (\/[^ ]*))?: (.*)$/.exec(said);
        const rule = [...everywhere.map((words) => ['', words]), ...beyond[game]]
          .some(([where, words]) => new RegExp(`^${where}`).test(place) && words.test(message));
        if (takes && taken) seen.both += 1;
        else if (!takes && !taken) seen.neither += 1;
        else if (takes && rule) seen.rules += 1;
        else faults.push(takes ? `only the rules refuse it: ${said}` : `only the schema refuses it: ${JSON.stringify(errors[0])}`);
      }
      assert.deepEqual([...new Set(faults)], []);
      for (const [what, count] of Object.entries(seen)) assert.ok(count > 0, `${what}: ${JSON.stringify(seen)}`);
    });
  }
});
