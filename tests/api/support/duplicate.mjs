// Duplicate events played over HTTP, and their scoring reckoned anew from records.
import assert from 'node:assert/strict';

import { good } from './client.mjs';
import { makeEvent, playRandomly } from './play.mjs';

export const makeDuplicate = (client, organizer, players, settings) =>
  makeEvent(client, organizer, players, {
    format: 'duplicate',
    seats_min: undefined,
    seats_max: undefined,
    rounds: undefined,
    ...settings,
  });

export const readRound = (client, event, number, token) =>
  client.get(`/v1/events/${event.id}/rounds/${number}`, { token }).then(good);

// Games of a round with their addresses and players in the order of their seats.
export function seated(round, players) {
  for (const game of round.games) {
    game.at = `/v1/games/${game.id}`;
    game.players = game.seats.map((seat) => players.find((player) => player.id === seat.player.id));
  }
  return round.games;
}

// The position as one of its players sees it: others may not.
export const own = async (client, game) => good(await client.get(game.at, { token: game.players[0].token }));

// Plays a game at random, all seats with their own tokens.
export async function playHidden(client, game, random, plies = Infinity) {
  const token = game.players[0].token;
  const seeing = { ...client, get: (at, options = {}) => client.get(at, { token, ...options }) };
  seeing.post = (...parts) => client.post(...parts);
  return playRandomly(seeing, game, random, { plies });
}

// Exact fractions of whole numbers of any size.
const divisor = (a, b) => (b === 0n ? (a < 0n ? -a : a) : divisor(b, a % b));
export class Fraction {
  constructor(numerator, denominator = 1) {
    const [n, d] = [BigInt(numerator), BigInt(denominator)];
    const common = divisor(n, d) || 1n;
    this.numerator = n / common;
    this.denominator = d / common;
  }
  plus(other) {
    return new Fraction(
      this.numerator * other.denominator + other.numerator * this.denominator,
      this.denominator * other.denominator,
    );
  }
  times(numerator, denominator = 1) {
    return new Fraction(this.numerator * BigInt(numerator), this.denominator * BigInt(denominator));
  }
  minus(other) {
    return this.plus(other.times(-1));
  }
  sign() {
    return this.numerator > 0n ? 1 : this.numerator < 0n ? -1 : 0;
  }
}

export function assertFraction(shown, expected, what) {
  const same = BigInt(shown.numerator) * expected.denominator === expected.numerator * BigInt(shown.denominator);
  assert.ok(same, `${what}: ${shown.text}, expected ${expected.numerator}/${expected.denominator}`);
}

// results: [{ round, board, seat, player, score }]. Adds to each its field, matchpoints, place and
// percentage, by the definitions: 2 a result beaten, 1 a tie; Neuberg to the largest field.
export function markResults(results) {
  const fieldOf = (result) =>
    results.filter((each) => each.round === result.round && each.board === result.board && each.seat === result.seat);
  const most = Math.max(...results.map((result) => fieldOf(result).length));
  return results.map((result) => {
    const others = fieldOf(result).filter((each) => each !== result);
    const beaten = others.filter((each) => each.score < result.score).length;
    const tied = others.filter((each) => each.score === result.score).length;
    const field = others.length + 1;
    const matchpoints = 2 * beaten + tied;
    const brought = new Fraction(most, field).times(matchpoints + 1).minus(new Fraction(1));
    const percentage = most === 1 ? new Fraction(50) : brought.times(100, 2 * (most - 1));
    return { ...result, field, matchpoints, tied, place: 1 + others.length - beaten - tied, percentage };
  });
}

// What the standings must be, best first: [{ player, points, won, last }], without the draw.
export function rankResults(players, marked, { scoring, boards }) {
  const last = Math.max(...marked.map((each) => each.round * 100 + each.board));
  const rows = players.map((player) => {
    const own = marked.filter((each) => each.player === player);
    const sum = own.reduce((total, each) => total.plus(each.percentage), new Fraction(0));
    const score = own.reduce((total, each) => total + each.score, 0);
    const played = own.length || 1;
    return {
      player,
      points: scoring === 'total' ? new Fraction(score * boards, played) : sum.times(1, played),
      won: own.filter((each) => each.place === 1 && each.field > 1).reduce((total, each) => total + (each.tied ? 1 : 2), 0),
      last: own.find((each) => each.round * 100 + each.board === last)?.percentage ?? new Fraction(0),
    };
  });
  return rows.sort((a, b) => b.points.minus(a.points).sign() || b.won - a.won || b.last.minus(a.last).sign());
}
