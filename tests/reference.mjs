#!/usr/bin/env node
// The reference of the command line, written from what the program itself says:
//
//     node tests/reference.mjs [BUILD]      writes web-static/docs/reference/command-line.md
//
// tests/api/pages/docs.test.mjs compares.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const groups = {
  Accounts: ['register', 'login', 'logout', 'whoami'],
  Events: ['events', 'event show', 'event entries', 'event log', 'event create', 'event change', 'event open', 'event hold', 'event import', 'event close-entries', 'event draw', 'event close', 'event cancel',
    'enter', 'leave', 'pairings', 'standings', 'leaderboard'],
  Games: ['games', 'view', 'moves', 'sample', 'move', 'record', 'watch', 'bot', 'key', 'deposit'],
  Proofs: ['verify', 'event', 'replay', 'scorer', 'analyse', 'adjudicate', 'collusion', 'puzzles', 'odds', 'case', 'components check', 'components hash', 'components schema', 'trace'],
  'Trying out': ['match', 'train', 'demo', 'load'],
  Operation: ['top', 'house', 'witness', 'dealer', 'dealer compare', 'monitor', 'audit', 'admin', 'archive', 'lines', 'migrate'],
  'Everything else': ['api', 'man', 'completion', 'help'],
};

// The names of all commands, in the order of `tillroll help`.
export function commandsOf(tillroll) {
  return [...execFileSync(tillroll, ['help'], { encoding: 'utf8' }).matchAll(/^ {2}([a-z]+(?: [a-z-]+)?) {2,}[a-z]|^ {2}(event close-entries) /gm)].map(([, name, other]) => name ?? other);
}

export function commandReference(tillroll) {
  const help = (name) => execFileSync(tillroll, ['help', ...name.split(' ')], { encoding: 'utf8' }).trimEnd();
  const section = (name) => `### tillroll ${name === 'event' ? 'event FILE' : name}\n\n\`\`\`text\n${help(name)}\n\`\`\`\n`;
  return `# Command line

\`tillroll\` is the client, the verifier and the operator's tool. This page shows the output of \`tillroll help COMMAND\` for each command.
\`tillroll man\` prints the same as a manual page, and \`tillroll completion bash\` prints a completion script for the shell. For the service
itself, \`tillrolld\`, see [Configuration](configuration.md).

${Object.entries(groups).map(([title, names]) => `## ${title}\n\n${names.map(section).join('\n')}`).join('\n')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const build = process.argv[2] ?? path.join(root, 'build/release');
  const tillroll = path.join(build, 'tillroll');
  const left = commandsOf(tillroll).filter((name) => !Object.values(groups).flat().includes(name));
  if (left.length > 0) throw new Error(`in no group: ${left}`);
  writeFileSync(path.join(root, 'web-static/docs/reference/command-line.md'), commandReference(tillroll));
}
