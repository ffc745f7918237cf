// Events that were played on one service, imported into another with a database and keys of its own:
// everything that follows from them is the same to the last byte.
import assert from 'node:assert/strict';
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { asOwner } from '../support/damage.mjs';
import { makeDuplicate, playHidden, readRound, seated } from '../support/duplicate.mjs';
import { endQuietly, legalMoves, makeEvent, makePlayer, makePlayers, playRandomly, Random, startRound, told as recorded, untilTurn } from '../support/play.mjs';
import { playSigned, register } from '../support/signing.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

const random = new Random('import');
const beds = {};
let there;
let here;
let admin;
let organizer;
let arbiter;
let players;
let substitute;
let key;
const setAside = []; // games that are void, or were played anew
const recordings = []; // by a scorer
const firstAnswers = []; // to their imports
const events = []; // in the order in which they were closed: { id, bundle }

const makeAdmin = async (bed, client) => {
  const player = await makePlayer(client, 'Keeper');
  asOwner(bed.cluster, `UPDATE tillroll.player SET roles = 1 WHERE id = '${player.id}'`);
  return player;
};

const bundleOf = async (client, id) => (await client.get(`/v1/events/${id}/bundle`)).text;

async function close(event) {
  good(await there.post(`/v1/events/${event.id}/close`, {}, organizer.token));
  events.push({ id: event.id, bundle: await bundleOf(there, event.id) });
}

// A dispute, and a ruling that makes the game void. Resolves with the game that is played in its place, if any.
async function annul(game, order) {
  const dispute = good(await there.post(`${game.at}/disputes`, { claim: 'rules', text: 'The setup was wrong.' }, game.players[0].token));
  const at = `/v1/disputes/${dispute.id}`;
  if (!(await there.get(game.at)).json.finished_at) good(await there.post(`${at}/freeze`, {}, organizer.token));
  const ruled = good(await there.post(`${at}/ruling`, { orders: [{ order }], code: 'wrong-setup', reason: 'The setup was wrong.' }, organizer.token));
  const id = ruled.log.at(-1).replayed_as;
  setAside.push(game.id);
  return id ? { ...game, id, at: `/v1/games/${id}` } : undefined;
}

// Two at a table, so that Glicko-2 rates it; one arbiter, one ruling, one who leaves, one bye.
async function playPairs() {
  const event = await makeEvent(there, organizer, players.slice(0, 5), {
    name: 'Pairs', format: 'dutch', seats_min: undefined, seats_max: undefined, rounds: 3,
  });
  const at = `/v1/events/${event.id}`;
  good(await there.post(`${at}/roles`, { player: arbiter.id, role: 'arbiter' }, organizer.token));
  for (let number = 1; number <= 3; number++) {
    const round = await startRound(there, event, organizer, players);
    for (const game of round.games) await playRandomly(there, game, random, { plies: 6 });
    // Before its end, after its end, and then never to be played.
    if (number === 2) round.games[0] = await annul(round.games[0], 'replay');
    for (const game of round.games) await endQuietly(there, game, organizer);
    if (number === 2) await endQuietly(there, await annul(round.games[0], 'replay'), organizer);
    if (number === 3) await annul(round.games[1], 'void');
    if (number === 1) {
      const [first, second] = round.seating[0].seats.map((seat) => seat.player);
      const seats = [{ player: first.id, rank: 2 }, { player: second.id, rank: 1 }];
      good(await there.request('PUT', `${at}/rounds/1/tables/1/ruling`, {
        json: { seats, reason: 'A piece was lost.' }, token: arbiter.token,
      }));
    }
    if (number === 2) assert.equal((await there.delete(`${at}/entries/${players[4].id}`, organizer.token)).status, 204);
  }
  await close(event);
}

async function playBoards() {
  const event = await makeDuplicate(there, organizer, players, {
    name: 'Boards', ruleset: 'shinjuku', boards: 2, rounds: 1, play: 'asynchronous',
  });
  await startRound(there, event, organizer, players);
  const round = await readRound(there, event, 1, organizer.token);
  for (const game of seated(round, players)) {
    await playHidden(there, game, random, 6);
    await endQuietly(there, game, organizer);
  }
  await close(event);
}

