// Rounds over HTTP: drafts that are looked at, changed, withdrawn and started; rulings and what they
// change; and every format that is not pod Swiss, played to its end.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { endQuietly, makeEvent, makePlayers, playBriefly, Random, startRound } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';

const random = new Random('rounds');
let bed;
let client;
let organizer;
let arbiter;
let people;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  [organizer, arbiter, ...people] = await makePlayers(client, 12);
});
after(() => bed.end());

const put = (target, json, token) => client.request('PUT', target, { json, token });
const remove = (target, token, json) => client.request('DELETE', target, { json, token });
const refusal = ({ status, json }) => [status, json?.code];
const ids = (list) => list.map((each) => each.id);
const at = (event) => `/v1/events/${event.id}`;
const logOf = async (event) => good(await client.get(`${at(event)}/log`)).items;
const standingsOf = async (event, query = '') => good(await client.get(`${at(event)}/standings${query}`));

// Games with the players in order of seats, as play.mjs wants them.
function withPlayers(round) {
  for (const game of round.games) {
    game.at = `/v1/games/${game.id}`;
    game.organizer = organizer;
    game.players = game.seats.map((seat) => people.find((player) => player.id === seat.player.id));
  }
  return round;
}

const endAll = async (round) => {
  for (const game of round.games) await endQuietly(client, game, organizer);
};

async function playRound(event) {
  const round = await startRound(client, event, organizer, people);
  await endAll(round);
  return good(await client.get(`${at(event)}/rounds/${round.number}`));
}

