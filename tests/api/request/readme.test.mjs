// The commands of the README and of the documentation, run as they are printed: every ```sh block, in order, by one shell, in
// a directory that looks like a checkout, with a service of its own. Only the service's port is another; and each day bots play a shorter
// game than Shinjuku, and two rounds of the first event instead of three.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { isLong } from '../../long.mjs';
import { build, temporaryDirectory, Testbed } from '../support/testbed.mjs';
import { within } from '../support/waiting.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../../..');

// What stands before a block that does not end, or that a test cannot run, and why not.
const goesOn = 'goes on until Ctrl-C';
const docs = 'web-static/docs/';
const notRun = {
  'README.md': ['installs packages, and serves'],
  [`${docs}tutorials/first-event.md`]: ['installs packages, and serves'],
  [`${docs}guides/operators.md`]: [
    'needs a PostgreSQL server',
    'installs on a server',
    'with the users of an installed service',
    'with the users of an installed service',
    'with the users of an installed service',
    'replaces the key of an installed server',
    'restores an installed cluster',
    'restores on another machine',
    'with systemd',
    'with the users of an installed service',
    'needs a central database that is in use',
  ],
  [`${docs}guides/integrators.md`]: ['needs house players'],
  [`${docs}guides/organizers.md`]: ['needs house players'],
  [`${docs}guides/players.md`]: ['needs a game against the house'],
  [`${docs}guides/witnesses.md`]: ['serves until it is stopped', 'on an installed server'],
  [`${docs}guides/dealers.md`]: ['serves until it is stopped', 'on an installed server'],
  'CONTRIBUTING.md': ['builds, and runs every test', 'builds, and runs tests'],
};
const documents = execFileSync('git', ['-C', root, 'ls-files', '--cached', '--others', '--exclude-standard', 'README.md', 'CONTRIBUTING.md', `${docs}*.md`], { encoding: 'utf8' })
  .trim().split('\n').filter((file) => /^```sh$/m.test(readFileSync(path.join(root, file), 'utf8')));

// Documents whose commands go on from those of another, in one shell.
const chains = [
  ['tutorials/first-event', 'tutorials/first-verification', 'guides/integrators', 'guides/organizers', 'guides/operators', 'guides/arbiters', 'guides/players',
    'explanation/ratings', 'guides/exchange', 'guides/witnesses', 'guides/dealers'].map((name) => `${docs}${name}.md`),
  ...['README.md', 'CONTRIBUTING.md', `${docs}tutorials/first-bot.md`].map((file) => [file]),
];
const fails = 'fails, as it should';

// { line, mark, text } of each block of commands.
function blocksOf(file) {
  const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
  const blocks = [];
  for (let i = 0; i < lines.length; i++) {
    if (!lines[i].startsWith('```')) continue;
    assert.match(lines[i], /^```(sh|text|python|html)$/, `${file}:${i + 1}: what language is this?`);
    const end = lines.indexOf('```', i + 1);
    if (lines[i] !== '```sh') {
      i = end;
      continue;
    }
    const mark = /^<!-- (.*) -->$/.exec(lines[i - 1])?.[1];
    blocks.push({ line: i + 1, mark, text: lines.slice(i + 1, end).join('\n') });
    i = end;
  }
  assert.ok(blocks.length > 0);
  return blocks;
}
const reasonOf = ({ mark }) => /^not run by tests: (.*)$/.exec(mark)?.[1];

// Said before the commands: what tells a request that was refused, or a command that failed where `set -e` does not see it.
const prelude = `set -eu -o pipefail
step() { echo "$1" >"$HOME/step"; }
goes_on() { # COMMAND: until it has said something, or has ended
    set -m
    (eval "$1") >"$HOME/said" 2>&1 &
    local pid=$!
    set +m
    for _ in $(seq 400); do
        [ ! -s "$HOME/said" ] && kill -0 "$pid" 2>/dev/null || break
        sleep 0.05
    done
    if kill -INT -- "-$pid" 2>/dev/null || true; then wait "$pid" 2>/dev/null || true; fi
    [ -s "$HOME/said" ]
}
`;
const noting = (program, options) => `#!/bin/sh
'${program}' ${options} "$@"
status=$?
[ ! -e "$HOME/fails" ] || { [ "$status" -eq 0 ] && echo 0 || echo 1; } >>"$HOME/fails"
[ "$status" -eq 0 ] || [ -e "$HOME/fails" ] || printf '%s ' "exit $status of" '${path.basename(program)}' "$@" >>"$HOME/failed"
exit "$status"
`;

