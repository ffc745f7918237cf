// openapi.json is made of its parts (api/openapi/join.c): abbreviations are written out, and what contradicts itself is a fault.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

import { build, temporaryDirectory } from '../support/testbed.mjs';

const directory = temporaryDirectory('join');
const output = path.join(directory, 'whole.json');

function join(...parts) {
  const files = parts.map((part, i) => path.join(directory, `${i}.json`));
  parts.forEach((part, i) => writeFileSync(files[i], typeof part === 'string' ? part : JSON.stringify(part)));
  const { status, stderr } = spawnSync(path.join(build, 'join_openapi'), [output, ...files], { encoding: 'utf8' });
  return status === 0 ? JSON.parse(readFileSync(output, 'utf8')) : stderr.replaceAll(directory, '').trim();
}

describe('the parts of openapi.json', () => {
  it('are put together', () => {
    assert.deepEqual(join({ paths: { '/a': { get: { tags: ['a'] } } } }, { paths: { '/a': { post: {} }, '/b': {} }, info: [1] }),
      { paths: { '/a': { get: { tags: ['a'] }, post: {} }, '/b': {} }, info: [1] });
  });

  it('have fragments, whose members their own stand over', () => {
    const fragments = { small: { headers: { A: 1 } }, large: { $use: 'small', headers: { B: { $ref: 'headers/B' } }, text: 'old' } };
    assert.deepEqual(join({ fragments }, { is: [{ $use: 'large', text: 'new', headers: { A: 2 } }] }),
      { is: [{ headers: { A: 2, B: { $ref: '#/components/headers/B' } }, text: 'new' }] });
  });

  it('have short references, and schemas whose properties are all required', () => {
    const schema = { required: 'all', properties: { b: { $ref: 'Id' }, a: { $ref: '#/x/Y' }, required: { const: 'all' } } };
    assert.deepEqual(join({ schema, required: 'all' }),
      { schema: { required: ['b', 'a', 'required'], properties: { b: { $ref: '#/components/schemas/Id' }, a: { $ref: '#/x/Y' }, required: { const: 'all' } } }, required: 'all' });
  });

  it('are refused where they contradict themselves', () => {
    assert.equal(join({ a: { b: 1 } }, { a: { b: 1 } }), 'join_openapi: /1.json: "b" is in another file already');
    assert.equal(join({ a: { $use: 'none' } }), 'join_openapi: there is no fragment "none"');
    assert.equal(join({ fragments: { idle: {} } }), 'join_openapi: the fragment "idle" is not used');
    assert.match(join({ fragments: { round: { a: { $use: 'round' } } }, b: { $use: 'round' } }), /uses itself/);
    assert.match(join({ fragments: { list: [] }, b: { $use: 'list', c: 1 } }), /"list" is no object/);
    assert.match(join({ a: { $use: 7 } }), /\$use takes the name/);
    assert.match(join('{"a": 1,\n"a": 2}'), /^join_openapi: \/0\.json:2: duplicate object key/);
    assert.match(join('[]'), /^join_openapi: \/0\.json/);
  });
});
