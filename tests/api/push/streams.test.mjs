// Streams: what is committed reaches all followers, once, in order, as far as each may see it, and a follower that was
// cut off resumes as if nothing had happened.
import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';

import { daily, isLong, notLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { makeDuplicate, playHidden, seated } from '../support/duplicate.mjs';
import { endQuietly, legalMoves, makeEvent, makeGame, makePlayers, now, password, play, playRandomly, Random, startRound } from '../support/play.mjs';
import { Stream } from '../support/stream.mjs';
import { Testbed } from '../support/testbed.mjs';
import { sleep, until, within } from '../support/waiting.mjs';

let bed, client, other, organizer, stranger, players;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  ({ client: other } = await bed.startService()); // a second process on the same database
  [organizer, stranger] = await makePlayers(client, 2, 'Somebody');
  players = await makePlayers(client, 4);
});
after(() => bed.end());

const follow = (game, options, by = client) => Stream.open(by, `${game.at}/stream`, options);
const followEvent = (event, options, by = client) => Stream.open(by, `/v1/events/${event.id}/stream`, options);

// What GET .../events tells this caller.
async function story(game, token) {
  const items = [];
  for (let next = 0; ; ) {
    const page = good(await client.get(`${game.at}/events?after=${next}`, { token }));
    if (page.items.length === 0) return items;
    items.push(...page.items);
    ({ next } = page);
  }
}

const entries = (stream) => stream.messages.filter(({ event }) => event === 'entry').map(({ data }) => data);
const toldOnly = ({ deciders, finished, head, stopped, clocks, ...entry }) => entry;

