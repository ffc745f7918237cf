// Recorded games: a scorer follows a game at a real table, sends again what may have been lost, goes back and ends it; the others
// confirm; two scorers are compared; and who may read what.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makeEvent, makePlayers, told } from '../support/play.mjs';
import { Stream } from '../support/stream.mjs';
import { build, Testbed } from '../support/testbed.mjs';

const slugs = ['shinjuku', 'super-motherload', 'superstore-3000', 'mall-world'];

let bed;
let client;
let organizer;
let stranger;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  [organizer, stranger] = await makePlayers(client, 2);
});
after(() => bed.end());

// A table of an event at real tables: { at, event, players (in order of seats) }.
async function begin(slug = 'shinjuku', settings = {}) {
  const players = await makePlayers(client, 3);
  const event = await makeEvent(client, organizer, players, { ruleset: slug, seats_min: 3, seats_max: 3, rounds: 3, play: 'table', confirm_minutes: 0, ...settings });
  const round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
  const seats = round.seating[0].seats.map((seat) => players.find((player) => player.id === seat.player.id));
  return { event, at: `/v1/events/${event.id}/rounds/1/tables/1`, players: seats };
}

const code = (answer) => `${answer.status} ${answer.json?.code ?? ''}`.trim();
const start = async (at, { token }, id = randomUUID()) => good(await client.post(`${at}/recordings`, { id }, token));
const send = (recording, entries, { token }) => client.post(`/v1/recordings/${recording.id}/entries`, { entries }, token);
const renumber = (entries, from) => entries.map((entry, i) => `${from + i}${entry.slice(entry.indexOf(' '))}`);

async function verified(record) {
  const file = path.join(bed.directory, `${randomUUID()}.roll`);
  writeFileSync(file, record);
  return execFileSync(path.join(build, 'tillroll'), ['verify', file], { encoding: 'utf8' });
}

