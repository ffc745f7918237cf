// Databases as earlier releases have left them (tests/db/upgrade/make), brought up to date: nothing in
// them is changed, all of it is proved, and what was running goes on.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { good } from '../api/support/client.mjs';
import { endQuietly, legalMoves, password, play, startRound } from '../api/support/play.mjs';
import { Testbed } from '../api/support/testbed.mjs';
import { writeKeys } from '../db/upgrade/keys.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../..');
const dumps = path.join(root, 'tests/db/upgrade');
const releases = readdirSync(dumps).filter((name) => name.endsWith('.sql.gz')).toSorted();
const newest = readdirSync(path.join(root, 'db/migrations')).filter((name) => /^\d.*\.sql$/.test(name)).length;
const long = process.env.TILLROLL_LONG !== undefined;
// Before this one a record was written in another form, which nothing reads any more.
const FIRST_PROVED = 10;
const numberOf = (release) => Number(release.slice(0, 4));
// Without long tests those before which the data had another form, and the last that lacks a migration.
const last = releases.findLast((name) => numberOf(name) < newest);
const wanted = long ? releases : releases.filter((name) => /^00(07|16)_/.test(name) || name === last);
// How many migrations may come before another dump is due.
const mostUntried = 5;

// A database of its own in the cluster, as one release has left it.
class Left {
  constructor(bed, release) {
    this.number = numberOf(release);
    this.name = `left_${this.number}`;
    this.urls = Object.fromEntries(['postgres', 'tillroll_migrator', 'tillrolld'].map((user) => [user, bed.cluster.migratorUrl.replace('tillroll_migrator@/tillroll', `${user}@/${this.name}`)]));
    execFileSync('psql', ['-X', '-q', '-d', this.urls.postgres.replace(this.name, 'postgres'), '-c', `CREATE DATABASE ${this.name} OWNER tillroll_owner`]);
    this.sql(gunzipSync(readFileSync(path.join(dumps, release))));
  }

  sql(input) {
    return execFileSync('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', this.urls.postgres], { input, encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['pipe', 'pipe', 'pipe'] }).trim();
  }

  // What no release may change: records as they are written, and what they say of results.
  facts() {
    return this.sql(`SELECT game_id, seq, line, encode(hash, 'hex') FROM tillroll.record_line ORDER BY 1, 2;
      SELECT game_id, seat, rank, score FROM tillroll.game_result ORDER BY 1, 2;
      SELECT id, name FROM tillroll.player ORDER BY 1;
      SELECT event_id, seq, at, actor_id, kind, detail FROM tillroll.event_step WHERE kind <> 'restated' ORDER BY 1, 2`);
  }

  // How many rows each table has.
  counts() {
    const rows = this.sql(`SELECT format('%s.%s', table_schema, table_name),
      (xpath('/row/count/text()', query_to_xml(format('SELECT count(*) FROM %I.%I', table_schema, table_name), false, true, '')))[1]
      FROM information_schema.tables WHERE table_schema LIKE 'tillroll%' AND table_type = 'BASE TABLE'`);
    return new Map(rows.split('\n').map((row) => row.split('|')));
  }
}

async function signIn(client, name) {
  const { token, player } = good(await client.post('/v1/tokens', { name, password }));
  return { id: player.id, name, token };
}

// A running event: its game is ended, the next round is played, and it is closed.
async function goOn(client, left, organizer, players) {
  const [event, id] = left.sql(`SELECT event.id, game.id FROM tillroll.event JOIN tillroll.game ON event_id = event.id
    WHERE event.name = 'Running' AND finished_at IS NULL`).split('|');
  const game = { id, at: `/v1/games/${id}` };
  const { seats } = good(await client.get(game.at));
  game.players = seats.map((seat) => players.find((player) => player.id === seat.player.id));
  const { deciders } = good(await client.get(game.at));
  if (deciders.length > 0) {
    const legal = await legalMoves(client, game, deciders[0]);
    good(await play(client, game, deciders[0], [legal.moves[0]], legal.seq));
  }
  await endQuietly(client, game, organizer);
  const round = await startRound(client, { id: event }, organizer, players);
  for (const each of round.games) await endQuietly(client, each, organizer);
  good(await client.post(`/v1/events/${event}/close`, {}, organizer.token));
  assert.equal(good(await client.get(`/v1/events/${event}/standings`)).rows.length, 3);
}

describe('a database of an earlier release', () => {
  let bed;
  before(() => {
    bed = new Testbed();
    writeKeys(path.join(bed.directory, 'left'));
  });
  after(() => bed.end());

  it('is there from before the newest migrations', () => {
    const untried = newest - numberOf(releases.at(-1));
    assert.ok(untried <= mostUntried, `${untried} migrations came after the last dump: tests/db/upgrade/make makes one`);
  });

  for (const release of wanted) {
    it(`${release.replace(/\.sql\.gz$/, '')} is brought up to date, is as it was, and goes on`, async () => {
      const left = new Left(bed, release);
      const [facts, counts] = [left.facts(), left.counts()];
      const migrated = bed.tillroll('migrate', '--database', left.urls.tillroll_migrator);
      assert.equal(migrated.status, 0, migrated.stderr);
      assert.equal(migrated.stdout.split('\n').length - 1, newest - left.number);
      assert.equal(left.facts(), facts);
      const now = left.counts();
      assert.deepEqual([...counts].filter(([table, count]) => now.has(table) && Number(now.get(table)) < Number(count)), []);
      if (left.number < FIRST_PROVED) return;
      const proved = () => {
        const audit = bed.tillroll('audit', '--database', left.urls.tillrolld);
        assert.equal(audit.status, 0, audit.stdout + audit.stderr);
      };
      proved();

      const service = await bed.startService([], { TILLROLL_DATABASE: left.urls.tillrolld, TILLROLL_SECRETS: path.join(bed.directory, 'left') });
      const { client } = service;
      const organizer = await signIn(client, 'Olga');
      const players = await Promise.all(['Ada', 'Ben', 'Cleo'].map((name) => signIn(client, name)));
      const [played] = left.sql("SELECT id FROM tillroll.event WHERE name = 'Played'").split('\n');
      assert.equal(good(await client.get(`/v1/events/${played}/standings`)).rows.length, 3);
      const event = bed.proveEvent((await client.get(`/v1/events/${played}/bundle`, { token: organizer.token })).text);
      assert.equal(event.status, 0, event.output);
      assert.match(event.output, /, 2 rounds, 2 pairings made again, 2 records\n/);
      for (const id of left.sql('SELECT id FROM tillroll.game WHERE finished_at IS NOT NULL').split('\n')) {
        const answer = await client.get(`/v1/games/${id}/record`, { unchecked: true, token: organizer.token });
        if (answer.status === 200) assert.equal(bed.verify(answer.bytes).status, 0, answer.text);
      }
      await goOn(client, left, organizer, players);
      await service.end();
      proved();
    });
  }
});
