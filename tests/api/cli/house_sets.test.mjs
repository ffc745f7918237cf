// House players and bots in games with a component set of their own: at tables and in events.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { notLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { makeGame, makePlayers } from '../support/play.mjs';
import { build, root, Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';
import { House } from './house_program.mjs';

const builtIn = (slug) => readFileSync(path.join(root, 'engine/games', slug, 'components.json'), 'utf8');
const hashOf = (text) => createHash('sha256').update(text).digest('hex');
// One customer fewer: decisions and lists of moves differ from those with the built-in set.
const set = builtIn('shinjuku').replace('"count": 22}', '"count": 21}');
const hash = hashOf(set);

let bed;
let client;
let keeper;
let organizer;
let ada;
let ben;
let accounts; // of the house
before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  keeper = new House(bed, client);
  [organizer, ada, ben] = await makePlayers(client, 3, 'Guest');
  accounts = [await keeper.account('casual'), await keeper.account('regular')];
  const registered = await client.request('POST', '/v1/rulesets/shinjuku/components', { body: set, token: organizer.token, headers: { 'Content-Type': 'application/json' } });
  assert.equal(registered.status, 201, registered.text);
});
after(async () => {
  keeper.end();
  await bed.end();
});

const read = async (game) => good(await client.get(`/v1/games/${game}`));
const isOver = (game) => until(240, `the end of ${game}`, async () => (await read(game)).state === 'finished');

function written(name, text) {
  const file = path.join(bed.directory, name);
  writeFileSync(file, text);
  return file;
}

function tillroll(words, options = {}) {
  const { status, stdout, stderr } = spawnSync(path.join(build, 'tillroll'), words, { encoding: 'utf8', timeout: 240000, ...options });
  return { status, said: stdout + stderr };
}

async function recordOf(game) {
  const record = (await client.get(`/v1/games/${game}/record`)).text;
  assert.match(record, new RegExp(`^game ${game} shinjuku 1\\.0\\.0 ${hash} #`, 'm'));
  return written(`${game}.roll`, record);
}

describe('house players with a component set of their own', () => {
  it('play at a table, and their decisions are made again from the record and the set', async () => {
    const table = good(await client.post('/v1/lobby', { ruleset: 'shinjuku', components: hash, house: 'regular', seats: 2 }, ada.token));
    assert.equal(table.components, hash);
    const program = keeper.start(accounts);
    await keeper.script(table.game, [ada]);
    await isOver(table.game);
    const again = good(await client.post(`/v1/games/${table.game}/rematch`, {}, ada.token));
    assert.equal(again.components, hash);
    assert.equal(await keeper.stop(program), 0);
    assert.match(program.output, /moves played/);
    const record = await recordOf(table.game);
    const own = written('own.json', set);
    const proof = tillroll(['verify', '--house', '--components', own, record]);
    assert.equal(proof.status, 0, proof.said);
    assert.match(proof.said, /: house: \d{2,} decisions of 1 seats? made again/);
    assert.deepEqual(tillroll(['verify', '--components', own, '--house', record]), proof); // in any order
    const alone = tillroll(['verify', '--house', record]);
    assert.equal(alone.status, 1);
    assert.match(alone.said, new RegExp(`wrong-components: .*: ${hash}\n$`));
  });

  it('fill an event, and are proved by its bundle', { skip: notLong }, async () => {
    const event = good(await client.post('/v1/events', { name: 'Filled', ruleset: 'shinjuku', components: hash, seats_min: 2, seats_max: 2, rounds: 1, house: 'regular', entropy_seconds: 0 }, organizer.token));
    const at = `/v1/events/${event.id}`;
    good(await client.post(`${at}/open-entries`, {}, organizer.token));
    good(await client.post(`${at}/entries`, {}, ada.token));
    const { items } = good(await client.post(`${at}/house`, { level: 'casual' }, organizer.token));
    assert.deepEqual(items.map(({ player }) => player.id), [accounts[0].id]);
    good(await client.post(`${at}/close-entries`, {}, organizer.token));
    const { games: [game] } = good(await client.post(`${at}/rounds`, {}, organizer.token));
    const program = keeper.start(accounts);
    await keeper.script(game.id, [ada]);
    await isOver(game.id);
    assert.equal(await keeper.stop(program), 0);
    good(await client.post(`${at}/close`, {}, organizer.token));
    const proof = tillroll(['event', written('filled.bundle', (await client.get(`${at}/bundle`)).text)]);
    assert.equal(proof.status, 0, proof.said);
    assert.ok(proof.said.includes(`played with the component set ${hash}`), proof.said);
  });
});

// The program, with these words, for this player.
async function bot(port, token, ...words) {
  const child = spawn(path.join(build, 'tillroll'), ['bot', '--no-entropy', '--server', `http://127.0.0.1:${port}`, ...words], { env: { PATH: process.env.PATH, TILLROLL_TOKEN: token } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
  const [status] = await once(child, 'close');
  return { status, said };
}

describe('bots with a component set of their own', () => {
  it('play with a policy, and with programs that are told which set it is', async () => {
    const { game } = await makeGame(client, organizer, [ada, ben], { components: hash });
    const heard = path.join(bed.directory, 'heard');
    const program = written('bot.mjs', `
      import { createInterface } from 'node:readline';
      import { writeFileSync } from 'node:fs';
      for await (const line of createInterface({ input: process.stdin })) {
        const message = JSON.parse(line);
        if (message.type === 'game') writeFileSync(${JSON.stringify(heard)}, String(message.components));
        if (message.type === 'decide') console.log(message.moves[0]);
      }`);
    const [first, second] = game.players;
    const ends = await Promise.all([bot(client.port, first.token, '--game', game.id, '--policy', 'casual'), bot(client.port, second.token, '--game', game.id, '--exec', `${process.execPath} ${program}`)]);
    assert.deepEqual(ends.map(({ status }) => status), [0, 0], ends.map(({ said }) => said).join('\n'));
    assert.equal(readFileSync(heard, 'utf8'), hash);
    assert.equal((await read(game.id)).state, 'finished');
    const proof = tillroll(['verify', '--components', written('own.json', set), await recordOf(game.id)]);
    assert.equal(proof.status, 0, proof.said);
  });

  it('do not play if the service hides the set, or shows another one', async () => {
    const { game } = await makeGame(client, organizer, [ada, ben], { components: hash });
    const [seat] = (await read(game.id)).deciders;
    const { token } = game.players[seat];
    for (const [status, shown] of [[404, ''], [200, builtIn('shinjuku')], [200, '{}']]) {
      const asked = [];
      const between = createServer(async (request, response) => {
        asked.push(request.url);
        if (request.url === `/v1/components/${hash}`) return response.writeHead(status).end(shown);
        const answer = await client.request(request.method, request.url, { token });
        return response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.text);
      });
      between.listen(0, '127.0.0.1');
      await once(between, 'listening');
      const end = await bot(between.address().port, token, '--game', game.id, '--policy', 'casual');
      between.close();
      assert.equal(end.status, 1, end.said);
      assert.match(end.said, new RegExp(`the service does not show the component set ${hash} of shinjuku`));
      assert.ok(asked.includes(`/v1/components/${hash}`), asked.join(' '));
    }
    assert.equal((await read(game.id)).seq, 0);
  });
});
