// Players who sign: keys, what is signed, and signatures, written anew from engine/record/RECORD.md and
// engine/record/keyring.h.
import { createHash, generateKeyPairSync, sign as signWith } from 'node:crypto';

import { good } from './client.mjs';
import { legalMoves } from './play.mjs';

// { hex, sign(text), seed: of the secret key, in hex }
export function makeKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const hex = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32).toString('hex');
  return { hex, seed, sign: (text) => signWith(null, Buffer.from(text), privateKey).toString('hex') };
}

export const keysAt = (player) => `/v1/players/${player.id}/signing-keys`;

// The body that registers `key`, endorsed by the key in use if there is one.
export function registration(player, key, inUse) {
  const text = `tillroll key\n${player.id}\n${key.hex}\n${inUse?.hex ?? '-'}\n`;
  return { key: key.hex, proof: key.sign(text), ...(inUse && { endorsement: inUse.sign(text) }) };
}

// Registers a new key for the player, or for the player's `bot`; remembers it as `player.key`.
export async function register(client, player, { bot, inUse } = {}) {
  const whose = bot ?? player;
  const key = makeKey();
  const keys = good(await client.post(keysAt(whose), registration(whose, key, inUse), player.token));
  whose.key = key;
  return keys;
}

export const signMove = (key, game, head, seat, move) => key.sign(`tillroll move\n${game.id}\n${head}\n${seat}\n${move}\n`);

// Plays a move of the seat with its player's signature. `spoil` may change what is sent.
export async function playSigned(client, game, seat, move, { spoil = (body) => body, legal } = {}) {
  const { seq, head } = legal ?? (await legalMoves(client, game, seat));
  const { key, token } = game.players[seat];
  return client.post(`${game.at}/moves`, spoil({ moves: [move], seq, signature: signMove(key, game, head, seat, move) }), token);
}

// The hash of the leaf that a line of somebody's history is in the transparency log.
export function keyLeaf(player, line) {
  const hash = createHash('sha256').update(`${line}\n`).digest('hex');
  const number = line.split(' ')[0];
  return createHash('sha256').update(`\0tillroll key\n${player.id}/key/${number}\n${hash}\n`).digest('hex');
}
