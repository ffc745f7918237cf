// Games that wait for their players' entropy: what is committed to first, who may give what and when,
// that nobody sees it before the game starts, and that each game starts once, with what has come in.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';

import { checkSignatures, verifyRecord } from '../../engine/record/verify_roll.mjs';
import { good } from '../support/client.mjs';
import * as entropy from '../support/entropy.mjs';
import { bytes, linesOf, waitingGame } from '../support/entropy.mjs';
import { endQuietly, makeEvent, makePlayer, makePlayers, playRandomly, Random } from '../support/play.mjs';
import { register } from '../support/signing.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

const HOUR = 3600;
let bed, service, client, organizer, stranger, publicKey;

const options = ['--log-interval-ms', '20', '--timers-ms', '50'];
before(async () => {
  bed = new Testbed();
  service = await bed.startService(options);
  ({ client } = service);
  organizer = await makePlayer(client, 'Organizer');
  stranger = await makePlayer(client, 'Stranger');
  publicKey = good(await client.get('/v1/keys')).keys[0].public_key;
});
after(() => bed?.end());

const code = async (answer) => `${(await answer).status} ${(await answer).json?.code ?? ''}`.trim();
const recordOf = async (game) => (await client.get(`${game.at}/record`)).text;

// A table whose game waits: { event, players, game } with the players in the order of seats.
async function waitingTable({ seconds = HOUR, seats = 3, prepare, settings } = {}) {
  const players = await makePlayers(client, seats, 'Giver');
  await prepare?.(players);
  const event = await makeEvent(client, organizer, players, { seats_min: seats, seats_max: seats, rounds: 1, entropy_seconds: seconds, ...settings });
  const round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
  assert.deepEqual(round.games, []);
  const [{ waiting, seats: sitting }] = round.seating;
  return { event, round, game: waitingGame(waiting.game, sitting, players) };
}

const look = (game) => entropy.look(client, game);
const gift = (game, given) => entropy.gift(client, game, given);
const put = (game, seat, body, by = client) => entropy.put(by, game, seat, body);
const give = (game, seat, given) => entropy.give(client, game, seat, given);

// The whole game, checked by our verifier and by the other one.
async function checkFinished(game) {
  await playRandomly(client, game, new Random(game.id), { plies: 6 });
  await endQuietly(client, game, organizer);
  const record = await recordOf(game);
  assert.equal(bed.verify(record).status, 0, bed.verify(record).output);
  assert.equal(verifyRecord(Buffer.from(record)).finished, true);
  return record;
}

