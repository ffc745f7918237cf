// Faults planted in the writer of the database, one at a time, are found by the simulated worlds (test_writers.c): each within a few hundred.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { build } from '../api/support/build.mjs';
import { temporaryDirectory } from '../api/support/testbed.mjs';
import { daily } from '../long.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

// What goes wrong, the file in db/writer/, its text and the text in its place.
const planted = [
  ['a lost race is acknowledged', 'writer.c', 'if (status == DB_OK || (status == DB_UNKNOWN && !lost)) {', 'if (!lost) {'],
  ['a batch that was given up counts as not sent', 'writer.c', 'write_batch_set(&writer->batch, 0, writer->batch.count, DB_UNKNOWN);\n    note_untold', 'write_batch_set(&writer->batch, 0, writer->batch.count, DB_OK);\n    note_untold'],
  ['a batch whose connection broke counts as not sent', 'writer.c', 'status == DB_OK || status == DB_UNKNOWN ? status : DB_OK);', 'DB_OK);'],
  ['nobody is to notify the others', 'writer.c', 'unnotified = others && writer->listener_number != 0;', 'unnotified = false;'],
  ['no connection is opened again', 'writer.c', '    if (!writer->stopped)\n        recovery_writer_want_connection', '    if (writer->stopped)\n        recovery_writer_want_connection'],
  ['a silent database is waited for', 'writer.c', 'writer->answer_us = writer->sent_us + silence_us;', 'writer->answer_us = writer->sent_us + 1000 * silence_us;'],
  ['stopping forgets the batch under way', 'writer.c', '    if (writer->batch.count > 0)\n        receive_batch(writer);\n    recovery', '    recovery'],
  ['stopping forgets what has been added', 'writer.c', '    recovery_writer_give(writer->recovery_writer, &writer->added);\n    recovery_writer_stop', '    recovery_writer_stop'],
  ['an unknown outcome is forgotten', 'recovery_writer.c', 'if (status == DB_UNKNOWN || status == DB_RETRY)\n', 'if (count > 512)\n'],
  ['doubt about one write is forgotten for those beside it', 'recovery_writer.c', 'if (batch->write[i]->status != DB_UNKNOWN)', 'if (batch->write[first]->status != DB_UNKNOWN)'],
  ['what is stored is not found', 'recovery_writer.c', 'found[i] ? DB_OK : DB_CONFLICT', 'DB_CONFLICT'],
  ['what is not stored is found', 'recovery_writer.c', 'found[i] ? DB_OK : DB_CONFLICT', 'DB_OK'],
  ['rows that were skipped count as written', 'recovery_writer.c', 'return status == DB_CONFLICT ? find_stored(recovery_writer, batch, first, count) : status;', 'if (status == DB_CONFLICT)\n        write_batch_set(batch, first, count, DB_OK);\n    return status == DB_CONFLICT ? DB_OK : status;'],
  ['a half is left out', 'recovery_writer.c', 'count - count / 2', '0'],
  ['the loop does not hear of outcomes', 'recovery_writer.c', '&recovery_writer->done);\n    pthread_mutex_unlock(&recovery_writer->lock);\n    (void)eventfd_write(recovery_writer->event, 1);', '&recovery_writer->done);\n    pthread_mutex_unlock(&recovery_writer->lock);'],
  ['the thread is not woken for writes', 'recovery_writer.c', 'write_list_move(&recovery_writer->waiting, list);\n    pthread_cond_signal(&recovery_writer->wake);', 'write_list_move(&recovery_writer->waiting, list);'],
  ['stopping drops the last batch', 'recovery_writer.c', 'return batch->count > 0;', 'return batch->count > 0 && !recovery_writer->stopping;'],
  ['the writes of a joined list are not counted', 'write_batch.c', 'to->count += from->count;', ';'],
];

describe('a fault planted in the writer of the database', () => {
  let directory;
  let flags;
  before(() => {
    directory = temporaryDirectory('planted');
    flags = execFileSync('pkg-config', ['--cflags', '--libs', 'cmocka', 'jansson', 'libsodium', 'libutf8proc', 'zlib'], { encoding: 'utf8' }).trim().split(/\s+/);
  });
  after(() => rmSync(directory, { recursive: true }));

  const instead = ['-include', 'tests/simulation/instead.h'];
  const object = (name) => path.join(directory, `${name}.o`);
  const compile = (more, source, name, compiler = 'cc') => execFileSync(compiler, ['-std=c17', '-D_GNU_SOURCE', '-O1', '-I.', ...more, '-c', source, '-o', object(name)], { cwd: root });

  function compileAll(compiler) {
    for (const name of ['world', 'model', 'test_writers']) compile([], `tests/simulation/${name}.c`, name, compiler);
    for (const name of ['writer', 'recovery_writer', 'write_batch', 'linger']) compile(instead, `db/writer/${name}.c`, name, compiler);
  }

  // What the worlds say, with these objects.
  function run(objects, seeds) {
    const program = path.join(directory, 'worlds');
    execFileSync('cc', ['-o', program, ...objects.map(object), path.join(build, 'libengine.a'), ...flags, '-lm'], { cwd: root });
    return spawnSync(program, [], { encoding: 'utf8', env: { ...process.env, TILLROLL_SEEDS: String(seeds) }, timeout: 120_000 });
  }
  const names = ['world', 'model', 'test_writers', 'writer', 'recovery_writer', 'write_batch', 'linger'];

  const worlds = /^20 worlds: .*; trace \w{16}$/m;

  it('is the only one, and the same seeds are the same worlds whatever the compiler', () => {
    compileAll('clang');
    const [other] = worlds.exec(run(names, 20).stdout);
    compileAll('cc');
    const { status, stdout } = run(names, 20);
    assert.equal(status, 0);
    assert.equal(worlds.exec(stdout)[0], other);
  });

  for (const [what, file, text, other] of daily(planted, 6)) it(`is found: ${what}`, () => {
    const source = readFileSync(path.join(root, 'db/writer', file), 'utf8');
    assert.equal(source.split(text).length, 2, `${file} has other text now`);
    const changed = path.join(directory, file);
    writeFileSync(changed, source.replace(text, () => other));
    compile(instead, changed, 'changed');
    const { status, stderr } = run(names.map((name) => (`${name}.c` === file ? 'changed' : name)), 400);
    assert.equal(status, 1, 'it is not found');
    assert.match(stderr, /TILLROLL_SEED=\d+: /);
  });
});
