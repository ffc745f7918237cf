// The formulas of both rating systems in floating point, from their papers; what the service stores is
// these rounded to whole millionths (volatility: billionths).
import assert from 'node:assert/strict';

// A stored number is the formula's, rounded: nothing else fits, but where it lies at the edge.
export const assertRounded = (stored, real, what) =>
  assert.ok(Math.abs(stored - real) < 0.51, `${what}: ${stored} is not ${real} rounded`);

// Plackett-Luce (Weng and Lin, algorithm 4). seats: [{ mu, sigma, rank }] in millionths; returns the
// same of what they become, not rounded.
export function plackettLuce(seats) {
  const [beta, tau, kappa] = [25 / 6, 25 / 300, 1e-4];
  const players = seats.map(({ mu, sigma, rank }) => ({ mu: mu / 1e6, variance: (sigma / 1e6) ** 2 + tau ** 2, rank }));
  const c = Math.sqrt(players.reduce((sum, { variance }) => sum + variance + beta ** 2, 0));
  const strength = ({ mu }) => Math.exp(mu / c);
  return players.map((own) => {
    let omega = 0;
    let delta = 0;
    for (const other of players.filter(({ rank }) => rank <= own.rank)) {
      const behind = players.filter(({ rank }) => rank >= other.rank).reduce((sum, each) => sum + strength(each), 0);
      const tied = players.filter(({ rank }) => rank === other.rank).length;
      const p = strength(own) / behind;
      omega += ((own === other ? 1 : 0) - p) / tied;
      delta += (p * (1 - p)) / tied;
    }
    const { mu, variance } = own;
    const sigma = Math.sqrt(variance);
    return {
      mu: 1e6 * (mu + (omega * variance) / c),
      sigma: 1e6 * sigma * Math.sqrt(Math.max(1 - delta * (variance / c ** 2) * (sigma / c), kappa)),
    };
  });
}

const glickoScale = 173.7178;

// The deviation after periods without games.
export const rested = (deviation, volatility, periods) =>
  1e6 * Math.min(350, glickoScale * Math.sqrt((deviation / 1e6 / glickoScale) ** 2 + periods * (volatility / 1e9) ** 2));

// Glicko-2 (Glickman 2013). own: { rating, deviation, volatility } as stored; games: [{ opponent,
// score }] with scores of 0, 1/2 and 1.
export function glicko2(own, games) {
  const tau = 0.5;
  const mu = (own.rating / 1e6 - 1500) / glickoScale;
  const phi = own.deviation / 1e6 / glickoScale;
  const sigma = own.volatility / 1e9;
  const meetings = games.map(({ opponent, score }) => {
    const g = 1 / Math.sqrt(1 + (3 * (opponent.deviation / 1e6 / glickoScale) ** 2) / Math.PI ** 2);
    const e = 1 / (1 + Math.exp(-g * (mu - (opponent.rating / 1e6 - 1500) / glickoScale)));
    return { g, e, score };
  });
  const v = 1 / meetings.reduce((sum, { g, e }) => sum + g ** 2 * e * (1 - e), 0);
  const improvement = meetings.reduce((sum, { g, e, score }) => sum + g * (score - e), 0);
  const delta = v * improvement;
  const a = Math.log(sigma ** 2);
  const f = (x) => {
    const whole = phi ** 2 + v + Math.exp(x);
    return (Math.exp(x) * (delta ** 2 - whole)) / (2 * whole ** 2) - (x - a) / tau ** 2;
  };
  // f falls: bisection between two points around its root.
  let [low, high] = [a, a];
  while (f(low) < 0) low -= tau;
  while (f(high) > 0) high += tau;
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2;
    if (f(middle) > 0) low = middle;
    else high = middle;
  }
  const newSigma = Math.exp(low / 2);
  const before = Math.sqrt(phi ** 2 + newSigma ** 2);
  const newPhi = 1 / Math.sqrt(1 / before ** 2 + 1 / v);
  return {
    rating: 1e6 * (1500 + glickoScale * (mu + newPhi ** 2 * improvement)),
    deviation: 1e6 * Math.min(350, glickoScale * newPhi),
    volatility: 1e9 * newSigma,
  };
}

// Wilson's interval of 95 % for `won` of `tables`.
export function wilson(won, tables) {
  const z = 1.96;
  const centre = won + z ** 2 / 2;
  const half = z * Math.sqrt(z ** 2 / 4 + (won * (tables - won)) / tables);
  return [(centre - half) / (tables + z ** 2), (centre + half) / (tables + z ** 2)];
}
