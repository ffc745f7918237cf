// Players' keys and their signatures of moves: nothing is written with a signature that does not hold,
// what holds goes with the record, and everybody can check both.
import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { checkSignatures, verifyRecord } from '../../engine/record/verify_roll.mjs';
import { good } from '../support/client.mjs';
import { makeDuplicate, seated } from '../support/duplicate.mjs';
import { legalMoves, makeGame, makePlayer, makePlayers, now, password, play, Random, reachAuction, soonOver, startRound, untilTurn } from '../support/play.mjs';
import { keyLeaf, keysAt, makeKey, playSigned, register, registration, signMove } from '../support/signing.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

let bed, client, organizer, stranger, ada, ben, cem;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService(['--log-interval-ms', '20']));
  organizer = await makePlayer(client, 'Organizer');
  [stranger, ada, ben, cem] = await makePlayers(client, 4, 'Signer');
});
after(() => bed?.end());

const code = async (answer) => `${(await answer).status} ${(await answer).json?.code ?? ''}`.trim();
const keysOf = async (player) => good(await client.get(keysAt(player)));
const signaturesOf = async (game, token) => client.get(`${game.at}/signatures`, { token });
const recordOf = async (game) => (await client.get(`${game.at}/record`)).text;
const change = (player, body, token = player.token) => client.request('PATCH', keysAt(player), { json: body, token });
const revoke = (player, key) => client.delete(`${keysAt(player)}/${key.hex}`, player.token);

// What the service gives out of a game, checked by our verifier and by the other one: how many
// signatures there are.
async function checkGame(game) {
  const [record, signatures] = [await recordOf(game), (await signaturesOf(game)).text];
  const { output } = bed.verifySignatures(signatures, record);
  assert.match(output, /signed\.sig: valid: /);
  const count = checkSignatures(verifyRecord(Buffer.from(record)), Buffer.from(signatures));
  assert.equal(Number(/valid: (\d+) of/.exec(output)[1]), count);
  return count;
}

// A game of one seat after the other in which all have keys.
async function signedGame(settings) {
  const players = await makePlayers(client, 3, 'Keyholder');
  for (const player of players) await register(client, player);
  const { game } = await makeGame(client, organizer, players, settings);
  return game;
}

// The file that is handed on has them in it.
async function checkBundle(game, count) {
  const bundle = await until(60, 'the record is logged', async () => {
    const answer = await client.get(`${game.at}/record.bundle`);
    return answer.status === 200 && answer.text;
  });
  const { vkey } = good(await client.get('/v1/keys')).keys[0];
  const file = path.join(bed.directory, 'handed-on.bundle');
  const verify = (text) => {
    writeFileSync(file, text);
    return bed.tillroll('verify', '--log-key', vkey, file);
  };
  const whole = verify(bundle);
  assert.equal(whole.status, 0, whole.stdout);
  assert.match(whole.stdout, new RegExp(`: valid: ${count} of `));
  assert.match(whole.stdout, /: in the log /);
  assert.ok(bundle.includes((await signaturesOf(game)).text));
  const spoilt = verify(bundle.replace(/(?<=^tillroll signatures 1\ngame \S+\n\d+ )./m, (digit) => (digit === '0' ? '1' : '0')));
  assert.equal(spoilt.status, 1, spoilt.stdout);
  assert.match(spoilt.stdout, /bad-signature/);
}

