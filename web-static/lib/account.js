// Who is signed in at this browser, and how many tables wait for them. The session itself is in a cookie that no script can read; that there is
// one, and whose, is kept beside it, so that pages need not ask.
import { say } from "./words.js";

const key = "tillroll.player";

// { id, name }, or null.
export function player() {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

export function keepPlayer(found) {
  if (found === null) localStorage.removeItem(key);
  else localStorage.setItem(key, JSON.stringify({ id: found.id, name: found.name }));
  greet();
}

// The link in the head of the page.
export function greet() {
  const link = document.getElementById("account");
  if (link === null) return;
  const known = player();
  const name = document.createElement("bdi");
  name.textContent = known?.name ?? "";
  link.href = known === null ? "/login" : "/account";
  link.replaceChildren(known === null ? say("account.sign_in") : name);
  if (known === null) showTurns(0);
}

/* ---- The badge: at how many tables it is the reader's turn ---- */

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
// Strangers have no turn, and pages without a head no badge.
export function followTurns() {
  clearTimeout(next);
  if (player() === null || document.getElementById("account") === null) return;
  const wait = Math.max(looked + restMs - performance.now(), 0);
  next = setTimeout(async () => {
    if (document.visibilityState === "visible") await look();
    next = setTimeout(followTurns, lookEveryMs);
  }, wait);
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && tag !== null) followTurns();
});
