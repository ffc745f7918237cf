// How many watch a game: those who follow it without a seat in it.
import assert from 'node:assert/strict';
import { it } from 'node:test';

import { good } from '../support/client.mjs';
import { makeGame, makePlayers } from '../support/play.mjs';
import { client, organizer, serve } from '../support/served.mjs';
import { Stream } from '../support/stream.mjs';
import { until } from '../support/waiting.mjs';

let game;
serve({}, async () => {
  ({ game } = await makeGame(client, organizer, await makePlayers(client, 3)));
});

const watching = async () => good(await client.get(`${game.at}/watching`)).watching;
const comes = (wanted) => until(20, `${wanted} watch`, async () => (await watching()) === wanted);

it('they are counted while their streams are open, and players are not', async () => {
  assert.equal(await watching(), 0);
  const seat = await Stream.open(client, `${game.at}/stream`, { token: game.players[0].token });
  const first = await Stream.open(client, `${game.at}/stream`);
  const second = await Stream.open(client, `${game.at}/stream`, { token: organizer.token });
  assert.equal(seat.status, 200);
  await comes(2);
  for (const token of [undefined, organizer.token, game.players[0].token]) assert.deepEqual(good(await client.get(`${game.at}/watching`, { token })), { watching: 2 });
  second.close();
  await comes(1);
  first.close();
  await comes(0);
  seat.close();
});

it('there is no such number of a game that is not there', async () => {
  assert.equal((await client.get('/v1/games/0193a2b4-5c6d-7e8f-9012-3456789abcde/watching')).status, 404);
});
