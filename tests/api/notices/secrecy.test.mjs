// What notices say depends on nothing that is hidden: a service that believes in another deal (tests/api/request/twin_catalog.c) writes the same
// ones. And of a duplicate round nobody learns anything about tables at which they do not sit.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makeDuplicate, playHidden, seated } from '../support/duplicate.mjs';
import { makeGame, makePlayer, Random } from '../support/play.mjs';
import { until } from '../support/waiting.mjs';
import { NoticeBed, off } from './notices.mjs';

let bed;
let client; // of a service that sends no notices
let organizer;
const settings = ['--site-address', 'https://club.example', '--smtp-from', 'tillroll@club.example', '--smtp-retry-ms', '50'];
before(async () => {
  bed = await new NoticeBed().open();
  ({ client } = await bed.startService([...settings, '--smtp-url', bed.box.url, '--notices-ms', '0', '--mails-per-hour', '0'], {}, 'tests/twin_tillrolld'));
  organizer = await makePlayer(client, 'Organizer');
});
after(() => bed.end());

const all = { ...off, your_turn: 'at_once', clock_low: 'at_once', round_paired: 'at_once', game_over: 'at_once', dispute: 'at_once' };

// One statement, as a cause becomes something to watch in one transaction.
const nothingToLookAt = () => bed.sql(`SELECT count(*) FROM (SELECT FROM tillroll.notice_watch WHERE seq = -1
  UNION ALL SELECT FROM tillroll.notice_cause) AS left_over`) === '0';

// All mails and rows that one world writes of what is in the database now, by player. Rows of turns are gone when they have been sent.
async function toldBy(twin, players) {
  bed.sql(`DELETE FROM tillroll.outbox; UPDATE tillroll.notice_watch SET seq = -1, told = 0;
    CREATE TABLE tillroll.stored AS SELECT * FROM tillroll.outbox;
    CREATE FUNCTION tillroll.store() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$BEGIN
      INSERT INTO tillroll.stored SELECT NEW.*; RETURN NULL; END$$;
    CREATE TRIGGER store AFTER INSERT ON tillroll.outbox FOR EACH ROW EXECUTE FUNCTION tillroll.store()`);
  const from = bed.box.mails.length;
  const environment = twin === null ? {} : { TILLROLL_TWIN: String(twin) };
  const service = await bed.startService([...settings, '--smtp-url', bed.box.url, '--notices-ms', '50', '--mails-per-hour', '0'], environment, 'tests/twin_tillrolld');
  await until(60, 'all games have been looked at', nothingToLookAt);
  await until(60, 'what is due is sent', () => bed.sql("SELECT count(*) FROM tillroll.outbox WHERE state = 'waiting' AND kind <> 'clock_low'") === '0');
  await service.end();
  const mails = bed.box.mails.slice(from).map(({ to, headers, text, html }) => JSON.stringify([to, headers.subject, text, html])).sort();
  const rows = bed.sql(`SELECT stored.player_id, stored.kind, stored.channel, stored.notice, coalesce(outbox.state, 'gone'),
    CASE WHEN outbox.state = 'waiting' THEN round(extract(epoch FROM outbox.due_at - outbox.created_at) / 60) END
    FROM tillroll.stored LEFT JOIN tillroll.outbox USING (id)
    WHERE stored.player_id IN (${players.map(({ id }) => `'${id}'`).join()}) ORDER BY stored.player_id, stored.kind, stored.notice::text`);
  bed.sql('DROP TRIGGER store ON tillroll.outbox; DROP FUNCTION tillroll.store; DROP TABLE tillroll.stored');
  return { mails, rows };
}

