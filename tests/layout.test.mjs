// The plan of the house (layout.mjs) finds what does not keep to it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { circleFaults } from './circles.mjs';
import { faults, filesOf, floors, foreign, riddles } from './layout.mjs';

const house = filesOf(fileURLToPath(new URL('..', import.meta.url)));
const withFile = (name, text) => faults(new Map([...house, [name, text]]));

describe('the layout', () => {
  it('is kept to', () => assert.deepEqual(faults(house), []));

  it('has every folder on one floor', () => {
    const all = floors.flat();
    assert.equal(new Set(all).size, all.length);
    assert.deepEqual(all.filter((folder) => ![...house.keys()].some((file) => file.startsWith(`${folder}/`))), []);
  });

  it('lets nobody include upward, sideways or by half a path', () => {
    assert.deepEqual(withFile('engine/search/new.c', '#include "engine/log/bundle.h"\n'),
      ['engine/search/new.c: includes "engine/log/bundle.h", which is not on a lower floor']);
    assert.deepEqual(withFile('engine/games/mall-world/new.c', '  #  include "engine/games/shinjuku/rules.h"\n'),
      ['engine/games/mall-world/new.c: includes "engine/games/shinjuku/rules.h", which is not on a lower floor']);
    assert.deepEqual(withFile('engine/log/new.c', '#include "db/link/db.h"\n'), ['engine/log/new.c: includes "db/link/db.h", but engine/ knows nothing of db/']);
    assert.match(withFile('api/new.c', '#include "call.h"\n')[0], /no path from the top/);
    assert.deepEqual(withFile('api/new.c', '#include "engine/base/text.h"\n'), []);
  });

  it('has no circles among files', () => {
    const circles = (files) => circleFaults(new Map(Object.entries(files)), ['api']);
    const headers = { 'api/one.h': 'int one(void);\n', 'api/low/two.h': 'int two(void);\n' };
    const one = '#include "api/one.h"\n#include "api/low/two.h"\nint one(void)\n{\n    return two();\n}\n';
    const two = (body) => `#include "api/low/two.h"\nint two(void)\n{\n    ${body}\n}\n`;
    assert.deepEqual(circles({ ...headers, 'api/one.c': one, 'api/low/two.c': two('return 2;') }), []);
    assert.deepEqual(circles({ ...headers, 'api/one.c': one, 'api/low/two.c': two('return one();') }),
      ['api: files that need each other:\n  api/low/two needs api/one: one()\n  api/one needs api/low/two: api/low/two.h, two()']);
    assert.deepEqual(circles({ ...headers, 'api/one.c': one, 'api/low/two.c': `#include "api/one.h"\n${two('return 2;')}` }),
      ['api: files that need each other:\n  api/low/two needs api/one: api/one.h\n  api/one needs api/low/two: api/low/two.h, two()']);
    const calls = ['return call(one);', 'return 2; /* one() */', 'puts("one()");'];
    for (const body of calls) assert.deepEqual(circles({ ...headers, 'api/one.c': one, 'api/low/two.c': two(body) }), []);
    assert.deepEqual(circles({ ...headers, 'api/one.c': one, 'api/low/two.c': `static int one(void)\n{\n}\n${two('return one();')}` }), []);
    const long = { 'api/a.h': '#include "api/b.h"\n', 'api/b.h': '#include "api/c.h"\n', 'api/c.c': '#include "api/a.h"\n', 'api/c.h': '', 'api/d.c': '#include "api/a.h"\n' };
    assert.deepEqual(circles(long), ['api: files that need each other:\n  api/a needs api/b: api/b.h\n  api/b needs api/c: api/c.h\n  api/c needs api/a: api/a.h']);
    assert.match(faults(new Map([...house, ['api/base/late.h', `${house.get('api/base/late.h')}#include "api/base/listen.h"\n`],
      ['api/base/listen.h', `${house.get('api/base/listen.h')}#include "api/base/late.h"\n`]])).join('\n'), /api\/base\/late needs api\/base\/listen/);
  });

  it('keeps the engine pure, and games and replay without memory of their own', () => {
    for (const [text, what] of [['double mean;', 'floating point: double'], ['long t = time(NULL);', 'a clock: time'], ['puts("x");', 'files or sockets: puts'],
      ['char *a = getenv("A");', 'the environment: getenv'], ['pthread_mutex_t lock;', 'threads: pthread_mutex_t'], ['randombytes_buf(a, 4);', 'chance of the machine: randombytes_buf']]) {
      const [use, name] = what.split(': ');
      assert.deepEqual(foreign('engine/log/new.c', `${text}\n`), [`engine/log/new.c: uses ${use}, and the engine is pure: ${name}`]);
      assert.deepEqual(foreign('api/base/new.c', `${text}\n`), []);
    }
    assert.deepEqual(withFile('engine/search/new.c', 'double mean;\n'), ['engine/search/new.c: uses floating point, and the engine is pure: double']);
    const memory = 'void *a = calloc(1, 8);\n';
    for (const file of ['engine/games/shinjuku/new.c', 'engine/record/replay_new.c'])
      assert.deepEqual(foreign(file, memory), [`${file}: allocates, which games and replay do not: calloc()`]);
    assert.deepEqual(foreign('engine/log/new.c', `${memory}/* double time(NULL) */ const char *b = "a double getenv";\n`), []);
  });

  it('has SQL in db/ only', () => {
    for (const text of ['const char *a = "SELECT name FROM tillroll.player";\n', 'const char *a = "DELETE FROM token";\n', '#include <libpq-fe.h>\n']) {
      assert.deepEqual(foreign('api/base/new.c', text), ['api/base/new.c: SQL, which is in db/ only']);
      assert.deepEqual(foreign('db/link/new.c', text), []);
    }
    assert.deepEqual(foreign('api/base/new.c', '/* "DELETE FROM token" */ const char *a = "Select a table from the list.";\n'), []);
  });

  it('has comments that name their subject', () => {
    for (const [text, subject] of [['/* Of a list; NULL without. */', 'Of a list; NULL without. */'], ['  // Who waits', 'Who waits']])
      assert.deepEqual(riddles('api/new.c', `int a;\n${text}\n`), [`api/new.c: a comment that does not name its subject: ${subject}`]);
    assert.deepEqual(riddles('api/new.c', '/* Office hours. */\nint a; /* Who: see above */\n"// Of";\n'), []);
  });

  it('lets no header offer what only tests use', () => {
    const header = ['engine/log/new.h', '/* log_unused() */\nint log_unused(int one,\n          int two);\n'];
    const unused = ['engine/log/new.h: nothing but tests uses log_unused()'];
    assert.deepEqual(faults(new Map([...house, header])), unused);
    assert.deepEqual(faults(new Map([...house, header, ['engine/log/new.c', 'int log_unused(int one, int two)\n{\n}\n']])), unused);
    assert.deepEqual(faults(new Map([...house, header, ['engine/log/new.c', 'int log_unused(int one, int two)\n{\n}\n'], ['api/new.c', 'log_unused(1, 2);\n']])), []);
  });

  it('lets no header offer what only one file uses', () => {
    const header = ['engine/log/new.h', 'int log_own(int one);\n'];
    const own = ['engine/log/new.c', 'int log_own(int one)\n{\n}\nint two = log_own(1);\n'];
    assert.deepEqual(faults(new Map([...house, header, own])), ['engine/log/new.h: nothing but its own file uses log_own()']);
    assert.deepEqual(faults(new Map([...house, header, own, ['tests/engine/new.c', 'log_own(1);\n']])), []);
  });

  it('lets no header hold a function that nothing uses', () => {
    const header = ['engine/log/new.h', 'static inline int log_idle(int one)\n{\n}\n'];
    assert.deepEqual(faults(new Map([...house, header])), ['engine/log/new.h: nothing uses log_idle()']);
    assert.deepEqual(faults(new Map([...house, header, ['api/new.c', 'log_idle(1);\n']])), []);
  });

  it('knows no folder that is not on the plan, and no full one', () => {
    assert.match(withFile('engine/attic/new.c', '')[0], /^engine\/attic\/new\.c: its folder stands on no floor/);
    const crowd = Array.from({ length: 26 }, (_, i) => [`web-static/attic/${i}.js`, '']);
    assert.deepEqual(faults(new Map([...house, ...crowd])), ['web-static/attic: 26 files of code, more than 25']);
  });
});
