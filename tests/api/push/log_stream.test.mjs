// The stream of everything: what is in the transparency log, in its order, whoever asks and whenever.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makeDuplicate, playHidden, seated } from '../support/duplicate.mjs';
import { endQuietly, makeEvent, makeGame, makePlayer, makePlayers, playBriefly, Random, startRound } from '../support/play.mjs';
import { Stream } from '../support/stream.mjs';
import { Testbed } from '../support/testbed.mjs';
import { readEntries, tileNames } from '../support/tlog.mjs';
import { until } from '../support/waiting.mjs';

const quick = ['--log-interval-ms', '20', '--log-origin', 'club.example/log'];
const random = new Random('log stream');
let bed;
let client;
let other; // a second service on the same database
let organizer;
let players;
let whole; // a stream that was there from the first leaf on

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService(quick));
  other = await bed.startService(quick);
  whole = await Stream.open(client, '/v1/stream');
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 3);
});
after(() => bed.end());

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const size = async (at = client) => Number((await at.get('/v1/log/checkpoint')).text.split('\n')[1]);
const waiting = () => Number(bed.cluster.sql('SET ROLE tillroll_owner; SELECT count(*) FROM tillroll.log_queue'));

// How many leaves there are when nothing waits.
async function settled() {
  await until(60, 'nothing waits for the log', () => waiting() === 0);
  return size();
}

async function leaves(count) {
  const parts = await Promise.all(tileNames(count).map(([name]) => client.get(`/v1/log/tile/entries/${name}`)));
  return parts.flatMap((answer) => readEntries(answer.bytes));
}

// What a new reader gets, up to message `last`.
async function read(last, after, at = client) {
  const stream = await Stream.open(at, '/v1/stream', { after });
  await stream.reached(last);
  stream.close();
  return stream;
}

describe('the stream of everything', () => {
  let duplicate;

  it('tells all that the log takes in, leaf by leaf', async () => {
    const { event, game } = await makeGame(client, organizer, players);
    await playBriefly(client, game, random);
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    const long = await makeEvent(client, organizer, players, { seats_min: 3, seats_max: 3, rounds: 2 });
    const first = await startRound(client, long, organizer, players);
    await endQuietly(client, first.games[0], organizer);
    const ruling = { no_show: [players[0].id, players[1].id], reason: 'Did not come.' };
    good(await client.request('PUT', `/v1/events/${long.id}/rounds/1/tables/1/ruling`, { json: ruling, token: organizer.token }));
    await startRound(client, long, organizer, players);
    const file = path.join(bed.directory, 'key');
    for (const words of [['new', file], ['register', file, '--server', `http://127.0.0.1:${client.port}`]])
      assert.equal((await bed.tillrollAs(players[0].token, 'key', ...words)).status, 0);
    duplicate = await makeDuplicate(client, organizer, players, { ruleset: 'supermarche', boards: 1, name: 'For one' });
    const round = good(await client.post(`/v1/events/${duplicate.id}/rounds`, {}, organizer.token));
    for (const each of seated(round, players)) await playHidden(client, each, random);

    const count = await settled();
    await whole.reached(count);
    const entries = await leaves(count);
    assert.deepEqual(whole.messages.map((message) => [message.id, message.data.leaf]), entries.map((_, i) => [i + 1, i]));
    const kinds = { game: 'game', 'event-log': 'event', standings: 'standings', ruling: 'ruling', dispute: 'dispute', key: 'key', 'event-step': 'line' };
    for (const [i, entry] of entries.entries()) {
      const [title, scope, hash] = entry.split('\n');
      const kind = title.replace('tillroll ', '');
      const { event: name, data } = whole.messages[i];
      assert.equal(data.hash, hash);
      assert.ok([data.game, data.event, data.dispute, data.player].includes(scope.slice(0, 36)), entry);
      if (kind !== 'commitment') assert.equal(name, kinds[kind]);
      else assert.equal(`${name} ${data.change}`, scope.includes('/round/') ? 'round committed' : data.game === undefined ? 'event made' : 'game started');
    }
    const told = (name, wanted) => whole.messages.filter((message) => message.event === name && Object.entries(wanted).every(([key, value]) => message.data[key] === value)).length;
    for (const [name, wanted, times] of [
      ['event', { change: 'made' }, 3], ['event', { change: 'closed', event: event.id }, 1], ['standings', { event: event.id, round: null }, 1],
      ['key', { player: players[0].id, line: 1 }, 1], ['standings', { event: long.id, round: 1 }, 1], ['ruling', { event: long.id }, 1], ['round', { event: duplicate.id, round: 1 }, 1],
      ['game', { change: 'started', game: game.id }, 1], ['game', { change: 'finished', game: game.id }, 1],
      ['game', { change: 'finished', event: duplicate.id }, 3], ['game', { change: 'started', event: duplicate.id }, 0],
    ]) assert.equal(told(name, wanted), times, `${name} ${JSON.stringify(wanted)}`);
    const { data } = whole.messages.find((message) => message.event === 'game' && message.data.game === game.id);
    assert.deepEqual({ ...data, leaf: 0, hash: '' }, { change: 'started', game: game.id, event: event.id, round: 1, table: 1, ruleset: { slug: 'shinjuku', version: '1.0.0' }, leaf: 0, hash: '' });
  });

  it('goes on after any message with the same bytes, at any service', async () => {
    const count = await settled();
    await whole.reached(count);
    const all = (await read(count, undefined, other.client)).text;
    assert.equal(all, whole.text);
    for (const after of [1, 2, Math.floor(count / 2), count - 1]) {
      const at = after % 2 ? client : other.client;
      const { text } = await read(count, after, at);
      assert.ok(text.startsWith(`id: ${after + 1}\n`));
      assert.ok(all.endsWith(text));
    }
  });

  it('refuses a message that there has not been', async () => {
    for (const after of [(await settled()) + 1, 'x', '-1', '1.5']) {
      const { status, json } = await client.get('/v1/stream', { headers: { 'Last-Event-ID': String(after) } });
      assert.deepEqual([status, json.code], [400, 'bad-field']);
    }
  });
});

