// File systems of their own for a cluster: one in memory that can be filled up, and one on a disk of
// which the power can be cut. Both have to be mounted, which needs root.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, constants, mkdtempSync, renameSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const command = (name, ...options) => execFileSync(name, options, { stdio: ['ignore', 'ignore', 'pipe'] });

// Whether this process may mount.
export function canMount() {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'tillroll-mount-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', directory]).status === 0;
  if (mounted) command('umount', directory);
  rmSync(directory, { recursive: true });
  return mounted;
}

// In memory, of a fixed size. `prepare` is for Testbed.
export class SmallDisk {
  constructor(megabytes) {
    this.prepare = (directory) => {
      this.directory = directory;
      command('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'none', directory);
      return () => spawnSync('umount', ['--lazy', directory]);
    };
  }

  get #ballast() {
    return path.join(this.directory, 'ballast');
  }

  // Leaves so many bytes free, while others write.
  fill(left) {
    for (let attempt = 0; attempt < 100; attempt++) {
      const { bavail, bsize } = statfsSync(this.directory);
      const bytes = bavail * bsize - left;
      if (bytes <= 0 || spawnSync('fallocate', ['-l', String(bytes), this.#ballast]).status === 0) return;
      this.empty();
    }
    throw new Error('the disk cannot be filled');
  }

  empty() {
    rmSync(this.#ballast, { force: true });
  }
}

// ext4 in a file, through a loop device: what has not been synced is not in the file.
export class LoopDisk {
  constructor(megabytes) {
    this.prepare = (directory) => {
      this.directory = directory;
      this.home = mkdtempSync(path.join(os.tmpdir(), 'tillroll-disk-'));
      writeFileSync(this.#image, '');
      truncateSync(this.#image, megabytes * 2 ** 20);
      command('mkfs.ext4', '-q', this.#image);
      this.#mount();
      return () => {
        spawnSync('umount', ['--lazy', directory]);
        rmSync(this.home, { recursive: true, force: true });
      };
    };
  }

  get #image() {
    return path.join(this.home, 'image');
  }

  #mount() {
    command('mount', '-o', 'loop', this.#image, this.directory);
  }

  // Everything that was written so far is on the disk.
  sync() {
    command('sync', '-f', this.directory);
  }

  // Keeps the disk as it would be if the power went now. Nobody may be writing.
  freeze() {
    copyFileSync(this.#image, `${this.#image}.cut`, constants.COPYFILE_FICLONE);
  }

  // The power comes back: the disk is as it was at freeze(). Nobody may have a file open.
  restore() {
    command('umount', this.directory);
    renameSync(`${this.#image}.cut`, this.#image);
    this.#mount();
  }
}
