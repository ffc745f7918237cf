// A record's lines without their marks, to be changed and chained anew as a forger would.
import { createHash } from 'node:crypto';

export const linesOf = (bytes) => bytes.toString('latin1').trimEnd().split('\n').map((line) => line.slice(0, -10));

// The record of these lines. A head gets the hash that belongs there.
export function chain(lines) {
  let before = '';
  return Buffer.from(lines.map((line, i) => {
    const whole = line.startsWith('head ') ? `head ${before}` : line;
    before = createHash('sha256').update(i === 0 ? `${whole}\n` : `${before} ${whole}\n`).digest('hex');
    return `${whole} #${before.slice(0, 8)}\n`;
  }).join(''));
}
