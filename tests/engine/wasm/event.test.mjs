// event.wasm and `tillroll event` are the same code on two JSON libraries: whatever is changed in a bundle, they say the same.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';

import { build, root } from '../../api/support/build.mjs';
import { judgeInBrowser, sameInBrowser, sealed } from './bundles.mjs';

const directory = mkdtempSync(path.join(os.tmpdir(), 'tillroll-'));
after(() => rmSync(directory, { recursive: true }));

function prove(bundle, ...options) {
  const file = path.join(directory, 'event.bundle');
  writeFileSync(file, bundle, 'latin1');
  const { status, stdout, stderr } = spawnSync(path.join(build, 'tillroll'), ['event', ...options, file], { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

// Bundles as bytes, one a character, so that any byte can be changed.
const club = (slug) => readFileSync(path.join(root, `deploy/club/${slug}.bundle`), 'latin1');
function same(bundle) {
  const proof = prove(bundle);
  sameInBrowser(Buffer.from(bundle, 'latin1'), proof);
  return proof;
}

describe('event.wasm', { skip: !existsSync(path.join(build, 'event.wasm')) }, () => {
  for (const slug of ['mall-world', 'shinjuku', 'super-motherload', 'supermarche', 'superstore-3000']) it(`computes what the command computes, ${slug}`, () => {
    const bundle = club(slug);
    assert.equal(same(bundle).status, 0);
    assert.deepEqual(judgeInBrowser(Buffer.from(bundle, 'latin1')).results, JSON.parse(prove(bundle, '--json').output));
  });

  it('refuses what the command refuses, line by line', () => {
    const lines = club('superstore-3000').trimEnd().split('\n');
    const statuses = [];
    const edits = {
      dropped: (i) => lines.toSpliced(i, 1),
      repeated: (i) => lines.toSpliced(i, 0, lines[i]),
      exchanged: (i) => lines.with(i, lines[i + 1]).with(i + 1, lines[i]),
    };
    for (const [what, edit] of Object.entries(edits))
      for (let i = 0; i < lines.length - 2; i++)
        statuses.push([what, lines[i], same(sealed(`${edit(i).join('\n')}\n`)).status]);
    // The names of people who did not play may be missing, and names and records may come in any order.
    const accepted = statuses.filter(([, , status]) => status === 0);
    assert.ok(accepted.every(([what, line]) => what === 'exchanged' || (what === 'dropped' && line.startsWith('{"name":'))), accepted.join());
    assert.ok(accepted.every(([, line]) => !line.startsWith('{"actor":')), accepted.join());
  });

  it('refuses every number of the log that is changed', () => {
    const bundle = club('supermarche');
    const numbers = [...bundle.matchAll(/^\{"actor":.*$/gm)].flatMap((line) => [...line[0].matchAll(/(?<=[:[,])\d+(?=[,\]}])/g)].map((each) => [line.index + each.index, each[0]]));
    for (const [at, number] of numbers.filter((_, i) => i % 2 === 0))
      same(sealed(`${bundle.slice(0, at)}${BigInt(number) + 1n}${bundle.slice(at + number.length)}`));
    assert.ok(numbers.length > 100, numbers.length);
  });

  it('reads JSON as strictly', () => {
    const bundle = club('shinjuku');
    const at = /"detail":\{/.exec(bundle).index + '"detail":{'.length;
    const within = (text) => `${bundle.slice(0, at)}${text}${bundle.slice(at)}`;
    const values = ['01', '-', '-0', '0', '-1', '9223372036854775807', '9223372036854775808', '-9223372036854775808', '-9223372036854775809', 'tru', 'true', 'nul', 'null',
      '""', '"', '"\\u0041"', '"\\u0000"', '"\\u0001"', '"\\u001f"', '"\\u001F"', '"\\n"', '"\\/"', '"/"', '"\\x"', '"\t"', '"\x7f"', '"\\ud800"', '"\\ud83d\\ude00"', '"\\udc00"',
      '"\xc3\xa4"', '"\xc0\x80"', '"\xed\xa0\x80"', '"\xf0\x9f\x98\x80"', '"\xf4\x90\x80\x80"', '"\xff"', '"\xc3"', '"\xe2\x82"', '[]', '{}', '[1,2]', '[1,]', '[1 ,2]', '{"a":1,"b":2}', '{"b":1,"a":2}',
      '{"a":1,"a":2}', '{"a"}', '[', '{', '[}', `${'['.repeat(100)}${']'.repeat(100)}`, `${'['.repeat(2047)}${']'.repeat(2047)}`, `${'['.repeat(5000)}`, '"\\u00e4"', '"\\b\\f\\r\\t"', '"\\\\\\""', ' 1', '1 '];
    const said = values.map((value) => same(sealed(within(`"a":${value},`)), value).output.replace(/^.*: invalid: (?:line \d+: )?([a-z-]+): [^]*$/, '$1'));
    // Values in canonical form come to the rules of the log; all others are no canonical JSON.
    assert.ok(new Set(said).size > 1 && said.includes('not-canonical'), said.join(' '));
    for (const key of ['a', '\\u0061', '\\"', '\xc3\xa4', '', 'zz'])
      same(sealed(within(`"${key}":1,`)));
  });
});
