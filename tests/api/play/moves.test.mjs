// The write path: what is refused and how, what is written once and only once, and who wins.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { isLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { endQuietly, legalMoves, makeGame, now, play, playBriefly, playRandomly, Random, soonOver } from '../support/play.mjs';
import { readRecord, said } from '../support/record.mjs';
import { client, organizer, players, serve } from '../support/served.mjs';
import { Shinjuku } from '../support/shinjuku.mjs';

const random = new Random('moves');
let rules;
serve({ players: 4 }, async () => {
  rules = new Shinjuku(good(await client.get('/v1/rulesets/shinjuku/components')));
});

const newGame = async (seats = 3, settings) => (await makeGame(client, organizer, players.slice(0, seats), settings)).game;
const recordOf = async (game) => (await client.get(`${game.at}/record`)).text;
const viewOf = async (game, seat) => good(await client.get(`${game.at}/view`, { token: game.players[seat].token })).view;

describe('refusals of the rules', () => {
  // Each code has to come up; these do in almost every game that is played as below, and soon.
  const wanted = [
    'action-already-taken', 'bad-syntax', 'cannot-pay', 'card-does-not-match', 'card-not-in-hand',
    'connection-taken', 'customer-not-owned',
    'matsuri-not-neighbour', 'no-connection', 'no-customers', 'no-sakura', 'no-store-token', 'no-track', 'not-canonical',
    'not-enough-track', 'not-your-store', 'permanent-connection', 'station-occupied', 'station-visited',
    'unknown-customer', 'unknown-good', 'unknown-station', 'unknown-ward', 'wrong-decision', 'wrong-good',
  ];
  // Come late, or need an upgrade, which most games are without: only the long run waits for them.
  const seldom = ['already-department-store', 'customer-not-in-group', 'department-store-fixed', 'hand-full', 'store-does-not-sell'];
  const awaited = isLong ? [...wanted, ...seldom] : wanted;
  // Needs three upgrades and a fourth station to upgrade.
  const rare = ['no-department-token'];

  // Seats play differently, so that they come into different trouble: one sells and upgrades, one
  // lays track, one keeps its cards.
  const habits = [
    [/^upgrade /, /^give /, /^move /, /^step /, /^open .*(tokyo|ueno|akihabara|shinjuku|shibuya|ikebukuro|meguro|shimbashi|kita-senju|takadanobaba|shinagawa|naka-meguro) /, /^pay \S+$/],
    [/^expand \S+ \S+ \S+/, /^expand /, /^pay \S+$/],
    [/^income/],
    [],
  ];

  // True if a move brings customers to a Store that can take one of several kinds.
  function leavesChoice(move, view) {
    const [verb, station] = move.split(' ');
    const group = { move: () => view.wards[rules.stations.get(station).ward], step: () => view.movement.customers }[verb]?.();
    const sells = view.stores[station]?.sells;
    if (group === undefined || sells === undefined) return false;
    return Object.keys(group).filter((kind) => sells === 'department' || sells === rules.kinds.get(kind)).length > 1;
  }

  function choose(moves, view, seat) {
    const giving = moves.filter((move) => leavesChoice(move, view));
    if (giving.length > 0) return random.pick(giving);
    const liked = random.below(4) > 0 ? habits[seat] : [];
    for (const habit of liked) {
      const some = moves.filter((move) => habit.test(move));
      if (some.length > 0) return random.pick(some);
    }
    return random.pick(moves);
  }

  async function checkRefusal(game, seat, legal, [move, code]) {
    const answer = await play(client, game, seat, [move], legal.seq);
    const place = `${move} -> ${answer.json.code ?? 'played'}`;
    assert.equal(place, `${move} -> ${code}`);
    assert.equal(answer.status, 422);
    assert.equal(answer.json.move_index, 0);
    assert.ok(answer.json.legal_hint.length > 0);
    assert.ok(answer.json.legal_hint.every((hint) => legal.moves.includes(hint)));
    const verb = move.split(' ')[0];
    const sameVerb = legal.moves.filter((each) => each.split(' ')[0] === verb);
    assert.deepEqual(answer.json.legal_hint, (sameVerb.length > 0 ? sameVerb : legal.moves).slice(0, 20));
  }

  it('come with their code, and leave the game as it is', async (t) => {
    const counts = new Map();
    const hasAll = () => awaited.every((code) => counts.has(code));
    let games = 0;
    while (games < 20 && !hasAll()) {
      games++;
      const game = await newGame(4);
      let position = await now(client, game);
      const inGame = new Map();
      while (position.deciders.length > 0 && (isLong || !hasAll())) {
        const [seat] = position.deciders;
        const legal = await legalMoves(client, game, seat);
        const view = await viewOf(game, seat);
        // A few of each code in each game, not all of the hundreds.
        const all = rules.refused(view, seat);
        const groups = [...groupByCode(all)].filter(([code]) => (inGame.get(code) ?? 0) < (isLong ? 6 : 2));
        const before = groups.length > 0 && await recordOf(game);
        for (const [code, refused] of groups) {
          inGame.set(code, (inGame.get(code) ?? 0) + 1);
          counts.set(code, (counts.get(code) ?? 0) + 1);
          await checkRefusal(game, seat, legal, random.pick(refused));
        }
        const refused = new Set(all.map(([move]) => move));
        assert.ok(legal.moves.every((move) => !refused.has(move)));
        if (groups.length > 0) assert.equal(await recordOf(game), before);
        position = good(await play(client, game, seat, [choose(legal.moves, view, seat)], legal.seq));
      }
    }
    t.diagnostic(`${games} games; ${[...counts].map(([code, count]) => `${code} ${count}`).sort().join(', ')}`);
    assert.deepEqual(awaited.filter((code) => !counts.has(code)), []);
    for (const code of counts.keys()) assert.ok([...wanted, ...seldom, ...rare].includes(code), code);
  });

  function groupByCode(refused) {
    const groups = new Map();
    for (const each of refused) {
      if (groups.has(each[1])) groups.get(each[1]).push(each);
      else groups.set(each[1], [each]);
    }
    return groups;
  }

  it('tell others nothing', async () => {
    const game = await newGame();
    const { seq } = await now(client, game);
    for (const move of ['end', 'dance', 'open nowhere food', 'matsuri chiyoda']) {
      const answer = await play(client, game, 1, [move], seq);
      assert.equal(`${answer.status} ${answer.json.code}`, '409 not-your-turn');
      assert.deepEqual(answer.json.legal_hint, []);
    }
  });
});

