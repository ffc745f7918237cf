// Notices by mail, over HTTP: from what happens to the mailbox.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { legalMoves, makeEvent, makeGame, makePlayer, play, startRound } from '../support/play.mjs';
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

const deciders = async (game) => good(await client.get(game.at)).to_move;
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
    assert.ok(german.text.includes(`Sie spielen Shinjuku, auf Platz ${seat(players[1])}.`));
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
