// tests/run changed and tests/run one: which tests are chosen (choose.mjs), of a small tree and of ours. Nothing is built.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { temporaryDirectory } from './api/support/testbed.mjs';
import { choose, ctestOf, reach, survey, tell, treeOf } from './choose.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const house = survey(treeOf());

const include = (...headers) => headers.map((header) => `#include "${header}"\n`).join('');
const tree = new Map(Object.entries({
  'engine/base/text.h': '', 'engine/base/text.c': include('engine/base/text.h'),
  'engine/game/game.h': include('engine/base/text.h'), 'engine/game/catalog.c': include('engine/game/game.h'),
  'engine/games/go/go.c': include('engine/game/game.h'), 'engine/games/go/components.json': '', 'engine/games/go/RULES.md': '',
  'engine/games/chess/chess.c': include('engine/game/game.h'), 'engine/games/chess/rules.h': '',
  'engine/record/record.h': include('engine/game/game.h'),
  'db/link/db.h': include('engine/base/text.h'),
  'api/request/call.h': include('db/link/db.h'), 'api/play/moves.c': include('api/request/call.h', 'engine/record/record.h'),
  'api/play/handlers.h': '', 'api/watch/health.c': include('api/play/handlers.h'), 'api/pages/page.c': include('api/request/call.h'), 'api/people/names.c': include('api/request/call.h'),
  'api/routes.c': '',
  'web-static/game.html': '', 'web-static/boards/go.js': '', 'web-static/lib/live.js': '',
  'tests/CMakeLists.txt': 'add_executable(write_states engine/write_states.c)\nadd_library(quick_passwords MODULE api/quick_passwords.c)\n',
  'tests/engine/support/dice.h': '', 'tests/engine/support/dice_more.c': include('tests/engine/support/dice.h', 'engine/record/record.h'),
  'tests/engine/support/twist/twist_go.c': include('engine/games/go/rules.h'),
  'tests/engine/base/test_text.c': include('engine/base/text.h'),
  'tests/engine/game/test_catalog.c': include('engine/game/game.h'), 'tests/engine/game/test_twins.c': include('engine/game/game.h', 'tests/engine/support/dice.h'),
  'tests/engine/games/go/test_go.c': include('engine/games/go/rules.h'), 'tests/engine/games/chess/test_chess.c': include('engine/games/chess/rules.h'),
  'tests/engine/record/test_record.c': include('engine/record/record.h'),
  'tests/engine/write_states.c': include('engine/record/record.h'),
  'tests/db/link/test_db.c': include('db/link/db.h'),
  'tests/cases/go/rules.case': '', 'tests/cases/go@0.9.0/rules.case': '', 'tests/cases/chess/rules.case': '',
  'tests/api/support/bed.mjs': "export const at = 'deploy/postgres';",
  'tests/api/request/game_schemas.test.mjs': "run('tests/write_states');",
  'tests/api/request/readme.test.mjs': '',
  'tests/api/play/moves.test.mjs': "import { at } from '../support/bed.mjs';\nspawn('tillrolld');",
  'tests/api/watch/health.test.mjs': '', 'tests/api/people/names.test.mjs': '',
  'tests/web/go.test.mjs': "const game = 'go';", 'tests/web/pages.test.mjs': '', 'tests/web/words.test.mjs': '',
  'tests/deploy/backup.test.mjs': "run('deploy/backup');",
  'tests/layout.test.mjs': '',
  'deploy/backup': '', 'deploy/postgres': '', 'deploy/unheard-of': '', 'LICENSE': '', 'README.md': '', 'CMakeLists.txt': '',
}));
const small = survey(tree);
const chosen = (...changed) => {
  const choice = choose(small, changed);
  return { all: choice.all, c: [...choice.ctest.keys()].sort(), node: [...choice.node.keys()].filter((file) => file !== 'tests/layout.test.mjs').sort(), choice };
};
const node = (...files) => files.map((file) => `tests/${file}.test.mjs`);

