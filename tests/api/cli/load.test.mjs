// `tillroll load` and what it is fed with: games that bench_fill has stored are played to their end
// over HTTP, with repeated and late requests in between, and every record is good afterwards.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';

import { daily } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { Testbed } from '../support/testbed.mjs';

let bed;
let client;
let server;
let tokens;

const file = (name) => path.join(bed.directory, name);

function fill(command, ...options) {
  const all = [command, '--tokens', tokens, '--secrets', file('secrets'), ...options.map(String)];
  const env = { PATH: process.env.PATH, DATABASE_URL: bed.cluster.migratorUrl };
  return execFileSync(path.join(bed.build, 'tests/bench_fill'), all, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

function load(...options) {
  const { status, stdout, stderr } = bed.tillroll('load', ...options.map(String));
  return { status, stderr, report: stdout === '' ? undefined : JSON.parse(stdout) };
}

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  server = ['--server', `http://127.0.0.1:${client.port}`];
  tokens = file('tokens');
  fill('players', '--count', 40);
});
after(() => bed.end());

const totals = () => /^all +(\d+) +(\d+) +\d+ +(\d+)$/m.exec(bed.tillroll('audit').stdout).slice(1).map(Number);

describe('a filled database', () => {
  it('holds games that verify, with results and ratings', async () => {
    fill('finished', '--ruleset', 'all', '--count', 40);
    assert.equal(bed.tillroll('audit').status, 0);
    assert.deepEqual(totals(), [40, 0, 0]);
    const { items } = good(await client.get('/v1/games'));
    for (const game of items) {
      assert.equal(game.state, 'finished');
      const { verdict } = good(await client.get(`/v1/games/${game.id}/verification`));
      assert.equal(verdict, 'valid');
    }
    const { items: ladder } = good(await client.get('/v1/leaderboard?scope=overall'));
    assert.ok(ladder.length > 0);
  });

  it('holds an event in mid-course', async () => {
    const id = fill('event', '--ruleset', 'superstore-3000', '--seats', 3, '--count', 10, '--rounds', 2);
    const event = good(await client.get(`/v1/events/${id}`));
    assert.equal(event.state, 'running');
    assert.equal(event.entries, 10);
    const standings = good(await client.get(`/v1/events/${id}/standings`));
    assert.equal(standings.rows.length, 10);
    const round = good(await client.get(`/v1/events/${id}/rounds/2`));
    assert.deepEqual([round.tables, round.tables_finished, round.byes.length], [3, 3, 1]);
  });

  it('keeps the check of the chain where it is not told otherwise, and always afterwards', () => {
    fill('finished', '--ruleset', 'supermarche', '--count', 5, '--unchecked');
    const states = bed.cluster.sql(`SELECT DISTINCT tgenabled FROM pg_trigger WHERE tgname = 'record_lines_added'`);
    assert.equal(states, 'A');
  });
});

