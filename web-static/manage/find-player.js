// Finds a player by name, or by the address of the player's page, and suggests names while typing.
import { element, idIn, Problem, send } from "../lib/common.js";
import { textBox } from "../lib/forms.js";
import { say } from "../lib/words.js";

const BYTES_MOST = 80; // of what is searched for
const waitMs = 250;

const plainName = (name) => name.normalize("NFKC").trim().replace(/\s+/g, " ").toLocaleLowerCase();
const sameName = (a, b) => plainName(a) === plainName(b);

function known(name, { entries, roles }) {
  return [...entries, ...roles.items].map((each) => each.player).find((each) => sameName(each.name, name));
}

// Players whose names begin with the text, sorted by name; an exact match comes first.
async function beginning(name) {
  const words = name.trim().replace(/\s+/g, " ");
  if (words === "" || new TextEncoder().encode(words).length > BYTES_MOST) return [];
  return (await send("POST", "/v1/search", { words })).players;
}

// The id of a player. Throws a problem of the field `player`.
export async function findPlayer(written, parts) {
  const text = written.trim();
  const id = idIn(text);
  if (id !== undefined) return id;
  const found = text === "" ? undefined : known(text, parts) ?? (await beginning(text)).find((each) => sameName(each.name, text));
  if (found === undefined) throw Object.assign(new Problem("unknown-player", 404, say("find.nobody")), { field: "player" });
  return found.id;
}

/* ---- Suggestions ---- */

let timer = null;
let asked = 0; // an outdated response is ignored

// A name field for which the page adds suggestions: see `offerPlayers`.
export function playerBox(id) {
  return textBox(id, null, { "data-field": "player", list: `${id}-names` });
}

export const playerNames = (id) => element("datalist", { id: `${id}-names`, "data-keep": true });

async function offer(box) {
  const number = ++asked;
  const players = await beginning(box.value).catch((problem) => {
    if (!(problem instanceof Problem)) throw problem;
    return []; // no suggestions; for a full name the error is shown on submission
  });
  if (number === asked) box.list?.replaceChildren(...players.map((each) => element("option", { value: each.name })));
}

export function offerPlayers() {
  document.addEventListener("input", ({ target }) => {
    if (target.dataset.field !== "player") return;
    clearTimeout(timer);
    timer = setTimeout(() => offer(target), waitMs);
  });
}
