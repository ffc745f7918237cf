// Line databases, each in a cluster of its own: any of them, the central database and services are killed at random while many play,
// and while an official freezes and resumes games, whose lines go to the central database.
import assert from 'node:assert/strict';

import { sleep, until } from '../../api/support/waiting.mjs';
import { Field } from '../field.mjs';

// Everything that can be killed, and how it comes back.
const kinds = {
  service: async (field) => {
    const at = field.random.below(field.services.length);
    await field.killService(at);
    await field.startAt(at);
  },
  'a line database': async (field) => killCluster(field, field.random.pick(field.lines.clusters)),
  'a line database, for a while': async (field) => killCluster(field, field.random.pick(field.lines.clusters), 1500),
  'a line database, at once': async (field) => {
    const cluster = field.random.pick(field.lines.clusters);
    process.kill(cluster.pid(), 'SIGQUIT');
    await until(60, 'the line database has ended', () => cluster.pid() === undefined);
    await cluster.restart();
  },
  'a backend of a line database': async (field) => field.killBackend('SIGKILL', field.random.pick(field.lines.clusters)),
  'the central database': async (field) => killCluster(field, field.cluster),
  'all databases': async (field) => {
    const all = [field.cluster, ...field.lines.clusters];
    for (const cluster of all) field.signalPostgres('SIGKILL', cluster);
    await Promise.all(all.map((cluster) => cluster.restart()));
  },
  everything: async (field) => {
    const all = [field.cluster, ...field.lines.clusters];
    for (const service of field.services) service.signal('SIGKILL');
    for (const cluster of all) field.signalPostgres('SIGKILL', cluster);
    await Promise.all(all.map((cluster) => cluster.restart()));
    for (const at of field.services.keys()) {
      await field.killService(at);
      await field.startAt(at);
    }
  },
};

async function killCluster(field, cluster, away_ms = 0) {
  field.signalPostgres('SIGKILL', cluster);
  await sleep(away_ms);
  await cluster.restart();
}

// Sentences about rows with the same number in a line database and in the central one that are not the same line.
function differences(field) {
  const rows = (sql, read) => new Map(read(sql).split('\n').filter(Boolean).map((line) => [line.slice(0, line.lastIndexOf('|')), line]));
  const hashes = "SELECT game_id, seq, encode(hash, 'hex') FROM tillroll.record_line";
  const central = rows(hashes, (sql) => field.asAdministrator(sql));
  let lines = 0;
  const faults = [];
  for (const [i, cluster] of field.lines.clusters.entries())
    for (const [key, line] of rows(`${hashes} WHERE line IS NOT NULL`, (sql) => field.asAdministrator(sql, { migratorUrl: field.lines.migrator[i], directory: cluster.directory }))) {
      lines++;
      if (central.has(key) && central.get(key) !== line) faults.push(`forked: ${line} and ${central.get(key)}`);
    }
  return { lines, faults };
}

export async function clusters(report, { kills: count = 100, moves = 30_000, tables = 16, lines = 4, hurry = false, seed = `clusters ${Date.now()}` } = {}) {
  const field = await Field.open({ seed, lines });
  try {
    // Five clusters take their time to come back on a machine that does something else.
    const witness = await field.match(tables, { acts: true, patience: 400_000 });
    const done = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, 0]));
    const between = Math.ceil(moves / count);
    for (let kill = 0; kill < count; kill++) {
      await witness.moreMoves(Math.ceil(between / 2) + field.random.below(between), 400);
      await sleep(field.random.below(20));
      assert.deepEqual(field.deaths(), []);
      const kind = field.random.pick(Object.keys(kinds));
      await kinds[kind](field);
      done[kind]++;
      if (kill % 25 === 24) report.progress(`${kill + 1} kills, ${witness.moves} moves`);
    }
    await witness.moreMoves(Math.max(1, moves - witness.moves), 3600);
    await witness.stop({ hurry });
    const compared = differences(field);
    const faults = [...(await field.faults(witness)), ...compared.faults];
    report.line(`seed ${seed}`);
    report.line(`${count} kills: ${Object.entries(done).map(([kind, times]) => `${kind} ${times}`).join('; ')}`);
    report.line(`${compared.lines} lines in ${lines} line databases; ${witness.frozen} games frozen and resumed, ${witness.late} moves came after that`);
    report.match(witness, faults);
    return faults.length === 0 && compared.lines > 0;
  } catch (error) {
    report.line(`${error.message}\n    ${field.complaints()}`);
    throw error;
  } finally {
    await field.end();
  }
}
