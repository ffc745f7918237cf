// Durable moves over HTTP, legal moves of real games, beside pgbench, which inserts one row a
// transaction with as many clients.
import { median, heading, ms, row, shuffled, thousands } from '../table.mjs';

const clients = [1, 8, 64, 256];
const goals = { 1: { atLeast: 0.75, aim: 1 }, 8: { atLeast: 0.95, aim: 1.3 }, 64: { atLeast: 1.8, aim: 2.5 }, 256: { atLeast: 3, aim: 4 } };
const lateness = { 64: { atLeast: 1, aim: 0.5, less: true }, 256: { atLeast: 0.2, aim: 0.12, less: true } };
// Moves of a game that is left before it ends; the shortest have 150.
const PART = 100;
// Games that a second of so many clients may need, if all goes as is aimed at.
export const gamesOf = (count, seconds) => count + Math.ceil((seconds * Math.min(90_000, 4_000 * count)) / 150);

// Moves of games of which none ends, and of whole games: what the end of a game costs, its proof, results and ratings, is seen between them.
export async function measureMoves(bed, service, counts, { seconds, rounds }) {
  const pairs = Object.fromEntries(counts.map((count) => [count, []]));
  const games = counts.reduce((sum, count) => sum + gamesOf(count, seconds + 1), 0);
  for (let round = 0; round < rounds; round++) {
    const whole = await bed.script(games);
    const parts = await bed.script(Math.ceil((games * 150) / PART), { moves: PART });
    const play = (count, script) => bed.load(service, ['--connections', count, '--seconds', seconds, '--warm-up', 1], script);
    const ways = { ours: (count) => play(count, parts), whole: (count) => play(count, whole), pgbench: (count) => bed.pgbench(count, seconds) };
    for (const count of shuffled(counts)) {
      const runs = {};
      for (const which of shuffled(Object.keys(ways))) runs[which] = await ways[which](count);
      pairs[count].push(runs);
    }
    whole.drop();
    parts.drop();
  }
  return pairs;
}

const of = (runs, pick) => median(runs.map(pick));

function said(runs, which) {
  const all = runs.map((each) => each[which]);
  const rate = of(all, (run) => run.moves_per_s ?? run.rate);
  return `${thousands(rate)}/s, p50 ${ms(of(all, (run) => run.p50_us))}, p99 ${ms(of(all, (run) => run.p99_us))}, slowest ${ms(Math.max(...all.map((run) => run.max_us)))}`;
}

const rateBeside = (which) => (each) => each[which].moves_per_s / each.pgbench.rate;
const p99Beside = (which) => (each) => each[which].p99_us / each.pgbench.p99_us;

function printMoves(pairs) {
  for (const [count, runs] of Object.entries(pairs)) {
    const details = [
      `ours     ${said(runs, 'ours')}; client ${of(runs, (each) => each.ours.client_us).toFixed(1)} us each`,
      `pgbench  ${said(runs, 'pgbench')}`,
      `whole games, each proved and rated at its end: ${of(runs, rateBeside('whole')).toFixed(2)}x, p99 ${of(runs, p99Beside('whole')).toFixed(2)}x; ${said(runs, 'whole')}`,
    ];
    row(`moves a second beside pgbench, ${count} clients`, of(runs, rateBeside('ours')), 'x', goals[count], details);
    if (lateness[count] !== undefined) row(`... p99 of a move beside pgbench's`, of(runs, p99Beside('ours')), 'x', lateness[count]);
  }
}

// 10 % of the requests besides, sent again or too late.
async function stale(bed, service, { seconds, rounds }) {
  const runs = [];
  for (let round = 0; round < rounds; round++) {
    const script = await bed.script(2 * gamesOf(64, seconds + 1));
    const run = {};
    for (const percent of shuffled([0, 10]))
      run[percent] = await bed.load(service, ['--connections', 64, '--seconds', seconds, '--warm-up', 1, '--stale', percent], script);
    runs.push(run);
    script.drop();
  }
  row('answers a second with 10 % repeated and stale beside none, 64', of(runs, (run) => run[10].answers_per_s / run[0].answers_per_s), 'x', { atLeast: 0.9, aim: 1 }, [
    `with ${thousands(of(runs, (run) => run[10].answers_per_s))}/s, p99 ${ms(of(runs, (run) => run[10].p99_us))}; none ${thousands(of(runs, (run) => run[0].answers_per_s))}/s, p99 ${ms(of(runs, (run) => run[0].p99_us))}`,
  ]);
}

export async function moves(bed, scale) {
  heading('Moves over HTTP');
  const service = await bed.serve();
  printMoves(await measureMoves(bed, service, clients, scale));
  await stale(bed, service, scale);
  await service.end();
}
