// The verifier for browsers says of every file what `tillroll verify` says, word for word: of records in which everything
// happens, of damaged and of forged ones, of signatures and proofs. TILLROLL_DAMAGED sets how many records are damaged.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { hexOf } from '../../../web-static/lib/bytes.js';
import { chainHead, knowsEd25519, Verifier } from '../../../web-static/verify/verifier.js';
import { daily, isLong } from '../../long.mjs';
import { chain, linesOf } from '../record/roll_lines.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../../..');
const build = path.resolve(root, process.env.TILLROLL_BUILD ?? 'build/release');
const damaged = Number(process.env.TILLROLL_DAMAGED ?? (isLong ? 3000 : 200));
const rolls = 48; // eight of each ruleset, versions that were given up included

const folder = mkdtempSync(path.join(tmpdir(), 'verified-'));
after(() => rmSync(folder, { recursive: true }));
execFileSync(path.join(build, 'tests/write_roll'), ['--all', String(rolls), folder]);
const roll = (number) => readFileSync(path.join(folder, `${number}.roll`));
const records = Array.from({ length: rolls }, (_, number) => roll(number));

let verifier;
before(async () => {
  verifier = await Verifier.make(readFileSync(path.join(build, 'verify.wasm')));
});

let state = 1;
const below = (n) => {
  state = (state * 48271) % 2147483647;
  return state % n;
};
const oneOf = (list) => list[below(list.length)];

/* ---- Two verifiers ---- */

// What the command says of each of these files, behind its name.
function commandSays(files, options = []) {
  files.forEach((bytes, i) => writeFileSync(path.join(folder, String(i)), bytes));
  const { stdout } = spawnSync(path.join(build, 'tillroll'), ['verify', ...options, ...files.keys()], { cwd: folder, maxBuffer: 1 << 26 });
  const said = files.map(() => []);
  for (const line of stdout.toString().split('\n').slice(0, -1)) {
    const [, name, words] = /^(\d+): ([^]*)$/.exec(line);
    said[Number(name)].push(words);
  }
  return said;
}

// A record of each game with printed components.
const recorded = [['mall-world', 3], ['shinjuku', 2], ['super-motherload', 2], ['supermarche', 1], ['superstore-3000', 4]]
  .map(([slug, seats]) => execFileSync(path.join(build, 'tests/write_roll'), [slug, String(seats), '5', 'recorded']));

function verdictOf(said) {
  if (said.some((line) => line.startsWith('invalid: '))) return 'invalid';
  return said.some((line) => /^(unfinished|not judged): /.test(line)) ? 'unknown' : 'valid';
}

// The command shows no control characters, and no bytes that are none of UTF-8.
const forTerminal = (line) => line.replace(/[\0-\x1f\x7f-\x9f\ufffd]/g, '?');

// Both say the same of all of these. Resolves with the lines, one list a file.
async function agree(files, options = [], key = '', trust = {}) {
  const expected = commandSays(files, options);
  for (const [i, bytes] of files.entries()) {
    const { verdict, said } = await verifier.judge(bytes, key, undefined, trust);
    assert.deepEqual(said.map(forTerminal), expected[i], `file ${i}:\n${bytes.toString('latin1').slice(0, 2000)}`);
    assert.equal(verdict, verdictOf(said));
  }
  return expected;
}

// The same for `count` files that `make` makes.
async function agreeOnMany(count, make) {
  const most = 1000;
  const said = [];
  while (said.length < count) said.push(...await agree(Array.from({ length: Math.min(most, count - said.length) }, (_, i) => make(said.length + i))));
  return said;
}

/* ---- Damage ---- */

const splice = (bytes, at, count, ...parts) => Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at + count)]);
const marked = (bytes) => bytes.toString('latin1').split(/(?<=\n)/).map((line) => Buffer.from(line, 'latin1'));