describe('a game', () => {
  let game, random, streams, viewers;

  before(async () => {
    ({ game } = await makeGame(client, organizer, players));
    random = new Random('streamed');
    viewers = [undefined, stranger.token, organizer.token, ...game.players.map((player) => player.token)];
    streams = await Promise.all(viewers.map((token) => follow(game, { token })));
    // Cards are drawn unseen wherever that is possible.
    let position = await now(client, game);
    for (let ply = 0; ply < 40; ply++) {
      const [seat] = position.deciders;
      const { moves, seq } = await legalMoves(client, game, seat);
      position = good(await play(client, game, seat, [moves.includes('income') ? 'income' : random.pick(moves)], seq));
    }
    for (const stream of streams) await stream.reached(position.seq);
  });
  after(() => streams.forEach((stream) => stream.close()));

  it('is told entry by entry, numbered, as GET .../events tells it to the same viewer', async () => {
    for (const [i, stream] of streams.entries()) {
      assert.equal(stream.status, 200);
      assert.equal(stream.headers['cache-control'], 'no-store');
      stream.messages.forEach(({ id, event, data }, at) => {
        assert.equal(id, at + 1);
        assert.equal(event, 'entry');
        assert.equal(data.seq, id);
      });
      assert.deepEqual(entries(stream).map(toldOnly), await story(game, viewers[i]));
    }
  });

  it('says with each entry what is to be done after it', async () => {
    const { seq, deciders, head, plies } = await now(client, game);
    const last = entries(streams[0]).at(-1);
    assert.deepEqual({ seq: last.seq, deciders: last.deciders, head: last.head, finished: last.finished }, { seq, deciders, head, finished: false });
    assert.ok(plies >= 40);
  });

  it('is the same for all who have no seat, byte for byte, and tells a seat more only of its own cards', async () => {
    assert.equal(streams[1].text, streams[0].text);
    assert.equal(streams[2].text, streams[0].text);
    let drawn = 0;
    game.players.forEach((_, seat) => {
      entries(streams[3 + seat]).forEach((entry, at) => {
        const seen = entries(streams[0])[at];
        const same = ({ events, ...rest }) => rest;
        assert.deepEqual(same(entry), same(seen));
        (entry.events ?? []).forEach((event, i) => {
          if (JSON.stringify(event) === JSON.stringify(seen.events[i])) return;
          drawn++;
          assert.equal(event.kind, 'income');
          assert.equal(event.seat, seat);
        });
      });
    });
    assert.ok(drawn > 0);
  });

  it('goes on from any message as if nothing had been, at any process', async () => {
    for (const [i, token] of viewers.entries()) {
      if (i === 1 || i === 2) continue; // the same as 0
      const whole = streams[i].text;
      for (let after = 0; after <= streams[i].last; after += (i === 0 ? 1 : 7) * (isLong ? 1 : 5)) {
        const rest = await follow(game, { token, after }, after % 2 === 0 ? client : other);
        const begin = after === 0 ? 0 : whole.indexOf(`id: ${after + 1}\n`);
        if (after < streams[i].last) {
          await rest.reached(streams[i].last);
          assert.equal(rest.text, whole.slice(begin), `after ${after}`);
        } else {
          assert.equal(rest.text, '');
        }
        rest.close();
      }
    }
  });

  it('reaches those who follow it at another process', async () => {
    const there = await follow(game, { after: streams[0].last }, other);
    const { seq } = await playRandomly(client, game, random, { plies: 5 });
    await there.reached(seq);
    const { seq: further } = await playRandomly({ ...client, get: other.get.bind(other), post: other.post.bind(other) }, game, random, { plies: 5 });
    for (const stream of [there, ...streams]) await stream.reached(further);
    assert.equal(streams[0].text.endsWith(there.text), true);
    assert.equal(there.messages.length, further - seq + 5);
    there.close();
  });

  it('can be followed by one who is cut off all the time', async () => {
    let text = '';
    let last = streams[0].last;
    const begin = last;
    const more = playRandomly(client, game, random, { plies: isLong ? 40 : 12 });
    let over = false;
    more.then(() => (over = true));
    const chance = new Random('cuts');
    while (!over || last < (await now(client, game)).seq) {
      const piece = await follow(game, { after: last }, chance.below(2) ? client : other);
      await Promise.race([piece.until(() => piece.messages.length > chance.below(4)), sleep(200)]);
      piece.close();
      text += piece.text;
      last = piece.messages.at(-1)?.id ?? last;
    }
    await streams[0].reached(last);
    assert.equal(text, streams[0].text.slice(streams[0].text.indexOf(`id: ${begin + 1}\n`)));
  });

  it('ends when everything has been told, for whoever comes later as well', async () => {
    await endQuietly(client, game, organizer);
    for (const stream of streams) await stream.ended();
    const { seq, head } = await now(client, game);
    for (const [i, stream] of streams.entries()) {
      assert.equal(stream.end, 'whole');
      assert.deepEqual(entries(stream).map(toldOnly), await story(game, viewers[i]));
      const { id, event, data } = stream.messages.at(-1);
      assert.deepEqual({ id, event, data }, { id: seq + 1, event: 'end', data: { seq, head } });
      assert.equal(stream.messages.length, seq + 1);
    }
    for (const after of [undefined, 0, 1, seq - 1, seq]) {
      const late = await follow(game, { after }, after === 1 ? other : client);
      await late.ended();
      const begin = after ? streams[0].text.indexOf(`id: ${after + 1}\n`) : 0;
      assert.equal(late.text, streams[0].text.slice(begin));
    }
    const nothing = await follow(game, { after: seq + 1 });
    assert.equal(nothing.status, 204);
  });

  it('does not tell its secret before the record does', async () => {
    const { text } = await client.get(`${game.at}/record`);
    const [, secret] = / reveal (?:\S+ )*?([0-9a-f]{64})/.exec(text);
    assert.ok(!bed.written().includes(secret));
    for (const stream of streams) assert.ok(!stream.text.includes(secret));
  });
});

