// Reported results: rounds at real tables deal no game; who reports, confirms, objects and corrects; a round as a list and as a
// spreadsheet; a result that counts by time; and what a later round and a bundle make of it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { asOwner, unlocked } from '../support/damage.mjs';
import { makeEvent, makePlayers } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

let bed;
let client;
let organizer;
let arbiter;
let stranger;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService(['--timers-ms', '50']));
  [organizer, arbiter, stranger] = await makePlayers(client, 3);
});
after(() => bed.end());

const settings = { seats_min: 3, seats_max: 3, rounds: 3, play: 'table', confirm_minutes: 0 };

// An event at real tables whose first round has started: { event, at, round, players, tables }.
async function begin(count, more = {}, body = {}) {
  const players = await makePlayers(client, count);
  const event = await makeEvent(client, organizer, players, { ...settings, ...more });
  const at = `/v1/events/${event.id}`;
  good(await client.post(`${at}/roles`, { player: arbiter.id, role: 'arbiter' }, organizer.token));
  const round = good(await client.post(`${at}/rounds`, body, organizer.token));
  const tables = round.seating.map((table) => table.seats.map((seat) => players.find((player) => player.id === seat.player.id)));
  const tableAt = (table) => `${at}/rounds/1/tables/${table}`;
  return { event, at, round, players, tables, tableAt, reportAt: (table) => `${tableAt(table)}/report` };
}

const idOf = (at) => at.split('/')[3];
const dueAt = (at) => bed.cluster.sql(`SET ROLE tillroll_owner; SELECT due_at FROM tillroll.event_timer WHERE event_id = '${idOf(at)}'`);

// As if everything of the event had happened earlier.
function makeEarlier(at, minutes) {
  unlocked(bed.cluster, 'tillroll.event_step', `UPDATE tillroll.event_step SET at = at - interval '${minutes} minutes' WHERE event_id = '${idOf(at)}'`);
  asOwner(bed.cluster, `UPDATE tillroll.event_timer SET due_at = due_at - interval '${minutes} minutes' WHERE event_id = '${idOf(at)}'`);
}

const scores = (players, numbers) => ({ seats: players.map((player, i) => ({ player: player.id, score: numbers[i] })) });
const places = (players, numbers) => ({ seats: players.map((player, i) => ({ player: player.id, rank: numbers[i] })) });
const code = (answer) => `${answer.status} ${answer.json?.code ?? ''}`.trim();
// The tables of an event whose results an official has to decide, as lists and badges name them.
async function toDecide(at, { token }) {
  const { items } = good(await client.get('/v1/me/contested-results', { token }));
  assert.equal(good(await client.get('/v1/me/turns', { token })).results, items.length);
  return items.filter(({ event }) => event.id === idOf(at)).map(({ round, table, ruleset }) => [ruleset.slug, round, table]);
}
const put = (at, json, token) => client.request('PUT', at, { json, token });

