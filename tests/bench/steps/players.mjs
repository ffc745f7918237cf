// Moves of players who think, beside single commits, and beside inserts that are due as often: these show
// what the disk's slow moments alone bring about. With a cluster of its own: in one that heavy play
// was on, single commits take longer now and then, settled or not, and the slowest of these see it.
import { heading, median, ms, row, shuffled, thousands } from '../table.mjs';

const of = (runs, pick) => median(runs.map(pick));

// 250 players who think a tenth of a second each: 2,500 moves a second.
export const thinking = ['--connections', 250, '--think', 100];
const RATE = 2500;

export async function players(bed, { seconds, rounds }) {
  heading('Moves of 250 players, 2,500 a second');
  const service = await bed.serve();
  const runs = [];
  for (let round = 0; round < rounds; round++) {
    const script = await bed.script(250 + 25 * (seconds + 1));
    const run = {};
    const ways = {
      ours: () => bed.load(service, [...thinking, '--seconds', seconds, '--warm-up', 1], script),
      commit: () => bed.pgbench(1, seconds),
      due: () => bed.pgbench(64, seconds, { rate: RATE }),
    };
    for (const which of shuffled(Object.keys(ways))) run[which] = await ways[which]();
    runs.push(run);
    script.drop();
  }
  row("p99 of 250 players' moves, beside a single commit's p50", of(runs, (run) => run.ours.p99_us / run.commit.p50_us), 'x', { atLeast: 5, aim: 3, less: true }, [
    `${thousands(of(runs, (run) => run.ours.moves_per_s))} moves/s, p50 ${ms(of(runs, (run) => run.ours.p50_us))}, p99 ${ms(of(runs, (run) => run.ours.p99_us))}, slowest ${ms(Math.max(...runs.map((run) => run.ours.max_us)))}; one commit ${ms(of(runs, (run) => run.commit.p50_us))}`,
  ]);
  row('... beside the p99 of single inserts by pgbench, as many a second', of(runs, (run) => run.ours.p99_us / run.due.p99_us), 'x', { atLeast: 1, aim: 0.5, less: true }, [
    `inserts ${thousands(of(runs, (run) => run.due.rate))}/s, p50 ${ms(of(runs, (run) => run.due.p50_us))}, p99 ${ms(of(runs, (run) => run.due.p99_us))}`,
  ]);
  await service.end();
}