// One is out of a game, and somebody who has not entered finishes another's.
async function replaceSome(games) {
  good(await there.post(`${games[0].at}/forfeit`, { seat: 0 }, organizer.token));
  const game = games[1];
  good(await there.post(`${game.at}/substitute`, { seat: 2, player: substitute.id }, organizer.token));
  game.players = game.players.with(2, substitute);
}

// A player who has a key signs one move.
async function signOne(game, signer) {
  const seat = game.players.indexOf(signer);
  await untilTurn(there, game, seat, random);
  good(await playSigned(there, game, seat, (await legalMoves(there, game, seat)).moves[0]));
}

async function playPods() {
  await register(there, players[0]);
  const event = await makeEvent(there, organizer, players, { name: 'Pods', rounds: 2, seats_min: 3, seats_max: 4, late_entries: 1 });
  for (let number = 1; number <= 2; number++) {
    const { games, seating } = await startRound(there, event, organizer, players);
    // Before somebody goes home, for that may be the one who signs.
    if (number === 1) await signOne(games.find((game) => game.players.includes(players[0])), players[0]);
    await there.post(`${games[0].at}/fallback`, { seat: 0 }, organizer.token);
    if (number === 2) await replaceSome(games);
    for (const game of games) await playRandomly(there, game, random, { plies: 6 });
    for (const game of games) await endQuietly(there, game, organizer);
    if (number === 2) continue;
    // And has lost by that: the game is no longer rated.
    const last = seating[0].seats.length;
    const seats = seating[0].seats.map(({ player }, i) => (i === 0 ? { player: player.id, rank: last, kind: 'forfeit_loss' } : { player: player.id, rank: i }));
    good(await there.request('PUT', `/v1/events/${event.id}/rounds/1/tables/1/ruling`, { json: { seats, reason: 'Left.' }, token: organizer.token }));
  }
  await close(event);
}

// At real tables: one result counts by an official, one by two players, one was corrected.
async function playTables() {
  const event = await makeEvent(there, organizer, players, { name: 'Tables', rounds: 3, seats_min: 3, seats_max: 3, play: 'table', rate_reported: true });
  const at = `/v1/events/${event.id}`;
  for (const [number, results] of ['1: 41 38 22', '1: 2. 1. 3.\n2: 7 7 9'].entries()) {
    const { seating } = await startRound(there, event, organizer, players);
    good(await there.post(`${at}/rounds/${number + 1}/reports`, { results }, organizer.token));
    if (number === 1) continue;
    const { seats } = seating[1];
    const told = { seats: seats.map(({ player }, i) => ({ player: player.id, score: i })) };
    for (const seat of seats.slice(1)) {
      const { token } = players.find(({ id }) => id === seat.player.id);
      good(await there.post(`${at}/rounds/1/tables/2/report`, told, token));
    }
    told.seats[0].score = 5;
    good(await there.request('PUT', `${at}/rounds/1/tables/2/report`, { json: { ...told, reason: 'Read upside down.' }, token: organizer.token }));
  }
  await startRound(there, event, organizer, players);
  const recording = good(await there.post(`${at}/rounds/3/tables/2/recordings`, { id: randomUUID() }, organizer.token));
  good(await there.post(`/v1/recordings/${recording.id}/entries`, { entries: recorded('shinjuku') }, organizer.token));
  good(await there.post(`${at}/rounds/3/reports`, { results: '1: 3 2 1' }, organizer.token));
  recordings.push(recording.id);
  await close(event);
}

