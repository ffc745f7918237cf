// tests/new.mjs: a game and routes that are begun are whole from the first minute. One of each is made in a copy of the tree, what is new or
// changed there is compiled, put before what build/release has of the rest, and tried by the tests that a game or a route has to pass.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { build, temporaryDirectory } from './api/support/testbed.mjs';
import { insertSorted } from './new.mjs';
import { notLong } from './long.mjs';

const root = path.resolve(fileURLToPath(new URL('..', import.meta.url)));
const { NODE_OPTIONS, NODE_TEST_CONTEXT, TILLROLL_PROGRESS, ...usual } = process.env;
const run = (command, words, options = {}) => spawnSync(command, words, { encoding: 'utf8', env: usual, maxBuffer: 1 << 28, ...options });
function must(command, words, options) {
  const { status, stdout, stderr } = run(command, words, options);
  assert.equal(status, 0, `${command} ${words.join(' ').slice(0, 300)}\n${stdout}${stderr}`.slice(0, 8000));
  return stdout;
}

const filesOf = (folder) => execFileSync('git', ['-C', folder, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\0').filter(Boolean);

// The tree without what takes room and is not read here.
function copyTo(copy) {
  for (const file of filesOf(root)) {
    if (/^tests\/(fuzz\/corpus|db\/upgrade)\//.test(file) || !existsSync(path.join(root, file))) continue;
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(copy, file));
  }
  symlinkSync(path.join(root, 'tests/node_modules'), path.join(copy, 'tests/node_modules'));
  const git = (...words) => must('git', ['-C', copy, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...words]);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'One');
}

describe('tests/new.mjs', () => {
  const top = temporaryDirectory('new');
  const copy = path.join(top, 'tree');
  const made = path.join(top, 'build');
  const at = (file) => path.join(copy, file);
  const begin = (...words) => run('node', ['tests/new.mjs', ...words], { cwd: copy });
  const changes = () => must('git', ['-C', copy, 'status', '--porcelain', '-uall']).trimEnd().split('\n').filter(Boolean).map((line) => line.slice(3));

  // How a file is compiled where another is, and what a program is linked of.
  const commands = JSON.parse(readFileSync(path.join(build, 'compile_commands.json'), 'utf8'));
  const linkOf = (program) => must('ninja', ['-C', build, '-t', 'commands', program]).trimEnd().split('\n').at(-1);
  const source = new RegExp(root.replaceAll(/[.+]/g, '\\$&'), 'g');

  // In the copy the program finds its files in the copy (CMakeLists.txt).
  mkdirSync(path.join(made, 'include'), { recursive: true });
  writeFileSync(path.join(made, 'include/source_dir.h'), `#define TILLROLL_SOURCE_DIR "${copy}"\n`);

  function compile(file, like, program) {
    const { command } = commands.find((each) => each.file === path.join(root, like) && each.command.includes(`/${program}.dir/`));
    const object = path.join(made, 'objects', `${file.replaceAll('/', '_')}.o`);
    mkdirSync(path.dirname(object), { recursive: true });
    must('sh', ['-ec', `${command.replaceAll(build, made).replaceAll(source, copy).replace(/ -o \S+ -c \S+$/, '')} -O0 -U_FORTIFY_SOURCE -o '${object}' -c '${at(file)}'`], { cwd: build });
    return object;
  }

  // The API's description, of its parts.
  function join() {
    const parts = filesOf(copy).filter((file) => /^api\/openapi\/.*\.json$/.test(file)).map(at);
    must(path.join(build, 'join_openapi'), [path.join(made, 'openapi.json'), ...parts]);
    return compile('api/pages/openapi.c', 'api/pages/openapi.c', 'api');
  }

  // `replacing`: a program of the build that is linked with another object in the place of its own.
  function link(program, objects, { as = program, replacing } = {}) {
    const line = linkOf(program).replace(/^: && | && :$/g, '');
    const own = replacing === undefined ? line : line.replace(/\S+\.c\.o/, replacing);
    const file = path.join(made, as);
    mkdirSync(path.dirname(file), { recursive: true });
    must('sh', ['-ec', own.replace(/ -o \S+ /, ` ${objects.join(' ')} -o '${file}' `)], { cwd: build });
    return file;
  }

  // Something has to run, whatever the pattern of names.
  function node(files, ...words) {
    const said = must('node', ['--test', `--import=${at('tests/node_18.mjs')}`, ...words, ...[files].flat()], { cwd: copy, env: { ...usual, TILLROLL_BUILD: made } });
    const ran = said.match(/^ +ok \d+ - (?!.*# SKIP).+$/gm) ?? [];
    assert.ok(ran.length >= [files].flat().length, said.slice(0, 3000));
  }

  before(() => {
    copyTo(copy);
    // What is not made anew is the build's.
    mkdirSync(path.join(made, 'tests'), { recursive: true });
    for (const name of readdirSync(path.join(build, 'tests'))) if (!/^(write_(routes|positions)|test_(catalog|imagine|twins|routes))$/.test(name)) symlinkSync(path.join(build, 'tests', name), path.join(made, 'tests', name));
  });

  it('refuses what cannot be begun, and writes nothing then', () => {
    for (const [words, sentence] of [
      [[], /^tests\/new\.mjs: usage: /], [['table', 'x'], /usage: /], [['game', 'Tea House'], /a slug is lower-case words/], [['game', 'shinjuku'], /there is a game shinjuku already/],
      [['game', 'tea-house', '"'], /a title is/], [['route', 'POST /v1/things'], /GET/], [['route', 'GET /v1/players/{id}'], /there is a route/], [['route', 'GET /v1/{id}'], /behind a word/],
      [['route', 'GET /v1/things'], /say in which folder/], [['route', 'GET /v1/games/{id}/things'], /copy a route of that folder/],
    ]) {
      const { status, stderr } = begin(...words);
      assert.deepEqual([status, sentence.test(stderr)], [2, true], `${words}: ${stderr}`);
    }
    assert.deepEqual(changes(), []);
  });

  it('keeps lists in order', () => {
    const key = (line) => /\w+/.exec(line)?.[0] ?? null;
    assert.deepEqual(insertSorted(['b', 'd', '--'], 'c', key), ['b', 'c', 'd', '--']);
    assert.deepEqual(insertSorted(['b', 'd', '--'], 'e', key), ['b', 'd', 'e', '--']);
    assert.deepEqual(insertSorted(['b'], 'a', key), ['a', 'b']);
  });

  // Both are begun before either is tried: the description is put together once, and what checks values by it compiled once.
  let routes;
  function beginAll() {
    const { status, stdout, stderr } = begin('game', 'tea-house', 'Tea House');
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^new +engine\/games\/tea-house\/play\.c$[^]*^What is left to do:\n/m);
    for (const words of [['GET /v1/things/{id}', 'things'], ['GET /v1/things', 'things'], ['GET /v1/players/{id}/friends'], ['GET /v1/events/{id}/posters/{number}']]) {
      const begun = begin('route', ...words);
      assert.equal(begun.status, 0, begun.stderr);
    }
    const ours = changes().filter((file) => /^api\/.*\.c$/.test(file));
    assert.ok(ours.includes('api/people/players_friends.c') && ours.includes('api/events/events_posters.c') && changes().includes('api/openapi/events.json'), `${ours}`);
    routes = [join(), ...ours.map((file) => compile(file, 'api/routes.c', 'api'))];
  }

  describe('a game', () => {
    let programs;

    before(() => {
      beginAll();
      const ofEngine = [...readdirSync(at('engine/games/tea-house')).filter((name) => name.endsWith('.c')).map((name) => `engine/games/tea-house/${name}`), 'engine/game/catalog.c']
        .map((file) => compile(file, 'engine/game/catalog.c', 'engine'));
      const twists = ['twist.c', 'twist_tea_house.c'].map((name) => compile(`tests/engine/support/twist/${name}`, 'tests/engine/support/twist/twist.c', 'test_support'));
      // The same game, as if nothing were hidden in it.
      const open = 'tests/engine/support/twist/twist_open.c';
      writeFileSync(at(open), readFileSync(at('tests/engine/support/twist/twist_tea_house.c'), 'utf8').replace(/sizeof twists \/ sizeof twists\[0\]/, '0'));
      const openTwists = [twists[0], compile(open, 'tests/engine/support/twist/twist.c', 'test_support')];
      rmSync(at(open));
      const rules = compile('tests/engine/games/tea-house/test_tea_house_rules.c', 'tests/engine/games/shinjuku/test_shinjuku_rules.c', 'test_shinjuku_rules');
      programs = { catalog: link('tests/test_catalog', ofEngine), twins: link('tests/test_twins', [...ofEngine, ...twists]), imagine: link('tests/test_imagine', [...ofEngine, ...twists]),
        open: ['test_twins', 'test_imagine'].map((name) => link(`tests/${name}`, [...ofEngine, ...openTwists], { as: `tests/${name}_open` })), tillroll: link('tillroll', ofEngine), positions: link('tests/write_positions', ofEngine), tillrolld: link('tillrolld', [...ofEngine, ...routes]),
        rules: link('tests/test_shinjuku_rules', ofEngine, { as: 'tests/test_tea_house_rules', replacing: rules }) };
    });

    it('passes the generic suites, its own tests and its cases', () => {
      assert.match(must(programs.catalog, ['tea-house'], { env: { ...usual, TILLROLL_PLAYOUTS: '300' } }), /tea-house 1\.0\.0: 3\d\d games/);
      assert.match(must(programs.twins, ['tea-house']), /tea-house 1\.0\.0: pile: [1-9]\d+ twins/);
      must(programs.imagine, ['tea-house'], { env: { ...usual, TILLROLL_PAIRS: '300' } });
      for (const program of programs.open) must(program, ['tea-house'], { env: { ...usual, TILLROLL_PAIRS: '300' } });
      must(programs.rules, []);
      const cases = readdirSync(at('tests/cases/tea-house')).filter((name) => name.endsWith('.case')).map((name) => at(`tests/cases/tea-house/${name}`));
      must(programs.tillroll, ['case', '--ruleset', 'tea-house', ...cases]);
      must(programs.tillroll, ['match', '--ruleset', 'tea-house', '--seats', '3', '--seed', '5e'.repeat(32)]);
    });

    // What the verifier for browsers leaves out has stubs: without them the whole build fails.
    it('is in the verifier for browsers', { skip: !existsSync(path.join(build, 'verify.wasm')) }, () => {
      const commandsOf = must('ninja', ['-C', build, '-t', 'commands', 'verify.wasm']).trimEnd().split('\n').map((line) => line.split(' && ')[1]);
      const run = (command) => must('sh', ['-ec', command], { cwd: path.join(build, 'engine/wasm') });
      const compileAs = (like, file) => {
        const object = path.join(made, 'objects', `wasm_${path.basename(file)}.o`);
        const command = commandsOf.find((line) => line.includes(` -c ${path.join(root, like)} `));
        run(command.replace(path.join(root, like), at(file)).replace(`-I${root} `, `-I${copy} `).replace(/ -MD -MF \S+/, '').replace(/ -o \S+/, ` -o '${object}'`));
        return object;
      };
      const fresh = ['tea-house', 'play'].map((name) => compileAs('engine/games/shinjuku/play.c', `engine/games/tea-house/${name}.c`));
      let line = commandsOf.at(-1);
      for (const file of ['engine/game/catalog.c', 'engine/wasm/left_out.c', 'engine/wasm/no_cases.c']) line = line.replace(new RegExp(`\\S+/${file}\\.o`), compileAs(file, file));
      run(line.replace(/ -o \S+/, ` ${fresh.join(' ')} -o '${path.join(made, 'verify.wasm')}'`));
    });

    it('is described, and its documents say what it shows', () => {
      node('tests/api/request/game_schemas.test.mjs', '--test-name-pattern=tea-house', '--test-name-pattern=has all games');
      node('tests/web/refusals.test.mjs', '--test-name-pattern=has words for each sentence');
    });

    it('has its members explained', { skip: notLong }, () => {
      node('tests/api/request/readme.test.mjs', '--test-name-pattern=explains the members of the views of tea-house');
    });

    it('is chosen by tests/run changed', () => {
      const stdout = must('node', ['tests/choose.mjs', 'one', 'tests/cases/tea-house/play-and-end.case', 'tests/engine/games/tea-house/test_tea_house_rules.c', '--dry-run'], { cwd: copy });
      assert.match(stdout, /^ {2}cases\/tea-house +changed\n {2}engine\/games\/tea-house\/test_tea_house_rules +changed$/m);
    });

    it('is not begun twice', () => assert.match(begin('game', 'tea-house').stderr, /there is a game tea-house already/));
  });

  describe('a route', () => {
    before(() => {
      const ofEngine = readdirSync(path.join(made, 'objects')).filter((name) => name.startsWith('engine_')).map((name) => path.join(made, 'objects', name));
      const objects = [...ofEngine, ...routes];
      link('tests/write_routes', objects);
      link('tests/test_routes', [...objects, compile('tests/api/request/test_routes.c', 'tests/api/request/test_routes.c', 'test_routes')], { replacing: '' });
    });

    it('is in its place in the table, the description and the lists of tests', () => {
      must(path.join(made, 'tests/test_routes'), []);
      node('tests/api/request/contract.test.mjs');
    });

    it('passes its tests', { skip: notLong }, () => {
      node(['things/things_get', 'things/things_list', 'people/players_friends_list', 'events/events_posters_get'].map((file) => `tests/api/${file}.test.mjs`));
    });

    it('passes the tests of all routes', { skip: notLong }, () => {
      const ours = '(things|friends|posters)';
      node('tests/api/request/access.test.mjs', `--test-name-pattern=/GET .*${ours}/`);
      node('tests/api/request/input.test.mjs', `--test-name-pattern=/${ours}/`);
    });

    it('is not begun twice', () => assert.match(begin('route', 'GET /v1/things/{id}', 'things').stderr, /there is a route GET \/v1\/things\/\{id\} already/));
  });

  it('keeps to the layout, the form of C files and of JSON, with another game, too', () => {
    const { status, stderr } = begin('game', 'coffee-house');
    assert.equal(status, 0, stderr);
    must('node', ['tests/layout.mjs'], { cwd: copy });
    must('clang-format', ['--dry-run', '-Werror', ...changes().filter((file) => /\.[ch]$/.test(file))], { cwd: copy });
    for (const file of changes().filter((each) => each.endsWith('.json'))) JSON.parse(readFileSync(at(file), 'utf8'));
    assert.ok(changes().length > 25);
  });
});