describe('what a change can break', () => {
  it('is, for a game, the game: no other game, and nothing that plays it', () => {
    for (const file of ['engine/games/go/go.c', 'engine/games/go/components.json', 'engine/games/go/gone.c', 'tests/engine/games/go/position.h']) {
      const { all, c, node: files, choice } = chosen(file);
      assert.equal(all, null);
      assert.deepEqual(c, ['cases/go', 'cases/go@0.9.0', 'engine/games/go/test_go', 'engine/test_catalog/go', 'engine/test_imagine/go', 'engine/test_twins/go', 'fuzz/play-go'], file);
      assert.deepEqual(files, node('api/request/game_schemas'));
      assert.equal(choice.node.get(files[0]).pattern, 'go');
      assert.deepEqual([...choice.programs.keys()], ['tests/engine/vectors/check_records.mjs']);
    }
    assert.deepEqual(chosen('tests/engine/support/twist/twist_go.c').c, ['engine/test_imagine/go', 'engine/test_twins/go']);
  });

  it('is, for a folder of C code, what includes it by whatever way', () => {
    assert.deepEqual(chosen('db/link/db.c').c, ['db/test_db']);
    assert.deepEqual(chosen('db/link/db.c').node, node('api/people/names', 'api/play/moves', 'api/request/game_schemas', 'api/request/readme', 'api/watch/health', 'web/go', 'web/pages', 'web/words'));
    assert.deepEqual(chosen('api/play/moves.c').node, node('api/play/moves', 'api/watch/health'));
    assert.deepEqual(chosen('api/pages/page.c').node, node('web/go', 'web/pages', 'web/words'));
    assert.deepEqual(chosen('engine/record/record.c').c, ['engine/record/test_record', 'engine/test_twins/chess', 'engine/test_twins/go']);
    const low = chosen('engine/base/text.c').c;
    for (const name of ['engine/base/test_text', 'engine/test_catalog/go', 'engine/test_twins/chess', 'engine/record/test_record', 'db/test_db']) assert.ok(low.includes(name), name);
  });

  it('is, for code of the tests, what uses it', () => {
    assert.deepEqual(chosen('tests/engine/support/dice.h').c, ['engine/test_twins/chess', 'engine/test_twins/go']);
    assert.deepEqual(chosen('tests/engine/support/dice_more.c').c, ['engine/test_twins/chess', 'engine/test_twins/go']);
    assert.deepEqual(chosen('tests/engine/write_states.c').node, node('api/request/game_schemas'));
    assert.deepEqual(chosen('tests/api/support/bed.mjs').node, node('api/play/moves'));
    assert.deepEqual(chosen('tests/engine/base/test_text.c').c, ['engine/base/test_text']);
    assert.deepEqual(chosen('tests/engine/base/test_gone.c').c, []);
    assert.deepEqual(chosen('tests/web/pages.test.mjs').node, node('web/pages'));
    assert.deepEqual(chosen('tests/cases/go/rules.case').c, ['cases/go']);
  });

  it('is, for what is no code, what names it', () => {
    assert.deepEqual(chosen('deploy/backup').node, node('deploy/backup'));
    assert.deepEqual(chosen('deploy/postgres').node, node('api/play/moves'));
    assert.deepEqual(chosen('README.md').node, node('api/request/readme'));
    assert.deepEqual(chosen('web-static/lib/live.js').node, node('web/go', 'web/pages', 'web/words'));
    assert.deepEqual(chosen('web-static/boards/go.js').node, node('web/go', 'web/words'));
    assert.deepEqual(chosen('LICENSE').choice.nothing, ['LICENSE']);
  });

  it('is everything if in doubt', () => {
    for (const file of ['CMakeLists.txt', 'tests/CMakeLists.txt', 'CMakePresets.json', 'tests/package.json', 'db/migrations/0001_x.sql', 'api/routes.c', 'deploy/unheard-of', 'tests/api/support/unused.mjs', 'new'])
      assert.match(chosen('LICENSE', file).all ?? '', new RegExp(file), file);
    assert.match(tell(chosen('new').choice), /^everything: nothing says what new is for/);
  });

  it('is nothing for no change, and the layout for any', () => {
    assert.equal(tell(chosen().choice), 'nothing has changed');
    assert.deepEqual([...choose(small, ['LICENSE']).node.keys()], ['tests/layout.test.mjs']);
  });

  it('says what is built', () => {
    assert.deepEqual([...chosen('api/play/moves.c').choice.targets], ['tillrolld']);
    assert.deepEqual([...chosen('tests/db/link/test_db.c').choice.targets], ['db_test_db']);
    assert.deepEqual([...chosen('tests/cases/go/rules.case').choice.targets], ['tillroll']);
  });

  it('says why', () => {
    const said = tell(chosen('engine/record/record.c', 'LICENSE').choice);
    assert.match(said, /^C tests:\n {2}engine\/record\/test_record +its includes lead to engine\/record \(engine\/record\/record\.c\)$/m);
    assert.match(said, /^tests of the service:\n {2}tests\/api\/play\/moves\.test\.mjs +what it is of includes engine\/record/m);
    assert.match(said, /^no test is for LICENSE$/m);
    assert.match(said, /^not chosen: \d+ other tests of the service, which \.\/tests\/run runs$/m);
  });
});

