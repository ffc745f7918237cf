// A primary dies, or is cut off and lives on, and its standby is promoted while many play: every move that was
// acknowledged is on the new primary, and the old one can acknowledge none any more, although it accepts what it is
// sent, and an administrator there ends its waiting. The same without waiting for the standby is the proof that this
// could see a loss.
import { sleep, until } from '../../api/support/waiting.mjs';
import { canMakeNetworks } from '../network.mjs';
import { Pair } from '../pair.mjs';

const exists = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

// How a primary dies.
const deaths = {
  'all at once': (pair) => pair.signalPostgres('SIGKILL'),
  postmaster: (pair) => process.kill(pair.postmaster(), 'SIGKILL'),
  'ended at once': (pair) => process.kill(pair.postmaster(), 'SIGQUIT'),
  'asked to end': async (pair) => {
    const pids = pair.postgres();
    process.kill(pids[0], 'SIGINT');
    await until(60, 'the primary has ended', () => !pids.some(exists));
  },
};

// From whom a primary is cut off: always from its standby. `old`: services that go on with it alone;
// `others`: those that it is cut off from.
const cuts = {
  'from all': () => ({ old: [], others: [0, 1] }),
  'from the standby and a service': (pair) => {
    const old = pair.random.below(2);
    return { old: [old], others: [1 - old] };
  },
  'from the standby': () => ({ old: [0, 1], others: [] }),
};

// What stands in records, a line each.
const stored = (pair, cluster) =>
  pair.asAdministrator("SELECT game_id || ' ' || seq || ' ' || encode(hash, 'hex') FROM tillroll.record_line", cluster).split('\n');

// Milliseconds until somebody's move is acknowledged again.
async function pause(witness) {
  const begin = Date.now();
  await witness.moreMoves(1);
  return Date.now() - begin;
}

async function die(pair, witness, tally) {
  const death = pair.random.pick(Object.keys(deaths));
  const pids = pair.postgres();
  const begin = Date.now();
  const alone = pair.random.below(2) === 1;
  await deaths[death](pair);
  pair.promote({ alone });
  if (alone) tally.pauses.push(Date.now() - begin + (await pause(witness)));
  await until(60, 'the primary has ended', () => !pids.some(exists));
  await pair.rejoin();
  tally.count(`killed, ${death}`);
}

// Ends the waiting of commits for a standby that has left: the old primary has them then, and shows
// them to whoever asks.
function endWaits(pair, old) {
  const end = pair.random.pick(['pg_cancel_backend', 'pg_terminate_backend']);
  return Number(pair.asAdministrator(`SELECT count(${end}(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`, old));
}

async function isolate(pair, witness, tally) {
  const cut = pair.random.pick(Object.keys(cuts));
  const { old: ours, others } = cuts[cut](pair);
  const old = pair.cluster;
  const begin = Date.now();
  // Services cut off from the old primary reach nothing of it; a service on its side reaches only the old primary.
  pair.cutOff(others);
  pair.keepFromStandby(ours);
  pair.doubt(ours);
  for (let turn = 0; turn < 3; turn++) {
    await sleep(pair.random.below(300));
    tally.waits += endWaits(pair, old);
  }
  pair.promote({ alone: true });
  if (others.length > 0) tally.pauses.push(Date.now() - begin + (await pause(witness)));
  for (let turn = 0; turn < 3; turn++) {
    if (others.length > 0) await witness.moreMoves(10);
    else await sleep(pair.random.below(1500));
    tally.waits += endWaits(pair, old);
  }
  const here = new Set(stored(pair));
  tally.orphans += stored(pair, old).filter((line) => !here.has(line)).length;
  if (pair.random.below(2) === 0) {
    // The old primary is back, and knows of nothing: whoever has seen the new one leaves it alone.
    pair.doubt([0, 1]);
    pair.heal();
    await sleep(pair.random.below(3000));
  }
  old.end();
  pair.heal();
  await pair.rejoin();
  tally.count(`cut off ${cut}`);
}

class Tally {
  kinds = {};
  pauses = [];
  waits = 0;
  orphans = 0;

  count(kind) {
    this.kinds[kind] = (this.kinds[kind] ?? 0) + 1;
  }

  median() {
    const sorted = this.pauses.toSorted((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? 0;
  }
}

// So many of the one and of the other, in an order of chance.
function order(random, promotions, cut) {
  const left = [promotions, cut];
  return Array.from({ length: promotions + cut }, () => {
    const kind = random.below(left[0] + left[1]) < left[0] ? 0 : 1;
    left[kind]--;
    return [die, isolate][kind];
  });
}

// Without waiting: what a primary acknowledges that is cut off from its standby is lost with it.
async function control(tables, seed) {
  const pair = await Pair.open({ seed, synchronous: false });
  try {
    const witness = await pair.match(tables, { patience: 5_000 });
    await witness.moreMoves(20);
    pair.cutOff([]);
    pair.keepFromStandby([0, 1]);
    await witness.moreMoves(20);
    const told = witness.games.flatMap((game) => game.acknowledged.map((ply) => `${game.id} ${ply.split(' ')[0]} ${ply.split(' ').at(-1)}`));
    const old = pair.cluster;
    pair.promote({ alone: true });
    old.end();
    const found = new Set(stored(pair));
    await witness.finished.catch(() => {});
    return told.filter((ply) => !found.has(ply)).length;
  } finally {
    await pair.end();
  }
}

export async function promotions(report, { promotions: kills = 10, cuts: cut = 10, controls = 1, tables = 8, moves = 100, hurry = false, seed = `promotions ${Date.now()}` } = {}) {
  if (!canMakeNetworks()) {
    report.line('skipped: no networks can be made here');
    return true;
  }
  const pair = await Pair.open({ seed });
  const tally = new Tally();
  let faults;
  try {
    const witness = await pair.match(tables);
    for (const [at, fail] of order(pair.random, kills, cut).entries()) {
      await witness.moreMoves((moves >> 1) + pair.random.below(moves));
      await fail(pair, witness, tally);
      report.progress(`${at + 1} promotions, ${witness.moves} moves`);
    }
    await witness.moreMoves(moves);
    await witness.stop({ hurry });
    faults = await pair.faults(witness);
    report.line(`seed ${seed}`);
    report.line(`${kills + cut} promotions: ${Object.entries(tally.kinds).map(([kind, times]) => `${kind} ${times}`).join('; ')}`);
    report.line(`next move acknowledged after ${tally.median()} ms (median), ${Math.max(0, ...tally.pauses)} ms (longest)`);
    report.line(`${tally.waits} waits of old primaries were ended by hand; ${tally.orphans} lines stood on old primaries only`);
    report.match(witness, faults);
  } catch (error) {
    report.line(pair.complaints());
    throw error;
  } finally {
    await pair.end();
  }
  let seen = 0;
  for (let time = 0; time < controls; time++) {
    const lost = await control(tables, `${seed} ${time}`);
    report.line(`control, without waiting for the standby: ${lost} acknowledged moves were lost`);
    seen += lost > 0;
  }
  return faults.length === 0 && seen === controls;
}