describe('keys', () => {
  it('are registered by who holds them, once, and seen by everybody', async () => {
    assert.deepEqual(await keysOf(ada), { player: ada.id, required: false, in_use: null, keys: [], log: [] });
    const key = makeKey();
    const body = registration(ada, key);
    assert.equal(await code(client.post(keysAt(ada), { ...body, proof: makeKey().sign('x') }, ada.token)), '422 bad-signature');
    assert.equal(await code(client.post(keysAt(ada), { ...registration(ben, key) }, ada.token)), '422 bad-signature');
    assert.equal(await code(client.post(keysAt(ada), { ...body, key: key.hex.toUpperCase() }, ada.token)), '400 bad-field');
    assert.equal(await code(client.post(keysAt(ada), { ...body, proof: body.proof.slice(2) }, ada.token)), '400 bad-field');
    // The neutral point of the curve, with which anything can be signed.
    const weak = { hex: `01${'00'.repeat(31)}`, sign: () => `01${'00'.repeat(63)}` };
    assert.equal(await code(client.post(keysAt(ada), registration(ada, weak), ada.token)), '422 bad-signature');
    assert.equal(await code(client.post(keysAt(ada), body, stranger.token)), '403 not-allowed');
    assert.equal(await code(client.post(keysAt(ada), { ...body, endorsement: body.proof }, ada.token)), '409 no-key-in-use');
    assert.deepEqual((await keysOf(ada)).log, []);

    const made = await client.post(keysAt(ada), body, ada.token);
    assert.equal(made.status, 201);
    assert.equal(made.json.in_use, key.hex);
    assert.deepEqual(made.json.keys.map((each) => [each.key, each.proof, each.endorsement, each.replaced_at, each.revoked_at]), [[key.hex, body.proof, null, null, null]]);
    assert.deepEqual(made.json.log, [`1 ${Date.parse(made.json.keys[0].registered_at)} registered ${key.hex} ${body.proof} -`]);
    const again = await client.post(keysAt(ada), body, ada.token);
    assert.deepEqual([again.status, again.json], [200, made.json]);
    assert.deepEqual(await keysOf(ada), made.json);
    assert.equal(await code(client.post(keysAt(ben), registration(ben, key), ben.token)), '409 key-known');
    ada.key = key;
  });

  it('are replaced with the signature of the one before, and revoked without', async () => {
    const first = ada.key;
    const second = makeKey();
    const text = registration(ada, second, first);
    assert.equal(await code(client.post(keysAt(ada), { key: text.key, proof: text.proof }, ada.token)), '409 key-in-use');
    assert.equal(await code(client.post(keysAt(ada), { ...text, endorsement: makeKey().sign('x') }, ada.token)), '422 bad-signature');
    let keys = good(await client.post(keysAt(ada), text, ada.token));
    assert.equal(keys.in_use, second.hex);
    assert.equal(keys.keys[0].replaced_at, keys.keys[1].registered_at);
    assert.equal(await code(client.post(keysAt(ada), registration(ada, first, second), ada.token)), '409 key-known');
    keys = good(await revoke(ada, second));
    assert.equal(keys.in_use, null);
    assert.notEqual(keys.keys[1].revoked_at, null);
    assert.deepEqual(good(await revoke(ada, second)), keys, 'twice is once');
    assert.equal(await code(revoke(ada, makeKey())), '404 not-found');
    assert.equal(await code(client.delete(`${keysAt(ada)}/${first.hex}`, ben.token)), '403 not-allowed');
    const third = makeKey();
    assert.equal((await client.post(keysAt(ada), registration(ada, third), ada.token)).status, 201);
    ada.key = third;
  });

  it('have a history of which every line is in the transparency log', async () => {
    good(await change(ada, { required: true }));
    good(await change(ada, { required: true }));
    good(await change(ada, { required: false }));
    assert.equal(await code(change(ada, { required: 1 })), '400 bad-field');
    const { log } = await keysOf(ada);
    assert.deepEqual(log.map((line) => line.split(' ').filter((_, i) => i === 0 || i === 2).join(' ')), [
      '1 registered', '2 registered', '3 revoked', '4 registered', '5 required', '6 optional',
    ]);
    for (const line of log)
      await until(60, 'the leaf is logged', async () => (await client.get(`/v1/log/inclusion?leaf=${keyLeaf(ada, line)}`)).status === 200);
    assert.equal(bed.tillroll('audit').status, 0);
  });

  it('of a bot are its owner\'s to change', async () => {
    const bot = good(await client.post('/v1/me/bots', { name: 'Signing bot' }, ada.token));
    const token = good(await client.post(`/v1/me/bots/${bot.id}/tokens`, { label: 'x', scopes: ['read', 'play'] }, ada.token)).token;
    const key = makeKey();
    assert.equal(await code(client.post(keysAt(bot), registration(bot, key), token)), '403 missing-scope');
    assert.equal(await code(client.post(keysAt(bot), registration(bot, key), ben.token)), '403 not-allowed');
    good(await client.post(keysAt(bot), registration(bot, key), ada.token));
    good(await client.delete(`/v1/me/bots/${bot.id}`, ada.token));
    assert.notEqual((await keysOf(bot)).keys[0].revoked_at, null, 'no account, no key');
  });

  it('come to an end, 32 of them', async () => {
    const [collector] = await makePlayers(client, 1, 'Collector');
    let inUse;
    for (let i = 0; i < 32; i++) {
      await register(client, collector, { inUse });
      inUse = collector.key;
    }
    assert.equal(await code(client.post(keysAt(collector), registration(collector, makeKey(), inUse), collector.token)), '409 too-many-keys');
    good(await client.post('/v1/me/delete', { password }, collector.token));
    assert.ok((await keysOf(collector)).keys.every((key) => key.revoked_at !== null), 'no account, no keys');
    assert.equal(await code(client.post(keysAt(cem), registration(cem, makeKey(), inUse), cem.token)), '409 no-key-in-use');
  });
});

