// Tables outside of rounds: the first seat of a challenge and the tables that open play calls follow from the event's secret and its
// log. A bundle in which others were seated is refused.
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { after, before, describe, it } from 'node:test';

import { printJson } from '../../engine/stranger.mjs';
import { good } from '../support/client.mjs';
import { Stream } from '../support/luck.mjs';
import { makeEvent, makePlayers } from '../support/play.mjs';
import { eventSeed } from '../support/recompute.mjs';
import { Testbed } from '../support/testbed.mjs';

let bed, client, organizer, players;
before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  [organizer] = await makePlayers(client, 1, 'Organizer');
  players = await makePlayers(client, 6);
});
after(() => bed?.end());

const make = (settings) => makeEvent(client, organizer, players, { play: 'table', rounds: undefined, seats_min: undefined, seats_max: undefined, ...settings });

// The closed event's bundle: { lines, log, seed }.
async function close({ id }) {
  good(await client.post(`/v1/events/${id}/close`, {}, organizer.token));
  const lines = (await client.get(`/v1/events/${id}/bundle`)).text.trimEnd().split('\n').slice(0, -1).map((line) => JSON.parse(line));
  return { id, lines, log: lines.filter((line) => line.kind !== undefined), seed: eventSeed(id, lines[0].secret) };
}

// What is said of the bundle with other lines, sealed by whoever changed them.
function proved({ id, lines }, edit = () => {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const changed = structuredClone(lines);
  edit(changed.filter((line) => line.kind === 'table_started'));
  const body = changed.map((line) => `${printJson(line)}\n`).join('');
  const sha256 = createHash('sha256').update(body).digest('hex');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  const signature = sign(null, Buffer.from(`tillroll bundle\n${id}\n${sha256}\n`), privateKey).toString('hex');
  return bed.proveEvent(`${body}${printJson({ key, sha256, signature })}\n`);
}

const refused = ({ status, output }) => {
  assert.equal(status, 1, output);
  assert.match(output, /invalid: line \d+: draw-differs: /);
};

// The organizer reports the table's result: `winner` is first, `loser` second.
async function report(event, table, winner, loser) {
  const seats = [{ player: winner.id, rank: 1 }, { player: loser.id, rank: 2 }];
  good(await client.post(`/v1/events/${event.id}/rounds/0/tables/${table}/report`, { seats }, organizer.token));
}

describe('the first seat of a challenge', () => {
  it('is drawn from the event’s secret, and no bundle says otherwise', async () => {
    const event = await make({ name: 'Ladder', format: 'ladder', reach: 5 });
    const at = `/v1/events/${event.id}/challenges`;
    for (const [table, [challenger, challenged]] of [[1, 0], [2, 0], [3, 1], [4, 2], [5, 3], [5, 0], [4, 1], [2, 1]].entries()) {
      good(await client.post(at, { player: players[challenged].id }, players[challenger].token));
      good(await client.post(`${at}/${players[challenger].id}/accept`, {}, players[challenged].token));
      await report(event, table + 1, players[challenged], players[challenger]);
    }
    const bundle = await close(event);
    const challenges = bundle.log.filter(({ kind }) => kind === 'challenged').map(({ detail }) => detail.players);
    const { numbers } = bundle.log.find(({ kind }) => kind === 'entries_closed').detail;
    const started = bundle.log.filter(({ kind }) => kind === 'table_started').map(({ detail }) => detail.numbers.map((number) => numbers[number - 1]));
    const drawn = challenges.map(([challenger, challenged], i) => (new Stream(bundle.seed, `ladder/${i + 1}`).uniform(2) === 0 ? [challenger, challenged] : [challenged, challenger]));
    assert.deepEqual(started, drawn);
    const whole = proved(bundle);
    assert.equal(whole.status, 0, whole.output);
    assert.match(whole.output, /, 8 pairings made again, /);
    for (const i of [0, 7]) refused(proved(bundle, (lines) => lines[i].detail.numbers.reverse()));
    // Nor that nobody had answered, where there is no time to answer in.
    const first = started.findIndex(([seat], i) => seat !== challenges[i][0]);
    refused(proved(bundle, (lines) => { lines[first].actor = ''; lines[first].detail.numbers.reverse(); }));
  });
});

describe('the tables of open play', () => {
  it('are those that the queue gives at the time, and no bundle says otherwise', async () => {
    const event = await make({ name: 'Open', format: 'open_play', seats_min: 2, seats_max: 2, best: 2 });
    const at = `/v1/events/${event.id}`;
    let table = 0;
    const { tables: none } = good(await client.post(`${at}/queue`, {}, players[0].token));
    assert.deepEqual(none, []);
    for (const one of [1, 2, 3, 4, 5, 0, 1, 2, 3]) {
      const { tables } = good(await client.post(`${at}/queue`, {}, players[one].token));
      if (tables.length > 0) await report(event, ++table, ...tables[0].players);
    }
    assert.equal(table, 5);
    const bundle = await close(event);
    const whole = proved(bundle);
    assert.equal(whole.status, 0, whole.output);
    assert.match(whole.output, /, 5 pairings made again, /);
    for (const i of [0, 4]) refused(proved(bundle, (lines) => lines[i].detail.numbers.reverse()));
  });
});
