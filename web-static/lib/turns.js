// The badge at the top of pages: the number of tables at which it is the reader's turn.
import { keepPlayer, player } from "./account.js";
import { say } from "./words.js";

const lookEveryMs = 60_000;
const restMs = 2_000; // maximum time between two requests
let tag = null; // of the last response
let looked = -Infinity; // when it was requested, by performance.now()
let next = null; // the timer of the next request

function showTurns(count) {
  const shown = document.getElementById("turns");
  if (count === 0) return shown?.remove();
  const badge = shown ?? document.createElement("a");
  badge.id = "turns";
  badge.href = "/";
  badge.textContent = String(count);
  badge.ariaLabel = badge.title = say("site.turns", { count });
  if (shown === null) document.getElementById("account")?.after(badge);
}

// If the server is unavailable, the badge does not change.
async function look() {
  looked = performance.now();
  const answer = await fetch("/v1/me/turns", { headers: tag === null ? {} : { "If-None-Match": tag } }).catch(() => null);
  if (answer?.status === 401) keepPlayer(null);
  if (answer?.status !== 200) return;
  tag = answer.headers.get("ETag");
  showTurns((await answer.json()).tables);
}

// Keeps the badge current while the page is visible: at once when the page has news, otherwise periodically.
export function follow() {
  clearTimeout(next);
  if (player() === null) return;
  const wait = Math.max(looked + restMs - performance.now(), 0);
  next = setTimeout(async () => {
    if (document.visibilityState === "visible") await look();
    next = setTimeout(follow, lookEveryMs);
  }, wait);
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && tag !== null) follow();
});
