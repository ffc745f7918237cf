// Players, events and games, made and played over HTTP.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';

import { isLong } from '../../long.mjs';
import { build } from './build.mjs';
import { good } from './client.mjs';
import { undoInTheEnd } from './testbed.mjs';

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

let names = 0; // in the databases of the beds that there are: a file finds the same ones, whatever has run before it

// A new player: { id, name, token }.
export async function makePlayer(client, stem = 'Player') {
  if (names === 0) undoInTheEnd(() => { names = 0; });
  const name = `${stem} ${++names}`;
  const session = good(await client.post('/v1/players', { name, password }));
  return { id: session.player.id, name, token: session.token };
}

export async function makePlayers(client, count, stem) {
  return Promise.all(Array.from({ length: count }, () => makePlayer(client, stem)));
}

const usual = { entropy_seconds: 0, name: 'Friday night', ruleset: 'shinjuku', seats_min: 3, seats_max: 4, rounds: 3 };

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
    game.organizer = organizer;
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
    if (legal.moves.length === 0) continue; // who has bid waits for the others
    const move = random.pick(legal.moves);
    const answer = good(await play(client, game, seat, [move], legal.seq));
    position = answer.sealed ? await now(client, game) : answer;
    await each?.({ seat, move, seq: legal.seq, answer });
  }
  return position;
}

// Plays until the game is over or has `plies`: any kind of move as likely as any other, so that many come up.
export async function playLively(client, game, random, plies) {
  const look = async () => good(await client.get(game.at, { token: game.players[0].token })); // a board's game is hidden from others
  let position = await look();
  for (let ply = 0; ply < plies && position.deciders.length > 0; ply++) {
    const offered = await Promise.all(position.deciders.map((seat) => legalMoves(client, game, seat)));
    const at = offered.findIndex(({ moves }) => moves.length > 0); // who has bid waits for the others
    const verb = random.pick([...new Set(offered[at].moves.map((move) => move.split(' ')[0]))]);
    const moves = offered[at].moves.filter((move) => move.split(' ')[0] === verb);
    const lasting = moves.filter((move) => !/ (done|none)$/.test(move));
    good(await play(client, game, position.deciders[at], [random.pick(lasting.length > 0 ? lasting : moves)], offered[at].seq));
    position = await look();
  }
}

// Plays random moves until it is a seat's turn; whose turn does not come fails.
export async function untilTurn(client, game, seat, random) {
  let { deciders } = await now(client, game);
  while (deciders[0] !== seat) {
    assert.notEqual(deciders.length, 0, `the game ended before it was seat ${seat}'s turn`);
    ({ deciders } = await playRandomly(client, game, random, { plies: 1 }));
  }
}

// Plays a game of Mall World until several seats decide at the same time; the game as it is then.
// `submit`: how a move is played.
export async function reachAuction(client, game, random, submit = play) {
  for (let ply = 0; ply < 4000; ply++) {
    const position = await now(client, game);
    assert.notEqual(position.deciders.length, 0, 'the game ended without an auction');
    if (position.deciders.length > 1) return position;
    const [seat] = position.deciders;
    const legal = await legalMoves(client, game, seat);
    // Offers lead to auctions.
    const offers = legal.moves.filter((move) => move.startsWith('offer '));
    const two = offers.filter((move) => move.split(' ').length > 2);
    const move = random.pick(two.length ? two : offers.length ? offers : legal.moves);
    good(await submit(client, game, seat, [move], legal.seq));
  }
  throw new Error('no auction in 4000 plies');
}

// Ends a game at once: the fallback move is played for every seat.
export async function endQuietly(client, game, organizer) {
  for (let seat = 0; seat < game.players.length; seat++)
    await client.post(`${game.at}/fallback`, { seat }, organizer.token);
}

// What is played to its end where any ruleset will do. A game of Superstore 3000 has half as many plies as one of Shinjuku.
export const soonOver = isLong ? 'shinjuku' : 'superstore-3000';

// A finished game, where it does not matter what happened in it: a few plies of all that have a turn, then the end. A whole game of
// Shinjuku has 220 plies, and is played in the long run.
export async function playBriefly(client, game, random) {
  if (isLong) return playRandomly(client, game, random);
  await playRandomly(client, game, random, { plies: 12 });
  await endQuietly(client, game, game.organizer);
  return now(client, game);
}

// A whole game at a real table as a scorer tells it, game `number` of three seats: its entries without marks, up to `show`.
export function told(slug, number = 1) {
  const roll = execFileSync(path.join(build, 'tests/write_roll'), [slug, '3', String(number), 'recorded'], { encoding: 'utf8' });
  const lines = roll.trimEnd().split('\n').map((line) => line.slice(0, -' #01234567'.length));
  const entries = lines.slice(lines.findIndex((line) => line.startsWith('start ')) + 1);
  return entries.slice(0, entries.findIndex((line) => line.endsWith(' show')) + 1).map((entry) => entry.replace(/^(\d+ \S+) \d+/, '$1 5000'));
}