describe('the next round', () => {
  let event;
  let draft;
  const next = () => `${at(event)}/rounds/next`;
  const look = (token = organizer.token) => client.get(next(), { token });

  before(async () => {
    event = await makeEvent(client, organizer, people.slice(0, 8), { name: 'Drafts' });
  });

  it('can be looked at before it is drawn, by officials, and looking leaves no trace', async () => {
    const before = await logOf(event);
    assert.deepEqual(refusal(await look(people[0].token)), [403, 'not-allowed']);
    assert.deepEqual(refusal(await look(arbiter.token)), [403, 'not-allowed']);
    const preview = good(await look());
    assert.equal(preview.state, 'preview');
    assert.deepEqual([preview.number, preview.stage, preview.begins_stage, preview.attempt], [1, 1, true, 1]);
    assert.deepEqual(preview.tables.map((table) => table.players.length), [4, 4]);
    assert.deepEqual(good(await look()), preview);
    assert.deepEqual(await logOf(event), before);
    draft = preview;
  });

  it('is drawn without being started, as the preview said', async () => {
    const made = await client.post(`${at(event)}/rounds`, { publish: false }, organizer.token);
    assert.equal(made.status, 201);
    assert.deepEqual(made.json.tables, draft.tables);
    assert.equal(made.json.state, 'draft');
    const lines = (await logOf(event)).slice(-2);
    assert.deepEqual(lines.map((line) => line.kind), ['stage_started', 'round_drawn']);
    assert.equal(lines[1].detail.tables.length, draft.tables.length); // for all to read
    assert.deepEqual(refusal(await client.get(`${at(event)}/rounds/1`)), [404, 'not-found']);
    assert.deepEqual(good(await client.get('/v1/games')).items, []);
    const twice = await client.post(`${at(event)}/rounds`, { publish: false }, organizer.token);
    assert.deepEqual(refusal(twice), [409, 'round-running']);
  });

  it('is seated by hand, and shows what that costs first', async () => {
    good(await client.post(`${at(event)}/roles`, { player: arbiter.id, role: 'arbiter' }, organizer.token));
    const [one, two] = draft.tables.map((table) => ids(table.players));
    const tables = [[two[0], ...one.slice(1)], [one[0], ...two.slice(1)]];
    const lines = (await logOf(event)).length;
    const preview = good(await put(`${next()}?preview=true`, { tables }, arbiter.token));
    assert.deepEqual(preview.tables.map((table) => ids(table.players)), tables);
    assert.equal(preview.state, 'preview');
    for (const { code, value } of preview.quality.criteria) assert.equal(preview.quality.changed[code], value);
    assert.deepEqual(preview.quality.worse, Object.keys(preview.quality.changed).filter((code) => code !== 'P9' && preview.quality.changed[code] > preview.quality.drawn[code]));
    assert.equal((await logOf(event)).length, lines);

    assert.deepEqual(refusal(await put(next(), { tables }, arbiter.token)), [400, 'missing-field']);
    const changed = good(await put(next(), { tables, reason: 'They came together.' }, arbiter.token));
    assert.equal(changed.changes, 1);
    assert.deepEqual(changed.tables, preview.tables);
    assert.deepEqual(good(await look()), changed);
    const line = (await logOf(event)).at(-1);
    assert.deepEqual([line.kind, line.by.id, line.detail.reason], ['round_changed', arbiter.id, 'They came together.']);
  });

  it('is not seated so that somebody is forgotten, sits twice, or is a stranger', async () => {
    const [one, two] = draft.tables.map((table) => ids(table.players));
    const reason = 'A mistake.';
    const cases = [
      [[one, two.slice(1)], 409, 'bad-tables'],
      [[one, [one[0], ...two.slice(1)]], 409, 'bad-tables'],
      [[[...one, two[0]], two.slice(1)], 409, 'bad-tables'],
      [[one, [arbiter.id, ...two.slice(1)]], 400, 'bad-field'],
      [[one, []], 400, 'bad-field'],
      [[], 400, 'bad-field'],
      ['all', 400, 'bad-field'],
    ];
    for (const [tables, ...expected] of cases)
      assert.deepEqual(refusal(await put(next(), { tables, reason }, organizer.token)), expected, JSON.stringify(tables));
    const twice = await put(next(), { tables: [one, two], byes: [one[0]], reason }, organizer.token);
    assert.deepEqual(refusal(twice), [409, 'bad-tables']);
    assert.deepEqual(refusal(await put(`${next()}?preview=1`, { tables: [one, two], reason }, organizer.token)), [400, 'bad-parameter']);
  });

  it('is drawn again with the next attempt, withdrawn, and drawn once more: all in public', async () => {
    const again = good(await client.post(`${next()}/redraw`, { reason: 'A family.' }, arbiter.token));
    assert.deepEqual([again.attempt, again.changes, again.state], [2, 0, 'draft']);
    assert.equal((await remove(next(), organizer.token)).status, 204);
    assert.deepEqual(refusal(await remove(next(), organizer.token)), [409, 'wrong-state']);
    assert.deepEqual(refusal(await client.post(`${next()}/start`, {}, organizer.token)), [409, 'wrong-state']);
    assert.deepEqual(refusal(await client.post(`${next()}/redraw`, { reason: 'x' }, organizer.token)), [409, 'wrong-state']);
    assert.equal(good(await look()).attempt, 3);
    assert.equal(good(await client.post(`${at(event)}/rounds`, { publish: false }, organizer.token)).attempt, 3);
    const withdrawn = (await logOf(event)).filter((line) => line.kind === 'round_withdrawn');
    assert.deepEqual(withdrawn.map((line) => line.detail), [{ reason: 'A family.', round: 1 }, { round: 1 }]);
  });

  it('is drawn anew when somebody in it has dropped out', async () => {
    assert.equal((await client.delete(`${at(event)}/entries/${people[7].id}`, organizer.token)).status, 204);
    assert.deepEqual(refusal(await client.post(`${next()}/start`, {}, arbiter.token)), [409, 'draw-is-stale']);
    const again = good(await client.post(`${next()}/redraw`, { reason: 'One has left.' }, arbiter.token));
    assert.deepEqual(again.byes.map((bye) => [bye.player.id, bye.kind]), [[people[7].id, 'absent']]);
    assert.deepEqual(again.tables.map((table) => table.players.length).sort(), [3, 4]);
    const [[a, ...one], [b, ...two]] = again.tables.map((table) => ids(table.players));
    for (const byes of [undefined, [people[7].id]]) { // who is absent stays so, named or not
      const changed = good(await put(`${next()}?preview=true`, { tables: [[b, ...one], [a, ...two]], byes }, arbiter.token));
      assert.deepEqual(changed.byes, again.byes);
    }
  });

  it('is started with a deadline, with a game for each table', async () => {
    const drawn = good(await look());
    const past = { deadline: '2020-01-01T00:00:00Z' };
    assert.deepEqual(refusal(await client.post(`${next()}/start`, past, arbiter.token)), [400, 'bad-field']);
    const deadline = '2099-01-01T12:00:00.000Z';
    const started = await client.post(`${next()}/start`, { deadline }, arbiter.token);
    assert.equal(started.status, 201);
    const round = started.json;
    assert.deepEqual([round.number, round.attempt, round.deadline, round.state], [1, 4, deadline, 'running']);
    assert.deepEqual(round.games.map((game) => game.seats.map((seat) => seat.player.id)), drawn.tables.map((table) => ids(table.players)));
    assert.deepEqual(round.seating.map((table) => table.seats.map((seat) => seat.player)), drawn.tables.map((table) => table.players));
    assert.deepEqual(round.quality, drawn.quality);
    assert.deepEqual(refusal(await look()), [409, 'round-running']);
    await endAll(withPlayers(round));
    assert.equal(good(await look()).number, 2);
  });
});

