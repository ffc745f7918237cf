// Events that play with a component set of their own: chosen by its hash, named by records, carried by bundles, and asked for by whoever
// verifies without it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Refused } from '../../../web-static/game/engine-answers.js';
import { ScorerEngine } from '../../../web-static/scorer/engine.js';
import { Verifier } from '../../../web-static/verify/verifier.js';
import { good } from '../support/client.mjs';
import { sameInBrowser, sealed } from '../../engine/wasm/bundles.mjs';
import * as stranger from '../../engine/stranger.mjs';
import { asOwner } from '../support/damage.mjs';
import { makeDuplicate, seated } from '../support/duplicate.mjs';
import { endQuietly, legalMoves, makeEvent, makeGame, makePlayer, makePlayers, playRandomly, Random } from '../support/play.mjs';
import { build, Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const builtIn = (slug) => readFileSync(path.join(root, 'engine/games', slug, 'components.json'), 'utf8');
const hashOf = (text) => createHash('sha256').update(text).digest('hex');
const code = ({ status, json }) => `${status} ${json?.code ?? ''} ${json?.field ?? ''}`.trim();
const random = new Random('own sets');

// One customer fewer, so that the rules play differently; an empty line as in no other part of a bundle.
const set = `${builtIn('shinjuku').replace('"slug":', '"name": "Second edition", "slug":').replace('"count": 22}', '"count": 21}')}\n\n`;
const hash = hashOf(set);
const other = `${set} `;

let bed;
let elsewhere;
let client;
let organizer;
let players;
before(async () => {
  [bed, elsewhere] = [new Testbed(), new Testbed()];
  ({ client } = await bed.startService(['--log-interval-ms', '50']));
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 2);
});
after(async () => {
  await elsewhere.end();
  await bed.end();
});

const register = (body, slug = 'shinjuku') => client.request('POST', `/v1/rulesets/${slug}/components`, { body, token: organizer.token, headers: { 'Content-Type': 'application/json' } });
const create = (settings) => client.post('/v1/events', { name: 'Own', ruleset: 'shinjuku', rounds: 1, ...settings }, organizer.token);
const recordOf = async (game) => (await client.get(`${game.at}/record`)).text;

const bundleOf = async (game) => (await until(60, 'the game is in the log', async () => {
  const answer = await client.get(`${game.at}/record.bundle`);
  return answer.status === 200 && answer;
})).text;

function written(name, text) {
  const file = path.join(bed.directory, name);
  writeFileSync(file, text);
  return file;
}

function tillroll(...words) {
  const { status, stdout, stderr } = spawnSync(path.join(build, 'tillroll'), words, { encoding: 'utf8', maxBuffer: 1 << 26 });
  return { status, said: stdout + stderr };
}

// Lines, without a seal, as a bundle.
const seal = (lines) => sealed(`${lines.join('\n')}\n{}\n`);

