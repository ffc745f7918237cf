// The odds of a running event: anybody may ask, an event without odds says why, the numbers are those that its bundle gives
// offline, a draft tells nothing, and what is certain is said.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { build } from '../support/build.mjs';
import { good } from '../support/client.mjs';
import { makeEvent, makePlayers } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';

let bed;
let client;
let organizer;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  [organizer] = await makePlayers(client, 1);
});
after(() => bed.end());

const code = (answer) => `${answer.status} ${answer.json?.code ?? ''}`.trim();
const oddsOf = async (at) => good(await client.get(`${at}/odds`));

async function begin(count, settings) {
  const players = await makePlayers(client, count);
  const event = await makeEvent(client, organizer, players, { play: 'table', ...settings });
  return { event, at: `/v1/events/${event.id}`, players };
}

const startRound = async (at) => good(await client.post(`${at}/rounds`, {}, organizer.token));

// The entry with the smaller number wins at each of the first `tables`.
async function report(at, round, tables = Infinity) {
  for (const table of round.seating.slice(0, tables)) {
    const numbers = table.seats.map((seat) => seat.player.number);
    const seats = table.seats.map((seat) => ({ player: seat.player.id, rank: 1 + numbers.filter((other) => other < seat.player.number).length }));
    good(await client.post(`${at}/rounds/${round.number}/tables/${table.table}/report`, { seats }, organizer.token));
  }
}

function offline(bundle, ...options) {
  const file = path.join(bed.directory, 'event.bundle');
  writeFileSync(file, bundle);
  return spawnSync(path.join(build, 'tillroll'), ['odds', ...options, file], { encoding: 'utf8' });
}