describe('a game that waits', () => {
  it('is not there yet, but what it commits to is in the transparency log', async () => {
    const { event, game } = await waitingTable();
    const waiting = await look(game);
    assert.equal(waiting.state, 'waiting');
    assert.deepEqual(waiting.event, { id: event.id, round: 1, table: 1 });
    assert.deepEqual(waiting.seats.map((seat) => [seat.player.id, seat.given]), game.players.map((player) => [player.id, false]));
    assert.equal(Date.parse(waiting.until) - Date.parse(waiting.since), HOUR * 1000);
    const leaf = createHash('sha256').update(`\0tillroll commitment\n${game.id}\n${waiting.commitment}\n`).digest('hex');
    assert.equal(waiting.leaf, leaf);
    await until(60, 'the commitment is logged', async () => (await client.get(`/v1/log/inclusion?leaf=${leaf}`)).status === 200);
    for (const rest of ['', '/view', '/record', '/events', '/legal-moves', '/signatures'])
      assert.equal(await code(client.get(`${game.at}${rest}`, { token: game.players[0].token })), '404 not-found', rest);
    assert.deepEqual(good(await client.get('/v1/me/games', { token: game.players[0].token })).items, []);
    assert.deepEqual(good(await client.get('/v1/me/waiting', { token: game.players[0].token })).items, [waiting]);
    assert.deepEqual(good(await client.get('/v1/me/waiting', { token: organizer.token })).items, []);
  });

  it('takes from each of its players once, and shows nobody what', async () => {
    const { event, game } = await waitingTable();
    const body = await gift(game, bytes());
    assert.equal(await code(client.request('PUT', `${game.at}/entropy`, { json: body, token: stranger.token })), '403 not-a-seat');
    assert.equal(await code(client.request('PUT', `${game.at}/entropy`, { json: body, token: organizer.token })), '403 not-a-seat');
    assert.equal(await code(client.request('PUT', `${game.at}/entropy`, { json: body })), '401 not-signed-in');
    for (const entropy of ['', 'abc', 'AB', 'xy', bytes(33), 7, null])
      assert.equal(await code(put(game, 0, { ...body, entropy })), '400 bad-field', String(entropy));
    for (const commitment of ['', 'ab', null]) assert.equal(await code(put(game, 0, { ...body, commitment })), '400 bad-field');
    assert.equal(await code(put(game, 0, { entropy: body.entropy })), '400 missing-field');
    assert.equal(await code(put(game, 0, { ...body, more: 1 })), '400 unknown-field');
    assert.equal(await code(put(game, 0, { ...body, commitment: bytes() })), '409 other-commitment');
    assert.equal(await code(put(game, 0, { ...body, signature: bytes(64) })), '422 no-signing-key');
    assert.deepEqual((await look(game)).seats.map((seat) => seat.given), [false, false, false]);

    const taken = good(await put(game, 0, body));
    assert.equal(taken.state, 'waiting');
    assert.deepEqual(good(await put(game, 0, body)), taken, 'the same again');
    assert.equal(await code(put(game, 0, { ...body, entropy: bytes() })), '409 entropy-given');
    assert.deepEqual((await look(game)).seats.map((seat) => seat.given), [true, false, false]);

    // No answer has it, to whomever; in the database it is in the vault alone.
    const targets = ['/v1/games', '/v1/me/games', '/v1/me/waiting', `${game.at}/entropy`, `/v1/events/${event.id}`, `/v1/events/${event.id}/log`,
      `/v1/events/${event.id}/rounds/1`, `/v1/events/${event.id}/bundle`, `/v1/events/${event.id}/feed.json`, `/v1/players/${game.players[0].id}/games`];
    for (const token of [undefined, stranger.token, organizer.token, ...game.players.map((player) => player.token)])
      for (const target of targets) {
        const { text, rawHeaders } = await client.get(target, { token });
        assert.ok(!`${text}${rawHeaders.join()}`.includes(body.entropy), target);
      }
    assert.equal(bed.cluster.sql(`SET ROLE tillroll_owner; SELECT encode(entropy, 'hex') FROM tillroll_vault.entropy WHERE game_id = '${game.id}'`), body.entropy);
    assert.ok(!bed.written().includes(body.entropy));
  });

  it('starts when all have given, and its record has what they gave', async () => {
    const { game, round, event } = await waitingTable();
    const given = [bytes(1), bytes(32), bytes(7)];
    const { commitment } = await look(game);
    const receipts = [];
    for (const seat of [2, 0, 1]) receipts[seat] = good(await give(game, seat, given[seat]));
    assert.deepEqual(receipts.map(({ state }) => state), ['waiting', 'started', 'waiting']);
    const waited = await look(game);
    assert.equal(waited.state, 'started');
    assert.equal(waited.commitment, commitment);
    const started = good(await client.get(`/v1/events/${event.id}/rounds/1`));
    assert.deepEqual(started.games.map(({ id }) => id), [game.id]);
    assert.equal(started.seating[0].waiting, null);
    assert.notDeepEqual(started, round);
    assert.deepEqual(good(await client.get('/v1/me/waiting', { token: game.players[0].token })).items, []);

    const record = await checkFinished(game);
    assert.deepEqual(linesOf(record, 'commit'), [`commit ${commitment}`]);
    assert.deepEqual(linesOf(record, 'entropy'), given.map((entropy, seat) => `entropy ${seat} ${entropy}`));
    for (const receipt of receipts) assert.match(bed.verifyReceipt(receipt, publicKey, record).output, /signed: .*\n.*: kept: commitment and entropy/);
    const [{ receipt }] = receipts;
    assert.equal(bed.verifyReceipt({ ...receipt, entropy: receipt.entropy === '00' ? '01' : '00' }, publicKey, record).status, 1);
    const { game: another } = await waitingTable({ seats: 2, settings: { ruleset: 'super-motherload' } });
    for (const seat of [0, 1]) await give(another, seat, bytes());
    assert.match(bed.verifyReceipt(receipt, publicKey, await recordOf(another)).output, /other-game/);
    assert.equal(await code(give(game, 0, bytes())), '409 entropy-given');
  });

  it('starts when its time is over, without those who have not given', async () => {
    const { game } = await waitingTable({ seconds: 1 });
    const entropy = bytes();
    const kept = good(await give(game, 1, entropy));
    await until(20, 'the game starts', async () => (await look(game)).state === 'started');
    assert.deepEqual((await look(game)).seats.map((seat) => seat.given), [false, true, false]);
    assert.equal(await code(give(game, 0, bytes())), '409 wait-over');
    assert.deepEqual(good(await give(game, 1, entropy)).receipt, kept.receipt);
    const record = await checkFinished(game);
    assert.deepEqual(linesOf(record, 'entropy'), [`entropy 1 ${entropy}`]);
    // A server that kept its word about nothing is found out.
    const { game: other } = await waitingTable({ seconds: 1 });
    await until(20, 'the game starts', async () => (await look(other)).state === 'started');
    assert.deepEqual(linesOf(await checkFinished(other), 'entropy'), []);
  });
});