const damages = [
  (bytes) => {
    const turned = Buffer.from(bytes);
    turned[below(bytes.length)] ^= 1 << below(8);
    return turned;
  },
  (bytes) => splice(bytes, below(bytes.length), 1),
  (bytes) => splice(bytes, below(bytes.length), 0, Buffer.from([below(256)])),
  (bytes) => bytes.subarray(0, below(bytes.length)),
  (bytes) => {
    const lines = marked(bytes);
    const at = below(lines.length - 1);
    return Buffer.concat(oneOf([lines.toSpliced(at, 1), lines.toSpliced(at, 0, lines[at]), lines.toSpliced(at, 2, lines[at + 1], lines[at]), lines.slice(0, at)]));
  },
];

/* ---- Forgery: the chain is made to fit ---- */

const isEntry = (line) => /^\d/.test(line);

function renumbered(lines) {
  let seq = 0;
  return lines.map((line) => (isEntry(line) ? line.replace(/^\d+/, () => ++seq) : line));
}

const forgeries = [
  // A number that is one more or less, or much more.
  (lines) => {
    const at = below(lines.length);
    const numbers = [...lines[at].matchAll(/(?<= )-?\d+(?= |$)/g)];
    if (numbers.length === 0) return lines;
    const number = oneOf(numbers);
    return lines.with(at, lines[at].slice(0, number.index) + (Number(number[0]) + oneOf([1, -1, 1, 1000000])) + lines[at].slice(number.index + number[0].length));
  },
  // A word of another line, from the same place mostly.
  (lines) => {
    const at = below(lines.length);
    const words = lines[at].split(' ');
    const others = oneOf(lines).split(' ');
    const place = below(words.length);
    return lines.with(at, words.with(place, others[place] ?? oneOf(others)).join(' '));
  },
  (lines) => lines.toSpliced(1 + below(lines.length - 1), 1),
  (lines) => renumbered(lines.toSpliced(1 + below(lines.length - 1), 1)),
  (lines) => {
    const at = 1 + below(lines.length - 2);
    return renumbered(lines.toSpliced(at, 2, lines[at + 1], lines[at]));
  },
  (lines) => {
    const at = lines.findIndex(isEntry) + below(lines.filter(isEntry).length);
    return renumbered(lines.toSpliced(at, 0, lines[at]));
  },
  // The move of another entry.
  (lines) => {
    const entries = lines.flatMap((line, at) => (isEntry(line) ? [at] : []));
    const [at, other] = [oneOf(entries), oneOf(entries)];
    return lines.with(at, [...lines[at].split(' ').slice(0, 3), ...lines[other].split(' ').slice(3)].join(' '));
  },
  // The commitment to another secret.
  (lines) => lines.map((line) => line.replace(/^commit ./, (word) => (word.endsWith('0') ? 'commit 1' : 'commit 0'))),
];

