// The pairings of multiplayer Swiss, computed a second time from an event's log and secret, as engine/tournament/EVENT.md says: the
// criteria of each table, the best of all pairings, the order of tables, and the seats. It shares nothing with the engine. For rounds
// of at most 16 players, in which nobody has a bye; all pairings of ten players are tried in a moment.
import assert from 'node:assert/strict';

import { Stream } from '../support/luck.mjs';

const mask = (1n << 64n) - 1n;
function mix(x) {
  x = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
  x = ((x ^ (x >> 27n)) * 0x94d049bb133111ebn) & mask;
  return x ^ (x >> 31n);
}

const without = (list, at) => list.filter((_, i) => i !== at);

function* permutations(list) {
  if (list.length === 0) yield [];
  for (let i = 0; i < list.length; i++) for (const rest of permutations(without(list, i))) yield [list[i], ...rest];
}

function* combinations(list, size) {
  if (size === 0) return yield [];
  for (let i = 0; i + size <= list.length; i++) for (const rest of combinations(list.slice(i + 1), size - 1)) yield [list[i], ...rest];
}

// All ways to seat everybody at tables of these sizes, as lists of tables; the first player's table comes first.
function* pairings(players, sizes) {
  if (players.length === 0) yield [];
  else for (const size of new Set(sizes)) {
    for (const others of combinations(players.slice(1), size - 1)) {
      const rest = players.slice(1).filter((player) => !others.includes(player));
      for (const tables of pairings(rest, without(sizes, sizes.indexOf(size)))) yield [[players[0], ...others], ...tables];
    }
  }
}

const pairsOf = (table) => [...combinations(table, 2)];

// What has been up to a round. `rounds` are the earlier ones: { tables: [[number, ..], ..], points: Map of number to 60ths before it }.
function historyOf(rounds, preferred) {
  const history = { met: new Map(), before: new Map(), sat: new Map(), short: new Map(), floats: new Map() };
  const add = (map, key, by = 1) => map.set(key, (map.get(key) ?? 0) + by);
  rounds.forEach(({ tables, points }, i) => tables.forEach((table) => {
    const sum = table.reduce((total, number) => total + points.get(number), 0);
    table.forEach((number, seat) => {
      add(history.sat, `${number} ${seat}`);
      add(history.before, `${number} ${table[(seat + 1) % table.length]}`);
      if (table.length !== preferred) add(history.short, number);
      const ago = rounds.length - 1 - i;
      if (ago < 2) history.floats.set(`${number} ${ago}`, Math.sign(points.get(number) * table.length - sum));
      for (const other of table) if (other !== number) add(history.met, `${number} ${other}`);
    });
  }));
  return history;
}

// P2: whether so many further rounds without repeats can follow these tables.
function canFollow(tables, further, everybody, sizes, met) {
  const repeats = tables.some((table) => pairsOf(table).some(([a, b]) => met.has(`${a} ${b}`)));
  if (repeats || further === 0) return !repeats;
  const then = new Map(met);
  for (const [a, b] of tables.flatMap(pairsOf)) then.set(`${a} ${b}`, 1).set(`${b} ${a}`, 1);
  for (const next of pairings(everybody, sizes)) if (canFollow(next, further - 1, everybody, sizes, then)) return true;
  return false;
}

