// The badge in the head of pages: at how many tables it is the reader's turn.
import { keepPlayer, player } from "./account.js";
import { say } from "./words.js";

const lookEveryMs = 60_000;
const restMs = 2_000; // between two looks, whatever happens
let tag = null; // of the last answer
let looked = -Infinity; // when it was asked for, by performance.now()
let next = null; // the timer of the next look

function showTurns(count) {
  const shown = document.getElementById("turns");
  if (count === 0) return shown?.remove();
  const badge = shown ?? document.createElement("a");
  badge.id = "turns";
  badge.href = "/";
  badge.textContent = String(count);
  badge.ariaLabel = badge.title = say("site.turns", { count });
  if (shown === null) document.getElementById("account")?.before(badge);
}

// Where the server is away the badge stays as it is.
async function look() {
  looked = performance.now();
  const answer = await fetch("/v1/me/turns", { headers: tag === null ? {} : { "If-None-Match": tag } }).catch(() => null);
  if (answer?.status === 401) keepPlayer(null);
  if (answer?.status !== 200) return;
  tag = answer.headers.get("ETag");
  showTurns((await answer.json()).tables);
}

// Keeps the badge true, while somebody looks at the page: at once when the page has news, and else now and then.
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
