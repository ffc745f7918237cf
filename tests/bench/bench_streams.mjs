// What streams cost: memory of the service for each idle viewer, and the time in which one move
// reaches all viewers of its game. Everything runs on this machine, the viewers too, in this process,
// which takes its share of the time. Build first (./deploy/run or ./tests/run), then:
//
//     node tests/bench/bench_streams.mjs [VIEWERS...]      (default 100 1000 4000)
import { readFileSync } from 'node:fs';
import net from 'node:net';

import { legalMoves, makeGame, makePlayers, now, play } from '../api/support/play.mjs';
import { Testbed } from '../api/support/testbed.mjs';
import { sleep, until } from '../api/support/waiting.mjs';

const MOVES = 20;
const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [100, 1000, 4000];

// One viewer: `seen` is the number of the last message that it has got.
class Viewer {
  seen = 0;

  constructor(port, path, number) {
    // One address has only so many ports.
    const localAddress = `127.0.0.${2 + Math.floor(number / 10000)}`;
    this.socket = net.connect({ port, host: '127.0.0.1', localAddress });
    this.socket.setEncoding('latin1');
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n`);
    this.socket.on('data', (text) => {
      const at = text.lastIndexOf('id: ');
      if (at >= 0) this.seen = parseInt(text.slice(at + 4), 10);
      this.onMessage?.();
    });
    this.socket.on('error', () => {});
  }
}

function memory(pid) {
  const kilobytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
  return kilobytes('VmRSS');
}

// The time from the sending of a move until the last viewer has it.
async function timeMove(client, game, viewers) {
  const { deciders } = await now(client, game);
  const legal = await legalMoves(client, game, deciders[0]);
  const begin = performance.now();
  let answered;
  const all = new Promise((resolve) => {
    let left = viewers.length;
    for (const viewer of viewers)
      viewer.onMessage = () => {
        if (viewer.seen <= legal.seq) return;
        viewer.onMessage = undefined;
        if (--left === 0) resolve(performance.now() - begin);
      };
  });
  await play(client, game, deciders[0], [legal.moves[0]], legal.seq).then(() => (answered = performance.now() - begin));
  return { answered, all: await all };
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

const bed = new Testbed();
try {
  console.log('viewers   kB each   move answered ms   all viewers have it ms (median)   (longest)');
  for (const count of counts) {
    const service = await bed.startService(['--connections', '100000', '--connections-per-address', '100000', '--streams', '100000', '--streams-per-address', '100000']);
    const { client } = service;
    const [organizer, ...players] = await makePlayers(client, 4, 'Player');
    const { game } = await makeGame(client, organizer, players);
    const warm = [new Viewer(client.port, `${game.at}/stream`, 0)];
    await timeMove(client, game, warm);
    const before = memory(service.child.pid);
    const viewers = [];
    for (let i = 0; i < count; i += 100) {
      for (let j = 0; j < 100 && viewers.length < count; j++) viewers.push(new Viewer(client.port, `${game.at}/stream`, viewers.length));
      await until(20, 'the viewers have come', () => viewers.every((viewer) => viewer.seen > 0));
    }
    await sleep(500);
    const each = (memory(service.child.pid) - before) / count;
    const times = [];
    for (let i = 0; i < MOVES; i++) times.push(await timeMove(client, game, viewers));
    const all = times.map((time) => time.all);
    console.log(`${String(count).padStart(7)}   ${each.toFixed(1).padStart(7)}   ${median(times.map((time) => time.answered)).toFixed(1).padStart(16)}   ${median(all).toFixed(1).padStart(31)}   ${Math.max(...all).toFixed(1)}`);
    for (const viewer of [...warm, ...viewers]) viewer.socket.destroy();
    await service.end();
  }
} finally {
  await bed.end();
}