describe('odds', () => {
  it('are there from the first round until the event is closed', async () => {
    const { at } = await begin(4, { rounds: 2, seats_min: 2, seats_max: 2 });
    assert.equal(code(await client.get(`${at}/odds`)), '409 wrong-state');
    await report(at, await startRound(at));
    const odds = await oddsOf(at);
    assert.equal(odds.samples, 10000);
    assert.equal(odds.rows.length, 4);
    const sum = odds.rows.reduce((all, row) => all + row.win_chance, 0);
    assert.ok(Math.abs(sum - 10000) <= 4, `${sum}`);
    assert.ok(odds.rows.every((row) => row.advance === null && row.advance_chance === null));
    await report(at, await startRound(at));
    good(await client.post(`${at}/close`, {}, organizer.token));
    assert.equal(code(await client.get(`${at}/odds`)), '409 wrong-state');
  });

  it('are not there for ladders', async () => {
    const { at } = await begin(2, { format: 'ladder', rounds: undefined, seats_min: undefined, seats_max: undefined });
    assert.equal(code(await client.get(`${at}/odds`)), '409 no-rounds');
  });

  it('are the same from the bundle, and for everybody', async () => {
    const { at } = await begin(6, { rounds: 3, seats_min: 3, seats_max: 3 });
    await report(at, await startRound(at));
    const early = await oddsOf(at);
    const { seq } = good(await client.get(`${at}/log?limit=1000`)).items.at(-1);
    await report(at, await startRound(at), 1);
    const odds = await oddsOf(at);
    assert.notDeepEqual(odds, early);
    assert.deepEqual(good(await client.get(`${at}/odds?as_of=${seq}`)), early); // as they were
    const bundle = await client.get(`${at}/bundle`);
    assert.equal(odds.version, 2);
    assert.match(bundle.text, /"kind":"entered"/);
    for (const line of bundle.text.split('\n').filter((each) => each.includes('"kind":"entered"'))) assert.deepEqual(JSON.parse(line).detail.strength, [25e6, 8333333]);
    const computed = offline(bundle.text, '--json');
    assert.equal(computed.status, 0, computed.stderr);
    assert.deepEqual(JSON.parse(computed.stdout), odds);
    const shown = offline(bundle.text, '--samples', '100');
    assert.match(shown.stdout, /after the start of round 2, by 100 samples/);
    assert.equal(offline(bundle.text.replace('"kind":"reported"', '"kind":"rep0rted"')).status, 1);
    assert.deepEqual(good(await client.get(`${at}/odds`, { token: organizer.token })), odds);
    const { etag } = (await client.get(`${at}/odds`)).headers;
    assert.equal((await client.get(`${at}/odds`, { headers: { 'If-None-Match': etag } })).status, 304);
  });

  // A line of an earlier release has no strength; then no other of the log has one.
  it('of an event that began without strengths are those of version 1', async () => {
    const players = await makePlayers(client, 4);
    const at = `/v1/events/${good(await client.post('/v1/events', { name: 'Old', ruleset: 'shinjuku', play: 'table', format: 'pod_swiss', rounds: 2, seats_min: 2, seats_max: 2 }, organizer.token)).id}`;
    good(await client.post(`${at}/open-entries`, {}, organizer.token));
    const [event, { id }] = [at.slice(11), players[0]];
    bed.cluster.sql(`SET ROLE tillroll_owner;
      INSERT INTO tillroll.event_step (event_id, seq, at, actor_id, kind, detail) SELECT event_id, max(seq) + 1, now(), '${id}', 'entered', '{"player":"${id}","rating":null}'
        FROM tillroll.event_step WHERE event_id = '${event}' GROUP BY 1;
      INSERT INTO tillroll.entry (event_id, player_id, state, entered_at) VALUES ('${event}', '${id}', 'entered', now());
      RESET ROLE`);
    for (const { token } of players.slice(1)) good(await client.post(`${at}/entries`, {}, token));
    good(await client.post(`${at}/close-entries`, {}, organizer.token));
    await report(at, await startRound(at), 1);
    const odds = await oddsOf(at);
    const { text } = await client.get(`${at}/bundle`);
    assert.doesNotMatch(text, /strength/);
    assert.equal(odds.version, 1);
    assert.deepEqual(JSON.parse(offline(text, '--json').stdout), odds);
  });

  // A write, refused or not, drops the answer; the odds are computed again only if the event has others.
  it('are computed once for what they depend on', async () => {
    const found = async () => Number(/^tillroll_cache_hits_total\{cache="odds"\} (\d+)$/m.exec((await client.get('/metrics')).text)[1]);
    const { at } = await begin(4, { rounds: 2, seats_min: 2, seats_max: 2 });
    await report(at, await startRound(at));
    const odds = await oddsOf(at);
    const before = await found();
    const { status } = await client.post(`${at}/rounds/next/start`, {}, organizer.token);
    assert.ok(status >= 400, `${status}`);
    assert.deepEqual(await oddsOf(at), odds);
    assert.ok(await found() > before);
  });

  it('do not change with a draft', async () => {
    const { at } = await begin(4, { rounds: 2, seats_min: 2, seats_max: 2 });
    await report(at, await startRound(at));
    const odds = await oddsOf(at);
    good(await client.post(`${at}/rounds`, { publish: false }, organizer.token));
    assert.deepEqual(await oddsOf(at), odds);
    good(await client.post(`${at}/rounds/next/start`, {}, organizer.token));
    assert.notEqual((await oddsOf(at)).seed, odds.seed);
  });

  it('say who is through, and who is out', async () => {
    const { at } = await begin(4, { stages: [{ format: 'round_robin' }, { format: 'single_elimination', entrants: 2 }], rounds: undefined, seats_min: undefined, seats_max: undefined, play: undefined });
    for (let number = 1; number <= 2; number++) {
      const round = await startRound(at);
      for (const table of round.seating) {
        const numbers = table.seats.map((seat) => seat.player.number);
        const seats = table.seats.map((seat) => ({ player: seat.player.id, rank: seat.player.number === Math.min(...numbers) ? 1 : 2 }));
        good(await client.request('PUT', `${at}/rounds/${number}/tables/${table.table}/ruling`, { json: { seats, reason: 'A test.' }, token: organizer.token }));
      }
    }
    const odds = await oddsOf(at);
    assert.equal(odds.stage, 1);
    assert.ok(odds.rows.every((row) => ['open', 'sure', 'out'].includes(row.advance)));
    const chances = odds.rows.reduce((all, row) => all + row.advance_chance, 0);
    assert.ok(Math.abs(chances - 20000) <= 4, `${chances}`);
  });
});