describe('a recorded game', () => {
  for (const slug of slugs)
    it(`of ${slug} is recorded to its end, confirmed and verified`, async () => {
      const { at, players: [a, b] } = await begin(slug);
      const entries = told(slug);
      const recording = await start(at, a);
      assert.match(recording.record, /^tillroll 2 #/);
      for (let i = 0; i < entries.length; i += 100) good(await send(recording, entries.slice(Math.max(0, i - 7), i + 100), a)); // each time some are sent again
      const whole = good(await client.get(`/v1/recordings/${recording.id}`));
      assert.notEqual(whole.finished_at, null);
      assert.equal(whole.counts, false);
      const record = (await client.get(`/v1/recordings/${recording.id}/record`)).text;
      assert.equal(record, whole.record);
      assert.match(await verified(record), /as told by the scorer/);
      const results = record.split('\n').filter((line) => / result \d/.test(line)).map((line) => line.split(' ').slice(4, 7).map(Number));
      const waiting = good(await client.get(`${at}/report`));
      assert.deepEqual([waiting.report.by, waiting.report.recording, waiting.recorded, waiting.reported], [0, recording.id, false, false]);
      assert.deepEqual(waiting.report.seats, results.map(([, score, rank]) => ({ rank, score })));
      const counted = good(await client.post(`${at}/confirmation`, {}, b.token));
      assert.deepEqual([counted.reported, counted.recorded], [true, true]);
      assert.equal(good(await client.get(`/v1/recordings/${recording.id}`)).counts, true);
      const [event] = at.split('/rounds');
      const sheets = await Promise.all(['results', 'standings'].map(async (name) => (await client.get(`${event}/${name}.csv`)).text.trim().split('\r\n').map((line) => line.split(','))));
      for (const [[head, ...rows], yes] of [[sheets[0], 'yes'], [sheets[1], '1']])
        for (const row of rows) assert.deepEqual(['reported', 'recorded'].map((column) => row[head.indexOf(column)]), [yes, yes]);
      const log = good(await client.get(`${event}/log`)).items;
      const { record: named } = log.find((line) => line.kind === 'reported').detail;
      assert.deepEqual(named, { id: recording.id, head: record.trimEnd().split('\n').at(-1).split(' ')[1] });
    });

  it('is the same however often it is sent, and refuses gaps, other entries and what is none', async () => {
    const { at, players: [a, b] } = await begin();
    const entries = told('shinjuku', 2);
    const id = randomUUID();
    const recording = await start(at, a, id);
    assert.deepEqual(await start(at, a, id), recording);
    const once = good(await send(recording, entries.slice(0, 30), a));
    assert.deepEqual(good(await send(recording, entries.slice(0, 30), a)), once);
    assert.deepEqual(good(await send(recording, entries.slice(10, 20), a)), once);
    const gap = await send(recording, entries.slice(31, 33), a);
    assert.deepEqual([code(gap), gap.json.index, gap.json.rows], ['409 entries-missing', 0, 30]);
    const other = await send(recording, [entries[29].replace(/^30 (\S+) \d+/, '30 $1 1')], a);
    assert.equal(code(other), '409 recording-differs');
    for (const bad of ['31 0 5', '31 - 999999 head 00', '31 - 99999999 result 0 1 1', `31 - 99999999 ruling conduct void - by ${a.id} x`])
      assert.equal(code(await send(recording, [bad], a)), '422 bad-entry', bad);
    assert.equal(code(await send(recording, [], a)), '400 bad-field');
    const early = entries[30].replace(/^31 (\S+) \d+/, '31 $1 0');
    assert.equal(code(await send(recording, [early], a)), '422 bad-entry');
    const lie = await send(recording, ['31 - 99999999 back 400'], a);
    assert.equal(lie.status, 422);
    assert.equal(code(await send(recording, entries.slice(30, 40), b)), '403 not-allowed');
    const mixed = await send(recording, [...entries.slice(30, 40), '41 0 99999999 nonsense'], a); // all, or none
    assert.equal(mixed.json.index, 10);
    assert.deepEqual(good(await client.get(`/v1/recordings/${id}`, { token: a.token })), once);
    good(await send(recording, entries, a));
    assert.deepEqual(good(await send(recording, entries, a)), good(await client.get(`/v1/recordings/${id}`)));
    const again = await client.post(`${at}/recordings`, { id: randomUUID() }, a.token);
    assert.deepEqual([code(again), again.json.recording], ['409 too-many-recordings', id]);
    assert.equal(code(await client.post(`${at}/recordings`, { id }, b.token)), '409 recording-differs');
    assert.equal(code(await client.post(`${at}/recordings`, { id: 'x' }, b.token)), '400 bad-field');
    assert.equal(code(await client.post(`${at}/recordings`, { id: randomUUID(), started_at: '2001-01-01T00:00:00Z' }, b.token)), '400 bad-field');
    assert.equal(code(await client.post(`${at}/recordings`, { id: randomUUID() }, stranger.token)), '403 not-allowed');
  });

  it('goes back, and keeps what was taken back', async () => {
    const { at, players: [a] } = await begin();
    const entries = told('shinjuku', 3);
    const recording = await start(at, a);
    const deal = entries.findIndex((entry) => entry.endsWith(' deal')) + 1;
    const ply = entries.findIndex((entry, i) => i >= deal && !entry.includes(' bind ')) + 1; // the first one
    const [, , ms] = entries[ply - 1].split(' ');
    good(await send(recording, [...entries.slice(0, ply), `${ply + 1} - ${ms} back ${deal + 1}`], a));
    const again = renumber(entries.slice(deal), ply + 2);
    const { record } = good(await send(recording, again, a));
    assert.match(record, / back \d+ #/);
    assert.match(await verified(record), /as told by the scorer/);
  });

  it('is compared with that of another scorer, whose first difference is named', async () => {
    const { at, players: [a, b] } = await begin();
    const entries = told('shinjuku', 4);
    const [one, other] = [await start(at, a), await start(at, b)];
    good(await send(one, entries, a));
    good(await send(other, entries.slice(0, 20), b));
    const { items, comparisons: [shorter] } = good(await client.get(`${at}/recordings`, { token: a.token }));
    assert.deepEqual(items.map((item) => item.scorer.id).sort(), [a.id, b.id].sort());
    assert.deepEqual([[...shorter.recordings].sort(), shorter.first], [[one.id, other.id].sort(), null]);
    const [, , ms] = entries[19].split(' ');
    const table = good(await send(other, [`21 - ${ms} back 1`], b));
    assert.equal(table.rows, 21);
    const otherwise = told('shinjuku', 5);
    good(await send(other, renumber(otherwise, 22), b));
    const { comparisons: [differs] } = good(await client.get(`${at}/recordings`));
    assert.equal(differs.first.length, 2);
    for (const [id, list] of [[one.id, entries], [other.id, renumber(otherwise, 22)]]) {
      const i = differs.recordings.indexOf(id);
      const found = list.find((entry) => entry.startsWith(`${differs.first[i].seq} `)).split(' ');
      assert.equal(differs.first[i].entry, [found[1], ...found.slice(3)].join(' '));
    }
    assert.notEqual(differs.first[0].entry, differs.first[1].entry);
    assert.equal(good(await client.get(`${at}/report`)).report.against, 1); // other scores: the arbiter is called
  });

  it('is confirmed by a second scorer with the same result; an official\'s counts at once', async () => {
    const { at, players: [a, b] } = await begin();
    const entries = told('shinjuku', 6);
    good(await send(await start(at, a), entries, a));
    good(await send(await start(at, b), entries, b));
    const counted = good(await client.get(`${at}/report`));
    assert.deepEqual([counted.recorded, counted.report.by, counted.report.counted_by], [true, 0, 1]);
    const { at: other } = await begin();
    good(await send(await start(other, organizer), entries, organizer));
    assert.deepEqual([good(await client.get(`${other}/report`)).recorded, good(await client.get(`${other}/report`)).report.by], [true, 'official']);
  });

  it('stands beside a result that was reported first, which stays reported', async () => {
    const { at, players } = await begin();
    const recording = await start(at, players[0]);
    const seats = players.map((player, i) => ({ player: player.id, score: i }));
    good(await client.post(`${at}/report`, { seats }, organizer.token));
    const whole = good(await send(recording, told('shinjuku', 7), players[0]));
    assert.deepEqual([whole.counts, whole.finished_at === null], [false, false]);
    assert.deepEqual([good(await client.get(`${at}/report`)).recorded, good(await client.get(`${at}/report`)).reported], [false, true]);
  });

  it('can be followed by everybody while it runs, in whole steps; streams say that there is more', async () => {
    const { event, at, players: [a, b] } = await begin();
    const entries = told('shinjuku', 8);
    const news = await Stream.open(client, `/v1/events/${event.id}/stream`);
    const recording = await start(at, a);
    await news.until(() => news.messages.at(-1)?.event === 'recording');
    news.close();
    const target = `/v1/recordings/${recording.id}`;
    const tokens = [a.token, b.token, organizer.token, stranger.token, undefined];
    const streams = await Promise.all(tokens.map((token) => Stream.open(client, `${target}/stream`, { token })));
    const deal = entries.findIndex((entry) => entry.endsWith(' deal')) + 1;
    good(await send(recording, entries.slice(0, deal - 1), a)); // not whole
    const rows = async (token) => {
      const whole = good(await client.get(target, { token }));
      assert.equal((await client.get(`${target}/record`, { token })).text, whole.record);
      assert.equal(good(await client.get(`${at}/recordings`, { token })).items[0].rows, whole.rows);
      return whole.rows;
    };
    assert.deepEqual(await Promise.all(tokens.map(rows)), [deal - 1, 0, 0, 0, 0]);
    good(await send(recording, entries.slice(deal - 1, deal), a));
    assert.deepEqual(await Promise.all(tokens.map(rows)), tokens.map(() => deal));
    for (const stream of streams) await stream.reached(deal);
    good(await send(recording, entries, a));
    const last = await rows(undefined);
    for (const stream of streams) {
      await stream.ended();
      assert.deepEqual(stream.messages, Array.from({ length: last }, (_, i) => ({ id: i + 1, event: 'rows', data: { rows: i + 1 } })));
    }
    const later = await Stream.open(client, `${target}/stream`, { after: last - 2 });
    await later.ended();
    assert.deepEqual(later.messages.map(({ id }) => id), [last - 1, last]);
    assert.equal((await Stream.open(client, `${target}/stream`, { after: last })).status, 204);
    assert.equal((await Stream.open(client, `${target}/stream`, { after: last + 1 })).status, 400);
  });

  it('shows what several decide at the same time to nobody but its scorer before all of them have', async () => {
    const { at, players: [a, b, c] } = await begin('mall-world');
    const entries = told('mall-world');
    const first = entries.findIndex((entry) => / bid /.test(entry));
    const recording = await start(at, a);
    good(await send(await start(at, organizer), entries.slice(0, first - 2), organizer)); // there is something to compare
    good(await send(recording, entries.slice(0, first), a));
    const target = `/v1/recordings/${recording.id}`;
    const seen = async () => JSON.stringify(await Promise.all([b.token, c.token, stranger.token, undefined].flatMap((token) => [target, `${target}/record`, `${at}/recordings`].map(async (each) => {
      const { status, text, headers } = await client.get(each, { token });
      return [status, text, headers.etag];
    }))));
    const stream = await Stream.open(client, `${target}/stream`, { token: b.token, after: first });
    const before = await seen();
    const bid = (seat, amount, seq) => `${seq} ${seat} 5000 bid ${amount}`;
    for (const step of [bid(0, 1, first + 1), bid(1, 2, first + 2), `${first + 3} - 5000 back ${first + 1}`, bid(0, 3, first + 4), bid(1, 1, first + 5)]) {
      good(await send(recording, [step], a));
      assert.equal(await seen(), before, step);
    }
    assert.equal(good(await client.get(target, { token: a.token })).rows, first + 5);
    assert.equal((await Stream.open(client, `${target}/stream`, { token: b.token, after: first + 1 })).status, 400);
    good(await send(recording, [bid(2, 0, first + 6)], a));
    assert.notEqual(await seen(), before);
    await stream.reached(first + 6);
    stream.close();
    assert.match(good(await client.get(target)).record, / 1 5000 bid 1 #.*\n.* 2 5000 bid 0 #/);
  });

  it('is in the bundle of its event, which replays it', async () => {
    const { event, at, players: [a, b] } = await begin();
    const recording = await start(at, a);
    good(await send(recording, told('shinjuku', 9), a));
    const bundle = async () => (await client.get(`/v1/events/${event.id}/bundle`)).text;
    assert.doesNotMatch(await bundle(), /"recorded":/); // nobody has confirmed its result
    good(await client.post(`${at}/confirmation`, {}, b.token));
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    const lines = (await bundle()).trimEnd().split('\n').map((line) => JSON.parse(line));
    assert.equal(lines[0].bundle, 4);
    const { record } = good(await client.get(`/v1/recordings/${recording.id}`));
    assert.deepEqual(lines.filter((line) => line.recorded), [{ recorded: record, recording: recording.id }]);
    const proof = bed.proveEvent(await bundle());
    assert.equal(proof.status, 0, proof.output);
    assert.match(proof.output, /\n1 result is recorded by scorers; .*luck as told by the scorer\n/);
    assert.doesNotMatch(proof.output, /reported/);
    const forged = (await bundle()).replace(/("seats":\[\[\d,\d,)-?\d+/, (_, before) => `${before}31337`);
    assert.notEqual(forged, await bundle());
    const swapped = (await bundle()).replace('{"recorded":', '{"attempt":1,"game":"x","record":').replace(/,"recording":"[^"]*"\}/, '}');
    for (const each of [forged, swapped]) assert.equal(bed.proveEvent(each).status, 1);
  });

  it('is shown late to those who are not at its table, officials too, if the event shows games late', async () => {
    const delay = 10;
    const { event, at, players: [a, b] } = await begin('shinjuku', { delay_entries: delay });
    const entries = told('shinjuku', 8);
    const [recording, own] = [await start(at, a), await start(at, organizer)];
    const late = await Stream.open(client, `/v1/recordings/${recording.id}/stream`);
    const seen = async (token) => {
      const whole = good(await client.get(`/v1/recordings/${recording.id}`, { token }));
      const { text } = await client.get(`/v1/recordings/${recording.id}/record`, { token });
      const { items } = good(await client.get(`${at}/recordings`, { token }));
      const rows = items.find((item) => item.id === recording.id).rows;
      assert.equal(text, whole.record);
      assert.equal(text.trimEnd().split('\n').length, recording.record.trimEnd().split('\n').length + rows);
      assert.equal(whole.rows, rows);
      return rows;
    };
    const viewers = [a.token, b.token, organizer.token, stranger.token, undefined];
    const deal = entries.findIndex((entry) => entry.endsWith(' deal')) + 1;
    const ends = [deal, ...entries.flatMap((entry, i) => (i >= deal && !entry.includes(' bind ') ? [i + 1] : [])).slice(5, 7)];
    for (const sent of ends) {
      good(await send(recording, entries.slice(0, sent), a));
      assert.deepEqual(await Promise.all(viewers.map(seen)), [sent, sent, sent - delay, sent - delay, sent - delay]);
      await late.reached(sent - delay);
      assert.equal(late.last, sent - delay);
    }
    // Comparisons with the official's own say nothing of what is not shown yet.
    good(await send(own, renumber(told('shinjuku', 9).slice(0, 25), 1), organizer));
    const plies = async (token) => good(await client.get(`${at}/recordings`, { token })).comparisons[0].plies;
    assert.ok(await plies(organizer.token) <= await plies(a.token));
    good(await send(recording, entries, a));
    assert.equal(await seen(undefined), await seen(a.token));
    await late.ended();
    assert.equal(late.last, await seen(undefined));
    assert.equal(good(await client.get(`/v1/events/${event.id}`)).settings.delay_entries, delay);
  });

  it('is in the copy of its scorer’s data', async () => {
    const { event, at, players: [a, b] } = await begin();
    const recording = await start(at, a);
    good(await send(recording, told('shinjuku', 8).slice(0, 5), a));
    const copyOf = async ({ token }) => good(await client.get('/v1/me/export', { token })).recordings;
    const { started_at } = good(await client.get(`/v1/recordings/${recording.id}`, { token: a.token }));
    assert.deepEqual(await copyOf(a), [{ id: recording.id, event: event.id, round: 1, table: 1, started_at, finished_at: null, rows: 5 }]);
    assert.deepEqual(await copyOf(b), []);
  });

  it('is only of tables where people play with their own copy', async () => {
    const players = await makePlayers(client, 3);
    const event = await makeEvent(client, organizer, players, { seats_min: 3, seats_max: 3 });
    good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const at = `/v1/events/${event.id}/rounds/1/tables/1/recordings`;
    assert.equal(code(await client.post(at, { id: randomUUID() }, players[0].token)), '409 not-at-table');
    assert.deepEqual(good(await client.get(at)), { items: [], comparisons: [] });
  });
});
