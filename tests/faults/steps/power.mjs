// The power goes: the disk holds what was synced and nothing else. Every move that was acknowledged is there
// afterwards. The same with `fsync = off` is the proof that this could see a loss.
import { until } from '../../api/support/waiting.mjs';
import { canMount, LoopDisk } from '../disk.mjs';
import { Field } from '../field.mjs';

const stored = (field) =>
  new Set(field.cluster.sql("SET ROLE tillroll_owner; SELECT game_id || ' ' || seq || ' ' || encode(hash, 'hex') FROM tillroll.record_line").split('\n'));

// What was acknowledged so far, as stored() has it.
const acknowledged = (witness) =>
  witness.games.flatMap((game) => game.acknowledged.map((ply) => `${game.id} ${ply.split(' ')[0]} ${ply.split(' ').at(-1)}`));

// Cuts the power, and gives it back. How many acknowledged moves are gone.
async function cut(field, disk, witness) {
  field.signalPostgres('SIGSTOP');
  const told = acknowledged(witness);
  disk.freeze();
  field.signalPostgres('SIGKILL');
  await until(20, 'the database has ended', () => field.postmaster() === undefined);
  await until(20, 'nobody has a file open', () => {
    disk.restore();
    return true;
  });
  try {
    await field.cluster.restart();
  } catch {
    return told.length; // it cannot even start
  }
  const found = stored(field);
  return told.filter((ply) => !found.has(ply)).length;
}

async function run(report, { cuts, tables, moves, hurry, seed, fsync }) {
  const disk = new LoopDisk(512);
  const field = await Field.open({ seed, prepare: disk.prepare });
  try {
    if (!fsync) field.asAdministrator('ALTER SYSTEM SET fsync = off');
    await field.cluster.restart();
    const witness = await field.match(tables, { patience: fsync ? 120_000 : 5_000 });
    disk.sync();
    let lost = 0;
    for (let time = 0; time < cuts; time++) {
      await witness.moreMoves(moves + field.random.below(moves));
      lost += await cut(field, disk, witness);
      if (!fsync) break; // what goes on now is another history
    }
    if (!fsync) {
      await witness.finished.catch(() => {});
      return { lost, told: witness.moves, faults: [] };
    }
    await witness.stop({ hurry });
    const faults = await field.faults(witness);
    report.match(witness, faults);
    return { lost, told: witness.moves, faults };
  } finally {
    await field.end();
  }
}

export async function power(report, { cuts = 20, controls = 3, tables = 16, moves = 200, hurry = false, seed = `power ${Date.now()}` } = {}) {
  if (!canMount()) {
    report.line('skipped: nothing can be mounted here');
    return true;
  }
  const { lost, faults } = await run(report, { cuts, tables, moves, hurry, seed, fsync: true });
  report.line(`${cuts} cuts: ${lost} acknowledged moves were lost`);
  let seen = 0;
  for (let control = 0; control < controls; control++) {
    const without = await run(report, { cuts: 1, tables, moves, seed: `${seed} ${control}`, fsync: false });
    report.line(`control, fsync off: ${without.lost} acknowledged moves were lost`);
    seen += without.lost > 0;
  }
  return lost === 0 && faults.length === 0 && seen === controls;
}
