// A scorer's page whose connection comes and goes: requests and answers are lost, requests arrive late or twice, and the page is opened
// again at any moment. Whatever happens, the service has each entry once, in order. 1,000 games in the long run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { it } from 'node:test';

import { Journal } from '../../../web-static/scorer/journal.js';
import { isLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { makeEvent, Random } from '../support/play.mjs';
import { client, organizer, players, serve } from '../support/served.mjs';
import { build } from '../support/testbed.mjs';

const schedules = isLong ? 1000 : 5;
serve({ players: 3 });

const withoutMarks = (record) => record.trimEnd().split('\n').map((line) => line.slice(0, -' #01234567'.length));
const entriesIn = (lines) => lines.slice(lines.findIndex((line) => line.startsWith('start ')) + 1);

// The entries of a game as a scorer tells it, with some of them taken back and told again.
function told(number, random) {
  const roll = execFileSync(path.join(build, 'tests/write_roll'), ['superstore-3000', '3', String(number), 'recorded'], { encoding: 'utf8' });
  const all = entriesIn(withoutMarks(roll));
  const entries = all.slice(0, all.findIndex((entry) => entry.endsWith(' show')) + 1).map((entry) => entry.split(' ').slice(1));
  const told = [];
  let first = 0; // of the step, in `entries`
  for (const [i, entry] of entries.entries()) {
    told.push(entry);
    if (entry[2] === 'bind') continue;
    const step = entries.slice(first, i + 1);
    first = i + 1;
    if (entry[2] === 'show' || random.below(20) > 0) continue;
    told.push(['-', entry[1], 'back', String(told.length - step.length + 1)], ...step);
  }
  return told.map((entry, i) => [i + 1, ...entry].join(' '));
}

class Storage {
  constructor(kept = new Map()) {
    this.kept = new Map(kept);
  }
  getItem(key) { return this.kept.get(key) ?? null; }
  setItem(key, value) { this.kept.set(key, value); }
}

const lost = () => Object.assign(new Error('lost'), { passes: true });

// lib/common.js's send(), as far as it matters here.
async function post(token, at, body) {
  const { status, json } = await client.post(at, body, token);
  if (status >= 400) throw Object.assign(new Error(json.detail), { code: json.code, document: json, passes: status === 429 || status >= 500 });
  return json;
}

async function play(number) {
  const random = new Random(`schedule ${number}`);
  const event = await makeEvent(client, organizer, players, { ruleset: 'superstore-3000', seats_min: 3, seats_max: 3, rounds: 1, play: 'table', confirm_minutes: 0 });
  good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
  const { token } = players[0];
  const id = randomUUID();
  const begun = good(await client.post(`/v1/events/${event.id}/rounds/1/tables/1/recordings`, { id }, token));
  const entries = told(1 + (number % 50), random);
  const late = []; // requests whose page is gone
  let storage = new Storage();
  let journal = new Journal(storage, 'key');
  journal.begin(begun);

  const open = () => {
    storage = new Storage(storage.kept); // what the page before still writes is lost
    journal = new Journal(storage, 'key');
  };
  const flaky = async (_method, at, body) => {
    const how = random.below(6);
    if (how === 0) throw lost();
    const answer = await post(token, at, body);
    if (how === 1) throw lost();
    if (how === 2) await post(token, at, body);
    return answer;
  };
  for (let at = 0; at < entries.length;) {
    const count = 1 + random.below(8);
    journal.add(entries.slice(at, at + count));
    at += count;
    const what = random.below(12);
    if (what < 5) await journal.sync(flaky);
    if (what === 5) late.push(journal.sync(flaky));
    if (what === 5 || what === 6) open();
    if (what === 7) journal.kept.sent = journal.kept.entries.length; // it believes that all has arrived
    assert.equal(journal.fault, null);
  }
  open();
  journal.kept.sent = Math.min(journal.kept.sent, random.below(entries.length));
  while (!await journal.sync(flaky)) assert.equal(journal.fault, null);
  await Promise.all(late);
  const { record, finished_at: finished } = good(await client.get(`/v1/recordings/${id}`));
  assert.notEqual(finished, null);
  assert.deepEqual(entriesIn(withoutMarks(record)).slice(0, entries.length), entries);
  assert.deepEqual(good(await client.get(`/v1/events/${event.id}/rounds/1/tables/1/recordings`)).items.map((item) => item.id), [id]);
}

it(`nothing is lost and nothing doubled, in ${schedules} games`, async () => {
  for (let number = 1; number <= schedules; number++) await play(number);
});