const shortly = (text) => (isLong ? text : text.replaceAll(/(--ruleset |"ruleset":")shinjuku\b/g, '$1superstore-3000').replaceAll(/--games 10\b/g, '--games 2').replace('for round in 2 3; do', 'for round in 2; do'));
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
function scriptOf(files, ports) {
  const blocks = files.flatMap((file) => blocksOf(file).map((block) => ({ file, ...block }))).filter((block) => reasonOf(block) === undefined);
  const steps = blocks.map(({ file, line, mark, text }) => {
    const here = shortly(text).replaceAll(/127\.0\.0\.1:(8080|8081)/g, (_, port) => `127.0.0.1:${ports[port]}`);
    if (mark === fails) return `step ${file}:${line}\n: >"$HOME/fails"\nif ${here}; then exit 1; fi\ngrep -qx 1 "$HOME/fails"; rm "$HOME/fails"`;
    if (mark !== goesOn) return `step ${file}:${line}\n${here}`;
    return here.split('\n').filter((each) => !/^(#|$)/.test(each)).map((each, i) => `step ${file}:${line + 1 + i}\ngoes_on ${quoted(each)}`).join('\n');
  });
  return prelude + steps.join('\n');
}

// A directory with what the commands expect of a checkout: { directory, run }.
function checkout(bed) {
  const directory = temporaryDirectory('readme');
  for (const folder of ['build/release', 'var', 'bin', 'home']) mkdirSync(path.join(directory, folder), { recursive: true });
  symlinkSync(path.join(root, 'deploy'), path.join(directory, 'deploy'));
  symlinkSync(bed.cluster.directory, path.join(directory, 'var/postgres'));
  const programs = { 'build/release/tillroll': noting(path.join(bed.build, 'tillroll'), ''), 'bin/curl': noting(execFileSync('which', ['curl'], { encoding: 'utf8' }).trim(), '--fail-with-body') };
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(path.join(directory, name), text);
    chmodSync(path.join(directory, name), 0o755);
  }
  return directory;
}

async function run(files, bed, ports) {
  const directory = checkout(bed);
  const home = path.join(directory, 'home');
  writeFileSync(path.join(home, 'script'), scriptOf(files, ports));
  const child = spawn('bash', [path.join(home, 'script')], { cwd: directory, env: { PATH: `${directory}/bin:${process.env.PATH}`, HOME: home }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
  const read = (name) => (existsSync(path.join(home, name)) ? readFileSync(path.join(home, name), 'utf8') : '');
  const ended = new Promise((resolve) => { child.on('close', resolve); });
  const status = await within(500, `the commands of ${files}`, ended).catch((error) => {
    process.kill(-child.pid, 'SIGKILL');
    throw new Error(`${error.message}: at ${read('step')}${output.slice(-2000)}`);
  });
  assert.deepEqual([status, read('failed')], [0, ''], `at ${read('step')}${read('failed')}\n${output.slice(-2000)}`);
  return output;
}

describe('the commands', () => {
  let bed;
  let other;
  const ports = {};

  before(async () => {
    bed = new Testbed();
    other = new Testbed();
    ports[8080] = (await bed.startService(['--log-interval-ms', '20'])).client.port;
    ports[8081] = (await other.startService(['--log-interval-ms', '20'])).client.port;
    const file = path.join(other.directory, 'password');
    writeFileSync(file, 'correct horse battery\n');
    assert.equal(other.tillroll('admin', 'create', 'Keeper', '--password-file', file).status, 0);
  });
  after(async () => {
    await other.end();
    await bed.end();
  });

  for (const files of chains)
    it(`of ${files.join(', ')} run as they are printed`, async () => {
      await run(files, bed, ports);
    });

  it('are those of all documents', () => {
    assert.deepEqual(chains.flat().sort(), [...documents].sort());
  });

  it('continue those of a document before, which is said', () => {
    for (const chain of chains)
      for (const file of chain.slice(1)) {
        const text = readFileSync(path.join(root, file), 'utf8').replaceAll(/\s+/g, ' ');
        const before = /continue from (?:those )?(?:of )?\[[^\]]+\]\(([^)]+)\)/.exec(text)?.[1];
        assert.ok(before !== undefined && chain.indexOf(path.join(path.dirname(file), before)) < chain.indexOf(file) && chain.includes(path.join(path.dirname(file), before)), file);
      }
  });
});

describe('what is printed', () => {
  const tillroll = (...words) => spawnSync(path.join(build, 'tillroll'), words, { encoding: 'utf8' });

  for (const file of documents) {
    const reasons = notRun[file] ?? [];
    it(`in ${file} is run, but for what is named here`, () => {
      const blocks = blocksOf(file);
      assert.deepEqual(blocks.map(reasonOf).filter((reason) => reason !== undefined), reasons);
      for (const { line, mark } of blocks) assert.ok([undefined, goesOn, fails].includes(mark) || mark.startsWith('not run by tests: '), `${file}:${line}: ${mark}`);
    });

    it(`in ${file} is what bash can read, and has no gaps to be filled in`, () => {
      for (const { line, text } of blocksOf(file)) {
        const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
        assert.equal(status, 0, `${file}:${line}: ${stderr}`);
        assert.doesNotMatch(text.replaceAll(/#.*/g, ''), /\.\.\.|<[a-z_ ]+>|01a1/, `${file}:${line}`);
      }
    });
  }

  // Every member of the views, in games that bots play, and whether it is there for others; and no other.
  for (const slug of ['superstore-3000', 'shinjuku', 'super-motherload', 'mall-world', 'supermarche'])
    it(`explains the members of the views of ${slug}`, () => {
      const text = readFileSync(path.join(root, 'web-static/docs/reference/views.md'), 'utf8');
      const [head, ...sections] = text.split(/^## /m);
      const titles = { 'superstore-3000': 'Superstore 3000', shinjuku: 'Shinjuku', 'super-motherload': 'Super Motherload', 'mall-world': 'Mall World', supermarche: 'Supermarché' };
      const section = sections.find((each) => each.startsWith(`${titles[slug]}\n`));
      const [ofView, ofPlayers = ''] = section.split('Of each player:');
      const rows = (part) => [...part.matchAll(/^\| `([a-z_]+)` \| ([^|]+) \| ([^|]+) \|/gm)];
      const log = path.join(temporaryDirectory('views'), 'told');
      const seats = slug === 'supermarche' ? 1 : 3;
      const run = tillroll('match', '--ruleset', slug, '--seats', String(seats), '--seed', '5e'.repeat(32), '--exec', `tee '${log}' | python3 '${path.join(root, 'deploy/examples/bot.py')}'`);
      assert.equal(run.status, 0, run.stderr);
      const views = readFileSync(log, 'utf8').trim().split('\n').map((line) => JSON.parse(line)).filter((told) => told.type === 'decide').map((told) => told.view);
      const types = new Map([...rows(head), ...rows(ofView)].map(([, name, type]) => [name, type]));
      const kinds = { number: 'number', string: 'text', boolean: 'true or false' };
      const typeOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'list' : kinds[typeof value] ?? 'object');
      const fits = (said, value) => said.split(' or ').map((each) => (each === 'seat' ? 'number' : each)).includes(typeOf(value)) || (said === 'true or false' && typeof value === 'boolean');
      for (const view of views) {
        const names = ['ruleset', 'seats', 'over', 'deciders', 'decision', 'outcome', ...rows(ofView).map(([, name]) => name)];
        assert.deepEqual(Object.keys(view).sort(), [...new Set(names)].sort());
        for (const [name, value] of Object.entries(view)) assert.ok(fits(types.get(name), value), `${name} is ${typeOf(value)}, not ${types.get(name)}`);
        for (const player of view.players ?? []) {
          const own = player.seat === 0;
          const there = rows(ofPlayers).filter(([, , , whose]) => own || whose === 'all');
          assert.deepEqual(Object.keys(player).sort(), there.map(([, name]) => name).sort(), `of ${own ? 'oneself' : 'another'}`);
          for (const [, name, type] of there) assert.ok(fits(type, player[name]), `${name} of a player is ${typeOf(player[name])}, not ${type}`);
        }
      }
    });

  // Formats with lines that begin with the program's name.
  const formats = ['engine/log/LOG.md', 'engine/record/RECORD.md'];

  it('names commands and options that there are, in every document', () => {
    const options = new Map();
    function optionsOf(name) {
      if (!options.has(name)) {
        const { status, stdout } = tillroll('help', ...name.split(' '));
        options.set(name, status === 0 ? new Set([...stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option]) => option)) : undefined);
      }
      return options.get(name);
    }
    const files = execFileSync('git', ['-C', root, 'ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n').filter((file) => !formats.includes(file));
    let seen = 0;
    for (const file of files) {
      const text = readFileSync(path.join(root, file), 'utf8');
      const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block.replaceAll('\\\n', ' ').replaceAll(/(^|\s)#.*$/gm, ''));
      const spans = [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span);
      for (const command of [...blocks, ...spans].flatMap((each) => [...each.matchAll(/(?<![\w@/.-]|\d )tillroll ([a-z][^|;&)\n]*)/g)].map(([, words]) => words))) {
        const words = command.trim().split(/\s+/);
        const two = `${words[0]} ${words[1]}`;
        const name = optionsOf(two) !== undefined && words.length > 1 && /^[a-z-]+$/.test(words[1]) ? two : words[0];
        assert.notEqual(optionsOf(name), undefined, `${file}: tillroll ${command}`);
        for (const option of command.replaceAll(/'[^']*'|"[^"]*"/g, '').match(/(?<=\s)--[a-z-]+/g) ?? [])
          assert.ok(option === '--help' || optionsOf(name).has(option), `${file}: tillroll ${command}: ${option}`);
        seen++;
      }
    }
    assert.ok(seen > 50, String(seen));
  });
});