describe('the verifier for browsers', () => {
  it('says of good records what the command says, and what is in them', async () => {
    const said = await agree(records);
    const rulesets = new Set(said.map(([line]) => /^valid: (\S+ \S+), /.exec(line)[1]));
    assert.equal(rulesets.size, 6);
    for (const [i, record] of records.entries()) {
      const given = /^entropy \d|^dealer .* [0-9a-f]{160} #/m.test(record.toString());
      assert.equal(said[i].some((line) => line.startsWith('no player gave entropy: ')), !given, `record ${i}`);
    }
    assert.ok(rulesets.has('supermarche 0.9.0'));
    for (const [i, bytes] of records.entries()) {
      const { found } = await verifier.judge(bytes);
      const lines = linesOf(bytes);
      const results = lines.flatMap((line) => { const result = / result (\d) (-?\d+) (\d)$/.exec(line); return result === null ? [] : [result.slice(1).map(Number)]; });
      assert.equal(found.lines, lines.length);
      assert.deepEqual(found.dealers, lines.filter((line) => line.startsWith('dealer ')).map((line) => line.split(' '))
        .map(([, name, , proof]) => ({ name, proved: proof !== 'missing' })), `record ${i}`);
      assert.equal(found.game.id, lines[1].split(' ')[1]);
      assert.deepEqual(found.seats.map(({ seat, score, rank }) => [seat, score, rank]), results, `record ${i}`);
      assert.equal(found.voided ?? false, results.length === 0);
      assert.equal(found.head, await chainHead(bytes, found.lines));
    }
  });

  it('names the same line and fault in what is damaged', async () => {
    const said = await agreeOnMany(Math.ceil(damaged / 2), (i) => damages[i % damages.length](records[below(rolls)]));
    assert.ok(said.filter(([line]) => line.startsWith('invalid: ')).length > said.length / 2);
    assert.ok(said.some(([line]) => line.startsWith('unfinished: ')));
  });

  it('and in what is forged, so that only the game tells', async () => {
    const said = await agreeOnMany(Math.floor(damaged / 2), (i) => chain(forgeries[i % forgeries.length](linesOf(records[below(rolls)]))));
    const codes = new Set(said.flatMap(([line]) => /^invalid: (?:line \d+: )?([a-z-]+): /.exec(line)?.[1] ?? []));
    console.log(`# ${said.length} forged records: ${[...codes].sort().join(', ')}`);
    for (const code of ['bad-line', 'illegal-ply', 'wrong-sequence', 'wrong-time', 'wrong-result', 'wrong-commitment', ...(damaged >= 3000 ? ['unknown-ruleset', 'bad-timeout', 'bad-ruling'] : [])])
      assert.ok(codes.has(code), `nothing was ${code}`);
  });

  it('tells how far it has come', async () => {
    const longest = records.reduce((a, b) => (a.length > b.length ? a : b));
    const told = [];
    await verifier.judge(longest, '', (lines) => told.push(lines));
    assert.deepEqual(told, Array.from({ length: Math.floor(linesOf(longest).length / 512) }, (_, i) => 512 * (i + 1)));
  });

  it('refuses what is too long as the command does', async () => {
    const line = Buffer.from(`${'x'.repeat(511)}\n`);
    const long = Buffer.concat(Array.from({ length: 8 * 2048 + 1 }, () => line));
    assert.ok(long.length > 8 << 20 && long.length < verifier.size);
    const [said] = await agree([long]);
    assert.match(said[0], /too-long/);
  });
});

/* ---- Signatures ---- */

describe("players' signatures", () => {
  const numbers = Array.from({ length: rolls }, (_, number) => number);
  const signatures = (number) => readFileSync(path.join(folder, `${number}.sig`));

  // The last line that the command says of them.
  function commandSaysOf(bytes, record) {
    writeFileSync(path.join(folder, 'one.sig'), bytes);
    writeFileSync(path.join(folder, 'one.roll'), record);
    const { stdout } = spawnSync(path.join(build, 'tillroll'), ['verify', '--signatures', 'one.sig', 'one.roll'], { cwd: folder, encoding: 'utf8' });
    return stdout.split('\n').at(-2).replace(/^one\.sig: /, '');
  }

  async function agreeOn(bytes, record) {
    const { verdict, said } = await verifier.judgePlayers(record, bytes);
    assert.deepEqual(said.map(forTerminal), [commandSaysOf(bytes, record)]);
    assert.equal(verdict, verdictOf(said));
    return said[0];
  }

  it('are found good, also those made before a line that their player had not seen', async () => {
    assert.ok(await knowsEd25519());
    for (const number of numbers.slice(0, 12)) assert.match(await agreeOn(signatures(number), records[number]), /^valid: /);
  });

  it('are found bad, the same one', async () => {
    const number = numbers.find((each) => signatures(each).length > 1000);
    for (let i = 0; i < 40; i++) await agreeOn(damages[i % damages.length](signatures(number)), records[number]);
    assert.match(await agreeOn(signatures(number), records[number === 0 ? 1 : 0]), /^invalid: /);
  });

  // A key of which everything is signed: a browser may take it, the engine does not.
  it('by a key that is weak hold for nothing', async () => {
    const number = numbers.find((each) => linesOf(records[each]).some((line) => /^seat .* [0-9a-f]{64}$/.test(line)));
    const weak = `01${'00'.repeat(31)}`;
    const base = `58${'66'.repeat(31)}`;
    let seat;
    const record = chain(linesOf(records[number]).map((line) => {
      if (seat !== undefined || !/^seat .* [0-9a-f]{64}$/.test(line)) return line;
      seat = line.split(' ')[1];
      return line.replace(/[0-9a-f]{64}$/, weak);
    }));
    assert.equal((await verifier.judge(record)).verdict, 'valid');
    const seq = linesOf(record).find((line) => new RegExp(`^\\d+ ${seat} `).test(line)).split(' ')[0];
    const forged = Buffer.from(`tillroll signatures 1\ngame ${linesOf(record)[1].split(' ')[1]}\n${seq} ${base}01${'00'.repeat(31)}\n`);
    assert.match(await agreeOn(forged, record), /^invalid: line 3: bad-signature: /);
  });
});