before(async () => {
  [beds.there, beds.here] = [new Testbed(), new Testbed()];
  ({ client: there } = await beds.there.startService());
  ({ client: here } = await beds.here.startService());
  organizer = await makePlayer(there, 'Organizer');
  arbiter = await makePlayer(there, 'Arbiter');
  players = await makePlayers(there, 6, 'Ünal, Ädmund');
  substitute = await makePlayer(there, 'Substitute');
  admin = await makeAdmin(beds.here, here);
  key = good(await there.get('/v1/keys')).keys[0].public_key;
  await playPairs();
  await playBoards();
  await playPods();
  await playTables();
  events[1].bundle = inVersion1(events[1]);
});
after(async () => {
  await beds.here.end();
  await beds.there.end();
});

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

// Cuts where it likes, in the middle of letters too.
async function send(bundle, { size = 40_000, token = admin.token } = {}) {
  const bytes = Buffer.from(bundle);
  const at = `/v1/imports/${hashOf(bytes)}`;
  const parts = Math.ceil(bytes.length / size);
  for (let number = parts; number >= 1; number--) {
    const body = bytes.subarray((number - 1) * size, number * size);
    const answer = await here.request('PUT', `${at}/parts/${number}`, { token, body, headers: { 'Content-Type': 'text/plain' } });
    assert.equal(answer.status, 204, answer.text);
  }
  return { at, parts };
}

async function importBundle(bundle, { by = key, headers = {} } = {}) {
  const { at, parts } = await send(bundle);
  return here.post(at, { key: by, parts }, admin.token, headers);
}

// Signs lines as the bundle of an event.
function seal(lines, event, { privateKey, publicKey }) {
  const body = `${lines.join('\n')}\n`;
  const sha256 = hashOf(body);
  const signature = sign(null, Buffer.from(`tillroll bundle\n${event}\n${sha256}\n`), privateKey).toString('hex');
  const key = keyOf({ publicKey });
  return `${body}${JSON.stringify({ key, sha256, signature })}\n`;
}

