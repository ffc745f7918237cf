// What every bench needs: a private cluster that commits durably, servers on it, databases filled by
// bench_fill, and the two load generators, `tillroll load` and pgbench.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { realPasswords, Testbed } from '../api/support/testbed.mjs';
import { median } from './table.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const build = path.resolve(root, process.env.TILLROLL_BUILD ?? 'build/release');
export const tillroll = path.join(build, 'tillroll');
const execute = promisify(execFile);

// Clusters of tests do not wait for disks (tests/db/unpack_cluster).
const settings = { fsync: 'on', shared_buffers: '256MB', max_wal_size: '4GB', checkpoint_timeout: '30min', max_connections: '400' };

class Script {
  next = 0; // the first game that has not been begun

  constructor(file) {
    this.file = file;
  }

  // { id, tokens, plies: [[seat, seq, seq after, move]] } of every game.
  read() {
    const games = [];
    for (const line of readFileSync(this.file, 'utf8').trim().split('\n')) {
      const words = line.split(' ');
      if (words[0] === 'game') games.push({ id: words[1], tokens: words.slice(2), plies: [] });
      else games.at(-1).plies.push([...words.slice(0, 3).map(Number), words.slice(3).join(' ')]);
    }
    return games;
  }

  drop() {
    rmSync(this.file);
  }
}

export class Bed extends Testbed {
  #runs = 0;
  #scripts = 0;

  static async open() {
    const bed = new Bed({ durable: true });
    bed.adminUrl = bed.cluster.migratorUrl.replace('tillroll_migrator@', 'postgres@');
    bed.tokens = path.join(bed.directory, 'tokens');
    await bed.#prepare(bed.cluster);
    return bed;
  }