describe('the luck', () => {
  it('depends on what each of them gave', async () => {
    const { game } = await waitingTable();
    for (const seat of [0, 1, 2]) await give(game, seat, bytes());
    const record = await checkFinished(game);
    // Another byte of entropy, and everything chained anew: the luck is another.
    const lines = record.trimEnd().split('\n').map((line) => line.replace(/ #\w+$/, ''));
    const at = lines.findIndex((line) => line.startsWith('entropy 1 '));
    lines[at] = `entropy 1 ${bytes()}`;
    let hash = createHash('sha256').update('tillroll 1\n').digest('hex');
    const marked = lines.slice(0, -1).map((line, i) => {
      if (i > 0) hash = createHash('sha256').update(`${hash} ${line}\n`).digest('hex');
      return `${line} #${hash.slice(0, 8)}`;
    });
    const head = `head ${hash}`;
    hash = createHash('sha256').update(`${hash} ${head}\n`).digest('hex');
    const forged = [...marked, `${head} #${hash.slice(0, 8)}`, ''].join('\n');
    const { status, output } = bed.verify(forged);
    assert.equal(status, 1, output);
  });
});

describe('signatures of entropy', () => {
  it('go with the record, if it names the key', async () => {
    const { event, game } = await waitingTable({ prepare: async ([, ...others]) => Promise.all(others.map((player) => register(client, player))) });
    const { commitment } = await look(game);
    const keyed = game.players.map((_, seat) => seat).filter((seat) => game.players[seat].key);
    const signed = (seat, entropy, key = game.players[seat].key) =>
      ({ entropy, commitment, signature: key.sign(`tillroll entropy\n${game.id}\n${commitment}\n${seat}\n${entropy}\n`) });
    assert.equal(await code(put(game, keyed[0], { ...signed(keyed[0], bytes()), entropy: bytes() })), '422 bad-signature');
    for (const seat of keyed) good(await put(game, seat, signed(seat, bytes())));
    // One of them has taken another key when the game starts.
    const [first, second] = keyed;
    await register(client, game.players[second], { inUse: game.players[second].key });
    const [rest] = [0, 1, 2].filter((seat) => !keyed.includes(seat));
    assert.equal(good(await give(game, rest, bytes())).state, 'started');
    const text = (await client.get(`${game.at}/signatures`)).text;
    assert.deepEqual(text.split('\n').slice(2, -1).map((line) => line.split(' ').slice(0, 2)), [['entropy', String(first)]]);
    const record = await checkFinished(game);
    const { status, output } = bed.verifySignatures(text, record);
    assert.equal(status, 0, output);
    assert.match(output, /the entropy of 1/);
    checkSignatures(verifyRecord(Buffer.from(record)), Buffer.from(text));
    assert.equal(bed.verifySignatures(text.replace(/(?<=entropy \d )./, (digit) => (digit === '0' ? '1' : '0')), record).status, 1);
    // And into the event's bundle, which another service takes over.
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    const bundle = (await client.get(`/v1/events/${event.id}/bundle`)).text;
    assert.ok(bundle.includes(`entropy ${first} `));
    const proved = bed.proveEvent(bundle);
    assert.equal(proved.status, 0, proved.output);
  });
});

describe('events', () => {
  it('say for how long, and duplicate ones cannot', async () => {
    const settings = { name: 'E', ruleset: 'shinjuku', rounds: 1 };
    for (const entropy_seconds of [-1, 604801, '60', 1.5, null])
      assert.equal(await code(client.post('/v1/events', { ...settings, entropy_seconds }, organizer.token)), '400 bad-field');
    const refused = await client.post('/v1/events', { ...settings, format: 'duplicate', boards: 2, seats_preferred: 3, entropy_seconds: 60 }, organizer.token);
    assert.equal(`${refused.status} ${refused.json.code}`, '400 bad-field');
    assert.match(refused.json.detail, /all tables of a board have the same luck/);
    const hour = 3_600_000;
    for (const [more, seconds] of [
      [{}, undefined],
      [{ clock: { bank_ms: 20 * 60_000, increment_ms: 20_000 } }, 30],
      [{ clock: { bank_ms: 24 * hour - 1 } }, 30],
      [{ clock: { bank_ms: 24 * hour } }, undefined],
      [{ clock: { move_ms: hour } }, 30],
      [{ clock: { move_ms: hour + 1 } }, undefined],
      [{ clock: { move_ms: 72 * hour } }, undefined],
      [{ clock: { move_ms: 60_000 }, entropy_seconds: 0 }, undefined],
      [{ clock: { move_ms: 60_000 }, entropy_seconds: 5 }, 5],
      [{ clock: { move_ms: 60_000 }, format: 'duplicate', boards: 2, seats_preferred: 3 }, undefined],
    ]) {
      const usual = good(await client.post('/v1/events', { ...settings, ...more }, organizer.token));
      assert.equal(usual.settings.entropy_seconds, seconds, JSON.stringify(more));
      // What is changed afterwards is not decided anew.
      const renamed = good(await client.request('PATCH', `/v1/events/${usual.id}`, { json: { name: 'Renamed', clock: { move_ms: 60_000 } }, token: organizer.token }));
      assert.equal(renamed.settings.entropy_seconds, seconds);
    }
    const made = good(await client.post('/v1/events', { ...settings, entropy_seconds: 0 }, organizer.token));
    assert.ok(!('entropy_seconds' in made.settings));
    const changed = good(await client.request('PATCH', `/v1/events/${made.id}`, { json: { entropy_seconds: 60 }, token: organizer.token }));
    assert.equal(changed.settings.entropy_seconds, 60);
  });

  it('start games at once where nothing is said', async () => {
    const players = await makePlayers(client, 3);
    const event = await makeEvent(client, organizer, players, { seats_max: 3, rounds: 1 });
    const round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    assert.equal(round.games.length, 1);
    assert.equal(round.seating[0].waiting, null);
    assert.equal(await code(client.get(`/v1/games/${round.games[0].id}/entropy`)), '404 not-found');
    const at = { at: `/v1/games/${round.games[0].id}`, players: round.games[0].seats.map((seat) => players.find(({ id }) => id === seat.player.id)) };
    assert.equal(await code(put(at, 0, { entropy: bytes(), commitment: bytes() })), '404 not-found');
  });

  it('that are closed start no game any more', async () => {
    const { event, game } = await waitingTable();
    const ruling = { no_show: game.players.map(({ id }) => id), reason: 'Nobody came.' };
    good(await client.request('PUT', `/v1/events/${event.id}/rounds/1/tables/1/ruling`, { json: ruling, token: organizer.token }));
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    let last;
    for (const seat of [0, 1, 2]) last = good(await give(game, seat, bytes()));
    assert.equal(last.state, 'dropped');
    assert.equal(await code(client.get(game.at)), '404 not-found');
    assert.equal(bed.proveEvent((await client.get(`/v1/events/${event.id}/bundle`)).text).status, 0);
  });
});

describe('the page of a game that waits', () => {
  const page = (game, headers) => client.get(`/games/${game.id}`, { unchecked: true, headers });
  const count = (text, part) => text.split(part).length - 1;

  it('says who has given, until when the others are awaited, and what is committed to', async () => {
    const { event, game } = await waitingTable({ settings: { name: 'Friday <night>' } });
    const { commitment, leaf, until: end } = await look(game);
    const { status, text, headers } = await page(game);
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers.etag, undefined, 'nothing tells that it has changed');
    assert.match(text, /<main id="main" data-plain>\n<h1>Shinjuku, round 1, table 1<\/h1>\n<p id="waiting"/);
    assert.match(text, /<title>Shinjuku, round 1, table 1, \u2068Friday &lt;night&gt;\u2069 - Tillroll<\/title>/);
    for (const part of [commitment, `/v1/log/inclusion?leaf=${leaf}`, `<time datetime="${end}">`, `<a href="/events/${event.id}"><bdi>Friday &lt;night&gt;</bdi></a>`, `/v1/games/${game.id}/entropy`])
      assert.ok(text.includes(part), part);
    for (const player of game.players) assert.ok(text.includes(`<a href="/players/${player.id}"><bdi>${player.name}</bdi></a>`));
    assert.deepEqual([count(text, '<td>awaited</td>'), count(text, '<td>given</td>')], [3, 0]);
    const given = bytes();
    good(await give(game, 1, given));
    const later = (await page(game)).text;
    assert.deepEqual([count(later, '<td>awaited</td>'), count(later, '<td>given</td>')], [2, 1]);
    assert.match(later, new RegExp(`${game.players[1].name}</bdi></a></th><td class="number">2</td><td>given</td>`));
    // All readers are shown the same.
    const all = [stranger, organizer, ...game.players].flatMap(({ token }) => [{ Authorization: `Bearer ${token}` }, { Cookie: `__Host-tillroll=${token}` }]);
    for (const headers of [...all, { Authorization: 'Bearer nonsense' }]) assert.equal((await page(game, headers)).text, later);
    assert.ok(!later.includes(given));
  });

  it('is linked to by its table, and becomes the page of the game', async () => {
    const { event, game } = await waitingTable();
    const table = new RegExp(`<a href="/games/${game.id}">1</a>.*<td>waiting</td>`);
    for (const address of [`/events/${event.id}`, `/events/${event.id}/rounds/1`]) assert.match((await client.get(address, { unchecked: true })).text, table, address);
    for (const seat of [0, 1]) good(await give(game, seat, bytes()));
    assert.match((await page(game)).text, /<td>awaited<\/td>/);
    good(await give(game, 2, bytes()));
    const { text, headers } = await page(game);
    assert.match(text, /<span class="badge">running<\/span>.*<h2>The roll<\/h2>/s);
    assert.doesNotMatch(text, /id="waiting"|<td>given<\/td>/);
    assert.ok(headers.etag);
    assert.match((await client.get(`/events/${event.id}/rounds/1`, { unchecked: true })).text, /<td>playing<\/td>/);
  });

  it('says when there will be no game', async () => {
    const { event, game } = await waitingTable();
    good(await give(game, 0, bytes()));
    const ruling = { no_show: game.players.map(({ id }) => id), reason: 'Nobody came.' };
    good(await client.request('PUT', `/v1/events/${event.id}/rounds/1/tables/1/ruling`, { json: ruling, token: organizer.token }));
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    for (const seat of [1, 2]) good(await give(game, seat, bytes()));
    const { status, text } = await page(game);
    assert.equal(status, 200);
    assert.match(text, /<span class="badge">not played<\/span>.*it will not be played/s);
    assert.doesNotMatch(text, /awaited|Giving entropy/);
  });
});

describe('bots', () => {
  it('give none where they are told not to', async () => {
    const { game } = await waitingTable();
    const run = await bed.tillrollAs(game.players[0].token, 'bot', '--server', `http://127.0.0.1:${client.port}`, '--no-entropy', '--policy', 'random');
    assert.deepEqual([run.status, run.output], [0, '0 plies played\n']);
    assert.ok((await look(game)).seats.every(({ given }) => !given));
  });

  it('give entropy by themselves', async () => {
    const { game } = await waitingTable();
    const runs = await Promise.all(game.players.map((player) =>
      bed.tillrollAs(player.token, 'bot', '--server', `http://127.0.0.1:${client.port}`, '--policy', 'random')));
    for (const { status, output } of runs) assert.equal(status, 0, output);
    const record = await recordOf(game);
    assert.equal(bed.verify(record).status, 0);
    assert.equal(linesOf(record, 'entropy').length, 3);
    for (const line of linesOf(record, 'entropy')) assert.match(line, /^entropy \d [0-9a-f]{64}$/);
  });
});

describe('several services', () => {
  it('start a game once, with what both have taken', async () => {
    const second = await bed.startService(options);
    for (let round = 0; round < 5; round++) {
      const { game } = await waitingTable();
      const given = [bytes(), bytes(), bytes()];
      const body = await Promise.all(given.map((entropy) => gift(game, entropy)));
      // Everybody at both at the same time.
      const answers = await Promise.all([0, 1, 2].flatMap((seat) => [put(game, seat, body[seat]), put(game, seat, body[seat], second.client)]));
      for (let seat = 0; seat < 3; seat++) assert.deepEqual(good(answers[2 * seat]).receipt, good(answers[2 * seat + 1]).receipt);
      const record = await recordOf(game);
      assert.deepEqual(linesOf(record, 'entropy'), given.map((entropy, seat) => `entropy ${seat} ${entropy}`));
      assert.equal(good(await second.client.get(game.at)).state, 'running');
      await endQuietly(client, game, organizer);
    }
    // When the time is over both see it.
    const { game } = await waitingTable({ seconds: 1 });
    await until(20, 'the game starts', async () => (await look(game)).state === 'started');
    assert.equal(good(await second.client.get(game.at)).state, 'running');
    await second.end();
  });

  it('are killed and started again, and what they have taken is there', async () => {
    const { game } = await waitingTable({ seconds: 3 });
    const entropy = bytes();
    const { receipt } = good(await give(game, 0, entropy));
    const { commitment } = await look(game);
    await service.end('SIGKILL');
    ({ client } = await bed.startService(options));
    await until(20, 'the game starts', async () => (await look(game)).state === 'started');
    const record = await checkFinished(game);
    assert.deepEqual(linesOf(record, 'commit'), [`commit ${commitment}`]);
    assert.deepEqual(linesOf(record, 'entropy'), [`entropy 0 ${entropy}`]);
    assert.equal(bed.verifyReceipt({ receipt }, publicKey, record).status, 0);
  });
});

it('the audit finds nothing, and a byte of entropy’s signature that somebody changed', async () => {
  assert.equal(bed.tillroll('audit').status, 0, bed.tillroll('audit').stdout);
  bed.cluster.sql(`SET ROLE tillroll_owner; ALTER TABLE tillroll.entropy_signature DISABLE TRIGGER USER;
    UPDATE tillroll.entropy_signature SET signature = set_byte(signature, 3, get_byte(signature, 3) # 1)`);
  const { status, stdout } = bed.tillroll('audit');
  assert.equal(status, 1);
  assert.match(stdout, /bad-signature/);
});
