// Prints what PostgreSQL keeps of a password (SCRAM, RFC 5802), after one round of hashing instead of 4,096: for clusters of tests, whose
// clients would spend milliseconds on each connection.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const hmac = (key, text) => createHmac('sha256', key).update(text).digest();

const salt = randomBytes(16);
const salted = pbkdf2Sync(process.argv[2], salt, 1, 32, 'sha256');
const stored = createHash('sha256').update(hmac(salted, 'Client Key')).digest();
const [first, second, third] = [salt, stored, hmac(salted, 'Server Key')].map((bytes) => bytes.toString('base64'));
console.log(`SCRAM-SHA-256$1:${first}$${second}:${third}`);
