// The disk of the database, and of the services' logs, is full.
import { symlinkSync } from 'node:fs';
import path from 'node:path';

import { sleep, until } from '../../api/support/waiting.mjs';
import { canMount, SmallDisk } from '../disk.mjs';
import { Field } from '../field.mjs';

const KIB = 1024;
// Bytes left: from none at all to enough for the log to go on and for tables not to, or the other way.
const rooms = [0, 8 * KIB, 64 * KIB, 512 * KIB, 4096 * KIB];

export async function full(report, { rounds = 15, tables = 8, seconds = 4, hurry = false, seed = `full ${Date.now()}` } = {}) {
  if (!canMount()) {
    report.line('skipped: nothing can be mounted here');
    return true;
  }
  const disk = new SmallDisk(192);
  const field = await Field.open({
    seed,
    prepare: disk.prepare,
    environment: (directory) => {
      for (const number of [0, 1]) symlinkSync(path.join(disk.directory, `service-${number}`), path.join(directory, `log-${number}`));
      return {};
    },
  });
  try {
    const witness = await field.match(tables);
    let refused = 0;
    let stopped = 0;
    for (let round = 0; round < rounds; round++) {
      await witness.moreMoves(60);
      const before = witness.away + witness.unknown;
      disk.fill(rooms[round % rooms.length]);
      // Every other time the log needs a new file at once.
      if (round % 2 === 0) field.tryAsAdministrator('SELECT pg_switch_wal()');
      const end = Date.now() + seconds * 1000;
      while (Date.now() < end && witness.away + witness.unknown < before + 50) await sleep(20);
      disk.empty();
      // It ends itself where it cannot write its log.
      await until(60, 'the database has made up its mind', () => field.postmaster() === undefined || field.tryAsAdministrator('SELECT 1'));
      stopped += field.postmaster() === undefined;
      await field.cluster.restart();
      refused += witness.away + witness.unknown > before;
    }
    await witness.stop({ hurry });
    const faults = await field.faults(witness);
    report.line(`${rounds} times full: ${refused} times somebody was refused, ${stopped} times the database ended`);
    report.match(witness, faults);
    if (refused + stopped === 0) faults.push('the disk was never full');
    return faults.length === 0;
  } catch (error) {
    report.line(field.complaints());
    throw error;
  } finally {
    disk.empty();
    await field.end();
  }
}
