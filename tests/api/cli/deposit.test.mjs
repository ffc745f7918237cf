// The drop box of `tillroll witness`, `tillroll deposit`, and what `verify --deposit` and `monitor` make of a move that was left
// and not taken.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer, request as startRequest } from 'node:http';
import { appendFileSync, mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { endQuietly, legalMoves, makeGame, makePlayer, makePlayers, now } from '../support/play.mjs';
import { makeKey, playSigned, register, signMove } from '../support/signing.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';
import { openCosignature, Signer, tillroll, Witness } from './support/witness.mjs';

const origin = 'club.example/log';
let bed, client, organizer, witness, other, logs, policy;
let files = 0;

const fileOf = (text) => {
  const file = path.join(bed.directory, `deposit-${files++}`);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const id = (number) => `0190163d-8694-739b-aea5-${String(number).padStart(12, '0')}`;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService(['--log-interval-ms', '50', '--log-origin', origin]));
  organizer = await makePlayer(client, 'Organizer');
  logs = fileOf(`log ${good(await client.get('/v1/keys')).keys[0].vkey}\nquorum none\n`);
  witness = new Witness(path.join(bed.directory, 'w1'), 'one.example/w');
  other = new Witness(path.join(bed.directory, 'w2'), 'two.example/w');
  await witness.start(logs);
  await other.start(logs);
  const names = [witness, other].map((each, i) => `witness W${i} ${each.vkey} ${each.url}\n`).join('');
  policy = fileOf(`${readFileSync(logs, 'utf8').replace('quorum none\n', '')}${names}group both all W0 W1\nquorum both\n`);
});
after(async () => {
  await witness?.stop('SIGKILL');
  await other?.stop('SIGKILL');
  await bed?.end();
});

// A deposit as a player would write it.
function makeDeposit({ log = origin, game = id(1), secret = Buffer.alloc(32, 7), key = makeKey(), move = 'pass', signed = move }) {
  const head = 'ab'.repeat(32);
  const commitment = sha256(Buffer.concat([Buffer.from(`tillroll commit\n${game}\n`), secret]));
  return `tillroll deposit 1\n${log}\n${game}\n${game}\n${commitment}\n${head}\n0\n${key.hex}\n${move}\n${signMove(key, { id: game }, head, 0, signed)}\n`;
}

async function leave(deposit, at = witness) {
  const answer = await fetch(`${at.url}/add-deposit`, { method: 'POST', body: typeof deposit === 'string' ? JSON.stringify({ deposit }) : deposit.body });
  return { status: answer.status, json: await answer.json() };
}
const code = async (deposit) => {
  const { status, json } = await leave(deposit);
  return `${status} ${json.code ?? ''}`;
};

// The time of a receipt by this witness for this deposit.
function openReceipt({ status, json }, deposit) {
  assert.equal(status, 200, JSON.stringify(json));
  const text = `tillroll deposit 1\n${deposit.split('\n').slice(1, 3).join('\n')}\n${sha256(deposit)}\n`;
  assert.ok(json.receipt.startsWith(`${text}\n`));
  return openCosignature(json.receipt.slice(text.length + 1), text, witness.vkey);
}

const listed = async (game, secret = '', at = witness) => {
  const answer = await fetch(`${at.url}/deposits/${game}${secret && `/${secret}`}`);
  return { status: answer.status, text: await answer.text() };
};

