// Circles among the C files of a room. A .c and its .h are one part, named without their endings. A part needs another if it includes the
// other's header or calls a function that the other defines. A function that is only named, as in a table of handlers or as an argument, is not
// needed: its caller does not know it.

// What has no circles: folders with all below them. Where engine/ is not listed, a public header has a private one beside it for the files
// that share its work (record.h and record_parts.h), and those files call each other.
export const circleFree = ['api', 'db', 'engine/analysis', 'engine/base', 'engine/game', 'engine/games/mall-world', 'engine/games/shinjuku', 'engine/games/super-motherload',
  'engine/games/supermarche', 'engine/log', 'engine/search', 'engine/tournament/formats/duplicate', 'engine/tournament/formats/knockout', 'engine/tournament/formats/ladder',
  'engine/tournament/formats/open_play', 'engine/tournament/formats/pods', 'engine/tournament/number', 'engine/tournament/result', 'engine/wasm'];

const partOf = (file) => file.replace(/\.[ch]$/, '');
const codeOf = (text) => text.replaceAll(/\/\*.*?\*\/|"(?:\\.|[^"\\\n])*"|^#[^\n]*(?:\\\n[^\n]*)*$/gms, '');
const definition = /^(static )?(?!(?:typedef|return|else|do)\b)[a-zA-Z_][\w *]*?\b(\w+)\([^;{}]*\)\s*\{/gm;

// Part → needed part → why: headers and functions.
function needs(files, folder) {
  const own = [...files].filter(([file]) => file.startsWith(`${folder}/`) && /\.[ch]$/.test(file));
  const found = new Map(own.map(([file]) => [partOf(file), new Map()]));
  const add = (file, needed, why) => {
    const to = found.get(partOf(file));
    if (needed !== partOf(file) && found.has(needed)) to.set(needed, (to.get(needed) ?? new Set()).add(why));
  };
  const code = new Map(own.map(([file, text]) => [file, codeOf(text)]));
  const definedIn = new Map();
  for (const [file, text] of code) for (const [, hidden, name] of text.matchAll(definition)) if (!hidden && name !== 'main') definedIn.set(name, partOf(file));
  for (const [file, text] of own) {
    for (const [, header] of text.matchAll(/^\s*#\s*include "([^"]+)"/gm)) add(file, partOf(header), header);
    if (file.endsWith('.h')) continue;
    const hidden = new Set([...code.get(file).matchAll(definition)].filter(([, isStatic]) => isStatic).map(([, , name]) => name));
    for (const [, name] of code.get(file).matchAll(/\b(\w+)\(/g)) if (definedIn.has(name) && !hidden.has(name)) add(file, definedIn.get(name), `${name}()`);
  }
  return found;
}

// Parts that need each other, each circle (or several that share a part) as a sorted list: Tarjan's strongly connected components.
function circles(graph) {
  const order = new Map();
  const lowest = new Map();
  const open = [];
  const found = [];
  const visit = (part) => {
    order.set(part, order.size);
    lowest.set(part, order.get(part));
    open.push(part);
    for (const next of graph.get(part).keys()) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lowest.set(part, Math.min(lowest.get(part), lowest.get(next)));
    }
    if (lowest.get(part) !== order.get(part)) return;
    const circle = open.splice(open.indexOf(part));
    if (circle.length > 1) found.push(circle.toSorted());
  };
  for (const part of graph.keys()) if (!order.has(part)) visit(part);
  return found;
}

// The circles, each with every need within it, as sentences.
export function circleFaults(files, folders = circleFree) {
  return folders.flatMap((folder) => {
    const graph = needs(files, folder);
    return circles(graph).map((circle) => {
      const within = circle.flatMap((part) => [...graph.get(part)].filter(([to]) => circle.includes(to)).map(([to, why]) => `${part} needs ${to}: ${[...why].join(', ')}`));
      return `${folder}: files that need each other:\n  ${within.join('\n  ')}`;
    });
  });
}
