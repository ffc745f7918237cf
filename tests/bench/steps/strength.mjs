// Levels of play among themselves, and what their decisions cost. Each deal is played from every seat; BENCH_DEALS of them (20)
// where the level above searches, ten times as many where both choose by weight.
import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { build } from '../bed.mjs';
import { heading, row } from '../table.mjs';

const levels = ['beginner', 'casual', 'regular', 'strong', 'master'];
const games = { 'mall-world': [3, 4], shinjuku: [2, 4], 'super-motherload': [2, 4], supermarche: [1, 1], 'superstore-3000': [2, 4] };
const played = process.env.BENCH_SLUGS?.split(',') ?? Object.keys(games);

const searches = (level) => levels.indexOf(level) > levels.indexOf('regular');

function match(slug, seats, level, rival) {
  const deals = Number(process.env.BENCH_DEALS ?? 20) * (searches(level) ? 1 : 10);
  return { deals, ...JSON.parse(execFileSync(path.join(build, 'tests/bench_levels'), [slug, seats, deals, level, rival].map(String), { encoding: 'utf8' })) };
}

const share = (mean, margin) => `${mean.toFixed(1)} +-${margin.toFixed(1)} %`;

function details({ deals, first, first_margin: firstMargin, beaten, beaten_margin: beatenMargin, score, rival_score: rivalScore }, seats) {
  const firsts = seats === 1 ? 'better on' : 'first places';
  const beats = seats === 1 ? 'at least as good on' : 'rivals beaten';
  return `${deals} deals: ${firsts} ${share(first, firstMargin)}, ${beats} ${share(beaten, beatenMargin)}; mean score ${score} against ${rivalScore}`;
}

function of(slug, [few, many]) {
  heading(`Levels of play: ${slug}`);
  let top;
  for (let i = 1; i < levels.length; i++) {
    const found = match(slug, few, levels[i], levels[i - 1]);
    // The lower end of the interval.
    const [mean, margin] = few === 1 ? [found.first, found.first_margin] : [found.beaten, found.beaten_margin];
    row(`${levels[i]} over ${levels[i - 1]}, ${few} seats: at least this share with 95 %`, Math.max(mean - margin, 0), '%', { atLeast: 60, aim: 65 }, [details(found, few)]);
    top = found;
  }
  const duel = match(slug, few, 'master', 'regular');
  row(few === 1 ? 'master beside regular: boards on which it is better' : `master among regulars, ${few} seats: first places`, duel.first, '%', few > 2 ? {} : { atLeast: 80, aim: 95 }, [details(duel, few)]);
  let slowest = duel;
  if (many > few) {
    slowest = match(slug, many, 'master', 'regular');
    row(`master among regulars, ${many} seats: first places`, slowest.first, '%', { atLeast: 50, aim: 70 }, [details(slowest, many)]);
  }
  row(`a decision of master, ${many} seats, p95 of the core's own time`, slowest.p95_ms, 'ms', { atLeast: 2000, aim: 500, less: true }, [
    `mean ${slowest.mean_ms} ms, slowest ${slowest.most_ms} ms; p95 with ${few} seats ${top.p95_ms} ms`,
  ]);
  row(`playouts, ${few} seats`, duel.playouts_per_s, '/s', {}, [`${many} seats: ${slowest.playouts_per_s} /s`]);
  row(`choices by weight, ${few} seats`, duel.rival_decisions_per_s, '/s', {}, [`${many} seats: ${slowest.rival_decisions_per_s} /s`]);
}

export function strength() {
  for (const slug of played) of(slug, games[slug]);
}
