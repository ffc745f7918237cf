// Decisions that several seats take at the same time (the auctions of Mall World): what a seat sends
// is on disk when it is answered, and nothing that anybody else can read changes until the last is in.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generateKeyPairSync, sign, verify } from 'node:crypto';

import { verifyRecord } from '../../engine/record/verify_roll.mjs';
import { checkOpened, checkSealedReceipt } from '../../engine/stranger.mjs';
import { isLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { askedOf, lookAtAll } from '../support/every_route.mjs';
import { legalMoves, makeGame, makePlayer, makePlayers, play, Random, reachAuction } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';

let bed, service, client, organizer, stranger, players;

before(async () => {
  bed = new Testbed();
  service = await bed.startService();
  client = service.client;
  organizer = await makePlayer(client, 'Organizer');
  stranger = await makePlayer(client, 'Stranger');
  players = await makePlayers(client, 4, 'Bidder');
});

after(() => bed?.end());

const controls = {
  'without clocks': {}, 'with clocks': { clock: { bank_ms: 86_400_000, increment_ms: 5000 } },
  ...isLong && { 'with deadlines': { clock: { move_ms: 86_400_000 } } },
};

async function newAuction(seed, settings = {}) {
  const { game, event } = await makeGame(client, organizer, players, { ruleset: 'mall-world', name: `Auction ${seed}`, ...settings });
  return { game, event, now: await reachAuction(client, game, new Random(seed)) };
}

// Every byte of every route about the game that one viewer can get, without what differs by itself.
async function everything(game, token) {
  const routes = ['', '/view', '/events', '/record', '/verification', '/legal-moves'];
  const answers = [];
  for (const route of routes) {
    const answer = await client.get(`${game.at}${route}`, { token });
    const { 'x-request-id': id, date, ...headers } = answer.headers;
    assert.ok((id || headers.etag) && date);
    answers.push({ route, status: answer.status, headers, body: answer.text });
  }
  for (const list of ['/v1/games', '/v1/me/games', '/v1/events']) {
    if (list === '/v1/me/games' && token === undefined) continue;
    answers.push({ list, body: (await client.get(list, { token })).text });
  }
  return JSON.stringify(answers);
}

const viewers = () => [undefined, stranger.token, organizer.token, ...players.map((player) => player.token)];

for (const [how, settings] of Object.entries(controls)) describe(`a sealed decision, ${how},`, () => {
  it('changes nothing that others can read, whoever has decided what', async () => {
    const { game, now } = await newAuction('leak', settings);
    const lookAround = () => Promise.all(viewers().map((token) => everything(game, token)));
    const atFirst = await lookAround();
    const [first, second] = now.deciders;
    const bids = (await legalMoves(client, game, first)).moves;
    assert.ok(bids.length > 1);
    good(await play(client, game, first, [bids.at(-1)], now.seq));
    const afterOne = await lookAround();
    viewers().forEach((token, i) => {
      if (token === game.players[first].token) assert.notEqual(afterOne[i], atFirst[i], 'the bidder sees that the bid is in');
      else assert.equal(afterOne[i], atFirst[i], `viewer ${i} sees that seat ${first} has decided`);
    });
    if (now.deciders.length > 2) {
      const other = (await legalMoves(client, game, second)).moves[0];
      good(await play(client, game, second, [other], now.seq));
      const afterTwo = await lookAround();
      viewers().forEach((token, i) => {
        if (token !== game.players[second].token) assert.equal(afterTwo[i], afterOne[i]);
      });
    }
  });

  // Each day nobody, the organizer and another bidder look.
  it('changes no answer to anybody else, on any route that reads', async () => {
    const { game, event, now } = await newAuction('everywhere', settings);
    const [first, second] = now.deciders;
    const none = { id: '00000000-0000-4000-8000-000000000000' };
    const asked = Object.fromEntries(Object.entries(askedOf({ event, games: [game], players: [...players, stranger], season: none, dispute: none }))
      .filter(([route]) => route.startsWith('GET ') && !/odds|card\.png/.test(route)));
    const others = game.players.filter((_, seat) => seat !== first);
    const watchers = isLong ? [undefined, stranger, organizer, ...others] : [undefined, organizer, game.players[second]];
    const look = () => Promise.all(watchers.map((watcher) => lookAtAll(client, watcher?.token, asked, { unchecked: true })));
    await bed.logged(); // of which `/v1/stream` tells
    const before = await look();
    good(await play(client, game, first, [(await legalMoves(client, game, first)).moves.at(-1)], now.seq));
    const after = await look();
    let looked = 0;
    for (const [i, watcher] of watchers.entries())
      for (const target of Object.keys(before[i])) {
        assert.equal(after[i][target], before[i][target], `${watcher?.name ?? 'nobody'}: ${target}`);
        looked++;
      }
    assert.ok(looked > 300, String(looked));
  });

  it('changes no receipt, no refusal, and not what anybody else is asked to wait for', async () => {
    const { game, now } = await newAuction('answers', { ...settings, take_back: true });
    const [first, second, third] = now.deciders;
    const offerer = [0, 1, 2, 3].find((seat) => !now.deciders.includes(seat));
    const attempts = async () => Promise.all([
      play(client, game, second, ['bid 99'], now.seq), play(client, game, offerer, ['pass'], now.seq), play(client, game, third, ['bid 0'], now.seq + 1),
      client.post(`${game.at}/takeback`, { from: now.seq, seq: now.seq }, game.players[offerer].token),
      client.post(`${game.at}/takeback`, { from: now.seq, seq: now.seq + 1 }, game.players[second].token),
      client.post(`${game.at}/return`, {}, game.players[third].token),
    ]).then((answers) => answers.map(({ status, json }) => ({ status, json })));
    const turns = async (seat) => good(await client.get('/v1/me/turns', { token: game.players[seat].token })).tables;
    const before = await attempts();
    assert.deepEqual(before.map(({ json }) => json.code), ['bid-over-coins', 'not-your-decision', 'stale-sequence', 'no-take-back', 'stale-sequence', 'bad-return']);
    const [own, others] = [await turns(first), await turns(second)];
    good(await play(client, game, first, [(await legalMoves(client, game, first)).moves.at(-1)], now.seq));
    assert.deepEqual(await attempts(), before);
    assert.deepEqual([await turns(first), await turns(second)], [own - 1, others], 'one’s own turn is over');
    const answer = good(await play(client, game, second, [(await legalMoves(client, game, second)).moves.at(-1)], now.seq));
    assert.deepEqual([answer.seq, answer.deciders, answer.finished], [now.seq, now.deciders, false]);
  });
});

describe('a sealed decision', () => {
  it('is answered with a receipt that its signature holds, the same again for a retry', async () => {
    const { game, now } = await newAuction('receipt');
    const [seat] = now.deciders;
    const [bid, other] = (await legalMoves(client, game, seat)).moves;
    const answer = good(await play(client, game, seat, [bid], now.seq));
    const { sealed } = answer;
    assert.deepEqual([sealed.game, sealed.seat, sealed.move], [game.id, seat, bid]);
    assert.deepEqual(answer.deciders, now.deciders);
    const key = good(await client.get('/v1/keys')).keys.find((each) => each.id === sealed.key);
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(key.public_key, 'hex')]);
    const message = `tillroll sealed move\n${game.id}\n${sealed.ply}\n${seat}\n${bid}\n`;
    const publicKey = { key: spki, format: 'der', type: 'spki' };
    assert.ok(verify(null, Buffer.from(message), publicKey, Buffer.from(sealed.signature, 'hex')));
    assert.deepEqual(good(await play(client, game, seat, [bid], now.seq)), answer);
    const refused = await play(client, game, seat, [other], now.seq);
    assert.deepEqual([refused.status, refused.json.code], [409, 'already-decided']);
    assert.deepEqual(good(await client.get(`${game.at}/legal-moves`, { token: game.players[seat].token })).moves, []);
  });

  it('enters the record with the others, in the order of seats and at one time', async () => {
    const { game, now } = await newAuction('order');
    const bids = new Map();
    for (const seat of [...now.deciders].reverse()) {
      const legal = (await legalMoves(client, game, seat)).moves;
      bids.set(seat, legal.at(seat % legal.length));
      good(await play(client, game, seat, [bids.get(seat)], now.seq));
    }
    const record = (await client.get(`${game.at}/record`)).text;
    const lines = record.trimEnd().split('\n').slice(-200).filter((line) => Number(line.split(' ')[0]) > now.seq);
    const added = lines.slice(0, now.deciders.length).map((line) => line.replace(/ #[0-9a-f]{8}$/, '').split(' '));
    assert.deepEqual(added.map(([, seat, , ...move]) => [Number(seat), move.join(' ')]), now.deciders.map((seat) => [seat, bids.get(seat)]));
    assert.equal(new Set(added.map(([, , elapsed]) => elapsed)).size, 1);
    // The retry of a decision that has entered the record gets its receipt still.
    const [seat] = now.deciders;
    assert.equal(good(await play(client, game, seat, [bids.get(seat)], now.seq)).sealed.move, bids.get(seat));
  });

  it('is in the record as its receipt promised, also after a take-back', async () => {
    const { game, now } = await newAuction('kept');
    const key = good(await client.get('/v1/keys')).keys[0].public_key;
    const recordNow = async () => (await client.get(`${game.at}/record`)).text;
    const bid = async (seat) => good(await play(client, game, seat, [(await legalMoves(client, game, seat)).moves.at(-1)], now.seq)).sealed;
    // One seat has decided when an arbiter takes the game back: its decision is taken again, and then all decide.
    const annulled = await bid(now.deciders[0]);
    const dispute = `/v1/disputes/${good(await client.post(`${game.at}/disputes`, { claim: 'rules', text: 'So.' }, game.players[0].token)).id}`;
    good(await client.post(`${dispute}/freeze`, {}, organizer.token));
    good(await client.post(`${dispute}/ruling`, { orders: [{ order: 'takeback', entry: now.seq }], code: 'misclick', reason: 'So.', resume: true }, organizer.token));
    const taken = bed.verifyReceipt({ sealed: annulled }, key, await recordNow());
    assert.equal(taken.status, 1);
    assert.match(taken.output, /: invalid: line \d+: taken-back: /);
    Object.assign(now, await reachAuction(client, game, new Random('again')));
    const receipts = [];
    for (const seat of now.deciders) receipts.push(await bid(seat));
    const text = await recordNow();
    const record = verifyRecord(Buffer.from(text));
    assert.throws(() => checkOpened(annulled, record), /not completed/);
    for (const sealed of receipts) {
      assert.deepEqual(bed.verifyReceipt({ sealed }, key, text).status, 0);
      assert.match(bed.verifyReceipt(sealed, key, text).output, /: signed: .*sealed move of seat \d\n.*: kept: the sealed move is in the record\n$/s);
      checkSealedReceipt(sealed, key);
      checkOpened(sealed, record);
      assert.equal(bed.verifyReceipt({ ...sealed, ply: sealed.ply + 1 }, key, text).output.split(': ').slice(1).join(': '), 'invalid: not signed with this key\n');
    }
    // Signed by a key of ours, all that a record can lack.
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const own = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
    for (const [wrong, code] of [[{}, null], [{ move: 'bid 77' }, 'other-entry'], [{ seat: 4 }, 'no-entry'], [{ ply: 60_000 }, 'no-entry'], [{ game: '0190163d-8694-739b-aea5-966c26f8ad91' }, 'other-game']]) {
      const sealed = { ...receipts[0], ...wrong };
      sealed.signature = sign(null, Buffer.from(`tillroll sealed move\n${sealed.game}\n${sealed.ply}\n${sealed.seat}\n${sealed.move}\n`), privateKey).toString('hex');
      const { status, output } = bed.verifyReceipt({ sealed }, own, text);
      assert.equal(status, code === null ? 0 : 1, output);
      if (code === null) continue;
      assert.match(output, new RegExp(`: invalid: (line \\d+: )?${code}: `));
      assert.throws(() => checkOpened(sealed, record));
    }
  });

  it('is lost neither by kill -9 nor by two last ones at the same time', async () => {
    const { game, now } = await newAuction('race');
    const bids = await Promise.all(now.deciders.map(async (seat) => [seat, (await legalMoves(client, game, seat)).moves[0]]));
    const [first, ...rest] = bids;
    good(await play(client, game, first[0], [first[1]], now.seq));
    await service.end('SIGKILL');
    service = await bed.startService();
    client = service.client;
    const answers = await Promise.all(rest.map(([seat, bid]) => play(client, game, seat, [bid], now.seq)));
    answers.forEach((answer) => assert.equal(answer.status, 200));
    const later = good(await client.get(game.at));
    assert.ok(later.seq >= now.seq + now.deciders.length, 'all bids are in the record');
  });

  it('is submitted alone, and only by those who decide', async () => {
    const { game, now } = await newAuction('alone');
    const [seat] = now.deciders;
    const [bid] = (await legalMoves(client, game, seat)).moves;
    assert.equal((await play(client, game, seat, [bid, bid], now.seq)).json.code, 'sealed-alone');
    const other = [0, 1, 2, 3].find((each) => !now.deciders.includes(each));
    assert.equal((await play(client, game, other, [bid], now.seq)).json.code, 'not-your-decision');
    assert.equal((await play(client, game, seat, ['bid 99'], now.seq)).json.code, 'bid-over-coins');
    assert.equal(good(await client.get(game.at)).seq, now.seq);
  });

  it('does not wait for a seat on which the fallback move is played', async () => {
    const { game, now } = await newAuction('absent');
    const [absent, ...rest] = now.deciders;
    for (const seat of rest) good(await play(client, game, seat, [(await legalMoves(client, game, seat)).moves[0]], now.seq));
    good(await client.post(`${game.at}/fallback`, { seat: absent }, organizer.token));
    const record = (await client.get(`${game.at}/record`)).text;
    const plies = record.split('\n').filter((line) => Number(line.split(' ')[0]) > now.seq);
    assert.match(plies[0], / fallback /);
    assert.deepEqual(plies.slice(1, 1 + now.deciders.length).map((line) => Number(line.split(' ')[1])), now.deciders);
  });
});