describe('a round at real tables', () => {
  it('deals no game, and says so', async () => {
    const { event, round, at } = await begin(6);
    assert.equal(event.play, 'table');
    assert.equal(event.settings.entropy_seconds ?? 0, 0);
    assert.deepEqual(round.games, []);
    assert.equal(round.play, 'table');
    assert.deepEqual(round.seating.map((table) => [table.reported, table.report]), [[false, null], [false, null]]);
    const games = good(await client.get('/v1/games?limit=100'));
    assert.ok(games.items.every((game) => game.event?.id !== event.id));
    const early = await client.post(`${at}/rounds`, {}, organizer.token);
    assert.equal(code(early), '409 round-running');
  });

  it('takes a report of a player, which counts when another one confirms it', async () => {
    const { tables: [[a, b, c]], tableAt, reportAt, at } = await begin(3);
    const reported = good(await client.post(reportAt(1), scores([a, b, c], [41, 38, 41]), b.token));
    assert.deepEqual(reported.report.seats, [{ rank: 1, score: 41 }, { rank: 3, score: 38 }, { rank: 1, score: 41 }]);
    assert.deepEqual([reported.report.by, reported.report.counted_by, reported.reported], [1, null, false]);
    assert.ok(reported.seats.every((seat) => seat.rank === null && seat.score === null));
    assert.equal(code(await client.post(`${tableAt(1)}/confirmation`, {}, b.token)), '409 own-report');
    assert.equal(code(await client.post(`${tableAt(1)}/confirmation`, {}, stranger.token)), '403 not-allowed');
    const counted = good(await client.post(`${tableAt(1)}/confirmation`, {}, c.token));
    assert.deepEqual([counted.report.counted_by, counted.reported], [2, true]);
    assert.deepEqual(counted.seats.map((seat) => [seat.rank, seat.score]), [[1, 41], [3, 38], [1, 41]]);
    assert.deepEqual(good(await client.get(reportAt(1))), counted);
    const round = good(await client.get(`${at}/rounds/1`));
    assert.equal(round.state, 'finished');
    assert.equal(round.seating[0].reported, true);
    const { items: [result] } = good(await client.get(`/v1/players/${b.id}/reported`));
    assert.deepEqual([result.event.id, result.round, result.table, result.seats, result.rank, result.score], [idOf(at), 1, 1, 3, 3, 38]);
    // Head to head, told apart from played games.
    const met = good(await client.get(`/v1/players/${b.id}/opponents`)).items.map(({ player, games, last_game: game, reported: { tables, ahead, level, behind, last_table: last } }) => [player.id, games, game, tables, ahead, level, behind, last]);
    assert.deepEqual(met.sort(), [a, c].map(({ id }) => [id, 0, null, 1, 0, 0, 1, { event: idOf(at), round: 1, table: 1 }]).sort());
    assert.deepEqual(good(await client.get(`/v1/players/${a.id}/opponents`)).items.map(({ player, reported: { ahead, level } }) => [player.id === b.id, ahead, level]).sort(), [[false, 0, 1], [true, 1, 0]]);
    const page = async ({ id }) => (await client.get(`/players/${id}`, { unchecked: true })).text.split('<h2>Reported results</h2>')[1];
    assert.ok((await page(b)).includes(`/rounds/1/tables/1"><bdi>${result.event.name}</bdi>, round 1, table 1</a></th><td>Shinjuku</td><td>${result.rank} of 3</td><td class="number">${result.score}</td>`));
    assert.equal(await page(stranger), undefined);
    assert.deepEqual(good(await client.get(`/v1/players/${stranger.id}/reported`)).items, []);
    const copy = good(await client.get('/v1/me/export', { token: b.token }));
    assert.deepEqual(copy.reported, [result]);
    const { items: log } = good(await client.get(`${at}/log`));
    assert.deepEqual(copy.event_lines, log.filter(({ by }) => by?.id === b.id).toReversed()
      .map(({ seq, at: when, kind, detail }) => ({ event: idOf(at), seq, at: when, kind, detail })));
    assert.deepEqual(copy.event_lines.map(({ kind }) => kind), ['reported', 'entered']);
    assert.equal(good(await client.get('/v1/me/export', { token: c.token })).event_lines[0].kind, 'report_confirmed');
    const standings = good(await client.get(`${at}/standings`));
    assert.equal(standings.rows.at(-1).player.id, b.id);
    assert.equal(standings.reported, 1);
  });

  it('takes places alone, which have no scores', async () => {
    const { tables: [[a, b, c]], tableAt, reportAt, at } = await begin(3);
    good(await client.post(reportAt(1), places([a, b, c], [2, 1, 3]), a.token));
    const same = good(await client.post(reportAt(1), places([a, b, c], [2, 1, 3]), b.token));
    assert.deepEqual([same.report.counted_by, same.report.seats[0]], [1, { rank: 2, score: null }]);
    assert.deepEqual(same.seats.map((seat) => seat.score), [null, null, null]);
    const told = async () => good(await client.get(`${at}/standings`)).rows.map(({ rounds: [round] }) => [round.kind, round.rank, round.score]);
    assert.deepEqual(await told(), [1, 2, 3].map((rank) => ['played', rank, undefined]));
    // Neither has a ruling that says places alone; one that says scores has them, those of 0 too.
    const rule = async (each) => good(await put(`${tableAt(1)}/ruling`, { seats: [a, b, c].map(each), reason: 'The sheet says so.' }, arbiter.token)).seats.map(({ score }) => score);
    assert.deepEqual(await rule(({ id }, i) => ({ player: id, rank: i + 1 })), [null, null, null]);
    assert.deepEqual(await told(), [1, 2, 3].map((rank) => ['adjudicated', rank, undefined]));
    assert.deepEqual(await rule(({ id }, i) => ({ player: id, rank: i + 1, score: 12 - 6 * i })), [12, 6, 0]);
    assert.deepEqual(await told(), [1, 2, 3].map((rank) => ['adjudicated', rank, 18 - 6 * rank]));
    const results = (await client.get(`${at}/results.csv`)).text.trim().split('\r\n').slice(1);
    assert.deepEqual(results.map((line) => line.split(',').slice(7, 10)), [['adjudicated', '1', '12'], ['adjudicated', '2', '6'], ['adjudicated', '3', '0']]);
  });

  it('calls the arbiter when two reports differ, and takes the decision', async () => {
    const { tables: [[a, b, c]], tableAt, reportAt, at } = await begin(3);
    good(await client.post(reportAt(1), scores([a, b, c], [3, 2, 1]), a.token));
    const differs = good(await client.post(reportAt(1), scores([a, b, c], [1, 2, 3]), b.token));
    assert.equal(differs.report.against, 1);
    assert.deepEqual(differs.report.other.map((seat) => seat.score), [1, 2, 3]);
    for (const official of [organizer, arbiter]) assert.deepEqual(await toDecide(at, official), [['shinjuku', 1, 1]]);
    for (const other of [a, stranger]) assert.deepEqual(await toDecide(at, other), []);
    assert.equal(code(await client.post(`${tableAt(1)}/confirmation`, {}, c.token)), '409 arbiter-called');
    assert.equal(code(await put(reportAt(1), scores([a, b, c], [2, 2, 2]), a.token)), '403 not-allowed');
    const decided = good(await put(reportAt(1), { ...scores([a, b, c], [2, 2, 2]), reason: 'The sheet says so.' }, arbiter.token));
    assert.deepEqual([decided.report.against, decided.report.counted_by, decided.report.corrected], [null, 'official', true]);
    assert.deepEqual(await toDecide(at, arbiter), []);
    assert.deepEqual(decided.seats.map((seat) => seat.rank), [1, 1, 1]);
    const log = good(await client.get(`${at}/log`)).items;
    assert.deepEqual(log.slice(-3).map((line) => line.kind), ['reported', 'reported', 'report_corrected']);
    assert.equal(log.at(-1).detail.reason, 'The sheet says so.');
    assert.equal(code(await client.post(`${tableAt(1)}/objection`, {}, c.token)), '409 arbiter-called');
  });

  it('takes an objection to a result that counts, and does not go on before it is decided', async () => {
    const { tables: [[a, b, c]], tableAt, reportAt, at } = await begin(3);
    good(await client.post(reportAt(1), scores([a, b, c], [3, 2, 1]), a.token));
    good(await client.post(`${tableAt(1)}/confirmation`, {}, b.token));
    assert.deepEqual(await toDecide(at, arbiter), []);
    good(await client.post(`${tableAt(1)}/objection`, { reason: 'I had 5.' }, c.token));
    assert.deepEqual(await toDecide(at, arbiter), [['shinjuku', 1, 1]]);
    assert.equal(good(await client.get(`${at}/rounds/1`)).state, 'running');
    assert.equal(code(await client.post(`${at}/rounds`, {}, organizer.token)), '409 round-running');
    good(await client.post(`${tableAt(1)}/confirmation`, {}, arbiter.token));
    assert.equal(good(await client.post(`${at}/rounds`, {}, organizer.token)).number, 2);
  });

  it('keeps an official out of a table where they or their bot play', async () => {
    const bot = good(await client.post('/v1/me/bots', { name: `Bot of ${arbiter.name}` }, arbiter.token));
    const token = good(await client.post(`/v1/me/bots/${bot.id}/tokens`, { label: 'here', scopes: ['read', 'play'] }, arbiter.token)).token;
    const others = await makePlayers(client, 2);
    const event = await makeEvent(client, organizer, [...others, { ...bot, token }], settings);
    const at = `/v1/events/${event.id}/rounds/1/tables/1`;
    good(await client.post(`/v1/events/${event.id}/roles`, { player: arbiter.id, role: 'arbiter' }, organizer.token));
    const round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    const seats = round.seating[0].seats.map((seat, i) => ({ player: seat.player.id, score: i }));
    const own = good(await client.post(`${at}/report`, { seats }, arbiter.token)); // as the player that the bot is
    assert.equal(typeof own.report.by, 'number');
    assert.equal(own.report.counted_by, null);
    good(await client.post(`${at}/objection`, {}, others[0].token));
    assert.deepEqual(await toDecide(`/v1/events/${event.id}`, arbiter), []); // by the bot a party
    assert.deepEqual(await toDecide(`/v1/events/${event.id}`, organizer), [['shinjuku', 1, 1]]);
    assert.equal(code(await put(`${at}/report`, { seats }, arbiter.token)), '403 party-to-the-game');
    const ruling = { seats: seats.map(({ player }, i) => ({ player, rank: i + 1 })), reason: 'So I say.' };
    assert.equal(code(await put(`${at}/ruling`, ruling, arbiter.token)), '403 party-to-the-game');
    good(await client.post(`${at}/confirmation`, {}, organizer.token));
    assert.equal(good(await client.get(`/v1/players/${others[0].id}/reported`)).items.length, 1);
    assert.equal(good(await put(`${at}/ruling`, ruling, organizer.token)).ruled, true); // no longer as it was reported
    assert.deepEqual(good(await client.get(`/v1/players/${others[0].id}/reported`)).items, []);
    assert.equal((await client.request('DELETE', `${at}/ruling`, { json: {}, token: organizer.token })).status, 200);
    assert.equal(good(await client.get(`/v1/players/${others[0].id}/reported`)).items.length, 1);
  });

  it('names what is wrong with a report', async () => {
    const { tables: [[a, b, c]], tableAt, reportAt, at } = await begin(3);
    const post = async (body) => code(await client.post(reportAt(1), body, a.token));
    assert.equal(await post({}), '400 bad-field');
    assert.equal(await post(scores([a, b], [1, 2])), '400 bad-field');
    assert.equal(await post(scores([a, b, b], [1, 2, 3])), '400 bad-field');
    assert.equal(await post(scores([a, b, stranger], [1, 2, 3])), '400 bad-field');
    assert.equal(await post(scores([a, b, c], [1, 2, 'x'])), '400 bad-field');
    assert.equal(await post(places([a, b, c], [1, 3, 3])), '400 bad-field');
    assert.equal(await post({ seats: [{ player: a.id, score: 1 }, { player: b.id, score: 2 }, { player: c.id }] }), '400 bad-field');
    assert.equal(code(await client.post(reportAt(2), scores([a, b, c], [1, 2, 3]), a.token)), '409 no-such-table');
    assert.equal(code(await client.post(`${tableAt(1)}/confirmation`, {}, a.token)), '409 no-report');
    assert.equal(code(await client.post(`${at}/rounds/2/tables/1/report`, scores([a, b, c], [1, 2, 3]), a.token)), '409 no-such-table');
  });
});

