// The other side of short_memory.c: says which allocation of a process fails.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';

import { build } from '../api/support/testbed.mjs';

const MANY = 1_000_000_000;

export class ShortMemory {
  #fd;

  constructor(file) {
    this.#fd = openSync(file, 'w+');
    writeSync(this.#fd, Buffer.alloc(16), 0, 16, 0);
    this.environment = { LD_PRELOAD: path.join(build, 'tests/short_memory.so'), SHORT_MEMORY: file };
  }

  // The n-th allocation from now fails; 0 = none.
  fail(n) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(n));
    writeSync(this.#fd, bytes, 0, 8, 0);
  }

  #read(at) {
    const bytes = Buffer.alloc(8);
    readSync(this.#fd, bytes, 0, 8, at);
    return Number(bytes.readBigInt64LE());
  }

  get failed() {
    return this.#read(8);
  }

  // How many allocations are made while `work` is done, by all threads.
  async count(work) {
    this.fail(MANY);
    await work();
    const left = this.#read(0);
    this.fail(0);
    return MANY - left;
  }

  close() {
    closeSync(this.#fd);
  }
}
