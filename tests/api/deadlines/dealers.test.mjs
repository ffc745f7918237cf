// Co-dealers, from the event's settings to the record: real `tillroll dealer` processes, and servers that hang, lie and withhold.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { notLong } from '../../long.mjs';
import { Dealer } from '../cli/support/dealer.mjs';
import { tillroll } from '../cli/support/witness.mjs';
import { verifyRecord } from '../../engine/record/verify_roll.mjs';
import { good } from '../support/client.mjs';
import { chain, linesOf } from '../../engine/record/roll_lines.mjs';
import { readFigures } from '../support/figures.mjs';
import { giveAll, linesOf as linesWith, look, waitingGame } from '../support/entropy.mjs';
import { endQuietly, makeEvent, makePlayer, makePlayers } from '../support/play.mjs';
import { temporaryDirectory, Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

const directory = temporaryDirectory('dealers');
const file = (name) => path.join(directory, name);
let bed, service, client, organizer, ada, ben;
let stand; // a server in the place of a third dealer
let answer; // what it does with a request
const asked = [];

const options = ['--log-interval-ms', '20', '--timers-ms', '50', '--dealers', file('dealers')];
const code = async (response) => `${(await response).status} ${(await response).json?.code ?? ''}`.trim();
const change = (event, json) => client.request('PATCH', `/v1/events/${event.id}`, { json, token: organizer.token });
const named = (...dealers) => dealers.map(({ name, key }) => ({ name, key }));

before(async () => {
  bed = new Testbed();
  ada = Object.assign(new Dealer(file('ada')), { name: 'ada.example' });
  ben = Object.assign(new Dealer(file('ben')), { name: 'ben' });
  stand = Object.assign(new Dealer(file('cy')), { name: 'cy' });
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => (body += bytes)).on('end', () => {
      asked.push(body);
      answer(response, body);
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  stand.server = server;
  // The service names its log's key only when it runs; then the dealers get to know it.
  const first = await bed.startService(['--log-interval-ms', '20', '--timers-ms', '50']);
  const { vkey } = good(await first.client.get('/v1/keys')).keys[0];
  writeFileSync(file('policy'), `log ${vkey}\nquorum none\n`);
  await first.end();
  for (const dealer of [ada, ben]) assert.equal(await dealer.start(file('policy')), null);
  writeFileSync(file('dealers'), `# ours\n\ndealer ada.example ${ada.key} ${ada.url}\ndealer ben ${ben.key} ${ben.url}\n` +
    `dealer cy ${stand.key} http://127.0.0.1:${server.address().port}\n`);
  service = await bed.startService(options);
  ({ client } = service);
  organizer = await makePlayer(client, 'Organizer');
});
after(async () => {
  for (const dealer of [ada, ben, stand]) await dealer?.stop('SIGKILL');
  stand?.server.closeAllConnections();
  stand?.server.close();
  bed?.end();
});

// A round of one table whose game waits for these dealers, and perhaps for entropy first.
async function table(dealers, settings = {}) {
  const players = await makePlayers(client, 3, 'Player');
  const event = await makeEvent(client, organizer, players, { seats_min: 3, seats_max: 3, rounds: 1, dealers: named(...dealers), ...settings });
  const round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
  assert.deepEqual(round.games, []);
  const [{ waiting, seats }] = round.seating;
  return { event, game: waitingGame(waiting.game, seats, players) };
}

const started = (game) => until(20, 'the game starts', async () => (await client.get(game.at)).status === 200);
const recordOf = async (game) => (await client.get(`${game.at}/record`)).text;

// Plays it to its end, and has both verifiers judge the record. Its lines about dealers.
async function finish(game) {
  await started(game);
  await endQuietly(client, game, organizer);
  const record = await recordOf(game);
  const { status, output } = bed.verify(record);
  assert.equal(status, 0, output);
  assert.equal(verifyRecord(Buffer.from(record)).finished, true);
  return { output, lines: linesWith(record, 'dealer').map((line) => line.split(' ').slice(1)), record };
}

describe('a game with co-dealers', () => {
  it('starts when all have answered, with their proofs in its record', async () => {
    const { event, game } = await table([ben, ada]);
    assert.deepEqual(event.settings.dealers, named(ada, ben), 'in order of their names');
    const { lines, output, record } = await finish(game);
    assert.deepEqual(lines.map(([name, key]) => ({ name, key })), named(ada, ben));
    assert.match(output, /dealers whose outputs are in the luck: ada\.example, ben\n/);
    assert.doesNotMatch(output, /no player gave entropy/);
    assert.ok((await ada.answers()).some((line) => line.startsWith(`${game.id} `)));
    // Forged so that only the proof tells: the mark of every line is right.
    const bare = linesOf(Buffer.from(record));
    const at = bare.findIndex((line) => line.startsWith('dealer ben'));
    const forged = (change) => bed.verify(chain(bare.with(at, change(bare[at])))).output;
    assert.match(forged((line) => line.replace(ben.key, ada.key)), new RegExp(`line ${at + 1}: wrong-proof: `));
    assert.match(forged((line) => line.replace(/ \w+$/, ` ${lines[0][2]}`)), new RegExp(`line ${at + 1}: wrong-proof: `));
    assert.match(forged((line) => line.replace(/..$/, 'ff')), new RegExp(`line ${at + 1}: bad-proof: `));
    // Another game then; its moves and result may happen to be possible with that luck, too.
    assert.match(forged((line) => line.replace(/ \w+$/, ' missing')), /: invalid: |dealers that did not answer: ben\n/);

    // And in the event's bundle they are those of its settings.
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    const bundle = (await client.get(`/v1/events/${event.id}/bundle`, { token: organizer.token })).text;
    const proved = bed.proveEvent(bundle);
    assert.equal(proved.status, 0, proved.output);
  });

  it('gives its dealers the entropy of its players', async () => {
    const { game } = await table([ada], { entropy_seconds: 3600 });
    assert.deepEqual((await look(client, game)).dealers, []);
    assert.ok(!(await ada.answers()).some((line) => line.startsWith(game.id)));
    await giveAll(client, game);
    const { record } = await finish(game);
    assert.equal(linesWith(record, 'entropy').length, 3);
    const [, , entropy] = (await ada.answers()).find((line) => line.startsWith(game.id)).split(' ');
    assert.match(entropy, /^[0-9a-f]{64}$/);
    assert.equal((await look(client, game)).state, 'started');
  });

  it('waits as long as one is away, or lies, and is then dealt with the answers that there were', async () => {
    const lies = [
      (response) => response.writeHead(500).end(),
      (response) => response.end('no proof\n'),
      (response) => response.end(`${'0'.repeat(160)}\n`),
      async (response, body) => { // a proof of another dealer
        const { text } = await ada.send(body);
        response.end(text);
      },
    ];
    let turn = 0;
    answer = (response, body) => lies[turn++ % lies.length](response, body);
    const { game } = await table([ada, stand]);
    await until(20, 'ada has answered', async () => (await look(client, game)).dealers.some(({ answered }) => answered));
    assert.deepEqual((await look(client, game)).dealers, [{ name: 'ada.example', answered: true }, { name: 'cy', answered: false }]);
    await until(30, 'it has lied in every way', () => turn >= lies.length);
    assert.equal((await client.get(game.at)).status, 404);
    // Now the real dealer answers, in its place.
    assert.equal(await stand.start(file('policy')), null);
    answer = async (response, body) => response.end((await stand.send(body)).text);
    const { lines } = await finish(game);
    assert.deepEqual(lines.map(([name]) => name), ['ada.example', 'cy']);
    await stand.stop();
  });

  it('starts without one that hangs where the event says so, and names it', async () => {
    answer = () => {};
    const { game } = await table([ada, stand], { dealers_seconds: 1 });
    const { lines, output } = await finish(game);
    assert.deepEqual(lines[1], ['cy', stand.key, 'missing']);
    assert.deepEqual(good(await client.get(game.at)).dealers, [{ name: 'ada.example', answered: true }, { name: 'cy', answered: false }]);
    const page = (await client.get(`/games/${game.id}`, { unchecked: true })).text;
    assert.match(page, /<p>Co-dealers whose random outputs are part of its luck: ada\.example\.<\/p>\n<p>Co-dealers that did not answer: cy\.<\/p>/);
    assert.match(output, /dealers that did not answer: cy\n/);
  });

  it('is counted, and so are its late answers', async () => {
    const figure = async (what, dealer) => readFigures((await client.get('/metrics')).text).value(`tillroll_dealer_${what}`, { dealer });
    assert.equal(await figure('up', 'ada.example'), 1);
    const answers = await figure('answers_total', 'ada.example');
    assert.ok(answers > 0 && (await figure('requests_total', 'ada.example')) >= answers);
    assert.equal(await figure('late_total', 'ada.example'), 0);
    assert.ok((await figure('failures_total', 'cy')) > 0);
    assert.equal(await stand.start(file('policy')), null);
    // The service waits ten seconds for an answer; should the game begin after that, once more.
    for (let i = 0; i < 3 && (await figure('late_total', 'cy')) === 0; i++) {
      const held = [];
      answer = (response, body) => held.push([response, body]);
      const { event, game } = await table([ada, stand]);
      await until(60, 'it is asked', () => held.length > 0);
      good(await change(event, { dealers_seconds: 1 }));
      await started(game);
      const counted = async () => (await figure('answers_total', 'cy')) + (await figure('failures_total', 'cy'));
      const before = await counted();
      for (const [response, body] of held) response.end((await stand.send(body)).text);
      await until(30, 'the answer is counted', async () => (await counted()) > before);
    }
    assert.ok((await figure('late_total', 'cy')) > 0);
    await stand.stop();
  });

  it('no longer waits when the organizer says so', async () => {
    const { event, game } = await table([ada, stand]);
    await until(20, 'ada has answered', async () => (await look(client, game)).dealers.some(({ answered }) => answered));
    good(await change(event, { dealers_seconds: 1 }));
    const { lines } = await finish(game);
    assert.deepEqual(lines.map(([name, , proof]) => [name, proof === 'missing']), [['ada.example', false], ['cy', true]]);
    assert.equal(await code(change(event, { dealers_seconds: 0 })), '400 bad-field');
    assert.equal(await code(change(event, { dealers: [] })), '400 bad-field');
  });

  it('is not drawn twice when the service is killed between asking and starting', async () => {
    let release;
    asked.length = 0;
    answer = (response) => { release = response; };
    const { game } = await table([ada, stand]);
    await until(20, 'both are asked', async () => asked.length > 0 && (await look(client, game)).dealers[0].answered);
    const { commitment } = await look(client, game);
    await service.end('SIGKILL');
    release.destroy();
    assert.equal(await stand.start(file('policy')), null);
    answer = async (response, body) => response.end((await stand.send(body)).text);
    service = await bed.startService(options);
    ({ client } = service);
    assert.equal((await look(client, game)).commitment, commitment);
    const { record } = await finish(game);
    assert.equal(linesWith(record, 'commit')[0], `commit ${commitment}`);
    assert.equal(new Set(asked.filter((body) => body.includes(game.id))).size, 1, 'both times the same was asked');
    assert.equal((await stand.answers()).filter((line) => line.startsWith(game.id)).length, 1);
    await stand.stop();
  });
});

describe('an event with co-dealers', () => {
  it('that is closed starts no game any more, and asks nobody', async () => {
    answer = () => {};
    const { event, game } = await table([ada, stand]);
    await until(20, 'it is asked', async () => (await look(client, game)).dealers.length === 2);
    const ruling = { no_show: game.players.map(({ id }) => id), reason: 'Nobody came.' };
    good(await client.request('PUT', `/v1/events/${event.id}/rounds/1/tables/1/ruling`, { json: ruling, token: organizer.token }));
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    await until(20, 'it is dropped', async () => (await look(client, game)).state === 'dropped');
    assert.equal(await code(client.get(game.at)), '404 not-found');
    assert.equal(bed.cluster.sql(`SET ROLE tillroll_owner; SELECT ended FROM tillroll.dealing WHERE game_id = '${game.id}'`), 't');
  });

  it('has them asked anew for a game that is played anew', { skip: notLong }, async () => {
    const { event, game } = await table([ada, ben]);
    await started(game);
    const dispute = good(await client.post(`${game.at}/disputes`, { claim: 'other', text: 'I saw a card.' }, game.players[0].token));
    good(await client.post(`/v1/disputes/${dispute.id}/freeze`, {}, organizer.token));
    good(await client.post(`/v1/disputes/${dispute.id}/ruling`, { orders: [{ order: 'replay' }], code: 'irregularity', reason: 'A card was seen.' }, organizer.token));
    const round = await until(20, 'the next game starts', async () => {
      const now = good(await client.get(`/v1/events/${event.id}/rounds/1`));
      return now.games.length === 1 && now.games[0].id !== game.id && now;
    });
    const [{ id, seats }] = round.games;
    const { lines } = await finish(waitingGame(id, seats, game.players));
    assert.equal(lines.length, 2);
    assert.notEqual(lines[0][2], linesWith(await recordOf(game), 'dealer')[0].split(' ')[3]);
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    const { status, output } = bed.proveEvent((await client.get(`/v1/events/${event.id}/bundle`, { token: organizer.token })).text);
    assert.equal(status, 0, output);
  });

  it('of challenges has them asked as well', { skip: notLong }, async () => {
    const players = await makePlayers(client, 2, 'Climber');
    const event = await makeEvent(client, organizer, players, { format: 'ladder', ruleset: 'shinjuku', seats_min: undefined, seats_max: undefined, rounds: undefined, dealers: named(ada) });
    const [champion, challenger] = players;
    good(await client.post(`/v1/events/${event.id}/challenges`, { player: champion.id }, challenger.token));
    good(await client.post(`/v1/events/${event.id}/challenges/${challenger.id}/accept`, {}, champion.token));
    const [{ game: id, seats }] = good(await client.get('/v1/me/waiting', { token: players[0].token })).items;
    const { lines } = await finish(waitingGame(id, seats, players));
    assert.deepEqual(lines.map(([name]) => name), ['ada.example']);
  });
});

describe('a duplicate round with co-dealers', () => {
  it('is dealt once for all its tables', async () => {
    const players = await makePlayers(client, 6, 'Pair');
    const event = await makeEvent(client, organizer, players, { format: 'duplicate', seats_preferred: 3, seats_min: 3, seats_max: 3, rounds: 1, boards: 2, dealers: named(ada, ben) });
    const begun = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    assert.deepEqual([begun.state, begun.tables, begun.secret], ['running', 0, null], 'nothing is revealed while it waits');
    assert.equal(await code(client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token)), '409 round-running');
    const round = await until(20, 'the boards start', async () => {
      const now = good(await client.get(`/v1/events/${event.id}/rounds/1`));
      return now.games.length === 4 && now;
    });
    const dealt = new Set();
    for (const { id } of round.games) dealt.add(linesWith((await client.get(`/v1/games/${id}/record`)).text, 'dealer').join('\n'));
    assert.equal(dealt.size, 1);
    assert.equal((await ada.answers()).filter((line) => line.startsWith(`${event.id}/round/1 `)).length, 1);
    for (const { id } of round.games) await endQuietly(client, { id, at: `/v1/games/${id}`, players }, organizer);
    for (const { id } of round.games) {
      const { status, output } = bed.verify((await client.get(`/v1/games/${id}/record`)).text);
      assert.equal(status, 0, output);
    }
  });
});

// An operator who asked for many games, to play the one that suits.
describe('what a dealer was asked for', () => {
  const compare = (lines, ...logs) => {
    writeFileSync(file('list'), lines.map((line) => `${line}\n`).join(''));
    const { status, stdout, stderr } = bed.tillroll('dealer', 'compare', file('list'), ...logs);
    return { status, said: stdout + stderr };
  };

  it('is compared with the log', async () => {
    const [{ game: over }, { game: runs }] = [await table([ada]), await table([ada])];
    await finish(over);
    await started(runs);
    const list = await ada.answers();
    const log = file('log');
    await until(20, 'the log has the game', async () => (await client.get(`${over.at}/record.bundle`)).status === 200);
    const watched = await watch(log);
    assert.equal(watched.status, 0, watched.said);
    const { status, said } = compare(list, log);
    assert.equal(status, 0, said);
    assert.match(said, new RegExp(`^${runs.id}: unfinished: `, 'm'));
    assert.ok(!said.includes(over.id), said);
    assert.match(said, new RegExp(`^${list.length} answers, 0 with a commitment that is in no log, `, 'm'));

    const unlogged = `${over.id.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))} ${'a'.repeat(64)} -`;
    const other = list.map((line) => line.replace(new RegExp(`^(${over.id}) \\w+`), `$1 ${'b'.repeat(64)}`));
    for (const [code, lines] of [['unlogged', [...list, unlogged]], ['other-commitment', other]]) {
      const found = compare(lines, log);
      assert.equal(found.status, 1);
      assert.match(found.said, new RegExp(`^[0-9a-f-]{36}: ${code}: `, 'm'));
      assert.match(found.said, / answers, 1 with a commitment that is in no log, /);
    }
    assert.match(compare([...list, list[0]], log).said, new RegExp(`: line ${list.length + 1} is not a dealer's answer, or is there twice`));
    assert.deepEqual(compare(list, file('none')), { status: 2, said: `tillroll: ${file('none')}: no \`tillroll monitor\` has kept a log here\n` });
  });

  async function watch(log) {
    const child = spawn(tillroll, ['monitor', `http://127.0.0.1:${client.port}`, log, '--once', '--policy', file('policy')]);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
    const [status] = await once(child, 'close');
    return { status, said };
  }
});

describe('the settings of an event', () => {
  const settings = { name: 'Club night', ruleset: 'shinjuku', seats_min: 3, seats_max: 4, rounds: 3 };
  it('name only dealers that the service can ask', async () => {
    assert.deepEqual(good(await client.get('/v1/keys')).dealers.map(({ name }) => name), ['ada.example', 'ben', 'cy']);
    const unknown = { name: 'dan', key: ada.key };
    for (const dealers of [[unknown], [{ ...named(ada)[0], key: ben.key }], [named(ada)[0], named(ada)[0]], 'ada', [{ ...named(ada)[0], url: 'http://127.0.0.1:1' }]])
      assert.equal(await code(client.post('/v1/events', { ...settings, dealers }, organizer.token)), '400 bad-field', JSON.stringify(dealers));
    const event = good(await client.post('/v1/events', { ...settings, dealers: named(ada) }, organizer.token));
    assert.equal(await code(change(event, { dealers: [unknown] })), '400 bad-field');
    assert.equal(good(await change(event, { dealers: [] })).settings.dealers, undefined);
  });
});
