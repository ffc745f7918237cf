// Services that hand over notices are killed at any moment, while they also take the moves of the games that the notices are about: none is
// lost, and one that comes again has the same id. A few kills; 300 in the long run. TILLROLL_KILLS=40 for another number.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';

import { good } from '../support/client.mjs';
import { makeGame, makePlayer, play, Random } from '../support/play.mjs';
import { sleep, until } from '../support/waiting.mjs';
import { Browser, isSigned, Receiver } from '../channels/receivers.mjs';
import { isLong } from '../../long.mjs';
import { NoticeBed, off } from './notices.mjs';

const kills = Number(process.env.TILLROLL_KILLS ?? (isLong ? 300 : 4));
const random = new Random('kills');
const channels = ['mail', 'push', 'webhook'];
let bed;
let receiver;
let client; // of a service without notices, which is not killed
let organizer;
let services; // the two that share the work

const start = () => bed.start('--push-targets', 'all', '--push-retry-ms', '50');

before(async () => {
  bed = await new NoticeBed().open();
  receiver = await new Receiver().start();
  receiver.answer = (request, response) => setTimeout(() => response.writeHead(201).end(), random.below(80));
  ({ client } = await bed.start('--push-targets', 'all', '--notices-ms', '0'));
  await until(60, 'the key is made', async () => (await client.get('/v1/push/key')).status === 200);
  organizer = await makePlayer(client, 'Organizer');
});
after(() => bed.end());

// A player who is told of tables, turns and ends in all three ways.
async function makeReader() {
  const player = await bed.reader(client);
  const chosen = { your_turn: 'at_once', round_paired: 'at_once', game_over: 'at_once' };
  await bed.choose(client, player, { kinds: Object.fromEntries(Object.keys(off).map((kind) => [kind, Object.fromEntries(channels.map((channel) => [channel, chosen[kind] ?? 'off']))])) });
  player.browser = new Browser(`${receiver.origin}/browser/${player.id}`);
  good(await client.post('/v1/me/browsers', { ...player.browser.subscription, device: 'Phone' }, player.token));
  player.hook = good(await client.post('/v1/me/webhooks', { url: `${receiver.origin}/hook/${player.id}`, form: 'standard' }, player.token));
  return player;
}

// ---- What has come ----

const kindOfMail = ({ headers: { subject } }) => (subject.startsWith('Your turn') ? 'your_turn' : subject.startsWith('You have a table') ? 'round_paired' : subject.startsWith('Your game is over') ? 'game_over' : subject);

// Read once each: what does not change is not looked at again.
const reads = {
  mail: () => bed.box.mails.map((mail) => (mail.found ??= { to: mail.to.slice(1, -1), kind: kindOfMail(mail), game: /club\.example\/games\/([0-9a-f-]+)/.exec(mail.text)?.[1], id: mail.headers['message-id'], text: mail.text })),
  push: (player) => receiver.received.filter(({ path }) => path === `/browser/${player.id}`).map((each) => (each.found ??= (() => {
    const { id, kind, path, text } = JSON.parse(player.browser.decrypt(each.body));
    return { kind, game: path.replace('/games/', ''), id, text };
  })())),
  webhook: (player) => receiver.received.filter(({ path }) => path === `/hook/${player.id}`).map((each) => (each.found ??= (() => {
    assert.ok(isSigned(each, player.hook.secret));
    const { type, data } = JSON.parse(each.body);
    return { kind: type.replace('notice.', ''), game: data.game_id, id: each.headers['webhook-id'], text: data.text };
  })())),
};

// All notices of a kind about a game that came to a player by a channel.
function come(channel, player, kind, game) {
  return reads[channel](player).filter((each) => each.kind === kind && each.game === game.id && (channel !== 'mail' || each.to === player.email));
}
const idsOf = (...what) => new Set(come(...what).map(({ id }) => id));

// ---- What happens ----

// By one of those that may be killed meanwhile; whether it was done then shows in the game.
async function act(what) {
  try {
    return await what(random.pick(services).client);
  } catch {
    return undefined;
  }
}

