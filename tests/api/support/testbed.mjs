// A private PostgreSQL cluster, its schema made, and tillrolld processes on it, in a directory that
// goes away with them. Whatever was started is ended by its process id, also when the test program is
// stopped.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, readlinkSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { build, root } from './build.mjs';
import { Client } from './client.mjs';
import { sameInBrowser } from '../../engine/wasm/bundles.mjs';
import { Psql } from '../../db/psql.mjs';
import { until, within } from './waiting.mjs';

export { build, root };

const postgresScript = path.join(root, 'deploy/postgres');
const tillroll = path.join(build, 'tillroll');

// Temporary files lie in memory where there is room for them: a cluster is fifteen hundred files, and making them on a disk costs
// more than a test that needs one. A TMPDIR that is set stays as it is.

// Where temporary files lie that have to be on a disk.
const onDisk = os.tmpdir();

const inMemory = '/dev/shm';
const gigabyte = 2 ** 30;

// Programs are started from there too.
function hasRoom() {
  const mount = readFileSync('/proc/mounts', 'utf8').split('\n').map((line) => line.split(' ')).findLast((each) => each[1] === inMemory);
  if (mount?.[2] !== 'tmpfs' || mount[3].split(',').some((word) => ['noexec', 'ro'].includes(word))) return false;
  const { bavail, bsize } = statfsSync(inMemory);
  const available = Number(/^MemAvailable: *(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? 0) * 1024;
  return bavail * bsize >= 4 * gigabyte && available >= 6 * gigabyte;
}

if (process.env.TMPDIR === undefined && existsSync(inMemory) && existsSync('/proc/mounts') && hasRoom()) process.env.TMPDIR = inMemory;

// What has to be undone, last thing first, when the bed or the program ends, whichever way. Each can
// be undone twice.
const undos = [];
let lasting = 0; // of them, for as long as the program runs (shareCluster)
function undoAll(but = 0) {
  while (undos.length > but) undos.pop()();
}
process.on('exit', () => undoAll());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

// Has something undone when the bed or the program ends, after all that is begun later.
export function undoInTheEnd(undo) {
  undos.push(undo);
}

export function temporaryDirectory(what, place = os.tmpdir()) {
  const directory = mkdtempSync(path.join(place, `tillroll-${what}-`));
  undos.push(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

// False of a process that has ended and has not been waited for yet: the machine's first process may take seconds for that.
function isThere(pid) {
  try {
    readlinkSync(`/proc/${pid}/exe`);
    return true;
  } catch {
    return false;
  }
}

export class Cluster {
  #within;
  #psql;

  // `durable`: it waits for disks as a deployed one does, and lies on one. `prepare`: called with the directory that the
  // cluster will be in; may return what undoes it. `fill`: what puts a cluster there, other than the
  // usual one. `settings`: further ones; `admits`: what pg_hba.conf is to begin with. `within`: what its
  // command line begins with (network.mjs).
  constructor({ durable = false, prepare, fill, settings = '', admits = '', within = [] } = {}) {
    this.#within = within;
    this.directory = temporaryDirectory('postgres', durable ? onDisk : os.tmpdir());
    const undo = prepare?.(this.directory);
    if (undo !== undefined) undos.push(undo);
    if (fill !== undefined) fill(this.directory);
    else execFileSync(path.join(root, 'tests/db/unpack_cluster'), [build, this.directory]);
    this.#rewrite('postgresql.conf', (text) => `${durable ? text.replace(/^fsync = off\n/m, '') : text}max_connections = 200\n${settings}`); // for several services
    this.#rewrite('pg_hba.conf', (text) => admits + text);
    undos.push(() => this.end());
    this.#start();
  }

  #start() {
    const [program, ...words] = this.#command('start');
    const output = execFileSync(program, words, { encoding: 'utf8' });
    this.migratorUrl = /^DATABASE_URL=(.*)$/m.exec(output)[1];
    this.serviceUrl = /^SERVICE_URL=(.*)$/m.exec(output)[1];
  }

  // Puts the database of a cluster that has been used back as it was at first, and drops all others. (To copy file by file takes half the
  // time, and so does dropping what was copied so.)
  renew() {
    if (this.pid() === undefined) this.#start();
    const administer = (statements) => execFileSync('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', this.migratorUrl.replace('tillroll_migrator@/tillroll', 'postgres@/postgres')], { input: statements });
    administer(`SELECT 'ALTER DATABASE tillroll RENAME TO pristine' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'pristine') \\gexec
      SELECT format('DROP DATABASE %I WITH (FORCE)', datname) FROM pg_database WHERE datname NOT IN ('postgres', 'template0', 'template1', 'pristine') \\gexec
      CREATE DATABASE tillroll TEMPLATE pristine STRATEGY FILE_COPY;
      UPDATE pg_database SET (datdba, datacl) = (SELECT datdba, datacl FROM pg_database WHERE datname = 'pristine') WHERE datname = 'tillroll';`);
  }

  #rewrite(name, change) {
    const file = path.join(this.data, name);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  }

  get data() {
    return path.join(this.directory, 'data');
  }

  #command(word) {
    return [...this.#within, postgresScript, word, this.directory];
  }

  // The postmaster's process id; undefined if it does not run.
  pid() {
    const file = path.join(this.data, 'postmaster.pid');
    if (!existsSync(file)) return undefined;
    const pid = parseInt(readFileSync(file, 'utf8'), 10);
    return existsSync(`/proc/${pid}`) && readlinkSync(`/proc/${pid}/cwd`) === this.data ? pid : undefined;
  }

  // At once, as if its machine had lost its power.
  end() {
    const pid = this.pid();
    if (pid === undefined) return;
    const end = Date.now() + 10_000;
    process.kill(pid, 'SIGQUIT');
    while (isThere(pid) && Date.now() < end) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }

  stop() {
    execFileSync(postgresScript, ['stop', this.directory]);
  }

  // While others go on.
  async restart() {
    const [program, ...words] = this.#command('restart');
    const [code] = await once(spawn(program, words, { stdio: 'ignore' }), 'exit');
    if (code !== 0) throw new Error(`deploy/postgres restart: exit ${code}`);
  }

  // Runs statements as the migrator, who may act as the owner of the tables. Returns what psql
  // prints: rows, columns parted by `|`. Throws with its message.
  sql(statements) {
    this.#psql ??= new Psql(this.migratorUrl);
    if (!this.#psql.runs) undos.push(() => this.#psql.end());
    return this.#psql.run(statements).trim();
  }

  // A hash of every row of every table: equal exactly if nothing has changed. Without what changes when its time has come: the
  // transparency log, causes of notices and the games that are watched for them, the key of web push, when somebody served last, when chores are due, who hears,
  // and when tokens were last used.
  fingerprint() {
    return this.sql(`SET ROLE tillroll_owner;
      SELECT md5(string_agg(query_to_xml(format(CASE tablename WHEN 'token'
          THEN 'SELECT to_jsonb(row) - ''seen_at'' AS row FROM %I.%I AS row ORDER BY 1'
          ELSE 'SELECT * FROM %I.%I AS row ORDER BY row::text' END,
          schemaname, tablename), true, false, '')::text, '' ORDER BY schemaname, tablename))
        FROM pg_tables WHERE schemaname IN ('tillroll', 'tillroll_vault') AND NOT starts_with(tablename, 'log_')
          AND tablename NOT IN ('served', 'upkeep', 'hearer', 'teller', 'notice_cause', 'notice_watch', 'push_key')`);
  }
}

// The cluster of all beds of this program that want a usual one and come one after the other (tests/together.mjs): each finds its
// database as it is at first.
let shared; // null before it is made
let isTaken = false;
let sharedPort = 0; // of the first service of each such bed, so that browsers still have the pages' files

// It is begun by a hook, `before` all others; until then none of the files may begin a bed.
export function shareCluster(before) {
  shared = null;
  before(() => {
    shared = new Cluster();
    lasting = undos.length;
  });
}
export const sharesCluster = () => shared !== undefined;

// What a program that shares its cluster does after its last test.
const lastThings = [];
export const inTheEnd = (what) => { lastThings.push(what); };
export async function endAll() {
  for (const each of lastThings) await each();
  undoAll();
}

// Undoes all that was begun since; what the last bed has left if it did not come to its end.
export function endBeds() {
  undoAll(lasting);
  isTaken = false;
}

function takeCluster(options) {
  if (shared === null) throw new Error('a file that runs together with others begins its bed in a hook');
  if (shared === undefined || isTaken || Object.keys(options).length > 0) return new Cluster(options);
  isTaken = true;
  shared.renew();
  return shared;
}

// A tillrolld process.
class Service {
  #host;

  // `host`: the address that it listens at, of a machine on which programs run `within` a command; `port`: 0 for any.
  constructor(bed, number, program, options, environment, { host = '127.0.0.1', port = 0, within = [] } = {}) {
    this.#host = host;
    this.log = path.join(bed.directory, `log-${number}`);
    this.errors = path.join(bed.directory, `errors-${number}`);
    const output = openSync(this.log, 'w');
    const errors = openSync(this.errors, 'w');
    const [first, ...words] = [...within, path.resolve(build, program)];
    this.child = spawn(
      first,
      [...words, '--listen', `${host}:${port}`, '--pages', path.join(root, 'web-static'), ...options],
      {
        stdio: ['ignore', output, errors],
        env: {
          PATH: process.env.PATH,
          ...bed.settings,
          LD_PRELOAD: path.join(build, 'tests/quick_passwords.so'),
          TILLROLL_STEP_WAIT_MS: '5000', // steps are waited for, however busy the machine is
          TILLROLL_PUZZLES_HOUR: '24', // no test is disturbed by the night
          ...(process.env.TSAN_OPTIONS === undefined ? {} : { TSAN_OPTIONS: process.env.TSAN_OPTIONS }),
          ...environment,
        },
      },
    );
    closeSync(output);
    closeSync(errors);
    this.ended = once(this.child, 'exit');
    undos.push(() => this.child.kill('SIGKILL'));
  }

  async ready() {
    const said = () => (existsSync(this.errors) ? readFileSync(this.errors, 'utf8') : ''); // the bed may be gone
    // One that has ended is not waited for.
    const comes = async (what, attempt) => {
      const over = {};
      const found = await until(60, what, async () => {
        const ended = this.child.exitCode !== null || this.child.signalCode !== null;
        return (await attempt().catch(() => undefined)) || (ended && over);
      });
      if (found === over) throw new Error(`it has ended before ${what}`, { cause: new Error(said()) });
      return found;
    };
    const port = await comes('tillrolld listens', async () => /listening on .*, port (\d+)\b/.exec(said())?.[1]);
    this.client = new Client(Number(port), this.#host);
    await comes('tillrolld is ready', async () => (await this.client.get('/readyz')).status === 200);
    return this;
  }

  signal(name) {
    this.signalled = true;
    this.child.kill(name);
  }

  // What it ended by if nobody told it to: a signal's name or an exit code.
  get died() {
    return this.signalled ? undefined : (this.child.signalCode ?? this.child.exitCode ?? undefined);
  }

  // Ends it and resolves with [exit code, signal].
  async end(signal = 'SIGTERM') {
    this.client?.close();
    if (this.child.exitCode === null && this.child.signalCode === null) this.signal(signal);
    return within(60, 'tillrolld ends', this.ended);
  }
}

// Limits that no test but the one about limits meets; and steps answer when they are over, on a slow machine too.
const unlimited = ['--step-wait-ms', '5000', '--passwords-per-minute', '0', '--guests-per-hour', '0', '--reads-per-minute', '0', '--writes-per-minute', '0', '--report-ms-per-minute', '0', '--reports-ms-per-minute', '0'];

// The environment of a service whose passwords cost what a deployed one's do, for tests about that.
export const realPasswords = { LD_PRELOAD: '' };

export class Testbed {
  build = build;
  lines = { clusters: [], service: [], migrator: [] }; // line databases, by place
  #services = [];

  // `options`: of the cluster. `lines`: how many line databases are joined to it; `apart`: each in a cluster of its own. Without it
  // $TILLROLL_TEST_LINES says how many: so any test can be run with line databases.
  constructor({ lines = Number(process.env.TILLROLL_TEST_LINES ?? 0), apart = false, ...options } = {}) {
    this.directory = temporaryDirectory('service');
    this.cluster = takeCluster(options);
    if (lines > 0) this.join(this.makeLines(lines, apart && options), lines);
  }

  // Empty databases in this cluster, or in clusters of their own, with these options.
  makeLines(count, apart) {
    const made = { clusters: [], service: [], migrator: [] };
    for (let place = 1; place <= count; place++) {
      const cluster = apart ? new Cluster(apart) : this.cluster;
      const name = `lines_${place}`;
      const address = (url) => url.replace(/\/tillroll\b/, `/${name}`);
      execFileSync('psql', ['-X', '-q', '-d', cluster.migratorUrl.replace('tillroll_migrator@', 'postgres@'), '-c', `CREATE DATABASE ${name} OWNER tillroll_migrator`]);
      made.clusters.push(cluster);
      made.service.push(address(cluster.serviceUrl));
      made.migrator.push(address(cluster.migratorUrl));
    }
    return made;
  }

  // Makes the first `count` of them line databases, for all services that are started from now on.
  join(made, count) {
    this.lines = Object.fromEntries(Object.entries(made).map(([what, all]) => [what, all.slice(0, count)]));
    this.#lines('join');
  }

  leave() {
    this.#lines('leave');
    this.lines = { clusters: [], service: [], migrator: [] };
  }

  #lines(word) {
    const { status, stderr } = this.tillroll('lines', word);
    if (status !== 0) throw new Error(stderr);
  }

  // A `program` of the build instead of the service. `place`: where, if not here (Service).
  async startService(options = [], environment = {}, program = 'tillrolld', place = {}) {
    const start = (port) => {
      const service = new Service(this, this.#services.length, program, [...unlimited, ...options], environment, { ...place, port });
      this.#services.push(service);
      return service.ready();
    };
    if (this.#services.length > 0 || this.cluster !== shared) return start(0);
    // (Somebody else may have the port by now.)
    const service = await start(sharedPort).catch((error) => {
      if (sharedPort !== 0 && /Address already in use/.test(error.cause?.message)) return start(0);
      throw error;
    });
    sharedPort = service.client.port;
    return service;
  }

  // What the environment of any of its services says: databases and keys.
  get settings() {
    return { TILLROLL_DATABASE: this.cluster.serviceUrl, TILLROLL_LINE_DATABASES: this.lines.service.join(' '), TILLROLL_SECRETS: path.join(this.directory, 'secrets') };
  }

  // Runs the command line program on the cluster's database: { status, stdout, stderr }.
  tillroll(...options) {
    const changesTables = ['migrate', 'archive', 'lines'].includes(options[0]);
    const env = {
      PATH: process.env.PATH,
      TILLROLL_DATABASE: changesTables ? this.cluster.migratorUrl : this.cluster.serviceUrl,
      TILLROLL_LINE_DATABASES: (changesTables ? this.lines.migrator : this.lines.service).join(' '),
    };
    return spawnSync(tillroll, options, { encoding: 'utf8', env });
  }

  // Runs it as somebody's client: { status, output } when it ends.
  async tillrollAs(token, ...options) {
    const child = spawn(tillroll, options, { env: { PATH: process.env.PATH, TILLROLL_TOKEN: token } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
    const [status] = await once(child, 'close');
    return { status, output };
  }

  // Rates again from a game on, as a correction of its result does.
  rateAgain(game, reason) {
    const run = spawnSync(path.join(build, 'tests/rate_again'), [this.cluster.serviceUrl, game, reason], { encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`rate_again: ${run.stderr}`);
  }

  // What `tillroll verify` says of a record: { status, output }.
  verify(record) {
    const file = path.join(this.directory, 'verify.roll');
    writeFileSync(file, record);
    const { status, stdout, stderr } = spawnSync(tillroll, ['verify', file], { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  }

  // What `tillroll verify --signatures` says of a record and its players' signatures.
  verifySignatures(signatures, record) {
    const roll = path.join(this.directory, 'signed.roll');
    const file = path.join(this.directory, 'signed.sig');
    writeFileSync(roll, record);
    writeFileSync(file, signatures);
    const { status, stdout, stderr } = spawnSync(tillroll, ['verify', '--signatures', file, roll], { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  }

  // What `tillroll event` says of a bundle: { status, output }. Without options, a browser says the same.
  proveEvent(bundle, options = []) {
    const file = path.join(this.directory, 'event.ndjson');
    writeFileSync(file, bundle);
    const { status, stdout, stderr } = spawnSync(tillroll, ['event', ...options, file], { encoding: 'utf8' });
    const proof = { status, output: stdout + stderr };
    if (options.length === 0) sameInBrowser(bundle, proof);
    return proof;
  }

  // What `tillroll verify --receipt` says of an answer to a move: { status, output }.
  verifyReceipt(answer, publicKey, record) {
    const receipt = path.join(this.directory, 'receipt.json');
    const roll = path.join(this.directory, 'receipt.roll');
    writeFileSync(receipt, JSON.stringify(answer));
    writeFileSync(roll, record);
    const { status, stdout, stderr } = spawnSync(tillroll, ['verify', '--receipt', receipt, '--key', publicKey, roll], { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  }

  // Waits until everything that was to be a leaf of the transparency log is one, under a checkpoint: the log stays the same until
  // something happens.
  async logged() {
    await until(60, 'the log has everything', () => this.cluster.sql(`SET ROLE tillroll_owner;
      SELECT NOT EXISTS (SELECT FROM tillroll.log_queue)
        AND (SELECT max(size) FROM tillroll.log_checkpoint) = (SELECT count(*) FROM tillroll.log_leaf)`) === 't');
  }

  // What all its services have written, as bytes.
  written() {
    return Buffer.concat(this.#services.flatMap((each) => [readFileSync(each.log), readFileSync(each.errors)]));
  }

  // Ends its services but one, those of a test that failed as well: the next test's are to be alone.
  async endAllBut(kept) {
    for (const service of this.#services) if (service !== kept) await service.end();
  }

  async end() {
    await this.endAllBut();
    endBeds();
  }
}