describe('an official', () => {
  it('reports a whole round in a list, all of it or nothing', async () => {
    const { at, tables, reportAt } = await begin(9);
    const post = (results, who = organizer) => client.post(`${at}/rounds/1/reports`, { results }, who.token);
    assert.equal(code(await post('1: 1 2 3', tables[0][0])), '403 not-allowed');
    const refused = await post('1: 41 38 22\n2: 41 38\n\n7: 1 2 3\n3: 2. 1. 1.\n1: 4 4 4\n3 1 2 3');
    assert.equal(code(refused), '422 bad-results');
    assert.deepEqual(refused.json.lines.map((each) => each.line), [2, 4, 5, 6, 7]);
    assert.ok(refused.json.lines.every((each) => each.detail.length > 20));
    assert.ok(good(await client.get(`${at}/rounds/1`)).seating.every((table) => table.report === null));
    const taken = good(await post('1: 41 38 22\n2:\n3: 2. 1. 3.\n'));
    assert.deepEqual([taken.taken, taken.unchanged], [[1, 3], []]);
    good(await client.post(reportAt(2), scores(tables[1], [7, 8, 9]), tables[1][0].token));
    const other = await post('1: 41 38 22\n2: 9 8 7');
    assert.equal(code(other), '422 bad-results');
    const rest = good(await post('1: 41 38 22\n2: 7 8 9\n3: 2. 1. 3.'));
    assert.deepEqual([rest.taken, rest.unchanged], [[2], [1, 3]]);
    const round = good(await client.get(`${at}/rounds/1`));
    assert.equal(round.state, 'finished');
    assert.deepEqual(round.seating.map((table) => table.report.counted_by), ['official', 'official', 'official']);
    const second = good(await client.post(`${at}/rounds`, {}, organizer.token));
    assert.equal(second.number, 2);
    // A later correction changes the standings, and no pairing.
    const pointsOf = async ({ id }) => good(await client.get(`${at}/standings`)).rows.find((row) => row.player.id === id).points.text;
    const seatsOf = (round) => round.seating.map((table) => table.seats.map((seat) => seat.player.id));
    assert.equal(await pointsOf(tables[1][2]), '5');
    good(await put(reportAt(2), { ...scores(tables[1], [9, 8, 7]), reason: 'The last result.' }, organizer.token));
    assert.deepEqual([await pointsOf(tables[1][0]), await pointsOf(tables[1][2])], ['5', '1']);
    assert.deepEqual(seatsOf(good(await client.get(`${at}/rounds/2`))), seatsOf(second));
  });

  it('reports a whole round with the spreadsheet that the service gives', async () => {
    const { at } = await begin(6);
    const sheet = (await client.get(`${at}/pairings.csv`)).text.trim().split('\r\n');
    const filled = [`${sheet[0]},score`, ...sheet.slice(1).map((line, i) => `${line},${10 * i}`)].join('\r\n');
    const post = (results) => client.post(`${at}/rounds/1/reports`, { results }, organizer.token);
    const broken = await post(filled.replace(/,50$/, ',many').replace(/,20$/m, ','));
    assert.deepEqual([code(broken), broken.json.lines.map((each) => each.line)], ['422 bad-results', [7]]);
    assert.deepEqual(good(await post(`\ufeff${filled}`)).taken, [1, 2]);
    const results = (await client.get(`${at}/results.csv`)).text.trim().split('\r\n');
    assert.ok(results[0].endsWith(',game_id,reported,recorded'));
    assert.deepEqual(results.slice(1).map((line) => line.split(',').slice(-2)), Array(6).fill(['yes', 'no']));
    assert.deepEqual(results.slice(1).map((line) => line.split(',')[9]), ['0', '10', '20', '30', '40', '50']);
    const standings = (await client.get(`${at}/standings.csv`)).text.trim().split('\r\n').map((line) => line.split(','));
    const columns = ['substituted', 'reported', 'recorded'].map((column) => standings[0].indexOf(column));
    assert.deepEqual(standings.slice(1).map((line) => columns.map((column) => line[column])), Array(6).fill(['0', '1', '0']));
  });
});

