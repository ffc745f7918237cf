// Importing this has temporary files lie in memory where there is room for them: a cluster is fifteen hundred files, and making
// them on a disk costs more than a test that needs one. A TMPDIR that is set stays as it is.
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import os from 'node:os';

// Where temporary files lie that have to be on a disk.
export const onDisk = os.tmpdir();

const folder = '/dev/shm';
const gigabyte = 2 ** 30;

// Programs are started from there too.
function hasRoom() {
  const mount = readFileSync('/proc/mounts', 'utf8').split('\n').map((line) => line.split(' ')).findLast((each) => each[1] === folder);
  if (mount?.[2] !== 'tmpfs' || mount[3].split(',').some((word) => ['noexec', 'ro'].includes(word))) return false;
  const { bavail, bsize } = statfsSync(folder);
  const available = Number(/^MemAvailable: *(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? 0) * 1024;
  return bavail * bsize >= 4 * gigabyte && available >= 6 * gigabyte;
}

if (process.env.TMPDIR === undefined && existsSync(folder) && existsSync('/proc/mounts') && hasRoom()) process.env.TMPDIR = folder;
