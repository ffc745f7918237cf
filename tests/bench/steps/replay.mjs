// The engine by itself: replay with every check, and random play with full lists of legal moves.
import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { build } from '../bed.mjs';
import { heading, row } from '../table.mjs';

export function replay() {
  heading('Replay and random play, a second and core');
  const lines = execFileSync(path.join(build, 'tests/bench_engine'), { encoding: 'utf8' }).trim().split('\n').slice(1);
  const games = new Map();
  for (const line of lines) {
    const [slug, seats, , random, sensible, decisions] = line.trim().split(/\s+/);
    games.set(slug, [...(games.get(slug) ?? []), { seats, random: random / 1e6, sensible: sensible / 1e6, decisions: decisions / 1e6 }]);
  }
  for (const [slug, tables] of games) {
    // The number of seats with which it is slowest.
    const least = (key) => Math.min(...tables.map((table) => table[key]));
    const all = (key) => tables.map((table) => `${table.seats}: ${table[key].toFixed(2)}`).join(', ');
    row(`${slug}: replay of sensible play`, least('sensible'), 'M plies', { atLeast: 1.5, aim: 3 }, [`by seats ${all('sensible')}; of random play ${all('random')}`]);
    row(`${slug}: random play`, least('decisions'), 'M moves', { atLeast: 1, aim: 3 }, [`by seats ${all('decisions')}`]);
  }
}