describe('time', () => {
  it('makes a report count that nobody objects to', async () => {
    const { tables: [[a, b, c]], tableAt, reportAt, at } = await begin(3, { confirm_minutes: 10 });
    const reported = good(await client.post(reportAt(1), scores([a, b, c], [3, 2, 1]), a.token));
    assert.equal(Date.parse(reported.report.due) - Date.parse(reported.report.at), 600000);
    assert.equal(good(await client.get(`${at}/rounds/1`)).state, 'running');
    assert.notEqual(dueAt(at), '');
    makeEarlier(at, 11);
    await until(60, 'the report counts', async () => good(await client.get(reportAt(1))).reported);
    const counted = good(await client.get(reportAt(1)));
    assert.deepEqual([counted.report.counted_by, counted.report.due, counted.report.settled], ['time', null, false]);
    const [line] = good(await client.get(`${at}/log`)).items.slice(-1);
    assert.deepEqual([line.kind, line.by, line.detail], ['report_confirmed', null, { round: 1, table: 1 }]);
    assert.equal(dueAt(at), '');
    good(await client.post(`${tableAt(1)}/objection`, {}, b.token)); // late, but before the next round
  });

  it('does not when somebody objects, or when the organizer sets none', async () => {
    const { tables: [[a, b, c]], tableAt, reportAt, at } = await begin(3, { confirm_minutes: 10 });
    good(await client.post(reportAt(1), scores([a, b, c], [3, 2, 1]), a.token));
    const contested = good(await client.post(`${tableAt(1)}/objection`, {}, c.token));
    assert.deepEqual([contested.report.due, contested.report.against, dueAt(at)], [null, 2, '']);
    good(await client.post(`${tableAt(1)}/confirmation`, {}, c.token)); // takes it back
    assert.deepEqual(await toDecide(at, arbiter), []);
    good(await client.post(`${tableAt(1)}/objection`, {}, b.token));
    good(await put(`${tableAt(1)}/ruling`, { seats: [a, b, c].map(({ id }, i) => ({ player: id, rank: i + 1 })), reason: 'Seen.' }, arbiter.token));
    assert.deepEqual(await toDecide(at, arbiter), []);
    const other = await begin(3);
    const waits = good(await client.post(other.reportAt(1), scores(other.tables[0], [3, 2, 1]), other.tables[0][0].token));
    assert.deepEqual([waits.report.due, dueAt(other.at)], [null, '']);
  });
});

