// What must not grow with what is stored, with the length of a game, or with what is at hand.
import { heading, median, ms, row, shuffled, thousands } from '../table.mjs';
import { measureMoves } from './moves.mjs';
import { comparePage, fillPages, targets } from './pages.mjs';
import { thinking } from './players.mjs';

const sizes = (process.env.BENCH_SIZES ?? '1000,100000,1000000').split(',').map(Number);
const of = (runs, pick) => median(runs.map(pick));

// One of the sizes: moves beside pgbench, pages beside bare answers.
async function measureStored(bed, filled, scale) {
  const service = await bed.serve();
  const { 64: pairs } = await measureMoves(bed, service, [64], scale);
  const told = `ours ${thousands(of(pairs, (each) => each.ours.moves_per_s))}/s, p99 ${ms(of(pairs, (each) => each.ours.p99_us))}; pgbench ${thousands(of(pairs, (each) => each.pgbench.rate))}/s`;
  const measured = new Map([['moves, 64 clients', { ratio: of(pairs, (each) => each.ours.moves_per_s / each.pgbench.rate), details: [told] }]]);
  for (const [what, target] of [...targets(filled), ['the leaderboard', '/v1/leaderboard?scope=overall']])
    measured.set(what, await comparePage(bed, service, target, scale));
  await service.end();
  return measured;
}

// Games of Supermarché played at random are the shortest: about 30 lines.
async function growStored(bed, scale) {
  const filled = await fillPages(bed);
  let stored = 0;
  let first;
  for (const size of sizes) {
    await bed.fill('finished', '--ruleset', 'supermarche', '--count', size - stored, '--seed', size, '--unchecked');
    stored = size;
    const lines = bed.sql("SELECT reltuples::bigint FROM pg_class WHERE oid = 'tillroll.record_line'::regclass");
    const measured = await measureStored(bed, filled, scale);
    first ??= measured;
    for (const [what, { ratio, details }] of measured)
      row(`${what}, with ${thousands(size)} games (${thousands(Number(lines))} lines) beside ${thousands(sizes[0])}`, ratio / first.get(what).ratio, 'x', measured === first ? {} : { atLeast: 0.85, aim: 1 }, details);
  }
}

// The longest games there are.
async function growPlies(bed, service, { seconds, rounds }) {
  const runs = [];
  for (let round = 0; round < rounds; round++) {
    const run = {};
    for (const plies of shuffled([10, 700])) {
      const script = await bed.script(600, { ruleset: 'super-motherload', seats: 4, plies, moves: 150 });
      run[plies] = await bed.load(service, ['--connections', 64, '--think', 20, '--seconds', seconds, '--warm-up', 1], script, { whole: true });
      script.drop();
    }
    runs.push(run);
  }
  row('p50 of a move after 700 plies of its game beside 10', of(runs, (run) => run[700].p50_us / run[10].p50_us), 'x', { atLeast: 1.2, aim: 1, less: true }, [
    `Super Motherload, four seats: p50 ${ms(of(runs, (run) => run[700].p50_us))} and ${ms(of(runs, (run) => run[10].p50_us))}`,
  ]);
}

// Two servers on one database: one with many games at hand and many viewers, one with none.
async function growLive(bed, { seconds, rounds }) {
  const games = 10_000;
  const viewers = 5_000;
  const [full, empty] = [await bed.serve(), await bed.serve()];
  await bed.load(full, ['--connections', 64, '--seconds', 120], await bed.script(games, { plies: 100, moves: 1 }), { whole: true });
  const [{ id }] = (await bed.script(1)).read();
  const scripts = [];
  for (let round = 0; round < rounds; round++) scripts.push(await bed.script(2 * (250 + 25 * (seconds + 2))));
  const watching = await bed.watch(full, `/v1/games/${id}/stream`, viewers, rounds * 2 * (seconds + 3));
  const runs = [];
  for (const script of scripts) {
    const run = {};
    for (const which of shuffled(['full', 'empty']))
      run[which] = await bed.load(which === 'full' ? full : empty, [...thinking, '--seconds', seconds, '--warm-up', 1], script);
    runs.push(run);
  }
  const { ended } = await watching.report;
  row(`p99 of a move with ${thousands(games)} games at hand and ${thousands(viewers)} idle viewers beside none`, of(runs, (run) => run.full.p99_us / run.empty.p99_us), 'x', { atLeast: 1.3, aim: 1, less: true }, [
    `p99 ${ms(of(runs, (run) => run.full.p99_us))} and ${ms(of(runs, (run) => run.empty.p99_us))}${ended > 0 ? `; ${ended} viewers were lost` : ''}`,
  ]);
  await full.end();
  await empty.end();
}

export async function growth(bed, scale) {
  heading('Growth');
  await growStored(bed, scale);
  const service = await bed.serve();
  await growPlies(bed, service, scale);
  await service.end();
  await growLive(bed, { ...scale, rounds: 2 * scale.rounds }); // p99s differ most from run to run
}
