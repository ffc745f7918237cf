// What there is to be read: an event that is over, with byes, ties and names that try everything; and
// one that runs.
import { good } from '../../api/support/client.mjs';
import { endQuietly, makeEvent, makePlayer, makePlayers, password, playRandomly, Random, startRound } from '../../api/support/play.mjs';
import { Testbed } from '../../api/support/testbed.mjs';
import { isLong } from '../../long.mjs';
import { launch, Reader } from './browser.mjs';

export const eventName = `<img src=x onerror="alert(1)">"'&amp; מועדון`;

// Names as people and attackers choose them.
export const names = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  `' onmouseover='alert(1)`,
  '{seat 1}',
  'javascript:alert(1)',
  'שרה לוי',
  'محمد علي',
  'W'.repeat(60),
  '王秀英',
  'Ann & Bob &lt;b&gt;',
  '__proto__',
];

export async function makeNamed(client, name) {
  const session = good(await client.post('/v1/players', { name, password }));
  return { id: session.player.id, name, token: session.token };
}

async function playRound(client, event, organizer, players, random, { plies }) {
  const round = await startRound(client, event, organizer, players);
  // Each day the first table is played for that long, and the others are for a quarter of it.
  for (const [i, game] of round.games.entries()) {
    await playRandomly(client, game, random, { plies: isLong || i === 0 ? plies : Math.ceil(plies / 4) });
    await endQuietly(client, game, organizer);
  }
  return round;
}

// A finished event of 13 players at tables of four: three rounds, one bye in each.
async function playEvent(client, random) {
  const organizer = await makePlayer(client, 'Organizer');
  const players = [...(await Promise.all(names.map((name) => makeNamed(client, name)))), ...(await makePlayers(client, 2))];
  const event = await makeEvent(client, organizer, players, { name: eventName, seats_min: 4 });
  const rounds = [];
  for (const plies of [60, 20, 0]) rounds.push(await playRound(client, event, organizer, players, random, { plies }));
  await client.delete(`/v1/events/${event.id}/entries/${players[12].id}`, organizer.token);
  good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
  return { organizer, players, event, rounds };
}

// A service with a finished event, and a browser that reads it.
export async function makeWorld(seed) {
  const bed = new Testbed();
  const service = await bed.startService();
  const { client } = service;
  const random = new Random(seed);
  const [past, browser] = await Promise.all([playEvent(client, random), launch()]);
  const reader = new Reader(browser, client.port);
  const end = async () => {
    await reader.close();
    await browser.close();
    await bed.end();
  };
  return { bed, service, client, random, reader, browser, end, ...past };
}

// A running event of four players with its only table.
export async function makeRunning(world, settings = {}) {
  const players = await makePlayers(world.client, 4, 'Runner');
  const event = await makeEvent(world.client, world.organizer, players, { name: 'Running', seats_min: 4, rounds: 2, ...settings });
  const round = await startRound(world.client, event, world.organizer, players);
  return { event, players, game: round.games[0] };
}

// What pages make of a tie-break of a row of the standings: those that only order players have values for people.
export function toldTieBreak({ chain, rows }, row, position) {
  const { code } = chain[position];
  const { text } = row.tie_breaks[position];
  const value = Number(text);
  if (code === 'RND') return String(rows.filter((each) => Number(each.tie_breaks[position].text) > value).length + 1);
  if (code === 'LAST') return value === -524288 ? 'no table' : `table ${Math.floor(-value / 8)}, place ${-value % 8}`;
  return text.replace('-', '−');
}

export const tieBreakHead = ({ code }) => (code === 'RND' ? 'Lot' : code);
