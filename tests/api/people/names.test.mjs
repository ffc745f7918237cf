// Names of accounts: what they may be, what looks alike, and names from before there were these rules.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { good } from '../support/client.mjs';
import { password } from '../support/play.mjs';
import { Testbed } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

let bed, client;

before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService(['--upkeep-seconds', '1']));
});
after(() => bed?.end());

const register = (name, at = client) => at.post('/v1/players', { name, password });
const signIn = (name) => client.post('/v1/tokens', { name, password });
const detail = ({ status, json }) => `${status} ${json.code} ${json.detail}`;
const owner = (text) => bed.cluster.sql(`SET ROLE tillroll_owner; ${text}`);

describe('a name that is given', () => {
  it('is stored in NFKC', async () => {
    const stored = [
      ['Ｗｉｄｅ Ｌｅｔｔｅｒｓ', 'Wide Letters'], ['Café A', 'Café A'], ['Cafe\u0301 B', 'Café B'], ['\ufb01ne', 'fine'],
      ['No\u00a0break', 'No break'], ['Em\u2003blank', 'Em blank'], ['東京\u3000太郎', '東京 太郎'], ['Ⅳ.', 'IV.'],
    ];
    for (const [name, expected] of stored) assert.equal(good(await register(name)).player.name, expected);
  });

  it('has letters of one script, or of scripts that are used together', async () => {
    for (const name of ['Zoë Müller', 'Анна', 'Ελένη', 'אדם', 'فاطمة', 'देवी', '김민준 Kim', '田中さん Taro', 'タナカ', '王小明 Wang', '🎲 dice', 'O’Neil-Smith, Jr. (2)'])
      assert.equal(good(await register(name)).player.name, name);
    for (const [name, wrong, script] of [['Ad\u0430', 'U+0430', 'Cyrillic'], ['\u0410nna', 'U+006E', 'Latin'], ['Ann\u03b1', 'U+03B1', 'Greek'],
      ['東京 \u0410', 'U+0410', 'Cyrillic'], ['Anna \u05d0', 'U+05D0', 'Hebrew'], ['カナ ㄅ', 'U+3105', 'Bopomofo']])
      assert.equal(detail(await register(name)), `400 bad-field name must not mix scripts: ${wrong} is ${script}, but the text before it is not.`);
  });

  it('is refused with the character that it must not have', async () => {
    const there = (code, why) => `name must not have ${code} there: ${why}.`;
    const unseen = 'it cannot be seen';
    const blank = 'name must have single blanks between words, and none at its beginning or end.';
    const refused = [
      ['Ad\u200ba', there('U+200B', unseen)], ['Ada\u00ad', there('U+00AD', unseen)], ['Ada\u202e', there('U+202E', unseen)],
      ['Ada\u034f', there('U+034F', unseen)], ['\u3164', there('U+1160', unseen)], ['A\ufe0f', there('U+FE0F', unseen)],
      ['A\u{e0041}', there('U+E0041', unseen)], ['A\u{1d159}', there('U+1D159', unseen)], ['A\u2800', there('U+2800', unseen)],
      ['A\u0600', there('U+0600', unseen)], ['A\u{1bca0}', there('U+1BCA0', unseen)],
      ['A\ue000', there('U+E000', 'it is for private use and looks different everywhere')],
      ['A\u{10fffd}', there('U+10FFFD', 'it is for private use and looks different everywhere')],
      ['A\u0378', there('U+0378', 'Unicode has no such character yet')], ['A\uffff', there('U+FFFF', 'Unicode has no such character yet')],
      ['A\u1680B', there('U+1680', 'blanks are U+0020 only')], ['A\u2028B', there('U+2028', 'it ends a line')],
      [' Ada', blank], ['Ada ', blank], ['Ada  L', blank], ['Ada \u00a0L', blank], ['Ada\u3000', blank],
      ['\u0301Ada', there('U+0301', 'it is a mark, and does not follow a letter')],
      ['Ada \u0301L', there('U+0301', 'it is a mark, and does not follow a letter')],
      ['Q\u0308\u0308', there('U+0308', 'it cannot be distinguished from the text before it')],
    ];
    for (const [name, expected] of refused) assert.equal(detail(await register(name)), `400 bad-field ${expected}`, JSON.stringify(name));
    for (const name of ['Ada\u0007', 'Ada\u0085', '\ud800', 'x'.repeat(61), '\ufdfa'.repeat(2), '\ufdfa'.repeat(60), '\u1f82'.repeat(60), '\u0149'.repeat(90), ''])
      assert.equal((await register(name)).status, 400, JSON.stringify(name));
    for (const name of ['Ada [bot]', 'Ada [b0t]', 'Ada ［ｂｏｔ］', '[BOT]', 'De1eted player 1', 'Deleted player'])
      assert.match(detail(await register(name)), /^400 bad-field name must not (end in `\[bot\]`|begin with `Deleted player`)/, name);
  });

  it('does not look like that of another, nor do those of bots and of the renamed', async () => {
    const ivan = good(await register('Ivan Miller'));
    const other = good(await register('Somebody else'));
    const taken = '409 name-taken';
    const code = ({ status, json }) => `${status} ${json?.code}`;
    for (const name of ['lvan Miller', 'IVAN MlLLER', 'Ivan Mi11er', 'Ivan rniller', 'Iván Miller'.normalize('NFD').replace('\u0301', ''), 'Ｉｖａｎ Ｍｉｌｌｅｒ'])
      assert.equal(code(await register(name)), taken, name);
    assert.equal(good(await register('Iván Miller')).player.name, 'Iván Miller');
    for (const name of ['Bali', 'Ball', 'Mall', 'Mali']) good(await register(name));
    good(await register('АНОРС'));
    for (const name of ['ahopc', 'AHOPC', 'анорс']) assert.equal(code(await register(name)), taken, name);
    const rename = (name, { token }) => client.request('PATCH', '/v1/me', { token, json: { name } });
    assert.equal(code(await rename('lvan Miller', other)), taken);
    assert.equal(good(await client.get('/v1/me', { token: other.token })).name, 'Somebody else');
    // Its own look is nobody else's; what it gives up is free.
    assert.equal(good(await rename('IVAN MILLER', ivan)).name, 'IVAN MILLER');
    assert.equal(good(await rename('Somebody new', ivan)).name, 'Somebody new');
    good(await register('lvan Miller'));
    const bot = good(await client.post('/v1/me/bots', { name: 'Oracle' }, ivan.token));
    assert.equal(code(await client.post('/v1/me/bots', { name: '0racle' }, other.token)), taken);
    good(await register('0racle'));
    assert.equal((await client.request('DELETE', `/v1/me/bots/${bot.id}`, { token: ivan.token })).status, 204);
    good(await client.post('/v1/me/bots', { name: '0racle' }, other.token));
    assert.equal((await client.post('/v1/me/delete', { password }, other.token)).status, 204);
    good(await register('S0mebody else'));
    good(await client.post('/v1/me/bots', { name: 'Oracle' }, ivan.token));
  });

  it('of an event or a season has something to see', async () => {
    const { token } = good(await register('Name Giver'));
    const give = async (name) => [await client.post('/v1/events', { name, ruleset: 'shinjuku', rounds: 1 }, token), await client.post('/v1/seasons', { name }, token)];
    for (const name of ['\u3164', '\u3164 \u115f', '\u2800', '\u00a0\u2003', '\u180e', '\ufe0f', '\u0301\u0301'])
      for (const answer of await give(name)) assert.equal(detail(answer), '400 bad-field name must be visible characters, without blanks at the ends or in a row.', escape(name));
    for (const name of ['\u2764\ufe0f', 'Cup\u00a02', '3', '木曜会', '…']) for (const answer of await give(name)) assert.equal(good(answer).name, name);
  });

  it('is given to one of many who ask for it at the same time', async () => {
    const names = ['Will Hill', 'WiIl Hill', 'WilI HilI', 'Wi11 Hi11', 'Wil1 Hil1', 'WiI1 HiI1'];
    const statuses = (await Promise.all([...names, ...names].map((name) => register(name)))).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [201, ...Array(names.length * 2 - 1).fill(409)], statuses.join(' '));
  });

  it('signs in, in whatever form it is typed', async () => {
    const { player } = good(await register('Renée Ⅻ'));
    assert.equal(player.name, 'Renée XII');
    for (const name of ['Renée XII', 'Rene\u0301e XII', 'Ｒｅｎée\u3000Ⅻ', 'RENÉE xii', 'Renée\u00a0XII'])
      assert.equal(good(await signIn(name)).player.id, player.id, name);
    for (const words of ['Renée X', 'Ｒｅｎée\u3000Ⅻ'])
      assert.deepEqual(good(await client.post('/v1/search', { words })).players.map(({ id }) => id), [player.id], words);
    for (const name of ['Rena\u0301e XII', 'Ren\u200bée XII', ' Renée XII']) assert.equal((await signIn(name)).json.code, 'wrong-password', name);
  });
});