describe('a ruling', () => {
  let event;
  let round;
  let loser;
  const ruling = (table, number = 1) => `${at(event)}/rounds/${number}/tables/${table}/ruling`;
  const seatsOf = (game, ranks) => game.players.map((player, i) => ({ player: player.id, rank: ranks[i] }));

  before(async () => {
    event = await makeEvent(client, organizer, people.slice(0, 8), { name: 'Rulings', rounds: 2 });
    good(await client.post(`${at(event)}/roles`, { player: arbiter.id, role: 'arbiter' }, organizer.token));
    round = await startRound(client, event, organizer, people);
    [, loser] = round.games[0].players;
  });

  it('is refused if it makes no sense', async () => {
    const [game] = round.games;
    const reason = 'Because.';
    const cases = [
      [{ reason }, 'bad-field'],
      [{ seats: seatsOf(game, [1, 2, 3, 4]), no_show: [loser.id], reason }, 'bad-field'],
      [{ seats: seatsOf(game, [1, 2, 3, 4]) }, 'missing-field'],
      [{ seats: seatsOf(game, [1, 2, 3, 4]).slice(1), reason }, 'bad-field'],
      [{ seats: seatsOf(game, [1, 1, 2, 4]), reason }, 'bad-field'],
      [{ seats: seatsOf(game, [1, 2, 3, 5]), reason }, 'bad-field'],
      [{ seats: seatsOf(round.games[1], [1, 2, 3, 4]), reason }, 'bad-field'],
      [{ seats: seatsOf(game, [1, 2, 3, 4]).map((seat) => ({ ...seat, kind: 'played' })), reason }, 'bad-field'],
      [{ seats: seatsOf(game, [1, 2, 3, 4]).map((seat) => ({ ...seat, score: 2 ** 40 })), reason }, 'bad-field'],
      [{ seats: seatsOf(game, [1, 2, 3, 4]).map((seat) => ({ ...seat, points: 3 })), reason }, 'bad-field'],
      [{ no_show: [loser.id], reason }, 'bad-field'],
      [{ no_show: [loser.id, loser.id, loser.id], reason }, 'bad-field'],
    ];
    for (const [body, code] of cases)
      assert.deepEqual(refusal(await put(ruling(1), body, arbiter.token)), [400, code], JSON.stringify(body));
    const right = { seats: seatsOf(game, [1, 2, 3, 4]), reason };
    const twice = await put(ruling(1), { seats: right.seats.map((seat, i) => ({ ...seat, player: right.seats[Math.min(i, 2)].player })), reason }, arbiter.token);
    assert.match(twice.json.detail, /names a player twice/);
    assert.deepEqual(refusal(await put(ruling(9), right, arbiter.token)), [409, 'no-such-table']);
    assert.deepEqual(refusal(await put(ruling(1, 2), right, arbiter.token)), [409, 'no-such-table']);
    assert.deepEqual(refusal(await put(ruling(1), right, people[0].token)), [403, 'not-allowed']);
    assert.deepEqual(refusal(await remove(ruling(1), arbiter.token)), [409, 'no-such-table']);
  });

  it('says what it changes before it is made, and then stands while the game goes on', async () => {
    const [game] = round.games;
    const body = { seats: seatsOf(game, [4, 1, 2, 3]), reason: 'A broken piece.' };
    const lines = (await logOf(event)).length;
    const preview = good(await put(`${ruling(1)}?preview=true`, body, arbiter.token));
    assert.deepEqual([preview.preview, preview.ruled], [true, true]);
    assert.equal((await logOf(event)).length, lines);
    const gain = preview.differences.find((each) => each.player.id === loser.id);
    assert.deepEqual([gain.points_was.text, gain.points_is.text, gain.place_is], ['0', '5', 1]);
    const ruled = good(await put(ruling(1), body, arbiter.token));
    assert.deepEqual(ruled, { ...preview, preview: false });
    const line = (await logOf(event)).at(-1);
    assert.deepEqual([line.kind, line.by.id, line.detail.reason], ['ruled', arbiter.id, 'A broken piece.']);
    const shown = good(await client.get(`${at(event)}/rounds/1`));
    assert.deepEqual([shown.state, shown.tables_finished], ['running', 1]);
    assert.deepEqual(shown.seating[0].seats.map((seat) => [seat.rank, seat.kind]), [4, 1, 2, 3].map((rank) => [rank, 'adjudicated']));
    assert.equal(good(await client.get(game.at)).state, 'running');
    const row = (await standingsOf(event)).rows[0];
    assert.deepEqual([row.player.id, row.points.text, row.rounds[0].kind], [loser.id, '5', 'adjudicated']);
  });

  it('lets the event go on, and holds when the game ends', async () => {
    await playBriefly(client, round.games[1], random);
    assert.equal(good(await client.get(`${at(event)}/rounds/1`)).state, 'finished');
    const second = await startRound(client, event, organizer, people);
    assert.equal(second.number, 2);
    await endQuietly(client, round.games[0], organizer);
    assert.equal(good(await client.get(round.games[0].at)).state, 'finished');
    const { seating } = good(await client.get(`${at(event)}/rounds/1`));
    assert.deepEqual([seating[0].game, seating[0].ruled], [round.games[0].id, true]);
    assert.deepEqual(seating[0].seats.map((seat) => seat.rank), [4, 1, 2, 3]);
    const row = (await standingsOf(event, '?after_round=1')).rows.find((each) => each.player.id === loser.id);
    assert.deepEqual([row.points.text, row.rounds[0].game], ['5', round.games[0].id]);
    // Rated as it ended, and then as it counts.
    const [{ game, reason }] = good(await client.get('/v1/ratings/revisions')).items;
    assert.deepEqual([game, reason], [round.games[0].id, 'A ruling stood when the game ended.']);
    await endAll(second);
  });

  it('is revoked, also after the event has ended: then the game counts, and later draws are named', async () => {
    good(await client.post(`${at(event)}/close`, {}, organizer.token));
    const line = (await logOf(event)).length;
    const preview = good(await remove(`${ruling(1)}?preview=true`, arbiter.token, { reason: 'The record.' }));
    assert.deepEqual([preview.preview, preview.ruled, preview.qualifying, preview.tables], [true, false, null, []]);
    assert.deepEqual(preview.rounds, [2]);
    assert.ok(preview.differences.length > 0);
    const was = await standingsOf(event);
    const revoked = good(await remove(ruling(1), arbiter.token, { reason: 'The record.' }));
    assert.deepEqual(revoked, { ...preview, preview: false });
    const is = await standingsOf(event);
    for (const each of revoked.differences) {
      const place = (standings) => standings.rows.find((row) => row.player.id === each.player.id).rank;
      assert.deepEqual([each.place_was, each.place_is], [place(was), place(is)]);
    }
    const { seats } = good(await client.get(round.games[0].at));
    const { seating } = good(await client.get(`${at(event)}/rounds/1`));
    assert.deepEqual(seating[0].seats.map((seat) => [seat.rank, seat.score]), seats.map((seat) => [seat.rank, seat.score]));
    assert.deepEqual((await standingsOf(event, `?as_of=${line}`)).rows, was.rows);
    const [{ game, reason }] = good(await client.get('/v1/ratings/revisions')).items;
    assert.deepEqual([game, reason], [round.games[0].id, 'The record.']);
    assert.deepEqual(refusal(await remove(ruling(1), arbiter.token)), [409, 'no-such-table']);
  });
});

