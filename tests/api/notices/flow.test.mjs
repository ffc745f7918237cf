// Notices by mail, over HTTP: from what happens to the mailbox.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makeEvent, makeGame, makePlayer, play, startRound } from '../support/play.mjs';
import { until } from '../support/waiting.mjs';
import { NoticeBed, off } from './notices.mjs';

let bed;
let service;
let client;
let organizer;

before(async () => {
  bed = await new NoticeBed().open();
  service = await bed.start();
  ({ client } = service);
  organizer = await makePlayer(client, 'Organizer');
});
afterEach(() => {
  bed.box.mode = 'take';
});
after(() => bed.end());

const subjects = (mails) => mails.map((mail) => mail.headers.subject);

describe('a round that is paired', () => {
  it('is told to each who sits at a table, with table and seat, as text and as HTML, in their language', async () => {
    const players = [await bed.reader(client), await bed.reader(client, {}, 'de'), await makePlayer(client, 'Cleo')];
    const { event, game } = await makeGame(client, organizer, players, { name: 'Friday & Co' });
    const [english, german] = [await bed.box.last(players[0].email), await bed.box.last(players[1].email)];
    const seat = (player) => game.players.findIndex(({ id }) => id === player.id) + 1;
    assert.equal(english.headers.subject, 'You have a table: Friday & Co, round 1, table 1');
    assert.ok(english.text.startsWith(`Hello ${players[0].name},\n\nYou play Shinjuku, in seat ${seat(players[0])}.\nhttps://club.example/games/${game.id}\n`), english.text);
    assert.ok(english.html.includes(`<p>You play Shinjuku, in seat ${seat(players[0])}.</p>\n<p><a href="https://club.example/games/${game.id}">Open</a></p>`));
    assert.equal(german.headers.subject, 'Sie haben einen Tisch: Friday & Co, Runde 1, Tisch 1');
    assert.ok(german.text.includes(`Sie spielen Shinjuku, auf Sitz ${seat(players[1])}.`));
    assert.ok(event.id);
    assert.deepEqual(bed.told(players[2]), []);
  });

  it('gives whoever has a bye a notice without a table', async () => {
    const players = await bed.readers(client, 3);
    const event = await makeEvent(client, organizer, players, { seats_min: 2, seats_max: 2, seats_preferred: 2, name: 'Twos' });
    const round = await startRound(client, event, organizer, players);
    const seated = round.games.flatMap((game) => game.players.map(({ id }) => id));
    const free = players.find(({ id }) => !seated.includes(id));
    const mail = await bed.box.last(free.email);
    assert.equal(mail.headers.subject, 'You have a bye: Twos, round 1');
    assert.ok(mail.text.includes(`https://club.example/events/${event.id}/rounds/1\n`));
  });
});

describe('a turn', () => {
  it('is told to those alone who have asked for it, once until they have moved', async () => {
    const players = [await bed.reader(client, { ...off, your_turn: 'at_once' }), await bed.reader(client, off)];
    const { game } = await makeGame(client, organizer, players, { seats_min: 2, seats_max: 2, name: 'Turns' });
    const reader = game.players.findIndex(({ id }) => id === players[0].id);
    let turns = 0;
    let seq = 0;
    let was = false;
    for (let i = 0; i < 30 && turns < 3; i += 1) {
      const seats = game.players.map((_, seat) => seat);
      const legal = await Promise.all(seats.map(async (seat) => (await client.get(`${game.at}/legal-moves`, { token: game.players[seat].token })).json));
      const mover = seats.find((seat) => legal[seat].moves?.length > 0);
      if (mover === reader && !was) {
        turns += 1;
        await bed.box.to(players[0].email, turns);
      }
      was = mover === reader;
      seq = good(await play(client, game, mover, [legal[mover].moves[0].move ?? legal[mover].moves[0]], legal[mover].seq)).seq;
    }
    assert.ok(turns >= 2 && seq > 0);
    const mails = await bed.box.to(players[0].email, turns);
    assert.equal(mails.length, turns);
    assert.equal(new Set(mails.map((mail) => mail.headers['message-id'])).size, turns);
    assert.deepEqual([...new Set(subjects(mails))], ['Your turn: Turns, round 1, table 1']);
    assert.deepEqual(bed.told(players[1]), []);
  });
});