describe('an event', () => {
  it('mixes rounds here and at real tables', async () => {
    const { at, round, tables } = await begin(3, { play: undefined });
    assert.equal(round.play, 'online');
    assert.equal(round.games.length, 1);
    const results = await client.post(`${at}/rounds/1/reports`, { results: '1: 1 2 3' }, organizer.token);
    assert.deepEqual([code(results), results.json.lines[0].line], ['422 bad-results', 1]);
    assert.equal(code(await client.post(`${at}/rounds/1/tables/1/report`, scores(tables[0], [1, 2, 3]), tables[0][0].token)), '409 not-at-table');
    good(await put(`${at}/rounds/1/tables/1/ruling`, { seats: tables[0].map(({ id }, i) => ({ player: id, rank: i + 1 })), reason: 'Time.' }, organizer.token));
    assert.equal(code(await client.post(`${at}/rounds`, { play: 'garden' }, organizer.token)), '400 bad-field');
    const second = good(await client.post(`${at}/rounds`, { play: 'table' }, organizer.token));
    assert.deepEqual([second.play, second.games], ['table', []]);
    good(await client.post(`${at}/rounds/2/reports`, { results: '1: 5 4 3' }, organizer.token));
    const third = good(await client.post(`${at}/rounds`, {}, organizer.token));
    assert.deepEqual([third.play, third.games.length], ['online', 1]);
    const started = good(await client.get(`${at}/log`)).items.filter((line) => line.kind === 'round_started').map((line) => line.detail.play);
    assert.deepEqual(started, [undefined, 'table', undefined]);
  });

  it('has ladders and open play at real tables', async () => {
    const players = await makePlayers(client, 3);
    const open = good(await client.post('/v1/events', { name: 'Open', ruleset: 'shinjuku', format: 'open_play', seats_min: 3, seats_max: 3, play: 'table' }, organizer.token));
    const at = `/v1/events/${open.id}`;
    good(await client.post(`${at}/open-entries`, {}, organizer.token));
    for (const player of players) good(await client.post(`${at}/entries`, {}, player.token));
    good(await client.post(`${at}/close-entries`, {}, organizer.token));
    for (const player of players) good(await client.post(`${at}/queue`, {}, player.token));
    const [table] = good(await client.get(`${at}/queue`)).tables;
    const seated = table.players.map((each) => players.find((player) => player.id === each.id));
    good(await client.post(`${at}/rounds/0/tables/1/report`, scores(seated, [3, 2, 1]), seated[0].token));
    good(await client.post(`${at}/rounds/0/tables/1/confirmation`, {}, seated[1].token));
    assert.deepEqual(good(await client.get(`${at}/queue`)).tables, []);
    assert.equal(good(await client.get(`${at}/standings`)).rows[0].player.id, seated[0].id);
  });

  it('is proved by its bundle as far as it goes', async () => {
    const { at } = await begin(6, { rounds: 1 });
    good(await client.post(`${at}/rounds/1/reports`, { results: '1: 41 38 22\n2: 1. 2. 3.' }, organizer.token));
    good(await client.post(`${at}/close`, {}, organizer.token));
    const proof = bed.proveEvent((await client.get(`${at}/bundle`)).text);
    assert.equal(proof.status, 0, proof.output);
    assert.match(proof.output, /\n2 results are reported: .*no record proves them\n/);
  });
});
