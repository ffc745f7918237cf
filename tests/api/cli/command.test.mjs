// `tillroll` as a client: a whole evening on the command line, programs that play, and what is made from the table of commands.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, openSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';

import { notLong } from '../../long.mjs';
import { good } from '../support/client.mjs';
import { makeDuplicate, seated } from '../support/duplicate.mjs';
import { endQuietly, makeGame, makePlayer, makePlayers, password } from '../support/play.mjs';
import { build, Testbed } from '../support/testbed.mjs';
import { until, within } from '../support/waiting.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../../..');
let bed;
let service;
let client;
let server;
let program;
let passwordFile;

before(async () => {
  bed = new Testbed();
  service = await bed.startService(['--log-interval-ms', '20']);
  ({ client } = service);
  server = `http://127.0.0.1:${client.port}`;
  program = path.join(bed.build, 'tillroll');
  passwordFile = path.join(bed.directory, 'password');
  writeFileSync(passwordFile, `${password}\n`);
});
after(() => bed.end());

const home = (who) => path.join(bed.directory, `config-${who}`);
const environment = (who, more) => ({ PATH: process.env.PATH, XDG_CONFIG_HOME: home(who), TILLROLL_SERVER: server, ...more });

// Runs a command as somebody: { status, stdout, stderr }.
const as = (who, ...words) => spawnSync(program, words, { encoding: 'utf8', env: environment(who), timeout: 60_000 });

function done(who, ...words) {
  const run = as(who, ...words);
  assert.equal(run.status, 0, `${words.join(' ')}: ${run.stderr}`);
  return run.stdout;
}
const json = (who, ...words) => JSON.parse(done(who, ...words, '--json'));

// The same while others go on; `child` can be ended.
function start(who, words, more = {}) {
  const child = spawn(program, words, { env: environment(who, more) });
  const run = { child, stdout: '', stderr: '' };
  child.stdout.on('data', (data) => (run.stdout += data));
  child.stderr.on('data', (data) => (run.stderr += data));
  run.ended = within(60, words.join(' '), new Promise((resolve) => { child.on('close', (status) => resolve(status)); }));
  return run;
}

describe('a record of a void game', () => {
  it('is told without a result', () => {
    const said = done('ada', 'replay', path.join(root, 'tests/engine/vectors/records/02.roll'));
    assert.match(said, /\nvoid: the game has no result\n$/);
    assert.doesNotMatch(said, / rank \d/);
  });
});

describe('a file of another kind', () => {
  it('is named, with the command for it', () => {
    const [event, game] = ['deploy/club/shinjuku.bundle', 'tests/engine/vectors/records/00.roll'].map((name) => path.join(root, name));
    const said = [['verify', event], ['event', game], ['event', event], ['verify', game]].map((words) => as('ada', ...words)).map(({ status, stderr }) => [status, stderr]);
    assert.deepEqual(said, [[1, `tillroll: ${event} is the bundle of an event; \`tillroll event\` checks it\n`],
      [1, `tillroll: ${game} is of a single game; \`tillroll verify\` checks it\n`], [0, ''], [0, '']]);
    for (const [command, file, other] of [['replay', event, 'event'], ['analyse', event, 'event'], ['adjudicate', event, 'event'], ['puzzles', event, 'event'], ['odds', game, 'verify']]) {
      const { status, stderr } = as('ada', command, file);
      assert.equal(status, 1, command);
      assert.match(stderr, new RegExp(`\\ntillroll: \\S+ is .*; \`tillroll ${other}\` checks it\\n$`));
    }
    const receipt = path.join(bed.directory, 'receipt.json');
    writeFileSync(receipt, '{"receipt": {}}\n');
    const { status, stderr } = as('ada', 'verify', receipt);
    assert.deepEqual([status, stderr], [1, `tillroll: ${receipt} is JSON; a receipt goes with --receipt FILE --key HEX\n`]);
  });

  it('is named, too, if it is no text', () => {
    const file = path.join(bed.directory, 'picked');
    // This program holds the words at which a bundle is parted.
    for (const [bytes, kind] of [[readFileSync(path.join(build, 'tillroll')), 'a program'], [gzipSync('tillroll 1'), 'compressed with gzip'], [Buffer.alloc(300_000, 7), 'a binary file'], ['', 'empty, or a binary file']]) {
      writeFileSync(file, bytes);
      const { status, stdout, stderr } = as('ada', 'verify', file);
      assert.deepEqual([status, stdout, stderr], [1, `${file}: invalid: no-record: The file is ${kind}. A record is text and begins with "tillroll".\n`, '']);
      const other = as('ada', 'event', file);
      assert.deepEqual([other.status, other.stderr.split('\n').at(-2)], [1, `tillroll: ${file} is ${kind}; records and bundles are text`]);
    }
    writeFileSync(file, 'tillroll 1 #951a03ca\n\x01\n');
    assert.match(as('ada', 'verify', file).stdout, /: invalid: line 2: /);
    writeFileSync(file, '# Notes\n');
    assert.equal(as('ada', 'verify', file).stderr, `tillroll: ${file} is no record: one begins with "tillroll"\n`);
  });
});

