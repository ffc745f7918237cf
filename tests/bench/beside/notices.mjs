#!/usr/bin/env node
// What a notice of a turn costs, beside another commit: builds both, and has games of a few moves played with a service of each in turns, so
// slowly that notices come at the rate of the step notice-costs. Prints the medians of the processor time for each notice, beside as many moves in
// games that nobody watches, of those who have little to do with moves: the service's threads other than its loop, the database's processes other
// than the one that writes moves, and the receiver.
//
//     tests/bench/beside/notices.mjs COMMIT [ROUNDS]      ROUNDS: 6, of 5 s each; COMMIT "-": this checkout alone
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

process.env.TMPDIR = os.tmpdir(); // on the disk: older commits do not ask for it
const { Bed, root } = await import('../bed.mjs');
const { Sink, coresOf, sinceThen } = await import('../steps/notice_costs.mjs');
const { fillPlayers, options, pause, subscribe, waiting, watch } = await import('../steps/notices.mjs');
const { median, shuffled } = await import('../table.mjs');

const [commit, rounds = '6'] = process.argv.slice(2);
if (commit === undefined || !(Number(rounds) > 0)) {
  console.error('usage: tests/bench/beside/notices.mjs COMMIT [ROUNDS]');
  process.exit(2);
}

const run = (directory, program, ...words) => execFileSync(program, words, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
const trees = { now: root };
if (commit !== '-') {
  trees.before = path.join(root, 'build/beside', execFileSync('git', ['rev-parse', '--verify', `${commit}^{commit}`], { cwd: root, encoding: 'utf8' }).trim());
  mkdirSync(trees.before, { recursive: true });
  run(root, 'sh', '-c', `git archive "$1" | tar -x -C "$2"`, 'sh', commit, trees.before);
}
for (const tree of Object.values(trees)) {
  run(tree, 'cmake', '--preset', 'release');
  run(tree, 'ninja', '-C', 'build/release', '-j2', '--quiet', 'tillroll', 'tillrolld', 'bench_fill', 'bench_sink');
  if (!existsSync(path.join(tree, 'tests/node_modules'))) run(path.join(tree, 'tests'), 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
}

const seconds = 5;
const [clients, thinkMs, movesEach] = [64, 50, 4];
const games = clients + Math.ceil((seconds * clients * 1000) / thinkMs / movesEach);
const kinds = ['threads', 'database', 'receiver'];

async function play({ bed, service, sink }, watched) {
  const script = await bed.script(games, { moves: movesEach });
  watch(bed, watched ? script.read() : [], { looked: true });
  await pause(1000);
  const told = await sink.count();
  const before = coresOf(bed, service, sink);
  const { moves } = await bed.load(service, ['--connections', clients, '--seconds', seconds, '--warm-up', 0, '--think', thinkMs], script);
  do await pause(1000);
  while (waiting(bed) > 0);
  const us = sinceThen(service, before, coresOf(bed, service, sink));
  script.drop();
  return { moves, us, notices: (await sink.count()) - told };
}

const sink = await new Sink().start();
const sides = {};
try {
  for (const [which, tree] of Object.entries(trees)) {
    const bed = await (await import(path.join(tree, 'tests/bench/bed.mjs'))).Bed.open();
    sides[which] = { bed, sink };
    await bed.fill('players', '--count', 4000);
    subscribe(bed, sink, await fillPlayers(bed));
    sides[which].service = await bed.serve(options);
    if (process.env.BENCH_SAY) console.log(which, sides[which].service.child.pid, bed.adminUrl);
  }
  const all = [];
  for (let round = 0; round < Number(rounds); round++) {
    const each = {};
    for (const which of shuffled(Object.keys(sides))) each[which] = { none: await play(sides[which], false), watched: await play(sides[which], true) };
    all.push(each);
  }
  for (const which of Object.keys(sides)) {
    const cost = (kind) => median(all.map(({ [which]: { none, watched } }) => (watched.us[kind] - (none.us[kind] * watched.moves) / none.moves) / watched.notices));
    const notices = all.reduce((sum, each) => sum + each[which].watched.notices, 0);
    console.log(`${which.padEnd(6)} ${notices} notices: ${kinds.map((kind) => `${kind} ${cost(kind).toFixed(0)}`).join(', ')} us each`);
  }
} finally {
  for (const { bed } of Object.values(sides)) await bed.end();
  sink.end();
}
