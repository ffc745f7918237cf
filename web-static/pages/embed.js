// Standings in a page of another site: as the server has written them, and written anew when something has happened.
// Only this much, since there the browser may keep the page's store, and so the language of the reader, from it.
import { News, pause } from "../lib/news.js";
import { updateChildren } from "../lib/update.js";
import { readPage, shownChanges } from "../lib/written-page.js";

const main = document.getElementById("main");
const at = `/v1/events/${location.pathname.split("/")[2]}`;
const everyMs = 30000;

async function refresh() {
  const { changes, state } = await (await fetch(at)).json();
  if (changes !== shownChanges(main)) updateChildren(main, await readPage());
  return { changes, isOver: state === "closed" };
}

const news = new News(`${at}/stream`);
for (;;) {
  try {
    const { changes, isOver } = await refresh();
    if (isOver) break;
    await news.next(changes, everyMs);
  } catch {
    await pause(everyMs);
  }
}
