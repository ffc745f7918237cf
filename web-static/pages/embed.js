// Standings embedded in another site: as the server has written them, updated when something has happened. Nothing more,
// since a browser may block storage there, and with it the reader's language.
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