describe('a signed move', () => {
  it('is written if the signature holds, and only then', async () => {
    const game = await signedGame();
    const seat = (await now(client, game)).deciders[0];
    const legal = await legalMoves(client, game, seat);
    const { key, token } = game.players[seat];
    assert.equal(legal.key, key.hex);
    assert.equal(legal.head, (await now(client, game)).head);
    const [move] = legal.moves;
    const others = { ...game, id: organizer.id };
    const wrong = {
      'of another key': signMove(makeKey(), game, legal.head, seat, move),
      'of another game': signMove(key, others, legal.head, seat, move),
      'of another head': signMove(key, game, '0'.repeat(64), seat, move),
      'of another seat': signMove(key, game, legal.head, seat + 1, move),
      'of another move': signMove(key, game, legal.head, seat, legal.moves[1]),
    };
    for (const [what, signature] of Object.entries(wrong))
      assert.equal(await code(playSigned(client, game, seat, move, { spoil: (body) => ({ ...body, signature }) })), '422 bad-signature', what);
    const good_one = signMove(key, game, legal.head, seat, move);
    const send = (body) => client.post(`${game.at}/moves`, body, token);
    assert.equal(await code(send({ moves: [move], signature: good_one })), '400 bad-field', 'without seq');
    assert.equal(await code(send({ moves: [move, move], seq: legal.seq, signature: good_one })), '400 bad-field', 'two moves');
    assert.equal(await code(send({ moves: [move], seq: legal.seq, signature: 'ab' })), '400 bad-field');
    assert.equal((await now(client, game)).seq, 0, 'nothing of that was written');
    assert.equal((await signaturesOf(game)).text, `tillroll signatures 1\ngame ${game.id}\n`);

    const answer = good(await playSigned(client, game, seat, move, { legal }));
    assert.equal((await signaturesOf(game)).text, `tillroll signatures 1\ngame ${game.id}\n1 ${good_one}\n`);
    assert.deepEqual(good(await playSigned(client, game, seat, move, { legal })), answer, 'sent again');
    assert.equal(await checkGame(game), 1);
  });

  it('needs a key that the record names', async () => {
    const { game } = await makeGame(client, organizer, [ben, cem]);
    await register(client, ben); // too late for this game
    const seat = (await now(client, game)).deciders[0];
    const legal = await legalMoves(client, game, seat);
    assert.equal(legal.key, null);
    game.players[seat].key ??= makeKey();
    assert.equal(await code(playSigned(client, game, seat, legal.moves[0])), '422 no-signing-key');
    good(await play(client, game, seat, [legal.moves[0]], legal.seq));
    good(await revoke(ben, ben.key));
  });

  it('stands in a whole game beside unsigned ones, and in its bundle', async () => {
    const game = await signedGame({ ruleset: soonOver });
    const random = new Random('whole');
    let signed = 0;
    for (;;) {
      const { deciders } = await now(client, game);
      if (deciders.length === 0) break;
      const [seat] = deciders;
      const legal = await legalMoves(client, game, seat);
      const move = random.pick(legal.moves);
      if (legal.seq % 3 === 0) good(await play(client, game, seat, [move], legal.seq));
      else good(await playSigned(client, game, seat, move, { legal })) && signed++;
    }
    assert.equal(await checkGame(game), signed);
    assert.equal(bed.tillroll('audit').status, 0);
  });

  it('may be a take-back', async () => {
    const game = await signedGame({ take_back: true });
    const seat = (await now(client, game)).deciders[0];
    let entry = 0;
    while (entry === 0) {
      const legal = await legalMoves(client, game, seat);
      assert.notEqual(legal.moves.length, 0);
      good(await playSigned(client, game, seat, legal.moves[0], { legal }));
      entry = good(await client.get(game.at, { token: game.players[seat].token })).may_take_back ?? 0;
    }
    const { seq, head } = await now(client, game);
    const { key, token } = game.players[seat];
    const takeBack = (signature) => client.post(`${game.at}/takeback`, { from: entry, seq, ...(signature && { signature }) }, token);
    assert.equal(await code(takeBack(signMove(key, game, head, seat, `undo ${entry + 1}`))), '422 bad-signature');
    good(await change(game.players[seat], { required: true }));
    assert.equal(await code(takeBack()), '403 signature-required');
    good(await takeBack(signMove(key, game, head, seat, `undo ${entry}`)));
    assert.equal(await checkGame(game), seq + 1);
  });
});

