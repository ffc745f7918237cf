// Two services on one database behind nginx with deploy/proxy/nginx.conf (TILLROLL_NGINX may name it elsewhere), restarted one after
// the other while games are played and pages are read: nobody sees anything of it.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Client } from '../api/support/client.mjs';
import { Random } from '../api/support/play.mjs';
import { Testbed } from '../api/support/testbed.mjs';
import { sleep, until } from '../api/support/waiting.mjs';
import { Witness } from '../faults/witness.mjs';
import { Nginx, freePort, nginx, skipped } from './support/nginx.mjs';

const directory = mkdtempSync(path.join(os.tmpdir(), 'tillroll-restart-'));
chmodSync(directory, 0o755); // nginx's workers are another user's
after(() => rmSync(directory, { recursive: true, force: true }));

// The clients are all at one address and do without TLS; idle connections are kept for less time, as is meant for the service.
const changed = (site) => site.replace(' ssl http2;', ';').replace('rate=200r/s', 'rate=100000r/s').replace('keepalive_timeout 4s', 'keepalive_timeout 1s');
const options = ['--drain-ms', '2500', '--trusted-proxy', '127.0.0.1'];

// Reads whatever is there, as fast as it is answered. What is not answered with 200 is kept.
class Reader {
  answers = 0;
  failures = [];
  #over = false;

  constructor(client, targets) {
    this.finished = this.#read(client, targets);
  }

  async #read(client, targets) {
    for (let i = 0; !this.#over; i++) {
      const list = targets();
      const target = list[i % list.length];
      const answer = await client.get(target, { unchecked: true }).catch((error) => ({ status: error.message }));
      if (answer.status === 200) this.answers++;
      else this.failures.push(`${target}: ${answer.status} ${answer.text ?? ''}`);
      await sleep(10);
    }
  }

  stop() {
    this.#over = true;
    return this.finished;
  }
}

describe('a restart of all services, one after the other', skipped(nginx, '-v'), () => {
  let bed, proxy, site, services;

  const startAt = (port) => bed.startService(['--listen', `127.0.0.1:${port}`, ...options]);
  before(async () => {
    bed = new Testbed();
    services = [];
    for (let i = 0; i < 2; i++) services.push(await startAt(await freePort()));
    proxy = new Nginx(directory);
    site = new Client(await proxy.configure(services.map((each) => each.client.port), changed));
    await proxy.start();
  });
  after(async () => {
    site?.close();
    await proxy?.end();
    await bed.end();
  });

  const requestsOf = (service) => readFileSync(service.log, 'utf8').split('\n').length;

  it('fails no request, and every acknowledged move is there once', async () => {
    const witness = new Witness(() => [site], new Random('restart'));
    await witness.prepare(4);
    witness.start();
    await witness.moreMoves(20);
    const games = () => witness.games.slice(-4).flatMap(({ at }) => [at, `${at}/view`, `${at}/record`]);
    const readers = Array.from({ length: 3 }, () => new Reader(site, () => ['/', '/v1/rulesets', ...games()]));
    for (let i = 0; i < services.length; i++) {
      const { port } = services[i].client;
      assert.deepEqual(await services[i].end(), [0, null]);
      services[i] = await startAt(port);
      await witness.moreMoves(20);
      await until(60, 'it is asked again', () => requestsOf(services[i]) > 20);
    }
    for (const reader of readers) await reader.stop();
    await witness.stop({ hurry: true });
    assert.deepEqual(readers.flatMap((reader) => reader.failures), []);
    assert.deepEqual([witness.away, witness.unknown], [0, 0]);
    assert.deepEqual(await witness.checkAll(), []);
    assert.ok(readers.every((reader) => reader.answers > 30) && witness.moves > 60, `${witness.moves} moves`);
    // Connections that ended under a request, whether another service then answered it or not. One that was not made has had none: in the
    // moment in which a service closes its socket the system resets who is just connecting.
    const ended = readFileSync(proxy.errors, 'utf8').split('\n').filter((line) => !line.includes('connect() failed'));
    assert.doesNotMatch(ended.join('\n'), /prematurely closed|reset by peer|no live upstreams/);
  });
});