describe('a round robin for two', () => {
  let event;
  const four = () => people.slice(0, 4);

  before(async () => {
    event = await makeEvent(client, organizer, four(), { name: 'All play all', format: 'round_robin', rounds: undefined, seats_min: undefined, seats_max: undefined });
  });

  it('rules who has not come, and at once where somebody has left', async () => {
    const first = await startRound(client, event, organizer, people);
    assert.equal(first.quality.method, 'schedule');
    assert.deepEqual(first.games.map((game) => game.players.length), [2, 2]);
    const [there, missing] = first.games[0].players;
    const ruling = `${at(event)}/rounds/1/tables/1/ruling`;
    const ruled = good(await put(ruling, { no_show: [missing.id], reason: 'Did not come.' }, organizer.token));
    assert.deepEqual(ruled.seats.map((seat) => [seat.player.id, seat.kind, seat.rank]), [[there.id, 'forfeit_win', 1], [missing.id, 'forfeit_loss', 2]]);
    // Nobody has a score that was not played for.
    assert.deepEqual(ruled.seats.map(({ score }) => score), [null, null]);
    const { seating: [table] } = good(await client.get(`${at(event)}/rounds/1`));
    assert.deepEqual(table.seats.map(({ score }) => score), [null, null]);
    const { rows } = await standingsOf(event);
    for (const { id } of [there, missing]) assert.ok(!('score' in rows.find(({ player }) => player.id === id).rounds[0]), id);
    const [met] = good(await client.get(`${at(event)}/crosstable`)).meetings.filter((each) => each.table === 1);
    assert.deepEqual([met.a.score, met.b.score, met.a.rank + met.b.rank], [null, null, 3]);
    const nobody = good(await put(`${ruling}?preview=true`, { no_show: [there.id, missing.id], reason: 'Nobody came.' }, organizer.token));
    assert.deepEqual(nobody.seats.map((seat) => [seat.kind, seat.rank]), [['forfeit_loss', 1], ['forfeit_loss', 1]]);
    await endQuietly(client, first.games[1], organizer);

    assert.equal((await client.delete(`${at(event)}/entries/${missing.id}`, organizer.token)).status, 204);
    const second = await startRound(client, event, organizer, people);
    assert.deepEqual([second.tables, second.tables_finished, second.games.length], [2, 1, 1]);
    const forfeited = second.seating.find((table) => table.ruled);
    for (const seat of forfeited.seats)
      assert.equal(seat.kind, seat.player.id === missing.id ? 'forfeit_loss' : 'forfeit_win');
    await endAll(second);
    await playRound(event);
    assert.deepEqual(refusal(await client.post(`${at(event)}/rounds`, {}, organizer.token)), [409, 'no-more-rounds']);
  });

  it('has a crosstable in which everybody met everybody once, as it was at any time', async () => {
    const table = good(await client.get(`${at(event)}/crosstable`));
    assert.deepEqual(table.players.map((player) => player.number).sort(), [1, 2, 3, 4]);
    const met = table.meetings.map((each) => `${each.a.number}-${each.b.number}`).sort();
    assert.deepEqual(met, ['1-2', '1-3', '1-4', '2-3', '2-4', '3-4']);
    const early = good(await client.get(`${at(event)}/crosstable?after_round=1`));
    assert.deepEqual(early.meetings, table.meetings.filter((each) => each.round === 1));
    const started = (await logOf(event)).find((line) => line.kind === 'round_started');
    const then = good(await client.get(`${at(event)}/crosstable?as_of=${started.seq}`));
    assert.deepEqual(then.meetings.map((each) => [each.round, each.a.kind]), [[1, null], [1, null]]);
    assert.deepEqual(good(await client.get(`${at(event)}/crosstable?as_of=${started.at}`)).line, started.seq);
    for (const query of ['stage=2', 'after_round=9', 'as_of=0', 'as_of=99999', 'operands=none', 'after_round=-1'])
      assert.deepEqual(refusal(await client.get(`${at(event)}/crosstable?${query}`)), [400, 'bad-parameter'], query);
  });

  it('has rounds as they were at any time', async () => {
    const log = await logOf(event);
    const ended = log.findIndex((line) => line.kind === 'ruled'); // the other table of round 1 still plays
    const then = `?as_of=${log[ended].seq}`;
    const { items } = good(await client.get(`${at(event)}/rounds${then}`));
    assert.deepEqual(items.map((each) => [each.number, each.state, each.tables_finished]), [[1, 'running', 1]]);
    const first = good(await client.get(`${at(event)}/rounds/1${then}`));
    assert.deepEqual(first.seating.map((table) => [table.ruled, table.seats[0].rank !== null]), [[true, true], [false, false]]);
    assert.deepEqual([first.games, first.quality], [[], good(await client.get(`${at(event)}/rounds/1`)).quality]);
    assert.deepEqual(refusal(await client.get(`${at(event)}/rounds/2${then}`)), [404, 'not-found']);
    assert.deepEqual(refusal(await client.get(`${at(event)}/rounds?as_of=99999`)), [400, 'bad-parameter']);
    const all = good(await client.get(`${at(event)}/rounds`)).items;
    assert.deepEqual(good(await client.get(`${at(event)}/rounds?as_of=${log.length}`)).items, all);
    assert.deepEqual(all.map((each) => each.state), ['finished', 'finished', 'finished']);
  });

  it('has standings with and without operands', async () => {
    const whole = await standingsOf(event);
    const without = await standingsOf(event, '?operands=none');
    assert.ok(whole.rows.some((row) => row.tie_breaks.some((value) => value.operands.length > 0)));
    for (const row of whole.rows) for (const value of row.tie_breaks) value.operands = [];
    assert.deepEqual(without, whole);
    assert.deepEqual([whole.kind, whole.format, whole.stage, whole.stages], ['points', 'round_robin', 1, 1]);
    assert.deepEqual(whole.places.map((place) => [place.place, place.player.id]), whole.rows.map((row) => [row.rank, row.player.id]));
    assert.deepEqual(refusal(await client.get(`${at(event)}/standings?operands=all`)), [400, 'bad-parameter']);
    assert.deepEqual(refusal(await client.get(`${at(event)}/bracket`)), [409, 'no-rounds']);
  });
});