describe('a player who requires signed moves', () => {
  it('has unsigned ones refused, until that is switched off or the key is revoked', async () => {
    const game = await signedGame();
    const seat = (await now(client, game)).deciders[0];
    const player = game.players[seat];
    const unsigned = async (count = 1) => {
      const { seq, moves } = await legalMoves(client, game, seat);
      return play(client, game, seat, moves.slice(0, count), seq);
    };
    good(await change(player, { required: true }));
    assert.equal(await code(unsigned()), '403 signature-required');
    assert.equal(await code(unsigned(2)), '403 signature-required');
    assert.equal((await now(client, game)).seq, 0);
    const legal = await legalMoves(client, game, seat);
    good(await playSigned(client, game, seat, legal.moves[0], { legal }));

    // A new key is for new games; the one that the record names goes on.
    const first = player.key;
    await register(client, player, { inUse: first });
    await untilTurn(client, game, seat, new Random('others'));
    const next = await legalMoves(client, game, seat);
    assert.equal(next.key, first.hex);
    assert.equal(await code(playSigned(client, game, seat, next.moves[0])), '422 bad-signature');
    const second = player.key;
    player.key = first;
    good(await playSigned(client, game, seat, next.moves[0]));

    good(await revoke(player, first));
    const signed = await checkGame(game);
    await untilTurn(client, game, seat, new Random('others'));
    const last = await legalMoves(client, game, seat);
    assert.equal(await code(playSigned(client, game, seat, last.moves[0])), '422 key-revoked');
    good(await unsigned());
    assert.equal(await checkGame(game), signed, 'what was signed stays signed');
    assert.equal((await keysOf(player)).in_use, second.hex);
  });
});

describe('sealed decisions', () => {
  const clocks = { 'without clocks': {}, 'with clocks': { clock: { move_ms: 86_400_000 } } };
  for (const [how, settings] of Object.entries(clocks))
    it(`are signed when they are sealed, and seen signed when they are opened, ${how}`, async () => {
      const game = await signedGame({ ruleset: 'mall-world', ...settings });
      const position = await reachAuction(client, game, new Random('signed auction'));
      const [first, ...rest] = position.deciders;
      const legal = await legalMoves(client, game, first);
      const bid = legal.moves[0];
      assert.equal(await code(playSigned(client, game, first, bid, { spoil: (body) => ({ ...body, signature: body.signature.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }) })), '422 bad-signature');
      const before = (await signaturesOf(game)).text;
      const receipt = good(await playSigned(client, game, first, bid, { legal })).sealed;
      assert.equal((await signaturesOf(game)).text, before, 'a signature would tell the move');
      assert.deepEqual(good(await playSigned(client, game, first, bid, { legal })).sealed, receipt);
      for (const seat of rest) {
        // Decided at the same entry as the first, although lines may say by now that the first has decided.
        const choice = await legalMoves(client, game, seat);
        good(await playSigned(client, game, seat, choice.moves[0], { legal: seat === rest.at(-1) ? choice : { ...choice, seq: legal.seq, head: legal.head } }));
      }
      assert.equal(await checkGame(game), position.deciders.length);
    });

  it('of a seat that somebody else has taken since stay unsigned', async () => {
    const game = await signedGame({ ruleset: 'mall-world' });
    const position = await reachAuction(client, game, new Random('substitute auction'));
    const [first, ...rest] = position.deciders;
    const legal = await legalMoves(client, game, first);
    good(await playSigned(client, game, first, legal.moves[0], { legal }));
    const [substitute] = await makePlayers(client, 1, 'Substitute');
    await register(client, substitute);
    good(await client.post(`${game.at}/substitute`, { seat: first, player: substitute.id }, organizer.token));
    for (const seat of rest) {
      const choice = await legalMoves(client, game, seat);
      good(await playSigned(client, game, seat, choice.moves[0], { legal: choice }));
    }
    assert.ok((await recordOf(game)).includes(` substitute ${first} ${substitute.id} `));
    assert.ok((await recordOf(game)).includes(` ${substitute.key.hex} #`), 'with the key of the substitute');
    assert.equal(await checkGame(game), rest.length);
  });
});

