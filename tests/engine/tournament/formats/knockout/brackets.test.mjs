// Brackets of the engine against those of brackets-manager: what matches there are, where their
// opponents come from, and who meets whom after results.
//
// Where the two differ on purpose (each is named below and nowhere else let pass):
//   - a second match of the grand final that is not needed has no opponents here, and stays locked;
//   - a match with a bye is always `locked` here; there it becomes completed or archived by the way
//     in which it came to pass;
//   - who passes in the consolation final of single elimination has won it here; there it has once
//     and has not when the entry comes later;
//   - the places of those who go out together are shared here, by the number of those above.
// And what the other cannot do, and so is not compared with it:
//   - results in double elimination with a consolation final but no grand final: it throws; and
//     with three entries, where that final has a bye: it turns the bye into a loser;
//   - results where the winner of a game passes a bye in the upper bracket, which takes an order of
//     seeds that pairs byes: the same happens to the bye that goes to the lower bracket;
//   - matches that both forfeit: if they leave a match between two byes, it loses the bye.
//
// Up to 16 entries every number of them is compared, and above that every 13th or 17th; all in the long run.
//
// Each comparison runs in a thread of its own: node:test follows every promise of its thread, and
// brackets-manager makes so many that this would take longer than the comparison.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

import { BracketsManager } from 'brackets-manager';
import { InMemoryDatabase } from 'brackets-memory-db';

import { daily, isLong } from '../../../../long.mjs';

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../../../../..');
const build = path.resolve(root, process.env.TILLROLL_BUILD ?? 'build/release');

const FINALS = ['none', 'simple', 'double'];
const ORDERS = ['natural', 'reverse', 'half_shift', 'reverse_half_shift', 'pair_flip', 'inner_outer'];
const SIZES = [2, 4, 8, 16, 32, 64, 128];
const READY = 2;

const program = isMainThread ? null : spawn(path.join(build, 'tests/write_brackets'), { stdio: ['pipe', 'pipe', 'inherit'] });
const answers = program && createInterface({ input: program.stdout })[Symbol.asyncIterator]();

async function ours(request) {
  program.stdin.write(JSON.stringify(request) + '\n');
  const { value, done } = await answers.next();
  assert.ok(!done, 'write_brackets ended');
  return JSON.parse(value);
}

// Numbers that look random and are the same everywhere.
function luck(seed) {
  let state = seed >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % sides;
  };
}

function request(kind, size, entries, finals, consolation, orders = []) {
  const seeding = Array.from({ length: size }, (_, i) => (i < entries ? i : null));
  return { kind, size, grandFinal: FINALS.indexOf(finals), consolation, orders, seeding, withdrawn: [], results: [] };
}

async function theirs(wanted) {
  const database = new InMemoryDatabase();
  const manager = new BracketsManager(database);
  const settings = { size: wanted.size, consolationFinal: wanted.consolation };
  if (wanted.kind === 1) settings.grandFinal = FINALS[wanted.grandFinal];
  if (wanted.orders.length > 0) settings.seedOrdering = wanted.orders;
  await manager.create.stage({
    tournamentId: 0,
    name: 'Bracket',
    type: wanted.kind === 1 ? 'double_elimination' : 'single_elimination',
    seeding: wanted.seeding.map((entry) => (entry === null ? null : `entry ${entry}`)),
    settings,
  });
  return { manager, database };
}

const hasBye = (match) => match.opponent1 === null || match.opponent2 === null;

// Members that are undefined go; so do those on which the two differ on purpose.
function comparable(data, kind) {
  const copy = JSON.parse(JSON.stringify(data));
  const { name, type, settings } = copy.stage[0];
  const finals = copy.group.find((group) => group.number === 3);
  const [first, second] = copy.match.filter((match) => match.group_id === finals?.id && match.number === 1);
  if (kind === 1 && second !== undefined && (first.opponent1 === null || first.opponent1.result === 'win' || hasBye(first))) {
    second.opponent1 = second.opponent2 = 'not needed';
    delete second.status;
  }
  const consolation = copy.group.find((group) => kind === 0 && group.number === 2);
  for (const match of copy.match.filter(hasBye)) {
    delete match.status;
    if (match.group_id === consolation?.id) for (const side of [match.opponent1, match.opponent2]) delete side?.result;
  }
  return {
    stage: { name, type, size: settings.size, orders: settings.seedOrdering, grandFinal: settings.grandFinal },
    group: copy.group,
    round: copy.round,
    match: copy.match,
    participant: copy.participant,
  };
}