describe('Swiss rounds and a cut to a bracket', () => {
  let event;
  const settings = {
    name: 'Two stages', rounds: undefined, seats_min: undefined, seats_max: undefined,
    stages: [{ format: 'pod_swiss', rounds: 1 }, { format: 'single_elimination', entrants: 4, consolation: true }],
  };

  before(async () => {
    event = await makeEvent(client, organizer, people.slice(0, 8), settings);
  });

  it('goes on with the best, and says who that would be', async () => {
    const first = await startRound(client, event, organizer, people);
    for (const game of first.games) await playBriefly(client, game, random);
    const { rows } = await standingsOf(event);
    const table = first.seating.find((each) => each.seats.some((seat) => seat.player.id === rows[7].player.id));
    const ranks = table.seats.map((seat) => (seat.player.id === rows[7].player.id ? 1 : 2));
    const body = { seats: table.seats.map((seat, i) => ({ player: seat.player.id, rank: ranks[i] })), reason: 'x' };
    const preview = good(await put(`${at(event)}/rounds/1/tables/${table.table}/ruling?preview=true`, body, organizer.token));
    assert.ok(ids(preview.qualifying.in).includes(rows[7].player.id));
    assert.equal(preview.qualifying.out.length, preview.qualifying.in.length);

    const next = good(await client.get(`${at(event)}/rounds/next`, { token: organizer.token }));
    assert.deepEqual([next.stage, next.begins_stage, next.quality.method], [2, true, 'bracket']);
    const seeds = rows.slice(0, 4).map((row) => row.player.id);
    assert.deepEqual(next.tables.map((each) => ids(each.players).sort()), [[seeds[0], seeds[3]].sort(), [seeds[1], seeds[2]].sort()]);
  });

  it('is played to places for everybody', async () => {
    const semi = await startRound(client, event, organizer, people);
    assert.deepEqual(semi.seating.map((table) => table.match), [0, 1]);
    for (const game of semi.games) await playBriefly(client, game, random);
    const half = await standingsOf(event);
    assert.deepEqual([half.kind, half.stage, half.stages], ['bracket', 2, 2]);
    assert.ok(half.rows.every((row) => row.rank === null && row.points === null));
    // Players who end level play again, so finals may take more than one round.
    for (let rounds = 0; rounds < 6; rounds++) {
      const started = await client.post(`${at(event)}/rounds`, {}, organizer.token);
      if (started.status !== 201) {
        assert.equal(started.json.code, 'no-more-rounds');
        break;
      }
      for (const game of withPlayers(started.json).games) await playBriefly(client, game, random);
    }
    const bracket = good(await client.get(`${at(event)}/bracket`));
    assert.deepEqual(Object.keys(bracket.bracket).sort(), ['group', 'match', 'match_game', 'participant', 'round', 'stage']);
    assert.ok(bracket.bracket.match.every((match) => match.status >= 4));
    const done = await standingsOf(event);
    assert.deepEqual(done.rows.map((row) => row.rank), [1, 2, 3, 4]);
    assert.deepEqual(done.places.map((place) => place.stage), [2, 2, 2, 2, 1, 1, 1, 1]);
    assert.deepEqual(done.places.slice(0, 4).map((place) => place.player.id), done.rows.map((row) => row.player.id));
    const swiss = await standingsOf(event, '?stage=1');
    assert.deepEqual(swiss.rows.filter((row) => row.went_on).map((row) => row.player.id), swiss.rows.slice(0, 4).map((row) => row.player.id));
    const then = await standingsOf(event, '?after_round=1');
    assert.deepEqual([then.stage, then.stages], [1, 1]);
  });

  it('names the tables that a correction has taken out of the bracket', async () => {
    const semifinal = async (round) => good(await client.get(`${at(event)}/rounds/${round}`)).seating.find(({ match }) => match === 0);
    let round = 2;
    while (await semifinal(round + 1) !== undefined) round++; // level, and played again
    const { table, seats } = await semifinal(round);
    const named = [];
    for (const winner of seats) {
      const body = { seats: seats.map((seat) => ({ player: seat.player.id, rank: seat === winner ? 1 : 2 })), reason: 'A wrong move.' };
      named.push(good(await put(`${at(event)}/rounds/${round}/tables/${table}/ruling?preview=true`, body, organizer.token)).tables);
    }
    named.sort((one, other) => one.length - other.length);
    assert.deepEqual(named[0], []); // who went on has won
    assert.ok(named[1].length >= 2);
    assert.ok(named[1].every((each) => each.round > round));
  });
});

