// The pages that the service makes of web-static/shell.html and pages.json (api/state/shells.h).
import { readFileSync } from 'node:fs';

const textOf = (name) => readFileSync(new URL(`../../../web-static/${name}`, import.meta.url), 'utf8');
const { usual, pages } = JSON.parse(textOf('pages.json'));

function fill(shell, texts) {
  const whole = shell.replace(/ [\w-]+="\{\{(\w+)\}\}"/g, (attribute, mark) => (mark in texts ? attribute : ''));
  return whole.replace(/\{\{(\w+)\}\}/g, (_, mark) => texts[mark] ?? '');
}

// `event.html` -> its text.
export const shells = new Map(Object.entries(pages).map(([page, own]) => [`${page}.html`, fill(textOf('shell.html'), { ...usual, ...own, page })]));
// Every text that a page or all of them have, for marks that the shell does not have.
export const given = [...new Set([usual, ...Object.values(pages)].flatMap(Object.keys))].sort();
export const marks = [...new Set([...textOf('shell.html').matchAll(/\{\{(\w+)\}\}/g)].map(([, mark]) => mark))].sort();