describe('a drop box', () => {
  it('takes a signed move, shows its hash and time, and the move to whoever has the secret', async () => {
    const secret = Buffer.alloc(32, 9);
    const deposit = makeDeposit({ secret });
    const first = await leave(deposit);
    const time = openReceipt(first, deposit);
    assert.ok(time <= Date.now() / 1000);
    assert.deepEqual(await leave(deposit), first, 'left again');
    assert.deepEqual(await listed(id(1)), { status: 200, text: `${time} ${sha256(deposit)}\n` });
    assert.deepEqual(JSON.parse((await listed(id(1), '00'.repeat(32))).text), { deposits: [] });
    assert.deepEqual(JSON.parse((await listed(id(1), secret.toString('hex'))).text), { deposits: [`${deposit}\n${first.json.receipt}`] });
    assert.equal((await listed(id(2))).text, '');
  });

  it('refuses what is none, is not signed, or is of another log', async () => {
    const deposit = makeDeposit({ game: id(3) });
    const lines = deposit.split('\n');
    const bad = ['', deposit.slice(0, -1), `${deposit}\n`, deposit.replace('1', '2'), deposit.replace(id(3), 'x')];
    for (let i = 0; i < lines.length - 1; i++) bad.push(lines.toSpliced(i, 1).join('\n'), lines.toSpliced(i, 1, '').join('\n'));
    for (const text of bad) assert.equal(await code(text), '400 bad-request', text);
    for (const body of ['', '{}', '[]', '{"deposit":1}', `{"deposit":"x","deposit":"y"}`, JSON.stringify({ deposit, more: 1 })]) assert.equal(await code({ body }), '400 bad-request', body);
    assert.equal(await code(makeDeposit({ log: 'other.example/log' })), '404 unknown-log');
    assert.equal(await code(makeDeposit({ signed: 'open' })), '403 bad-signature');
    assert.equal((await fetch(`${witness.url}/add-deposit`)).status, 405);
    assert.equal((await listed(id(3), 'xyz')).status, 400);
    assert.equal((await listed('x')).status, 404);
    assert.equal((await listed(id(3))).text, '');
  });

  it('keeps only so many of a key in a game', async () => {
    const key = makeKey();
    for (let i = 0; i < 64; i++) assert.equal(await code(makeDeposit({ game: id(4), key, move: `move ${i}` })), '200 ');
    assert.equal(await code(makeDeposit({ game: id(4), key, move: 'one more' })), '429 too-many-deposits');
    assert.equal(await code(makeDeposit({ game: id(4), key, move: 'move 3' })), '200 ');
    assert.equal(await code(makeDeposit({ game: id(4) })), '200 ');
    assert.equal(await code(makeDeposit({ game: id(5), key })), '200 ');
  });

  it('has on disk what it has given a receipt for, whenever it is killed', async () => {
    const secret = Buffer.alloc(32, 5);
    const given = new Map();
    for (let round = 0; round < 4; round++) {
      const sent = Array.from({ length: 10 }, () => makeDeposit({ game: id(6), secret }));
      const answers = sent.map((deposit) => leave(deposit).catch(() => null));
      await Promise.any(answers.map(async (answer) => (await answer) ?? Promise.reject(new Error('none'))));
      await witness.stop('SIGKILL');
      for (const [i, answer] of (await Promise.all(answers)).entries()) if (answer?.status === 200) given.set(sent[i], answer.json.receipt);
      await witness.start(logs, { listen: `127.0.0.1:${witness.port}` });
      const { deposits } = JSON.parse((await listed(id(6), secret.toString('hex'))).text);
      for (const [deposit, receipt] of given) assert.ok(deposits.includes(`${deposit}\n${receipt}`));
    }
    assert.ok(given.size >= 4);
  });

  it('removes a line that a crash cut off, and refuses damage', async () => {
    const file = path.join(witness.directory, 'deposits');
    assert.equal(statSync(file).mode & 0o77, 0);
    await witness.stop();
    const whole = readFileSync(file, 'utf8');
    appendFileSync(file, '179518');
    await witness.start(logs, { listen: `127.0.0.1:${witness.port}` });
    await witness.stop();
    assert.equal(readFileSync(file, 'utf8'), whole);
    for (const damaged of [whole.replace('\t', ' '), whole.replace('pass', 'bass'), `x${whole}`]) {
      writeFileSync(file, damaged);
      assert.equal(await witness.start(logs, { fails: true }), 2);
      assert.match(witness.said, /deposits: a line is damaged/);
    }
    writeFileSync(file, whole);
    await witness.start(logs, { listen: `127.0.0.1:${witness.port}` });
  });
});