describe('a body', () => {
  it('says the same however it is written, and nothing if it cannot be read', async () => {
    const game = await newGame();
    const { seq, deciders: [seat] } = await now(client, game);
    const { moves: [move] } = await legalMoves(client, game, seat);
    const send = (body) => client.request('POST', `${game.at}/moves`, { body, token: game.players[seat].token });
    const wrong = [
      [`{"moves":["${move}"],"seq":0${seq}}`, 'bad-json'],
      [`{"moves":["${move}"],"seq":${seq}`, 'bad-json'],
      [`{"moves":["${move}"],"seq":${seq}}}`, 'bad-json'],
      [`{"moves":["${move}],"seq":${seq}}`, 'bad-json'],
      [`{"moves":["${move}","seq":${seq}}`, 'bad-json'],
      [`{"moves":["${move}"],"seq":99999999999}`, 'bad-field'],
      [`{"moves":["${move}"],"seq":"${seq}"}`, 'bad-field'],
      [`{"moves":[${seq}],"seq":${seq}}`, 'bad-field'],
      [`{"moves":["${move}"],"seq":${seq},"more":1}`, 'unknown-field'],
    ];
    for (const [body, code] of wrong) {
      const answer = await send(body);
      assert.equal(answer.json.code, code, body);
    }
    const escaped = move.replace(/^./, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
    const heads = [];
    for (const body of [
      `{"moves":["${move}"],"seq":${seq}}`,
      `{"moves": ["${move}"], "seq": ${seq}}`,
      `{"moves":["${escaped}"],"seq":${seq}}`,
      `{"seq":${seq},"moves":["${move}"]}`,
      `\n{ "moves" : [ "${move}" ] , "seq" : ${seq} }\n`,
    ])
      heads.push(good(await send(body)).receipt.head);
    assert.equal(new Set(heads).size, 1);
  });
});

describe('a sequence number', () => {
  it('that is not the present one is refused with the present one', async () => {
    const game = await newGame();
    await playRandomly(client, game, random, { plies: 5 });
    const position = await now(client, game);
    const [seat] = position.deciders;
    const { moves } = await legalMoves(client, game, seat);
    const before = await recordOf(game);
    for (const seq of [0, 1, 4, 6, 1000, 2147483647]) {
      const answer = await play(client, game, seat, [moves.at(-1)], seq);
      assert.equal(`${answer.status} ${answer.json.code} ${answer.json.seq}`, '409 stale-sequence 5');
    }
    for (const tag of ['"4"', '"6"'])
      assert.equal((await play(client, game, seat, [moves.at(-1)], undefined, { 'If-Match': tag })).json.code, 'stale-sequence');
    assert.equal(await recordOf(game), before);
    assert.equal((await play(client, game, seat, [moves.at(-1)], undefined, { 'If-Match': '"5"' })).status, 200);
    assert.equal((await now(client, game)).seq, 6);
  });

  it('makes sending again safe: the same receipt, however much later', async () => {
    const game = await newGame();
    const sent = [];
    await playRandomly(client, game, random, { plies: 60, each: (ply) => sent.push(ply) });
    const before = await recordOf(game);
    for (const { seat, move, seq, answer } of sent) {
      const again = good(await play(client, game, seat, [move], seq));
      assert.deepEqual(said(again.receipt), said(answer.receipt));
      assert.equal(again.seq, 60);
    }
    const { seat, move, seq } = sent.at(-1);
    const tagged = await play(client, game, seat, [move], undefined, { 'If-Match': `"${seq}"` });
    assert.deepEqual(said(tagged.json.receipt), said(sent.at(-1).answer.receipt));
    assert.equal(await recordOf(game), before);
  });

  it('makes sending again safe for the last move of a game, too', async () => {
    const game = await newGame(2, { ruleset: soonOver });
    let last;
    await playRandomly(client, game, random, { each: (ply) => (last = ply) });
    assert.equal(last.answer.finished, true);
    const again = good(await play(client, game, last.seat, [last.move], last.seq));
    assert.deepEqual(again, last.answer);
  });

  it('makes sending twice at once safe', async () => {
    const game = await newGame();
    for (let ply = 0; ply < 30; ply++) {
      const { seq, deciders: [seat] } = await now(client, game);
      const { moves } = await legalMoves(client, game, seat);
      const move = random.pick(moves);
      const answers = await Promise.all([1, 2, 3].map(() => play(client, game, seat, [move], seq)));
      for (const answer of answers) {
        assert.equal(answer.status, 200, answer.text);
        assert.deepEqual(said(answer.json.receipt), said(answers[0].json.receipt));
      }
      assert.equal((await now(client, game)).seq, seq + 1);
    }
  });
});

describe('an Idempotency-Key', () => {
  it('gives the same answer for the same request, and refuses another one', async () => {
    const game = await newGame();
    const { seq, deciders: [seat] } = await now(client, game);
    const { moves } = await legalMoves(client, game, seat);
    const key = { 'Idempotency-Key': 'move 1' };
    const first = await play(client, game, seat, [moves[0]], seq, key);
    assert.equal(first.status, 200);
    await playRandomly(client, game, random, { plies: 5 });
    const again = await play(client, game, seat, [moves[0]], seq, key);
    assert.equal(again.status, 200);
    assert.equal(again.text, first.text);
    assert.equal((await play(client, game, seat, [moves[1]], seq, key)).json.code, 'key-reused');
    assert.equal((await now(client, game)).seq, seq + 6);
  });

  it('is a player’s own, and forgets refused requests', async () => {
    const game = await newGame();
    const { seq, deciders: [seat] } = await now(client, game);
    const { moves } = await legalMoves(client, game, seat);
    const key = { 'Idempotency-Key': 'shared' };
    assert.equal((await play(client, game, (seat + 1) % 3, [moves[0]], seq, key)).status, 409);
    assert.equal((await play(client, game, seat, ['dance'], seq, key)).status, 422);
    assert.equal((await play(client, game, seat, [moves[0]], seq, key)).status, 200);
    assert.equal((await client.post('/v1/events', { name: 'x', ruleset: 'shinjuku', rounds: 1 }, organizer.token, key)).status, 201);
  });

  it('makes one event of many requests at once', async () => {
    const json = { name: 'Once only', ruleset: 'shinjuku', rounds: 1 };
    const key = { 'Idempotency-Key': 'event 1' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.post('/v1/events', json, organizer.token, key)));
    for (const answer of answers) {
      assert.equal(answer.status, 201, answer.text);
      assert.deepEqual(answer.json, answers[0].json);
    }
    const events = good(await client.get('/v1/events?limit=100')).items;
    assert.equal(events.filter((event) => event.name === 'Once only').length, 1);
  });

  it('works where the answer has no body', async () => {
    const made = good(await client.post('/v1/events', { name: 'x', ruleset: 'shinjuku', rounds: 1 }, organizer.token));
    const entry = `/v1/events/${made.id}/entries`;
    good(await client.post(`/v1/events/${made.id}/open-entries`, {}, organizer.token));
    good(await client.post(entry, {}, players[0].token));
    const key = { 'Idempotency-Key': 'out' };
    for (let time = 0; time < 3; time++) assert.equal((await client.delete(`${entry}/${players[0].id}`, players[0].token, key)).status, 204);
    assert.equal((await client.delete(`${entry}/${players[0].id}`, players[0].token)).json.code, 'not-entered');
  });
});

