// What the rules hide, nobody gets to see: not in a view, not in a story, not in a header, not in the
// server's log, and not by being somebody special.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { seedOf, Stream } from '../support/luck.mjs';
import { makeGame, makePlayer, makePlayers, now, playRandomly, Random } from '../support/play.mjs';
import { readRecord } from '../support/record.mjs';
import { Testbed } from '../support/testbed.mjs';

const random = new Random('hidden');
let bed;
let client;
let organizer;
let stranger;
let players;
let game;
let event;
let rules;
let secret;
const told = []; // every byte that was sent while the game ran: [what, bytes]
const looks = []; // what everybody saw at some moments

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  [organizer, stranger] = await makePlayers(client, 2, 'Somebody');
  players = await makePlayers(client, 4);
  rules = good(await client.get('/v1/rulesets/shinjuku/components'));
  ({ game, event } = await makeGame(client, organizer, players));
  await play();
});
after(() => bed.end());

// Asks as `token` and remembers what came.
async function ask(target, token) {
  const answer = await client.get(target, { token });
  told.push([`${target} ${answer.status}`, Buffer.concat([Buffer.from(answer.rawHeaders.join('\n')), Buffer.from('\n\n'), answer.bytes])]);
  return answer;
}

async function story(token) {
  const entries = [];
  for (let next = 0; ; ) {
    const page = good(await ask(`${game.at}/events?after=${next}`, token));
    if (page.items.length === 0) return entries;
    entries.push(...page.items);
    ({ next } = page);
  }
}

const shared = () => [
  game.at, `${game.at}/record`, `${game.at}/verification`, '/v1/games', '/v1/games?state=running',
  `/v1/events/${event.id}`, `/v1/events/${event.id}/log`, `/v1/events/${event.id}/rounds/1`, `/v1/events/${event.id}/standings`,
];

async function look() {
  const bodies = async (token) => {
    const list = [];
    for (const target of [...shared(), `${game.at}/view`, `${game.at}/view?seq=0`]) list.push((await ask(target, token)).text);
    list.push(JSON.stringify(await story(token)));
    return list;
  };
  const eyes = async (token) => ({
    view: good(await ask(`${game.at}/view`, token)),
    earlier: await Promise.all(looks.map(async (each) => good(await ask(`${game.at}/view?seq=${each.position.seq}`, token)))),
    legal: (await ask(`${game.at}/legal-moves`, token)).json,
    story: await story(token),
    shared: await Promise.all(shared().map(async (target) => (await ask(target, token)).text)),
  });
  looks.push({
    position: await now(client, game),
    outsiders: await Promise.all([undefined, stranger.token, organizer.token].map(bodies)),
    spectator: await eyes(undefined),
    seats: await Promise.all(game.players.map((player) => eyes(player.token))),
  });
}

async function play() {
  await look();
  let plies = 0;
  await playRandomly(client, game, random, {
    each: async ({ answer }) => {
      told.push(['receipt', Buffer.from(JSON.stringify(answer))]);
      if (!answer.finished && ++plies % 25 === 0) await look();
    },
  });
  secret = readRecord((await client.get(`${game.at}/record`)).text).secret;
}

const open = ['seat', 'hand_size', 'supply', 'bonus', 'claim'];
const own = ['hand', 'wild_wards', 'customers', 'score'];

describe('while a game runs', () => {
  it('was looked at often enough', () => assert.ok(looks.length > 4));

  it('outsiders see the same, byte for byte, whoever they are', () => {
    for (const { outsiders } of looks) {
      assert.deepEqual(outsiders[1], outsiders[0]);
      assert.deepEqual(outsiders[2], outsiders[0]);
    }
  });

  it('spectators see sizes where hands are', () => {
    for (const { spectator } of looks) {
      assert.deepEqual(spectator.view.viewer, { kind: 'spectator' });
      for (const player of spectator.view.view.players) assert.deepEqual(Object.keys(player).sort(), [...open].sort());
      assert.equal(spectator.legal.code, 'not-signed-in');
      const { deck, bag } = spectator.view.view.piles;
      assert.ok(Number.isInteger(deck) && Number.isInteger(bag));
    }
  });

  it('a seat sees what spectators see, and its own four things', () => {
    for (const { spectator, seats } of looks)
      seats.forEach(({ view, shared: same }, seat) => {
        assert.deepEqual(view.viewer, { kind: 'seat', seat });
        const { players: all, ...rest } = view.view;
        const { players: seen, ...public_ } = spectator.view.view;
        assert.deepEqual(rest, public_);
        all.forEach((player, at) => {
          const extra = Object.keys(player).filter((key) => !open.includes(key));
          assert.deepEqual(extra.sort(), at === seat ? [...own].sort() : []);
          for (const key of open) assert.deepEqual(player[key], seen[at][key]);
        });
        const held = Object.values(all[seat].hand).reduce((sum, count) => sum + count, 0);
        assert.equal(held, all[seat].hand_size);
        assert.deepEqual(same, spectator.shared);
      });
  });

  it('an earlier position is shown as it was seen then', () => {
    looks.forEach((look, i) => {
      const eyes = (at) => [at.spectator, ...at.seats];
      eyes(look).forEach((each, who) => each.earlier.forEach((then, k) => assert.deepEqual(then, eyes(looks[k])[who].view)));
      assert.equal(look.spectator.earlier.length, i);
    });
  });

  it('only the seat that decides has legal moves', () => {
    for (const { position, seats } of looks)
      seats.forEach(({ legal }, seat) => assert.equal(legal.moves.length > 0, position.deciders.includes(seat)));
  });

  it('a story tells a seat more than spectators only of cards that it drew itself', () => {
    let drawn = 0;
    const last = looks.at(-1);
    last.seats.forEach(({ story: mine }, seat) => {
      assert.equal(mine.length, last.spectator.story.length);
      mine.forEach((entry, at) => {
        const { events: seen = [], ...head } = last.spectator.story[at];
        const { events = [], ...ownHead } = entry;
        assert.deepEqual(ownHead, head);
        assert.equal(events.length, seen.length);
        events.forEach((each, i) => {
          if (JSON.stringify(each) === JSON.stringify(seen[i])) return;
          drawn++;
          assert.equal(each.kind, 'income');
          assert.equal(each.seat, seat);
          assert.equal(each.cards.length, each.count);
          const { cards, text, ...rest } = each;
          const { text: told_, ...less } = seen[i];
          assert.deepEqual(less, rest);
          assert.ok(text.startsWith(told_.slice(0, -1)));
        });
      });
    });
    assert.ok(drawn > 0, 'nobody has drawn a card unseen');
  });
});