// Compares a round of the log (`round_drawn`) with the one that follows from the lines before it. `seeds`, `points` (60ths) and `place`
// (in the standings before the round) are maps by number. Throws where they differ; returns how many pairings were tried.
export function checkPods(drawn, { settings, seed, rounds, points, place, seeds }) {
  const { seats_preferred: preferred, rounds: planned } = settings;
  assert.deepEqual([settings.profile, drawn.byes], ['strict', []]);
  const { met, before, sat, short, floats } = historyOf(rounds, preferred);
  const everybody = drawn.tables.flat().sort((a, b) => points.get(b) - points.get(a) || place.get(a) - place.get(b) || seeds.get(a) - seeds.get(b));
  const order = new Map(everybody.map((player, i) => [player, i]));
  const sizes = drawn.tables.map((table) => table.length);
  const stream = new Stream(seed, `pair/${drawn.round}/${drawn.attempt}`);
  const key = BigInt(stream.uniform(2 ** 32)) | (BigInt(stream.uniform(2 ** 32)) << 32n);
  const seatCost = (table) => table.reduce((sum, player, seat) => sum + 16 * (2 * (sat.get(`${player} ${seat}`) ?? 0) + 1)
    + 2 * (before.get(`${player} ${table[(seat + 1) % table.length]}`) ?? 0) + 1, 0);
  const costs = new Map();
  const costOf = (table) => {
    const name = [...table].sort((a, b) => order.get(a) - order.get(b)).join();
    if (!costs.has(name)) {
      const sum = table.reduce((total, player) => total + points.get(player), 0);
      const squares = table.reduce((total, player) => total + points.get(player) ** 2, 0);
      const float = (player) => Math.sign(points.get(player) * table.length - sum);
      const again = (player, ago) => Number(float(player) !== 0 && floats.get(`${player} ${ago}`) === float(player));
      const draw = table.map((player) => seeds.get(player)).sort((a, b) => a - b).reduce((hash, each) => mix(hash ^ BigInt(each)), key) >> 32n;
      costs.set(name, {
        P3: pairsOf(table).reduce((total, [a, b]) => total + (met.get(`${a} ${b}`) ?? 0), 0),
        P4: table.length === preferred ? 0 : table.reduce((total, player) => total + 2 * (short.get(player) ?? 0) + 1, 0),
        P5: (60 / table.length) * (table.length * squares - sum ** 2),
        P6: table.reduce((total, player) => total + 2 * again(player, 0) + again(player, 1), 0),
        P7: Math.min(...[...permutations(table)].map(seatCost)),
        P9: Number(draw),
      });
    }
    return costs.get(name);
  };
  const codes = ['P3', 'P4', 'P5', 'P6', 'P7', 'P9'];
  const vectorOf = (tables) => codes.map((code) => tables.reduce((sum, table) => sum + costOf(table)[code], 0));
  const compare = (a, b) => a.map((value, i) => value - b[i]).find((difference) => difference !== 0) ?? 0;
  const isOpen = (player) => everybody.filter((other) => other !== player && !met.has(`${player} ${other}`)).length;
  const fits = Math.min(planned - drawn.round + 1, ...everybody.map((player) => Math.floor(isOpen(player) / (Math.min(...sizes) - 1))),
    Math.floor(everybody.reduce((sum, player) => sum + isOpen(player), 0) / sizes.reduce((sum, size) => sum + size * (size - 1), 0)));
  const judge = (tables) => (fits > 1 && !canFollow(tables, fits - 1, everybody, sizes, met) ? 1 : 0);
  const same = met.size === 0 ? judge(drawn.tables) : null; // nobody has met: all pairings are alike
  const p2 = (tables) => same ?? judge(tables);

  const told = new Map(drawn.quality.criteria.map(({ code, value }) => [code, value]));
  const vector = vectorOf(drawn.tables);
  assert.deepEqual([told.get('P1'), told.get('P2'), told.get('P8'), ...codes.map((code) => told.get(code))], [0, p2(drawn.tables), 0, ...vector], `round ${drawn.round}`);
  let tried = 0;
  for (const tables of pairings(everybody, sizes)) {
    tried++;
    const difference = compare(vectorOf(tables), vector);
    // A smaller one has to be worse by P2; and where this one has P2, none without it may be there.
    if (difference < 0) assert.ok(told.get('P2') === 0 && p2(tables) === 1, `round ${drawn.round}: a better pairing`);
    else if (told.get('P2') === 1) assert.equal(p2(tables), 1, `round ${drawn.round}: a pairing after which others fit`);
  }
  const ordered = drawn.tables.map((table) => [...table].sort((a, b) => order.get(a) - order.get(b)));
  const mean = (table) => table.reduce((sum, player) => sum + points.get(player), 0) / table.length;
  ordered.sort((a, b) => mean(b) - mean(a) || order.get(a[0]) - order.get(b[0]));
  const seated = ordered.map((table) => {
    const least = [...permutations(table)].filter((each) => seatCost(each) === costOf(table).P7);
    return least[stream.uniform(least.length)];
  });
  assert.deepEqual(drawn.tables, seated, `round ${drawn.round}: tables and seats`);
  return tried;
}
