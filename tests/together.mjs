// Runs several files of tests in one process, one after the other, each as a group of its own: with one cluster, whose database is made
// anew for each, and one browser. To start these, and to read what all tests import, costs more than many a file. tests/node.mjs puts
// them together.
import path from 'node:path';
import { after, before, describe } from 'node:test';

import { endAll, endBeds, shareCluster } from './api/support/testbed.mjs';
import { tell } from './progress.mjs';

// `files`: their paths.
export function together(files) {
  shareCluster(before);
  after(() => endAll());
  for (const file of files)
    describe(path.relative(path.dirname(new URL(import.meta.url).pathname), file), async () => {
      before(() => tell('begin', file));
      await import(file);
      after(() => { // its own hooks come first
        endBeds();
        tell('end', file);
      });
    });
}