describe('what else happens', () => {
  const only = (kind) => ({ ...off, [kind]: 'at_once' });

  it('a game that is over is told to its players, without the result', async () => {
    const players = [await bed.reader(client, only('game_over')), await makePlayer(client, 'Ada')];
    const { game } = await makeGame(client, organizer, players, { seats_min: 2, seats_max: 2, name: 'Ends' });
    for (const seat of [0, 1]) await client.post(`${game.at}/forfeit`, { seat }, organizer.token);
    const mail = await bed.box.last(players[0].email);
    assert.equal(mail.headers.subject, 'Your game is over: Ends, round 1, table 1');
    assert.ok(mail.text.includes('Your game of Shinjuku is over. See its page for more.'));
  });

  it('a casual game is told when it starts, and a rematch when somebody asks for one', async () => {
    const [ada, ben] = [await bed.reader(client, { ...off, round_paired: 'at_once' }), await bed.reader(client, only('invitation'))];
    const open = good(await client.post('/v1/lobby', { ruleset: 'shinjuku', seats: 2, clock: { move_ms: 86400000 } }, ada.token));
    const { game } = good(await client.post(`/v1/lobby/${open.id}/seat`, {}, ben.token));
    const started = await bed.box.last(ada.email);
    assert.equal(started.headers.subject, 'Your game has started: Shinjuku');
    assert.ok(started.text.includes(`https://club.example/games/${game}\n`));
    bed.sql(`UPDATE tillroll.game SET finished_at = now(), voided = true WHERE id = '${game}'`);
    await client.post(`/v1/games/${game}/rematch`, {}, ada.token);
    const again = bed.sql(`SELECT code FROM tillroll.casual_table WHERE rematch_of = '${game}'`);
    if (again !== '') {
      const invited = await bed.box.last(ben.email);
      assert.equal(invited.headers.subject, `${ada.name} invites you to a game`);
      assert.ok(invited.text.includes(`https://club.example/join/${again}\n`));
    }
    assert.notEqual(again, '');
  });

  it('a step of a dispute is told to the others at the table, not to who took it', async () => {
    const players = await bed.readers(client, 3, only('dispute'));
    const { game } = await makeGame(client, organizer, players, { name: 'Disputed' });
    const dispute = good(await client.post(`${game.at}/disputes`, { claim: 'rules', text: 'I hold two of Kita.' }, game.players[0].token));
    for (const seat of [1, 2]) {
      const mail = await bed.box.last(game.players[seat].email);
      assert.equal(mail.headers.subject, 'A dispute: Disputed, round 1, table 1');
      assert.ok(mail.text.includes(`https://club.example/disputes/${dispute.id}\n`) && !mail.text.includes('Kita'));
    }
    assert.deepEqual(bed.told(game.players[0]), []);
    good(await client.post(`/v1/disputes/${dispute.id}/freeze`, {}, organizer.token));
    await bed.box.to(game.players[0].email);
  });

  it('a dispute is told to the officials who may decide it, when it is opened and on an appeal, and not to whoever took the step', async () => {
    const players = await bed.readers(client, 3, only('dispute'));
    const [arbiter, entered] = await bed.readers(client, 2, only('dispute'));
    const event = await makeEvent(client, organizer, [...players, entered], { seats_min: 4, seats_max: 4, seats_preferred: 4, name: 'Court' });
    for (const { id } of [arbiter, entered]) good(await client.post(`/v1/events/${event.id}/roles`, { player: id, role: 'arbiter' }, organizer.token));
    const { games: [game] } = await startRound(client, event, organizer, [...players, entered]);
    const [ada] = players;
    const dispute = good(await client.post(`${game.at}/disputes`, { claim: 'rules', text: 'I hold two of Kita.' }, ada.token));
    const mail = await bed.box.last(arbiter.email);
    assert.equal(mail.headers.subject, 'A dispute to decide: Court, round 1, table 1');
    assert.ok(mail.text.includes(`A dispute over a game of Shinjuku is waiting for a decision.\nhttps://club.example/disputes/${dispute.id}\n`), mail.text);
    assert.ok(!mail.text.includes('Kita'));
    await until(60, 'it is noted', () => bed.told(arbiter).join() === 'dispute sent');
    assert.deepEqual(bed.told(ada), []);
    assert.deepEqual(subjects(await bed.box.to(entered.email)), ['A dispute: Court, round 1, table 1'], 'as a player');
    good(await client.post(`/v1/disputes/${dispute.id}/freeze`, {}, organizer.token));
    good(await client.post(`/v1/disputes/${dispute.id}/ruling`, { orders: [{ order: 'stands' }], code: 'no-fault', reason: 'It is as it was.' }, organizer.token));
    await bed.box.to(ada.email, 2);
    assert.equal(bed.told(arbiter).length, 1, 'freezing and ruling ask nothing of officials');
    good(await client.post(`/v1/disputes/${dispute.id}/appeal`, { text: 'It is not.' }, ada.token));
    assert.deepEqual(subjects(await bed.box.to(arbiter.email, 2)), Array(2).fill('A dispute to decide: Court, round 1, table 1'));
  });

  it('a dispute over a game that is in no event is told to those who decide disputes for the site', async () => {
    const [ada, ben] = await bed.readers(client, 2, off);
    const [arbiter, admin] = await bed.readers(client, 2, only('dispute'));
    bed.sql(`UPDATE tillroll.player SET roles = 4 WHERE id = '${arbiter.id}'; UPDATE tillroll.player SET roles = 1 WHERE id = '${admin.id}'`);
    const open = good(await client.post('/v1/lobby', { ruleset: 'shinjuku', seats: 2, clock: { move_ms: 86400000 } }, ada.token));
    const { game } = good(await client.post(`/v1/lobby/${open.id}/seat`, {}, ben.token));
    good(await client.post(`/v1/games/${game}/disputes`, { claim: 'rules', text: 'Wrong.' }, ada.token));
    assert.equal((await bed.box.last(arbiter.email)).headers.subject, 'A dispute to decide: Shinjuku');
    assert.deepEqual(bed.told(admin), []);
    bed.sql(`UPDATE tillroll.player SET roles = 0 WHERE id IN ('${arbiter.id}', '${admin.id}')`);
  });

  it('a ruling is told to who sits there', async () => {
    const players = await bed.readers(client, 2, only('dispute'));
    const { event, game } = await makeGame(client, organizer, players, { seats_min: 2, seats_max: 2, name: 'Ruled' });
    const seats = game.players.map(({ id }, seat) => ({ player: id, rank: seat + 1, score: 0, kind: seat === 0 ? 'forfeit_win' : 'forfeit_loss' }));
    good(await client.request('PUT', `/v1/events/${event.id}/rounds/1/tables/1/ruling`, { token: organizer.token, json: { seats, reason: 'Nobody came.' } }));
    for (const { email } of players) {
      const mail = await bed.box.last(email);
      assert.equal(mail.headers.subject, 'A decision about your table: Ruled, round 1, table 1');
      assert.ok(!mail.text.includes('Nobody came'));
    }
  });

  it('an event is told to the followers of its organizers, when its entries are first opened', async () => {
    const [reader, former] = await bed.readers(client, 2, only('event_opened'));
    const follow = (method, player) => client.request(method, `/v1/me/following/${organizer.id}`, { token: player.token });
    for (const player of [reader, reader, former]) assert.equal((await follow('PUT', player)).status, 204);
    assert.deepEqual(good(await client.get('/v1/me/following', { token: reader.token })).items.map(({ player }) => player), [{ id: organizer.id, name: organizer.name }]);
    assert.equal((await follow('DELETE', former)).status, 204);
    const event = good(await client.post('/v1/events', { name: 'Opened', ruleset: 'shinjuku', seats_min: 3, seats_max: 4, rounds: 3 }, organizer.token));
    assert.deepEqual(bed.told(reader), []);
    good(await client.post(`/v1/events/${event.id}/open-entries`, {}, organizer.token));
    const mail = await bed.box.last(reader.email);
    assert.equal(mail.headers.subject, 'Entries are open: Opened');
    assert.ok(mail.text.includes(`${organizer.name} has opened the entries of “Opened”.\nhttps://club.example/events/${event.id}\n`));
    assert.deepEqual(bed.told(former), []);
  });

  it('a challenge is told to who is challenged', async () => {
    const players = await bed.readers(client, 2, only('challenge'));
    const event = await makeEvent(client, organizer, players, { name: 'Ladder', format: 'ladder', rounds: undefined, seats_min: undefined, seats_max: undefined });
    const rungs = good(await client.get(`/v1/events/${event.id}/standings`)).rows.map(({ player }) => players.find(({ id }) => id === player.id));
    good(await client.post(`/v1/events/${event.id}/challenges`, { player: rungs[0].id }, rungs[1].token));
    const mail = await bed.box.last(rungs[0].email);
    assert.equal(mail.headers.subject, `${rungs[1].name} challenges you: Ladder`);
    assert.deepEqual(bed.told(rungs[1]), []);
  });

  it('a game that waits for its players\' entropy is told with its round, once', async () => {
    const players = await bed.readers(client, 2, { ...off, round_paired: 'at_once', your_turn: 'at_once' });
    const event = await makeEvent(client, organizer, players, { seats_min: 2, seats_max: 2, name: 'Lucky', entropy_seconds: 600 });
    good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    for (const { email } of players) {
      const mail = await bed.box.last(email);
      assert.equal(mail.headers.subject, 'You have a table: Lucky, round 1, table 1');
      assert.ok(mail.text.includes(`https://club.example/events/${event.id}/rounds/1\n`), mail.text);
    }
    const { items } = good(await client.get('/v1/me/waiting', { token: players[0].token }));
    assert.equal(items.length, 1);
    for (const { token } of players) good(await client.request('PUT', `/v1/games/${items[0].game}/entropy`, { token, json: { commitment: items[0].commitment, entropy: '00ff' } }));
    await until(60, 'the first turn is told', () => players.some(({ email }) => bed.box.mails.some(({ to, headers }) => to === `<${email}>` && /turn/.test(headers.subject))));
    for (const player of players) assert.equal(bed.told(player).filter((each) => each.startsWith('round_paired')).length, 1);
  });

  it('a substitute is told of the seat', async () => {
    const players = await bed.readers(client, 2, off);
    const substitute = await bed.reader(client, only('round_paired'));
    const { game } = await makeGame(client, organizer, players, { seats_min: 2, seats_max: 2, name: 'Relieved' });
    good(await client.post(`${game.at}/substitute`, { seat: 1, player: substitute.id }, organizer.token));
    const mail = await bed.box.last(substitute.email);
    assert.equal(mail.headers.subject, 'You have a table: Relieved, round 1, table 1');
    assert.ok(mail.text.includes('in seat 2'));
  });
});

describe('an address', () => {
  it('that is not confirmed gets nothing', async () => {
    const player = await bed.reader(client);
    bed.sql(`UPDATE tillroll.email SET confirmed_at = NULL WHERE player_id = '${player.id}'`);
    await makeGame(client, organizer, [player, ...(await bed.readers(client, 2))], { name: 'Unconfirmed' });
    await until(60, 'the causes are gone', () => bed.sql('SELECT count(*) FROM tillroll.notice_cause') === '0');
    assert.deepEqual(bed.told(player), []);
  });

  it('that goes while a notice waits takes the notice along', async () => {
    const player = await bed.reader(client);
    bed.box.mode = 'later';
    await makeGame(client, organizer, [player, ...(await bed.readers(client, 2, off))], { name: 'Gone' });
    await until(60, 'it was tried', () => bed.sql(`SELECT coalesce(max(attempts), 0) FROM tillroll.outbox WHERE player_id = '${player.id}'`) !== '0');
    bed.sql(`DELETE FROM tillroll.email WHERE player_id = '${player.id}'`);
    bed.allDue();
    await until(60, 'it is gone', () => bed.told(player).length === 0);
  });
});
