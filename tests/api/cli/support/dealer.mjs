// Processes of `tillroll dealer`, and what services send them (engine/record/dealer.h).
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

import { until } from '../../support/waiting.mjs';
import { Signer, tillroll } from './witness.mjs';

export const inputText = ({ scope, commitment, entropy = '-' }) => `tillroll dealer 1\n${scope}\n${commitment}\n${entropy}\n`;

// The body of a request, signed with the key of a log.
export function requestOf(input, signer) {
  const text = typeof input === 'string' ? input : inputText(input);
  return `${text}\n${signer.note(text)}`;
}

export class Dealer {
  constructor(directory) {
    this.directory = directory;
    const { stdout, stderr, status } = spawnSync(tillroll, ['dealer', 'new', directory], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    this.key = stdout.trim();
    assert.match(this.key, /^[0-9a-f]{64}$/);
  }

  // Starts it, and resolves when it serves, or with its exit status if it does not start.
  async start(policy, listen = '127.0.0.1:0') {
    this.said = '';
    this.process = spawn(tillroll, ['dealer', 'serve', this.directory, '--policy', policy, '--listen', listen, '--rate', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.process.stderr.setEncoding('utf8').on('data', (text) => { this.said += text; });
    const process = this.process;
    this.ended = once(process, 'exit').then(([status, signal]) => status ?? signal);
    const port = await Promise.race([this.ended.then((status) => ({ status })), until(20, 'the dealer serves', () => / port (\d+)/.exec(this.said)?.[1])]);
    if (typeof port === 'object') return port.status;
    this.url = `http://127.0.0.1:${port}`;
    return null;
  }

  async stop(signal = 'SIGTERM') {
    if (this.process === undefined) return;
    this.process.kill(signal);
    await this.ended;
    this.process = undefined;
  }

  async send(body, path = '/deal') {
    const answer = await fetch(`${this.url}${path}`, { method: 'POST', body });
    return { status: answer.status, text: await answer.text() };
  }

  async answers(from = 0) {
    return (await (await fetch(`${this.url}/answers/${from}`)).text()).split('\n').slice(0, -1);
  }
}

export { Signer };
