// Steps that take longer than a request should: 202 and a place to look, once whoever asks and at whichever service, and
// nothing half done. Draws are held (held_draws.c) for as long as a test needs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { endQuietly, makeEvent, makeGame, makePlayer, makePlayers } from '../support/play.mjs';
import { Testbed, build } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

let bed;
let held;
let service;
let client;
let other; // client of another service of the same database
let maker; // and of one whose requests wait
let organizer;
let players;

const libraries = ['quick_passwords.so', 'held_draws.so'].map((name) => path.join(build, 'tests', name)).join(':');
const start = () => bed.startService(['--step-wait-ms', '50'], { LD_PRELOAD: libraries, TILLROLL_HELD_DRAWS: held });
const owner = (statement) => bed.cluster.sql(`SET ROLE tillroll_owner; ${statement}`);

// The transactions of the services: a role sees its own sessions.
function openTransactions() {
  const states = spawnSync('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', bed.cluster.serviceUrl, '-c',
    'SELECT state, pid, xact_start FROM pg_stat_activity WHERE usename = current_user'], { encoding: 'utf8' });
  const sessions = states.stdout.trim().split('\n');
  assert.ok(sessions.some((each) => /^idle\|/.test(each)), states.stderr);
  return sessions.filter((each) => each.startsWith('idle in transaction'));
}

const hold = () => writeFileSync(held, '');
const letGo = () => rmSync(held, { force: true });
const begun = () => (existsSync(held) ? readFileSync(held, 'utf8').length : 0);

before(async () => {
  bed = new Testbed();
  held = path.join(bed.directory, 'held');
  service = await start();
  client = service.client;
  ({ client: other } = await start());
  ({ client: maker } = await bed.startService());
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, 8);
});
afterEach(letGo);
after(() => bed.end());

const make = () => makeEvent(maker, organizer, players);
const draw = (event, { at = client, body = {}, headers = {}, token = organizer.token } = {}) =>
  at.post(`/v1/events/${event.id}/rounds`, body, token, headers);
const look = async (at, { by = organizer, from = client } = {}) => good(await from.get(at, { token: by.token }));
const ended = (at, options) =>
  until(20, 'the job ends', async () => {
    const job = await look(at, options);
    return job.state !== 'running' && job;
  });
const computes = (at) => until(20, 'it is being computed', async () => (await look(at)).phase === 'computing');
const logOf = async (event) => good(await client.get(`/v1/events/${event.id}/log`)).items.map((step) => step.kind);

