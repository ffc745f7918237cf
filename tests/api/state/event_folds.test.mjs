// Events that a service has in memory are those of the database: of two services that write to it in
// turns, after steps that were rolled back, and when the database has lost lines. What is compared
// with is the event as of its last line, which is always folded from the log.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';

import { good } from '../support/client.mjs';
import { asOwner, unlocked } from '../support/damage.mjs';
import { endQuietly, makeEvent, makePlayer, makePlayers, startRound } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';

let bed;
let clients;
let organizer;
let players;

before(async () => {
  bed = new Testbed();
  // Without kept answers every read asks for the fold.
  clients = [];
  for (let i = 0; i < 2; i++) clients.push((await bed.startService(['--answer-cache-bytes', '0'])).client);
  organizer = await makePlayer(clients[0], 'Organizer');
  players = await makePlayers(clients[0], 7);
});
after(() => bed.end());

const lastLine = async (client, event) => good(await client.get(`/v1/events/${event.id}/log`)).items.at(-1).seq;

const shown = (client, event, query = '') =>
  Promise.all(
    ['', '/entries', '/standings', '/kept-apart'].map(async (part) => good(await client.get(`/v1/events/${event.id}${part}${query}`))),
  );

async function isAsTheLogSays(event) {
  const line = await lastLine(clients[0], event);
  const told = await shown(clients[0], event, `?as_of=${line}`);
  for (const client of clients) assert.deepEqual(await shown(client, event), told, `line ${line}`);
  return line;
}

it('two services take steps in turns', async () => {
  const event = await makeEvent(clients[0], organizer, players, { late_entries: 2, rounds: 2 });
  const at = `/v1/events/${event.id}`;
  await isAsTheLogSays(event);
  const apart = { players: [players[0].id, players[1].id], weight: 'forbidden' };
  const steps = [
    (client) => client.post(`${at}/kept-apart`, apart, organizer.token),
    (client) => client.delete(`${at}/entries/${players[2].id}`, organizer.token),
    (client) => client.post(`${at}/entries/${players[2].id}/return`, {}, organizer.token),
    (client) => client.request('PATCH', at, { json: { name: 'Saturday' }, token: organizer.token }),
    (client) => client.post(`${at}/entries/${players[3].id}/byes`, { round: 2, kind: 'half' }, organizer.token),
  ];
  for (const [i, step] of steps.entries()) {
    const answer = await step(clients[i % 2]);
    assert.ok(answer.status < 300, answer.text);
    await isAsTheLogSays(event);
  }
  for (let number = 0; number < 2; number++) {
    const { games } = await startRound(clients[number], event, organizer, players);
    await isAsTheLogSays(event);
    for (const [i, game] of games.entries()) {
      await endQuietly(clients[i % 2], game, organizer);
      await isAsTheLogSays(event);
    }
  }
});

it('steps that were rolled back are not remembered', async () => {
  const event = await makeEvent(clients[0], organizer, players);
  const at = `/v1/events/${event.id}`;
  const before = await isAsTheLogSays(event);
  asOwner(
    bed.cluster,
    `CREATE FUNCTION tillroll.no_game() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no game now'; END $$;
     CREATE TRIGGER no_game BEFORE INSERT ON tillroll.game FOR EACH ROW EXECUTE FUNCTION tillroll.no_game()`,
  );
  // The lines of the stage, the draw and the start have been written when the first game fails.
  for (const client of clients)
    assert.equal((await client.post(`${at}/rounds`, {}, organizer.token)).status, 500);
  assert.equal(await isAsTheLogSays(event), before);
  asOwner(bed.cluster, 'DROP TRIGGER no_game ON tillroll.game; DROP FUNCTION tillroll.no_game()');
  const { games } = await startRound(clients[1], event, organizer, players);
  assert.equal(games.length, 2);
  assert.equal(await isAsTheLogSays(event), before + 3);
});

it('lines that the database has lost are forgotten', async () => {
  const event = await makeEvent(clients[0], organizer, players);
  const at = `/v1/events/${event.id}`;
  const before = await isAsTheLogSays(event);
  good(await clients[0].post(`${at}/kept-apart`, { players: [players[0].id, players[1].id] }, organizer.token));
  await isAsTheLogSays(event);
  unlocked(bed.cluster, 'tillroll.event_change', `DELETE FROM tillroll.event_change WHERE event_id = '${event.id}' AND step > ${before}`);
  unlocked(bed.cluster, 'tillroll.event_step', `DELETE FROM tillroll.event_step WHERE event_id = '${event.id}' AND seq > ${before}`);
  assert.equal(await isAsTheLogSays(event), before);
  assert.deepEqual((await shown(clients[0], event))[3].items, []);
  // Another line in its place.
  good(await clients[1].post(`${at}/kept-apart`, { players: [players[2].id, players[3].id] }, organizer.token));
  assert.equal(await isAsTheLogSays(event), before + 1);
});