// Plies that are legal in all worlds, so that their records are good in all of them.
async function playOn(worlds, game, random, plies) {
  for (let ply = 0; ply < plies; ply += 1) {
    const { deciders } = good(await client.get(game.at, { token: game.players[0].token }));
    const seat = random.pick(deciders);
    const [legal, ...there] = await Promise.all(worlds.map(async (at) => good(await at.get(`${game.at}/legal-moves`, { token: game.players[seat].token }))));
    const common = legal.moves.filter((move) => there.every(({ moves }) => moves.includes(move)) && !/^offer |^draw$/.test(move));
    if (common.length === 0) return ply;
    const { seq } = good(await client.post(`${game.at}/moves`, { moves: [random.pick(common)], seq: legal.seq }, game.players[seat].token));
    for (const at of worlds) await until(20, 'all have heard', async () => good(await at.get(game.at, { token: game.players[0].token })).seq >= seq);
  }
  return plies;
}

it('what a seat holds changes no notice', async () => {
  const random = new Random('notices');
  const twins = await Promise.all([0, 1].map((seat) => bed.startService(['--notices-ms', '0'], { TILLROLL_TWIN: String(seat) }, 'tests/twin_tillrolld')));
  const worlds = [client, ...twins.map((twin) => twin.client)];
  const players = await bed.readers(client, 3, all);
  let played = 0;
  for (const ruleset of ['mall-world', 'shinjuku', 'superstore-3000']) {
    const { game } = await makeGame(client, organizer, players, { ruleset, seats_min: 3, seats_max: 3, name: ruleset, clock: { move_ms: 86400000 } });
    played += await playOn(worlds, game, random, 12);
  }
  assert.ok(played > 20, String(played));
  for (const twin of twins) await twin.end();
  await toldBy(null, players); // what is told once, of the beginning
  const told = [];
  for (const twin of [null, 0, 1]) told.push(await toldBy(twin, players));
  assert.ok(told[0].rows.includes('your_turn') && told[0].rows.includes('clock_low') && told[0].mails.length > 0);
  for (const other of told.slice(1)) assert.deepEqual(other, told[0]);
});

it('a duplicate round tells each player of their own tables, and nothing that has happened there', async () => {
  const players = await bed.readers(client, 4, all);
  const event = await makeDuplicate(client, organizer, players, { ruleset: 'supermarche', boards: 1, name: 'Duplicate' });
  const round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
  const [game, other] = seated(round, players);
  assert.ok(other);
  await playHidden(client, game, new Random('duplicate'));
  const { mails } = await toldBy(null, players);
  await toldBy(null, players);
  for (const player of game.players) assert.ok(mails.some((mail) => mail.includes(player.email) && mail.includes('Your game is over')));
  for (const player of other.players) {
    const own = mails.filter((mail) => mail.includes(player.email));
    assert.ok(own.every((mail) => !mail.includes(game.id) && !mail.includes('is over')));
  }
  assert.ok(mails.every((mail) => !/score|rank|place \d/i.test(mail)));
});

it('a game whose record cannot be read is no longer watched, and stands in nobody\'s way', async () => {
  const random = new Random('damaged');
  const players = await bed.readers(client, 2, all);
  const { game } = await makeGame(client, organizer, players, { ruleset: 'shinjuku', seats_min: 2, seats_max: 2, name: 'Damaged' });
  for (let ply = 0; ply < 120; ply += 1) { // some of which the hand of the other deal does not have
    const { deciders } = good(await client.get(game.at));
    const { moves, seq } = good(await client.get(`${game.at}/legal-moves`, { token: game.players[deciders[0]].token }));
    good(await client.post(`${game.at}/moves`, { moves: [random.pick(moves)], seq }, game.players[deciders[0]].token));
  }
  const service = await bed.startService([...settings, '--smtp-url', bed.box.url, '--notices-ms', '50', '--mails-per-hour', '0'], { TILLROLL_TWIN: '0' }, 'tests/twin_tillrolld');
  await until(60, 'nothing is left to look at', nothingToLookAt);
  assert.equal(bed.sql(`SELECT count(*) FROM tillroll.notice_watch WHERE game_id = '${game.id}'`), '0');
  assert.ok(players.every((player) => bed.told(player).some((each) => each.startsWith('round_paired'))));
  const [code] = await service.end();
  assert.equal(code, 0);
});
