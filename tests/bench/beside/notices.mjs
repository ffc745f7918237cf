#!/usr/bin/env node
// What a notice of a turn costs, beside another commit: builds both, and has a service of each look at games again whose turns it has told of,
// as many as come to rest each second in the step notice-costs, in turns. Prints the medians of the processor time for each notice: of the
// service's threads other than its loop, of the database's processes, and of the receiver. What an idle service and its database do is included.
//
//     tests/bench/beside/notices.mjs COMMIT [ROUNDS]      ROUNDS: 8, of 5 s each; COMMIT "-": this checkout alone
import os from 'node:os';
import path from 'node:path';

process.env.TMPDIR = os.tmpdir(); // on the disk: older commits do not ask for it
const { Sink, coresOf, sinceThen } = await import('../steps/notice_costs.mjs');
const { as, fillPlayers, options, pause, subscribe, waiting, watch } = await import('../steps/notices.mjs');
const { median, shuffled } = await import('../table.mjs');
const { buildTrees } = await import('./trees.mjs');

const [commit, rounds = '8'] = process.argv.slice(2);
if (commit === undefined || !(Number(rounds) > 0)) {
  console.error('usage: tests/bench/beside/notices.mjs COMMIT [ROUNDS]');
  process.exit(2);
}

const trees = buildTrees(commit, ['bench_fill', 'bench_sink']);

const seconds = 5;
const [watched, each, everyMs] = [3000, 70, 250];
const kinds = ['threads', 'database', 'receiver'];

// Some games are looked at as if their last line were new, and nobody had been told of a turn.
const again = `WITH back AS (UPDATE notice_watch SET seq = seq - 1, told = 0
    WHERE game_id IN (SELECT game_id FROM notice_watch ORDER BY random() LIMIT ${each}) RETURNING game_id, seq + 1 AS last)
  SELECT count(pg_notify('tillroll', 'g ' || game_id || ' ' || last)) FROM back`;

async function tell({ bed, service }) {
  const told = await sink.count();
  const before = coresOf(bed, service, sink);
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    as(bed, again);
    await pause(everyMs);
  }
  do await pause(1000);
  while (waiting(bed) > 0);
  const us = sinceThen(service, before, coresOf(bed, service, sink));
  const notices = (await sink.count()) - told;
  return { notices, threads: us.threads / notices, database: (us.database + us.writer) / notices, receiver: us.receiver / notices };
}

const sink = await new Sink().start();
const sides = {};
try {
  for (const [which, tree] of Object.entries(trees)) {
    const bed = await (await import(path.join(tree, 'tests/bench/bed.mjs'))).Bed.open();
    sides[which] = { bed, runs: [] };
    await bed.fill('players', '--count', 4000);
    subscribe(bed, sink, await fillPlayers(bed));
    watch(bed, (await bed.script(watched, { moves: 4 })).read(), { looked: true });
    sides[which].service = await bed.serve(options);
    for (let warm = 0; warm < 4; warm++) await tell(sides[which]); // games come into memory, and it is noted that browsers were reached
  }
  for (let round = 0; round < Number(rounds); round++) for (const which of shuffled(Object.keys(sides))) sides[which].runs.push(await tell(sides[which]));
  for (const [which, { runs }] of Object.entries(sides)) {
    const notices = runs.reduce((sum, run) => sum + run.notices, 0);
    console.log(`${which.padEnd(6)} ${notices} notices: ${kinds.map((kind) => `${kind} ${median(runs.map((run) => run[kind])).toFixed(0)}`).join(', ')} us each`);
  }
} finally {
  for (const { bed } of Object.values(sides)) await bed.end();
  sink.end();
}