// Every way in which 32 bytes are likely to be written.
function writings(bytes) {
  const hex = bytes.toString('hex');
  return [bytes, ...[hex, hex.toUpperCase(), bytes.toString('base64').replaceAll('=', ''), bytes.toString('base64url')].map((text) => Buffer.from(text))];
}

function findIn(places, needles) {
  return places.filter(([, bytes]) => needles.some((needle) => bytes.includes(needle))).map(([what]) => what);
}

describe('the secret', () => {
  it('and what follows from it stood in no answer while the game ran, and stands in no log', () => {
    assert.match(secret, /^[0-9a-f]{64}$/);
    const raw = Buffer.from(secret, 'hex');
    const sealed = Buffer.from(bed.cluster.sql(`SET ROLE tillroll_owner; SELECT encode(sealed, 'hex') FROM tillroll_vault.game_secret WHERE game_id = '${game.id}'`), 'hex');
    assert.ok(sealed.length > 32);
    const needles = [raw, seedOf(game.id, secret), sealed, sealed.subarray(24)].flatMap(writings);
    assert.ok(told.length > 500);
    assert.deepEqual(findIn(told, needles), []);
    assert.deepEqual(findIn([['log', bed.written()]], needles), []);
    // And the search finds what is there.
    assert.deepEqual(findIn([['here', Buffer.from(`x${secret}x`)]], needles), ['here']);
  });

  it('is stored sealed only, and the seal’s key is nobody’s but the service’s', () => {
    const everything = bed.cluster.sql(`SET ROLE tillroll_owner;
      SELECT query_to_xml(format('SELECT * FROM %I.%I', schemaname, tablename), true, false, '')
        FROM pg_tables WHERE schemaname IN ('tillroll', 'tillroll_vault') AND tablename NOT LIKE 'record_line%'`);
    const raw = Buffer.from(secret, 'hex');
    assert.ok(!everything.includes(secret));
    assert.ok(!everything.includes(raw.toString('base64')));
  });

  it('fixed the cards before anybody had seen one: the deal follows from it', async () => {
    const first = looks[0];
    const deck = rules.wards.rows.flatMap((ward) => Array(ward.cards).fill(ward.id));
    const pile = new Stream(seedOf(game.id, secret), 'deck').shuffle(deck);
    const customers = rules.customer_kinds.rows.flatMap((kind) => Array(kind.count).fill(kind.id));
    const bag = new Stream(seedOf(game.id, secret), 'bag').shuffle(customers);
    const hands = game.players.map(() => pile.splice(0, 4));
    const seeded = [];
    while (new Set(seeded).size < 4) seeded.push(pile.shift());
    const matsuri = pile.shift();
    const queue = pile.splice(0, 4);
    // The first turn has begun: seat 0 has taken the first card of the queue.
    hands[0].push(queue.shift());
    queue.push(pile.shift());
    const view = first.spectator.view.view;
    assert.deepEqual(view.queue.map((card) => card.ward), queue);
    assert.equal(view.matsuri, matsuri);
    first.seats.forEach(({ view: { view: seen } }, seat) => {
      const held = Object.entries(seen.players[seat].hand).flatMap(([ward, count]) => Array(count).fill(ward));
      assert.deepEqual(held.sort(), hands[seat].sort());
    });
    const wards = [...new Set(seeded)];
    wards.forEach((ward, at) => {
      for (const kind of bag.slice(2 * at, 2 * at + 2)) assert.ok(kind in view.wards[ward], `${kind} in ${ward}`);
    });
  });
});

describe('when the game is over', () => {
  it('everybody sees all hands, and the record has the secret', async () => {
    for (const token of [undefined, stranger.token, game.players[0].token]) {
      const { view } = good(await client.get(`${game.at}/view`, { token }));
      assert.equal(view.over, true);
      for (const player of view.players) assert.deepEqual(Object.keys(player).sort(), [...open, ...own].sort());
    }
    for (const { position, seats } of looks) {
      const earlier = good(await client.get(`${game.at}/view?seq=${position.seq}`));
      assert.deepEqual(earlier.viewer, { kind: 'auditor' });
      assert.deepEqual(earlier.view.players, seats.map(({ view }, seat) => view.view.players[seat]));
    }
    const organizerOnly = await makePlayer(client, 'Late');
    assert.equal((await client.get(`${game.at}/record`, { token: organizerOnly.token })).text.includes(secret), true);
  });
});
