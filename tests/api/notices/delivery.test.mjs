// How notices are handed over: none is lost, and none is another one when it comes again; several services share the work; quiet hours, digests;
// what players choose, and how they turn it off.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';

import { notLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { legalMoves, makeEvent, makeGame, makePlayer, now, play, Random, reachAuction } from '../support/play.mjs';
import { sleep, until } from '../support/waiting.mjs';
import { NoticeBed, off } from './notices.mjs';

let bed;
let organizer;
let idle; // a service without notices, by which things happen
let client;

before(async () => {
  bed = await new NoticeBed().open();
  idle = await bed.start('--notices-ms', '0');
  ({ client } = idle);
  organizer = await makePlayer(client, 'Organizer');
});
afterEach(async () => {
  bed.box.mode = 'take';
  await bed.endAllBut(idle);
});
after(() => bed.end());

const causes = () => Number(bed.sql('SELECT count(*) FROM tillroll.notice_cause'));
const nothingLeft = () => until(60, 'nothing is left to do', () => causes() === 0);

// One move of whoever has to decide; its seat.
async function moveOn(game) {
  for (const [seat, { token }] of game.players.entries()) {
    const { seq, moves } = (await client.get(`${game.at}/legal-moves`, { token })).json;
    if (!(moves?.length > 0)) continue;
    good(await play(client, game, seat, [moves[0].move ?? moves[0]], seq));
    return seat;
  }
  throw new Error('nobody can move');
}
const decides = async (game, player) => ((await client.get(`${game.at}/legal-moves`, { token: player.token })).json.moves?.length ?? 0) > 0;

describe('a service that is killed', () => {
  it('before it has looked at what happened leaves it to the next', async () => {
    const players = await bed.readers(client, 3);
    const { game } = await makeGame(client, organizer, players, { name: 'Before' });
    assert.ok(causes() > 0);
    const service = await bed.start();
    for (const { email } of players) assert.equal((await bed.box.to(email)).length, 1);
    assert.ok(game.id);
    await service.end();
  });

  it('while it hands over, again and again: the same notice comes, with one Message-ID', async () => {
    const [player, ...others] = [await bed.reader(client), ...(await bed.readers(client, 2, off))];
    await makeGame(client, organizer, [player, ...others], { name: 'Killed' });
    for (let i = 0; i < 4; i += 1) {
      bed.box.mode = i === 3 ? 'lose' : 'hang';
      const { tries } = bed.box;
      const service = await bed.start();
      await until(60, 'it is tried', () => bed.box.tries > tries);
      if (i === 3) await bed.box.to(player.email);
      await service.end('SIGKILL');
      bed.allDue();
    }
    bed.box.mode = 'take';
    const service = await bed.start();
    const mails = await bed.box.to(player.email, 2);
    assert.equal(new Set(mails.map((mail) => mail.headers['message-id'])).size, 1);
    assert.equal(new Set(mails.map((mail) => mail.text)).size, 1);
    await until(60, 'it is noted', () => bed.told(player).join() === 'round_paired sent');
    await service.end();
  });

  it('at any moment of a game loses no turn, and tells none twice', async () => {
    const reader = await bed.reader(client, { ...off, your_turn: 'at_once' });
    const { game } = await makeGame(client, organizer, [reader, await makePlayer(client, 'Ada')], { seats_min: 2, seats_max: 2, name: 'Turns' });
    let turns = 0;
    let was = false;
    for (let i = 0; i < 16; i += 1) {
      const is = await decides(game, reader);
      if (is && !was) {
        turns += 1;
        const service = await bed.start();
        if (i % 2 === 1) {
          await sleep(i * 7); // any moment will do
          await service.end('SIGKILL');
          bed.allDue();
        }
        const other = i % 2 === 1 ? await bed.start() : service;
        await until(60, `turn ${turns} is told, and noted`, () => {
          const ids = bed.box.mails.filter(({ to }) => to === `<${reader.email}>`).map(({ headers }) => headers['message-id']);
          return new Set(ids).size === turns && bed.told(reader).length === 0;
        });
        await other.end();
      }
      was = is;
      await moveOn(game);
    }
    assert.ok(turns >= 2);
    const ids = new Set((await bed.box.to(reader.email, turns)).map((mail) => mail.headers['message-id']));
    assert.equal(ids.size, turns);
  });
});

describe('a turn', () => {
  const alone = { ...off, your_turn: 'at_once' };
  const rows = (player) => bed.sql(`SELECT id, attempts, due_at > now() FROM tillroll.outbox WHERE player_id = '${player.id}' AND notice IS NOT NULL`).split('\n').filter(Boolean).map((row) => row.split('|'));
  const begin = async (player, name) => (await makeGame(client, organizer, [player, await makePlayer(client, 'Ada')], { seats_min: 2, seats_max: 2, name })).game;

  // Until the player's turn, without any service that tells of it.
  async function playTo(game, player) {
    while (!(await decides(game, player))) await moveOn(game);
  }

  it('is taken as it is added, and comes with the same id from another service if that one is killed, or ends', async () => {
    for (const [signal, name] of [['SIGKILL', 'Killed at a turn'], ['SIGTERM', 'Ended at a turn']]) {
      const reader = await bed.reader(client, alone);
      await playTo(await begin(reader, name), reader);
      bed.box.mode = 'hang';
      const { tries } = bed.box;
      const service = await bed.start();
      await until(60, 'it is tried', () => bed.box.tries > tries);
      const [[id, attempts, leased], ...more] = rows(reader);
      assert.deepEqual([attempts, leased, more], ['1', 't', []]);
      await service.end(signal);
      assert.equal(rows(reader)[0][2], signal === 'SIGKILL' ? 't' : 'f', 'what is in hand at the end is due at once');
      if (signal === 'SIGKILL') bed.allDue();
      bed.box.mode = 'take';
      const other = await bed.start();
      const [mail] = await bed.box.to(reader.email);
      assert.ok(mail.headers['message-id'].includes(id), mail.headers['message-id']);
      await until(60, 'it is noted', () => rows(reader).length === 0);
      await other.end();
    }
  });

  it('of a player who has quiet hours is told once when they are over, however often it was theirs meanwhile', async () => {
    const reader = await bed.reader(client, alone);
    const game = await begin(reader, 'Quiet turns');
    const hour = Number(bed.sql("SELECT extract(hour FROM now() AT TIME ZONE 'UTC')::integer"));
    const at = (offset) => `${String((hour + 24 + offset) % 24).padStart(2, '0')}:00`;
    await bed.choose(client, reader, { quiet_hours: { from: at(-1), to: at(3) } });
    const service = await bed.start();
    await playTo(game, reader);
    await until(60, 'it is postponed', () => rows(reader).join() !== '' && bed.sql(`SELECT bool_and(due_at > now() + interval '90 minutes') FROM tillroll.outbox WHERE player_id = '${reader.id}'`) === 't');
    const first = rows(reader);
    assert.equal(first.length, 1);
    assert.equal(first[0][1], '0');
    while (await decides(game, reader)) await moveOn(game);
    await playTo(game, reader);
    const seen = () => bed.sql(`SELECT seq = (SELECT max(seq) FROM tillroll.record_line WHERE game_id = '${game.id}') FROM tillroll.notice_watch WHERE game_id = '${game.id}'`) === 't';
    await until(60, 'it is looked at', seen);
    assert.deepEqual(rows(reader), first);
    await bed.choose(client, reader, { quiet_hours: null });
    await bed.box.to(reader.email);
    await until(60, 'it is noted', () => rows(reader).length === 0);
    assert.equal(bed.box.mails.filter(({ to }) => to === `<${reader.email}>`).length, 1);
    await service.end();
  });
});

describe('two services', () => {
  it('share the work: each notice is made once and sent once', async () => {
    const services = [await bed.start(), await bed.start()];
    const players = await bed.readers(client, 12);
    await makeGame(client, organizer, players.slice(0, 3), { name: 'One' });
    await makeGame(client, organizer, players.slice(3, 6), { name: 'Two' });
    await makeGame(client, organizer, players.slice(6, 12), { seats_min: 3, seats_max: 3, name: 'Three' });
    for (const { email } of players) assert.equal((await bed.box.to(email)).length, 1);
    await nothingLeft();
    for (const player of players) await until(20, 'it is noted', () => bed.told(player).join() === 'round_paired sent');
    for (const service of services) await service.end();
  });
});

// Has notices made of what has happened, while none can be handed over.
async function makeNotices(isMade) {
  bed.box.mode = 'hang';
  const service = await bed.start();
  await until(60, 'the notices are made', isMade);
  await service.end('SIGKILL');
}

// What mail comes then.
async function mailsOf(players) {
  bed.box.mode = 'take';
  bed.allDue();
  const service = await bed.start();
  await until(60, 'nothing waits', () => causes() === 0 && players.every((player) => bed.told(player).every((each) => each.endsWith(' sent'))));
  await service.end();
  return players.map(({ email }) => bed.box.mails.filter(({ to }) => to === `<${email}>`).length);
}

describe('a turn that is over', () => {
  it('before its notice is sent is not told', async () => {
    const reader = await bed.reader(client, { ...off, your_turn: 'at_once' });
    const { game } = await makeGame(client, organizer, [reader, await makePlayer(client, 'Ada')], { seats_min: 2, seats_max: 2, name: 'Over' });
    while (!(await decides(game, reader))) await moveOn(game);
    await makeNotices(() => bed.told(reader).join() === 'your_turn waiting');
    while (await decides(game, reader)) await moveOn(game);
    assert.deepEqual(await mailsOf([reader]), [0]);
    assert.deepEqual(bed.told(reader), []);
  });
});

describe('what asks for something that nobody waits for any more', () => {
  it('is not told: a dispute to officials, when it is withdrawn, or when they hold the office no longer', async () => {
    const arbiters = await bed.readers(client, 2, { ...off, dispute: 'at_once' });
    const roles = async (method, { id }, event) => good(await client.request(method, `/v1/events/${event.id}/roles`, { token: organizer.token, json: { player: id, role: 'arbiter' } }));
    const open = async (name) => {
      const { event, game } = await makeGame(client, organizer, await bed.readers(client, 2, off), { seats_min: 2, seats_max: 2, name });
      for (const arbiter of arbiters) await roles('POST', arbiter, event);
      const dispute = good(await client.post(`${game.at}/disputes`, { claim: 'rules', text: 'Wrong.' }, game.players[0].token));
      return { event, game, dispute };
    };
    const [one, two] = [await open('One'), await open('Two')];
    await makeNotices(() => arbiters.every((arbiter) => bed.told(arbiter).join() === 'dispute waiting,dispute waiting'));
    good(await client.post(`/v1/disputes/${one.dispute.id}/withdraw`, {}, one.game.players[0].token));
    await roles('DELETE', arbiters[1], two.event);
    assert.deepEqual(await mailsOf(arbiters), [1, 0]);
    assert.equal((await bed.box.last(arbiters[0].email)).headers.subject, 'A dispute to decide: Two, round 1, table 1');
  });

  it('is not told: a challenge that is cancelled, or accepted', { skip: notLong }, async () => {
    const players = await bed.readers(client, 2, { ...off, challenge: 'at_once' });
    const event = await makeEvent(client, organizer, players, { name: 'Rungs', format: 'ladder', rounds: undefined, seats_min: undefined, seats_max: undefined });
    const [first, second] = good(await client.get(`/v1/events/${event.id}/standings`)).rows.map(({ player }) => players.find(({ id }) => id === player.id));
    const at = `/v1/events/${event.id}/challenges`;
    const challenge = async () => {
      good(await client.post(at, { player: first.id }, second.token));
      await makeNotices(() => bed.told(first).includes('challenge waiting'));
    };
    await challenge();
    assert.equal((await client.request('DELETE', `${at}/${second.id}`, { token: second.token })).status, 204);
    assert.deepEqual(await mailsOf([first]), [0]);
    await challenge();
    assert.deepEqual(await mailsOf([first]), [1], 'one that is made again is told');
    assert.equal((await client.request('DELETE', `${at}/${second.id}`, { token: first.token })).status, 204);
    await challenge();
    good(await client.post(`${at}/${second.id}/accept`, {}, first.token));
    assert.deepEqual(await mailsOf([first]), [1]);
  });
});

describe('a clock', () => {
  it('that is low is told once it is, and not before', async () => {
    const reader = await bed.reader(client, { ...off, clock_low: 'at_once' });
    const settings = { seats_min: 2, seats_max: 2, name: 'Clock', clock: { move_ms: 4 * 3600000 } };
    const { game } = await makeGame(client, organizer, [reader, await makePlayer(client, 'Ada')], settings);
    while (!(await decides(game, reader))) await moveOn(game);
    const service = await bed.start();
    const due = () => bed.sql(`SELECT extract(epoch FROM due_at - now())::integer FROM tillroll.outbox WHERE player_id = '${reader.id}' AND kind = 'clock_low'`);
    await until(60, 'it waits', () => due() !== '');
    assert.ok(Math.abs(Number(due()) - 3 * 3600) < 120, due());
    bed.allDue(); // as if the clock had stood still: it is not low yet
    await until(60, 'it waits again', () => Number(due()) > 3 * 3600 - 120);
    assert.deepEqual(bed.told(reader), ['clock_low waiting']);
    await service.end();
  });

  it('is told no more to whoever has decided in secret, after a take-back as well', async () => {
    const readers = await bed.readers(client, 4, { ...off, clock_low: 'at_once' });
    const { game } = await makeGame(client, organizer, readers, { ruleset: 'mall-world', name: 'Auction', clock: { move_ms: 4 * 3600000 }, take_back: true });
    const random = new Random('told of clocks');
    for (let from = null; from === null;) {
      const [seat] = (await now(client, game)).deciders;
      const legal = await legalMoves(client, game, seat);
      good(await play(client, game, seat, [random.pick(legal.moves.filter((move) => !move.startsWith('offer ')))], legal.seq)); // no auction yet
      const { deciders: [mover], seq } = await now(client, game);
      ({ may_take_back: from } = good(await client.get(game.at, { token: game.players[mover].token })));
      if (from !== null) good(await client.post(`${game.at}/takeback`, { from, seq }, game.players[mover].token));
    }
    const position = await reachAuction(client, game, random);
    const [decided, ...others] = position.deciders.map((seat) => game.players[seat]);
    good(await play(client, game, position.deciders[0], [(await legalMoves(client, game, position.deciders[0])).moves[0]], position.seq));
    const service = await bed.start();
    await until(60, 'they wait', () => others.every((player) => bed.told(player).includes('clock_low waiting')));
    bed.allDue();
    await until(60, 'it is dropped', () => !bed.told(decided).includes('clock_low waiting'));
    for (const player of others) assert.ok(bed.told(player).includes('clock_low waiting'));
    await service.end();
  });
});

describe('quiet hours', () => {
  it('postpone, until they are over or no longer wanted', async () => {
    const [reader, ...others] = [await bed.reader(client), ...(await bed.readers(client, 2, off))];
    const [hour] = bed.sql("SELECT extract(hour FROM now() AT TIME ZONE 'UTC')::integer").split('\n');
    const at = (offset) => `${String((Number(hour) + 24 + offset) % 24).padStart(2, '0')}:00`;
    await bed.choose(client, reader, { quiet_hours: { from: at(-1), to: at(3) } });
    const service = await bed.start();
    await makeGame(client, organizer, [reader, ...others], { name: 'Quiet' });
    await until(60, 'it is postponed', () => bed.sql(`SELECT count(*) FROM tillroll.outbox WHERE player_id = '${reader.id}' AND due_at > now() + interval '90 minutes'`) === '1');
    assert.deepEqual(bed.told(reader), ['round_paired waiting']);
    await bed.choose(client, reader, { quiet_hours: null });
    await bed.box.to(reader.email);
    await service.end();
  });

  it('end at the minute that was chosen, in the time zone of the player, in summer as in winter', () => {
    const moment = (at, digest, zone, from, to, digestAt) =>
      bed.sql(`SELECT to_char(tillroll.notice_moment('${at}', ${digest}, '${zone}', ${from}, ${to}, ${digestAt}) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')`);
    const [ten, seven, eight] = [22 * 60, 7 * 60, 8 * 60];
    assert.equal(moment('2026-01-15 12:00Z', false, 'Europe/Berlin', ten, seven, eight), '2026-01-15 12:00');
    assert.equal(moment('2026-01-15 21:00Z', false, 'Europe/Berlin', ten, seven, eight), '2026-01-16 06:00');
    assert.equal(moment('2026-01-16 05:59Z', false, 'Europe/Berlin', ten, seven, eight), '2026-01-16 06:00');
    assert.equal(moment('2026-01-16 06:00Z', false, 'Europe/Berlin', ten, seven, eight), '2026-01-16 06:00');
    assert.equal(moment('2026-03-28 23:30Z', false, 'Europe/Berlin', ten, seven, eight), '2026-03-29 05:00');
    assert.equal(moment('2026-01-15 12:00Z', true, 'Europe/Berlin', 'NULL', 'NULL', eight), '2026-01-16 07:00');
    assert.equal(moment('2026-01-15 06:00Z', true, 'Europe/Berlin', 'NULL', 'NULL', eight), '2026-01-15 07:00');
    assert.equal(moment('2026-01-15 12:00Z', true, 'Europe/Berlin', ten, 9 * 60, eight), '2026-01-16 08:00');
    assert.equal(moment('2026-01-15 12:00Z', false, 'Nowhere/Atlantis', 'NULL', 'NULL', eight), '2026-01-15 12:00');
    assert.equal(moment('2026-01-15 13:00Z', false, 'UTC', 13 * 60, 14 * 60, eight), '2026-01-15 14:00');
  });
});

describe('a digest', () => {
  it('gathers what is still true, and comes as one mail, with one id however often it is tried', async () => {
    const reader = await bed.reader(client, { ...off, round_paired: 'digest', your_turn: 'digest' });
    const others = await bed.readers(client, 2, off);
    const service = await bed.start();
    for (const name of ['First', 'Second']) await makeGame(client, organizer, [reader, ...others], { name });
    await until(60, 'both wait', () => bed.told(reader).filter((each) => each === 'round_paired waiting').length === 2);
    assert.equal(bed.sql(`SELECT count(*) FROM tillroll.outbox WHERE player_id = '${reader.id}' AND due_at < now()`), '0');
    // It is the time of the digest: what waits is from before.
    bed.sql(`UPDATE tillroll.outbox SET created_at = created_at - interval '2 days' WHERE player_id = '${reader.id}'`);
    bed.box.mode = 'lose';
    bed.allDue();
    await bed.box.to(reader.email);
    bed.box.mode = 'take';
    bed.allDue();
    const mails = await bed.box.to(reader.email, 2);
    await until(60, 'all are sent', () => bed.told(reader).every((each) => each.endsWith(' sent')));
    assert.equal(new Set(mails.map((mail) => mail.headers['message-id'])).size, 1);
    const [mail] = mails;
    assert.equal(mail.headers.subject, 'What has happened on Tillroll');
    assert.ok(Date.now() - Date.parse(mail.headers.date) < 86_400_000, 'dated when it was sent, not two days before');
    for (const name of ['First', 'Second']) assert.ok(mail.text.includes(`You have a table: ${name}, round 1, table`), mail.text);
    await service.end();
  });
});

describe('one click', () => {
  it('turns a kind of mail off, without signing in; opening the link alone does not', async () => {
    const service = await bed.start();
    const [reader, ...others] = [await bed.reader(client), ...(await bed.readers(client, 2, off))];
    await makeGame(client, organizer, [reader, ...others], { name: 'Off' });
    const mail = await bed.box.last(reader.email);
    assert.equal(mail.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
    const [, url] = /^<https:\/\/club\.example(\/unsubscribe\/[0-9a-f]+)>$/.exec(mail.headers['list-unsubscribe']);
    assert.ok(mail.text.includes(`https://club.example${url}\n`) && mail.html.includes(`href="https://club.example${url}"`));
    const timing = async () => good(await client.get('/v1/me/notices', { token: reader.token })).kinds.round_paired.mail;
    const page = await fetch(`http://127.0.0.1:${client.port}${url}`);
    assert.equal(page.status, 200);
    assert.match(await page.text(), new RegExp(`<form class="account" method="post" action="${url}"`));
    assert.equal(await timing(), 'at_once');
    const clicked = await fetch(`http://127.0.0.1:${client.port}${url}`, { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'List-Unsubscribe=One-Click' });
    assert.equal(clicked.status, 200);
    assert.match(await clicked.text(), /Unsubscribed/);
    assert.equal(await timing(), 'off');
    const kinds = good(await client.get('/v1/me/notices', { token: reader.token })).kinds;
    assert.equal(kinds.dispute.mail, 'at_once');
    for (const wrong of [url.slice(0, -1) + (url.endsWith('0') ? '1' : '0'), `${url}00`, '/unsubscribe/x'])
      assert.equal((await fetch(`http://127.0.0.1:${client.port}${wrong}`, { method: 'POST' })).status, 422, wrong);
    assert.ok(!bed.written().includes(url.slice(13)));
    await service.end();
  });

  // What is under way when it is turned off arrives if the mail server takes it, so this one takes none until all is over.
  for (const [mode, what] of [['later', 'waits'], ['hang', 'is being tried']])
    it(`takes back what ${what}, and it does not come later`, { skip: mode === 'hang' && notLong }, async () => {
      const [reader, ...others] = [await bed.reader(client), ...(await bed.readers(client, 2, off))];
      bed.box.mode = mode;
      const { tries } = bed.box;
      await bed.start();
      await makeGame(client, organizer, [reader, ...others], { name: 'Waits' });
      await until(60, 'it is tried', () => bed.box.tries > tries);
      assert.deepEqual(bed.told(reader), ['round_paired waiting']);
      await bed.choose(client, reader, { kinds: { round_paired: { mail: 'off' } } });
      await until(60, 'it is gone', () => {
        bed.allDue();
        return bed.told(reader).length === 0;
      });
      await bed.endAllBut(idle); // which give up what is under way
      assert.deepEqual(bed.told(reader), []);
      assert.deepEqual(bed.box.mails.filter((mail) => mail.to === `<${reader.email}>`), []);
    });
});

describe('a service without a mail server', () => {
  it('takes what happens, and lets nothing pile up', async () => {
    const silent = await bed.startService(['--notices-ms', '50']);
    const reader = await bed.reader(client);
    assert.deepEqual(good(await silent.client.get('/v1/me/notices', { token: reader.token })).channels, [{ channel: 'push', reaches: false }, { channel: 'webhook', reaches: false }]);
    await makeGame(client, organizer, [reader, ...(await bed.readers(client, 2))], { name: 'Silent' });
    await nothingLeft();
    assert.deepEqual(bed.told(reader), []);
    await silent.end();
  });
});

describe('choices', () => {
  const change = async (json, player) => client.request('PATCH', '/v1/me/notices', { token: player.token, json });

  it('that cannot be are refused, with a sentence that says what can, and change nothing', async () => {
    const player = await makePlayer(client, 'Cleo');
    const before = good(await client.get('/v1/me/notices', { token: player.token }));
    const wrong = [
      [{ time_zone: 'Europe/Atlantis' }, /time_zone must be a name of the IANA/],
      [{ time_zone: 'posix/Europe/Berlin' }, /IANA/],
      [{ time_zone: 'EST5EDT\n' }, /time_zone/],
      [{ quiet_hours: { from: '22:00' } }, /quiet_hours takes null, or an object/],
      [{ quiet_hours: { from: '22:00', to: '24:00' } }, /quiet_hours takes a time of day/],
      [{ quiet_hours: { from: '22:00', to: '22:00' } }, /quiet_hours must begin and end/],
      [{ digest_at: '8:00' }, /digest_at takes a time of day/],
      [{ digest_at: 480 }, /digest_at/],
      [{ language: 'fr' }, /language/],
      [{ kinds: { your_move: { mail: 'off' } } }, /kinds takes only/],
      [{ kinds: { your_turn: { telegram: 'off' } } }, /kinds has channels/],
      [{ kinds: { your_turn: { mail: 'soon' } } }, /kinds has channels/],
      [{ kinds: { your_turn: 'off' } }, /kinds takes only/],
      [{ kinds: [] }, /kinds takes an object/],
    ];
    for (const [json, sentence] of wrong) {
      const answer = await change(json, player);
      assert.equal(`${answer.status} ${answer.json.code}`, '400 bad-field', JSON.stringify(json));
      assert.match(answer.json.detail, sentence);
    }
    assert.deepEqual(good(await client.get('/v1/me/notices', { token: player.token })), before);
  });

  it('stay as they were where nothing is said, and go with the account', async () => {
    const player = await bed.reader(client);
    const changed = await bed.choose(client, player, { time_zone: 'Europe/Berlin', quiet_hours: { from: '22:15', to: '06:45' }, kinds: { game_over: { mail: 'digest' } } });
    assert.deepEqual([changed.time_zone, changed.quiet_hours, changed.digest_at, changed.language], ['Europe/Berlin', { from: '22:15', to: '06:45' }, '08:00', null]);
    assert.deepEqual([changed.kinds.game_over.mail, changed.kinds.your_turn.mail, changed.kinds.dispute.mail], ['digest', 'off', 'at_once']);
    const later = await bed.choose(client, player, { language: 'de', digest_at: '18:30' });
    assert.deepEqual(later, { ...changed, language: 'de', digest_at: '18:30' });
    assert.equal((await client.request('PUT', `/v1/me/following/${organizer.id}`, { token: player.token })).status, 204);
    assert.equal((await client.post('/v1/me/delete', { password: 'correct horse battery' }, player.token)).status, 204);
    for (const table of ['notice_settings', 'notice_choice', 'followed_organizer']) assert.equal(bed.sql(`SELECT count(*) FROM tillroll.${table} WHERE player_id = '${player.id}'`), '0');
  });

  it('nobody follows themself, who is not there, or more than 200', async () => {
    const player = await makePlayer(client, 'Cleo');
    const follow = async (id) => {
      const { status, json } = await client.request('PUT', `/v1/me/following/${id}`, { token: player.token });
      return `${status} ${json?.code ?? ''}`.trim();
    };
    assert.equal(await follow(player.id), '403 not-allowed');
    assert.equal(await follow('01900000-0000-7000-8000-000000000000'), '404 not-found');
    bed.sql(`INSERT INTO tillroll.player (id, name, created_at, guest) SELECT gen_random_uuid(), 'Many ' || n || ' [guest]', now(), true FROM generate_series(1, 200) AS n;
      INSERT INTO tillroll.followed_organizer (player_id, organizer_id) SELECT '${player.id}', id FROM tillroll.player WHERE name LIKE 'Many %'`);
    assert.equal(await follow(organizer.id), '409 follows-too-many');
  });
});
