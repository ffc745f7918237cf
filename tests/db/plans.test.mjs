// Plans are made once in a session, maybe while tables are small, and then kept (db/link/connection.c). So none of them may read the whole of
// a table, or of an index, that grows.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { after, before, it } from 'node:test';

import { Testbed } from '../api/support/testbed.mjs';
import { explained } from './support/statements.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../..');

// Statements that mean to, with what they read.
const meant = {
  archive_candidates: ['event_pkey', 'archived_record_pkey'], // by who archives, of a history that is over
  archive_count: ['archived_record_pkey'], // once, at the start
  clock_games: ['game_clock'], // once, at the start; of games that run
  game_list_running_of_player: ['game_running'], // beside the player's own, until there are enough
  job_drop: ['job_step'], // of jobs that run: eight a service at most
  job_end: ['job_step'],
  job_forget: ['job'], // those of the last hour
  job_live: ['job_step'],
  notice_watch_marks: ['notice_watch'], // the same, where there are line databases
  notice_watch_behind: ['notice_watch'], // of running games that somebody wants to be told of, every ten seconds
  notice_tell_officials: ['player_with_roles'], // the few who hold a role at the site
  notice_work_get: ['notice_watch_pkey', 'notice_watch_new'], // its first row, and the first that nobody has looked at
  push_key_drop: ['push_key'], // a row
  push_key_get: ['push_key'],
  push_subscriptions_drop: ['push_subscription'], // all, when their key is lost
  record_append_batch: ['hearer_pkey'], // a row for each service
  record_append_one: ['hearer_pkey'],
  served_lock: ['served'], // a row
  served_store: ['served'],
  upkeep_answers: ['kept_answer'], // a day's, now and then
  waiting_of_event: ['waiting_game_due_at'], // of those that wait now
  waiting_of_player: ['waiting_game_due_at'],
};

// Steps that read on only while somebody asks for more.
const lazy = ['Limit', 'Nested Loop', 'Subquery Scan', 'Result', 'Append', 'LockRows', 'Memoize'];

// What a plan reads to the end although nothing says where to begin.
function readWhole(node, limited = false) {
  const type = node['Node Type'];
  const whole = type === 'Seq Scan' || (/Index.*Scan/.test(type) && node['Index Cond'] === undefined);
  const asksForFew = type === 'Limit' || (limited && lazy.includes(type));
  const below = (node.Plans ?? []).flatMap((child) => readWhole(child, asksForFew && child['Parent Relationship'] === 'Outer'));
  return whole && (!limited || type === 'Seq Scan') ? [node['Index Name'] ?? node['Relation Name'], ...below] : below;
}

let bed;
before(() => {
  bed = new Testbed();
});
after(() => bed.end());

const wholeOf = () => Object.fromEntries(explained(root, bed.cluster.serviceUrl).map(({ name, plan }) => [name, readWhole(plan)]));

it('no plan reads the whole of what grows', () => {
  const found = Object.entries(wholeOf()).filter(([, whole]) => whole.length > 0);
  assert.deepEqual(Object.fromEntries(found), meant);
});

// Then PostgreSQL takes a table for empty, and reckons that to read all of it costs next to nothing.
it('a game is rated by looking its ratings up, though there were none when the plan was made', () => {
  execFileSync('psql', ['-X', '-q', '-d', bed.cluster.migratorUrl, '-c', 'ANALYZE tillroll.rating, tillroll.rating_change, tillroll.rated_game']);
  assert.deepEqual(wholeOf().rating_store, []);
});

// Statements and what they call: views are in their plans, functions are not.
it('no table is written that nothing reads', () => {
  const reads = new Set();
  const writes = new Set();
  const walk = (node) => {
    if (node['Relation Name'] !== undefined) (node['Node Type'] === 'ModifyTable' ? writes : reads).add(node['Relation Name']);
    for (const child of node.Plans ?? []) walk(child);
  };
  for (const { plan } of explained(root, bed.cluster.serviceUrl)) walk(plan);
  const rows = (sql) => bed.cluster.sql(`SET ROLE tillroll_owner; ${sql}`);
  const functions = rows("SELECT prosrc FROM pg_proc WHERE pronamespace = 'tillroll'::regnamespace");
  const called = new Set([...functions.matchAll(/(?:FROM|JOIN|USING|,) tillroll(?:_vault)?\.(\w+)/g)].map(([, name]) => name));
  const tables = rows("SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace IN ('tillroll'::regnamespace, 'tillroll_vault'::regnamespace)");
  const unread = tables.split('\n').filter((name) => name !== '' && !reads.has(name) && !called.has(name));
  assert.deepEqual(unread, ['bye']); // it waits to be dropped (db/link/migrate.h)
  assert.ok(writes.size > 60 && !writes.has('bye'), `${[...writes]}`);
});
