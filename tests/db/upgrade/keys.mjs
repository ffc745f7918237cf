// The keys of the service that filled the dumps, which today's needs to go on with their games:
// keys.mjs DIRECTORY, or writeKeys().
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const seed = Buffer.alloc(32, 'dumps of a test');

export function writeKeys(directory) {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const key = createPublicKey(createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }));
  const signing = Buffer.concat([seed, key.export({ format: 'der', type: 'spki' }).subarray(-32)]);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(directory, 'signing.key'), signing, { mode: 0o600 });
  writeFileSync(path.join(directory, 'sealing.key'), seed, { mode: 0o600 });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeKeys(process.argv[2]);
