// A button by which a reader who is signed in follows a player, to be told when they open an event.
import { player } from "../lib/account.js";
import { element, read, send } from "../lib/common.js";
import { attempt, button, formFault } from "../lib/forms.js";
import { say } from "../lib/words.js";

let follows = null; // not known yet

// The part of a player's page; null for readers who are not signed in, and for themselves.
export async function followPart(id) {
  const own = player();
  if (own === null || own.id === id) return null;
  follows ??= await read("/v1/me/following").then(({ items }) => items.some((each) => each.player.id === id), () => null);
  return follows === null ? null : element("p", { id: "follow", class: "bar no-print" },
    button(say(follows ? "follow.end" : "follow.start"), { "data-follow": id }), element("span", { class: "hint" }, say("follow.about")), formFault("follow-fault"));
}

document.addEventListener("click", ({ target }) => {
  const id = target.dataset?.follow;
  if (id === undefined) return;
  attempt(document.getElementById("follow"), async () => {
    await send(follows ? "DELETE" : "PUT", `/v1/me/following/${id}`);
    follows = !follows;
    target.textContent = say(follows ? "follow.end" : "follow.start");
  });
});
