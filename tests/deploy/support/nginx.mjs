// An nginx of our own with deploy/proxy/nginx.conf, on free ports and with a certificate made for it.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { until, within } from '../../api/support/waiting.mjs';

const site = fileURLToPath(new URL('../../../deploy/proxy/nginx.conf', import.meta.url));
const runs = (program, ...options) => spawnSync(program, options).status === 0;

export const nginx = process.env.TILLROLL_NGINX ?? 'nginx';

// Options of a test that needs a program: skipped where this does not run.
export const skipped = (program, ...options) => (runs(program, ...options) ? {} : { skip: `there is no ${program}` });

export async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

// What the file says of several services, with these ports.
function nameServices(text, ports) {
  const servers = ports.map((port) => `server 127.0.0.1:${port} fail_timeout=1s;`).join(' ');
  const one = text.replaceAll(/^ *#server .*$/gm, '').replace('server 127.0.0.1:8080 fail_timeout=1s;', servers);
  return ports.length === 1 ? one : one.replace('#hash ', 'hash ');
}

export class Nginx {
  #child;

  // `directory`: readable by all, since nginx's workers are another user's.
  constructor(directory) {
    this.directory = directory;
    this.errors = path.join(directory, 'errors');
  }

  // `services`: their ports. `change`: makes the site another. The port that it listens on.
  async configure(services, change = (text) => text) {
    const key = path.join(this.directory, 'key.pem');
    const certificate = path.join(this.directory, 'certificate.pem');
    assert.ok(runs('openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes',
      '-keyout', key, '-out', certificate, '-days', '2', '-subj', '/CN=club.example'), 'openssl makes a certificate');
    this.port = await freePort();
    const plain = await freePort();
    const text = nameServices(readFileSync(site, 'utf8'), services)
      .replaceAll(/^ *listen \[::\].*$/gm, '')
      .replaceAll('listen 80;', `listen 127.0.0.1:${plain};`)
      .replaceAll('listen 443 ', `listen 127.0.0.1:${this.port} `)
      .replaceAll(/\/etc\/letsencrypt\/live\/club\.example\/fullchain\.pem/g, certificate)
      .replaceAll(/\/etc\/letsencrypt\/live\/club\.example\/privkey\.pem/g, key);
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${this.directory}/${name};`);
    const file = path.join(this.directory, 'nginx.conf');
    writeFileSync(file, `daemon off; pid ${this.directory}/pid; error_log ${this.errors};
events {} http { access_log off; ${places.join(' ')}\n${change(text)} }`);
    this.options = ['-p', this.directory, '-e', this.errors, '-c', file];
    const run = spawnSync(nginx, ['-t', '-q', ...this.options], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    return this.port;
  }

  async start() {
    this.#child = spawn(nginx, this.options, { stdio: 'ignore' });
    await until(60, 'nginx listens', () => new Promise((resolve) => {
      const socket = net.connect(this.port, '127.0.0.1', () => { socket.destroy(); resolve(true); }).on('error', () => resolve(false));
    }));
  }

  async end() {
    if (this.#child?.pid === undefined) return;
    this.#child.kill('SIGTERM');
    await within(10, 'nginx ends', once(this.#child, 'exit'));
  }
}