describe('a step that takes long', () => {
  it('is answered with 202 and a place that shows it', async () => {
    const event = await make();
    hold();
    const answer = await draw(event);
    assert.equal(answer.status, 202);
    assert.equal(answer.headers.location, `/v1/jobs/${answer.json.id}`);
    assert.equal(answer.headers['retry-after'], '1');
    const { id, kind, subject, state, ended_at, result } = answer.json;
    assert.deepEqual([kind, subject, state, ended_at, result], ['draw', event.id, 'running', null, null]);
    await computes(answer.headers.location);
    assert.ok(!(await logOf(event)).includes('round_drawn'));
    letGo();
    const job = await ended(answer.headers.location);
    assert.deepEqual([job.id, job.state, job.result.status], [id, 'done', 201]);
    assert.equal(job.result.location, `/v1/events/${event.id}/rounds/1`);
    const { games, number } = job.result.answer;
    assert.deepEqual([number, games.length], [1, 2]);
    const round = good(await client.get(job.result.location));
    assert.deepEqual(games.map((game) => game.id), round.games.map((game) => game.id));
  });

  it('is worked out while no transaction is open', async () => {
    const event = await make();
    hold();
    for (const ask of [
      () => draw(event, { body: { publish: false } }),
      () => client.get(`/v1/events/${event.id}/rounds/next`, { token: organizer.token }),
    ]) {
      const { headers } = await ask();
      await computes(headers.location);
      // Others begin and end meanwhile; who holds one open while the draw is held is there both times.
      const first = openTransactions();
      assert.deepEqual(openTransactions().filter((each) => first.includes(each)), []);
    }
  });

  // It rates all later games again.
  it('may be a ruling, by no party to the table', async () => {
    const { event, game } = await makeGame(maker, organizer, players.slice(0, 3));
    await endQuietly(client, game, organizer);
    const at = `/v1/events/${event.id}/rounds/1/tables/1/ruling`;
    const seats = game.seats.map(({ player }, i) => ({ player: player.id, rank: i + 1 }));
    const headers = { Prefer: 'respond-async' };
    const given = await client.request('PUT', at, { json: { seats, reason: 'A piece was lost.' }, token: organizer.token, headers });
    assert.equal(given.status, 202, given.text);
    const ruled = await ended(given.headers.location);
    assert.deepEqual([ruled.kind, ruled.state, ruled.result.status], ['ruling', 'done', 200]);
    const refused = await client.request('DELETE', at, { json: { reason: 'Mine.' }, token: game.players[0].token, headers });
    assert.equal(refused.status, 403);
    const revoked = await client.request('DELETE', at, { json: { reason: 'Found again.' }, token: organizer.token, headers });
    assert.equal(revoked.status, 202);
    assert.equal((await ended(revoked.headers.location)).result.status, 200);
    assert.deepEqual((await logOf(event)).slice(-2), ['ruled', 'ruling_revoked']);
  });

  it('may be a ruling on a dispute, whose answer is not kept', async () => {
    const { event, game } = await makeGame(maker, organizer, players.slice(0, 3));
    await endQuietly(client, game, organizer);
    const { id } = good(await client.post(`${game.at}/disputes`, { entry: 1, claim: 'rules', text: 'Not as the rules have it.' }, game.players[0].token));
    const at = `/v1/disputes/${id}`;
    const seats = game.seats.map((_, seat) => seat);
    const ruling = { orders: [{ order: 'adjust', seat: seats.at(-1), points: 7 }], code: 'wrong-cost', reason: 'It had cost less.' };
    const rule = (body, token, from = client) => from.post(`${at}/ruling`, body, token, { Prefer: 'respond-async' });
    assert.equal((await rule(ruling, game.players[0].token)).status, 403);
    const preview = await client.post(`${at}/ruling?preview=true`, ruling, organizer.token, { Prefer: 'respond-async' });
    assert.deepEqual([preview.status, preview.json.preview], [200, true]);
    const both = await Promise.all([client, other].map((from) => rule(ruling, organizer.token, from)));
    const given = both.filter((answer) => answer.status === 202);
    assert.ok(given.length > 0, both.map((answer) => answer.text).join());
    const ruled = await ended(given[0].headers.location);
    assert.deepEqual([ruled.kind, ruled.subject, ruled.state], ['dispute-ruling', id, 'done']);
    assert.deepEqual(ruled.result, { status: 200, location: at, answer: null });
    assert.equal(owner(`SELECT count(*) FROM tillroll.job WHERE kind = 'dispute-ruling' AND answer LIKE '%cost less%'`), '0');
    const { state, log } = good(await client.get(at, { token: organizer.token }));
    assert.deepEqual([state, log.length, log[1].kind], ['ruled', 2, 'ruled']);
    assert.equal((await logOf(event)).filter((kind) => kind === 'ruled').length, 1);
    const late = await rule(ruling, organizer.token);
    const refused = (await ended(late.headers.location)).result;
    assert.deepEqual([refused.status, refused.answer.code], [409, 'wrong-dispute-state']);
  });

  it('goes on when the connection is lost', async () => {
    const event = await make();
    hold();
    await new Promise((resolve) => {
      const request = http.request({
        port: client.port, method: 'POST', path: `/v1/events/${event.id}/rounds`,
        headers: { Authorization: `Bearer ${organizer.token}`, 'Content-Type': 'application/json', 'Content-Length': 2, Prefer: 'wait=5' },
      });
      request.on('error', resolve);
      request.end('{}');
      until(20, 'it is begun', () => begun() === 1).then(() => request.destroy(new Error('lost')));
    });
    const joined = await draw(event);
    assert.equal(joined.status, 202);
    letGo();
    assert.equal((await ended(joined.headers.location)).state, 'done');
    assert.equal(good(await client.get(`/v1/events/${event.id}/rounds`)).items.length, 1);
  });

  it('has one answer for all who ask at the same time, if it does not take long', async () => {
    const event = await make();
    const answers = await Promise.all(Array.from({ length: 6 }, () => draw(event, { headers: { Prefer: 'wait=5' } })));
    const rounds = answers.filter((answer) => answer.status === 201);
    assert.ok(rounds.length > 0);
    for (const answer of rounds) assert.deepEqual(answer.json, rounds[0].json);
    // Requests that came after the end are answered with the state then.
    for (const answer of answers) if (answer.status !== 201) assert.equal(answer.json.code, 'round-running');
  });

  it('of somebody else ends with what is so then', async () => {
    const event = await make();
    const second = await makePlayer(client, 'Organizer');
    good(await client.post(`/v1/events/${event.id}/roles`, { player: second.id, role: 'organizer' }, organizer.token));
    hold();
    const { headers } = await draw(event);
    const theirs = draw(event, { token: second.token, headers: { Prefer: 'wait=5' } });
    letGo();
    await ended(headers.location);
    const { status, json } = await theirs;
    if (status !== 202) assert.equal(json.code, 'round-running');
  });

  it('is taken once though ten ask at two services at the same time', async () => {
    const event = await make();
    hold();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => draw(event, { at: i % 2 ? client : other })));
    assert.deepEqual(answers.map((answer) => answer.status), Array(10).fill(202));
    const [at, ...more] = new Set(answers.map((answer) => answer.headers.location));
    assert.deepEqual(more, []);
    await computes(at);
    assert.equal(begun(), 1);
    letGo();
    assert.equal((await ended(at, { from: other })).state, 'done');
    assert.deepEqual((await logOf(event)).filter((kind) => /^round/.test(kind)), ['round_drawn', 'round_started']);
  });

  it('holds off another of its kind, at either service', async () => {
    const event = await make();
    hold();
    const { headers } = await draw(event);
    for (const at of [client, other]) {
      const answer = await draw(event, { at, body: { publish: false } });
      assert.equal(`${answer.status} ${answer.json.code}`, '409 step-running');
    }
    letGo();
    await ended(headers.location);
  });

  it('is drawn again if the event has changed meanwhile', async () => {
    const event = await make();
    hold();
    const { headers } = await draw(event, { body: { publish: false } });
    await computes(headers.location);
    const gone = players[0];
    assert.equal((await client.delete(`/v1/events/${event.id}/entries/${gone.id}`, gone.token)).status, 204);
    letGo();
    const { state, result } = await ended(headers.location);
    assert.equal(state, 'done');
    const seated = result.answer.tables.flatMap((table) => table.players.map((player) => player.id));
    assert.deepEqual(seated.sort(), players.slice(1).map((player) => player.id).sort());
  });

  it('is not taken for somebody who has lost the right to it meanwhile', async () => {
    const event = await make();
    const second = await makePlayer(client, 'Organizer');
    const role = { player: second.id, role: 'organizer' };
    good(await client.post(`/v1/events/${event.id}/roles`, role, organizer.token));
    hold();
    const { headers } = await draw(event, { token: second.token });
    await computes(headers.location);
    const taken = await client.request('DELETE', `/v1/events/${event.id}/roles`, { token: organizer.token, json: role });
    good(taken);
    letGo();
    const { state, result } = await ended(headers.location);
    assert.deepEqual([state, result.status, result.answer], ['failed', 403, null]);
    assert.equal((await client.get(headers.location, { token: second.token })).status, 403);
    assert.ok(!(await logOf(event)).includes('round_drawn'));
  });

  it('keeps its answer for an Idempotency-Key', async () => {
    const event = await make();
    const options = { headers: { 'Idempotency-Key': 'first round' } };
    hold();
    const first = await draw(event, options);
    const second = await draw(event, options);
    assert.deepEqual([first.status, second.status, second.headers.location], [202, 202, first.headers.location]);
    letGo();
    const { result } = await ended(first.headers.location);
    const again = await draw(event, options);
    assert.equal(again.status, 201);
    assert.deepEqual(again.json, result.answer);
  });
});

