// Where faults happen: a private cluster and services on it, which are killed, stopped and cut off.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

import { Random } from '../api/support/play.mjs';
import { Testbed } from '../api/support/testbed.mjs';
import { until } from '../api/support/waiting.mjs';
import { Witness } from './witness.mjs';

// [pid, parent, what it is called] of every process; of one that ends meanwhile nothing.
function processes() {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const parent = Number(/\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))[1]);
      return [[Number(pid), parent, readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')]];
    } catch {
      return [];
    }
  });
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

export class Field extends Testbed {
  services = [];
  #options = [];
  #environment;

  // `services`: how many there are. `environment`: of them, or what makes it in a directory of this
  // field. `prepare`: see Cluster in testbed.mjs. `lines`: how many line databases, each in a cluster of its own.
  static async open({ seed, services = 2, options = [], environment = {}, prepare, lines = 0 } = {}) {
    const field = new Field({ durable: true, prepare, lines, apart: true });
    field.random = new Random(seed ?? 'field');
    field.#options = options;
    field.#environment = typeof environment === 'function' ? environment(field.directory) : environment;
    assert.equal(field.asAdministrator('SHOW fsync'), 'on');
    for (let at = 0; at < services; at++) await field.startAt(at);
    return field;
  }

  async startAt(at) {
    await this.startServiceAt(at, this.#environment);
  }

  async startServiceAt(at, environment, place) {
    this.services[at] = await this.startService(this.#options, environment, 'tillrolld', place);
  }

  // The clients of all services, in one of two orders at random.
  clients() {
    const clients = this.services.map((service) => service.client);
    return this.random.below(2) ? clients : clients.reverse();
  }

  async match(tables, options) {
    const witness = new Witness(() => this.clients(), this.random, options);
    await witness.prepare(tables);
    witness.start();
    return witness;
  }

  // The postmaster of this field's cluster; undefined if it does not run.
  postmaster() {
    return this.cluster.pid();
  }

  // Its processes, itself first.
  postgres(cluster = this.cluster) {
    const postmaster = cluster.pid();
    if (postmaster === undefined) return [];
    return [postmaster, ...processes().filter(([, parent]) => parent === postmaster).map(([pid]) => pid)];
  }

  signalPostgres(signal, cluster = this.cluster) {
    for (const pid of this.postgres(cluster)) send(pid, signal);
  }

  // One process that works for a service. The postmaster then ends all others, and recovers.
  killBackend(signal = 'SIGKILL', cluster = this.cluster) {
    const postmaster = cluster.pid();
    const backends = processes().filter(([, parent, name]) => parent === postmaster && /^postgres: tillrolld /.test(name));
    if (backends.length > 0) send(this.random.pick(backends)[0], signal);
  }

  async killService(at) {
    await this.services[at].end('SIGKILL');
  }

  // Sentences about services that ended by themselves.
  deaths() {
    return this.services.filter(({ died }) => died !== undefined).map(({ died }, at) => `service ${at} died: ${died}`);
  }

  // Until every service can reach the database again.
  async ready(seconds = 60) {
    for (const { client } of this.services)
      await until(seconds, 'a service is ready', async () => (await client.get('/readyz', { unchecked: true })).status === 200);
  }

  // What services said about requests that failed, without that they could not connect.
  complaints() {
    const lines = this.written().toString().split('\n');
    return lines.filter((line) => line.includes('"message":"') && !/cannot open a session|cannot listen|listening on|closed the conn|warning: term/.test(line)).slice(-40).join('\n    ');
  }

  // Statements of the superuser.
  asAdministrator(statements, cluster = this.cluster) {
    const url = cluster.migratorUrl.replace('tillroll_migrator@', 'postgres@');
    return execFileSync('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', url], { input: statements, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'], timeout: 20_000, maxBuffer: 1 << 30 }).trim();
  }

  // False if they cannot be carried out.
  tryAsAdministrator(statements) {
    try {
      this.asAdministrator(statements);
      return true;
    } catch {
      return false;
    }
  }

  // Sentences about what is not as it was said to be, when all play has ended.
  async faults(witness) {
    const faults = [...this.deaths(), ...(await witness.checkAll())];
    const audit = this.tillroll('audit');
    if (audit.status !== 0) faults.push(`tillroll audit: ${audit.stderr}${audit.stdout}`);
    const events = Number(this.cluster.sql('SET ROLE tillroll_owner; SELECT count(*) FROM tillroll.event'));
    if (events !== witness.events) faults.push(`${witness.events} events were asked for, there are ${events}`);
    const games = Number(this.cluster.sql('SET ROLE tillroll_owner; SELECT count(*) FROM tillroll.game'));
    if (games !== witness.games.length) faults.push(`${witness.games.length} games were drawn, there are ${games}`);
    return faults;
  }
}