// The pair of keys with which the first service signs.
function keysOfThere() {
  const seed = readFileSync(path.join(beds.there.directory, 'secrets/signing.key')).subarray(0, 32);
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

// As the service signed it before bundles had a second version.
function inVersion1({ id, bundle }) {
  const lines = bundle.trim().split('\n').slice(0, -1).map((line) => JSON.parse(line));
  const older = lines.map(({ attempt, ...line }) => ('bundle' in line ? { ...line, bundle: 1 } : line));
  return seal(older.map((line) => JSON.stringify(line)), id, keysOfThere());
}

const keyOf = ({ publicKey }) => publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');

const refused = (answer, status, code, detail) => {
  assert.equal(`${answer.status} ${answer.json?.code}`, `${status} ${code}`, answer.text);
  assert.match(answer.json.detail, detail);
};

describe('what does not hold is not imported', () => {
  it('a bundle with another byte', async () => {
    const { bundle } = events[0];
    refused(await importBundle(bundle.replace('A piece was lost.', 'A piece was last.')), 422, 'bad-bundle', /wrong-hash/);
    refused(await importBundle(bundle.slice(0, -2)), 422, 'bad-bundle', /cut-off/);
    refused(await importBundle(bundle.replace('{"bundle":2', '{"bundle":6')), 422, 'bad-bundle', /^Line 1: /);
  });

  it('one of a service that nobody has named', async () => {
    refused(await importBundle(events[0].bundle, { by: 'ab'.repeat(32) }), 422, 'bad-bundle', /not signed with this key/);
  });

  it('one whose log says something else than its records, whoever signs it', async () => {
    const lines = events[0].bundle.trim().split('\n');
    const at = lines.findIndex((line) => JSON.parse(line).kind === 'result');
    const changed = JSON.parse(lines[at]);
    changed.detail.seats[0][2] += 1;
    lines[at] = JSON.stringify(changed);
    const { game } = changed.detail;
    const record = lines.findIndex((line) => JSON.parse(line).game === game) + 1;
    const forger = generateKeyPairSync('ed25519');
    const forged = seal(lines.slice(0, -1), events[0].id, forger);
    refused(await importBundle(forged, { by: keyOf(forger) }), 422, 'bad-bundle', new RegExp(`^Line ${record}: result-differs: .*${game}`));
    refused(await importBundle(forged), 422, 'bad-bundle', /not signed with this key/);
  });

  it('one in which a signature does not hold, whoever signs it', async () => {
    const { id, bundle } = events[2];
    const spoilt = bundle.replace(/("signatures":"tillroll signatures 1\\ngame [0-9a-f-]{36}\\n\d+ )(.)/, (_, before, digit) => before + (digit === '0' ? '1' : '0'));
    assert.notEqual(spoilt, bundle);
    const forger = generateKeyPairSync('ed25519');
    const by = forger.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
    refused(await importBundle(seal(spoilt.trim().split('\n').slice(0, -1), id, forger), { by }), 422, 'bad-bundle', /bad-record: .* signatures, line 3: /);
  });

  it('one without records', async () => {
    const { text } = await there.get(`/v1/events/${events[0].id}/bundle?records=no`);
    refused(await importBundle(text), 422, 'bundle-unfinished', /records/);
  });

  it('one of an event that runs', async () => {
    const event = await makeEvent(there, organizer, players);
    refused(await importBundle(await bundleOf(there, event.id)), 422, 'bundle-unfinished', /closed/);
  });

  // It was begun by a version whose logs had other kinds of lines, and told anew in one.
  it('one whose log begins in another form', async () => {
    const lines = events[0].bundle.trim().split('\n').slice(0, -1).map((line) => JSON.parse(line));
    const log = lines.filter((line) => line.line !== undefined);
    const [{ actor, at }] = log;
    const told = log.map(({ line, ...rest }) => rest);
    const anew = [
      { actor, at, detail: { name: 'Pairs' }, kind: 'created', line: 1 },
      { actor: '', at: log.at(-1).at, detail: { lines: told }, kind: 'restated', line: 2 },
    ];
    const whole = [lines[0], ...anew, ...lines.filter((line) => line.line === undefined && line !== lines[0])];
    const owner = generateKeyPairSync('ed25519');
    const bundle = seal(whole.map((line) => JSON.stringify(line)), events[0].id, owner);
    const proof = beds.here.proveEvent(bundle);
    assert.equal(proof.status, 0, proof.output);
    assert.match(proof.output, /3 rounds, 3 pairings made again/);
    assert.match(proof.output, /^line 2 of its log restates everything before it: only what it states is checked$/m);
    refused(await importBundle(bundle, { by: keyOf(owner) }), 422, 'bundle-told-anew', /^Line 2 of the event's log summarizes/);
  });

  it('parts that are not all there, or another bundle’s', async () => {
    const { at, parts } = await send(events[0].bundle);
    refused(await here.post(at, { key, parts: parts + 1 }, admin.token), 409, 'bundle-not-whole', /missing/);
    refused(await here.post(at.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')), { key, parts }, admin.token), 409, 'bundle-not-whole', /missing/);
    if (parts > 1) refused(await here.post(at, { key, parts: parts - 1 }, admin.token), 409, 'bundle-not-whole', /SHA-256/);
  });

  it('of somebody who has an account here', async () => {
    asOwner(beds.here.cluster, `INSERT INTO tillroll.player (id, name, password_hash, created_at)
      SELECT '${players[0].id}', 'Namesake', password_hash, now() FROM tillroll.player WHERE id = '${admin.id}'`);
    refused(await importBundle(events[0].bundle), 409, 'player-exists', new RegExp(players[0].id));
    asOwner(beds.here.cluster, `DELETE FROM tillroll.player WHERE id = '${players[0].id}'`);
  });

  it('and nothing of it is left', async () => {
    assert.deepEqual(good(await here.get('/v1/events')).items, []);
    asOwner(beds.here.cluster, 'DELETE FROM tillroll.import_part');
    assert.equal(beds.here.cluster.sql('SET ROLE tillroll_owner; SELECT count(*) FROM tillroll.player'), '1');
  });
});

describe('a game that counts for nothing', () => {
  it('has its record in the bundle, which says why', async () => {
    const lines = events[0].bundle.trim().split('\n').map((line) => JSON.parse(line));
    const records = new Map(lines.filter((line) => line.record).map((line) => [line.game, line]));
    assert.deepEqual(setAside.map((id) => records.get(id).attempt), [1, 2, 1]);
    assert.match(records.get(setAside[0]).record, / ruling [0-9a-f-]{36} void by [0-9a-f-]{36} why wrong-setup #/);
    const proof = beds.here.proveEvent(events[0].bundle);
    assert.equal(proof.status, 0, proof.output);
    assert.match(proof.output, /8 records, 2 of games that are void or were replayed/);
  });
});

describe('what holds', () => {
  it('is imported, also when nobody waits for it', async () => {
    const [first, ...others] = events;
    const { status, headers, json } = await importBundle(first.bundle, { headers: { Prefer: 'respond-async' } });
    assert.deepEqual([status, json.kind, json.subject], [202, 'import', hashOf(first.bundle)]);
    const job = await until(20, 'it is over', async () => {
      const found = good(await here.get(headers.location, { token: admin.token }));
      return found.state !== 'running' && found;
    });
    assert.deepEqual([job.state, job.result.status, job.result.location], ['done', 201, `/v1/events/${first.id}`]);
    assert.equal(job.result.answer.id, first.id);
    firstAnswers.push(job.result.answer);
    assert.equal((await here.get(headers.location, { token: (await makePlayer(here)).token })).status, 403);
    for (const { id, bundle } of others) {
      const answer = await importBundle(bundle);
      assert.equal(answer.status, 201, answer.text);
      assert.equal(answer.headers.location, `/v1/events/${id}`);
      assert.equal(answer.json.state, 'closed');
      firstAnswers.push(answer.json);
    }
  });

  it('is the same here and there, to the last byte', async () => {
    for (const { id, bundle } of events) {
      assert.equal(await bundleOf(here, id), bundle);
      const parts = ['standings', 'standings.csv', 'pairings.csv', 'results.csv', 'crosstable', 'entries', 'log', 'rounds', 'rounds/1', 'kept-apart', 'roles', 'rounds.ics'];
      for (const part of parts) {
        const at = `/v1/events/${id}/${part}`;
        assert.equal((await here.get(at)).text, (await there.get(at)).text, at);
      }
    }
    for (const id of recordings) assert.equal((await here.get(`/v1/recordings/${id}/record`)).text, (await there.get(`/v1/recordings/${id}/record`)).text);
    const trf = `/v1/events/${events[0].id}/export.trf26`;
    assert.equal((await here.get(trf)).text, (await there.get(trf)).text);
  });

  it('gives the same ratings', async () => {
    const ratings = async (client, at, imported) => {
      const { items } = good(await client.get(at));
      return items.map(({ imported: shown, ...rest }) => assert.equal(shown, imported) ?? rest);
    };
    for (const player of [...players, substitute]) {
      const at = `/v1/players/${player.id}/ratings`;
      assert.deepEqual(await ratings(here, at, true), await ratings(there, at, false), player.name);
    }
    for (const scope of ['shinjuku', 'overall', 'glicko.shinjuku']) {
      const at = `/v1/leaderboard?scope=${scope}`;
      const board = await ratings(here, at, true);
      assert.ok(board.length >= 5);
      assert.deepEqual(board, await ratings(there, at, false), scope);
    }
  });

  it('says where it is from', async () => {
    for (const { id } of events) {
      const { imported } = good(await here.get(`/v1/events/${id}`));
      assert.equal(imported.key, key);
      assert.ok(Math.abs(Date.parse(imported.at) - Date.now()) < 600_000);
      assert.equal(good(await there.get(`/v1/events/${id}`)).imported, null);
    }
    assert.ok(good(await here.get('/v1/events')).items.every((event) => event.imported.key === key));
    for (const { id } of [...players, substitute, organizer]) {
      assert.deepEqual(good(await here.get(`/v1/players/${id}`)).imported, { key });
      assert.equal(good(await there.get(`/v1/players/${id}`)).imported, null);
    }
    assert.equal(good(await here.get(`/v1/players/${admin.id}`)).imported, null);
  });

  it('has games with records that are proved, and stand in the log of this service', async () => {
    let signed = 0;
    for (const { id } of events) {
      const { games } = good(await there.get(`/v1/events/${id}/rounds/1`));
      for (const game of games) {
        const record = (await there.get(`/v1/games/${game.id}/record`)).text;
        assert.equal((await here.get(`/v1/games/${game.id}/record`)).text, record);
        const signatures = (await there.get(`/v1/games/${game.id}/signatures`)).text;
        assert.equal((await here.get(`/v1/games/${game.id}/signatures`)).text, signatures);
        signed += signatures.split('\n').length - 3;
        assert.equal(good(await here.get(`/v1/games/${game.id}/verification`)).status, good(await there.get(`/v1/games/${game.id}/verification`)).status);
      }
    }
    assert.equal(signed, 1);
    for (const bed of [beds.there, beds.here]) {
      const audit = bed.tillroll('audit');
      assert.equal(audit.status, 0, audit.stdout + audit.stderr);
    }
  });

  it('has the games that count for nothing as well', async () => {
    for (const id of setAside) {
      const [shown, known] = [good(await here.get(`/v1/games/${id}`)), good(await there.get(`/v1/games/${id}`))];
      for (const field of ['finished_at', 'voided', 'attempt', 'round', 'table', 'seats']) assert.deepEqual(shown[field], known[field], field);
      assert.equal((await here.get(`/v1/games/${id}/record`)).text, (await there.get(`/v1/games/${id}/record`)).text);
    }
  });

  it('is not imported twice', async () => {
    const before = beds.here.cluster.fingerprint();
    for (const { id, bundle } of events) {
      const answer = await importBundle(bundle);
      assert.equal(`${answer.status} ${answer.json.id}`, `200 ${id}`);
    }
    assert.equal(beds.here.cluster.fingerprint(), before);
  });

  it('is answered again as it was, though its parts are gone', async () => {
    const before = beds.here.cluster.fingerprint();
    assert.equal(beds.here.cluster.sql('SET ROLE tillroll_owner; SELECT count(*) FROM tillroll.import_part'), '0');
    for (const [i, { bundle }] of events.entries()) {
      const at = `/v1/imports/${hashOf(bundle)}`;
      const parts = Math.ceil(Buffer.byteLength(bundle) / 40_000);
      const again = await here.post(at, { key, parts }, admin.token);
      assert.equal(again.status, 200, again.text);
      assert.equal(again.headers.location, `/v1/events/${firstAnswers[i].id}`);
      assert.deepEqual(again.json, firstAnswers[i]);
      refused(await here.post(at, { key: 'ab'.repeat(32), parts }, admin.token), 422, 'bad-bundle', /not signed with this key/);
    }
    assert.equal(beds.here.cluster.fingerprint(), before);
  });

  it('is not replaced by what became of it', async () => {
    const { id } = events[0];
    good(await there.request('DELETE', `/v1/events/${id}/rounds/1/tables/1/ruling`, { json: { reason: 'Found again.' }, token: arbiter.token }));
    const later = await bundleOf(there, id);
    assert.notEqual(later, events[0].bundle);
    refused(await importBundle(later), 409, 'event-exists', /another bundle/);
  });

  it('has players with whom nobody can sign in, and names that are free', async () => {
    const [player] = players;
    assert.equal((await here.post('/v1/tokens', { name: player.name, password: 'correct horse battery' })).status, 401);
    assert.equal(good(await here.get(`/v1/players/${player.id}`)).name, player.name);
    assert.equal((await here.post('/v1/players', { name: player.name, password: 'correct horse battery' })).status, 201);
  });

  it('can be corrected by an admin, and is signed by this service then', async () => {
    const { id, bundle } = events[2];
    const at = `/v1/events/${id}/rounds/1/tables/1/ruling`;
    const { seating } = good(await here.get(`/v1/events/${id}/rounds/1`));
    const seats = seating[0].seats.map((seat, i) => ({ player: seat.player.id, rank: i + 1 }));
    good(await here.request('PUT', at, { json: { seats, reason: 'Looked at again.' }, token: admin.token }));
    const corrected = await bundleOf(here, id);
    const seal = JSON.parse(corrected.trim().split('\n').at(-1));
    assert.notEqual(seal.key, JSON.parse(bundle.trim().split('\n').at(-1)).key);
    const proof = beds.here.proveEvent(corrected);
    assert.equal(proof.status, 0, proof.output);
  });
});

describe('an event that was cancelled', () => {
  it('is closed with the reason, proved and imported', async () => {
    const event = good(await there.post('/v1/events', { name: 'Rain', ruleset: 'shinjuku', rounds: 2 }, organizer.token));
    const at = `/v1/events/${event.id}`;
    good(await there.post(`${at}/open-entries`, {}, organizer.token));
    good(await there.post(`${at}/entries`, {}, players[0].token));
    const cancel = (json, { token } = organizer) => there.post(`${at}/cancel`, json, token);
    assert.equal((await cancel({ reason: 'Nobody came.' }, players[0])).json.code, 'not-allowed');
    for (const json of [{}, { reason: '' }, { reason: 'x', why: 'y' }]) assert.equal((await cancel(json)).status, 400);
    assert.equal(good(await there.get(at)).cancelled, false);
    const cancelled = good(await cancel({ reason: 'Nobody came.' }));
    assert.deepEqual([cancelled.state, cancelled.cancelled, cancelled.secret.length], ['closed', true, 64]);
    refused(await cancel({ reason: 'Again.' }), 409, 'wrong-state', /closed/);
    const line = good(await there.get(`${at}/log`)).items.at(-1);
    assert.deepEqual([line.kind, line.by.id, line.detail], ['cancelled', organizer.id, { reason: 'Nobody came.' }]);
    const page = await fetch(`http://127.0.0.1:${there.port}/events/${event.id}`, { headers: { Accept: 'text/html' } });
    assert.match(await page.text(), />cancelled</);
    const listed = good(await there.get('/v1/events?state=closed')).items.find((each) => each.id === event.id);
    assert.equal(listed.cancelled, true);
    const bundle = await bundleOf(there, event.id);
    const proof = beds.here.proveEvent(bundle);
    assert.equal(proof.status, 0, proof.output);
    const made = await importBundle(bundle);
    assert.equal(made.status, 201, made.text);
    assert.equal(await bundleOf(here, event.id), bundle);
    assert.deepEqual([good(await here.get(at)).state, good(await here.get(at)).cancelled], ['closed', true]);
  });

  it('is one of which nothing has been played', async () => {
    refused(await there.post(`/v1/events/${events[0].id}/cancel`, { reason: 'Late.' }, organizer.token), 409, 'wrong-state', /closed/);
    const event = await makeEvent(there, organizer, players, { name: 'Begun', rounds: 1 });
    await startRound(there, event, organizer, players);
    refused(await there.post(`/v1/events/${event.id}/cancel`, { reason: 'Late.' }, organizer.token), 409, 'wrong-state', /Games have been played/);
  });
});

// 21 games, which are not read at once; and it came in the older form.
describe('an event of many games', () => {
  it('is the same here and there, to the last byte', async () => {
    const all = [...players, substitute];
    const event = await makeEvent(there, organizer, all, { name: 'Everybody', format: 'round_robin', seats_min: undefined, seats_max: undefined, rounds: undefined });
    for (let number = 1; number <= 7; number++)
      for (const game of (await startRound(there, event, organizer, all)).games) {
        await playRandomly(there, game, random, { plies: 2 });
        await endQuietly(there, game, organizer);
      }
    await close(event);
    const bundle = inVersion1(events.at(-1));
    const made = await importBundle(bundle);
    assert.equal(made.status, 201, made.text);
    const given = await here.get(`/v1/events/${event.id}/bundle`);
    assert.equal(given.headers['transfer-encoding'], 'chunked');
    assert.equal(given.text, bundle);
  });
});
