// A service tells others of its moves after their commit. If it dies in between, others find out that it has gone, and look.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';

import { good } from '../support/client.mjs';
import { legalMoves, makeGame, makePlayer, makePlayers, now, play } from '../support/play.mjs';
import { Stream } from '../support/stream.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

let bed, service, client, other, game, listener;

before(async () => {
  bed = new Testbed();
  service = await bed.startService();
  ({ client } = service);
  const hearing = () => bed.cluster.sql("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 1953066092 AND granted").split('\n').filter(Boolean);
  [listener] = await until(60, 'the service hears', () => hearing().length === 1 && hearing());
  ({ client: other } = await bed.startService());
  await until(60, 'the other hears', () => hearing().length === 2);
  ({ game } = await makeGame(client, await makePlayer(client, 'Organizer'), await makePlayers(client, 3)));
});
after(() => bed.end());

async function move() {
  const { deciders: [seat] } = await now(client, game);
  const { moves, seq } = await legalMoves(client, game, seat);
  return good(await play(client, game, seat, moves.slice(0, 1), seq)).seq;
}

it('a move that was committed, and never told, reaches the streams of another service', async () => {
  const stream = await Stream.open(other, `${game.at}/stream`);
  await stream.reached(await move());
  process.kill(Number(listener), 'SIGSTOP'); // what the service has to tell stays with this process of the database
  try {
    const last = await move();
    await service.end('SIGKILL');
    await stream.reached(last);
    assert.equal((await now(other, game)).seq, last);
  } finally {
    process.kill(Number(listener), 'SIGCONT');
    stream.close();
  }
});
