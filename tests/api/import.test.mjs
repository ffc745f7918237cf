// Events that were played on one service, imported into another with a database and keys of its own:
// everything that follows from them is the same to the last byte.
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { after, before, describe, it } from 'node:test';

import { good } from './support/client.mjs';
import { asOwner } from './support/damage.mjs';
import { makeDuplicate, playHidden, readRound, seated } from './support/duplicate.mjs';
import { endQuietly, makeEvent, makePlayer, makePlayers, playRandomly, Random, startRound } from './support/play.mjs';
import { Testbed } from './support/testbed.mjs';

const random = new Random('import');
const beds = {};
let there;
let here;
let admin;
let organizer;
let arbiter;
let players;
let substitute; // who never entered, and plays on for others
let key;
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

// Two at a table, so that Glicko-2 rates it; one arbiter, one ruling, one who leaves, one bye.
async function substituteIn(game, seat) {
  good(await there.post(`${game.at}/substitute`, { seat, player: substitute.id }, organizer.token));
  game.players = game.players.with(seat, substitute);
}

async function playPairs() {
  const event = await makeEvent(there, organizer, players.slice(0, 5), {
    name: 'Pairs', format: 'dutch', seats_min: undefined, seats_max: undefined, rounds: 3,
  });
  const at = `/v1/events/${event.id}`;
  good(await there.post(`${at}/roles`, { player: arbiter.id, role: 'arbiter' }, organizer.token));
  for (let number = 1; number <= 3; number++) {
    const round = await startRound(there, event, organizer, players);
    for (const game of round.games) await playRandomly(there, game, random, { plies: 6 });
    if (number === 3) await substituteIn(round.games[0], 1);
    for (const game of round.games) await endQuietly(there, game, organizer);
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

async function playPods() {
  const event = await makeEvent(there, organizer, players, { name: 'Pods', rounds: 2, seats_min: 3, seats_max: 4, late_entries: 1 });
  for (let number = 1; number <= 2; number++) {
    const { games, seating } = await startRound(there, event, organizer, players);
    // Somebody has gone home.
    await there.post(`${games[0].at}/fallback`, { seat: 0 }, organizer.token);
    for (const game of games) await playRandomly(there, game, random, { plies: 6 });
    if (number === 2) {
      await substituteIn(games[1], 0);
      await playRandomly(there, games[1], random, { plies: 6 });
      good(await there.post(`${games[1].at}/forfeit`, { seat: 1 }, organizer.token));
    }
    for (const game of games) await endQuietly(there, game, organizer);
    if (number === 2) continue;
    // And has lost by that: the game is no longer rated.
    const last = seating[0].seats.length;
    const seats = seating[0].seats.map(({ player }, i) => (i === 0 ? { player: player.id, rank: last, kind: 'forfeit_loss' } : { player: player.id, rank: i }));
    good(await there.request('PUT', `/v1/events/${event.id}/rounds/1/tables/1/ruling`, { json: { seats, reason: 'Left.' }, token: organizer.token }));
  }
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

async function importBundle(bundle, { by = key } = {}) {
  const { at, parts } = await send(bundle);
  return here.post(at, { key: by, parts }, admin.token);
}

// Signs lines as the bundle of an event.
function seal(lines, event, { privateKey, publicKey }) {
  const body = `${lines.join('\n')}\n`;
  const sha256 = hashOf(body);
  const signature = sign(null, Buffer.from(`tillroll bundle\n${event}\n${sha256}\n`), privateKey).toString('hex');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  return `${body}${JSON.stringify({ key, sha256, signature })}\n`;
}

const refused = (answer, status, code, detail) => {
  assert.equal(`${answer.status} ${answer.json?.code}`, `${status} ${code}`, answer.text);
  assert.match(answer.json.detail, detail);
};

describe('what does not hold is not imported', () => {
  it('a bundle with another byte', async () => {
    const { bundle } = events[0];
    refused(await importBundle(bundle.replace('A piece was lost.', 'A piece was last.')), 422, 'bad-bundle', /wrong-hash/);
    refused(await importBundle(bundle.slice(0, -2)), 422, 'bad-bundle', /cut-off/);
    refused(await importBundle(bundle.replace('{"bundle":1', '{"bundle":2')), 422, 'bad-bundle', /^Line 1: /);
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
    const by = forger.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
    refused(await importBundle(forged, { by }), 422, 'bad-bundle', new RegExp(`^Line ${record}: result-differs: .*${game}`));
    refused(await importBundle(forged), 422, 'bad-bundle', /not signed with this key/);
  });

  it('one without records', async () => {
    const { text } = await there.get(`/v1/events/${events[0].id}/bundle?records=no`);
    refused(await importBundle(text), 422, 'bundle-unfinished', /records/);
  });

  it('one of an event that runs', async () => {
    const event = await makeEvent(there, organizer, players);
    refused(await importBundle(await bundleOf(there, event.id)), 422, 'bundle-unfinished', /closed/);
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

describe('what holds', () => {
  it('is imported', async () => {
    for (const { id, bundle } of events) {
      const answer = await importBundle(bundle);
      assert.equal(answer.status, 201, answer.text);
      assert.equal(answer.headers.location, `/v1/events/${id}`);
      assert.equal(answer.json.state, 'closed');
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
    const trf = `/v1/events/${events[0].id}/export.trf26`;
    assert.equal((await here.get(trf)).text, (await there.get(trf)).text);
  });

  it('gives the same ratings', async () => {
    for (const player of [...players, substitute]) {
      const at = `/v1/players/${player.id}/ratings`;
      assert.deepEqual(good(await here.get(at)), good(await there.get(at)), player.name);
    }
    for (const scope of ['shinjuku', 'overall', 'glicko.shinjuku']) {
      const board = good(await here.get(`/v1/leaderboard?scope=${scope}`)).items;
      assert.ok(board.length >= 5);
      assert.deepEqual(board, good(await there.get(`/v1/leaderboard?scope=${scope}`)).items, scope);
    }
  });

  it('has games with records that are proved, and stand in the log of this service', async () => {
    for (const { id } of events) {
      const { games } = good(await there.get(`/v1/events/${id}/rounds/1`));
      for (const game of games) {
        const record = (await there.get(`/v1/games/${game.id}/record`)).text;
        assert.equal((await here.get(`/v1/games/${game.id}/record`)).text, record);
        assert.equal(good(await here.get(`/v1/games/${game.id}/verification`)).status, good(await there.get(`/v1/games/${game.id}/verification`)).status);
      }
    }
    const audit = beds.here.tillroll('audit');
    assert.equal(audit.status, 0, audit.stdout + audit.stderr);
  });

  it('has games that somebody else played on', async () => {
    let seats = 0;
    for (const { id } of [events[0], events[2]]) {
      const { planned } = good(await there.get(`/v1/events/${id}`)).rounds;
      for (let number = 1; number <= planned; number++)
        for (const { id: game } of good(await there.get(`/v1/events/${id}/rounds/${number}`)).games) {
          const shown = good(await here.get(`/v1/games/${game}`));
          assert.deepEqual(shown.seats, good(await there.get(`/v1/games/${game}`)).seats);
          const story = async (client) => good(await client.get(`/v1/games/${game}/events`)).items;
          assert.deepEqual(await story(here), await story(there));
          seats += shown.seats.filter((seat) => seat.player.id === substitute.id && seat.substitute_for !== null).length;
        }
      assert.ok(!JSON.stringify(good(await here.get(`/v1/events/${id}/standings`))).includes(substitute.id), 'the result is the entry’s');
    }
    assert.equal(seats, 2);
    // Both games are rated for who ended them, by both systems where two sat.
    const { items } = good(await here.get(`/v1/players/${substitute.id}/ratings`));
    assert.deepEqual(items.map(({ scope, games }) => [scope, games]).sort(), [['glicko.shinjuku', 1], ['overall', 2], ['shinjuku', 2]]);
    assert.equal(good(await here.get(`/v1/players/${substitute.id}`)).name, substitute.name);
  });

  it('is not imported twice', async () => {
    const before = beds.here.cluster.fingerprint();
    for (const { id, bundle } of events) {
      const answer = await importBundle(bundle);
      assert.equal(`${answer.status} ${answer.json.id}`, `200 ${id}`);
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