describe('a game', () => {
  const deposit = (record, move, key, ...more) => bed.tillroll('deposit', fileOf(record), move, '--key', key, '--log', origin, ...more);
  const verify = (left, record, trust = policy) => bed.tillroll('verify', '--deposit', fileOf(left), '--policy', trust, fileOf(record));
  const recordOf = async (game) => (await client.get(`${game.at}/record`)).text;

  // A game of two players with keys, the file of whose turn it is, and that seat.
  async function begin() {
    const players = await makePlayers(client, 2, 'Keyholder');
    for (const player of players) await register(client, player);
    const { game } = await makeGame(client, organizer, players);
    const [seat] = (await now(client, game)).deciders;
    const legal = await legalMoves(client, game, seat);
    const { key } = game.players[seat];
    return { game, seat, legal, file: fileOf(`${key.seed}\n`), move: legal.moves.at(-1), record: await recordOf(game) };
  }

  async function secondIsOver() {
    const second = Math.floor(Date.now() / 1000);
    await until(30, 'that second is over', () => Math.floor(Date.now() / 1000) > second + 1);
  }

  async function finish(game) {
    await endQuietly(client, game, organizer);
    await until(60, 'the game is in the log', async () => (await client.get(`${game.at}/record.bundle`)).status === 200);
    return recordOf(game);
  }

  const both = () => ['--witness', witness.url, '--witness', other.url];
  const monitor = (trust = policy) => bed.tillroll('monitor', `http://127.0.0.1:${client.port}`, path.join(bed.directory, `monitor-${files++}`), '--once', '--policy', fileOf(readFileSync(trust, 'utf8').replace('quorum both', 'quorum none')));

  it('that has the move that was left is good', async () => {
    const { game, seat, legal, file, move, record } = await begin();
    const left = deposit(record, move, file, ...both());
    assert.equal(left.status, 0, left.stderr);
    good(await playSigned(client, game, seat, move, { legal }));
    const { status, stdout } = verify(left.stdout, await finish(game));
    assert.equal(status, 0, stdout);
    assert.match(stdout, /: taken: the record has the move/);
    const seen = monitor();
    assert.equal(seen.status, 0, seen.stderr);
  });

  it('that lacks a move that was left in time is found out, by whoever looks', async () => {
    const { game, file, move, record } = await begin();
    const left = deposit(record, move, file, ...both());
    assert.equal(left.status, 0, left.stderr);
    const running = verify(left.stdout, record);
    assert.deepEqual([running.status, /not judged: unfinished/.test(running.stdout)], [2, true], 'a running game');
    await secondIsOver();
    const finished = await finish(game);
    const { status, stdout } = verify(left.stdout, finished);
    assert.equal(status, 1, stdout);
    assert.match(stdout, /: line \d+: dropped-move: The move was left in time/);
    const seen = monitor();
    assert.equal(seen.status, 1, seen.stderr);
    assert.match(seen.stderr, new RegExp(`ALARM: dropped-move: .* game ${game.id}`));

    // One that is away is said once, and holds up nothing.
    const away = monitor(fileOf(readFileSync(policy, 'utf8').replace(other.url, 'http://127.0.0.1:1')));
    assert.match(away.stderr, /ALARM: dropped-move/);
    assert.equal(away.stderr.match(/witness two\.example\/w does not answer/g).length, 1);

    // Nobody else's word is enough, nor half of the policy's witnesses.
    const lines = left.stdout.split('\n');
    assert.match(verify(lines.toSpliced(-2, 1).join('\n'), finished).stdout, /not judged: too-few-witnesses/);
    const nobody = fileOf(`witness X ${new Signer('x.example', 4).vkey}\nquorum none\n`);
    assert.equal(verify(left.stdout, finished, nobody).status, 2);
    assert.match(verify(left.stdout.replace(/^— one.*$/m, (line) => `${line.slice(0, -12)}AAAAAAAAAAA=`), finished).stdout, /not judged: forged-cosignature/);
    assert.match(verify(left.stdout.replace(`\n${move}\n`, '\npass\n'), finished).stdout, /no deposit/);
    assert.equal(verify('', finished).status, 2);
  });

  it('that a bot plays leaves a move that the service does not take, and the record shows that it was dropped', async () => {
    const { game, seat } = await begin();
    const { key, token } = game.players[seat];
    // The service, but for moves: a fault in their place.
    const between = createServer((request, response) => {
      if (request.method === 'POST' && request.url.endsWith('/moves')) return response.writeHead(502).end();
      const { method, url: path, headers } = request;
      return request.pipe(startRequest({ host: '127.0.0.1', port: client.port, method, path, headers: { ...headers, host: `127.0.0.1:${client.port}` } }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      }));
    });
    await new Promise((resolve) => { between.listen(0, '127.0.0.1', resolve); });
    const cwd = mkdtempSync(path.join(bed.directory, 'bot-'));
    const run = (...more) => new Promise((resolve) => {
      const words = ['bot', '--game', game.id, '--key', fileOf(`${key.seed}\n`), '--server', `http://127.0.0.1:${between.address().port}`, ...more];
      execFile(tillroll, words, { cwd, env: { TILLROLL_TOKEN: token } }, (error, stdout, stderr) => resolve({ status: error?.code ?? 0, stderr }));
    });
    try {
      const alone = await run();
      assert.equal(alone.status, 1);
      assert.deepEqual(readdirSync(cwd), []);
      const { status, stderr } = await run(...both());
      assert.equal(status, 1);
      const [file, ...more] = readdirSync(cwd);
      assert.match(file, new RegExp(`^left-${game.id}-[0-9a-f]{16}\\.txt$`));
      assert.deepEqual(more, []);
      assert.match(stderr, /the move is left with all witnesses: keep left-/);
      await secondIsOver();
      assert.match(verify(readFileSync(path.join(cwd, file), 'utf8'), await finish(game)).stdout, /: dropped-move: /);
    } finally {
      between.close();
      between.closeAllConnections();
    }
  });

  it('whose page has signed and saved a move has it left from that file', async () => {
    const { game, seat, legal, move, record } = await begin();
    const { key } = game.players[seat];
    const { commitment } = /^commit (?<commitment>\S+) /m.exec(record).groups;
    const saved = `tillroll deposit 1\n${origin}\n${game.id}\n${game.id}\n${commitment}\n${legal.head}\n${seat}\n${key.hex}\n${move}\n${signMove(key, game, legal.head, seat, move)}\n`;
    const { status, stdout } = bed.tillroll('deposit', fileOf(saved), ...both());
    assert.equal(status, 0);
    assert.ok(stdout.startsWith(`${saved}\n`));
    for (const text of [saved.replace(move, `${move} `), saved.replace(/.\n$/, '\n'), record, '']) assert.equal(bed.tillroll('deposit', fileOf(text), ...both()).status, 2);
    assert.equal(bed.tillroll('deposit', fileOf(saved), '--key', fileOf(`${key.seed}\n`), ...both()).status, 2);
    await secondIsOver();
    assert.match(verify(stdout, await finish(game)).stdout, /: dropped-move: /);
  });

  it('is asked for in the right way', async () => {
    const { file, move, record } = await begin();
    const codes = [
      deposit(record, move, file),
      deposit(record.slice(0, -30), move, file, ...both()),
      deposit(record, '', file, ...both()),
      deposit(record, move, fileOf(`${'11'.repeat(32)}\n`), ...both()),
      deposit(record, move, '/nowhere', ...both()),
    ].map(({ status }) => status);
    assert.deepEqual(codes, [2, 2, 2, 2, 2]);
    const away = deposit(record, move, file, '--witness', 'http://127.0.0.1:1', '--witness', other.url);
    assert.equal(away.status, 1);
    assert.match(away.stdout, /^tillroll deposit 1\n[^]*\n— two\.example\/w \S+\n$/);
  });
});
