// The badges at the top of pages: at how many tables it is the reader's turn, and how many disputes and contested results wait
// for their decision.
import { keepPlayer, player } from "./account.js";
import { say } from "./words.js";

const lookEveryMs = 60_000;
const restMs = 2_000; // maximum time between two requests
let tag = null; // of the last response
let looked = -Infinity; // when it was requested, by performance.now()
let next = null; // the timer of the next request

// Directly behind the name, so the last one to appear is the first.
function showBadge(id, { count, href, words }) {
  const shown = document.getElementById(id);
  if (count === 0) return shown?.remove();
  const badge = shown ?? document.createElement("a");
  Object.assign(badge, { id, href, className: "count", textContent: String(count), ariaLabel: words, title: words });
  if (shown === null) document.getElementById("account")?.after(badge);
}

function showCounts({ tables, disputes, results }) {
  const decisions = [["site.disputes", disputes], ["site.results", results]].filter(([, count]) => count > 0);
  showBadge("decisions", { count: disputes + results, href: "/disputes", words: decisions.map(([words, count]) => say(words, { count })).join("; ") });
  showBadge("turns", { count: tables, href: "/", words: say("site.turns", { count: tables }) });
}

// If the server is unavailable, the badges do not change.
async function look() {
  looked = performance.now();
  const answer = await fetch("/v1/me/turns", { headers: tag === null ? {} : { "If-None-Match": tag } }).catch(() => null);
  if (answer?.status === 401) keepPlayer(null);
  if (answer?.status !== 200) return;
  tag = answer.headers.get("ETag");
  showCounts(await answer.json());
}

// Keeps the badges current while the page is visible: at once when the page has news, otherwise periodically.
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