describe('Prefer', () => {
  it('says how long to wait', async () => {
    const event = await make();
    for (const prefer of ['respond-async', 'Respond-Async, wait=0', 'handling=lenient, wait=0; x=1']) {
      const answer = await draw(event, { headers: { Prefer: prefer }, body: { publish: true, deadline: null } });
      assert.equal(answer.status, 202, prefer);
      await ended(answer.headers.location);
    }
    const answer = await draw(await make(), { headers: { Prefer: 'respond-async, wait=5' } });
    assert.equal(answer.status, 201);
  });

  it('shows what was refused, too', async () => {
    const event = await make();
    assert.equal((await draw(event, { headers: { Prefer: 'wait=5' } })).status, 201);
    const { headers } = await draw(event, { headers: { Prefer: 'respond-async' } });
    const { state, result } = await ended(headers.location);
    assert.deepEqual([state, result.status, result.location, result.answer.code], ['failed', 409, null, 'round-running']);
  });
});

describe('a job', () => {
  it('is shown to those who may take its step, and its answer to who asked', async () => {
    const event = await make();
    const [second, arbiter, stranger] = await makePlayers(client, 3, 'Somebody');
    for (const [player, role] of [[second, 'organizer'], [arbiter, 'arbiter']])
      good(await client.post(`/v1/events/${event.id}/roles`, { player: player.id, role }, organizer.token));
    const { headers } = await draw(event, { body: { publish: false }, headers: { Prefer: 'respond-async' } });
    const own = await ended(headers.location);
    assert.equal(own.result.answer.state, 'draft');
    assert.deepEqual(await look(headers.location, { by: second }), { ...own, result: { ...own.result, answer: null } });
    for (const player of [arbiter, stranger, players[0]])
      assert.equal((await client.get(headers.location, { token: player.token })).json.code, 'not-allowed');
    assert.equal((await client.get(headers.location)).status, 401);
    const next = `/v1/events/${event.id}/rounds/next`;
    const redraw = await client.post(`${next}/redraw`, { reason: 'Again' }, arbiter.token, { Prefer: 'respond-async' });
    assert.equal((await ended(redraw.headers.location, { by: arbiter })).result.answer.attempt, 2);
    assert.equal((await client.get(`/v1/jobs/${event.id}`, { token: organizer.token })).status, 404);
  });

  it('that nobody was told of leaves nothing', async () => {
    const event = await make();
    const before = bed.cluster.fingerprint();
    const patient = { Prefer: 'wait=5' };
    assert.equal((await client.get(`/v1/events/${event.id}/rounds/next`, { token: organizer.token, headers: patient })).status, 200);
    assert.equal((await client.post(`/v1/events/${event.id}/close-entries`, {}, organizer.token, patient)).status, 409);
    assert.equal(bed.cluster.fingerprint(), before);
  });

  it('has few beside it', async () => {
    const events = await Promise.all(Array.from({ length: 9 }, () => make()));
    hold();
    const answers = [];
    for (const event of events) answers.push(await draw(event));
    assert.deepEqual(answers.map((answer) => answer.status), [...Array(8).fill(202), 503]);
    assert.equal(answers[8].json.code, 'server-busy');
    // What is no such step is answered meanwhile.
    good(await client.get(`/v1/events/${events[0].id}`));
    letGo();
    for (const answer of answers.slice(0, 8)) assert.equal((await ended(answer.headers.location)).state, 'done');
  });

  it('is forgotten but for the last twenty of a player', async () => {
    const event = await make();
    const asked = [];
    for (let i = 0; i < 23; i++) {
      const { headers } = await client.post(`/v1/events/${event.id}/close-entries`, {}, organizer.token, { Prefer: 'respond-async' });
      asked.push(headers.location);
      await ended(headers.location);
    }
    const found = await Promise.all(asked.map(async (at) => (await client.get(at, { token: organizer.token })).status));
    assert.deepEqual(found, [404, 404, ...Array(21).fill(200)]);
    owner(`UPDATE tillroll.job SET ended_at = ended_at - interval '1 hour' WHERE state <> 'running'`);
    await client.get(`/v1/events/${event.id}/rounds/next`, { token: organizer.token, headers: { Prefer: 'wait=5' } });
    assert.equal(owner('SELECT count(*) FROM tillroll.job'), '0');
  });
});

