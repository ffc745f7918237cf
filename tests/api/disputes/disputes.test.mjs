// Disputes: who opens, stops, decides and appeals, what everybody may read of it meanwhile, and what
// rulings do to records, standings and ratings.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { asOwner, unlocked } from '../support/damage.mjs';
import { makeDuplicate, playHidden, seated } from '../support/duplicate.mjs';
import { endQuietly, legalMoves, makeGame, makePlayers, now, play, playBriefly, playRandomly, Random } from '../support/play.mjs';
import { Stream } from '../support/stream.mjs';
import { Testbed } from '../support/testbed.mjs';

const random = new Random('disputes');
let bed, client, organizer, second, stranger, auditor, arbiter, players;

function giveRole(player, bit) {
  bed.cluster.sql(`SET ROLE tillroll_owner; UPDATE tillroll.player SET roles = ${bit} WHERE id = '${player.id}'`);
}

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  [organizer, second, stranger, auditor, arbiter] = await makePlayers(client, 5, 'Official');
  players = await makePlayers(client, 6);
  giveRole(auditor, 2);
  giveRole(arbiter, 4);
});
after(() => bed.end());

// A game of three at a table of an event with two officials.
async function newGame(settings = {}) {
  const made = await makeGame(client, organizer, players.slice(0, 3), settings);
  good(await client.post(`/v1/events/${made.event.id}/roles`, { player: second.id, role: 'arbiter' }, organizer.token));
  return made;
}

const complaint = { claim: 'rules', text: 'I hold two of Kita, and it took one.' };
const open = async (game, player, more = {}) => good(await client.post(`${game.at}/disputes`, { ...complaint, ...more }, player.token));
const step = (dispute, name, player, body) => client.post(`/v1/disputes/${dispute.id}/${name}`, body, player.token);
const see = async (dispute, player) => good(await client.get(`/v1/disputes/${dispute.id}`, { token: player?.token }));
// Everyone who sees the game learns that an official has frozen it, for which dispute, since when, and what to do. The dispute names the official.
function assertStopped(stopped, dispute, since) {
  const detail = `An official has frozen the game on ${since} because of a dispute, which is at /v1/disputes/${dispute.id}. Moves are refused and clocks are stopped until an official resumes it; then moves can be sent again.`;
  assert.deepEqual(stopped, { by: 'dispute', dispute: dispute.id, since, detail });
}