// Plays some moves. Who is `patient` waits at each turn until it has been told in every way.
async function playSome(game, plies, patient) {
  const turns = game.players.map(() => 0);
  let seen = -1;
  let before;
  let played = 0;
  for (;;) {
    const { deciders: [seat], seq } = good(await client.get(game.at));
    if (seat === undefined) break;
    if (seq > seen && seat !== before) {
      turns[seat] += 1;
      before = seat;
      if (patient)
        for (const channel of channels)
          await until(120, `turn ${turns[seat]} of seat ${seat} comes by ${channel}`, () => idsOf(channel, game.players[seat], 'your_turn', game).size === turns[seat]);
    }
    if (seq > seen && (played += 1) > plies) break; // the turn that the last one began is counted
    seen = Math.max(seen, seq);
    const legal = good(await client.get(`${game.at}/legal-moves`, { token: game.players[seat].token }));
    if (!(legal.moves?.length > 0)) continue;
    const answer = await act((at) => play(at, game, seat, [random.pick(legal.moves)], legal.seq));
    if (answer?.status !== 200) await sleep(20);
    else await until(60, 'all have heard', async () => good(await client.get(game.at)).seq >= answer.json.seq);
  }
  return { turns, last: before };
}

async function playGames(players, patient, games, isOver) {
  for (let i = 0; i === 0 || !isOver(); i += 1) {
    const settings = { seats_min: 2, seats_max: 2, name: `${patient ? 'Patient' : 'Quick'} ${i}` };
    const { game } = await makeGame(client, organizer, players, settings);
    const { turns, last } = await playSome(game, patient ? 6 : 20, patient);
    games.push({ game, patient, turns });
    for (const seat of [1 - last, last]) { // so that no turn begins
      await act((at) => at.post(`${game.at}/forfeit`, { seat }, organizer.token));
      await client.post(`${game.at}/forfeit`, { seat }, organizer.token); // refused where it is done
    }
  }
}

// Kills one of the two, or both at once, and starts others in their place.
async function killSome(count) {
  for (let i = 0; i < count;) {
    await sleep(random.below(400));
    bed.box.mode = random.below(4) === 0 ? 'lose' : 'take';
    const chosen = i + 1 < count && random.below(4) === 0 ? [0, 1] : [random.below(2)];
    await Promise.all(chosen.map((place) => services[place].end('SIGKILL')));
    i += chosen.length;
    bed.allDue(); // as if their leases were over
    await Promise.all(chosen.map(async (place) => {
      services[place] = await start();
    }));
  }
  bed.box.mode = 'take';
}

it(`${kills} kills lose no notice, and what is repeated has the same id`, async (test) => {
  const players = await Promise.all(Array.from({ length: 4 }, makeReader));
  const games = [];
  let killed = false;
  services = [await start(), await start()];
  const playing = Promise.all([playGames(players.slice(0, 2), true, games, () => killed), playGames(players.slice(2), false, games, () => killed)]);
  const killing = killSome(kills).finally(() => {
    killed = true;
  });
  await Promise.all([playing, killing]);

  bed.allDue();
  await until(120, 'nothing waits', () => bed.sql(`SELECT (SELECT count(*) FROM tillroll.notice_cause), (SELECT count(*) FROM tillroll.outbox WHERE state = 'waiting'),
    (SELECT count(*) FROM tillroll.notice_watch)`) === '0|0|0');
  assert.equal(bed.sql("SELECT channel, kind, state, attempts, reason FROM tillroll.outbox WHERE state <> 'sent'"), '');
  let [expected, arrived] = [0, 0];
  for (const { game, patient, turns } of games)
    for (const channel of channels)
      for (const [seat, player] of game.players.entries())
        for (const [kind, count] of [['round_paired', 1], ['game_over', 1], ['your_turn', turns[seat]]]) {
          const found = come(channel, player, kind, game);
          const ids = new Set(found.map(({ id }) => id));
          // Notices of turns that were over at once need not come; those sent before have come.
          if (patient || kind !== 'your_turn') assert.equal(ids.size, count, `${channel} ${kind} of seat ${seat}`);
          else assert.ok(ids.size <= count, `${channel} ${kind} of seat ${seat}: ${ids.size} of ${count}`);
          assert.equal(new Set(found.map(({ id, text }) => `${id} ${text}`)).size, ids.size, 'a repeat says the same');
          expected += ids.size;
          arrived += found.length;
        }
  assert.ok(games.length >= 2);
  test.diagnostic(`${games.length} games, ${expected} notices, which came ${arrived} times`);
  for (const service of services) assert.deepEqual(await service.end(), [0, null]);
});