// A transaction that is left open, by hand: what it has queued is there when it is committed.
function openTransaction(statements) {
  const child = spawn('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', bed.cluster.migratorUrl], { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stdin.write(`SET ROLE tillroll_owner; BEGIN; ${statements}; SELECT 'queued';\n`);
  const ended = new Promise((resolve) => { child.on('exit', resolve); });
  return {
    queued: until(60, 'it is queued', () => output.includes('queued')),
    async commit() {
      child.stdin.end('COMMIT;\n');
      assert.equal(await ended, 0);
    },
  };
}

const madeUp = () => {
  const id = `01900000-0000-7000-8000-${randomBytes(6).toString('hex')}`;
  return { id, insert: `INSERT INTO tillroll.log_queue (entry) VALUES (E'tillroll commitment\\n${id}\\n${sha256(id)}\\n') RETURNING id` };
};

describe('transactions that are committed in another order than they began', () => {
  it('are told in one order, and by nobody passed over', async () => {
    const [early, late, later] = [madeUp(), madeUp(), madeUp()];
    const slow = openTransaction(early.insert);
    await slow.queued;
    const number = Number(bed.cluster.sql(`SET ROLE tillroll_owner; ${late.insert}`));
    const seen = (stream, { id }) => stream.until((each) => each.messages.some((message) => message.data.event === id), id);
    await seen(whole, late);
    const between = whole.last;
    assert.equal(whole.messages.at(-1).data.event, late.id);
    const waits = await Stream.open(other.client, '/v1/stream', { after: between });
    await slow.commit();
    bed.cluster.sql(`SET ROLE tillroll_owner; ${later.insert}`);
    for (const stream of [whole, waits]) {
      await seen(stream, early);
      await seen(stream, later);
    }
    // The one that took its number first comes after the one that was committed first.
    const order = whole.messages.map((message) => message.data.event).filter((id) => [early, late, later].some((each) => each.id === id));
    assert.deepEqual(order, [late.id, early.id, later.id]);
    assert.ok(number > 0);
    assert.deepEqual(waits.messages.map((message) => message.data.event), [early.id, later.id]);
    waits.close();
    assert.equal((await read(await settled(), undefined, other.client)).text, whole.text);
  });

  it('many at once are all told, once, whoever signs', async () => {
    const before = await settled();
    const made = Array.from({ length: 12 }, madeUp);
    const open = made.map((each) => openTransaction(each.insert));
    await Promise.all(open.map((each) => each.queued));
    // A reader that goes away after each message and comes again at the other service.
    const got = [];
    let after = before;
    const following = (async () => {
      for (let turn = 0; got.length < made.length; turn++) {
        const stream = await Stream.open(turn % 2 ? client : other.client, '/v1/stream', { after });
        await stream.reached(after + 1);
        stream.close();
        const [message] = stream.messages;
        got.push(message.data.event);
        after = message.id;
      }
    })();
    for (const each of open.toSorted(() => random.below(2) - 0.5)) await each.commit();
    await following;
    assert.deepEqual([...got].sort(), made.map((each) => each.id).sort());
    assert.equal(await settled(), before + made.length);
    await whole.reached(before + made.length);
    assert.deepEqual(whole.messages.slice(before).map((message) => message.data.event), got);
  });

  it('goes on at another service when one is killed', async () => {
    const count = await settled();
    const stream = await Stream.open(other.client, '/v1/stream', { after: count });
    other.signal('SIGKILL');
    await stream.ended();
    assert.equal(stream.last, 0);
    const { game } = await makeGame(client, organizer, players);
    const last = await settled();
    const { messages } = await read(last, count);
    assert.deepEqual(messages.map((message) => message.id), Array.from({ length: last - count }, (_, i) => count + 1 + i));
    assert.equal(messages.findLast(({ event }) => event === 'game').data.game, game.id);
  });
});