describe('names from before there were these rules', () => {
  it('stay, sign in, and are not given again in another look', async () => {
    const old = ['Ｏｌｄｉｅ', 'Oldie', 'Mo\u043eney', 'Money', 'Sp\u3164ace'];
    const ids = [];
    for (const [i, name] of old.entries()) {
      const { player } = good(await register(`Stands for number ${String.fromCharCode(97 + i)}`));
      ids.push(player.id);
      owner(`UPDATE tillroll.player SET name = '${name}' WHERE id = '${player.id}'`);
    }
    const without = () => owner(`SELECT count(*) FROM tillroll.player WHERE origin IS NULL AND deleted_at IS NULL
      AND NOT EXISTS (SELECT FROM tillroll.name_skeleton AS own WHERE own.player_id = player.id AND own.name = player.name)`);
    await until(20, 'their skeletons are filled in', async () => without() === '0');
    for (const [i, name] of old.entries()) assert.equal(good(await signIn(name)).player.id, ids[i], name);
    for (const name of ['0ldie', 'M0ney', 'MONEY']) assert.equal((await register(name)).json.code, 'name-taken', name);
    const { token } = good(await signIn('Mo\u043eney'));
    const rename = (name) => client.request('PATCH', '/v1/me', { token, json: { name } });
    assert.equal((await rename('Mo\u043eney')).status, 400);
    assert.equal((await rename('M0ney')).json.code, 'name-taken');
    assert.equal(good(await rename('Moneten')).name, 'Moneten');
    // Older data is made anew.
    owner(`UPDATE tillroll.name_skeleton SET version = 1, skeleton = 'x' || skeleton WHERE name = 'Oldie'`);
    await until(20, 'they are filled in anew', async () => owner(`SELECT string_agg(skeleton, ' ' ORDER BY skeleton) FROM tillroll.name_skeleton WHERE name = 'Oldie'`) === 'OLDlE Oldie oldie');
  });
});
