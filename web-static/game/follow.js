// The button by which a signed-in reader follows a running game: it then stands on the reader's home page.
import { player } from "../lib/account.js";
import { element, Problem, read, send } from "../lib/common.js";
import { attempt, button, formFault } from "../lib/forms.js";
import { say } from "../lib/words.js";

const list = "/v1/me/followed-games";

const isPlayed = (game) => game.seats.some((seat) => seat.player.id === player()?.id);

// Nothing for strangers, and for players of the game, who find it among their own.
export const followPart = (game) => (player() === null || isPlayed(game) ? null : element("div", { id: "follow-game", "data-keep": true }));

const label = (follows) => say(follows ? "follow.end" : "follow.begin");

document.addEventListener("click", ({ target }) => {
  if (target.id !== "follow") return;
  const follows = target.dataset.follows === "true";
  attempt(target.closest("#follow-game"), async () => {
    await send(follows ? "DELETE" : "PUT", `${list}/${target.dataset.game}`);
    target.dataset.follows = String(!follows);
    target.textContent = label(!follows);
  });
});

// Fills the part once. A game that is over can only be followed no more.
export async function showFollow(game) {
  const part = document.getElementById("follow-game");
  if (part === null || part.dataset.shown !== undefined) return;
  part.dataset.shown = "";
  try {
    const { items } = await read(`${list}?limit=100`);
    const follows = items.some((each) => each.id === game.id);
    if (!follows && game.state !== "running") return;
    part.replaceChildren(formFault(), button(label(follows), { id: "follow", "data-follows": String(follows), "data-game": game.id }));
  } catch (error) {
    if (!(error instanceof Problem)) throw error; // of a session that has ended, or not important enough to report
  }
}
