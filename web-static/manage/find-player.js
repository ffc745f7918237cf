// A player by name, or by the address of his page: the service's list is looked through, as names cannot be asked for.
import { Problem, read } from "../common.js";
import { say } from "../words.js";

const PAGES_MOST = 20; // of 100 players

const sameName = (a, b) => a.normalize("NFC").toLocaleLowerCase() === b.normalize("NFC").toLocaleLowerCase();

function known(name, { entries, roles }) {
  return [...entries, ...roles.items].map((each) => each.player).find((each) => sameName(each.name, name));
}

async function inList(name) {
  let after = "";
  for (let i = 0; i < PAGES_MOST; i++) {
    const page = await read(`/v1/players?limit=100${after}`);
    const found = page.items.find((each) => sameName(each.name, name));
    if (found !== undefined) return found;
    if (page.next === null) return undefined;
    after = `&after=${page.next}`;
  }
  return undefined;
}

// The id of a player. Throws a problem of the field `player`.
export async function findPlayer(written, parts) {
  const text = written.trim();
  const [id] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text) ?? [];
  if (id !== undefined) return id;
  const found = text === "" ? undefined : known(text, parts) ?? await inList(text);
  if (found === undefined) throw Object.assign(new Problem("unknown-player", 404, say("find.nobody")), { field: "player" });
  return found.id;
}