describe('`tillroll key`', () => {
  const file = (name) => path.join(bed.directory, name);
  const run = (player, ...words) => bed.tillrollAs(player.token, 'key', ...words);
  let server;
  before(() => (server = ['--server', `http://127.0.0.1:${client.port}`]));

  it('makes keys, has them registered and replaced, and bots sign with them', async () => {
    const players = await makePlayers(client, 2, 'Owner');
    const keys = [];
    for (const [i, player] of players.entries()) {
      const made = await run(player, 'new', file(`key-${i}`));
      assert.equal(made.status, 0);
      keys.push(made.output.trim());
      assert.equal(statSync(file(`key-${i}`)).mode & 0o777, 0o600);
      assert.deepEqual(await run(player, 'public', file(`key-${i}`)), made);
      assert.deepEqual(await run(player, 'register', file(`key-${i}`), ...server), made);
      assert.equal((await keysOf(player)).in_use, keys[i]);
    }
    assert.equal((await run(players[0], 'new', file('key-0'))).status, 1, 'another key is not written over');
    const event = await makeDuplicate(client, organizer, players, { ruleset: 'supermarche', boards: 1, seats_preferred: 1 });
    const games = seated(await startRound(client, event, organizer, players), players);
    const [game] = games;
    const legal = await legalMoves(client, game, 0);
    const own = file(`key-${players.indexOf(game.players[0])}`);
    const signed = await run(players[0], 'sign', own, '--game', game.id, '--head', legal.head, '--seat', '0', legal.moves[0]);
    good(await client.post(`${game.at}/moves`, { moves: [legal.moves[0]], seq: legal.seq, signature: signed.output.trim() }, game.players[0].token));
    for (const player of players) good(await change(player, { required: true }));
    const bots = await Promise.all(players.map((player, i) => bed.tillrollAs(player.token, 'bot', ...server, '--policy', 'random', '--key', file(`key-${i}`))));
    for (const { status, output } of bots) assert.equal(status, 0, output);
    for (const each of games) assert.equal(await checkGame(each), (await now(client, each)).plies);
    await checkBundle(game, (await now(client, game)).plies);

    const [player] = players;
    const second = (await run(player, 'new', file('second'))).output.trim();
    assert.match((await run(player, 'register', file('second'), ...server)).output, /409.*Another key is in use/);
    assert.equal((await run(player, 'register', file('second'), ...server, '--replaces', file('key-0'))).status, 0);
    assert.equal((await keysOf(player)).in_use, second);
    assert.equal((await run(player, 'revoke', keys[0], ...server)).status, 0);
    assert.equal((await run(player, 'revoke', file('second'), ...server)).status, 0);
    assert.equal((await keysOf(player)).in_use, null);
  });

  it('says what is wrong', async () => {
    writeFileSync(file('open'), `${'0'.repeat(64)}\n`, { mode: 0o644 });
    writeFileSync(file('short'), 'no key', { mode: 0o600 });
    for (const [wanted, status, ...words] of [
      [/run chmod 600 on it/, 1, 'public', file('open')],
      [/this is not a signing key/, 1, 'public', file('short')],
      [/No such file/, 1, 'public', file('nothing')],
      [/usage/, 2, 'public'],
      [/usage/, 2, 'lose', file('second')],
      [/usage/, 2, 'sign', file('second'), '--game', 'x', '--head', 'y', '--seat', '0', 'end'],
    ]) {
      const answer = await run(ben, ...words);
      assert.equal(answer.status, status, `${words[0]}: ${answer.output}`);
      assert.match(answer.output, wanted);
    }
  });
});

describe('signatures of a board that others have before them', () => {
  it('are hidden as the record is', async () => {
    const players = await makePlayers(client, 4, 'Partner');
    for (const player of players) await register(client, player);
    const event = await makeDuplicate(client, organizer, players, { boards: 1, rounds: 1, seats_preferred: 2 });
    const round = await startRound(client, event, organizer, players);
    const game = seated(round, players)[0];
    const seat = good(await client.get(game.at, { token: game.players[0].token })).deciders[0];
    const legal = await legalMoves(client, game, seat);
    good(await playSigned(client, game, seat, legal.moves[0], { legal }));
    for (const token of [undefined, stranger.token, organizer.token])
      assert.deepEqual([await code(signaturesOf(game, token)), await code(client.get(`${game.at}/record`, { token }))], ['404 not-found', '404 not-found']);
    assert.match((await signaturesOf(game, game.players[0].token)).text, /\n1 [0-9a-f]{128}\n$/);
  });
});
