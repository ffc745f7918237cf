// A psql that stays connected between calls: a new one costs more than what tests ask it.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const connectionLost = 2; // psql's exit status

export class Psql {
  #url;
  #directory; // of its files while it runs: not the cluster's, whose disk tests take away
  #running;

  constructor(url) {
    this.#url = url;
  }

  #file(name) {
    return path.join(this.#directory, name);
  }

  get runs() {
    return this.#running !== undefined;
  }

  #start() {
    this.#directory = mkdtempSync(path.join(os.tmpdir(), 'tillroll-psql-'));
    execFileSync('mkfifo', [this.#file('in'), this.#file('out')]);
    // Both ends are open here, so that opening and writing wait for nobody. What psql ends with is therefore said by a line.
    const [input, output] = ['in', 'out'].map((name) => openSync(this.#file(name), 'r+'));
    const errors = openSync(this.#file('errors'), 'w');
    const child = spawn('sh', ['-c', 'psql -X -q -A -t -v ON_ERROR_STOP=1 -d "$0"; printf "\\n-- ended %s\\n" $?', this.#url], { stdio: [input, output, errors], detached: true });
    child.unref();
    closeSync(errors);
    this.#running = { child, input, output, calls: 0 };
  }

  // Runs statements in a session that has no settings of earlier calls. Returns what psql prints; throws with its message.
  run(statements) {
    const isNew = this.#running === undefined;
    if (isNew) this.#start();
    const { input, calls } = this.#running;
    this.#running.calls = calls + 1;
    writeFileSync(this.#file('statements'), statements);
    writeSync(input, `\\o /dev/null\nSELECT 1;\n\\o\n\\echo -- begun ${calls}\n\\i ${this.#file('statements')}\n\\echo\n\\echo -- done ${calls}\nSET client_min_messages = error;\nROLLBACK;\nDISCARD ALL;\n`);
    const { text, ended } = this.#read(`\n-- done ${calls}\n`);
    const begun = `-- begun ${calls}\n`;
    if (ended === undefined) return text.slice(text.indexOf(begun) + begun.length);
    const said = readFileSync(this.#file('errors'), 'utf8');
    this.end();
    // The server has been restarted since the last call: none of the statements was begun.
    if (ended === connectionLost && !isNew && !text.includes(begun)) return this.run(statements);
    throw new Error(said);
  }

  // Up to its line, or the line of psql's end.
  #read(last) {
    const parts = [];
    const buffer = Buffer.alloc(1 << 16);
    for (;;) {
      parts.push(Buffer.from(buffer.subarray(0, readSync(this.#running.output, buffer))));
      if (parts.at(-1).at(-1) !== 10) continue;
      const text = Buffer.concat(parts).toString('utf8');
      const ended = /\n-- ended (\d+)\n$/.exec(text);
      if (ended !== null) return { text, ended: Number(ended[1]) };
      if (text.endsWith(last)) return { text: text.slice(0, -last.length) };
    }
  }

  end() {
    if (this.#running === undefined) return;
    const { child, input, output } = this.#running;
    this.#running = undefined;
    closeSync(input);
    closeSync(output);
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
    rmSync(this.#directory, { recursive: true });
  }
}