async function compare(wanted, { manager }, label) {
  const [mine, other] = [await ours(wanted), await manager.get.stageData(0)];
  assert.equal(mine.refused, undefined, label);
  assert.deepEqual(comparable(mine, wanted.kind), comparable(other, wanted.kind), label);
  return { mine, other };
}

// Every kind and every set of finals for a size.
function* variants(size) {
  for (const consolation of size > 2 ? [false, true] : [false]) {
    yield [0, 'none', consolation];
    for (const finals of FINALS) yield [1, finals, consolation];
  }
}

const describeRequest = (wanted) => JSON.stringify({ ...wanted, seeding: entriesOf(wanted) });

// A random result of one of the matches that are ready, given to both. False when there is none.
async function playOne(wanted, { manager, database }, roll, forfeits) {
  const ready = database.data.match.filter((match) => match.status === READY && !isUnneeded(wanted, database, match));
  if (ready.length === 0) return false;
  const match = ready[roll(ready.length)];
  const [winner, forfeit] = [roll(2), forfeits && roll(8) === 0];
  const score = [roll(50), roll(50)];
  const sides = ['opponent1', 'opponent2'];
  const update = { id: match.id, opponent1: { score: score[0] }, opponent2: { score: score[1] } };
  if (forfeit) update[sides[1 - winner]].forfeit = true;
  else update[sides[winner]].result = 'win';
  const entries = sides.map((side) => match[side].id);
  await manager.update.match(update);
  wanted.results.push([match.id, ...entries, winner, forfeit ? 1 << (1 - winner) : 0, ...score]);
  return true;
}

// Both of them go on to the second match there, whoever won the first.
function isUnneeded(wanted, database, match) {
  if (wanted.kind !== 1 || FINALS[wanted.grandFinal] !== 'double') return false;
  const finals = database.data.group.find((group) => group.number === 3)?.id;
  const [first, second] = database.data.match.filter((each) => each.group_id === finals && each.number === 1);
  return match.id === second?.id && first.opponent2?.result !== 'win';
}

const entriesOf = (wanted) => wanted.seeding.filter((entry) => entry !== null).length;
const theyFail = (wanted) => wanted.kind === 1 && wanted.consolation && (wanted.grandFinal === 0 || entriesOf(wanted) === 3);

// The groups of those who finished together, best first, as the other has them: it tells no places
// but an order of groups, and knows nothing of a consolation final in double elimination.
function ourGroups(mine, wanted) {
  const groups = new Map();
  for (const [seed, place] of mine.places.entries())
    if (wanted.seeding[seed] !== null) groups.set(place, [...(groups.get(place) ?? []), wanted.seeding[seed]]);
  return [...groups.entries()].sort(([a], [b]) => a - b);
}

async function comparePlaces(mine, wanted, { manager }) {
  const groups = ourGroups(mine, wanted);
  let above = 0;
  for (const [place, group] of groups) {
    assert.equal(place, above + 1);
    above += group.length;
  }
  // It takes the last matches for granted.
  if (mine.match.at(-1).opponent1 === null || mine.match.at(-1).opponent2 === null) return false;
  if (wanted.kind === 1 && (wanted.size === 2 || wanted.consolation)) return false;
  const standings = await manager.get.finalStandings(0);
  const expected = [];
  for (const { id, rank } of standings) (expected[rank - 1] ??= []).push(id);
  assert.deepEqual(groups.map(([, group]) => group), expected.map((group) => group.sort((a, b) => a - b)));
  return true;
}