describe('sealed decisions', () => {
  const clocks = { 'without clocks': {}, 'with clocks': { clock: { move_ms: 86_400_000 } } };
  for (const [how, settings] of Object.entries(clocks)) it(`tell nothing before the last is in, and then all of them, ${how}`, async () => {
    const { game, event } = await makeGame(client, organizer, players, { ruleset: 'mall-world', ...settings });
    const random = new Random('sealed stream');
    let position = await now(client, game);
    while (position.deciders.length < 2) {
      const legal = await legalMoves(client, game, position.deciders[0]);
      const offers = legal.moves.filter((move) => move.startsWith('offer '));
      good(await play(client, game, position.deciders[0], [random.pick(offers.length ? offers : legal.moves)], legal.seq));
      position = await now(client, game);
    }
    const tokens = [undefined, organizer.token, ...game.players.map((player) => player.token)];
    const streams = await Promise.all([
      ...tokens.map((token) => follow(game, { token, after: position.seq })), followEvent(event, { after: good(await client.get(`/v1/events/${event.id}`)).changes })]);
    const [last, ...early] = [...position.deciders].reverse();
    for (const seat of early) good(await play(client, game, seat, [(await legalMoves(client, game, seat)).moves[0]], position.seq));
    // Something else that is told passes by, and nothing of the decisions has come before it.
    const passing = await followEvent(event, { after: 0 });
    await passing.reached(good(await client.get(`/v1/events/${event.id}`)).changes);
    await sleep(200);
    for (const stream of streams) assert.equal(stream.text, '');
    good(await play(client, game, last, [(await legalMoves(client, game, last)).moves[0]], position.seq));
    const { seq } = await now(client, game);
    assert.ok(seq >= position.seq + position.deciders.length);
    for (const stream of streams.slice(0, -1)) {
      await stream.reached(seq);
      const stood = how === 'with clocks' ? early : []; // lines that say so come first, in the order of their times
      assert.deepEqual(entries(stream).slice(0, stood.length).map((entry) => [entry.kind, entry.seat]), stood.map((seat) => ['sealed', seat]));
      const told = entries(stream).slice(stood.length, stood.length + position.deciders.length);
      assert.deepEqual(told.map((entry) => [entry.kind, entry.seat]), [...position.deciders].sort().map((seat) => ['ply', seat]));
    }
    [...streams, passing].forEach((stream) => stream.close());
  });
});

describe('an event', () => {
  let event, games, stream;
  const at = () => `/v1/events/${event.id}`;
  const kinds = (messages) => messages.map(({ event: kind, data }) => (kind === 'log' ? data.kind : kind === 'game' ? `game ${data.state}` : kind));

  it('tells its log, its games and when the standings have changed', async () => {
    event = good(await client.post('/v1/events', { name: 'Told', ruleset: 'shinjuku', seats_min: 2, rounds: 2 }, organizer.token));
    stream = await followEvent(event);
    good(await client.post(`${at()}/open-entries`, {}, organizer.token));
    for (const player of players) good(await client.post(`${at()}/entries`, {}, player.token));
    good(await other.post(`${at()}/close-entries`, {}, organizer.token));
    const round = await startRound(client, event, organizer, players);
    games = round.games;
    await stream.reached(good(await client.get(at())).changes);
    assert.deepEqual(kinds(stream.messages), [
      'created', 'entries_opened', 'entered', 'entered', 'entered', 'entered', 'entries_closed', 'standings',
      'stage_started', 'standings', 'round_drawn', 'round_started', ...games.map(() => 'game running'),
    ]);
    stream.messages.forEach(({ id }, i) => assert.equal(id, i + 1));
  });

  it('tells each as it stands in lists', async () => {
    const { items } = good(await client.get(`${at()}/log`));
    assert.deepEqual(stream.messages.filter((each) => each.event === 'log').map(({ data }) => ({ ...data, signature: null })), items);
    const { games: listed } = good(await client.get(`${at()}/rounds/1`));
    assert.deepEqual(stream.messages.filter((each) => each.event === 'game').map(({ data }) => data), listed);
    for (const { id, data } of stream.messages.filter((each) => each.event === 'standings')) assert.deepEqual(data, { change: id });
  });

  it('tells who is absent, and each game once when it has its results', async () => {
    const before = stream.last;
    const last = games.at(-1);
    await endQuietly(client, last, organizer);
    await stream.until(() => kinds(stream.messages).includes('game finished'));
    await stream.reached(good(await client.get(at())).changes);
    const seats = last.players.length;
    const told = stream.messages.slice(before);
    assert.deepEqual(kinds(told), [...last.players.map(() => 'game running'), 'game finished', 'standings', 'result']);
    told.slice(0, seats).forEach(({ data }, absent) => assert.deepEqual(data.seats.map((seat) => seat.fallback), data.seats.map((_, i) => i <= absent)));
    const { games: listed } = good(await client.get(`${at()}/rounds/1`));
    assert.deepEqual(told[seats].data, listed.at(-1));
  });

  it('goes on from any change, at any process, and begins with what follows a document', async () => {
    const { changes } = good(await client.get(at()));
    for (let after = 0; after <= changes; after += isLong ? 1 : 4) {
      const rest = await followEvent(event, { after }, after % 2 === 0 ? client : other);
      if (after < changes) await rest.reached(changes);
      assert.equal(rest.text, after === 0 ? stream.text : after === changes ? '' : stream.text.slice(stream.text.indexOf(`id: ${after + 1}\n`)));
      rest.close();
    }
  });

  it('ends when it is closed', async () => {
    for (const game of games.slice(0, -1)) await endQuietly(client, game, organizer);
    const second = await startRound(client, event, organizer, players);
    for (const game of second.games) await endQuietly(client, game, organizer);
    good(await client.post(`${at()}/close`, {}, organizer.token));
    await stream.ended();
    assert.equal(stream.end, 'whole');
    const { changes } = good(await client.get(at()));
    assert.deepEqual(kinds(stream.messages).slice(-3), ['closed', 'standings', 'end']);
    assert.deepEqual(stream.messages.at(-1), { id: null, event: 'end', data: { change: changes } });
    assert.equal(stream.messages.at(-2).id, changes);
    const late = await followEvent(event, {}, other);
    await late.ended();
    assert.equal(late.text, stream.text);
    const end = await followEvent(event, { after: changes - 1 });
    await end.ended();
    assert.equal(end.text, stream.text.slice(stream.text.indexOf(`id: ${changes}\n`)));
    assert.equal((await followEvent(event, { after: changes })).status, 204);
  });

  it('with many lines is told whole, however much that is', async () => {
    const lines = isLong ? 3000 : 600;
    const crowd = await makeEvent(client, organizer, players);
    bed.cluster.sql(`SET ROLE tillroll_owner; INSERT INTO tillroll.event_step (event_id, seq, at, actor_id, kind, detail)
      SELECT event_id, seq + n, at, actor_id, 'settings_changed', (SELECT detail FROM tillroll.event_step WHERE event_id = '${crowd.id}' AND seq = 1)
        FROM (SELECT * FROM tillroll.event_step WHERE event_id = '${crowd.id}' ORDER BY seq DESC LIMIT 1) AS step, generate_series(1, ${lines}) AS n`);
    const { changes } = good(await client.get(`/v1/events/${crowd.id}`));
    assert.ok(changes > lines);
    const whole = await followEvent(crowd);
    await whole.reached(changes);
    assert.deepEqual(whole.messages.map(({ id }) => id), Array.from({ length: changes }, (_, i) => i + 1));
    whole.close();
  });
});

