// Players, events and games, made and played over HTTP.
import { createHash } from 'node:crypto';

import { good } from './client.mjs';

export const password = 'correct horse battery';

// A reproducible source of numbers: the n-th of a seed is the same on every machine.
export class Random {
  #seed;
  #count = 0;

  constructor(seed) {
    this.#seed = seed;
  }

  // 0 .. n - 1
  below(n) {
    const hash = createHash('sha256').update(`${this.#seed} ${this.#count++}`).digest();
    return hash.readUInt32BE(0) % n;
  }

  pick(list) {
    return list[this.below(list.length)];
  }
}

let names = 0;

// A new player: { id, name, token }.
export async function makePlayer(client, stem = 'Player') {
  const name = `${stem} ${++names}`;
  const session = good(await client.post('/v1/players', { name, password }));
  return { id: session.player.id, name, token: session.token };
}

export async function makePlayers(client, count, stem) {
  return Promise.all(Array.from({ length: count }, () => makePlayer(client, stem)));
}

const usual = { name: 'Friday night', ruleset: 'shinjuku', seats_min: 3, seats_max: 4, rounds: 3 };

// An event with all of `players` in it, ready for its first round.
export async function makeEvent(client, organizer, players, settings = {}) {
  const event = good(await client.post('/v1/events', { ...usual, ...settings }, organizer.token));
  const at = `/v1/events/${event.id}`;
  good(await client.post(`${at}/open-entries`, {}, organizer.token));
  for (const player of players) good(await client.post(`${at}/entries`, {}, player.token));
  return good(await client.post(`${at}/close-entries`, {}, organizer.token));
}

// Starts the next round; its games with the players in the order of their seats.
export async function startRound(client, event, organizer, players) {
  const round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
  for (const game of round.games) {
    game.at = `/v1/games/${game.id}`;
    game.players = game.seats.map((seat) => players.find((player) => player.id === seat.player.id));
  }
  return round;
}

// A running game at a table of its own: { game, organizer, event }.
export async function makeGame(client, organizer, players, settings = {}) {
  const seats = { seats_min: players.length, seats_max: players.length, rounds: 1 };
  const event = await makeEvent(client, organizer, players, { ...seats, ...settings });
  const round = await startRound(client, event, organizer, players);
  return { event, game: round.games[0] };
}

export const now = async (client, game) => good(await client.get(game.at));

export const legalMoves = async (client, game, seat) =>
  good(await client.get(`${game.at}/legal-moves`, { token: game.players[seat].token }));

export const play = (client, game, seat, moves, seq, headers) =>
  client.post(`${game.at}/moves`, { moves, seq }, game.players[seat].token, headers);

// Plays random moves for all seats until the game is over or `plies` are played. `each` is told of
// every answer: ({ seat, move, seq, answer }). Returns the last answer.
export async function playRandomly(client, game, random, { plies = Infinity, each } = {}) {
  let position = await now(client, game);
  for (let ply = 0; ply < plies && position.deciders.length > 0; ply++) {
    const seat = random.pick(position.deciders);
    const legal = await legalMoves(client, game, seat);
    const move = random.pick(legal.moves);
    position = good(await play(client, game, seat, [move], legal.seq));
    await each?.({ seat, move, seq: legal.seq, answer: position });
  }
  return position;
}

// Ends a game at once: the quiet move plays for every seat.
export async function endQuietly(client, game, organizer) {
  for (let seat = 0; seat < game.players.length; seat++)
    await client.post(`${game.at}/fallback`, { seat }, organizer.token);
}