describe('in this tree', () => {
  it('each test is chosen for itself, under a name that CMake gives', () => {
    for (const file of house.list) {
      if (!/^tests\/(engine|db|api)\/.*\/test_\w+\.c$/.test(file)) continue;
      const { names, target } = ctestOf(file, ['shinjuku']);
      assert.deepEqual([...choose(house, [file]).targets].includes(target), true, file);
      assert.match(names[0], /^(engine|db|api)\//, file);
    }
    const suites = [...house.files.get('tests/CMakeLists.txt').matchAll(/add_test\(NAME engine\/(\w+)\/\$\{game\}/g)].map(([, suite]) => suite);
    assert.ok(suites.length >= 3);
    for (const suite of suites) assert.deepEqual(ctestOf(`tests/engine/game/${suite}.c`, ['shinjuku']).names, [`engine/${suite}/shinjuku`]);
  });

  it('the lowest folder is under all of them, and no game is under another folder', () => {
    const { graph } = house;
    assert.ok(graph.size > 50);
    for (const folder of ['db/store/events', 'api/play', 'api/pages', 'engine/record']) assert.ok(reach(graph, [folder]).has('engine/base'), folder);
    for (const folder of ['api', 'api/cli', 'engine/record', 'engine/game']) assert.deepEqual([...reach(graph, [folder])].filter((each) => each.startsWith('engine/games/')), [], folder);
  });

  it('every folder of code has tests', () => {
    const folders = new Map(house.list.filter((file) => /^(engine|db|api)\/.*\.[ch]$/.test(file)).map((file) => [path.dirname(file), file]));
    for (const file of folders.values()) {
      const choice = choose(house, [file]);
      assert.ok(choice.all !== null || choice.ctest.size > 0 || choice.node.size > 1, file);
    }
  });
});

describe('CONTRIBUTING.md', () => {
  const text = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
  const script = readFileSync(path.join(root, 'tests/run'), 'utf8');
  const steps = new Set([...script.matchAll(/^step_(\w+)\(\)/gm)].map(([, name]) => name));
  const daily = ['fix', 'lint', 'build', 'one', 'changed'];

  it('names every command for every day, in a line each, and no step that there is not', () => {
    const named = [...text.matchAll(/^\.\/tests\/run +([^#\n]*?) *#/gm)].map(([, words]) => words.split(' '));
    assert.deepEqual(daily.filter((each) => named.filter(([first]) => first === each).length !== 1), []);
    for (const [first, ...rest] of named)
      if (first !== '' && !daily.includes(first)) assert.deepEqual([first, ...rest].filter((each) => !steps.has(each)), []);
    const listed = /some of its steps: (.*)$/m.exec(text)[1].split(' ');
    assert.deepEqual(listed.filter((each) => !steps.has(each)), []);
    for (const word of daily) assert.match(script, new RegExp(`^#     \\./tests/run ${word} `, 'm'));
  });

  it('names files and options that there are', () => {
    for (const [, file] of text.matchAll(/^\.\/tests\/run one (\S+)/gm)) assert.ok(house.list.includes(file), file);
    for (const [, option] of text.matchAll(/^\.\/deploy\/run (--\w+)/gm)) assert.ok(readFileSync(path.join(root, 'deploy/run'), 'utf8').includes(`\n    ${option}) `), option);
  });
});

describe('tests/run', () => {
  const top = temporaryDirectory('choose');
  const at = (name) => path.join(top, name);
  const { NODE_OPTIONS, NODE_TEST_CONTEXT, ...usual } = process.env;
  const git = (...words) => {
    const { status, stderr } = spawnSync('git', ['-C', top, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...words], { encoding: 'utf8', env: usual });
    assert.equal(status, 0, stderr);
  };
  const run = (...words) => spawnSync(at('tests/run'), [...words, '--dry-run'], { cwd: at('tests'), encoding: 'utf8', env: usual });

  before(() => {
    rmSync(top, { recursive: true, force: true });
    for (const [file, text] of tree) {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), text);
    }
    for (const name of ['tests/run', 'tests/choose.mjs']) cpSync(path.join(root, name), at(name));
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-qm', 'One');
    git('checkout', '-qb', 'other');
  });

  it('changed compares with where the branch left main, with what is not committed and with what is new', () => {
    assert.match(run('changed').stdout, /^0 files differ from [0-9a-f]{12}, where this branch left main\nnothing has changed\n$/);
    writeFileSync(at('api/people/names.c'), '/* other */\n');
    git('commit', '-qam', 'Two');
    writeFileSync(at('engine/games/go/go.c'), '/* other */\n');
    writeFileSync(at('engine/games/chess/new.c'), '');
    rmSync(at('db/link/db.h'));
    git('checkout', '-q', 'main', '--', 'README.md');
    const { status, stdout, stderr } = run('changed');
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^4 files differ/);
    for (const name of ['engine/test_catalog/go', 'engine/test_catalog/chess', 'db/test_db', 'tests/api/people/names.test.mjs']) assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
  });

  it('one takes files by their paths from where it is called, and no others', () => {
    assert.match(run('one', 'engine/base/test_text.c', 'cases/go/rules.case').stdout, /^C tests:\n {2}cases\/go +changed\n {2}engine\/base\/test_text +changed\nnot chosen/);
    assert.match(run('one', 'web/go.test.mjs').stdout, /^tests of the service:\n {2}tests\/web\/go\.test\.mjs +changed\nnot chosen/);
    for (const [word, sentence] of [['web/gone.test.mjs', /there is no file web\/gone/], ['../engine/base/text.c', /is no test/], [undefined, /usage: tests\/run one FILE/]]) {
      const { status, stderr } = run(...['one', word].filter(Boolean));
      assert.equal(status, 2);
      assert.match(stderr, sentence);
    }
  });
});