describe('a duplicate event', () => {
  it('tells of hidden games that they are there and have ended, and of boards when they are open', async () => {
    const event = await makeDuplicate(client, organizer, players, { boards: 2, seats_preferred: 2 });
    const games = seated(good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token)), players);
    const random = new Random('hidden stream');
    const { changes } = good(await client.get(`/v1/events/${event.id}`));
    const about = await followEvent(event, { after: changes });
    const nobody = '0193a2b4-5c6d-7e8f-9012-3456789abcde';
    for (const token of [undefined, stranger.token, organizer.token]) {
      const none = await Stream.open(client, `/v1/games/${nobody}/stream`, { token });
      const shut = await follow(games[0], { token });
      await Promise.all([none.ended(), shut.ended()]);
      assert.equal(shut.status, 404);
      assert.equal(shut.text, none.text);
    }
    const seats = await Promise.all(games[0].players.map(({ token }) => follow(games[0], { token })));
    const { seq } = await playHidden(client, games[0], random, 20);
    for (const stream of seats) await stream.reached(seq);
    // The whole of the first table: its end is known, and that is all.
    await endQuietly(client, games[0], organizer);
    await about.reached(changes + 1);
    const [{ event: name, data }] = about.messages;
    assert.equal(name, 'game');
    assert.equal(data.id, games[0].id);
    assert.equal(data.hidden, true);
    assert.equal(data.state, 'finished');
    assert.equal(data.finished_at, null);
    assert.ok(data.seats.every((seat) => seat.score === null && seat.rank === null && !seat.fallback));
    // The record waits for the round, and so do those who follow it.
    const own = games[0].players[0].token;
    const last = good(await client.get(games[0].at, { token: own })).seq;
    for (const stream of seats) await stream.reached(last);
    assert.deepEqual(entries(seats[0]).map(toldOnly), await story(games[0], own));
    assert.equal(seats[0].end, null);
    assert.equal(about.messages.length, 1);
    for (const game of games.slice(1)) await endQuietly(client, game, organizer);
    for (const stream of seats) await stream.ended();
    assert.equal(seats[0].messages.at(-1).event, 'end');
    // Now everybody may follow it, and sees it as a spectator.
    const open = await follow(games[0], { token: stranger.token });
    await open.ended();
    assert.equal(open.messages.length, seats[0].messages.length);
    assert.deepEqual(entries(open).map(toldOnly), await story(games[0], stranger.token));
    await about.reached(good(await client.get(`/v1/events/${event.id}`)).changes);
    const told = about.messages.slice(1);
    const { games: listed } = good(await client.get(`/v1/events/${event.id}/rounds/1`));
    const scored = told.filter((each) => each.event === 'game' && each.data.seats[0].score !== null);
    assert.deepEqual(new Set(scored.map((each) => JSON.stringify(each.data))), new Set(listed.map((game) => JSON.stringify(game))));
    assert.equal(told.filter((each) => each.event === 'standings').length, 1);
    about.close();
  });
});