describe('elimination for two', () => {
  it('has scores where there are any, and says which match is void', async () => {
    const event = await makeEvent(client, organizer, people.slice(0, 4), { name: 'Cup', format: 'single_elimination', rounds: undefined, seats_min: undefined, seats_max: undefined });
    const [one, other] = (await startRound(client, event, organizer, people)).games;
    const matches = async () => good(await client.get(`${at(event)}/bracket`)).bracket.match.slice(0, 2).map(({ opponent1, opponent2 }) => [opponent1, opponent2]);
    const rule = async (seats) => good(await put(`${at(event)}/rounds/1/tables/1/ruling`, { seats: one.players.map(({ id }, i) => ({ player: id, rank: i + 1, ...seats[i] })), reason: 'As told.' }, organizer.token));
    await rule([{}, {}]);
    assert.deepEqual((await matches())[0].map(({ result, score }) => [result, score]).sort(), [['loss', undefined], ['win', undefined]]);
    await rule([{ score: 7 }, { score: 0 }]);
    assert.deepEqual((await matches())[0].map(({ result, score }) => [result, score]).sort(), [['loss', 0], ['win', 7]]);
    const { id } = good(await client.post(`${other.at}/disputes`, { claim: 'other', text: 'The lights went out.' }, other.players[0].token));
    good(await client.post(`/v1/disputes/${id}/freeze`, {}, organizer.token));
    good(await client.post(`/v1/disputes/${id}/ruling`, { orders: [{ order: 'void' }], code: 'no-light', reason: 'So they did.' }, organizer.token));
    assert.deepEqual((await matches())[1].map(({ forfeit, void: voided, result, score }) => [forfeit, voided, result, score]), Array(2).fill([true, true, undefined, undefined]));
  });
});

