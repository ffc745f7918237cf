// This checkout and another commit, each built with all that a bench needs.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const run = (directory, program, ...words) => execFileSync(program, words, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });

// { before, now }: their directories; without `before` for "-".
export function buildTrees(commit, programs) {
  const trees = { now: root };
  if (commit !== '-') {
    trees.before = path.join(root, 'build/beside', execFileSync('git', ['rev-parse', '--verify', `${commit}^{commit}`], { cwd: root, encoding: 'utf8' }).trim());
    mkdirSync(trees.before, { recursive: true });
    run(root, 'sh', '-c', `git archive "$1" | tar -x -C "$2"`, 'sh', commit, trees.before);
  }
  for (const tree of Object.values(trees)) {
    run(tree, 'cmake', '--preset', 'release');
    run(tree, 'ninja', '-C', 'build/release', '-j2', '--quiet', 'tillroll', 'tillrolld', ...programs);
    if (!existsSync(path.join(tree, 'tests/node_modules'))) run(path.join(tree, 'tests'), 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  }
  return trees;
}