describe('tillroll', () => {
  it('waits for the end of a step, and says how it ended', async () => {
    const { client: hasty } = await bed.startService(['--step-wait-ms', '0']);
    const server = `http://127.0.0.1:${hasty.port}`;
    const event = await make();
    const rounds = ['event', 'close-entries', event.id, '--server', server];
    const refused = await bed.tillrollAs(organizer.token, ...rounds);
    assert.equal(refused.status, 1);
    assert.match(refused.output, /409 Entries are not open/);
    const started = await bed.tillrollAs(organizer.token, 'event', 'draw', event.id, '--server', server, '--json');
    assert.equal(started.status, 0, started.output);
    assert.equal(JSON.parse(started.output).games.length, 2);
  });
});

describe('a service that ends under a job', () => {
  it('by force: the step has not been taken, and can be asked for again when the job is known to be dead', async () => {
    const event = await make();
    const victim = await start();
    hold();
    const { headers } = await draw(event, { at: victim.client });
    await computes(headers.location);
    await victim.end('SIGKILL');
    letGo();
    assert.equal((await look(headers.location)).state, 'running');
    assert.equal((await draw(event)).headers.location, headers.location, 'it may still be alive');
    owner(`UPDATE tillroll.job SET alive_until = clock_timestamp() - interval '1 second' WHERE state = 'running'`);
    const dead = await look(headers.location);
    assert.deepEqual([dead.state, dead.result], ['failed', null]);
    assert.ok(!(await logOf(event)).includes('round_drawn'));
    assert.equal((await draw(event, { headers: { Prefer: 'wait=5' } })).status, 201);
    assert.equal((await look(headers.location)).state, 'failed');
  });

  it('that was taken for dead does not do what another has begun again', async () => {
    const event = await make();
    hold();
    const first = await draw(event, { body: { publish: false } });
    await computes(first.headers.location);
    owner(`UPDATE tillroll.job SET state = 'failed', ended_at = clock_timestamp() WHERE state = 'running'`);
    const second = await draw(event, { at: other, body: { publish: false } });
    assert.notEqual(second.headers.location, first.headers.location);
    letGo();
    assert.equal((await ended(second.headers.location)).state, 'done');
    await until(20, 'the first is over', async () => (await draw(event, { body: { publish: true } })).status !== 409);
    assert.equal((await look(first.headers.location)).state, 'failed');
    assert.equal((await logOf(event)).filter((kind) => kind === 'round_drawn').length, 1);
  });

  it('in order: what is not over in ten seconds is given up at once', async () => {
    const event = await make();
    const victim = await start();
    hold();
    const { headers } = await draw(event, { at: victim.client });
    await computes(headers.location);
    assert.deepEqual(await victim.end('SIGTERM'), [0, null]);
    const { state, result } = await look(headers.location);
    assert.deepEqual([state, result], ['failed', null]);
    letGo();
    assert.equal((await draw(event, { headers: { Prefer: 'wait=5' } })).status, 201);
  });
});