describe('an event with a component set of its own', () => {
  let played; // { event, game }

  it('chooses one that is registered for its ruleset', async () => {
    assert.equal(code(await create({ components: hash })), '400 bad-field');
    assert.equal((await register(set)).status, 201);
    for (const components of ['shinjuku', hash.toUpperCase(), 7, hash.slice(1), '0'.repeat(64), hashOf(builtIn('supermarche'))]) {
      const refused = await create({ components });
      assert.equal(code(refused), '400 bad-field', components);
      assert.match(refused.json.detail, /^components must be /);
    }
    // The ruleset's own is the same as none.
    for (const components of [undefined, null, hashOf(builtIn('shinjuku'))]) {
      const event = good(await client.get(`/v1/events/${good(await create({ components })).id}`));
      assert.deepEqual([event.settings.components, event.component_set], [undefined, undefined]);
    }
    const event = good(await create({ components: hash }));
    const at = `/v1/events/${event.id}`;
    const shown = good(await client.get(at));
    assert.equal(shown.settings.components, hash);
    assert.deepEqual(shown.component_set, { components: hash, ruleset: 'shinjuku', name: 'Second edition', built_in: false });
    // Changed before it begins; another ruleset has other sets.
    assert.equal(good(await client.request('PATCH', at, { json: { components: null }, token: organizer.token })).settings.components, undefined);
    assert.equal(good(await client.request('PATCH', at, { json: { components: hash }, token: organizer.token })).settings.components, hash);
    assert.equal(good(await client.request('PATCH', at, { json: { ruleset: 'mall-world' }, token: organizer.token })).settings.components, undefined);
    const copy = good(await client.post(`/v1/events/${shown.id}/clone`, { name: 'Copy' }, organizer.token));
    assert.equal(copy.ruleset.slug, 'mall-world');
  });

  it('plays with it, in every service, and its records name it', async () => {
    played = await makeGame(client, organizer, players, { components: hash });
    const { event, game } = played;
    const { game: usual } = await makeGame(client, organizer, players);
    assert.match(await recordOf(game), new RegExp(`^game ${game.id} shinjuku 1\\.0\\.0 ${hash} #`, 'm'));
    assert.match(await recordOf(usual), new RegExp(`^game ${usual.id} shinjuku 1\\.0\\.0 ${hashOf(builtIn('shinjuku'))} #`, 'm'));
    assert.equal(good(await client.get(`${usual.at}/view`)).components, undefined);
    assert.equal(good(await client.get(`${game.at}/view`)).components, hash);
    const change = await client.request('PATCH', `/v1/events/${event.id}`, { json: { components: null }, token: organizer.token });
    assert.equal(code(change), '400 bad-field');
    assert.match(change.json.detail, /^components can no longer change/);

    await playRandomly(client, game, random, { plies: 6 });
    await playRandomly(client, usual, random, { plies: 6 });
    // A service that has never seen the game reads the set from the database.
    const { client: second } = await bed.startService();
    const [seat] = good(await client.get(game.at)).deciders;
    assert.deepEqual(await legalMoves(second, game, seat), await legalMoves(client, game, seat));
    const sample = good(await second.get(`${game.at}/sample`, { token: game.players[seat].token }));
    assert.equal(sample.components_sha256, hash);
    await playRandomly(second, game, random, { plies: 4 });
    assert.equal((await client.get(`${game.at}/view`)).text, (await second.get(`${game.at}/view`)).text);
    await endQuietly(client, game, organizer);
    const verification = good(await client.get(`${game.at}/verification`));
    assert.equal(verification.verdict, 'valid');
    assert.ok(good(await client.get(`${game.at}/events`)).items.some((each) => each.kind === 'ply' && each.events.length > 0));
    assert.equal((await client.post(`${game.at}/analysis`, {}, players[0].token)).json.state, 'waiting');
    await endQuietly(client, usual, organizer);
    const audit = bed.tillroll('audit');
    assert.equal(audit.status, 0, audit.stdout);
  });

  it('has records that need the set, which their bundles carry', async () => {
    const { game } = played;
    const record = written('own.roll', await recordOf(game));
    const needed = new RegExp(`invalid: line 2: wrong-components: .*: ${hash}\n$`);
    assert.deepEqual([tillroll('verify', record)].map(({ status, said }) => [status, needed.test(said)]), [[1, true]]);
    assert.match(tillroll('verify', '--components', written('other.json', other), record).said, needed);
    const file = written('set.json', set);
    assert.match(tillroll('verify', '--components', file, record).said, /: valid: shinjuku 1\.0\.0, \d+ plies\n/);
    assert.equal(tillroll('replay', record).status, 1);
    assert.equal(tillroll('replay', '--components', file, record).status, 0);
    assert.match(tillroll('verify', '--components', written('broken.json', '{"slug": "shinjuku"}'), record).said, /broken\.json:1: The key `.*` is missing/);
    for (const command of [['analyse', '--budget', '8'], ['collusion', '--budget', '8'], ['adjudicate', '--to', '3', '--samples', '4']]) {
      assert.match(tillroll(...command, record).said, new RegExp(`: line 2: wrong-components: .*: ${hash}$`, 'm'), command[0]);
      const told = tillroll(...command, '--components', file, record);
      assert.equal(told.status, 0, told.said);
    }

    const bundle = await bundleOf(game);
    assert.ok(bundle.endsWith(`\n\ntillroll components 1\n${set}`));
    const engine = await Verifier.make(readFileSync(path.join(build, 'verify.wasm')));
    const cut = bundle.slice(0, bundle.indexOf('\n\ntillroll components 1\n') + 1);
    for (const [text, status, said] of [
      [bundle, 2, /: valid: shinjuku/], [cut, 1, needed], [`${bundle} `, 1, /: invalid: other-components: /],
      [`${cut}\ntillroll components 1\n${builtIn('shinjuku')}`, 1, /: invalid: other-components: /],
      [`${cut}\ntillroll components 1\n`, 1, /: invalid: other-components: /],
    ]) {
      const found = tillroll('verify', written('own.roll.bundle', text));
      assert.equal(found.status, status, found.said); // 2: whose signature it is, nobody has said
      assert.match(found.said, said);
      const judged = await engine.judge(Buffer.from(text));
      assert.equal(judged.found.record, status === 2 ? 'valid' : 'invalid');
      assert.equal(found.said.split('\n')[0].endsWith(judged.said[0]), true, judged.said[0]);
    }
    // A bundle brings its set along.
    for (const command of ['analyse', 'collusion']) {
      assert.equal(tillroll(command, '--budget', '8', written('own.roll.bundle', bundle)).status, 0);
      assert.match(tillroll(command, '--budget', '8', written('own.roll.bundle', `${bundle} `)).said, /: invalid: other-components: /);
    }
    const [{ vkey }] = good(await client.get('/v1/keys')).keys;
    // The monitor asks the service for the set.
    const policy = written('policy', `log ${vkey}\nquorum none\n`);
    const followed = tillroll('monitor', `http://127.0.0.1:${client.port}`, path.join(bed.directory, 'monitor'), '--once', '--policy', policy);
    assert.equal(followed.status, 0, followed.said);
    assert.match(followed.said, /, 0 alarms/);
    // A verifier that shares no code with the engine.
    assert.equal(stranger.checkGameBundle(Buffer.from(bundle), vkey).record.header.components, hash);
    for (const forged of [cut, `${bundle} `, `${cut}\ntillroll components 1\n${builtIn('shinjuku')}`])
      assert.throws(() => stranger.checkGameBundle(Buffer.from(forged), vkey), /another component set/);
    // The ruleset's own set is in no bundle, and none that a record does not name is taken.
    const { game: usual } = await makeGame(client, organizer, players);
    await endQuietly(client, usual, organizer);
    const plain = await bundleOf(usual);
    assert.doesNotMatch(plain, /tillroll components/);
    assert.match(tillroll('verify', written('plain.bundle', `${plain}\ntillroll components 1\n${set}`)).said, /: invalid: other-components: /);
  });

  it('has a bundle that carries it, and is proved and imported with it', async () => {
    const { event, game } = played;
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    const bundle = (await client.get(`/v1/events/${event.id}/bundle`)).text;
    const lines = bundle.trimEnd().split('\n').slice(0, -1);
    const key = good(await client.get('/v1/keys')).keys[0].public_key;
    assert.equal(JSON.parse(lines[0]).bundle, 5);
    const at = lines.findIndex((line) => line.startsWith('{"components":'));
    assert.deepEqual(JSON.parse(lines[at]), { components: set });
    const proof = tillroll('event', written('event.bundle', bundle));
    assert.equal(proof.status, 0, proof.said);
    assert.ok(proof.said.includes(`\nplayed with the component set ${hash} (Second edition)\n`), proof.said);
    sameInBrowser(bundle, { status: 0 });
    stranger.checkEventBundle(Buffer.from(bundle), key);
    const record = JSON.parse(lines.find((line) => line.includes('"record":'))).record;
    const without = lines.toSpliced(at, 1);
    const line = (components) => JSON.stringify({ components });
    // What the games were played with, in a line that comes too late.
    const end = lines.findLastIndex((each) => each.includes('"kind":')) + 1;
    const late = { ...JSON.parse(lines.findLast((each) => /"kind":"(created|settings_changed)"/.test(each))), at: JSON.parse(lines[end - 1]).at, kind: 'settings_changed', line: end };
    for (const [forged, fault] of [
      [without, /missing-components: .* chose: [0-9a-f]{64}$/m],
      [lines.with(at, line(other)), /other-components/],
      [lines.with(at, line(builtIn('shinjuku'))), /other-components/],
      [lines.toSpliced(at, 0, lines[at]), /bad-line/],
      [lines.with(at, JSON.stringify({ components: set, name: 'more' })), /bad-line/],
      [lines.with(0, lines[0].replace('"bundle":5', '"bundle":4')), /bad-line/],
      [[...without, lines[at]], /bad-line/],
      [lines.map((each) => each.replace('"advanced":"off"', '"advanced":"on"')), /other-rules/],
      [lines.map((each) => each.replace('"advanced":"off"', '"advanced":"on"')).toSpliced(end, 0, JSON.stringify(late)), /other-components/],
    ]) {
      const text = seal(forged);
      const found = tillroll('event', written('forged.bundle', text));
      assert.equal(found.status, 1, found.said);
      assert.match(found.said, fault);
      assert.throws(() => stranger.checkEventBundle(Buffer.from(text), JSON.parse(text.trimEnd().split('\n').at(-1)).key), { message: /component|another version|out of order|other rules/ });
      sameInBrowser(text, { status: found.status, output: found.said });
    }
    assert.ok(record.includes(hash));
    // Nor does a late line exchange the numbers of two players, so that the log could tell the result of one as that of the other.
    const ofKind = (kind) => JSON.parse(lines.find((each) => each.includes(`"kind":"${kind}"`)));
    const [result, numbered] = [ofKind('result'), ofKind('entries_closed')];
    const [one, two] = result.detail.seats;
    const { numbers } = numbered.detail;
    [numbers[one[0] - 1], numbers[two[0] - 1], one[0], two[0]] = [numbers[two[0] - 1], numbers[one[0] - 1], two[0], one[0]];
    // A game has one result: a second line does not make up for a first that tells another one.
    for (const last of [numbered, ofKind('result')]) {
      const forged = lines.with(result.line, JSON.stringify(result)).toSpliced(end, 0, JSON.stringify({ ...last, at: late.at, line: end }));
      const found = bed.proveEvent(seal(forged));
      assert.equal(found.status, 1, last.kind);
    }

    const { client: there } = await elsewhere.startService();
    const keeper = await makePlayer(there, 'Keeper');
    asOwner(elsewhere.cluster, `UPDATE tillroll.player SET roles = 1 WHERE id = '${keeper.id}'`);
    const address = `/v1/imports/${hashOf(bundle)}`;
    const part = await there.request('PUT', `${address}/parts/1`, { token: keeper.token, body: bundle, headers: { 'Content-Type': 'text/plain' } });
    assert.equal(part.status, 204, part.text);
    const imported = await there.post(address, { key, parts: 1 }, keeper.token);
    assert.ok(imported.status < 300, imported.text);
    assert.equal((await there.get(`/v1/components/${hash}`)).text, set);
    assert.equal((await there.get(`/v1/events/${event.id}/bundle`)).text, bundle);
    assert.equal(good(await there.get(`${game.at}/verification`)).verdict, 'valid');
    assert.equal(good(await there.get(`/v1/rulesets/shinjuku/component-sets`)).items[1].registered_by.id, keeper.id);
  });

  it('deals the same boards with it at every table', async () => {
    const rich = builtIn('supermarche').replace('"start_money": 15', '"start_money": 20');
    assert.equal((await register(rich, 'supermarche')).status, 201);
    const start = async (components) => {
      const event = await makeDuplicate(client, organizer, players, { ruleset: 'supermarche', boards: 1, components });
      const games = seated(good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token)), players);
      const money = await Promise.all(games.map(async (game) => good(await client.get(`${game.at}/view`, { token: game.players[0].token })).view.money));
      return { event, games, money };
    };
    const [usual, own] = [await start(null), await start(hashOf(rich))];
    assert.deepEqual(usual.money.concat(own.money), [15, 15, 20, 20]);
    for (const game of own.games) await endQuietly(client, game, organizer);
    good(await client.post(`/v1/events/${own.event.id}/close`, {}, organizer.token));
    const proof = tillroll('event', written('boards.bundle', (await client.get(`/v1/events/${own.event.id}/bundle`)).text));
    assert.equal(proof.status, 0, proof.said);
  });

  it('is not needed: a table of the lobby chooses a set, and its rematch keeps it', async () => {
    const open = (body) => client.post('/v1/lobby', { ruleset: 'shinjuku', seats: 2, ...body }, players[0].token);
    assert.equal(code(await open({ components: '0'.repeat(64) })), '400 bad-field');
    const usual = await open({});
    assert.deepEqual([usual.status, 'components' in usual.json], [201, false]);
    const table = await open({ components: hash });
    assert.deepEqual([table.status, table.json.components], [201, hash]);
    const id = good(await client.post(`/v1/lobby/${table.json.id}/seat`, {}, players[1].token)).game;
    const { seats } = good(await client.get(`/v1/games/${id}`));
    const game = { id, at: `/v1/games/${id}`, players: seats.map((seat) => players.find((each) => each.id === seat.player.id)) };
    assert.match(await recordOf(game), new RegExp(`^game ${id} shinjuku 1\\.0\\.0 ${hash} #`, 'm'));
    assert.equal(good(await client.get(`${game.at}/view`)).components, hash);
    await playRandomly(client, game, random);
    assert.equal(good(await client.get(`${game.at}/verification`)).verdict, 'valid');
    const again = good(await client.post(`${game.at}/rematch`, {}, players[0].token));
    assert.equal(again.components, hash);
  });

  it('is recorded at real tables with it', async () => {
    const event = await makeEvent(client, organizer, players, { components: hash, play: 'table', seats_min: 2, seats_max: 2, rounds: 1 });
    good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const id = '0193a2b4-5c6d-7e8f-9012-3456789abcd1';
    const recording = await client.post(`/v1/events/${event.id}/rounds/1/tables/1/recordings`, { id }, players[0].token);
    assert.equal(recording.status, 201, recording.text);
    assert.match(recording.json.record, new RegExp(`^game ${id} shinjuku 1\\.0\\.0 ${hash} #`, 'm'));
    // The page's engine takes the set behind the header, and no other one.
    const engine = await ScorerEngine.make(readFileSync(path.join(build, 'scorer.wasm')));
    const begun = { header: recording.json.record, entries: ['1 - 4000 bind deck ueno'], components: JSON.parse(set) };
    assert.deepEqual(engine.begin({ ...begun, set }), { slug: 'shinjuku', version: '1.0.0', seats: 2 });
    assert.equal(engine.state.seq, 1);
    for (const [wrong, fault] of [[undefined, 'wrong-components'], [other, 'wrong-components'], ['{}', 'bad-components']])
      assert.throws(() => engine.begin({ ...begun, set: wrong }), (error) => error instanceof Refused && error.code === fault);
    const more = await client.post(`/v1/recordings/${id}/entries`, { entries: ['1 - 4000 bind deck ueno'] }, players[0].token);
    assert.ok(more.status < 300, more.text);
    const file = path.join(bed.directory, 'scored.roll');
    const scored = spawnSync(path.join(build, 'tillroll'), ['scorer', '--ruleset', 'shinjuku', '--components', written('set.json', set), '--player', 'Ada', '--player', 'Ben', file], { input: 'quit\n', encoding: 'utf8' });
    assert.equal(scored.status, 0, scored.stderr);
    assert.match(readFileSync(file, 'utf8'), new RegExp(` shinjuku 1\\.0\\.0 ${hash} #`));
    const wrong = spawnSync(path.join(build, 'tillroll'), ['scorer', '--ruleset', 'mall-world', '--components', path.join(bed.directory, 'set.json'), '--player', 'Ada', `${file}.2`], { input: 'quit\n', encoding: 'utf8' });
    assert.match(wrong.stderr, /the component set is not one of mall-world/);
  });
});
