// Verifying a whole database.
import { heading, row, thousands } from '../table.mjs';

const games = Number(process.env.BENCH_GAMES ?? 100_000);

export async function verify(bed) {
  heading(`Verifying ${thousands(games)} finished games of all rulesets, two workers`);
  await bed.fill('finished', '--ruleset', 'all', '--count', games, '--unchecked');
  const begin = performance.now();
  const { status, stdout } = bed.tillroll('audit', '--workers', '2');
  const seconds = (performance.now() - begin) / 1000;
  if (status !== 0) throw new Error(stdout);
  const share = games / 100_000;
  const plies = Number(/^all +\d+ +\d+ +(\d+)/m.exec(stdout)[1]);
  row('tillroll audit', seconds, 's', { atLeast: 13 * share, aim: 8 * share, less: true }, [`${thousands(plies)} plies, ${thousands(plies / seconds)} a second`]);
}
