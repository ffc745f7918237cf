// Standings embedded in another site: as the server has written them, updated when something has happened. Nothing more,
// since a browser may block storage there, and with it the language that the reader has chosen on our pages.
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

// In the browser's language, unless the address has one.
const germanFirst = navigator.languages.find((each) => /^(de|en)\b/.test(each))?.startsWith("de") ?? false;
if (germanFirst && !new URLSearchParams(location.search).has("language")) {
  history.replaceState(null, "", "?language=de");
  document.documentElement.lang = "de";
  await readPage().then((page) => updateChildren(main, page), () => {});
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