describe('a token', () => {
  const signIn = async () => good(await client.post('/v1/tokens', { name: stranger.name, password })).token;
  let game;
  before(async () => ({ game } = await makeGame(client, organizer, players)));

  it('that is revoked ends its streams, at every process, and no others', async () => {
    const [token, kept] = [await signIn(), await signIn()];
    const ending = [await follow(game, { token }), await follow(game, { token }, other), await followEvent({ id: game.event.id }, { token })];
    const staying = [await follow(game, { token: kept }), await follow(game)];
    good(await client.delete('/v1/tokens/current', token));
    for (const stream of ending) {
      await stream.ended();
      assert.equal(stream.end, 'whole');
    }
    const { seq } = await playRandomly(client, game, new Random('token'), { plies: 1 });
    for (const stream of staying) (await stream.reached(seq)).close();
    const refused = await follow(game, { token });
    assert.equal((await refused.ended()).status, 401);
    assert.equal(refused.json.code, 'bad-token');
  });

  it('that is deleted or expires ends them as well', async () => {
    const { client: quick } = await bed.startService(['--stream-heartbeat-ms', '50']);
    const tokens = [await signIn(), await signIn()];
    const hash = (token) => `sha256('${token}')`;
    bed.cluster.sql(`SET ROLE tillroll_owner; UPDATE tillroll.token SET expires_at = now() + interval '8 seconds' WHERE hash = ${hash(tokens[1])}`);
    const streams = await Promise.all(tokens.map((token) => follow(game, { token }, quick)));
    await Promise.all(streams.map((stream) => stream.until(() => stream.comments > 0)));
    bed.cluster.sql(`SET ROLE tillroll_owner; DELETE FROM tillroll.token WHERE hash = ${hash(tokens[0])}`);
    for (const stream of streams) assert.equal((await stream.ended()).end, 'whole');
  });
});

