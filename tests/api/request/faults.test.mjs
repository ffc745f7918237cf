// Faults: the service is killed, the database goes away, the service is told to stop, two services
// share one database. Whatever was acknowledged stays, nothing happens twice, and play goes on.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';

import { isLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { connect, post } from '../support/echo.mjs';
import { legalMoves, makeGame, makePlayer, makePlayers, now, password, play, playBriefly, playRandomly, Random, soonOver } from '../support/play.mjs';
import { isSigned, readRecord, said } from '../support/record.mjs';
import { realPasswords, Testbed } from '../support/testbed.mjs';
import { sleep, until } from '../support/waiting.mjs';

const random = new Random('faults');
let bed;
let service;
let organizer;
let players;

before(async () => {
  bed = new Testbed();
  service = await bed.startService();
  organizer = await makePlayer(service.client, 'Organizer');
  players = await makePlayers(service.client, 8);
});
after(() => bed.end());

// Sends until there is an answer that says what has happened: after a broken connection or a 503 it
// is not known whether the request took effect, and the same request is sent again.
async function insist(send) {
  const end = Date.now() + 20_000;
  while (Date.now() < end) {
    let answer;
    try {
      answer = await send(service.client);
    } catch (error) {
      assert.ok(error.code?.startsWith('ECONN') || error.code === 'EPIPE', error);
    }
    if (answer !== undefined && answer.status !== 503) return answer;
    await sleep(20);
  }
  throw new Error('the service does not come back');
}

// Plays a seat to the end of its game, as somebody does who trusts receipts only. Its moves are the
// only ones of its seat, so none may ever be refused.
async function bot(game, seat, table) {
  for (;;) {
    const position = good(await insist((client) => client.get(game.at)));
    if (position.deciders.length === 0) return;
    if (!position.deciders.includes(seat)) {
      await sleep(10);
      continue;
    }
    const { token } = game.players[seat];
    const legal = good(await insist((client) => client.get(`${game.at}/legal-moves`, { token })));
    if (legal.moves.length === 0) continue;
    const move = random.pick(legal.moves);
    const answer = await insist((client) => play(client, game, seat, [move], legal.seq));
    assert.equal(answer.status, 200, answer.text);
    table.acknowledged.push({ seat, move, receipt: answer.json.receipt });
  }
}

// Two tables with eight bots. `moves()` counts what they have had acknowledged.
async function startTables() {
  const tables = [];
  for (const four of [players.slice(0, 4), players.slice(4)]) {
    const { game } = await makeGame(service.client, organizer, four, { ruleset: soonOver });
    tables.push({ game, acknowledged: [] });
  }
  const finished = Promise.all(tables.flatMap((table) => table.game.players.map((_, seat) => bot(table.game, seat, table))));
  // Looked at later; until then it is not an error that nobody looks at.
  finished.catch(() => {});
  return {
    tables,
    finished,
    moves: () => tables.reduce((sum, table) => sum + table.acknowledged.length, 0),
  };
}

const moreMoves = (match, count) => {
  const goal = match.moves() + count;
  return Promise.race([until(60, `${count} more moves`, () => match.moves() >= goal), match.finished]);
};

// Everything acknowledged is in the records, everything in the records was acknowledged once.
async function checkTables(match) {
  const { keys } = good(await service.client.get('/v1/keys'));
  for (const { game, acknowledged } of match.tables) {
    const record = readRecord((await service.client.get(`${game.at}/record`)).text);
    const plies = record.entries.filter((entry) => entry.seat !== null);
    const sorted = [...acknowledged].sort((a, b) => a.receipt.seq - b.receipt.seq);
    assert.deepEqual(
      plies.map((entry) => [entry.seq, entry.seat, entry.words.join(' '), entry.head]),
      sorted.map(({ seat, move, receipt }) => [receipt.seq, seat, move, receipt.head]),
    );
    for (const { receipt } of acknowledged) assert.ok(receipt.game === game.id && isSigned(receipt, keys));
    assert.equal(good(await service.client.get(`${game.at}/verification`)).verdict, 'valid');
    assert.equal((await now(service.client, game)).state, 'finished');
  }
}

async function restart(signal) {
  const before = service;
  const how = await before.end(signal);
  service = await bed.startService();
  return how;
}

describe('the service is killed', { timeout: 300_000 }, () => {
  it('between two moves: the next service goes on where it was', async () => {
    const { game } = await makeGame(service.client, organizer, players.slice(0, 3));
    const sent = [];
    for (let time = 0; time < 3; time++) {
      await playRandomly(service.client, game, random, { plies: 15, each: (ply) => sent.push(ply) });
      const before = (await service.client.get(`${game.at}/record`)).text;
      assert.deepEqual(await restart('SIGKILL'), [null, 'SIGKILL']);
      assert.equal((await service.client.get(`${game.at}/record`)).text, before);
      const { seat, move, seq, answer } = sent.at(-1);
      const again = good(await play(service.client, game, seat, [move], seq));
      assert.deepEqual(said(again.receipt), said(answer.receipt));
    }
    await playBriefly(service.client, game, random);
    assert.equal(good(await service.client.get(`${game.at}/verification`)).verdict, 'valid');
  });

  it('again and again while eight bots play: nothing acknowledged is lost', async () => {
    const match = await startTables();
    for (let time = 0; time < (isLong ? 5 : 2); time++) {
      await moreMoves(match, 40 + random.below(30));
      await restart('SIGKILL');
    }
    await match.finished;
    await checkTables(match);
  });
});

describe('a player goes', { timeout: 300_000 }, () => {
  // Sends a move and is gone before it can be written: the table is locked for so long.
  async function playAndGo(game, seat, move, seq, lockedMs) {
    const locker = spawn('psql', ['-X', '-q', '-A', '-t', '-d', bed.cluster.migratorUrl]);
    const ended = once(locker, 'exit');
    locker.stdin.write("SET ROLE tillroll_owner;\nBEGIN;\nLOCK TABLE tillroll.record_line;\nSELECT 'locked';\n");
    await once(locker.stdout, 'data');
    const body = JSON.stringify({ moves: [move], seq });
    const fields = `Content-Type: application/json\r\nAuthorization: Bearer ${game.players[seat].token}\r\n`;
    const gone = await connect(service.client.port);
    gone.send(post(`${game.at}/moves`, body, fields));
    await until(60, 'the move waits for the lock', () =>
      bed.cluster.sql("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'tillroll.record_line'::regclass") === '1');
    await sleep(lockedMs);
    gone.socket.resetAndDestroy();
    await sleep(50);
    locker.stdin.end('COMMIT;\n');
    await ended;
  }

  for (const lockedMs of [0, 500]) {
    it(`while the move is written, after ${lockedMs} ms: it stands, and whoever asks again has the receipt`, async () => {
      const { game } = await makeGame(service.client, organizer, players.slice(0, 2));
      const { deciders: [seat] } = await playRandomly(service.client, game, random, { plies: 5 });
      const { moves, seq } = await legalMoves(service.client, game, seat);
      const move = random.pick(moves);
      await playAndGo(game, seat, move, seq, lockedMs);
      await until(60, 'the move is in the record', async () => (await now(service.client, game)).seq > seq);
      const { entries } = readRecord((await service.client.get(`${game.at}/record`)).text);
      const { receipt } = good(await play(service.client, game, seat, [move], seq));
      assert.deepEqual(said(receipt), { game: game.id, seq: seq + 1, head: entries[seq].head });
      assert.ok(isSigned(receipt, good(await service.client.get('/v1/keys')).keys));
      await playBriefly(service.client, game, random);
      assert.equal(good(await service.client.get(`${game.at}/verification`)).verdict, 'valid');
    });
  }
});

describe('the database', { timeout: 300_000 }, () => {
  it('is restarted while eight bots play: nothing is lost, nothing doubled', async () => {
    const match = await startTables();
    for (let time = 0; time < (isLong ? 3 : 1); time++) {
      await moreMoves(match, 60);
      await bed.cluster.restart();
    }
    await match.finished;
    await checkTables(match);
  });

  it('that is away makes the service unready, not unhealthy; what needs no database goes on', async () => {
    const down = await bed.startService();
    const { game } = await makeGame(down.client, organizer, players.slice(0, 3));
    await playRandomly(down.client, game, random, { plies: 6 });
    const [seat] = (await now(down.client, game)).deciders;
    const { moves, seq } = await legalMoves(down.client, game, seat);
    bed.cluster.stop();
    try {
      assert.equal((await down.client.get('/healthz')).status, 200);
      assert.equal((await down.client.get('/v1/rulesets/shinjuku')).status, 200);
      for (const path of ['/readyz', '/v1/players']) {
        const answer = await down.client.get(path);
        assert.equal(`${answer.status} ${answer.json.code}`, '503 unavailable');
      }
      const made = await down.client.post('/v1/players', { name: 'Early', password });
      assert.equal(made.json.code, 'unavailable');
      const event = await down.client.post('/v1/events', { name: 'x', ruleset: 'shinjuku', rounds: 1 }, organizer.token);
      assert.equal(event.json.code, 'unavailable');
      // Each is tried for five seconds (WRITER_PATIENCE_MS): the first on a connection that breaks, the others without one.
      const refused = async () => {
        const move = await play(down.client, game, seat, [moves[0]], seq);
        assert.match(`${move.status} ${move.json.code}`, /^503 (unavailable|outcome-unknown)$/);
        assert.equal(move.json.request, move.headers['x-request-id']);
      };
      await refused();
      await Promise.all([refused(), refused()]);
    } finally {
      await bed.cluster.restart();
    }
    await until(60, 'the service is ready again', async () => (await down.client.get('/readyz')).status === 200);
    good(await down.client.post('/v1/players', { name: 'Early', password }));
    good(await play(down.client, game, seat, [moves[0]], seq));
    assert.deepEqual(await down.end(), [0, null]);
  });
});

describe('the service is told to stop', { timeout: 300_000 }, () => {
  it('while eight bots play: it ends well, and the next one goes on', async () => {
    const match = await startTables();
    for (let time = 0; time < (isLong ? 3 : 1); time++) {
      await moreMoves(match, 50);
      // Without closing the bots' connections: that is the service's part.
      const before = service;
      before.signal('SIGTERM');
      assert.deepEqual(await before.ended, [0, null]);
      service = await bed.startService();
    }
    await match.finished;
    await checkTables(match);
  });

  it('answers what it has begun', async () => {
    const stopping = await bed.startService([], realPasswords);
    // Slow ones: each hashes a password, two at a time.
    const requests = Array.from({ length: 6 }, (_, i) => stopping.client.post('/v1/players', { name: `Begun ${i}`, password }));
    await Promise.race(requests);
    stopping.signal('SIGTERM');
    for (const answer of await Promise.all(requests)) {
      assert.equal(answer.status, 201, answer.text);
      assert.equal((await service.client.get('/v1/me', { token: answer.json.token })).status, 200);
    }
    assert.deepEqual(await stopping.ended, [0, null]);
    await assert.rejects(stopping.client.get('/healthz'), { code: 'ECONNREFUSED' });
  });
});

describe('two services on one database', { timeout: 300_000 }, () => {
  it('take the moves of one game in turn', async () => {
    const other = await bed.startService();
    const both = [service.client, other.client];
    const { game } = await makeGame(service.client, organizer, players.slice(0, 3), { ruleset: soonOver });
    for (let ply = 0, over = false; !over; ply++) {
      const [one, two] = ply % 2 ? both : [...both].reverse();
      // The one hears of what the other was asked for last when the database tells it.
      const position = await now(two, game);
      await until(60, 'both are as far', async () => (await now(one, game)).seq === position.seq);
      assert.deepEqual(await now(one, game), position);
      const [seat] = position.deciders;
      const { moves, seq } = await legalMoves(two, game, seat);
      assert.equal(seq, position.seq);
      const answer = good(await play(one, game, seat, [random.pick(moves)], seq));
      over = answer.finished;
    }
    const record = (await both[0].get(`${game.at}/record`)).text;
    await until(60, 'both have the record', async () => (await both[1].get(`${game.at}/record`)).text === record);
    await until(60, 'both find it good', async () => good(await both[1].get(`${game.at}/verification`)).verdict === 'valid');
    assert.deepEqual(good(await both[0].get('/v1/keys')), good(await both[1].get('/v1/keys')));
    assert.deepEqual(await other.end(), [0, null]);
  });

  it('have one winner of a race between them, and one receipt for the same request', async () => {
    const other = await bed.startService();
    const { game } = await makeGame(service.client, organizer, players.slice(0, 3));
    for (let race = 0; race < 30; race++) {
      const position = await now(service.client, game);
      const [seat] = position.deciders;
      const { moves, seq } = await legalMoves(service.client, game, seat);
      const same = race % 2 === 0 || moves.length === 1;
      const [here, there] = await Promise.all([
        play(service.client, game, seat, [moves[0]], seq),
        play(other.client, game, seat, [same ? moves[0] : moves.at(-1)], seq),
      ]);
      if (same) {
        assert.deepEqual([here.status, there.status], [200, 200]);
        assert.deepEqual(said(here.json.receipt), said(there.json.receipt));
      } else {
        assert.deepEqual([here.status, there.status].sort(), [200, 409]);
        const lost = here.status === 409 ? here : there;
        assert.equal(`${lost.json.code} ${lost.json.seq}`, `stale-sequence ${seq + 1}`);
      }
      assert.equal((await now(other.client, game)).seq, seq + 1);
    }
    assert.deepEqual(await other.end(), [0, null]);
  });
});