const comparisons = {
  async 'has the matches and origins of brackets-manager, for every size and numbers of byes'() {
    let compared = 0;
    for (const size of SIZES)
      for (const entries of daily(Array.from({ length: size - 1 }, (_, i) => 2 + i), size > 16 ? 13 : 1))
        for (const [kind, finals, consolation] of variants(size)) {
          const wanted = request(kind, size, entries, finals, consolation);
          await compare(wanted, await theirs(wanted), describeRequest(wanted));
          compared++;
        }
    if (isLong) assert.equal(compared, 4 + 8 * SIZES.slice(1).reduce((sum, size) => sum + size - 1, 0));
    assert.ok(compared > (isLong ? 500 : 300), `${compared}`);
  },

  async 'takes every order of seeds and losers'() {
    const roll = luck(1);
    for (const size of SIZES.slice(1))
      for (let n = 0; n < (isLong ? 20 : 6); n++) {
        const kind = n % 2;
        const orders = Array.from({ length: kind === 1 ? Math.log2(size) : 1 }, () => ORDERS[roll(ORDERS.length)]);
        const wanted = request(kind, size, 2 + roll(size - 1), FINALS[roll(3)], false, orders);
        const other = await theirs(wanted);
        await compare(wanted, other, describeRequest(wanted));
      }
    for (const size of SIZES.slice(1))
      for (let n = 0; n < (isLong ? 10 : 4); n++) {
        const kind = n % 2;
        const orders = Array.from({ length: kind === 1 ? Math.log2(size) : 1 }, () => ORDERS[roll(ORDERS.length)]);
        const wanted = request(kind, size, size, FINALS[roll(3)], false, orders);
        const other = await theirs(wanted);
        while (await playOne(wanted, other, roll, true));
        await compare(wanted, other, describeRequest(wanted));
      }
  },

  async 'lets entries meet as brackets-manager does, for many numbers of entries'() {
    const roll = luck(2);
    let places = 0;
    for (let entries = 2; entries <= 128; entries += isLong || entries < 16 ? 1 : 17) {
      const size = SIZES.find((each) => each >= entries);
      for (const [kind, finals, consolation] of variants(size)) {
        const wanted = request(kind, size, entries, finals, consolation);
        if (theyFail(wanted)) continue;
        const other = await theirs(wanted);
        const pause = roll(2 * entries);
        for (let n = 0; await playOne(wanted, other, roll, true); n++)
          if (n === pause) await compare(wanted, other, describeRequest(wanted));
        const { mine } = await compare(wanted, other, describeRequest(wanted));
        assert.equal(mine.over, true);
        if (await comparePlaces(mine, wanted, other)) places++;
      }
    }
    assert.ok(places > (isLong ? 400 : 80), `${places}`);
  },

  async 'lets entries meet with byes against byes'() {
    const roll = luck(3);
    for (const size of SIZES.slice(1, isLong ? 6 : 4))
      for (let entries = 2; entries <= size / 2; entries++)
        for (const [kind, finals, consolation] of variants(size)) {
          const wanted = request(kind, size, entries, finals, consolation);
          if (theyFail(wanted)) continue;
          const other = await theirs(wanted);
          while (await playOne(wanted, other, roll, true));
          await compare(wanted, other, describeRequest(wanted));
        }
  },

  async 'does not mind in which order results are told'() {
    const roll = luck(4);
    const wanted = request(1, 32, 27, 'double', true);
    const other = await theirs(wanted);
    while (await playOne(wanted, other, roll, true));
    const once = await ours(wanted);
    wanted.results.sort(() => roll(3) - 1);
    assert.deepEqual(await ours(wanted), once);
  },
};

// Resolves when the comparison has ended; rejects with what it has thrown.
function inThread(name) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: name });
    worker.on('error', reject);
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the thread ended with ${code}`))));
  });
}

if (isMainThread) {
  const { describe, it } = await import('node:test');
  describe('brackets', () => {
    for (const name of Object.keys(comparisons)) it(name, () => inThread(name));
  });
} else {
  try {
    await comparisons[workerData]();
  } finally {
    program.stdin.end();
  }
}
