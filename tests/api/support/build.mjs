// Where what is tested was built.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
export const build = path.resolve(root, process.env.TILLROLL_BUILD ?? 'build/release');
