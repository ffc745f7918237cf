// Games that wait for their players' entropy, and giving it to them.
import { randomBytes } from 'node:crypto';

import { good } from './client.mjs';

export const bytes = (size = 32) => randomBytes(size).toString('hex');

// A game that waits, of a document with its players' seats, with the players in the order of seats.
export const waitingGame = (id, seats, players) => (
  { id, at: `/v1/games/${id}`, players: seats.map((seat) => players.find((player) => player.id === seat.player.id)) });

export const look = async (client, game) => good(await client.get(`${game.at}/entropy`));

export const gift = async (client, game, entropy) => ({ entropy, commitment: (await look(client, game)).commitment });

export const put = (client, game, seat, body) => client.request('PUT', `${game.at}/entropy`, { json: body, token: game.players[seat].token });

export const give = async (client, game, seat, entropy) => put(client, game, seat, await gift(client, game, entropy));

// All of its players give: what they gave, in the order of seats.
export async function giveAll(client, game) {
  const given = game.players.map(() => bytes());
  for (const [seat, entropy] of given.entries()) good(await give(client, game, seat, entropy));
  return given;
}

// The lines of a record that begin with a word, without their marks.
export const linesOf = (record, word) => record.split('\n').filter((line) => line.startsWith(`${word} `)).map((line) => line.replace(/ #\w+$/, ''));