/* ---- The server's signature and its log ---- */

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts.map((part) => Buffer.from(part)))).digest();

// A server's key, and a log of its that holds one record.
class Server {
  #pair = generateKeyPairSync('ed25519');

  constructor(name) {
    this.name = name;
    const raw = this.#pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    const typed = Buffer.concat([Buffer.from([1]), raw]);
    this.id = sha256(name, '\n', typed).subarray(0, 4);
    this.vkey = `${name}+${hexOf(this.id)}+${typed.toString('base64')}`;
  }

  note(text) {
    return Buffer.concat([text, Buffer.from(`\n${this.line(text)}`)]);
  }

  line(text) {
    return `— ${this.name} ${Buffer.concat([this.id, sign(null, text, this.#pair.privateKey)]).toString('base64')}\n`;
  }

  get hex() {
    return hexOf(Buffer.from(this.vkey.slice(-44), 'base64').subarray(1));
  }

  // The line of a witness of that name, and its key.
  cosign(text, time) {
    const raw = this.#pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    const typed = Buffer.concat([Buffer.from([4]), raw]);
    const id = sha256(this.name, '\n', typed).subarray(0, 4);
    const seconds = Buffer.alloc(8);
    seconds.writeBigUInt64BE(BigInt(time));
    const signature = sign(null, Buffer.concat([Buffer.from(`cosignature/v1\ntime ${time}\n`), text]), this.#pair.privateKey);
    return { vkey: `${this.name}+${hexOf(id)}+${typed.toString('base64')}`, line: Buffer.from(`— ${this.name} ${Buffer.concat([id, seconds, signature]).toString('base64')}\n`) };
  }

  bundle(record) {
    const [, game] = linesOf(record)[1].split(' ');
    const leaf = sha256('\0', `tillroll game\n${game}\n${linesOf(record).at(-1).split(' ')[1]}\n`);
    const other = sha256('\0', 'another leaf');
    const root = sha256('\x01', other, leaf);
    const checkpoint = this.note(Buffer.from(`${this.name}\n2\n${root.toString('base64')}\n`));
    return Buffer.concat([this.note(record), Buffer.from(`\nc2sp.org/tlog-proof@v1\nindex 1\n${other.toString('base64')}\n\n`), checkpoint]);
  }
}

describe('bundles', () => {
  const server = new Server('club.example/log');
  const stranger = new Server('other.example/log');
  const namesake = new Server('club.example/log');
  const shortest = records.reduce((a, b) => (a.length < b.length ? a : b));
  const note = server.note(shortest);
  const bundle = server.bundle(shortest);

  it('are signed and in the log, by the right key only', async () => {
    assert.deepEqual(await agree([bundle], ['--log-key', server.vkey], server.vkey), [
      [(await verifier.judge(shortest)).said[0], 'signed by club.example/log', 'in the log club.example/log of 2 leaves']]);
    assert.equal((await agree([note], ['--key', server.vkey], server.vkey))[0][1], 'signed by club.example/log');
    for (const { vkey } of [stranger, namesake]) {
      await agree([bundle], ['--log-key', vkey], vkey);
      await agree([note], ['--key', vkey], vkey);
    }
    await agree([bundle, note]);
  });

  it('of which a part is not there say so', async () => {
    const parts = async (bytes, key) => { const { verdict, found } = await verifier.judge(bytes, key); return [verdict, found.signature, found.proof]; };
    assert.deepEqual(await parts(bundle, server.vkey), ['valid', 'valid', 'valid']);
    assert.deepEqual(await parts(note, server.vkey), ['valid', 'valid', 'absent']);
    assert.deepEqual(await parts(shortest, server.vkey), ['valid', 'absent', 'absent']);
    assert.deepEqual(await parts(bundle, ''), ['unknown', 'unknown', 'unknown']);
    assert.deepEqual(await parts(bundle, stranger.vkey), ['invalid', 'invalid', 'invalid']);
    const unsigned = Buffer.concat([shortest, bundle.subarray(note.length)]);
    assert.deepEqual(await parts(unsigned, server.vkey), ['invalid', 'invalid', 'valid']);
    await agree([unsigned], ['--log-key', server.vkey], server.vkey);
    assert.equal((await verifier.judge(bundle, 'nonsense')).found.noKey, true);
  });

  // The text of the checkpoint, and one witness more in each bundle.
  const checkpoint = bundle.subarray(bundle.lastIndexOf('\n\nclub.example/log\n') + 2, bundle.lastIndexOf('\n\n') + 1);
  const cosigners = ['w1', 'w2', 'w3', 'w4'].map((name) => new Server(`${name}.example`));
  const witnesses = cosigners.map((each) => each.cosign(checkpoint, 1795187049));
  const cosigned = (...lines) => Buffer.concat([bundle, ...lines]);
  const policy = (logs, quorum = '2 of 3') => `# ${quorum}\n${logs.map(({ vkey }) => `log ${vkey}\n`).join('')}${witnesses.slice(0, 3).map(({ vkey }, i) => `witness W${i + 1} ${vkey}\n`).join('')}group some 2 W1 W2 W3\nquorum some\n`;
  const policyFile = path.join(folder, 'policy');
  const byPolicy = async (bytes, text, hours = null) => {
    writeFileSync(policyFile, text);
    const options = hours === null ? [] : ['--max-age', String(hours)];
    const [lines] = await agree([bytes], ['--policy', policyFile, ...options], text, hours === null ? {} : { notBefore: Math.floor(Date.now() / 1000) - hours * 3600 });
    return lines.slice(1).filter((line) => !line.startsWith('no player gave entropy'));
  };
  const faultOf = (lines) => lines.filter((line) => line.startsWith('invalid: ')).map((line) => line.split(': ')[1]);

  it('are witnessed by enough of those whom a policy names', async () => {
    const own = policy([server]);
    const [one, two, , other] = witnesses;
    assert.deepEqual(await byPolicy(cosigned(one.line, two.line), own), ['signed by club.example/log', 'in the log club.example/log of 2 leaves',
      'witnessed by 2 of 3 witnesses: W1 2026-11-20T15:04:09Z, W2 2026-11-20T15:04:09Z']);
    assert.deepEqual(faultOf(await byPolicy(bundle, own)), ['too-few-witnesses']);
    assert.deepEqual(faultOf(await byPolicy(cosigned(one.line, one.line), own)), ['too-few-witnesses']);
    assert.deepEqual(faultOf(await byPolicy(cosigned(one.line, other.line), own)), ['unknown-witness']);
    assert.deepEqual(faultOf(await byPolicy(cosigned(one.line, two.line), policy([stranger]))), ['other-log']);
    assert.deepEqual(faultOf(await byPolicy(cosigned(one.line, two.line), policy([namesake]))), ['no-signature', 'unsigned-checkpoint']);
    assert.deepEqual(faultOf(await byPolicy(cosigned(one.line, two.line), policy([namesake, server]))), []);
    assert.deepEqual(faultOf(await byPolicy(shortest, own)), ['no-proof']);
    assert.deepEqual(faultOf(await byPolicy(cosigned(Buffer.from(one.line.toString().replace(/.{6}==\n/, 'AAAAAA==\n')), two.line), own)), ['forged-cosignature']);
    const short = Buffer.from(cosigned(one.line, two.line).toString('latin1').replace(/(\nindex 1\n)[^\n]+\n/, '$1'), 'latin1');
    assert.deepEqual(faultOf(await byPolicy(short, own)), ['truncated-proof']);
    const aged = cosigned(...cosigners.slice(0, 2).map((each) => each.cosign(checkpoint, Math.floor(Date.now() / 1000) - 100 * 3600).line));
    assert.deepEqual(faultOf(await byPolicy(aged, own, 101)), []);
    assert.deepEqual(faultOf(await byPolicy(aged, own, 99)), ['stale-checkpoint']);
    const nobody = await byPolicy(bundle, `log ${server.vkey}\nquorum none\n`);
    assert.equal(nobody.at(-1), 'witnessed by 0 of 0 witnesses');
    assert.equal((await verifier.judge(bundle, `log ${server.vkey}\n`)).found.noKey, true);
    assert.deepEqual((await verifier.judge(cosigned(one.line, other.line), server.vkey)).found.cosigners, ['w1.example', 'w4.example']);
  });

  it('with cosignatures of which a byte is damaged are refused in the same words', async () => {
    const [one, two] = witnesses;
    const whole = cosigned(one.line, two.line);
    const text = policy([server]);
    writeFileSync(policyFile, text);
    const files = daily([...Array(whole.length - bundle.length).keys()], 5).map((i) => {
      const turned = Buffer.from(whole);
      turned[bundle.length + i] ^= 1 << i % 8;
      return turned;
    });
    const lines = await agree(files, ['--policy', policyFile], text);
    assert.ok(lines.every((each) => each.some((line) => line.startsWith('invalid: '))));
  });

  it('in which anything is damaged are refused in the same words', async () => {
    const files = daily([...Array(bundle.length - shortest.length).keys()], 5).map((i) => {
      const turned = Buffer.from(bundle);
      turned[shortest.length + i] ^= 1 << i % 8;
      return turned;
    });
    // The key of a log asks for a proof, if there is one.
    const proved = (bytes) => bytes.includes('\n\nc2sp.org/tlog-proof@v1\n');
    await agree(files.filter(proved), ['--log-key', server.vkey], server.vkey);
    await agree(files.filter((bytes) => !proved(bytes) && bytes.includes('\n\n')), ['--key', server.vkey], server.vkey);
    await agree(files);
  });
});

/* ---- Changes of the log's key ---- */

describe("a log whose key was replaced", () => {
  const [one, two, three, stranger] = Array.from({ length: 4 }, () => new Server('club.example/log'));
  const record = records.reduce((a, b) => (a.length < b.length ? a : b));
  const [, game] = linesOf(record)[1].split(' ');
  const gameLeaf = sha256('\0', `tillroll game\n${game}\n${linesOf(record).at(-1).split(' ')[1]}\n`);

  // The note of a change, signed by these keys.
  const change = (old, next, signers = [old, next]) => {
    const text = Buffer.from(`tillroll server-key 1\n${old.vkey}\n${next.vkey}\n`);
    return `${text}\n${signers.map((each) => each.line(text)).join('')}`;
  };
  const leafOf = (note, old) => sha256('\0', `tillroll server-key\n${old.hex}\n${hexOf(sha256(note))}\n`);
  const join = (left, right) => sha256('\x01', left, right);

  // A log of four leaves: two changes, the record, and one more, whose checkpoint `signer` has signed.
  function logOf({ first = change(one, two), second = change(two, three), third = sha256('\0', 'more') } = {}) {
    const leaves = [leafOf(first, one), leafOf(second, two), gameLeaf, third];
    const root = join(join(leaves[0], leaves[1]), join(leaves[2], leaves[3]));
    const paths = [[leaves[1], join(leaves[2], leaves[3])], [leaves[0], join(leaves[2], leaves[3])], [leaves[3], join(leaves[0], leaves[1])]];
    const checkpoint = (signer) => signer.note(Buffer.from(`club.example/log\n4\n${root.toString('base64')}\n`));
    const proof = (index, signer) => `c2sp.org/tlog-proof@v1\nindex ${index}\n${paths[index].map((hash) => `${hash.toString('base64')}\n`).join('')}\n${checkpoint(signer)}`;
    const history = (signer = three) => `${first}\n${proof(0, signer)}\n${second}\n${proof(1, signer)}`;
    const bundle = (signer) => Buffer.concat([signer.note(record), Buffer.from(`\n${proof(2, signer)}`)]);
    return { proof, history, bundle };
  }

  const historyFile = path.join(folder, 'history');
  const judge = async (bytes, { vkey }, changes) => {
    writeFileSync(historyFile, changes);
    const [said] = await agree([bytes], ['--log-key', vkey, '--key-changes', historyFile], vkey, { changes });
    return said.filter((line) => !/^(valid|no player gave entropy)/.test(line));
  };
  const faultOf = (lines) => lines.filter((line) => line.startsWith('invalid: ')).map((line) => line.split(': ')[1]);
  const log = logOf();

  it('is followed from the pinned key to the newest one, and back', async () => {
    const good = ['club.example/log has replaced its key, as its log proves; keys up to now: 3', 'signed by club.example/log', 'in the log club.example/log of 4 leaves'];
    for (const pinned of [one, two, three]) assert.deepEqual(await judge(log.bundle(three), pinned, log.history()), good);
    assert.deepEqual(faultOf((await agree([log.bundle(three)], ['--log-key', one.vkey], one.vkey))[0]), ['no-signature', 'unsigned-checkpoint']);
    assert.deepEqual((await verifier.judge(log.bundle(three), one.vkey, undefined, { changes: log.history() })).found.changes, 'valid');
    assert.deepEqual((await verifier.judge(log.bundle(three), three.vkey)).found.changes, 'absent');
  });

  it('what the old key has signed before counts', async () => {
    const other = sha256('\0', 'another leaf');
    const root = join(gameLeaf, other);
    // The checkpoint of one leaf, which is the game: the change to the next key has index 2 here.
    const first = change(one, two);
    const checkpoint = (signer, size, hash) => signer.note(Buffer.from(`club.example/log\n${size}\n${hash.toString('base64')}\n`));
    const old = Buffer.concat([one.note(record), Buffer.from(`\nc2sp.org/tlog-proof@v1\nindex 0\n${other.toString('base64')}\n\n${checkpoint(one, 2, root)}`)]);
    const late = leafOf(first, one);
    const history = `${first}\nc2sp.org/tlog-proof@v1\nindex 2\n${root.toString('base64')}\n\n${checkpoint(two, 3, join(root, late))}`;
    for (const pinned of [one, two]) assert.deepEqual(faultOf(await judge(old, pinned, history)), []);
    assert.deepEqual(faultOf((await agree([old], ['--log-key', one.vkey], one.vkey))[0]), []);
    // But not a checkpoint with the change in it.
    const beyond = Buffer.concat([one.note(record), Buffer.from(`\nc2sp.org/tlog-proof@v1\nindex 0\n${other.toString('base64')}\n${late.toString('base64')}\n\n${checkpoint(one, 3, join(root, late))}`)]);
    assert.deepEqual(faultOf(await judge(beyond, one, history)), ['retired-key']);
  });

  it('is refused with its own error for each thing that is wrong', async () => {
    const faults = async (changes, pinned = one) => (faultOf(await judge(log.bundle(three), pinned, changes)))[0];
    const text = Buffer.from(`tillroll server-key 1\n${one.vkey}\n${two.vkey}\n`);
    const own = stranger.line(text);
    const forged = `${text}\n— club.example/log ${Buffer.concat([one.id, Buffer.from(own.split(' ')[2], 'base64').subarray(4)]).toString('base64')}\n${two.line(text)}`;
    assert.equal(await faults(logOf({ first: forged }).history()), 'forged-key-change');
    assert.equal(await faults(logOf({ first: change(one, two, [two]) }).history()), 'unsigned-key-change');
    assert.equal(await faults(logOf({ first: change(one, two, [one]) }).history()), 'unsigned-key-change');
    assert.equal(await faults(logOf({ first: change(one, two, [stranger, two]) }).history()), 'unsigned-key-change');
    assert.equal(await faults(logOf({ first: change(one, one) }).history()), 'bad-key-change');
    assert.equal(await faults('nonsense\n'), 'bad-key-change');
    // A key is skipped: between two changes, or before the first.
    const [first, second] = [`${change(one, two)}\n${log.proof(0, three)}`, `${change(two, three)}\n${log.proof(1, three)}`];
    assert.equal(await faults(second), 'skipped-key');
    assert.equal(await faults(first, three), 'skipped-key');
    assert.equal(await faults(`${second}\n${first}`), 'skipped-key');
    assert.equal(await faults(log.history(), stranger), 'skipped-key');
    // Not in the log: without a proof, with that of another leaf, below a checkpoint of the old key or of somebody else.
    assert.equal(await faults(change(one, two)), 'unlogged-key-change');
    assert.equal(await faults(`${change(one, two)}\n${log.proof(1, three)}`), 'unlogged-key-change');
    assert.equal(await faults(logOf({ third: sha256('other') }).history().replace(/\nindex 0\n/, '\nindex 2\n')), 'unlogged-key-change');
    assert.equal(await faults(log.history(one)), 'unlogged-key-change');
    assert.equal(await faults(log.history(stranger)), 'unlogged-key-change');
    assert.equal(await faults(`${first}\n`), 'unlogged-key-change');
  });

  it('is followed only below checkpoints that meet the policy', async () => {
    const witness = new Server('w1.example');
    const file = path.join(folder, 'policy-of-keys');
    const bundle = log.bundle(three);
    const checkpoint = bundle.subarray(bundle.lastIndexOf('\n\nclub.example/log\n') + 2, bundle.lastIndexOf('\n\n') + 1);
    const { vkey, line } = witness.cosign(checkpoint, 1795187049);
    const text = `log ${one.vkey}\nwitness W ${vkey}\nquorum W\n`;
    writeFileSync(file, text);
    const judged = async (changes) => {
      writeFileSync(historyFile, changes);
      return faultOf((await agree([Buffer.concat([bundle, line])], ['--policy', file, '--key-changes', historyFile], text, { changes }))[0]);
    };
    const cosigned = `${change(one, two)}\n${log.proof(0, three)}${line}\n${change(two, three)}\n${log.proof(1, three)}${line}`;
    assert.deepEqual(await judged(cosigned), []);
    assert.equal((await judged(log.history()))[0], 'too-few-witnesses');
  });
});

describe('recorded games', () => {
  it('are called recorded, not valid, and damage is found', async () => {
    for (const said of await agree(recorded)) {
      assert.match(said[0], /^recorded: /);
      assert.equal(said[1], 'legal play from the printed components; luck as told by the scorer');
    }
    for (const bytes of recorded) {
      const { found } = await verifier.judge(bytes);
      assert.equal(found.record, 'recorded');
      assert.equal(found.head, await chainHead(bytes, found.lines));
      const lines = linesOf(bytes);
      const bind = lines.findIndex((line) => / bind /.test(line));
      const forged = chain(lines.with(bind, lines[bind].replace(/ [^ ]+$/, ' nothing')));
      const [said] = await agree([forged]);
      assert.match(said[0], /^invalid: line \d+: impossible-component: /);
    }
  });
});
