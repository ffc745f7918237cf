// A primary and its standby, each on a machine of its own (network.mjs), and two services that know of
// both: the primary answers a commit when the standby has it on disk. Who is promoted, and when, the
// test decides, as Patroni does on real sites.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { Random } from '../api/support/play.mjs';
import { Cluster, undoInTheEnd } from '../api/support/testbed.mjs';
import { sleep, until } from '../api/support/waiting.mjs';
import { Field } from './field.mjs';
import { Network } from './network.mjs';

const machines = ['db0', 'db1'];
const houses = ['s0', 's1']; // of services
const SILENCE_MS = 3000; // after which a service gives a database up

const binaries = ['15', '16', '17', '18'].map((version) => `/usr/lib/postgresql/${version}/bin`).find(existsSync);

// Runs a program of PostgreSQL as its user.
function asServer(program, ...options) {
  execFileSync('runuser', ['-u', 'postgres', '--', path.join(binaries, program), ...options], { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/', timeout: 60_000 });
}

const administrator = (cluster, database) => cluster.migratorUrl.replace('tillroll_migrator@/tillroll', `postgres@/${database}`);

// A copy of a running cluster, in `directory`.
function backUp(cluster, directory) {
  execFileSync(path.join(binaries, 'pg_basebackup'), ['-d', administrator(cluster, 'postgres'), '-D', path.join(directory, 'data'), '-c', 'fast'], { stdio: ['ignore', 'ignore', 'pipe'] });
  for (const name of ['pgpass', 'database-made']) copyFileSync(path.join(cluster.directory, name), path.join(directory, name));
  execFileSync('chown', ['-R', 'postgres:postgres', path.join(directory, 'data')]);
}

export class Pair extends Field {
  #network;
  #nodes; // their clusters, in the order of `machines`
  #primary = 0; // which of them
  #synchronous;
  #doubted = new Set(); // services

  // Without `synchronous` the primary does not wait for the standby.
  static async open({ seed = 'pair', synchronous = true } = {}) {
    const network = new Network([...machines, ...houses]);
    undoInTheEnd(() => network.end());
    const pair = new Pair(network);
    pair.random = new Random(seed);
    pair.#synchronous = synchronous;
    pair.#begin();
    await pair.#joined();
    for (const at of houses.keys()) await pair.startAt(at);
    return pair;
  }

  constructor(network) {
    super({
      durable: true,
      within: network.within(machines[0]),
      settings: "listen_addresses = '*'\nwal_keep_size = 512MB\nwal_sender_timeout = 5s\nwal_receiver_timeout = 5s\n",
      admits: `local all postgres trust\nlocal replication postgres trust\nhost replication postgres ${network.range} trust\nhost all all ${network.range} scram-sha-256\n`,
    });
    this.#network = network;
    this.#nodes = [this.cluster];
  }

  #begin() {
    const [primary] = this.#nodes;
    const within = this.#network.within(machines[1]);
    const fill = (directory) => {
      backUp(primary, directory);
      this.#follow(1, path.join(directory, 'data'));
    };
    this.#nodes.push(new Cluster({ durable: true, within, fill }));
    this.#wait(true);
  }

  startAt(at) {
    const hosts = machines.map((name) => `${this.#network.address(name)}:5432`).join(',');
    const impatience = `connect_timeout=2&tcp_user_timeout=${SILENCE_MS}&keepalives_idle=1&keepalives_interval=1&keepalives_count=2`;
    const passfile = path.join(this.#nodes[0].directory, 'pgpass');
    const url = `postgresql://tillrolld@${hosts}/tillroll?target_session_attrs=read-write&passfile=${passfile}&${impatience}`;
    const place = { host: this.#network.address(houses[at]), within: this.#network.within(houses[at]) };
    return this.startServiceAt(at, { TILLROLL_DATABASE: url }, place);
  }

  match(tables, options) {
    const doubts = (client) => [...this.#doubted].some((service) => service.client === client);
    return super.match(tables, { ...options, doubts });
  }

  // ---- Nodes ----

  get standby() {
    return this.#nodes[1 - this.#primary];
  }

  // What makes a node the other's standby, when it starts.
  #follow(node, data) {
    const conninfo = `host=${this.#network.address(machines[1 - node])} port=5432 user=postgres application_name=${machines[node]} connect_timeout=2`;
    writeFileSync(path.join(data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\nsynchronous_standby_names = ${this.#names(node)}\n`);
    writeFileSync(path.join(data, 'standby.signal'), '');
  }

  // The standbys that a node waits for, also from its first commit after a promotion on.
  #names(node) {
    return this.#synchronous ? machines[1 - node] : "''";
  }

  // Has the primary wait for its standby, or go on by itself.
  #wait(waits) {
    this.asAdministrator(`ALTER SYSTEM SET synchronous_standby_names = ${waits ? this.#names(this.#primary) : "''"};
      SELECT pg_reload_conf()`);
  }

  // Until the standby is there, and whatever is committed waits for it.
  async #joined() {
    this.#wait(true);
    const wanted = this.#synchronous ? 'sync' : 'async';
    await until(60, 'the standby has caught up', () => this.asAdministrator('SELECT sync_state FROM pg_stat_replication') === wanted);
    // The setting reaches the processes of the server one after the other.
    await sleep(300);
  }

  // The standby becomes the primary, which the old one does not know of. With `alone` it waits for
  // nobody until there is a standby again.
  promote({ alone }) {
    this.#primary = 1 - this.#primary;
    this.cluster = this.#nodes[this.#primary];
    this.asAdministrator('SELECT pg_promote(true, 60)');
    if (alone) this.#wait(false);
    // What pg_rewind reads must be on disk.
    this.asAdministrator('CHECKPOINT');
  }

  // The old primary, which must have ended, becomes the standby of the new one.
  async rejoin() {
    const node = 1 - this.#primary;
    const old = this.#nodes[node];
    asServer('pg_rewind', '--target-pgdata', old.data, '--source-server', administrator(this.cluster, 'postgres'));
    this.#follow(node, old.data);
    await old.restart();
    await this.#joined();
    this.#doubted.clear();
  }

  // ---- The network ----

  // Cuts the primary off from its standby and the services at these places.
  cutOff(places) {
    const from = machines[this.#primary];
    for (const other of [machines[1 - this.#primary], ...places.map((at) => houses[at])]) this.#network.cut(from, other);
  }

  // Cuts the standby off from services.
  keepFromStandby(places) {
    for (const at of places) this.#network.cut(machines[1 - this.#primary], houses[at]);
  }

  heal() {
    this.#network.heal();
  }

  // From now on these may talk to a primary that another has replaced.
  doubt(places) {
    for (const at of places) this.#doubted.add(this.services[at]);
  }
}