const rulingOf = (...orders) => ({ orders, code: 'as-played', reason: 'It was as the rules have it.' });
const rule = async (dispute, player, ...orders) => good(await step(dispute, 'ruling', player, rulingOf(...orders)));
const code = async (answer) => `${(await answer).status} ${(await answer).json?.code}`;
// Counted as well, for the badge.
async function toDecide({ token }) {
  const found = good(await client.get('/v1/me/disputes?limit=100', { token })).items.map((each) => each.id);
  assert.equal(good(await client.get('/v1/me/turns', { token })).disputes, found.length);
  return found;
}
const pageOf = async (at) => (await client.get(at, { unchecked: true })).text; // as it is read without scripts
const recordOf = async (game) => (await client.get(`${game.at}/record`)).text;
const lastLines = async (game, count) => (await recordOf(game)).trimEnd().split('\n').slice(-count).map((line) => line.replace(/ #[0-9a-f]{8}$/, '').split(' ').slice(3).join(' '));
const standingsOf = async (event) => good(await client.get(`/v1/events/${event.id}/standings`)).rows;

describe('what people write in a dispute', () => {
  it('may be long', async () => {
    const { game } = await newGame();
    const text = 'Ä "quoted" \\ text. '.repeat(95).trim();
    const dispute = await open(game, game.players[0], { text });
    const ruled = good(await step(dispute, 'ruling', organizer, { ...rulingOf({ order: 'stands' }), reason: text.slice(0, 400) }));
    assert.deepEqual([ruled.state, ruled.log[0].text, ruled.log[1].text], ['ruled', text, text.slice(0, 400)]);
    assert.equal(good(await step(dispute, 'appeal', game.players[0], { text })).log[2].text, text);
    const log = (await client.get(`/v1/disputes/${dispute.id}/log`, { token: organizer.token })).text.trim().split('\n');
    const { dispute_lines: own } = good(await client.get('/v1/me/export', { token: game.players[0].token }));
    assert.deepEqual(own.slice(0, 2), [3, 1].map((number) => ({ dispute: dispute.id, number, line: log[number].replace(/ #[0-9a-f]{8}$/, '') })));
    assert.equal(bed.tillroll('audit').status, 0);
    assert.equal(await code(client.post(`${game.at}/disputes`, { ...complaint, text: 'x'.repeat(2001) }, game.players[1].token)), '400 bad-field');
  });
});

describe('a dispute over a running game', () => {
  let event, game, dispute, stream;

  before(async () => {
    ({ event, game } = await newGame());
    await playRandomly(client, game, random, { plies: 12 });
    stream = await Stream.open(client, `/v1/events/${event.id}/stream`);
  });
  after(() => stream.close());

  it('is opened by who plays or decides there, about something that is there', async () => {
    const at = `${game.at}/disputes`;
    const [ada] = game.players;
    for (const [body, what] of [
      [{}, '400 bad-field'], [{ claim: 'weather', text: 'x' }, '400 bad-field'], [{ claim: 'rules' }, '400 missing-field'],
      [{ claim: 'rules', text: '' }, '400 bad-field'], [{ claim: 'rules', text: '\u200b\u202e ' }, '400 bad-field'],
      [{ claim: 'rules', text: 'x'.repeat(2001) }, '400 bad-field'], [{ claim: 'rules', text: 'x', entry: 99 }, '400 bad-field'],
      [{ claim: 'rules', text: 'x', entry: -1 }, '400 bad-field'], [{ claim: 'rules', text: 'x', seq: 1 }, '400 unknown-field'],
    ])
      assert.equal(await code(client.post(at, body, ada.token)), what, JSON.stringify(body));
    assert.equal(await code(client.post(at, complaint)), '401 not-signed-in');
    assert.equal(await code(client.post(at, complaint, stranger.token)), '403 not-allowed');
    assert.equal(await code(client.post('/v1/games/01a10000-0000-7000-8000-000000000001/disputes', complaint, ada.token)), '404 not-found');
    dispute = good(await client.post(at, { ...complaint, entry: 7, text: `  ${complaint.text}\u202e ` }, ada.token));
    assert.equal(dispute.state, 'open');
    assert.equal(dispute.entry, 7);
    assert.deepEqual(dispute.opened_by, { id: ada.id, name: ada.name });
    assert.deepEqual(dispute.event, { id: event.id, round: 1, table: 1 });
    assert.equal(dispute.log[0].text, complaint.text);
    await stream.reached((await good(await client.get(`/v1/events/${event.id}`))).changes);
    const notice = stream.messages.at(-1);
    assert.equal(notice.event, 'dispute');
    assert.deepEqual([notice.data.dispute, notice.data.game, notice.data.number, notice.data.kind], [dispute.id, game.id, 1, 'opened']);
    assert.ok(!stream.text.includes('Kita, and'));
  });

  it('is seen by everybody, but what was written only by its author and who decides', async () => {
    for (const who of [undefined, stranger, game.players[1]]) {
      const seen = await see(dispute, who);
      assert.equal(seen.log[0].text, null);
      assert.equal(seen.head, null);
      assert.equal(seen.claim, 'rules');
      assert.equal(await code(client.get(`/v1/disputes/${dispute.id}/log`, { token: who?.token })), '409 not-finished');
    }
    assert.equal((await see(dispute, game.players[0])).log[0].text, complaint.text);
    for (const who of [organizer, second, auditor, arbiter]) {
      const seen = await see(dispute, who);
      assert.equal(seen.log[0].text, complaint.text);
      assert.match(seen.head, /^[0-9a-f]{64}$/);
      assert.deepEqual(seen.you, { player: false, official: true });
    }
    for (const list of [`${game.at}/disputes`, `/v1/events/${event.id}/disputes`]) {
      const { items } = good(await client.get(list));
      assert.deepEqual(items.map((each) => each.id), [dispute.id]);
      assert.ok(!JSON.stringify(items).includes('Kita'));
    }
    for (const who of [auditor, arbiter])
      assert.ok(good(await client.get('/v1/disputes', { token: who.token })).items.some((each) => each.id === dispute.id));
    assert.equal(await code(client.get('/v1/disputes', { token: organizer.token })), '403 not-allowed');
    for (const who of [auditor, arbiter, organizer, second]) assert.ok((await toDecide(who)).includes(dispute.id));
    for (const who of [stranger, game.players[0]]) assert.deepEqual(await toDecide(who), []);
    assert.equal(await code(client.get('/v1/me/disputes')), '401 not-signed-in');
    assert.equal(await code(client.get('/v1/disputes?state=open', { token: auditor.token })), '400 bad-parameter');
  });

  it('has its limits', async () => {
    const extra = await open(game, game.players[0]);
    assert.equal(await code(client.post(`${game.at}/disputes`, complaint, game.players[0].token)), '409 too-many-disputes');
    assert.equal((await see(extra, stranger)).steps, 1);
    assert.equal(await code(step(extra, 'withdraw', game.players[1])), '403 not-your-dispute');
    assert.equal(await code(step(extra, 'withdraw', stranger)), '403 not-allowed');
    assert.equal(good(await step(extra, 'withdraw', game.players[0])).state, 'closed');
    assert.equal(await code(step(extra, 'withdraw', game.players[0])), '409 wrong-dispute-state');
    const pages = good(await client.get(`${game.at}/disputes?limit=1`));
    assert.equal(pages.items[0].id, extra.id);
    assert.equal(good(await client.get(`${game.at}/disputes?limit=1&after=${pages.next}`)).items[0].id, dispute.id);
  });

  it('has limits that nobody can use up for others', async () => {
    const { game } = await newGame();
    const [ada, ben] = game.players;
    for (let i = 0; i < 10; i++) good(await step(await open(game, ada), 'withdraw', ada));
    const refused = await client.post(`${game.at}/disputes`, complaint, ada.token);
    assert.deepEqual([refused.json.code, refused.json.detail], ['too-many-disputes', 'You have opened ten disputes about this game, the maximum.']);
    await open(game, ben);
  });

  it('shows nobody what is hidden while the game runs', async () => {
    assert.equal(await code(client.get(`/v1/disputes/${dispute.id}/position`, { token: organizer.token })), '409 not-frozen');
    assert.equal(await code(client.get(`/v1/disputes/${dispute.id}/position`, { token: game.players[0].token })), '403 not-allowed');
    assert.equal(await code(step(dispute, 'adjudication', organizer)), '409 not-frozen');
    const preview = await step(dispute, 'ruling?preview=true', organizer, rulingOf({ order: 'stands' }));
    assert.deepEqual([good(preview).lines, good(preview).seats], [[], []]);
    assert.equal(await code(step(dispute, 'ruling?preview=true', organizer, rulingOf({ order: 'takeback', entry: 7 }))), '409 not-frozen');
  });

  it('stops the game when an official says so', async () => {
    assert.equal(await code(step(dispute, 'freeze', game.players[0])), '403 not-allowed');
    assert.equal(await code(step(dispute, 'freeze', stranger)), '403 not-allowed');
    assert.equal(await code(step(dispute, 'resume', organizer)), '409 wrong-dispute-state');
    const frozen = good(await step(dispute, 'freeze', organizer));
    assert.deepEqual([frozen.state, frozen.frozen], ['frozen', true]);
    assert.deepEqual(await lastLines(game, 1), [`freeze ${dispute.id}`]);
    const position = await now(client, game);
    const { at: since } = (await see(dispute)).log.at(-1);
    assertStopped(position.stopped, dispute, since);
    const seat = position.deciders[0];
    const legal = await legalMoves(client, game, seat);
    const refused = await play(client, game, seat, [legal.moves[0]], position.seq);
    assert.deepEqual([refused.status, refused.json.code], [409, 'stopped']);
    assert.deepEqual([refused.json.stopped, refused.json.detail], [position.stopped, position.stopped.detail]);
    const absence = await client.post(`${game.at}/fallback`, { seat }, organizer.token);
    assert.deepEqual([absence.status, absence.json.code, absence.json.stopped, absence.json.detail], [409, 'stopped', position.stopped, position.stopped.detail]);
    assert.equal(await code(step(dispute, 'freeze', second)), '409 wrong-dispute-state');
    const other = await open(game, game.players[1]);
    const twice = await step(other, 'freeze', organizer);
    assert.deepEqual([twice.status, twice.json.code, twice.json.detail], [409, 'game-stopped', position.stopped.detail]);
    assert.equal((await see(other)).state, 'open');
    good(await step(other, 'withdraw', game.players[1]));
  });

  it('shows who decides the position as each seat saw it', async () => {
    const lines = (await recordOf(game)).split('\n');
    for (const who of [organizer, second, auditor, arbiter]) {
      const shown = good(await client.get(`/v1/disputes/${dispute.id}/position`, { token: who.token }));
      assert.equal(shown.entry, 7);
      assert.equal(shown.seq, 6);
      assert.equal(shown.line, lines.find((line) => line.startsWith('7 ')));
      assert.equal(shown.seats.length, 3);
      for (const { seat, view, legal_moves: legal } of shown.seats) {
        assert.ok('hand' in view.players[seat]);
        assert.equal(legal.length > 0, shown.deciders.includes(seat));
        assert.ok(view.players.every((player, i) => i === seat || !('hand' in player)));
      }
      assert.ok(shown.full.players.every((player) => 'hand' in player));
    }
    const mover = Number(lines.find((line) => line.startsWith('7 ')).split(' ')[1]);
    const current = good(await client.get(`/v1/disputes/${dispute.id}/position?entry=0`, { token: auditor.token }));
    const seen = good(await client.get(`${game.at}/view`, { token: game.players[mover].token }));
    assert.deepEqual(current.seats[mover].view, seen.view);
    assert.equal(await code(client.get(`/v1/disputes/${dispute.id}/position?entry=x`, { token: auditor.token })), '400 bad-parameter');
    assert.equal(await code(client.get(`/v1/disputes/${dispute.id}/position`, { token: game.players[1].token })), '403 not-allowed');
  });

  it('has a proposal for the result of the frozen game, for those who decide', async () => {
    const looks = () => bed.cluster.sql(`SET ROLE tillroll_owner; SELECT count(*) FROM tillroll.game_look WHERE game_id = '${game.id}'`);
    assert.equal(await code(step(dispute, 'adjudication', game.players[1])), '403 not-allowed');
    assert.equal(await code(step(dispute, 'adjudication', organizer, { nonsense: 1 })), '400 unknown-field');
    assert.equal(looks(), '0');
    const proposal = good(await step(dispute, 'adjudication', organizer));
    assert.deepEqual([proposal.game, proposal.seq, proposal.view], [game.id, (await now(client, game)).seq, 'full']);
    assert.equal(proposal.seats.length, 3);
    for (const seat of proposal.seats) {
      assert.equal(seat.ended.reduce((sum, each) => sum + each), proposal.samples);
      assert.equal(seat.place, 1 + proposal.seats.filter((other) => other.place < seat.place).length);
    }
    assert.deepEqual(good(await step(dispute, 'adjudication', second)), proposal);
    assert.equal(looks(), '2');
    assert.deepEqual(await lastLines(game, 1), [`freeze ${dispute.id}`]);
  });

  it('can be tried before it is ruled, and nothing changes', async () => {
    const untouched = bed.cluster.fingerprint();
    const before = await now(client, game);
    const preview = good(await step(dispute, 'ruling?preview=true', second, rulingOf({ order: 'takeback', entry: 7 }, { order: 'adjust', seat: 1, points: 5 })));
    assert.match(preview.lines[0], new RegExp(`^\\d+ - \\d+ ruling ${dispute.id} takeback 7( rekey)? by ${second.id} why as-played #`));
    assert.match(preview.lines[1], new RegExp(` ruling ${dispute.id} adjust 1 5 by ${second.id} why as-played #`));
    assert.match(preview.lines[2], / resume #/);
    assert.equal(preview.seats.length, 3);
    assert.equal(preview.changes, null);
    const gift = good(await step(dispute, 'ruling?preview=true', second, rulingOf({ order: 'adjust', seat: 1, points: 5 })));
    assert.equal(gift.seats[1].score_is, gift.seats[1].score_was + 5);
    assert.equal(gift.seats[0].score_is, gift.seats[0].score_was);
    const nothing = good(await step(dispute, 'ruling?preview=true', second, rulingOf({ order: 'void' })));
    assert.ok(nothing.seats.every((seat) => seat.score_is === null && seat.rank_is === null));
    assert.ok(!nothing.lines.some((line) => / reveal /.test(line)));
    assert.equal(nothing.changes.preview, true);
    assert.deepEqual(await now(client, game), before);
    assert.equal(bed.cluster.fingerprint(), untouched);
  });

  it('refuses orders that do not fit', async () => {
    const untouched = bed.cluster.fingerprint();
    const { seq } = await now(client, game);
    for (const [orders, what] of [
      [[], '400 bad-field'], [[{ order: 'hang' }], '400 bad-field'], [[{ order: 'stands' }, { order: 'void' }], '400 bad-field'],
      [[{ order: 'adjust', seat: 3, points: 1 }], '400 bad-field'], [[{ order: 'upheld' }], '400 bad-field'],
      [[{ order: 'takeback', entry: seq + 1 }], '422 bad-order'], [[{ order: 'forfeit', seat: 0 }, { order: 'forfeit', seat: 0 }], '422 bad-order'],
    ])
      assert.equal(await code(step(dispute, 'ruling', organizer, rulingOf(...orders))), what, JSON.stringify(orders));
    const whole = rulingOf({ order: 'stands' });
    for (const [more, what] of [
      [{ code: 'Not a word' }, '400 bad-field'], [{ code: undefined }, '400 missing-field'], [{ reason: '' }, '400 bad-field'],
      [{ reason: 'x'.repeat(501) }, '400 bad-field'], [{ resume: 1 }, '400 bad-field'], [{ why: 'x' }, '400 unknown-field'],
    ])
      assert.equal(await code(step(dispute, 'ruling', organizer, { ...whole, ...more })), what, JSON.stringify(more));
    assert.equal(await code(step(dispute, 'ruling', game.players[0], whole)), '403 not-allowed');
    assert.equal(await code(step(dispute, 'appeal', game.players[0], { text: 'Early.' })), '409 wrong-dispute-state');
    assert.equal(await code(step(dispute, 'close', organizer)), '409 wrong-dispute-state');
    assert.equal(bed.cluster.fingerprint(), untouched);
  });

  it('is ruled by lines of the record, and the game goes on', async () => {
    const before = (await recordOf(game)).split('\n');
    const ruled = await rule(dispute, organizer, { order: 'takeback', entry: 7 }, { order: 'adjust', seat: 1, points: 5 });
    assert.deepEqual([ruled.state, ruled.frozen], ['ruled', false]);
    assert.ok(Date.parse(ruled.appeal_until) > Date.parse(ruled.opened_at));
    const [back, gift, resume] = await lastLines(game, 3);
    assert.match(back, new RegExp(`^ruling ${dispute.id} takeback 7( rekey)? by ${organizer.id} why as-played$`));
    assert.equal(gift, `ruling ${dispute.id} adjust 1 5 by ${organizer.id} why as-played`);
    assert.equal(resume, 'resume');
    const mover = Number(before.find((line) => line.startsWith('7 ')).split(' ')[1]);
    assert.deepEqual((await now(client, game)).deciders, [mover]);
    // The players read the reason at once, others when the game is over.
    assert.equal((await see(dispute, game.players[2])).log.at(-1).text, 'It was as the rules have it.');
    assert.equal((await see(dispute)).log.at(-1).text, null);
    assert.deepEqual((await see(dispute)).log.at(-1).orders, [{ order: 'takeback', entry: 7 }, { order: 'adjust', seat: 1, points: 5 }]);
    assert.equal(await code(step(dispute, 'ruling', second, rulingOf({ order: 'stands' }))), '409 wrong-dispute-state');
    assert.equal(await code(step(dispute, 'freeze', second)), '409 wrong-dispute-state');
    assert.equal(await code(step(dispute, 'close', second)), '409 appeal-possible');
    assert.equal(await code(step(dispute, 'withdraw', game.players[0])), '409 wrong-dispute-state');
    await playRandomly(client, game, random, { plies: 3 });
  });

  it('goes to another on appeal', async () => {
    assert.equal(await code(step(dispute, 'appeal', second, { text: 'I see it otherwise.' })), '403 not-your-dispute');
    assert.equal(await code(step(dispute, 'appeal', game.players[2], {})), '400 missing-field');
    const appealed = good(await step(dispute, 'appeal', game.players[2], { text: 'Five points are too many.' }));
    assert.equal(appealed.state, 'appealed');
    assert.equal((await see(dispute, game.players[1])).log.at(-1).text, null);
    assert.equal(await code(step(dispute, 'appeal', game.players[1], { text: 'So do I.' })), '409 wrong-dispute-state');
    assert.equal(await code(step(dispute, 'withdraw', game.players[0])), '403 not-your-dispute');
    assert.equal(await code(step(dispute, 'ruling', organizer, rulingOf({ order: 'upheld' }))), '409 same-arbiter');
    assert.deepEqual([(await toDecide(organizer)).includes(dispute.id), (await toDecide(second)).includes(dispute.id)], [false, true]);
    good(await step(dispute, 'freeze', second));
    assert.equal(await code(step(dispute, 'ruling', second, { ...rulingOf({ order: 'adjust', seat: 1, points: -3 }), resume: false })), '422 bad-dispute-step');
    const decided = await rule(dispute, second, { order: 'adjust', seat: 1, points: -3 });
    assert.deepEqual([decided.state, decided.frozen, decided.log.at(-1).appeal], ['closed', false, true]);
    assert.ok(!(await toDecide(second)).includes(dispute.id));
    assert.equal(await code(step(dispute, 'freeze', organizer)), '409 wrong-dispute-state');
    assert.equal(await code(step(dispute, 'close', organizer)), '409 wrong-dispute-state');
  });

  it('leaves a record that proves itself, and a log that everybody can check', async () => {
    await endQuietly(client, game, organizer);
    const record = await recordOf(game);
    const { status, output } = bed.verify(record);
    assert.equal(status, 0, output);
    const seen = await see(dispute);
    assert.deepEqual(seen.log.map((each) => each.kind), ['opened', 'frozen', 'ruled', 'appealed', 'frozen', 'ruled']);
    assert.equal(seen.log[0].text, complaint.text);
    assert.equal(seen.log[3].text, 'Five points are too many.');
    const { text } = await client.get(`/v1/disputes/${dispute.id}/log`);
    const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
    let hash = '';
    text.trimEnd().split('\n').forEach((line, i) => {
      const [, plain, mark] = /^(.*) #([0-9a-f]{8})$/.exec(line);
      hash = sha256(i === 0 ? `${plain}\n` : `${hash} ${plain}\n`);
      assert.equal(mark, hash.slice(0, 8));
    });
    assert.equal(hash, seen.head);
    const leaf = sha256(Buffer.concat([Buffer.from([0]), Buffer.from(`tillroll dispute\n${dispute.id}\n${seen.head}\n`)]));
    assert.equal(bed.cluster.sql(`SET ROLE tillroll_owner; SELECT count(*) FROM (SELECT entry FROM tillroll.log_queue UNION SELECT entry FROM tillroll.log_leaf) AS leaf WHERE encode(tillroll.log_leaf_hash(entry), 'hex') = '${leaf}'`), '1');
    const told = stream.messages.filter((each) => each.event === 'dispute' && each.data.dispute === dispute.id);
    assert.deepEqual(told.map((each) => each.data.kind), seen.log.map((each) => each.kind));
  });

  it('cannot be changed in the database', () => {
    for (const statement of [
      'UPDATE tillroll.dispute_step SET line = line', 'DELETE FROM tillroll.dispute_step', 'TRUNCATE tillroll.dispute_step CASCADE',
      `INSERT INTO tillroll.dispute_step (dispute_id, number, line, hash) VALUES ('${dispute.id}', 7, '7 1 ${organizer.id} closed {}', sha256('x'))`,
    ])
      assert.throws(() => bed.cluster.sql(`SET ROLE tillroll_owner; ${statement}`), /only grows|does not continue/);
  });
});

describe('steps in other orders', () => {
  it('let a frozen game go on without a ruling, and when the dispute is withdrawn', async () => {
    const { game } = await newGame();
    const dispute = await open(game, game.players[0]);
    good(await step(dispute, 'freeze', second));
    assert.equal(good(await step(dispute, 'resume', organizer)).state, 'open');
    assert.deepEqual(await lastLines(game, 2), [`freeze ${dispute.id}`, 'resume']);
    good(await step(dispute, 'freeze', second));
    assert.equal(good(await step(dispute, 'withdraw', game.players[0])).state, 'closed');
    assert.deepEqual((await now(client, game)).stopped, null);
    await playRandomly(client, game, random, { plies: 2 });
  });

  it('leave it frozen since when it was, also by a ruling that takes back', async () => {
    const { game } = await newGame();
    const dispute = await open(game, organizer, { claim: 'conduct' });
    await playRandomly(client, game, random, { plies: 3 });
    good(await step(dispute, 'freeze', organizer));
    const { at: since } = (await see(dispute)).log.at(-1);
    const { seq } = await now(client, game);
    good(await step(dispute, 'ruling', organizer, { ...rulingOf({ order: 'takeback', entry: seq - 1 }), resume: false }));
    assertStopped((await now(client, game)).stopped, dispute, since);
    good(await step(dispute, 'resume', second));
    assert.equal((await now(client, game)).stopped, null);
  });

  it('leave it frozen after a ruling if the official says so, until it is resumed', async () => {
    const { game } = await newGame();
    const dispute = await open(game, organizer, { claim: 'conduct' });
    good(await step(dispute, 'freeze', organizer));
    const ruled = good(await step(dispute, 'ruling', organizer, { ...rulingOf({ order: 'stands' }), resume: false }));
    assert.deepEqual([ruled.state, ruled.frozen], ['ruled', true]);
    assert.notEqual((await now(client, game)).stopped, null);
    assert.equal(good(await step(dispute, 'resume', second)).frozen, false);
    assert.equal(good(await step(dispute, 'appeal', game.players[1], { text: 'No.' })).state, 'appealed');
    assert.equal(good(await step(dispute, 'withdraw', game.players[1])).state, 'closed');
  });

  it('need no freeze where the game just stands', async () => {
    const { game } = await newGame();
    const dispute = await open(game, game.players[0]);
    assert.equal(await code(step(dispute, 'ruling', organizer, rulingOf({ order: 'forfeit', seat: 0 }))), '409 not-frozen');
    const before = await recordOf(game);
    assert.equal((await rule(dispute, arbiter, { order: 'stands' })).state, 'ruled');
    assert.equal(await recordOf(game), before);
  });

  it('put a seat out of the game: fallback moves are played for it, and it is last', async () => {
    const { game } = await newGame();
    const dispute = await open(game, game.players[0]);
    good(await step(dispute, 'freeze', organizer));
    await rule(dispute, organizer, { order: 'forfeit', seat: 1 });
    const { seats } = await now(client, game);
    assert.deepEqual([seats[1].fallback, seats[1].forfeited], [true, true]);
    await endQuietly(client, game, organizer);
    assert.equal((await now(client, game)).seats[1].rank, 3);
    assert.equal(bed.verify(await recordOf(game)).status, 0);
  });

  it('are not for officials who play there', async () => {
    const { game, event } = await newGame();
    good(await client.post(`/v1/events/${event.id}/roles`, { player: game.players[0].id, role: 'arbiter' }, organizer.token));
    const dispute = await open(game, game.players[1]);
    for (const name of ['freeze', 'close']) assert.equal(await code(step(dispute, name, game.players[0])), '403 party-to-dispute');
    assert.equal(await code(step(dispute, 'ruling', game.players[0], rulingOf({ order: 'stands' }))), '403 party-to-dispute');
    good(await step(dispute, 'freeze', organizer));
    assert.equal(await code(client.get(`/v1/disputes/${dispute.id}/position`, { token: game.players[0].token })), '403 party-to-dispute');
    assert.equal((await see(dispute, game.players[0])).log[0].text, null);
  });
});

describe('who has a bot in the game', () => {
  it('decides nothing about it', async () => {
    const bot = good(await client.post('/v1/me/bots', { name: 'Own' }, second.token));
    const made = good(await client.post(`/v1/me/bots/${bot.id}/tokens`, { label: 'x', scopes: ['read', 'play'] }, second.token));
    const { game, event } = await makeGame(client, organizer, [players[0], players[1], { id: bot.id, name: bot.name, token: made.token }]);
    good(await client.post(`/v1/events/${event.id}/roles`, { player: second.id, role: 'arbiter' }, organizer.token));
    const dispute = await open(game, players[0]);
    assert.equal(await code(step(dispute, 'freeze', second)), '403 party-to-dispute');
    assert.equal((await see(dispute, second)).log[0].text, null);
    assert.deepEqual((await see(dispute, second)).you, { player: false, official: false });
  });
});

describe('a dispute over a finished game', () => {
  let event, game;

  before(async () => {
    ({ event, game } = await newGame());
    await playBriefly(client, game, random);
  });

  it('changes nothing in the record, but the table, standings and ratings', async () => {
    const record = await recordOf(game);
    const dispute = await open(game, game.players[0], { claim: 'result' });
    assert.equal(await code(step(dispute, 'freeze', organizer)), '409 game-finished');
    assert.equal(await code(step(dispute, 'ruling', organizer, rulingOf({ order: 'takeback', entry: 1 }))), '422 bad-order');
    const { seats } = await now(client, game);
    const last = seats.find((seat) => seat.rank === Math.max(...seats.map((each) => each.rank)));
    const orders = [{ order: 'adjust', seat: last.seat, points: 1000 }];
    const before = await standingsOf(event);
    const untouched = bed.cluster.fingerprint();
    const preview = good(await step(dispute, 'ruling?preview=true', organizer, rulingOf(...orders)));
    assert.equal(bed.cluster.fingerprint(), untouched);
    assert.equal(preview.changes.seats[last.seat].rank, 1);
    assert.equal(preview.changes.seats[last.seat].score, last.score + 1000);
    assert.ok(preview.changes.differences.length > 0);
    const ruled = await rule(dispute, organizer, ...orders);
    assert.equal(ruled.state, 'ruled');
    const after = await standingsOf(event);
    assert.notDeepEqual(after, before);
    for (const { player, place_was: was, place_is: is } of preview.changes.differences) {
      assert.equal(before.find((row) => row.player.id === player.id).rank, was);
      assert.equal(after.find((row) => row.player.id === player.id).rank, is);
    }
    assert.equal(after.find((row) => row.rank === 1).player.id, last.player.id);
    assert.equal(await recordOf(game), record);
    const { items } = good(await client.get('/v1/ratings/revisions'));
    assert.equal(items[0].game, game.id);
    // The appeal: the record stands, and the ruling is taken back.
    good(await step(dispute, 'appeal', game.players[1], { text: 'Why?' }));
    assert.equal(await code(step(dispute, 'ruling', organizer, rulingOf({ order: 'stands' }))), '409 same-arbiter');
    assert.equal((await rule(dispute, arbiter, { order: 'stands' })).state, 'closed');
    assert.deepEqual((await standingsOf(event)).map((row) => [row.rank, row.player.id]), before.map((row) => [row.rank, row.player.id]));
  });

  it('can put a seat last, also when the event is closed; an appeal is reckoned from the record', async () => {
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    const { seats } = await now(client, game);
    const winner = seats.find((seat) => seat.rank === 1).seat;
    const dispute = await open(game, game.players[2], { claim: 'collusion' });
    await rule(dispute, second, { order: 'forfeit', seat: winner });
    assert.equal((await standingsOf(event)).at(-1).player.id, game.players[winner].id);
    good(await step(dispute, 'appeal', game.players[winner], { text: 'I did not.' }));
    await rule(dispute, organizer, { order: 'adjust', seat: winner, points: 1 });
    assert.equal((await standingsOf(event))[0].player.id, game.players[winner].id);
    assert.equal(await code(step(await open(game, game.players[2]), 'ruling', second, rulingOf({ order: 'replay' }))), '409 too-late');
  });
});

describe('the time for protests', () => {
  it('is a setting of the event, for disputes and appeals', async () => {
    const { game } = await newGame({ protest_minutes: 0 });
    const dispute = await open(game, game.players[0]);
    const ruled = await rule(dispute, organizer, { order: 'stands' });
    assert.equal(ruled.appeal_until, ruled.log.at(-1).at);
    assert.equal(await code(step(dispute, 'appeal', game.players[1], { text: 'Now?' })), '409 too-late');
    assert.equal(await code(step(dispute, 'close', game.players[1])), '403 not-allowed');
    assert.equal(good(await step(dispute, 'close', second)).state, 'closed');
    const still = await open(game, game.players[1]);
    await endQuietly(client, game, organizer);
    assert.equal((await now(client, game)).state, 'finished');
    assert.equal(await code(client.post(`${game.at}/disputes`, complaint, game.players[0].token)), '409 too-late');
    assert.equal((await rule(still, organizer, { order: 'stands' })).state, 'ruled');
  });
});

describe('games that count for nothing', () => {
  const rated = (game) => bed.cluster.sql(`SET ROLE tillroll_owner; SELECT count(*) FROM tillroll.counted_result WHERE game_id = '${game.id}'`);

  // What everybody can read of the table: it is void, for every seat, without places and scores.
  async function assertVoid({ id }, query = '') {
    const { rows } = good(await client.get(`/v1/events/${id}/standings${query}`));
    for (const { points, rounds: [round] } of rows) {
      assert.deepEqual([points.numerator, round.kind, round.seats], [0, 'void', 3]);
      for (const key of ['rank', 'shared', 'score']) assert.ok(!(key in round), key);
    }
    const [table] = good(await client.get(`/v1/events/${id}/rounds/1`)).seating;
    assert.deepEqual(table.seats.map(({ kind, rank, score }) => [kind, rank, score]), Array(3).fill(['void', null, null]));
    const results = (await client.get(`/v1/events/${id}/results.csv`)).text.trim().split('\r\n').slice(1);
    for (const line of results) assert.match(line, /,void,,,0,0,yes,/);
    assert.equal(results.length, 3);
    for (const [page, shown] of [['', /∅/], ['/rounds/1', /\(void\)/]]) {
      const { text } = await client.get(`/events/${id}${page}`, { unchecked: true });
      assert.match(text, shown);
      assert.doesNotMatch(text, /lost by forfeit/);
    }
  }

  const ruledIn = async ({ id }) => good(await client.get(`/v1/events/${id}/log`)).items.findLast(({ kind }) => kind === 'ruled');

  // The line as earlier builds wrote it: like one about a game to which nobody came. It is the last one; the next has the service look.
  async function writeAsBefore({ id }) {
    const { seq } = await ruledIn({ id });
    unlocked(bed.cluster, 'tillroll.event_step', `
      UPDATE tillroll.event_step SET detail = replace(detail::text, '"void"', '"forfeit_loss"')::tillroll.event_detail WHERE event_id = '${id}' AND seq = ${seq};
      UPDATE tillroll.event_step AS step SET hash = tillroll.event_step_chain(
        (SELECT hash FROM tillroll.event_step WHERE event_id = '${id}' AND seq = ${seq - 1}), step) WHERE event_id = '${id}' AND seq = ${seq}`);
    good(await client.post(`/v1/events/${id}/roles`, { player: stranger.id, role: 'arbiter' }, organizer.token));
    assert.deepEqual((await ruledIn({ id })).detail.seats.map(([, rank, score, kind]) => [rank, score, kind]), Array(3).fill([1, 0, 'forfeit_loss']));
  }

  it('end without results, and nobody has won', async () => {
    const { event, game } = await newGame();
    await playRandomly(client, game, random, { plies: 5 });
    const before = await pageOf(`/games/${game.id}`);
    assert.doesNotMatch(before, /<h2 id="disputes">/);
    const dispute = await open(game, game.players[0]);
    good(await step(dispute, 'freeze', organizer));
    const listed = new RegExp(`<li><a href="/disputes/${dispute.id}">Opened <time [^<]*</time></a> by <a href="/players/${game.players[0].id}">.*</a>: (.*)</li>`);
    assert.equal(listed.exec(await pageOf(`/games/${game.id}`))[1], 'frozen');
    const hidden = await pageOf(`/disputes/${dispute.id}`);
    assert.match(hidden, /<span class="badge">open, the game is frozen<\/span>.*<strong>Game frozen<\/strong>/s);
    assert.ok(hidden.includes('Everybody can read what was written here when the game is over.') && !hidden.includes(complaint.text));
    // A game that ends does not stay frozen, whatever the ruling says.
    const ruled = good(await step(dispute, 'ruling', organizer, { ...rulingOf({ order: 'void' }), resume: false }));
    assert.deepEqual([ruled.state, ruled.frozen, ruled.game_finished], ['ruled', false, true]);
    assert.equal(listed.exec(await pageOf(`/games/${game.id}`))[1], 'ruled');
    const shown = await pageOf(`/disputes/${dispute.id}`);
    for (const words of [`<p class="reason"><bdi>${complaint.text}</bdi></p>`, '<p>The game is void. </p><p class="reason"><bdi>It was as the rules have it.</bdi></p>', ' Appeals until <time ']) assert.ok(shown.includes(words), words);
    assert.match(await pageOf(`/disputes/${event.id}`), /There is no public dispute here/);
    const { state, voided } = await now(client, game);
    assert.deepEqual([state, voided], ['finished', true]);
    assert.equal(bed.verify(await recordOf(game)).status, 0);
    assert.deepEqual((await ruledIn(event)).detail.seats.map(([, rank, score, kind]) => [rank, score, kind]), Array(3).fill([1, 0, 'void']));
    await assertVoid(event);
    await writeAsBefore(event);
    await assertVoid(event);
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    const late = await open(game, game.players[1]);
    assert.equal(await code(step(late, 'ruling', organizer, rulingOf({ order: 'adjust', seat: 0, points: 1 }))), '422 bad-order');
  });

  it('of a finished one nothing is left in standings and ratings', async () => {
    const { event, game } = await newGame();
    await playBriefly(client, game, random);
    assert.equal(rated(game), '3');
    await rule(await open(game, game.players[0]), organizer, { order: 'void' });
    assert.equal(rated(game), '0');
    await assertVoid(event);
    const { seq } = await ruledIn(event);
    assert.ok(good(await client.get(`/v1/events/${event.id}/standings?as_of=${seq - 1}`)).rows.every(({ rounds: [round] }) => round.kind === 'played' && Number.isInteger(round.score)));
    await writeAsBefore(event);
    await assertVoid(event);
    await assertVoid(event, `?as_of=${seq}`);
    // A no-show loses in any case, also by a later ruling about the same table.
    good(await client.request('PUT', `/v1/events/${event.id}/rounds/1/tables/1/ruling`, { json: { no_show: game.players.map(({ id }) => id), reason: 'Nobody came.' }, token: organizer.token }));
    assert.ok((await standingsOf(event)).every(({ rounds: [round] }) => round.kind === 'forfeit_loss' && round.rank === 1 && round.score === undefined));
  });

  it('are void in bundles, too', async () => {
    const { event, game } = await newGame();
    await playBriefly(client, game, random);
    await rule(await open(game, game.players[0]), organizer, { order: 'void' });
    good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
    const { status, output } = bed.proveEvent((await client.get(`/v1/events/${event.id}/bundle`)).text);
    assert.equal(status, 0, output);
  });

  for (const finished of [false, true])
    it(`are played anew at their table, ${finished ? 'finished' : 'running'} ones`, async () => {
      const { event, game } = await newGame();
      const ratedGames = async () => Promise.all(game.players.map(async (player) => good(await client.get(`/v1/players/${player.id}/ratings`)).items.find((each) => each.scope === 'overall')?.games ?? 0));
      const before = await ratedGames();
      await (finished ? playBriefly(client, game, random) : playRandomly(client, game, random, { plies: 5 }));
      const dispute = await open(game, game.players[0]);
      if (!finished) good(await step(dispute, 'freeze', organizer));
      const preview = good(await step(dispute, 'ruling?preview=true', organizer, rulingOf({ order: 'replay' })));
      assert.equal(preview.changes.ruled, false);
      const ruled = await rule(dispute, organizer, { order: 'replay' });
      const [again] = good(await client.get(`/v1/events/${event.id}/rounds/1`)).games;
      assert.notEqual(again.id, game.id);
      assert.equal(ruled.log.at(-1).replayed_as, again.id);
      assert.deepEqual(again.seats.map((seat) => seat.player.id), game.players.map((player) => player.id));
      assert.equal(await code(client.post(`/v1/events/${event.id}/close`, {}, organizer.token)), '409 round-running');
      assert.deepEqual(await ratedGames(), before);
      const next = { ...game, ...again, at: `/v1/games/${again.id}` };
      await playBriefly(client, next, random);
      assert.deepEqual([rated(game), rated(next)], ['0', '3']);
      assert.deepEqual(await ratedGames(), before.map((games) => games + 1));
      assert.equal(await code(step(await open(game, game.players[1]), 'ruling', organizer, rulingOf({ order: 'void' }))), '422 bad-order');
      good(await client.post(`/v1/events/${event.id}/close`, {}, organizer.token));
      const { text } = await client.get(`/v1/events/${event.id}/bundle`);
      const { status, output } = bed.proveEvent(text);
      assert.equal(status, 0, output);
    });
});

describe('refused moves', () => {
  it('are kept for the seat that tried them, and for who decides', async () => {
    const { game } = await newGame();
    const { deciders: [seat], seq } = await now(client, game);
    const own = async (token) => good(await client.get(`${game.at}/refused-moves`, { token })).items;
    assert.equal(await code(play(client, game, seat, ['open nowhere food'], seq)), '422 ' + (await play(client, game, seat, ['open nowhere food'], seq)).json.code);
    await play(client, game, seat, [`${'é'.repeat(100)}`], seq);
    const other = (seat + 1) % 3;
    assert.equal(await code(play(client, game, other, ['end'], seq)), '409 not-your-turn');
    const kept = await own(game.players[seat].token);
    assert.deepEqual(kept.map((each) => each.move), ['open nowhere food', 'open nowhere food', 'é'.repeat(60)]);
    assert.ok(kept.every((each) => each.seat === seat && each.seq === seq && each.code));
    assert.deepEqual(await own(game.players[other].token), []);
    assert.equal(await code(client.get(`${game.at}/refused-moves`, { token: organizer.token })), '403 not-a-seat');
    const dispute = await open(game, game.players[seat]);
    good(await step(dispute, 'freeze', organizer));
    const shown = good(await client.get(`/v1/disputes/${dispute.id}/position`, { token: organizer.token }));
    assert.deepEqual(shown.refused_moves, kept);
    const stored = bed.cluster.sql(`SET ROLE tillroll_owner; SELECT encode(sealed, 'escape') FROM tillroll_vault.refused_move`);
    assert.ok(!stored.includes('nowhere'));
  });

  it('are not kept without end', async () => {
    const { game } = await newGame();
    const { deciders: [seat], seq } = await now(client, game);
    for (let i = 0; i < 70; i++) assert.equal((await play(client, game, seat, [`nonsense ${i}`], seq)).status, 422);
    const { items } = good(await client.get(`${game.at}/refused-moves`, { token: game.players[seat].token }));
    assert.deepEqual(items.map((each) => each.move), Array.from({ length: 64 }, (_, i) => `nonsense ${i}`));
  });
});

describe('an auditor’s look', () => {
  it('at a running game has a reason, which is published when the game is over', async () => {
    const { game } = await newGame();
    await playRandomly(client, game, random, { plies: 4 });
    const at = `${game.at}/look`;
    for (const who of [organizer, arbiter, stranger, game.players[0]])
      assert.equal(await code(client.post(at, { reason: 'Curious.' }, who.token)), '403 not-allowed');
    assert.equal(await code(client.post(at, {}, auditor.token)), '400 missing-field');
    assert.equal(await code(client.post(at, { reason: '\u200b' }, auditor.token)), '400 bad-field');
    assert.equal(await code(client.post(at, { reason: 'x', seat: 1 }, auditor.token)), '400 unknown-field');
    const looksOf = ({ id }) => bed.cluster.sql(`SET ROLE tillroll_owner; SELECT count(*) FROM tillroll.game_look WHERE game_id = '${id}'`);
    assert.equal(looksOf(game), '0');
    const shown = good(await client.post(at, { reason: 'A report of collusion.' }, auditor.token, { 'Idempotency-Key': 'look' }));
    assert.equal(shown.seq, (await now(client, game)).seq);
    for (const { seat, view } of shown.seats)
      assert.deepEqual(view, good(await client.get(`${game.at}/view`, { token: game.players[seat].token })).view);
    assert.ok(shown.full.players.every((player) => 'hand' in player));
    const everything = bed.cluster.sql("SET ROLE tillroll_owner; SELECT count(*) FROM tillroll.kept_answer WHERE body LIKE '%hand%'");
    assert.equal(everything, '0');
    for (const who of [undefined, ...game.players, auditor])
      assert.equal(good(await client.get(game.at, { token: who?.token })).looks, null);
    await endQuietly(client, game, organizer);
    const { looks } = await now(client, game);
    assert.deepEqual(looks.map(({ by, seq, reason }) => [by.id, seq, reason]), [[auditor.id, shown.seq, 'A report of collusion.']]);
    assert.equal(await code(client.post(at, { reason: 'Late.' }, auditor.token)), '409 game-finished');
  });

  it('is not for one who plays there', async () => {
    giveRole(players[3], 2);
    const { game } = await makeGame(client, organizer, [players[3], players[4], players[5]]);
    assert.equal(await code(client.post(`${game.at}/look`, { reason: 'My own.' }, players[3].token)), '403 party-to-dispute');
    const dispute = await open(game, players[4]);
    assert.equal(await code(step(dispute, 'freeze', players[3])), '403 party-to-dispute');
    giveRole(players[3], 0);
  });
});

describe('a duplicate board', () => {
  it('has disputes that nobody hears of who may still play it', async () => {
    const entrants = [second, ...players];
    const event = await makeDuplicate(client, organizer, entrants.slice(0, 6), { boards: 2, seats_min: 3, seats_max: 3, seats_preferred: 3 });
    good(await client.post(`/v1/events/${event.id}/roles`, { player: second.id, role: 'arbiter' }, organizer.token));
    const games = seated(good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token)), entrants);
    const game = games.find((each) => !each.players.some((player) => player.id === second.id));
    const outside = entrants.slice(0, 6).find((player) => player !== second && !game.players.some((each) => each.id === player.id));
    await playHidden(client, game, random, 6);
    const changes = async () => good(await client.get(`/v1/events/${event.id}`)).changes;
    const before = await changes();
    const dispute = await open(game, game.players[0]);
    good(await step(dispute, 'freeze', organizer));
    assert.equal(await changes(), before);
    for (const who of [undefined, stranger, outside, second]) {
      assert.equal(await code(client.get(`/v1/disputes/${dispute.id}`, { token: who?.token })), '404 not-found');
      assert.equal(await code(client.get(`/v1/disputes/${dispute.id}/log`, { token: who?.token })), '404 not-found');
      assert.deepEqual(good(await client.get(`/v1/events/${event.id}/disputes`, { token: who?.token })).items, []);
    }
    for (const who of [undefined, stranger, outside]) assert.equal(await code(client.get(`${game.at}/disputes`, { token: who?.token })), '404 not-found');
    assert.equal(await code(client.post(`${game.at}/disputes`, complaint, outside.token)), '404 not-found');
    for (const name of ['freeze', 'appeal', 'withdraw', 'ruling']) assert.equal(await code(step(dispute, name, outside, {})), '404 not-found');
    assert.equal(await code(step(dispute, 'resume', second)), '404 not-found');
    assert.equal(good(await client.get(`${game.at}/disputes`, { token: game.players[1].token })).items.length, 1);
    assert.equal(good(await client.get('/v1/disputes', { token: auditor.token })).items[0].id, dispute.id);
    assert.deepEqual([(await toDecide(organizer)).includes(dispute.id), (await toDecide(second)).includes(dispute.id)], [true, false]); // `second` may still have to play the board
    for (const order of ['void', 'replay'])
      assert.equal(await code(step(dispute, 'ruling', organizer, rulingOf({ order }))), '409 board-shared');
    await rule(dispute, organizer, { order: 'adjust', seat: 0, points: 2 });
  });
});

describe('a finished game of no event', () => {
  it('stands as it is: there is no table to rule', async () => {
    const { game } = await newGame();
    await endQuietly(client, game, organizer);
    asOwner(bed.cluster, `ALTER TABLE tillroll.game DISABLE TRIGGER game_check_update;
      UPDATE tillroll.game SET event_id = NULL, round = NULL, table_number = NULL WHERE id = '${game.id}';
      ALTER TABLE tillroll.game ENABLE TRIGGER game_check_update`);
    const dispute = await open(game, game.players[0]);
    assert.equal(await code(step(dispute, 'ruling', organizer, rulingOf({ order: 'stands' }))), '403 not-allowed');
    for (const order of [{ order: 'adjust', seat: 0, points: 1 }, { order: 'forfeit', seat: 0 }, { order: 'void' }, { order: 'replay' }]) {
      const answer = await step(dispute, 'ruling', arbiter, rulingOf(order));
      assert.equal(`${answer.status} ${answer.json.code}`, '422 bad-order');
      assert.match(answer.json.detail, /belongs to no event.*`stands`/);
    }
    assert.equal((await rule(dispute, arbiter, { order: 'stands' })).state, 'ruled');
  });
});

describe('decisions taken together', () => {
  it('are taken anew after a take-back', async () => {
    const { game } = await newGame({ ruleset: 'mall-world' });
    let position = await now(client, game);
    for (let ply = 0; position.deciders.length === 1 && ply < 4000; ply++) {
      const legal = await legalMoves(client, game, position.deciders[0]);
      const offers = legal.moves.filter((move) => move.startsWith('offer ') && move.split(' ').length > 2);
      position = good(await play(client, game, position.deciders[0], [random.pick(offers.length ? offers : legal.moves)], legal.seq));
    }
    assert.ok(position.deciders.length > 1);
    const [first] = position.deciders;
    const sealed = await legalMoves(client, game, first);
    good(await play(client, game, first, [sealed.moves[0]], position.seq));
    const dispute = await open(game, organizer);
    good(await step(dispute, 'freeze', organizer));
    assert.equal(await code(play(client, game, position.deciders[1], [sealed.moves[0]])), '409 stopped');
    await rule(dispute, organizer, { order: 'takeback', entry: position.seq });
    // Back before the offer that led to the decision; then the same offer, and everybody decides anew.
    const [offerer] = (await now(client, game)).deciders;
    const offers = (await legalMoves(client, game, offerer)).moves.filter((move) => move.startsWith('offer ') && move.split(' ').length > 2);
    position = good(await play(client, game, offerer, [offers[0]]));
    assert.ok(position.deciders.length > 1);
    for (const seat of position.deciders) {
      const legal = await legalMoves(client, game, seat);
      assert.equal(legal.decided, false);
      good(await play(client, game, seat, [legal.moves.at(-1)], position.seq));
    }
    assert.ok((await now(client, game)).seq > position.seq);
    await endQuietly(client, game, organizer);
    assert.equal(bed.verify(await recordOf(game)).status, 0);
  });
});
