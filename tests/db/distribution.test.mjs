// Whether the schema could be spread over machines by Citus, as web-static/docs/explanation/capacity.md says: where each table would be, what Citus asks of it
// there, and what it would refuse. From the catalogue of a migrated cluster and the statements in db/; Citus itself is not run.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Testbed } from '../api/support/testbed.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../..');

// By game_id, a game's rows of all these on one machine.
const distributed = [
  'tillroll.archived_record', 'tillroll.entropy_signature', 'tillroll.game_look', 'tillroll.game_result', 'tillroll.game_seat', 'tillroll.official_act',
  'tillroll.move_signature', 'tillroll.record_line', 'tillroll_vault.game_secret', 'tillroll_vault.refused_move',
  'tillroll_vault.sealed_move',
];
// Whole on every machine.
const reference = ['tillroll.game', 'tillroll.player'];
// On the coordinator only.
const local = [
  'breaking_migration', 'bye', 'casual_seat', 'casual_table', 'component_set', 'contested_table', 'dealer_answer', 'dealing', 'dispute', 'dispute_step', 'email', 'entry', 'event', 'event_change', 'event_origin', 'event_role', 'event_step', 'event_step_signature', 'event_timer',
  'followed_game', 'followed_organizer', 'game_analysis', 'hearer', 'held_place', 'import_part', 'job', 'kept_answer', 'log_checkpoint', 'log_cosignature', 'log_document', 'log_leaf', 'log_node', 'log_queue', 'mail_token', 'migration', 'name_skeleton', 'notice_cause', 'notice_choice', 'notice_settings', 'notice_watch',
  'outbox', 'push_subscription', 'puzzle', 'rated_game', 'rated_seat', 'rated_table', 'rating', 'rating_change',
  'rating_period', 'rating_revision', 'recording', 'recording_line', 'reported_seat', 'round', 'ruled_seat', 'season', 'season_event', 'season_step', 'served', 'server_key_change', 'signing_key_step', 'teller', 'token', 'upkeep',
  'waiting_game', 'waiting_seat', 'webhook', 'webhook_delivery',
].map((name) => `tillroll.${name}`).concat('tillroll_vault.entropy', 'tillroll_vault.event_secret', 'tillroll_vault.push_key', 'tillroll_vault.round_secret', 'tillroll_vault.waiting_secret',
  'tillroll_vault.webhook_secret');

// Citus has no triggers with transition tables on tables of the first two kinds; what each of these is for stands in CAPACITY.md.
const transitionTriggers = [
  'tillroll.game games_added', 'tillroll.game games_changed', 'tillroll.game_result game_results_added', 'tillroll.game_seat game_seats_changed',
  'tillroll.record_line record_lines_added', 'tillroll.record_line record_lines_leave',
];

describe('the schema, spread by Citus', () => {
  let bed;
  before(() => { bed = new Testbed(); });
  after(() => bed.end());

  const schemas = "('tillroll'::regnamespace, 'tillroll_vault'::regnamespace)";
  const rows = (sql) => bed.cluster.sql(`SET ROLE tillroll_owner; ${sql}`).split('\n').filter(Boolean).map((line) => line.split('|'));
  const kind = (table) => (distributed.includes(table) ? 'distributed' : reference.includes(table) ? 'reference' : 'local');

  it('has a place for every table', () => {
    const tables = rows(`SELECT oid::regclass FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace IN ${schemas}`).map(([name]) => name);
    assert.deepEqual([...distributed, ...reference, ...local].sort(), tables.sort());
  });

  // Two rows that may not both be there must be on one machine.
  it('has game_id in whatever is unique in a distributed table', () => {
    const unique = rows(`SELECT indrelid::regclass, indexrelid::regclass, coalesce(bool_or(attname = 'game_id'), false) FROM pg_index
      LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey) WHERE indisunique OR indisexclusion GROUP BY 1, 2, indexrelid, indrelid`);
    const those = unique.filter(([table]) => kind(table) === 'distributed');
    assert.equal(new Set(those.map(([table]) => table)).size, distributed.length);
    for (const [table, index, holds] of those) assert.equal(holds, 't', `${table}: ${index}`);
  });

  // To a table of the same kind by the game's number in both, or to one that is whole on every machine.
  it('has no foreign key that Citus could not keep', () => {
    const keys = rows(`SELECT conrelid::regclass, confrelid::regclass,
        EXISTS (SELECT FROM unnest(conkey, confkey) AS pair (mine, other)
          JOIN pg_attribute AS a ON a.attrelid = conrelid AND a.attnum = mine JOIN pg_attribute AS b ON b.attrelid = confrelid AND b.attnum = other
          WHERE a.attname = 'game_id' AND b.attname = 'game_id')
      FROM pg_constraint WHERE contype = 'f' AND connamespace IN ${schemas}`);
    assert.ok(keys.length > 50);
    for (const [from, to, byGame] of keys) {
      const good = kind(from) === 'distributed' ? kind(to) === 'reference' || (kind(to) === 'distributed' && byGame === 't') : kind(to) !== 'distributed';
      assert.ok(good, `${from} (${kind(from)}) refers to ${to} (${kind(to)})`);
    }
  });

  it('has the triggers with transition tables that capacity.md names, and no others', () => {
    const triggers = rows(`SELECT tgrelid::regclass, tgname FROM pg_trigger WHERE num_nonnulls(tgoldtable, tgnewtable) > 0 ORDER BY 1::text, 2`);
    assert.deepEqual(triggers.filter(([table]) => kind(table) !== 'local').map((each) => each.join(' ')).sort(), transitionTriggers);
    const told = readFileSync(path.join(root, 'web-static/docs/explanation/capacity.md'), 'utf8');
    for (const each of transitionTriggers) assert.ok(told.includes(`\`${each.split(' ')[1]}\``), each);
  });

  // The statements of a move; those that read a player's games, all results, or a page of the audit's go to every machine.
  it('is asked by game where a move is made', () => {
    const tables = new RegExp(`\\b(${distributed.join('|').replaceAll('.', '\\.')})\\b`);
    for (const [file, section] of [['records', ''], ['parties', '/* ---- Views by officials ---- */']]) {
      const [, ...after] = readFileSync(path.join(root, `db/store/games/${file}.c`), 'utf8').split(section);
      const source = after.join(section).replace(/\/\*[^]*?\*\//g, '')
        .replace(/ game_id " range(\s*\\\s*")?/g, (_, more) => ` game_id = $1 ${more === undefined ? '"' : ''}`); // both of whose uses are by game
      const texts = source.match(/"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*/g).map((text) => text.replace(/"\s+"/g, '').slice(1, -1));
      const statements = texts.filter((text) => tables.test(text) && !text.includes('game_id > $1 AND game_id <= $2'));
      assert.ok(statements.length >= (file === 'records' ? 8 : 2), file);
      for (const text of statements) assert.match(text, /\bgame_id = |INSERT INTO \S+ \(game_id, /, `${file}: ${text}`);
    }
  });
});
