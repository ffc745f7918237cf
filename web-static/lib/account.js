// The account signed in at this browser. The session is in a cookie that scripts cannot read; its existence and owner are
// stored separately, so that pages need not ask the server.
import { say, wordsLoaded } from "./words.js";

const key = "tillroll.player";

// { id, name }, or null.
export function player() {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

const guestMark = " [guest]"; // reserved as an ending of guests' names, who have nothing but a name
export const withoutMark = (name) => name.slice(0, -guestMark.length);
export const isGuest = () => player()?.name.endsWith(guestMark) === true;
export const hasAccount = () => player() !== null && !isGuest();

// Begins the keys of what a tab keeps for the account alone (in sessionStorage).
export const ownPrefix = "tillroll.own.";

export function keepPlayer(found) {
  if (found?.id !== player()?.id)
    for (const each of Object.keys(sessionStorage)) if (each.startsWith(ownPrefix)) sessionStorage.removeItem(each);
  if (found === null) localStorage.removeItem(key);
  else localStorage.setItem(key, JSON.stringify({ id: found.id, name: found.name }));
  wordsLoaded.then(greet);
}

// Without a session, goes to the sign-in page, which leads back here.
export function goToSignIn() {
  keepPlayer(null);
  location.replace(`/login?next=${location.pathname}`);
}

// The link at the top of the page.
export function greet() {
  const link = document.getElementById("account");
  if (link === null) return;
  const known = player();
  const name = document.createElement("bdi");
  name.textContent = known?.name ?? "";
  link.href = known === null ? "/login" : "/account";
  link.replaceChildren(known === null ? say("account.sign_in") : name);
  if (known === null) for (const badge of document.querySelectorAll("#turns, #decisions")) badge.remove();
}

// The badges beside it (turns.js), for signed-in players.
export async function followTurns() {
  if (player() !== null && document.getElementById("account") !== null) (await import("./turns.js")).follow();
}