describe('elimination at larger tables', () => {
  it('shows its bracket in a like form, and places', async () => {
    const event = await makeEvent(client, organizer, people.slice(0, 7), { name: 'Cut', format: 'pod_elimination', rounds: undefined, seats_min: 4 });
    await playRound(event);
    const after = good(await client.get(`${at(event)}/bracket`));
    assert.equal(after.format, 'pod_elimination');
    assert.deepEqual(after.bracket.round.map((round) => [round.number, round.final]), [[1, false], [2, true]]);
    const [byes, tables] = [0, 1].map((table) => after.bracket.table.filter((each) => Math.min(each.number, 1) === table && each.round_id === 0));
    assert.deepEqual(byes.map((bye) => bye.seats[0].seed), [1, 2, 3]);
    assert.equal(tables[0].seats.filter((seat) => seat.on).length, 1);
    assert.ok(tables[0].seats.every((seat) => seat.rank !== null && seat.score !== null && seat.kind === 'played'));
    assert.ok(byes.every((bye) => bye.seats.every((seat) => seat.rank === null && seat.score === null && seat.kind === null)));
    const final = await playRound(event);
    assert.equal(final.quality.name, 'final');
    const { rows } = await standingsOf(event);
    assert.deepEqual(rows.map((row) => row.rank), [1, 2, 3, 4, 5, 6, 7]);
    assert.equal(rows[0].rounds.filter((each) => each.game !== null).length >= 1, true);
  });
});

describe('a league', () => {
  it('has standings of each division', async () => {
    const event = await makeEvent(client, organizer, people.slice(0, 8), {
      name: 'League', format: 'league', rounds: undefined, seats_min: 2, seats_max: 2, division: 4,
    });
    for (let round = 1; round <= 3; round++) await playRound(event);
    const standings = await standingsOf(event);
    assert.deepEqual(standings.rows.map((row) => row.division), [1, 1, 1, 1, 2, 2, 2, 2]);
    for (const half of [standings.rows.slice(0, 4), standings.rows.slice(4)]) {
      assert.equal(half[0].rank, 1);
      assert.ok(half.every((row) => row.played === 3));
    }
    assert.deepEqual(refusal(await client.post(`${at(event)}/rounds`, {}, organizer.token)), [409, 'no-more-rounds']);
  });
});