describe('several moves in one request', () => {
  it('are all played, or none', async () => {
    const game = await newGame();
    const { moves } = await legalMoves(client, game, 0);
    const before = await recordOf(game);
    for (const [then, status, code] of [
      [['dance'], 422, 'bad-syntax'],
      [['end', 'matsuri koto'], 409, 'not-your-turn'],
      [['income', 'end'], 409, 'not-your-turn'],
      [[moves[0]], 422, 'wrong-decision'],
      [Array(31).fill('end'), 409, 'not-your-turn'],
    ]) {
      const answer = await play(client, game, 0, [moves[0], ...then], 0);
      assert.equal(`${answer.status} ${answer.json.code}`, `${status} ${code}`);
      assert.ok(answer.json.move_index > 0);
      assert.equal(await recordOf(game), before);
    }
    assert.deepEqual(await legalMoves(client, game, 0), { ...(await legalMoves(client, game, 0)), seq: 0, moves });
    const played = good(await play(client, game, 0, [moves[0], 'income'], 0));
    assert.equal(played.receipt.seq, 2);
    assert.deepEqual(played.deciders, [1]);
    const record = readRecord(await recordOf(game));
    assert.deepEqual(record.entries.map((entry) => [entry.seat, entry.words.join(' ')]), [[0, moves[0]], [0, 'income']]);
    assert.equal(record.entries[1].head, played.receipt.head);
    const again = good(await play(client, game, 0, [moves[0], 'income'], 0));
    assert.deepEqual(said(again.receipt), said(played.receipt));
    assert.equal((await play(client, game, 0, [moves[0], 'end'], 0)).json.code, 'stale-sequence');
  });
});

