// House players: their accounts, the program that plays for them, and people who play against them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { good } from '../support/client.mjs';
import { build } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

const tillroll = path.join(build, 'tillroll');

// What a testbed and a client of its service need for house players.
export class House {
  #files = 0;
  #running = [];

  constructor(bed, client) {
    this.bed = bed;
    this.client = client;
  }

  // Makes a house account with the command: { token, id, name, house }.
  async account(level) {
    const { status, stdout, stderr } = this.bed.tillroll('admin', 'house', level);
    assert.equal(status, 0, stderr);
    const token = stdout.trim();
    const { id, name, house } = good(await this.client.get('/v1/me', { token }));
    return { token, id, name, house };
  }

  tokenFile(players, mode = 0o600) {
    const file = path.join(this.bed.directory, `tokens-${this.#files++}`);
    writeFileSync(file, `# of house accounts\n\n${players.map(({ token }) => `${token}\n`).join('')}`);
    chmodSync(file, mode);
    return file;
  }

  // Starts the program for these accounts.
  start(players, ...options) {
    const words = ['house', '--server', `http://127.0.0.1:${this.client.port}`, '--tokens', this.tokenFile(players), ...options];
    const child = spawn(tillroll, words, { env: { PATH: process.env.PATH } });
    const house = { child, output: '', ended: once(child, 'close') };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (house.output += bytes));
    this.#running.push(house);
    return house;
  }

  // Before it plays, a signal ends it like any program.
  async stop(house, signal = 'SIGTERM') {
    await until(30, 'it plays', () => /playing for/.test(house.output));
    house.child.kill(signal);
    const [status] = await house.ended;
    return status;
  }

  // Ends all that still run.
  end() {
    for (const { child } of this.#running) child.kill('SIGKILL');
  }

  // A person who plays the first, the second, ... of the legal moves.
  async script(game, players, turns = Infinity) {
    const end = Date.now() + 240000;
    let last = Date.now(); // when somebody moved
    for (let turn = 0; turn < turns;) {
      assert.ok(Date.now() < end, 'the game does not go on');
      const { state, deciders, seats } = good(await this.client.get(`/v1/games/${game}`));
      if (state === 'finished') return;
      let played = false;
      for (const seat of deciders) {
        const player = players.find(({ id }) => id === seats[seat].player.id);
        if (player === undefined) continue;
        const { moves, seq } = good(await this.client.get(`/v1/games/${game}/legal-moves`, { token: player.token }));
        if (moves.length === 0) continue;
        const answer = await this.client.post(`/v1/games/${game}/moves`, { moves: [moves[turn % moves.length]], seq }, player.token);
        played = answer.status === 200;
        if (played) [turn, last] = [turn + 1, Date.now()];
      }
      if (!played) await new Promise((resolve) => setTimeout(resolve, Math.min(60 + (Date.now() - last) / 10, 150)));
    }
  }
}
