// Levels of play among themselves, and what their decisions cost (tests/bench/levels/bench_levels.c). Each deal is played from
// every seat. The table has the lower ends of intervals that hold the true share with 95 %.
//
// BENCH_SLUGS   games (all)
// BENCH_PAIRS   only these, as master/regular,strong/regular (each level over the one below, and master/regular)
// BENCH_SEATS   only tables of this size (2 and 4, or the nearest that the game has)
// BENCH_DEALS   of each pair (20; ten times as many where both choose by weight)
// BENCH_FIRST   the number of the first deal (0)
import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { build } from '../bed.mjs';
import { heading, row } from '../table.mjs';

const levels = ['beginner', 'casual', 'regular', 'strong', 'master'];
const games = { 'mall-world': [3, 4], shinjuku: [2, 4], 'super-motherload': [2, 4], supermarche: [1], 'superstore-3000': [2, 4] };
const listed = (name) => process.env[name]?.split(',');

const searches = (level) => levels.indexOf(level) > levels.indexOf('regular');

function match(slug, seats, level, rival) {
  const deals = Number(process.env.BENCH_DEALS ?? 20) * (searches(level) ? 1 : 10);
  const given = [slug, seats, deals, level, rival, Number(process.env.BENCH_FIRST ?? 0)];
  return { deals, ...JSON.parse(execFileSync(path.join(build, 'tests/bench_levels'), given.map(String), { encoding: 'utf8' })) };
}

const share = (mean, margin) => `${mean.toFixed(1)} +-${margin.toFixed(1)} %`;

function details({ deals, ...found }, seats) {
  const firsts = seats === 1 ? 'better on' : 'first places';
  const beats = seats === 1 ? 'at least as good on' : 'rivals beaten';
  return [
    `${deals} deals: ${firsts} ${share(found.first, found.first_margin)}, ${beats} ${share(found.beaten, found.beaten_margin)}; mean score ${found.score} against ${found.rival_score}`,
    `a decision ${found.mean_ms} ms, p95 ${found.p95_ms}, slowest ${found.most_ms}; ${found.playouts_per_s} playouts/s; rival ${found.rival_decisions_per_s} decisions/s`,
  ];
}

// The rivals that a level beats among players of the one below.
function neighbours(slug, seats, level, rival) {
  const found = match(slug, seats, level, rival);
  const least = seats === 1 ? found.first_least : found.beaten_least;
  row(`${level} over ${rival}, ${seats} seats: ${seats === 1 ? 'better on' : 'rivals beaten'}, at least`, least, '%', { atLeast: 60, aim: 65 }, details(found, seats));
}

function top(slug, seats) {
  const found = match(slug, seats, 'master', 'regular');
  const goal = seats < 3 ? { atLeast: 80, aim: 95 } : seats === 4 ? { atLeast: 50, aim: 70 } : {};
  row(`master among regulars, ${seats} seats: ${seats === 1 ? 'better on' : 'first places'}, at least`, found.first_least, '%', goal, details(found, seats));
  row(`a decision of master, ${seats} seats, p95 of the core's own time`, found.p95_ms, 'ms', { atLeast: 2000, aim: 500, less: true });
}

function of(slug, sizes) {
  const pairs = listed('BENCH_PAIRS');
  const only = listed('BENCH_SEATS')?.map(Number);
  const wanted = (level, rival) => pairs === undefined || pairs.includes(`${level}/${rival}`);
  const seats = sizes.filter((size) => only === undefined || only.includes(size));
  heading(`Levels of play: ${slug}`);
  for (let i = 1; i < levels.length; i++) {
    if (wanted(levels[i], levels[i - 1]) && seats.includes(sizes[0])) neighbours(slug, sizes[0], levels[i], levels[i - 1]);
  }
  if (wanted('master', 'regular')) for (const size of seats) top(slug, size);
}

export function strength() {
  const played = listed('BENCH_SLUGS') ?? Object.keys(games);
  const unknown = played.find((slug) => games[slug] === undefined);
  if (unknown !== undefined) throw new Error(`there is no game ${unknown}; there are: ${Object.keys(games).join(' ')}`);
  for (const slug of played) of(slug, games[slug]);
}
