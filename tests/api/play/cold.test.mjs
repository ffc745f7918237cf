// Moves for games and by tokens that a service has not in memory, as after a restart: many of them are fetched together, and each is
// answered as it would be alone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { isLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { asOwner } from '../support/damage.mjs';
import { endQuietly, legalMoves, makeGame, makePlayer, makePlayers, now, playBriefly, playRandomly, Random } from '../support/play.mjs';
import { readRecord } from '../support/record.mjs';
import { Testbed } from '../support/testbed.mjs';

const GAMES = isLong ? 40 : 20;
const random = new Random('cold');
let bed;
let warm;
let organizer;
let players;

before(async () => {
  bed = new Testbed();
  warm = (await bed.startService()).client;
  organizer = await makePlayer(warm, 'Organizer');
  players = await makePlayers(warm, 2 * GAMES);
});
after(() => bed.end());

// Two players each, some plies into the game, with a move that is legal now.
async function makeGames(count = GAMES) {
  return Promise.all(Array.from({ length: count }, async (_, i) => {
    const { game } = await makeGame(warm, organizer, players.slice(2 * i, 2 * i + 2));
    await playRandomly(warm, game, random, { plies: 3 + (i % 5) });
    const { seq, deciders: [seat] } = await now(warm, game);
    return { ...game, seq, seat, token: game.players[seat].token, move: (await legalMoves(warm, game, seat)).moves[0] };
  }));
}

const cold = async (...options) => (await bed.startService(...options)).client;
const move = (client, game, changes = {}) => {
  const { at, token, seat, seq } = { ...game, ...changes };
  return client.post(`${at}/moves`, { moves: [changes.move ?? game.move], seq }, token ?? game.players[seat].token);
};
const entriesOf = async ({ at }) => readRecord((await warm.get(`${at}/record`)).text).entries;
const brief = ({ status, json }) => `${status} ${json.code ?? 'played'}`;

describe('at a service that has just been started', () => {
  it('first moves that come together are all played, once, and proved', async () => {
    const games = await makeGames();
    const client = await cold();
    const answers = await Promise.all(games.map((game) => move(client, game)));
    for (const [i, answer] of answers.entries()) {
      const { receipt } = good(answer);
      const entries = await entriesOf(games[i]);
      assert.equal(entries.length, games[i].seq + 1);
      assert.equal(entries.at(-1).head, receipt.head);
      assert.equal(entries.at(-1).words.join(' '), games[i].move);
    }
    await playBriefly(client, games[0], random);
    assert.equal(good(await warm.get(`${games[0].at}/verification`)).verdict, 'valid');
  });

  // What is sent among the moves that are good, by whom, and what is answered.
  async function makeOdd([plain, finished, late, damaged, other]) {
    const token = async (changes) => good(await warm.post('/v1/me/tokens', { label: 'x', scopes: ['play'], ...changes }, plain.players[plain.seat].token));
    const revoked = await token();
    good(await warm.delete(`/v1/me/tokens/${revoked.id}`, plain.players[plain.seat].token));
    await endQuietly(warm, finished, organizer);
    good(await move(warm, late));
    asOwner(bed.cluster, `UPDATE tillroll_vault.game_secret SET sealed = sealed || '\\x00' WHERE game_id = '${damaged.id}'`);
    return [
      [plain, { token: revoked.token }, '401 bad-token'],
      [plain, { token: `tr_${'0'.repeat(64)}` }, '401 bad-token'],
      [plain, { token: 'nonsense' }, '401 bad-token'],
      [plain, { token: organizer.token }, '403 not-a-seat'],
      [plain, { token: (await token({ scopes: ['read'] })).token }, '403 missing-scope'],
      [plain, { at: `/v1/games/${organizer.id}` }, '404 not-found'],
      [plain, { token: plain.players[1 - plain.seat].token }, '409 not-your-turn'],
      [plain, { move: 'nonsense' }, '422 bad-syntax'],
      [finished, { seq: undefined }, '409 game-over'],
      [late, {}, '200 played'],
      [late, { move: 'nonsense' }, '409 stale-sequence'],
      [damaged, {}, '500 record-damaged'],
      [other, {}, '200 played'],
    ];
  }

  it('those that cannot be played are refused among those that can', async () => {
    const games = await makeGames();
    const odd = await makeOdd(games);
    const client = await cold();
    const between = games.slice(5);
    const answers = await Promise.all(between.flatMap((game, i) => [move(client, game), ...(i < odd.length ? [move(client, odd[i][0], odd[i][1])] : [])]));
    const said = answers.map(brief);
    const expected = between.flatMap((_, i) => ['200 played', ...(i < odd.length ? [odd[i][2]] : [])]);
    assert.deepEqual(said, expected);
    assert.equal((await entriesOf(games[2])).length, games[2].seq + 1);
  });

  it('tokens that nobody has are counted, however many come at once', async () => {
    const [game] = await makeGames(1);
    const client = await cold(['--reads-per-minute', '20']);
    const guesses = Array.from({ length: 60 }, (_, i) => move(client, game, { token: `tr_${String(i).padStart(64, '0')}` }));
    const said = (await Promise.all(guesses)).map(brief);
    const looked = said.filter((each) => each === '401 bad-token').length;
    assert.equal(said.filter((each) => each === '429 too-many-requests').length, 60 - looked);
    assert.ok(looked >= 1 && looked <= 4, `${looked} were looked up`);
  });
});