describe('tillroll load', () => {
  for (const ruleset of daily(['mall-world', 'shinjuku', 'super-motherload', 'supermarche', 'superstore-3000'], 5)) {
    it(`plays ${ruleset} to its end, requests sent twice and too late among them`, () => {
      const [finished, running] = totals();
      const script = file(`script-${ruleset}`);
      fill('running', '--ruleset', ruleset, '--count', 6, '--plies', 7, '--script', script);
      assert.deepEqual(totals(), [finished, running + 6, 0]);
      const { status, report, stderr } = load(...server, '--script', script, '--connections', 3, '--seconds', 100, '--stale', 40);
      const plies = readFileSync(script, 'utf8').trim().split('\n').filter((line) => !line.startsWith('game ')).length;
      assert.equal(status, 0, stderr);
      assert.deepEqual([report.moves, report.games, report.wrong, report.broken, report.unanswered, report.ran_out], [plies, 6, 0, 0, 0, true]);
      assert.ok(report.repeated > 0);
      assert.equal(report.answers, plies + report.repeated + report.stale);
      assert.equal(report.status[409] ?? 0, report.stale);
      assert.ok(report.p50_us <= report.p99_us && report.p99_us <= report.p999_us && report.p999_us <= report.max_us);
      assert.deepEqual(totals(), [finished + 6, running, 0]);
    });
  }

  it('begins with a later game, and sends all requests at once when it is told to', () => {
    const script = file('script-later');
    fill('running', '--ruleset', 'supermarche', '--count', 4, '--moves', 2, '--script', script);
    const { status, report, stderr } = load(...server, '--script', script, '--first', 1, '--connections', 3, '--seconds', 100, '--lock-step');
    assert.equal(status, 0, stderr);
    assert.equal(report.games, 3);
    assert.equal(report.moves, 6);
  });

  it('says so when an answer is not what it should be', () => {
    const { status, report } = load(...server, '--script', file('script-later'), '--first', 1, '--connections', 1, '--seconds', 100, '--think', 1);
    assert.equal(status, 1);
    assert.equal(report.wrong, 3);
    assert.match(report.first_wrong, /^200 .*"receipt"/);
  });

  it('says so when a game does not exist', () => {
    const script = file('script-none');
    const token = readFileSync(tokens, 'utf8').split(' ')[1];
    writeFileSync(script, `game 019aa2c0-0000-7000-8000-000000000000 ${token}\n0 0 1 end\n`);
    const { status, report } = load(...server, '--script', script, '--connections', 1, '--seconds', 100);
    assert.equal(status, 1);
    assert.deepEqual(report.status, { 404: 1 });
    assert.equal(report.wrong, 1);
  });

  it('asks for a page, and for one that has not changed', async () => {
    const { status, report } = load(...server, '--get', '/', '--connections', 3, '--seconds', 1);
    const page = await client.get('/', { unchecked: true });
    assert.equal(status, 0);
    assert.deepEqual(Object.keys(report.status), ['200']);
    assert.equal(report.body_bytes % page.bytes.length, 0);
    const unchanged = load(...server, '--get', '/', '--etag', page.headers.etag, '--connections', 3, '--seconds', 1);
    assert.equal(unchanged.status, 0);
    assert.deepEqual(Object.keys(unchanged.report.status), ['304']);
    assert.equal(load(...server, '--get', '/nowhere', '--seconds', 1).status, 1);
  });

  it('watches a game: every event reaches all viewers', async () => {
    const script = file('script-watched');
    fill('running', '--ruleset', 'superstore-3000', '--seats', 2, '--count', 2, '--moves', 10, '--script', script);
    const [first, second] = readFileSync(script, 'utf8').match(/(?<=^game )\S+/gm).map((id) => `/v1/games/${id}/stream`);
    const options = ['load', ...server, '--watch', `${first},${second}`, '--connections', '6', '--seconds', '8'];
    const watching = spawn(path.join(bed.build, 'tillroll'), options, { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(watching, 'exit');
    const output = text(watching.stdout);
    await once(watching.stderr, 'data'); // that all streams are open
    assert.equal(load(...server, '--script', script, '--connections', 2, '--seconds', 100).report.moves, 20);
    assert.deepEqual(await ended, [0, null]);
    const report = JSON.parse(await output);
    assert.deepEqual([report.viewers, report.ended, report.events, report.complete, report.received], [6, 0, 20, 20, 60]);
  });

  it('cannot measure what is not there', () => {
    for (const options of [
      ['--server', 'http://127.0.0.1:1', '--get', '/'],
      ['--server', 'https://127.0.0.1:1', '--get', '/'],
      [...server, '--script', file('no-such-script')],
      [...server, '--script', tokens],
      [...server, '--get', '/', '--watch', '/'],
      [...server, '--watch', '/', '--seconds', '1'],
      [...server],
    ])
      assert.equal(load(...options).status, 2, options.join(' '));
  });
});