describe('accounts', () => {
  const file = (who) => path.join(home(who), 'tillroll/accounts.json');

  it('are kept where nobody else can read them', () => {
    for (const who of ['olga', 'ada', 'bo', 'cy'])
      assert.equal(done(who, 'register', who, '--password-file', passwordFile), `Signed in at ${server} as ${who}.\n`);
    assert.equal(statSync(file('ada')).mode & 0o777, 0o600);
    assert.equal(statSync(path.dirname(file('ada'))).mode & 0o777, 0o700);
    const kept = JSON.parse(readFileSync(file('ada'), 'utf8'));
    assert.match(kept.accounts[server][0].token, /^tr_[0-9a-f]{64}$/);
    assert.equal(json('ada', 'whoami').name, 'ada');
    assert.match(done('ada', 'whoami'), /^name +ada\nid +[0-9a-f-]{36}\n/);
    assert.ok(!bed.written().includes(kept.accounts[server][0].token));
  });

  it('are not used from a file that others may read', () => {
    chmodSync(file('ada'), 0o640);
    const { status, stderr } = as('ada', 'whoami');
    assert.equal(status, 2);
    assert.match(stderr, /other users may read or write it/);
    chmodSync(file('ada'), 0o600);
  });

  it('end with a logout, and begin anew with a login', async () => {
    const [{ token }] = JSON.parse(readFileSync(file('cy'), 'utf8')).accounts[server];
    done('cy', 'logout');
    assert.equal((await client.get('/v1/me', { token })).json.code, 'bad-token');
    const { status, stderr } = as('cy', 'whoami');
    assert.deepEqual([status, stderr], [2, `tillroll: ${server}: you are not signed in; run tillroll login NAME\n`]);
    const wrong = path.join(bed.directory, 'wrong');
    writeFileSync(wrong, 'not the password\n');
    assert.match(as('cy', 'login', 'cy', '--password-file', wrong).stderr, /: 401 Wrong name or password\.\n$/);
    done('cy', 'login', 'cy', '--password-file', passwordFile);
    assert.equal(json('cy', 'whoami').name, 'cy');
    assert.equal(as('cy', 'login', 'cy', '--password-file', '/nowhere').status, 2);
  });

  it('are told apart by name where several are signed in at a server', () => {
    for (const who of ['dee', 'Eve']) done('several', 'register', who, '--password-file', passwordFile);
    const name = (...words) => json('several', 'whoami', ...words).name;
    assert.deepEqual([name(), name('--as', 'dee'), name('--as', 'Eve')], ['Eve', 'dee', 'Eve']);
    const other = as('several', 'whoami', '--as', 'Fay');
    assert.deepEqual([other.status, other.stderr], [2, `tillroll: Fay is not signed in at ${server}; tillroll login Fay (signed in: Eve, dee)\n`]);
    const { token } = JSON.parse(readFileSync(file('several'), 'utf8')).accounts[server][1];
    const env = environment('several', { TILLROLL_TOKEN: token });
    const named = (...words) => JSON.parse(spawnSync(program, ['whoami', '--json', ...words], { encoding: 'utf8', env }).stdout).name;
    assert.deepEqual([named(), named('--as', 'Eve')], ['dee', 'Eve']);
    done('several', 'login', 'dee', '--password-file', passwordFile); // again: in the place of its session of before
    assert.deepEqual([name(), JSON.parse(readFileSync(file('several'), 'utf8')).accounts[server].length], ['dee', 2]);
    done('several', 'logout', '--as', 'dee');
    assert.deepEqual([name(), as('several', 'whoami', '--as', 'dee').status], ['Eve', 2]);
    done('several', 'logout');
    assert.deepEqual(JSON.parse(readFileSync(file('several'), 'utf8')).accounts, {});
  });

  it('are read from files of before, which held one for a server', () => {
    done('before', 'register', 'gil', '--password-file', passwordFile);
    const kept = JSON.parse(readFileSync(file('before'), 'utf8'));
    writeFileSync(file('before'), JSON.stringify({ ...kept, accounts: { [server]: kept.accounts[server][0] } }));
    assert.equal(json('before', 'whoami', '--as', 'gil').name, 'gil');
    done('before', 'register', 'hal', '--password-file', passwordFile);
    assert.deepEqual([json('before', 'whoami').name, json('before', 'whoami', '--as', 'gil').name], ['hal', 'gil']);
  });

  // `script` gives the command a terminal of its own; what is typed comes when it is asked for.
  it('are made with a password that is typed twice, and used with one that is typed once', async () => {
    const typed = async (words, answers) => {
      const child = spawn('script', ['-qec', `'${program}' ${words}`, '/dev/null'], { env: environment('typing', { SHELL: '/bin/sh' }) });
      let shown = '';
      let asked = 0;
      child.stdout.on('data', (data) => {
        shown += data;
        const prompts = shown.match(/(Password|Repeat password): /g)?.length ?? 0;
        while (asked < prompts) child.stdin.write(`${answers[asked++]}\n`);
      });
      const status = await within(20, words, new Promise((resolve) => { child.on('close', resolve); }));
      return { status, shown, asked };
    };
    const slip = await typed('register Ida', ['a long password', 'a long passwrod']);
    assert.deepEqual([slip.status, slip.asked], [2, 2], slip.shown);
    assert.match(slip.shown, /the passwords differ; nothing was registered/);
    const made = await typed('register Ida', ['a long password', 'a long password']);
    assert.deepEqual([made.status, made.asked], [0, 2], made.shown);
    assert.ok(!made.shown.includes('a long password'), 'the terminal does not show it');
    const again = await typed('login Ida', ['a long password']);
    assert.deepEqual([again.status, again.asked], [0, 1], again.shown);
  });

  it('give way to $TILLROLL_TOKEN, and need no home for what is public', async () => {
    const other = await makePlayer(client, 'Other');
    const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: home('ada'), TILLROLL_SERVER: `${server}/`, TILLROLL_TOKEN: other.token };
    assert.match(spawnSync(program, ['whoami'], { encoding: 'utf8', env }).stdout, new RegExp(`^name +${other.name}\n`));
    const bare = spawnSync(program, ['events', '--server', server], { encoding: 'utf8', env: {} });
    assert.deepEqual([bare.status, bare.stdout], [0, 'no events\n']);
  });
});

