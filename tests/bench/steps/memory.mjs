// Memory of the server process: idle, for each game at hand, for each viewer of a stream; and how
// long an event takes to all viewers.
import { memoryOf } from '../bed.mjs';
import { heading, median, missing, row, thousands } from '../table.mjs';

const few = 1000;
const many = 10_000;
const viewers = 1000;
// What the kernel keeps for one end of an idle connection, from its own accounts.
const kernelBytes = 4800;

// Plays one move in each of the next `count` games.
const touch = (bed, service, script) => bed.load(service, ['--connections', 64, '--seconds', 60], script, { whole: true });

async function games(bed) {
  const service = await bed.serve();
  const pid = service.child.pid;
  row('idle process', memoryOf(pid) / 1024, 'MiB', { atLeast: 16, aim: 12, less: true });
  await touch(bed, service, await bed.script(few, { plies: 100, moves: 1 }));
  const before = memoryOf(pid);
  await touch(bed, service, await bed.script(many - few, { plies: 100, moves: 1 }));
  const after = memoryOf(pid);
  row(`each game at hand, from ${thousands(few)} to ${thousands(many)}`, (after - before) / (many - few), 'KiB', { atLeast: 4, aim: 2, less: true }, [`${thousands(before / 1024)} MiB, then ${thousands(after / 1024)} MiB`]);
  await service.end();
}

async function idleViewers(bed, service) {
  const pid = service.child.pid;
  const [{ id }] = (await bed.script(1)).read();
  // The first ones also warm the process up.
  await (await bed.watch(service, `/v1/games/${id}/stream`, 50, 1)).report;
  const before = memoryOf(pid);
  const watching = await bed.watch(service, `/v1/games/${id}/stream`, viewers, 1);
  const each = ((memoryOf(pid) - before) * 1024) / viewers;
  await watching.report;
  row('viewers for each GiB, kernel included', 2 ** 30 / (each + kernelBytes) / 1000, 'thousand', { atLeast: 60, aim: 100 }, [`${thousands(each)} bytes of the process and ${thousands(kernelBytes)} of the kernel each, ${thousands(viewers)} idle viewers`]);
}

// Somebody moves ten times a second in the game that all watch.
async function spread(bed, service, { rounds }) {
  const reports = [];
  for (let round = 0; round < rounds; round++) {
    const script = await bed.script(1);
    const watching = await bed.watch(service, `/v1/games/${script.read()[0].id}/stream`, viewers, 4);
    await bed.load(service, ['--connections', 1, '--think', 100, '--seconds', 2], script);
    reports.push(await watching.report);
  }
  row('one event to 1,000 viewers, from the first to the last', median(reports.map((report) => report.p50_us)) / 1000, 'ms', { atLeast: 8, aim: 5, less: true }, [
    `${reports.reduce((sum, report) => sum + report.complete, 0)} of ${reports.reduce((sum, report) => sum + report.events, 0)} events reached all; slowest ${(Math.max(...reports.map((report) => report.max_us)) / 1000).toFixed(1)} ms`,
  ]);
}

async function streams(bed, scale) {
  const service = await bed.serve();
  try {
    await idleViewers(bed, service);
    await spread(bed, service, scale);
  } catch (error) {
    missing('viewers of streams', error.message);
  }
  await service.end();
}

export async function memory(bed, scale) {
  heading('Memory of the server');
  await games(bed);
  await streams(bed, scale);
}