describe('requests', () => {
  let game;
  before(async () => ({ game } = await makeGame(client, organizer, players)));

  it('name a message that there is, or are told what is wrong', async () => {
    const { seq } = await playRandomly(client, game, new Random('request'), { plies: 2 });
    for (const after of ['x', '-1', '01', '1.0', '', String(seq + 1), '99999999999999999999', '1,2']) {
      for (const target of [`${game.at}/stream`, `/v1/events/${game.event.id}/stream`]) {
        if (target.includes('events') && after === String(seq + 1)) continue;
        const stream = await Stream.open(client, target, { headers: { 'Last-Event-ID': after } });
        await stream.ended();
        assert.equal(stream.status, 400, after);
        assert.equal(stream.json.code, 'bad-field');
      }
    }
    for (const kind of ['games', 'events']) {
      const none = await Stream.open(client, `/v1/${kind}/0193a2b4-5c6d-7e8f-9012-3456789abcde/stream`);
      assert.equal((await none.ended()).status, 404);
    }
    assert.equal((await client.post(`${game.at}/stream`, {})).status, 405);
  });

  it('by HEAD get the head', async () => {
    const stream = await follow(game);
    const head = await client.request('HEAD', `${game.at}/stream`);
    assert.equal(head.status, 200);
    for (const name of ['content-type', 'cache-control', 'content-length']) assert.equal(head.headers[name], stream.headers[name], name);
    assert.equal(head.headers['content-type'], 'text/event-stream');
    assert.equal(head.text, '');
    stream.close();
  });

  it('on one connection follow each other', async () => {
    const { game: short } = await makeGame(client, organizer, players);
    await endQuietly(client, short, organizer);
    const get = (path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const socket = net.connect(client.port, '127.0.0.1');
    let received = '';
    socket.on('data', (data) => (received += data));
    socket.write(get(`${short.at}/stream`) + get('/healthz'));
    await until(60, 'both answers', () => /event: end[^]*\r\n0\r\n\r\nHTTP\/1\.1 200[^]*\{"status":"alive"\}/.test(received));
    socket.destroy();
  });
});

describe('readers', () => {
  it('hear a heartbeat when there is nothing else', async () => {
    const { client: quick } = await bed.startService(['--stream-heartbeat-ms', '50']);
    const { game } = await makeGame(quick, organizer, players);
    const stream = await follow(game, {}, quick);
    await stream.until(() => stream.comments >= 5);
    assert.equal(stream.text, '');
    const { seq } = await playRandomly(quick, game, new Random('beat'), { plies: 3 });
    await stream.reached(seq);
    const heard = stream.comments;
    await stream.until(() => stream.comments >= heard + 3);
    stream.close();
  });

  // A crowd's heartbeats would else come all at once for ever, with everybody's moves behind them.
  it('who came together do not hear all their heartbeats together', { skip: notLong }, async () => {
    const { client: slow } = await bed.startService(['--stream-heartbeat-ms', '1000']);
    const { game } = await makeGame(slow, organizer, players);
    const crowd = await Promise.all(Array.from({ length: 40 }, () => follow(game, {}, slow)));
    const heard = await Promise.all(crowd.map(async (stream) => {
      await stream.until(() => stream.comments >= 3);
      return performance.now();
    }));
    assert.ok(Math.max(...heard) - Math.min(...heard) > 400, `all within ${Math.max(...heard) - Math.min(...heard)} ms`);
    for (const stream of crowd) stream.close();
  });

  // An event with far more to tell than sockets hold.
  async function makeLong(lines) {
    const event = await makeEvent(client, organizer, players);
    return { event, grow: () => bed.cluster.sql(`SET ROLE tillroll_owner; INSERT INTO tillroll.event_step (event_id, seq, at, actor_id, kind, detail)
      SELECT event_id, seq + n, at, actor_id, 'entered', json_build_object('player', actor_id, 'filler', repeat('x', 10000))
        FROM (SELECT * FROM tillroll.event_step WHERE event_id = '${event.id}' ORDER BY seq DESC LIMIT 1) AS step, generate_series(1, ${lines}) AS n`) };
  }

  // A connection that follows and reads nothing.
  async function notReading(port, event, after) {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write(`GET /v1/events/${event.id}/stream HTTP/1.1\r\nHost: a\r\nLast-Event-ID: ${after}\r\n\r\n`);
    // It is over when the server has closed its side, which is seen when it is read at last.
    const length = () => within(20, 'the end of a stream that was not read', new Promise((resolve) => {
      let bytes = 0;
      socket.on('data', (data) => (bytes += data.length));
      socket.on('close', () => resolve(bytes));
      socket.resume();
    }));
    return { socket, length };
  }

  // Readers may be slow for a while on a busy machine, so each limit leaves room for that. The lines that come at once are fewer than the permitted
  // lag, or the lag is unlimited.
  for (const [what, options, lines] of daily([
    ['take nothing for too long', ['--stream-stall-ms', '2000', '--stream-lag-bytes', '1000000000'], 600],
    ['fall too far behind', ['--stream-lag-bytes', '1000000'], 60],
  ], 2))
    it(`that ${what} are cut off, while others go on`, async () => {
      const { client: strict } = await bed.startService([...options, '--streams', '4']);
      const { event, grow } = await makeLong(lines);
      const { changes } = good(await strict.get(`/v1/events/${event.id}`));
      const stuck = await notReading(strict.port, event, changes);
      const awake = await followEvent(event, { after: changes }, strict);
      for (let added = lines; added <= 1800; added += lines) {
        grow();
        await awake.reached(changes + added);
      }
      const whole = awake.text.length;
      assert.ok(whole > 15e6);
      // Its place is free again: only two may follow.
      const next = await until(20, 'a place', async () => {
        const stream = await followEvent(event, { after: awake.last }, strict);
        return stream.status === 200 && stream;
      });
      next.close();
      assert.ok((await stuck.length()) < whole / 2);
      assert.equal(awake.end, null);
      awake.close();
    });

  it('that hang up leave their place at once', async () => {
    const { client: strict } = await bed.startService(['--streams', '5', '--streams-per-address', '2']);
    const { game } = await makeGame(strict, organizer, players);
    const two = [await follow(game, {}, strict), await follow(game, {}, strict)];
    const third = await follow(game, {}, strict);
    await third.ended();
    assert.equal(third.status, 429);
    assert.equal(third.json.code, 'too-many-streams');
    assert.match(third.headers['retry-after'], /^\d+$/);
    const elsewhere = await follow(game, { localAddress: '127.0.0.2' }, strict);
    assert.equal(elsewhere.status, 200);
    const fourth = await follow(game, { localAddress: '127.0.0.3' }, strict);
    await fourth.ended();
    assert.equal(fourth.status, 503);
    assert.equal(fourth.json.code, 'unavailable');
    two[0].close();
    const again = await until(60, 'a place', async () => {
      const stream = await follow(game, {}, strict);
      return stream.status === 200 && stream;
    });
    const { seq } = await playRandomly(strict, game, new Random('places'), { plies: 2 });
    for (const stream of [two[1], elsewhere, again]) (await stream.reached(seq)).close();
  });
});

describe('when something goes away', () => {
  it('the database: streams stay, and go on without a gap or a repeat', async () => {
    const { game, event } = await makeGame(client, organizer, players);
    const random = new Random('restart');
    const streams = [await follow(game), await follow(game, { token: game.players[1].token }), await follow(game, {}, other)];
    const about = [await followEvent(event), await followEvent(event, {}, other)];
    await playRandomly(client, game, random, { plies: 5 });
    for (let i = 0; i < 2; i++) {
      await bed.cluster.restart();
      await until(20, 'the services are back', async () => (await client.get('/readyz')).status === 200 && (await other.get('/readyz')).status === 200);
      const { seq } = await playRandomly(client, game, random, { plies: 5 });
      for (const stream of streams) await stream.reached(seq);
    }
    await endQuietly(client, game, organizer);
    for (const stream of streams) assert.equal((await stream.ended()).end, 'whole');
    const later = [await follow(game), await follow(game, { token: game.players[1].token })];
    for (const stream of later) await stream.ended();
    assert.equal(streams[0].text, later[0].text);
    assert.equal(streams[2].text, later[0].text);
    assert.equal(streams[1].text, later[1].text);
    const { changes } = good(await client.get(`/v1/events/${event.id}`));
    for (const stream of about) {
      await stream.reached(changes);
      assert.deepEqual(stream.messages.map(({ id }) => id), Array.from({ length: changes }, (_, i) => i + 1));
      stream.close();
    }
  });

  it('the service: streams end, and it does not wait for them', async () => {
    const service = await bed.startService();
    const { game, event } = await makeGame(service.client, organizer, players);
    const streams = [await follow(game, {}, service.client), await followEvent(event, {}, service.client), await follow(game, { token: players[0].token }, service.client)];
    const socket = net.connect(service.client.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write(`GET ${game.at}/stream HTTP/1.1\r\nHost: a\r\n\r\n`);
    await streams[1].until(() => streams[1].messages.length > 3);
    const [code, signal] = await service.end();
    assert.deepEqual([code, signal], [0, null]);
    for (const stream of streams) assert.equal((await stream.ended()).end, 'whole');
    socket.destroy();
  });

  it('a reader in the middle of many: nobody else notices', async () => {
    const { game } = await makeGame(client, organizer, players);
    const random = new Random('coming and going');
    const staying = await follow(game);
    const visits = Array.from({ length: 60 }, async (_, i) => {
      const stream = await follow(game, i % 3 === 0 ? { token: game.players[i % 4].token } : {}, i % 2 ? client : other);
      await sleep(10 * (i % 20));
      stream.close();
    });
    const [{ seq }] = await Promise.all([playRandomly(client, game, random, { plies: 30 }), ...visits]);
    await staying.reached(seq);
    assert.deepEqual(entries(staying).map(toldOnly), await story(game));
    staying.close();
  });
});