describe('a ladder', () => {
  let event;
  const challenges = () => `${at(event)}/challenges`;
  const challenge = (by, whom) => client.post(challenges(), { player: whom.id }, by.token);
  const rungs = async () => (await standingsOf(event)).rows.map((row) => row.player.id);
  const openTo = async (player) => good(await client.get(`${challenges()}?challenger=${player.id}`)).may_challenge.map((each) => each.id);

  before(async () => {
    event = await makeEvent(client, organizer, people.slice(0, 5), { name: 'Ladder', format: 'ladder', rounds: undefined, seats_min: undefined, seats_max: undefined, reach: 2 });
  });

  it('takes challenges to those above, within reach, one at a time', async () => {
    assert.deepEqual(await rungs(), ids(people.slice(0, 5)));
    assert.deepEqual(await openTo(people[4]), ids([people[3], people[2]]));
    assert.deepEqual(await openTo(people[6]), []);
    assert.deepEqual(refusal(await client.get(`${challenges()}?challenger=x`)), [400, 'bad-parameter']);
    assert.deepEqual(refusal(await challenge(people[4], people[0])), [409, 'too-far-above']);
    assert.deepEqual(refusal(await challenge(people[0], people[1])), [409, 'not-above']);
    assert.deepEqual(refusal(await challenge(people[6], people[1])), [409, 'not-entered']);
    assert.deepEqual(refusal(await challenge(people[1], people[6])), [409, 'not-entered']);
    assert.deepEqual(refusal(await client.post(challenges(), { player: 'x' }, people[1].token)), [400, 'bad-field']);
    const made = await challenge(people[4], people[2]);
    assert.equal(made.status, 201);
    assert.deepEqual(made.json.challenges.map((each) => [each.challenger.id, each.challenged.id, each.table]), [[people[4].id, people[2].id, null]]);
    assert.deepEqual(refusal(await challenge(people[3], people[2])), [409, 'challenge-open']);
    assert.deepEqual([await openTo(people[3]), await openTo(people[4])], [[people[1].id], []]);
  });

  it('lets a challenge be cancelled by those whom it is of, before it is played', async () => {
    const own = `${challenges()}/${people[4].id}`;
    assert.deepEqual(refusal(await remove(own, people[3].token)), [403, 'not-allowed']);
    assert.equal((await remove(own, people[2].token)).status, 204);
    assert.deepEqual(refusal(await remove(own, people[2].token)), [404, 'not-found']);
    assert.deepEqual(good(await client.get(challenges())).challenges, []);
  });

  it('starts the game when it is accepted, and moves those who win up', async () => {
    good(await challenge(people[4], people[2]));
    const accept = (by) => client.post(`${challenges()}/${people[4].id}/accept`, {}, by.token);
    assert.deepEqual(refusal(await accept(people[4])), [403, 'not-allowed']);
    assert.equal(good(await accept(people[2])).challenges[0].table, 1);
    assert.deepEqual(refusal(await accept(people[2])), [409, 'not-entered']);
    const [game] = good(await client.get('/v1/games?state=running')).items;
    assert.deepEqual([game.event.id, game.event.round, game.event.table], [event.id, 0, 1]);
    assert.deepEqual(refusal(await remove(`${challenges()}/${people[4].id}`, people[4].token)), [409, 'wrong-state']);
    withPlayers({ games: [game] });
    await playBriefly(client, game, random);
    assert.equal(good(await client.get(`${game.at}/verification`)).verdict, 'valid');
    const { seats } = good(await client.get(game.at));
    const won = seats.find((seat) => seat.player.id === people[4].id).rank === 1 && seats.some((seat) => seat.rank === 2);
    const order = won ? [0, 1, 4, 2, 3] : [0, 1, 2, 3, 4];
    assert.deepEqual(await rungs(), order.map((each) => people[each].id));
    const [above, below] = won ? [people[4], people[2]] : [people[2], people[4]];
    assert.deepEqual(refusal(await challenge(below, above)), [409, 'met-last']);
    assert.deepEqual(await openTo(below), [won ? people[1].id : people[3].id]);
    assert.deepEqual(good(await client.get(at(event))).may, { enter: 'closed', bye_from: null, players_missing: 0, return: true, close: true, cancel: false });
    assert.deepEqual(good(await client.get(challenges())).challenges, []);
    const line = (await logOf(event)).at(-1);
    assert.deepEqual([line.kind, line.by, line.detail.round, line.detail.game], ['result', null, 0, game.id]);
  });

  it('is corrected by a ruling, as rounds are', async () => {
    const before = await rungs();
    const won = before[2] === people[4].id;
    const seats = [people[4], people[2]].map((player, i) => ({ player: player.id, rank: won === (i === 1) ? 1 : 2 }));
    const ruled = good(await put(`${at(event)}/rounds/0/tables/1/ruling`, { seats, reason: 'The other way.' }, organizer.token));
    assert.ok(ruled.differences.length > 0);
    const order = won ? [0, 1, 2, 3, 4] : [0, 1, 4, 2, 3];
    assert.deepEqual(await rungs(), order.map((each) => people[each].id));
    assert.deepEqual(refusal(await client.post(`${at(event)}/rounds`, {}, organizer.token)), [409, 'no-rounds']);
  });
});

describe('open play', () => {
  let event;
  const queue = () => `${at(event)}/queue`;
  const join = (player) => client.post(queue(), {}, player.token);

  before(async () => {
    event = await makeEvent(client, organizer, people.slice(0, 6), { name: 'Open', format: 'open_play', rounds: undefined, seats_min: 2, seats_max: 3, best: 2 });
  });

  it('calls a table as soon as one can be filled', async () => {
    good(await join(people[0]));
    assert.deepEqual(refusal(await join(people[0])), [409, 'already-entered']);
    assert.deepEqual(refusal(await join(people[9])), [409, 'not-entered']);
    const two = good(await join(people[1]));
    assert.deepEqual([two.waiting.length, two.tables.length], [2, 0]);
    assert.equal(good(await client.delete(queue(), people[1].token)).waiting.length, 1);
    assert.deepEqual(refusal(await client.delete(queue(), people[1].token)), [409, 'not-entered']);
    good(await join(people[2]));
    const three = good(await join(people[3]));
    assert.deepEqual(three.waiting, []);
    assert.deepEqual(three.tables.map((table) => table.players.map((player) => player.number).sort()), [[1, 3, 4]]);
    assert.deepEqual(good(await client.get(queue())).tables, three.tables);
    assert.deepEqual(refusal(await join(people[2])), [409, 'already-entered']);
  });

  it('counts the best games of everybody', async () => {
    const [game] = good(await client.get('/v1/games?state=running')).items.filter((each) => each.event.id === event.id);
    withPlayers({ games: [game] });
    await playBriefly(client, game, random);
    const standings = await standingsOf(event);
    assert.deepEqual([standings.kind, standings.rows.length], ['open_play', 6]);
    assert.deepEqual(standings.rows.map((row) => row.played), [1, 1, 1, 0, 0, 0]);
    assert.ok(standings.rows[0].points.numerator > 0);
    assert.deepEqual(standings.rows[0].rounds.map((each) => [each.round, each.table, each.game]), [[0, 1, game.id]]);
    assert.deepEqual(good(await client.get(queue())).tables, []);
  });
});
