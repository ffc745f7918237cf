// Emblems in what is told of a game: before the name of a thing stands what the board draws for it. Only for the eye, since the name says it.
import { element } from "../lib/common.js";
import { thingsIn } from "../lib/telling.js";

// `drawing`, as an emblem.
export function emblem(board, drawing) {
  for (const title of drawing.querySelectorAll("title")) title.remove(); // the sentence has the name
  return element("span", { class: `emblem ${board.scope}`, "aria-hidden": "true" }, drawing);
}

// A name with its emblem, which stays on the line of its first word.
function withEmblem(board, { drawing, word }) {
  const first = word.split(" ", 1)[0];
  return element("span", {}, element("span", { class: "together" }, emblem(board, drawing), first), word.slice(first.length));
}

const anywhere = (name) => new RegExp(`(?<![\\p{L}\\p{N}])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}])`, "iu");

// Where a name stands for the first time: { part, at, word }, or null.
function placeOf(name, parts) {
  for (const [part, text] of parts.entries()) {
    const found = typeof text === "string" ? anywhere(name).exec(text) : null;
    if (found !== null) return { part, at: found.index, word: found[0] };
  }
  return null;
}

// Puts emblems into a sentence, a list of texts and elements: that of each thing that the event names before its name, that of the kind of
// event before all. Longer names first: they may have shorter ones in them.
export function withEmblems(parts, event, { slug, board, components }) {
  const drawings = thingsIn(slug, event, components).map((thing) => [thing, board.emblems?.[thing.member]?.(thing.id, event, { components }) ?? null]);
  const drawn = drawings.filter(([, drawing]) => drawing !== null).map(([{ name }, drawing]) => ({ name, drawing }));
  const told = [...parts];
  for (const { name, drawing } of drawn.filter((thing) => thing.name !== null).sort((a, b) => b.name.length - a.name.length)) {
    const place = placeOf(name, told);
    if (place === null) continue;
    const { part, at, word } = place;
    told.splice(part, 1, told[part].slice(0, at), withEmblem(board, { drawing, word }), told[part].slice(at + word.length));
  }
  return [...drawn.filter((thing) => thing.name === null).map(({ drawing }) => emblem(board, drawing)), ...told.filter((part) => part !== "")];
}
