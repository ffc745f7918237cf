// The boards that are drawn. A board is a module boards/<slug>.js with
//
//   draw(view, context)            the elements that show a view (GET /v1/games/{id}/view), made anew for each
//   word(token, words, context)    what a word of a move is called in the list of choices; words: the move's
//                                  words before it. Optional: the word itself
//   sentence(words, context)       what a whole move does, for the player about to play it. Optional
//   warning(words, view, context)  what should be thought of before it is played, or null. Optional
//   component(id, from, context)  what the scorer's page calls a component that comes from a place (engine/game/CHANCE.md);
//                                  null: the name in the game's list. context: { components, view (null before the set-up), seats,
//                                  of (the attraction whose side is asked for) }. Optional
//   comes                          for places in a recorded game (without the seat), what is drawn of what comes from there:
//                                  (id, context) -> element or null, with the same context. Optional
//   isImmediate(move)              true if a press plays the move, with no second one that confirms it. Optional
//   sheet                          the address of its style sheet. Optional
//   emblems                        for members of events, the drawing that the board has for what they name, as
//                                  (id, event, { components }) -> element or null; that of `kind` stands before
//                                  the sentence. Optional
//   scope                          the class of elements for which the sheet is: of the board, and of emblems
//
// context: { components   the component set of the game (componentsAt)
//            seats        how many
//            view         what is drawn
//            own          the viewer's seat, or null
//            planned      the words of the move that is about to be played, or null
//            moves        the legal moves of the viewer, who is to choose one of them or has just done so; missing or null otherwise
//            entry        the entry of the record that led here (GET /v1/games/{id}/events), or null
//            seatName(n)  a player's name as an element, seatText(n) as text }
//
// `draw` is a function of its arguments alone. Elements keep their place on the page, with focus and scrolling,
// if they have the same id each time. What stands for a word of a move says so:
//
//   data-token="ueno"         the word; several words (`a b`) for what stands side by side in a move
//   data-place="2"            it must be the move's word number 2, from 0 = the first; else anywhere
//   data-verbs="open move"    good only for moves whose first word is one of these; else for all
//   data-label="Ueno"         its name for screen readers
//
// A drawing that is also there in words (`unseen`) says data-told: screen readers then find in it only what can be chosen.
//
// If a legal move has the word, the page makes the element a button (class `can`; `picked` once it is chosen).
// Colours of seats are the classes seat-0 .. seat-4, which set the CSS variable --seat.
import * as plain from "./plain.js";
import { element } from "../lib/common.js";
import { addGameWords, say } from "../lib/words.js";

const drawn = new Set([
  "mall-world",
  "shinjuku",
  "super-motherload",
  "supermarche",
  "superstore-3000",
]);

async function useSheet(address) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  const loaded = new Promise((resolve) => ["load", "error"].forEach((kind) => link.addEventListener(kind, resolve)));
  document.head.append(link);
  await loaded;
}

// A view on its board, or, where that cannot draw it, as lists of terms.
export function drawBoard(board, view, context, attributes = {}) {
  const drawn = element("div", { class: "board", ...attributes });
  try {
    drawn.append(...[board.draw(view, context)].flat(Infinity));
  } catch (error) {
    console.error(error);
    drawn.replaceChildren(plain.draw(view, context));
  }
  return drawn;
}

// A picture of what the first seat sees, in which nothing can be reached and seats have no names. Throws what the board throws.
export function pictureOf(board, view, { components, seats, planned = null }) {
  const seatName = (seat) => say("position.seat", { seat: seat + 1 });
  return element("div", { class: "board", "aria-hidden": "true", inert: true }, board.draw(view, { components, seats, own: 0, view, planned, entry: null, seatName, seatText: seatName }));
}

// Where the components of a game are: `hash` is that of a set of its own.
export const componentsAt = (slug, hash) => (hash ? `/v1/components/${hash}` : `/v1/rulesets/${slug}/components`);

// The board of a game, with its texts and its style sheet.
export async function boardOf(slug) {
  if (!drawn.has(slug)) return plain;
  const [board] = await Promise.all([import(`./${slug}.js`), addGameWords(slug)]);
  if (board.sheet) await useSheet(board.sheet);
  return board;
}