  async #prepare(cluster) {
    const url = cluster.migratorUrl.replace('tillroll_migrator@', 'postgres@');
    // The socket is private. Passwords would take pgbench longer than its run.
    writeFileSync(this.sql('SHOW hba_file', url), 'local all all trust\n');
    for (const [name, value] of Object.entries(settings)) this.sql(`ALTER SYSTEM SET ${name} = '${value}'`, url);
    await cluster.restart();
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes'])
      if (this.sql(`SHOW ${name}`, url) !== 'on') throw new Error(`the cluster has ${name} = ${this.sql(`SHOW ${name}`, url)}: its figures would mean nothing`);
  }

  // Databases in clusters of their own, for join().
  async lineDatabases(count) {
    const made = this.makeLines(count, { durable: true });
    for (const cluster of made.clusters) await this.#prepare(cluster);
    return made;
  }

  // Statements of the superuser.
  sql(statements, url = this.adminUrl) {
    return execFileSync('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', url], { input: statements, encoding: 'utf8' }).trim();
  }

  serve(options = []) {
    return this.startService(['--connections-per-address', '20000', ...options], { ...realPasswords, TILLROLL_STREAMS: '20000', TILLROLL_STREAMS_PER_ADDRESS: '20000' });
  }

  async fill(command, ...options) {
    const all = [command, '--tokens', this.tokens, '--secrets', path.join(this.directory, 'secrets'), ...options.map(String)];
    const { stdout } = await execute(path.join(build, 'tests/bench_fill'), all, { env: { ...process.env, DATABASE_URL: this.cluster.migratorUrl } });
    return stdout.trim();
  }

  // Running games and a script of the plies that are left of them, of which load() plays each game
  // once. `moves`: no more than so many plies of a game.
  async script(games, { ruleset = 'shinjuku', seats = 2, plies = 10, moves } = {}) {
    const file = path.join(this.directory, `script-${this.#scripts++}`);
    const options = ['--ruleset', ruleset, '--seats', seats, '--plies', plies, '--seed', this.#scripts];
    if (moves !== undefined) options.push('--moves', moves);
    await this.fill('running', '--count', games, ...options, '--script', file);
    return new Script(file);
  }

  // Runs `tillroll load` and returns what it reports. `whole`: the script is to be played to its end.
  async load(service, options, script, { whole = false } = {}) {
    const from = script === undefined ? [] : ['--script', script.file, '--first', script.next];
    const all = ['load', '--server', `http://127.0.0.1:${service.client.port}`, ...from, ...options].map(String);
    const { stdout, stderr } = await execute(tillroll, all, { maxBuffer: 1 << 26 }).catch((error) => error);
    if (!stdout) throw new Error(stderr.trim());
    const report = JSON.parse(stdout);
    if (script !== undefined) script.next += report.games;
    const odd = ['wrong', 'broken', 'unanswered', 'ended'].filter((key) => report[key] > 0).map((key) => `${report[key]} ${key}`);
    if (odd.length > 0) console.log(`    ! ${options.join(' ')}: ${odd.join(', ')} ${report.first_wrong ?? ''}`);
    if (report.ran_out === true && !whole) console.log(`    ! ${options.join(' ')}: the script ended before the time was over`);
    return report;
  }

  // Opens event streams. Resolves when all are open, with the promise of what `tillroll load` reports
  // after that many seconds.
  async watch(service, target, viewers, seconds) {
    const all = ['load', '--server', `http://127.0.0.1:${service.client.port}`, '--watch', target, '--connections', viewers, '--seconds', seconds];
    const child = spawn(tillroll, all.map(String), { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = text(child.stdout);
    const [said] = await once(child.stderr, 'data');
    if (!/are open/.test(said)) throw new Error(String(said).trim());
    return { report: output.then(JSON.parse) };
  }

  // The row of a ply as it would be without any of ours, one insert a transaction. pgbench's time
  // includes that of connecting, a few ms a client. `rate`: so many are due each second, and what one
  // takes is counted from when it is due, after a second in which what waits for connections is made up for.
  async pgbench(clients, seconds, { rate } = {}) {
    if (this.#runs === 0) this.#makeRows();
    const log = mkdtempSync(path.join(this.directory, 'pgbench-'));
    const options = ['-n', '-M', 'prepared', '-f', path.join(this.directory, 'insert.sql'), '-D', 'seq=0', '-D', `run=${++this.#runs}`];
    if (rate !== undefined) options.push('-R', rate);
    const { stdout } = await execute('pgbench', [...options, '-c', clients, '-j', 1, '-T', seconds + Math.ceil(clients / 100) + (rate === undefined ? 0 : 1), '-l', this.#rowsUrl()].map(String), { cwd: log });
    const rows = readdirSync(log).flatMap((file) => readFileSync(path.join(log, file), 'utf8').trim().split('\n').map((line) => line.split(' ').map(Number)));
    const begin = rows.reduce((least, row) => Math.min(least, row[4]), Infinity) + (rate === undefined ? 0 : 2); // the clock's second that it ended in
    const times = rows.filter((row) => row[4] >= begin).map((row) => row[2]);
    rmSync(log, { recursive: true });
    times.sort((a, b) => a - b);
    const at = (part) => times[Math.ceil(part * times.length) - 1];
    return { rate: Number(/^tps = ([\d.]+)/m.exec(stdout)[1]), p50_us: at(0.5), p99_us: at(0.99), max_us: at(1) };
  }

  #rowsUrl() {
    return this.adminUrl.replace('/tillroll?', '/bench?');
  }

  #makeRows() {
    this.sql('CREATE DATABASE bench');
    this.sql(
      `CREATE TABLE ply (game_id bigint, seq integer, seat smallint, at timestamptz, move text, idem bytea, hash bytea, sig bytea, PRIMARY KEY (game_id, seq))`,
      this.#rowsUrl(),
    );
    const bytes = (count) => `'\\x${'5a'.repeat(count)}'`;
    writeFileSync(
      path.join(this.directory, 'insert.sql'),
      `\\set seq :seq + 1
INSERT INTO ply VALUES (:run * 100000 + :client_id, :seq, 0, now(), '${'m'.repeat(38)}', ${bytes(16)}, ${bytes(32)}, ${bytes(64)});\n`,
    );
  }

  // Microseconds that writing 8 KiB and fdatasync take where the cluster lies: the median of half a second.
  fsync() {
    const file = path.join(this.cluster.directory, 'fsync');
    const block = Buffer.alloc(8192, 1);
    const fd = openSync(file, 'w');
    for (let i = 0; i < 64; i++) writeSync(fd, block, 0, 8192, i * 8192);
    fdatasyncSync(fd);
    const times = [];
    const end = performance.now() + 500;
    for (let i = 0; performance.now() < end; i++) {
      const begin = performance.now();
      writeSync(fd, block, 0, 8192, (i % 64) * 8192);
      fdatasyncSync(fd);
      times.push(1000 * (performance.now() - begin));
    }
    closeSync(fd);
    rmSync(file);
    return median(times);
  }
}

// Tasks that want to run although nothing of ours does, the asking one not counted.
export function foreignTasks() {
  return Number(/ (\d+)\/\d+ /.exec(readFileSync('/proc/loadavg', 'utf8'))[1]) - 1;
}

// Kilobytes of memory that a process has.
export function memoryOf(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
}