describe('races', () => {
  it('for one ply have exactly one winner', async () => {
    const game = await newGame(4);
    let raced = 0;
    while (raced < 50) {
      const { seq, deciders: [seat] } = await now(client, game);
      const { moves } = await legalMoves(client, game, seat);
      if (moves.length < 2) {
        good(await play(client, game, seat, [moves[0]], seq));
        continue;
      }
      raced++;
      const rivals = [moves[0], moves.at(-1), moves[1]].slice(0, moves.length);
      const answers = await Promise.all(rivals.map((move) => play(client, game, seat, [move], seq)));
      const won = answers.filter((answer) => answer.status === 200);
      assert.equal(won.length, 1);
      for (const answer of answers) {
        if (answer.status === 200) continue;
        assert.equal(`${answer.status} ${answer.json.code} ${answer.json.seq}`, `409 stale-sequence ${seq + 1}`);
      }
      const record = readRecord(await recordOf(game));
      assert.equal(record.entries.length, seq + 1);
      assert.equal(record.entries.at(-1).head, won[0].json.receipt.head);
      assert.equal(record.entries.at(-1).words.join(' '), rivals[answers.indexOf(won[0])]);
    }
    await playBriefly(client, game, random);
    assert.equal(good(await client.get(`${game.at}/verification`)).verdict, 'valid');
  });

  it('to enter, to take the last place of a name, and to start a round have one winner', async () => {
    const made = good(await client.post('/v1/events', { name: 'x', ruleset: 'shinjuku', seats_min: 2, rounds: 2 }, organizer.token));
    const at = `/v1/events/${made.id}`;
    const count = (answers, status) => answers.filter((answer) => answer.status === status).length;
    const eight = (send) => Promise.all(Array.from({ length: 8 }, send));
    const opened = await eight(() => client.post(`${at}/open-entries`, {}, organizer.token));
    assert.deepEqual([count(opened, 200), count(opened, 409)], [1, 7]);
    const entered = await eight(() => client.post(`${at}/entries`, {}, players[0].token));
    assert.deepEqual([count(entered, 201), count(entered, 409)], [1, 7]);
    good(await client.post(`${at}/entries`, {}, players[1].token));
    good(await client.post(`${at}/close-entries`, {}, organizer.token));
    const started = await eight(() => client.post(`${at}/rounds`, {}, organizer.token));
    // Requests during the draw get the same answer; later ones are told that the round runs.
    const told = started.filter((answer) => answer.status === 201).map((answer) => answer.text);
    assert.equal(told.length + count(started, 409), 8);
    assert.equal(new Set(told).size, 1);
    assert.equal(good(await client.get(`${at}/rounds/1`)).games.length, 1);
    const named = await eight((_, i) => client.post('/v1/players', { name: i % 2 ? 'Twin' : 'TWIN', password: 'correct horse battery' }));
    assert.deepEqual([count(named, 201), count(named, 409)], [1, 7]);
  });
});