describe('an evening', () => {
  let event;
  let game;
  const seats = [];

  it('is made, opened, entered and drawn', () => {
    const made = json('olga', 'event', 'create', 'Club night', '--ruleset', 'shinjuku', '--rounds', '1', '--seats-min', '3', '--seats-max', '3');
    assert.deepEqual([made.name, made.state, made.rounds.planned], ['Club night', 'draft', 1]);
    event = made.id;
    assert.match(done('olga', 'event', 'change', event, '--set', 'name="A long night"', '--set', 'take_back=true'), /^name +A long night\n/);
    assert.equal(json('ada', 'event', 'show', event).settings.take_back, true);
    assert.match(done('olga', 'event', 'open', event), /^state +entries_open$/m);
    for (const who of ['ada', 'bo', 'cy']) assert.match(done(who, 'enter', `${server}/events/${event}`), new RegExp(`^player +${who}\n`));
    done('cy', 'leave', event);
    done('cy', 'enter', event);
    assert.match(done('ada', 'events'), new RegExp(`^id +state +game +format +entries  name\n${event}  entries_open  shinjuku  pod_swiss +3  A long night\n$`));
    assert.equal(done('ada', 'event', 'entries', event).split('\n').length, 5);
    assert.match(done('olga', 'event', 'close-entries', event), /^state +entries_closed$/m);
    assert.equal(as('ada', 'pairings', event).stderr, 'tillroll: no round has been started\n');
    assert.match(done('olga', 'event', 'draw', event), /^round +1\ntables +1\n$/);
    assert.match(done('ada', 'event', 'log', event), /^ +\d+  \S+  olga +round_started +\{/m);
  });

  it('is played', async () => {
    const [found] = json('ada', 'games', '--running').items;
    game = found.id;
    const pairings = done('bo', 'pairings', event);
    assert.match(pairings, new RegExp(`^round 1, running\ntable 1  ${game}  running  \\w+, \\w+, \\w+\n$`));
    seats.push(...json('bo', 'pairings', event, '1').games[0].seats.map((seat) => seat.player.name));
    for (const who of seats) {
      const { viewer } = JSON.parse(done(who, 'view', game));
      assert.deepEqual(viewer, { kind: 'seat', seat: seats.indexOf(who) });
    }
    const [first, second] = seats;
    const [move] = done(first, 'moves', game).trim().split('\n');
    const waits = as(second, 'moves', game);
    assert.deepEqual([waits.status, waits.stdout, waits.stderr], [0, '', 'tillroll: you do not have to decide now\n']);
    const supposed = done(second, 'sample', game, '--count', '2', '--first', '5').trim().split('\n');
    assert.deepEqual(supposed, json(second, 'sample', game, '--count', '2', '--first', '5').states);
    const idle = as(first, 'sample', game, '--count', '65');
    assert.notEqual(idle.status, 0);
    assert.match(idle.stderr, /count/);
    const refused = as(first, 'move', game, 'nonsense');
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /^tillroll: 422 \S+: .*\n  legal: /);
    assert.match(done(first, 'move', game, ...move.split(' ')), /^line +1\nfinished +no\n$/);
    assert.match(as(first, 'move', game, move, '--seq', '0').stdout, /^line +1\n/, 'the same again is done once');
    assert.match(as(first, 'move', game, 'nonsense', '--seq', '0').stderr, /^tillroll: 409 stale-sequence: /);
    assert.match(done(second, 'record', game), /^tillroll 1 #/);
    const file = path.join(bed.directory, 'game.roll');
    done(second, 'record', game, '--output', file);
    assert.equal(readFileSync(file, 'utf8'), (await client.get(`/v1/games/${game}/record`)).text);
  });

  it('is followed, over breaks, to its end', async () => {
    const watched = start('bo', ['watch', game]);
    const lines = start('bo', ['watch', game, '--json']);
    const everything = start('bo', ['watch', '--json']);
    await until(20, 'it follows', () => watched.stdout.includes('\n    ') && lines.stdout.includes('"seq":1') && everything.stdout !== '');
    const port = String(client.port);
    await service.end('SIGKILL');
    service = await bed.startService(['--listen', `127.0.0.1:${port}`, '--log-interval-ms', '20']);
    client = service.client;
    const token = JSON.parse(readFileSync(path.join(home('olga'), 'tillroll/accounts.json'), 'utf8')).accounts[server][0].token;
    await endQuietly(client, { at: `/v1/games/${game}`, players: seats }, { token });
    assert.equal(await watched.ended, 0);
    assert.equal(await lines.ended, 0);
    const heard = lines.stdout.trim().split('\n').map((line) => JSON.parse(line));
    const { seq } = (await client.get(`/v1/games/${game}`)).json;
    assert.deepEqual(heard.slice(0, -1).map((message) => message.id), Array.from({ length: seq }, (_, i) => i + 1));
    assert.equal(heard.at(-1).event, 'end');
    assert.match(watched.stdout, new RegExp(`^1 ${seats[0]}> `));
    assert.ok(!watched.stdout.includes('{seat'));
    await until(20, 'it is told', () => everything.stdout.includes(`"change":"finished","game":"${game}"`));
    everything.child.kill();
    await everything.ended;
  });

  it('has standings, and is closed', () => {
    assert.match(done('olga', 'event', 'close', event), /^state +closed$/m);
    const rows = done('ada', 'standings', event).trim().split('\n');
    assert.equal(rows[0], 'place  points  played  player');
    assert.equal(rows.length, 4);
    assert.deepEqual(json('ada', 'standings', event), JSON.parse(done('ada', 'api', 'GET', `/v1/events/${event}/standings`)));
    assert.match(done('ada', 'leaderboard', '--scope', 'shinjuku'), /^rating  deviation  ranked by  games  provisional  player\n +1\d\d\d  +\d+  +\d+  +1  yes +\S/);
    const watched = done('bo', 'watch', event);
    assert.match(watched, /^log  seq 1  at \S+  kind created$/m);
    assert.match(watched, /^end  change \d+$/m);
  });

  it('is told from its bundle as from its record', async () => {
    const [record, bundle] = ['told.roll', 'told.bundle'].map((name) => path.join(bed.directory, name));
    writeFileSync(record, (await client.get(`/v1/games/${game}/record`)).text);
    const answer = await until(20, 'the game is in the log', async () => { const got = await client.get(`/v1/games/${game}/record.bundle`); return got.status === 200 && got; });
    writeFileSync(bundle, answer.text);
    for (const words of [['replay'], ['adjudicate', '--to', '3', '--samples', '10', '--json']]) assert.equal(done('ada', ...words, bundle), done('ada', ...words, record));
  });

  it('says what is wrong', () => {
    const gone = '01900000-0000-7000-8000-000000000000';
    assert.deepEqual([as('ada', 'standings', gone).status, as('ada', 'standings', gone).stderr], [1, `tillroll: GET /v1/events/${gone}/standings: 404 There is nothing with this id.\n`]);
    assert.match(as('ada', 'standings', 'nonsense').stderr, /^tillroll: nonsense: is neither an id/);
    assert.match(as('ada', 'event', 'create', 'x', '--set', 'nothing').stderr, /--set takes NAME=VALUE/);
    assert.match(as('ada', 'leaderboard', '--scope', 'a&b').stderr, /unknown scope/);
    assert.equal(as('ada', 'api', 'POST', '/v1/events', '{"name":').status, 2);
    assert.match(done('ada', 'api', 'GET', '/v1/log/checkpoint'), /^tillroll\/[0-9a-f]{16}\n\d+\n/);
    for (const [words, what] of [
      [['standings'], /^tillroll: standings: takes EVENT\nusage: tillroll standings .*\n {9}EVENT\n.tillroll help standings. explains/],
      [['standings', 'a', 'b'], /^tillroll: standings: unexpected argument: b\n/],
      [['events', '--limit'], /^tillroll: events: a value is missing after --limit\n/],
      [['events', '--nothing'], /^tillroll: events: there is no option --nothing\n/],
      [['case', 'file'], /^tillroll: case: --ruleset is missing\n/],
      [['match'], /^tillroll: match: --ruleset is missing\nusage: tillroll match --ruleset SLUG \[--seats N\]/],
      [['trace', '--ruleset', 'shinjuku'], /^tillroll: trace: --seats is missing\nusage: tillroll trace --ruleset SLUG --seats N --seed HEX \[/],
      [['deposit', 'file'], /^tillroll: deposit: --witness is missing\n/],
      [['monitor', server, 'directory'], /^tillroll: monitor: --policy is missing\n/],
      [['verify', 'a.roll', '--policy', 'p'], /^tillroll: verify: options stand before the files: --policy\nusage: /],
      [['verify', '--polcy', 'p'], /^tillroll: verify: there is no option --polcy, or its value is missing\nusage: /],
      [['adjudicate', 'a.roll', '--view', 'all'], /^tillroll: --view takes full or public\nusage: /],
      [['nothing', '--help'], /^tillroll: there is no command `nothing`\n/],
      [['components'], /^tillroll: `components` is only the first word of these commands:\n {2}components check /],
      [['audit'], /^tillroll: audit: name the database with --database or TILLROLL_DATABASE\n/],
      [[], /^usage: tillroll COMMAND/],
    ]) {
      const { status, stdout, stderr } = as('ada', ...words);
      assert.deepEqual([status, stdout], [2, ''], words.join(' '));
      assert.match(stderr, what);
    }
    assert.match(as('ada', 'events', '--limit', '0').stderr, /^tillroll: --limit takes/);
  });

  it('fits the lines of a terminal, and lists the commands that begin with the same word', () => {
    const names = done('ada', 'help').match(/^ {2}[a-z]+( [a-z-]+)?(?= )/gm).map((name) => name.trim());
    for (const name of names) for (const line of done('ada', 'help', ...name.split(' ')).split('\n')) assert.ok(line.length < 80, line);
    assert.match(done('ada', 'help', 'event'), /^usage: tillroll event [^]*\nOther commands that begin with event:\n {2}event show [^]*\n {2}event cancel /);
    assert.match(done('ada', 'components', '--help'), /^ {2}components check /);
  });

  // A full disk must not look like success.
  it('says when its output could not be written', { skip: !existsSync('/dev/full') }, () => {
    for (const words of [['help'], ['man'], ['verify', path.join(root, 'tests/engine/vectors/records/00.roll')]]) {
      const { status, stderr } = spawnSync(program, words, { encoding: 'utf8', stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'] });
      assert.equal(status, 2, words[0]);
      assert.match(stderr, /^tillroll: the output could not be written(: No space left on device)?\n$/);
    }
  });

  it('names the command that may have been meant', () => {
    for (const [words, said] of [
      [['evnets'], 'there is no command `evnets`; did you mean `events`?'],
      [['standing'], 'there is no command `standing`; did you mean `standings`?'],
      [['event', 'shwo', 'x'], 'there is no command `event shwo`; did you mean `event show`?'],
      [['help', 'event', 'drwa'], 'there is no command `event drwa`; did you mean `event draw`?'],
      [['something'], 'there is no command `something`'],
      [['--server', server, 'events'], 'options follow a command: tillroll COMMAND --server ...'],
    ]) {
      const { status, stderr } = as('ada', ...words);
      assert.deepEqual([status, stderr], [2, `tillroll: ${said}\n\`tillroll help\` lists all commands.\n`]);
    }
    assert.match(as('ada', 'event', 'nowhere.bundle').stderr, /^tillroll: cannot read nowhere.bundle: /);
  });

  it('takes paths and addresses as people write them', () => {
    const plain = done('ada', 'api', 'GET', '/v1/rulesets');
    assert.equal(done('ada', 'api', 'get', 'v1/rulesets'), plain);
    for (const address of [`${server}/`, `${server}///`.slice(0, -2), server.slice(7)]) assert.equal(json('ada', 'whoami', '--server', address).name, 'ada');
    for (const [address, why] of [[`${server}/events/x`, 'has a path'], ['ftp://host', 'begins with neither http:// nor https://'], [`${server}?x`, 'has more than host and port'], ['http://', 'is not an address']])
      for (const command of ['whoami', 'events', 'demo', 'top']) {
        const { status, stderr } = as('ada', command, '--server', address);
        assert.deepEqual([status, stderr.split('\n')[0]], [2, `tillroll: ${address}: ${why}; --server takes the address of a service, such as http://127.0.0.1:8080`], command);
      }
    assert.match(as('ada', 'api', 'GET!', '/v1/rulesets').stderr, /the method must be GET, POST/);
  });

  it('says that a server is not one of Tillroll, and follows or keeps nothing of it', async () => {
    const other = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>hello</html>'));
    await new Promise((resolve) => { other.listen(0, '127.0.0.1', resolve); });
    const env = environment('nobody', { TILLROLL_TOKEN: 'tr_x', TILLROLL_SERVER: `http://127.0.0.1:${other.address().port}` });
    for (const words of [['events'], ['leaderboard'], ['watch'], ['record', game], ['leave', event], ['register', 'Eli', '--password-file', passwordFile]]) {
      const run = start('nobody', words, env);
      assert.equal(await run.ended, 1, words[0]);
      assert.deepEqual([run.stdout, run.stderr.replace(/^tillroll: .*?the/, 'the')], ['', 'the response is not one of a Tillroll service; is the address right?\n'], words[0]);
    }
    other.close();
    assert.match(as('ada', 'record', game, '--output', '/nowhere/x').stderr, /^tillroll: cannot write \/nowhere\/x: No such file or directory\n$/);
  });

  it('says which server it cannot reach, why, and what can be done, and does not wait for one that was never there', () => {
    const nowhere = 'http://127.0.0.1:9';
    const away = (address, why) => `tillroll: cannot reach ${address}: ${why}. Is the service running? Use --server or TILLROLL_SERVER for another one.\n`;
    for (const words of [['events'], ['api', 'GET', '/v1/rulesets'], ['watch'], ['watch', event], ['leave', event], ['move', game, 'x'], ['move', game, 'x', '--seq', '1'], ['bot'], ['demo'], ['top', '--once'], ['logout']]) {
      const env = environment('nobody', { TILLROLL_TOKEN: 'tr_x', TILLROLL_SERVER: nowhere });
      const { status, stderr } = spawnSync(program, words, { encoding: 'utf8', env, timeout: 60_000 });
      assert.deepEqual([status, stderr], [1, away(nowhere, 'Connection refused')], words.join(' '));
    }
    assert.match(as('ada', 'events', '--server', 'http://nowhere.invalid').stderr, /^tillroll: cannot reach http:\/\/nowhere.invalid: .*host/);
  });

  // A name with control characters must not reach another user's terminal.
  it('shows no control characters of others', () => {
    const answer = '{"items":[{"id":"x","name":"\\u001b[2J\\u202eevil\\u0007"}]}';
    const listener = spawn('node', ['-e', `require('http').createServer((_, to) => to.end(${JSON.stringify(answer)})).listen(0, '127.0.0.1', function () { console.log(this.address().port); })`]);
    return within(20, 'it is shown', new Promise((resolve, reject) => {
      listener.stdout.once('data', (port) => {
        const { stdout } = as('ada', 'events', '--server', `http://127.0.0.1:${String(port).trim()}`);
        listener.kill();
        try {
          assert.ok(stdout.includes('?[2J?evil?'), JSON.stringify(stdout));
          resolve();
        } catch (error) {
          reject(error);
        }
      });
    }));
  });
});

describe('a bot that is a program', () => {
  let organizer;
  let bots;
  const example = path.join(root, 'deploy/examples/bot.py');

  before(async () => {
    organizer = await makePlayer(client, 'Organizer');
    bots = await makePlayers(client, 2, 'Bot');
  });

  // A game for one, so that nobody waits: { id }.
  async function alone(player) {
    const event = await makeDuplicate(client, organizer, bots, { ruleset: 'supermarche', boards: 1, name: 'For one' });
    const round = good(await client.post(`/v1/events/${event.id}/rounds`, {}, organizer.token));
    return seated(round, bots).find((game) => game.players[0] === player);
  }
  const bot = (player, ...words) => start('nobody', ['bot', ...words], { TILLROLL_TOKEN: player.token });
  const state = async (game, player) => good(await client.get(game.at, { token: player.token }));

  it('plays a whole game', async () => {
    const game = await alone(bots[0]);
    const run = bot(bots[0], '--exec', `python3 ${example}`, '--game', game.id);
    assert.equal(await run.ended, 0, run.stderr);
    assert.match(run.stdout, /^\d+ plies played\n$/);
    assert.ok(run.stderr.includes(`Supermarché: I am ${bots[0].name}\n`));
    assert.match(run.stderr, /score: \[None\]\n$/); // the others have the board before them
    const { state: now, plies } = await state(game, bots[0]);
    assert.equal(now, 'finished');
    assert.equal(Number(/^(\d+)/.exec(run.stdout)[1]), plies);
  });

  it('plays against others, in several games at once, until all are over', { skip: notLong }, async () => {
    const players = await makePlayers(client, 2, 'Rival');
    const games = [];
    for (let i = 0; i < 2; i++) games.push((await makeGame(client, organizer, players, { ruleset: 'shinjuku' })).game);
    const run = bot(players[0], '--exec', example);
    let turn = 0;
    for (const game of games)
      await until(60, 'it is over', async () => {
        const position = await state(game, players[1]);
        if (position.state === 'finished') return true;
        const seat = game.players.indexOf(players[1]);
        if (position.deciders.includes(seat)) {
          const legal = good(await client.get(`${game.at}/legal-moves`, { token: players[1].token }));
          if (turn++ < 5 && legal.moves.length > 0) await client.post(`${game.at}/moves`, { moves: [legal.moves[0]], seq: legal.seq }, players[1].token);
          else await client.post(`${game.at}/fallback`, { seat }, organizer.token);
        }
        return false;
      });
    assert.equal(await run.ended, 0, run.stderr);
    assert.equal(run.stderr.match(/Shinjuku: I am/g).length, 2);
    assert.equal(run.stderr.match(/score:/g).length, 2);
  });

  it('is told what it is told, and no token', async () => {
    const game = await alone(bots[0]);
    const teller = path.join(bed.directory, 'teller.py');
    writeFileSync(teller, 'import os, sys\nfor _ in range(2): print(sys.stdin.readline(), file=sys.stderr)\nprint(os.environ, file=sys.stderr)\n');
    const run = bot(bots[0], '--exec', `python3 ${teller}`, '--tries', '1', '--game', game.id);
    assert.equal(await run.ended, 1);
    const [first, second] = run.stderr.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    assert.deepEqual({ ...first, options: {}, seats: first.seats.length }, { type: 'game', protocol: 1, game: game.id, ruleset: { slug: 'supermarche', version: '1.0.0', title: 'Supermarché' }, options: {}, seats: 1, seat: 0 });
    const legal = good(await client.get(`${game.at}/legal-moves`, { token: bots[0].token }));
    const { view } = good(await client.get(`${game.at}/view`, { token: bots[0].token }));
    assert.deepEqual(second, { type: 'decide', seq: legal.seq, view, moves: legal.moves, ms: 10000 });
    assert.ok(run.stderr.includes("'PATH'"));
    assert.ok(!run.stderr.includes(bots[0].token));
  });

  it('that fails is started again, and given up after as many tries as there may be', async () => {
    const game = await alone(bots[1]);
    const says = async (what, ...words) => {
      const run = bot(bots[1], '--game', game.id, ...words);
      assert.equal(await run.ended, 1);
      assert.equal(run.stderr.match(what)?.length, words.includes('2') ? 2 : 3, run.stderr);
      assert.match(run.stderr, /has failed \d times at one decision of game/);
    };
    await says(/has ended \(exit status 3\), at line \d+ of game/g, '--exec', 'sh -c "read a; exit 3"');
    await says(/has ended \(signal 11 \(Segmentation fault\)\)/g, '--exec', `sh -c 'kill -SEGV $$'`, '--tries', '2');
    await says(/has ended \(exit status 127\)/g, '--exec', '/nowhere/at/all');
    await says(/(took too long|does not read its input) \(signal 9 \(Killed\)\)/g, '--exec', 'sleep 60', '--move-ms', '50', '--tries', '2');
    await says(/: nonsense: not-legal: /g, '--exec', 'yes nonsense');
    assert.equal((await state(game, bots[1])).plies, 0);
  });

  it('that fails has its moves made for it, where that is wanted', async () => {
    const game = await alone(bots[1]);
    const run = bot(bots[1], '--exec', 'false', '--tries', '1', '--policy', 'random', '--game', game.id);
    assert.equal(await run.ended, 0, run.stderr);
    const { state: now, plies } = await state(game, bots[1]);
    assert.equal(now, 'finished');
    assert.ok(plies > 0);
    assert.equal(run.stderr.match(/this move is made by the policy instead/g).length, plies);
  });
});

describe('bots without a server', () => {
  const match = (...words) => spawnSync(program, ['match', ...words], { encoding: 'utf8', env: { PATH: process.env.PATH }, timeout: 60_000 });
  const example = `python3 ${path.join(root, 'deploy/examples/bot.py')}`;
  const rows = (stdout) => stdout.trim().split('\n').filter((line) => /^\d/.test(line)).map((line) => line.split(/ {2,}/));

  it('draw a seed where none is given, and print it', () => {
    const drawn = match('--ruleset', 'shinjuku', '--games', '2');
    assert.equal(drawn.status, 0, drawn.stderr);
    const [, seed] = /^seed ([0-9a-f]{64})\n/.exec(drawn.stdout);
    const again = match('--ruleset', 'shinjuku', '--games', '2', '--seed', seed);
    assert.equal(`seed ${seed}\n${again.stdout}`, drawn.stdout);
    assert.notEqual(/^seed (.*)$/m.exec(match('--ruleset', 'shinjuku').stdout)[1], seed);
    assert.deepEqual(rows(drawn.stdout).map((row) => row[1]), ['regular', 'regular']);
  });

  it('say on a terminal how far they are, and nowhere else', () => {
    const words = [program, 'match', '--ruleset', 'shinjuku', '--games', '4', '--policy', 'random'];
    const { stdout: shown } = spawnSync('script', ['-qec', words.join(' '), '/dev/null'], { encoding: 'utf8' });
    assert.match(shown, /\rtillroll: 1 of 4 games(\rtillroll: [2-4] of 4 games)*\r\x1b\[K/);
    const { stdout, stderr } = match(...words.slice(2));
    assert.equal(stderr, '');
    assert.doesNotMatch(stdout, /of 4 games/);
  });

  for (const [slug, seats] of [['shinjuku', 3], ['superstore-3000', 2], ['super-motherload', 2], ['mall-world', 3], ['supermarche', 1]])
    it(`a program plays ${slug} against policies, and is told what it would be told by a service`, () => {
      const log = path.join(bed.directory, `told-${slug}`);
      const { status, stdout, stderr } = match('--ruleset', slug, '--seats', String(seats), '--exec', `2=tee '${log}' | ${example}`, '--seed', '0d'.repeat(32));
      assert.equal(status, 0, stderr);
      assert.equal(rows(stdout).length, Math.max(seats, 2));
      const told = readFileSync(log, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
      const [hello] = told;
      assert.deepEqual({ ...hello, options: typeof hello.options, seats: hello.seats.length, ruleset: hello.ruleset.slug }, { type: 'game', protocol: 1, game: 'match-1', ruleset: slug, options: 'object', seats, seat: seats === 1 ? 0 : 1 });
      const over = told.at(-1);
      assert.deepEqual(Object.keys(over.seats[0]), Object.keys(hello.seats[0]));
      assert.ok(over.type === 'over' && over.seats.every((seat) => Number.isInteger(seat.score) && seat.rank >= 1));
      const decisions = told.slice(1, -1);
      assert.ok(decisions.length > 3 && decisions.every((each) => each.type === 'decide' && each.moves.length > 0 && typeof each.view === 'object'));
      assert.equal(stderr.match(/^score: /gm).length, 1);
    });

  it('change seats from game to game', { skip: notLong }, () => {
    const seats = [];
    const teller = path.join(bed.directory, 'teller.sh');
    writeFileSync(teller, `read -r hello\necho "$hello" >&2\nexec ${example}\n`);
    const run = match('--ruleset', 'shinjuku', '--seats', '3', '--games', '3', '--exec', `3=sh ${teller}`);
    assert.equal(run.status, 0, run.stderr);
    for (const line of run.stderr.split('\n').filter((each) => each.startsWith('{'))) seats.push(JSON.parse(line).seat);
    assert.deepEqual(seats, [2, 1, 0]);
  });

  it('say what is wrong', () => {
    const failed = match('--ruleset', 'shinjuku', '--exec', 'false', '--tries', '2');
    assert.equal(failed.status, 1);
    assert.match(failed.stderr, /^tillroll: false has ended \(exit status 1\), at line 0 of game match-1\n.*\ntillroll: false has failed 2 times at one decision of game match-1\n$/);
    for (const [exec, what] of [
      ['sleep 60', /(took too long|does not read its input)/], ['yes nonsense', /nonsense: not-legal/], ["sh -c 'kill -SEGV $$'", /has ended \(signal 11/],
      ['head -c 3000000 /dev/zero', /./], ['/nowhere/at/all', /has ended \(exit status 127\)/],
    ]) {
      const run = match('--ruleset', 'shinjuku', '--exec', exec, '--tries', '1', '--move-ms', '200');
      assert.equal(run.status, 1, `${exec}: ${run.stderr}`);
      assert.match(run.stderr, what);
      assert.match(run.stderr, /of game match-1\n/, exec);
      assert.equal(rows(run.stdout).length, 0, exec);
    }
    for (const [words, what] of [
      [['--ruleset', 'chess'], /--ruleset takes one of: /],
      [['--ruleset', 'shinjuku', '--seed', 'x'], /--seed takes 64/],
      [['--ruleset', 'shinjuku', '--seats', '9'], /--seats takes a number from/],
      [['--ruleset', 'shinjuku', '--seats', '3', '--policy', 'random,regular'], /name one policy for all players/],
      [['--ruleset', 'shinjuku', '--policy', 'wise'], /a policy is `random`, `beginner`/],
      [['--ruleset', 'shinjuku', '--policy', Array(9).fill('random').join()], /at most \d policies/],
      [['--ruleset', 'shinjuku', '--exec', '0=x'], /--exec takes a program, or N=PROGRAM/],
      [['--ruleset', 'shinjuku', '--seats', '2', '--exec', '3=x'], /only programs of existing seats/],
    ]) {
      const { status, stderr } = match(...words);
      assert.equal(status, 2, words.join(' '));
      assert.match(stderr, what);
    }
  });
});

describe('weights that are learned', () => {
  const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
  const train = (...words) => {
    const { status, stdout, stderr } = spawnSync(program, ['train', ...words], { encoding: 'utf8', timeout: 600_000 });
    assert.deepEqual([status, stderr], [0, `weights: sha256 ${sha256(stdout)}\n`]);
    return stdout;
  };

  it('have the hashes that the documentation states', () => {
    const told = readFileSync(path.join(root, 'web-static/docs/explanation/levels.md'), 'utf8');
    for (const slug of ['shinjuku', 'super-motherload']) {
      const file = `engine/games/${slug}/value.txt`;
      assert.ok(told.includes(`| \`${file}\` | \`${sha256(readFileSync(path.join(root, file)))}\` |`), file);
    }
  });

  it('follow from the seed', () => {
    const few = ['--ruleset', 'shinjuku', '--games', '100'];
    const once = train(...few, '--seed', '0d'.repeat(32));
    assert.match(once, /^tillroll-value 1 shinjuku 17\nfrom 100 games, seed (0d){32}: mean squared error 0\.\d{4} on games held back [^\n]*\n(-?\d+ -?\d+\n){17}$/);
    assert.equal(train(...few, '--seed', '0d'.repeat(32)), once);
    assert.notEqual(train(...few), once);
  });

  // Where this fails, `casual` plays differently: train again, or say with what they were made (explanation/levels.md).
  it('are those that the levels use', { skip: notLong }, () => {
    for (const slug of ['shinjuku', 'super-motherload']) {
      const kept = readFileSync(path.join(root, `engine/games/${slug}/value.txt`), 'utf8');
      assert.equal(train('--ruleset', slug, '--games', /^from (\d+) games, seed 0{64}:/m.exec(kept)[1]), kept);
    }
  });
});

describe('versions, help and the database', () => {
  const run = (name, words, env = {}) => spawnSync(path.join(bed.build, name), words, { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } });

  it('of both programs, the API, the figures and the manual agree', async () => {
    const { version } = (await client.get('/openapi.json')).json.info;
    assert.match(version, /^\d+\.\d+\.\d+$/);
    for (const name of ['tillroll', 'tillrolld']) assert.deepEqual(run(name, ['--version']).stdout, `${name} ${version}\n`);
    assert.ok((await client.get('/metrics')).text.includes(`version="${version}"`));
    assert.ok(run('tillroll', ['man']).stdout.startsWith(`.TH TILLROLL 1 "" "Tillroll ${version}"`));
  });

  it('are said on standard output; what is wrong on standard error, with status 2', () => {
    for (const name of ['tillroll', 'tillrolld'])
      for (const word of ['--help', '-h']) {
        const { status, stdout, stderr } = run(name, [word]);
        assert.deepEqual([status, stderr, stdout.startsWith(`usage: ${name} `)], [0, '', true]);
      }
    for (const words of [['--nothing'], ['word'], ['--workers', 'x'], []]) {
      const { status, stdout, stderr } = run('tillrolld', words);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, /^\S*tillrolld: .+\n`tillrolld --help` says what can be set\n$/);
    }
  });

  it('is TILLROLL_DATABASE, or else DATABASE_URL, for every command and the service', () => {
    const nowhere = (name) => `postgresql://nobody@/tillroll?host=/nowhere/${name}`;
    const said = (name, words, env) => run(name, words, env).stderr;
    for (const [name, ...words] of [['tillroll', 'admin', 'list'], ['tillroll', 'audit'], ['tillroll', 'archive', bed.directory], ['tillroll', 'migrate'], ['tillrolld', '--check-config']]) {
      assert.match(said(name, words, { TILLROLL_DATABASE: nowhere('one'), DATABASE_URL: nowhere('two') }), /\/nowhere\/one/, words.join(' '));
      assert.match(said(name, words, { TILLROLL_DATABASE: '', DATABASE_URL: nowhere('two') }), /\/nowhere\/two/);
      assert.match(said(name, [...words, '--database', nowhere('three')], { TILLROLL_DATABASE: nowhere('one') }), /\/nowhere\/three/);
      const none = run(name, words);
      assert.equal(none.status, 2);
      assert.match(none.stderr, /name the database with --database or TILLROLL_DATABASE/);
    }
  });

  it('are of a service that listens at a name, too', async () => {
    const named = await bed.startService(['--listen', 'localhost:0']);
    assert.equal(done('nobody', 'events', '--server', `localhost:${named.client.port}`).includes('A long night'), true);
    await named.end();
    const { status, stderr } = run('tillrolld', [], { ...bed.settings, TILLROLL_PAGES: path.join(root, 'web-static'), TILLROLL_LISTEN: 'nowhere.invalid:0', TILLROLL_LOG_FORMAT: 'text' });
    assert.equal(status, 1);
    assert.match(stderr, /nowhere\.invalid:0: not an address or a known name with port/);
  });
});

describe('the table of commands', () => {
  const help = (...words) => done('ada', 'help', ...words);
  const inside = readdirSync(path.join(root, 'api/cli'), { recursive: true });
  const placeOf = (name) => inside.find((each) => path.basename(each) === `${name}.c`);
  const sources = (name) => readFileSync(path.join(root, 'api/cli', placeOf(name)), 'utf8');

  it('says what each command takes, in help, manual and completion alike', () => {
    const manual = done('ada', 'man').replaceAll('\\-', '-');
    const completion = done('ada', 'completion', 'bash');
    const commands = help().split('\n').filter((line) => /^ {2}\S/.test(line)).map((line) => line.slice(2, 22).trim());
    assert.ok(commands.length > 40);
    for (const command of commands) {
      const said = help(...command.split(' '));
      if (/^(event|bot|verify)/.test(command)) assert.equal(done('ada', ...command.split(' '), '--help'), said);
      assert.ok(said.startsWith(`usage: tillroll ${command}`), said);
      const options = [...new Set([...said.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name]) => name))];
      const section = manual.split(/^\.SS /m).find((part) => part.startsWith(`${command}\n`));
      assert.deepEqual([...section.matchAll(/^\.TP\n\.B --([a-z-]+)/gm)].map(([, name]) => name), options, command);
      const [, completed] = new RegExp(`^    '${command}'\\) options='([^']*)'`, 'm').exec(completion);
      assert.deepEqual(completed.split(' '), [...options.map((name) => `--${name}`), '--help']);
    }
  });

  // The commands that read their own arguments.
  it('has the options that its commands read', () => {
    const table = sources('commands');
    const own = [...table.matchAll(/\{"([a-z]+)",[^}]*?\.main = cli_\1\}/gs)].map(([, name]) => name);
    for (const name of own) {
      const said = [...help(name).matchAll(/^ {2}--([a-z-]+)/gm)].map(([, option]) => option).sort();
      const files = [name, ...(name === 'verify' ? ['verify_receipt', 'verify_bundle'] : [])].filter((each) => placeOf(each) !== undefined);
      const read = [...new Set(files.flatMap((each) => [...sources(each).replace(/static const char usage\[\] =[^;]*;/s, '').matchAll(/"(?:--)?([a-z-]+)", (?:required|no)_argument|"--([a-z-]+)"/g)].map(([, long, other]) => long ?? other)))].sort();
      assert.deepEqual(read, said, name);
    }
  });

  it('is a manual that groff reads, and a script that bash does', () => {
    const groff = spawnSync('groff', ['-man', '-Tutf8', '-ww'], { input: done('ada', 'man'), encoding: 'utf8' });
    if (groff.error === undefined) assert.equal(groff.stderr, '');
    const script = path.join(bed.directory, 'completion');
    writeFileSync(script, `${done('ada', 'completion', 'bash')}
      COMP_WORDS=("$@"); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _tillroll; echo "\${COMPREPLY[*]}"`);
    const complete = (...words) => {
      const { status, stdout, stderr } = spawnSync('bash', [script, 'tillroll', ...words], { encoding: 'utf8', cwd: home('ada') });
      assert.deepEqual([status, stderr], [0, '']);
      return stdout.trim().split(' ').sort();
    };
    assert.deepEqual(complete('ev'), ['event', 'events']);
    assert.deepEqual(complete('comp'), ['completion', 'components']);
    assert.deepEqual(complete('components', ''), ['check', 'hash', 'schema']);
    for (const words of [['witness', 'serve'], ['archive'], ['event', 'import'], ['deposit']]) assert.deepEqual(complete(...words, 't'), ['tillroll'], words.join(' '));
    assert.deepEqual(complete('deposit', 'R'), ['']);
    assert.deepEqual(complete('event', 'c'), ['cancel', 'change', 'close', 'close-entries', 'create']);
    assert.deepEqual(complete('verify', 't'), ['tillroll']); // a file
    assert.deepEqual(complete('event', 'show', '--j'), ['--json']);
    assert.deepEqual(complete('bot', '--policy', ''), ['beginner', 'casual', 'master', 'random', 'regular', 'strong']);
    assert.deepEqual(complete('bot', '--game', ''), ['']);
    assert.deepEqual(complete('demo', '--ruleset', 'shi'), ['shinjuku']);
    assert.deepEqual(complete('admin', 'gr'), ['grant']);
  });
});
