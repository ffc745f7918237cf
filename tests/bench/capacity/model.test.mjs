// The simulation where arithmetic knows the answer.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { Clock, Disk, Host, Random, Service } from './model.mjs';

const costs = { service: { move: 10, commit: 5 }, database: { move: 20, commit: 15 } };

function run(clients, cores, end) {
  const clock = new Clock();
  const service = new Service({ host: new Host(clock, cores), database: new Host(clock, 1), disk: new Disk(clock, 50), costs });
  const send = () => service.move(send);
  for (let i = 0; i < clients; i++) send();
  clock.run(end);
  return service;
}

describe('the simulation', () => {
  it('adds up what one client waits for', () => assert.equal(run(1, 1, 100_000).commits, 1000));
  it('commits together what waits', () => {
    const { written, commits } = run(1000, 1, 1_000_000);
    assert.ok(written / commits > 100, `${written} in ${commits}`);
  });
  it('does the same each time', () => {
    const numbers = () => { const random = new Random(7); return Array.from({ length: 5 }, () => random.exponential(10)); };
    assert.deepEqual(numbers(), numbers());
    assert.equal(run(8, 2, 100_000).written, run(8, 2, 100_000).written);
  });
  it('lets commits that wait share the next flush', () => {
    const clock = new Clock();
    const disk = new Disk(clock, 50);
    const times = [];
    for (let i = 0; i < 3; i++) disk.sync(() => times.push(clock.now));
    clock.run(1000);
    assert.deepEqual(times, [50, 100, 100]);
  });
});