describe('the fallback move', () => {
  // Matsuri: the first neighbour; action: end; pay: one card; route: stop.
  function checkQuiet(record, seat) {
    const from = record.entries.findIndex((entry) => entry.words[0] === 'fallback' && entry.words[1] === String(seat));
    assert.ok(from >= 0);
    const plies = record.entries.slice(from).filter((entry) => entry.seat === seat).map((entry) => entry.words);
    for (const words of plies) assert.ok(['matsuri', 'end', 'pay', 'give', 'stop'].includes(words[0]), words.join(' '));
    return plies;
  }

  it('plays for a seat from then on, at once', async () => {
    const game = await newGame();
    await playRandomly(client, game, random, { plies: 20 });
    const { deciders: [seat] } = await now(client, game);
    const view = await viewOf(game, seat);
    const before = await now(client, game);
    const answer = good(await client.post(`${game.at}/fallback`, { seat }, organizer.token));
    assert.equal(answer.receipt.seq, before.seq + 1);
    assert.ok(answer.seq > answer.receipt.seq);
    assert.deepEqual(answer.deciders, [(seat + 1) % 3]);
    const shown = await now(client, game);
    assert.equal(shown.seats[seat].fallback, true);
    const plies = checkQuiet(readRecord(await recordOf(game)), seat);
    if (view.decision === 'matsuri') assert.equal(plies[0][1], [...rules.wards.get(view.matsuri).neighbours].sort()[0]);
    assert.equal((await client.post(`${game.at}/moves`, { moves: ['end'] }, game.players[seat].token)).json.code, 'seat-on-fallback');
    await playRandomly(client, game, random, {
      plies: isLong ? Infinity : 40,
      each: ({ answer: { deciders } }) => assert.ok(!deciders.includes(seat)),
    });
    await endQuietly(client, game, organizer);
    const record = readRecord(await recordOf(game));
    checkQuiet(record, seat);
    assert.ok(record.secret);
    assert.equal(good(await client.get(`${game.at}/verification`)).verdict, 'valid');
  });

  it('plays a whole game for everybody, which is finished and rated', async () => {
    const game = await newGame();
    await endQuietly(client, game, organizer);
    const shown = await now(client, game);
    assert.equal(shown.state, 'finished');
    const record = readRecord(await recordOf(game));
    for (const seat of [0, 1, 2]) checkQuiet(record, seat);
    assert.deepEqual(record.results, shown.seats.map(({ seat, score, rank }) => ({ seat, score, rank })));
    assert.equal(good(await client.get(`${game.at}/verification`)).verdict, 'valid');
    const stories = [];
    for (let next = 0, more = true; more; ) {
      const page = good(await client.get(`${game.at}/events?after=${next}`));
      stories.push(...page.items);
      more = page.items.length > 0;
      ({ next } = page);
    }
    assert.deepEqual(stories.map((entry) => entry.seq), record.entries.map((entry) => entry.seq));
    assert.deepEqual(stories.filter((entry) => entry.kind === 'fallback').map((entry) => entry.seat), [0, 1, 2]);
  });

  it('of two requests at once is put to a seat by one', async () => {
    const game = await newGame();
    const answers = await Promise.all([1, 2, 3, 4].map(() => client.post(`${game.at}/fallback`, { seat: 0 }, organizer.token)));
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
    assert.ok(answers.every((answer) => [200, 409].includes(answer.status)));
    const record = readRecord(await recordOf(game));
    assert.equal(record.entries.filter((entry) => entry.words[0] === 'fallback').length, 1);
  });
});
