// The button for a rematch, on the page of a finished casual game, and whether another player has asked for one.
import { player } from "../lib/account.js";
import { element, fill, listed, nameOf, Problem, read, send } from "../lib/common.js";
import { attempt, button, formFault } from "../lib/forms.js";
import { pause } from "../lib/news.js";
import { said, say } from "../lib/words.js";

const everyMs = 4000;
const looks = 150; // for ten minutes
let followed = false;

const mayAsk = (game) => game.event === null && game.state === "finished" && game.seats.length > 1 && game.seats.some((seat) => seat.player.id === player()?.id);

// Nothing for games of events, and for readers who did not play.
export function rematchPart(game) {
  if (!mayAsk(game)) return null;
  return element("section", { id: "rematch", class: "mine", "data-keep": true }, element("p", { id: "rematch-asked", role: "status" }), formFault(),
    element("p", { class: "bar" }, button(say("rematch.do"), { id: "ask-rematch", class: "main", "data-game": game.id })));
}

document.addEventListener("click", ({ target }) => {
  if (target.id !== "ask-rematch") return;
  attempt(document.getElementById("rematch"), async () => {
    const table = await send("POST", `/v1/games/${target.dataset.game}/rematch`);
    location.assign(table.game === null ? `/join/${table.code}` : `/games/${table.game}`);
  });
});

// Shows when another player asks; no stream announces it.
export async function followRematch(game) {
  if (followed || !mayAsk(game)) return;
  followed = true;
  for (let i = 0; i < looks; i++) {
    try {
      const { items } = await read("/v1/me/tables");
      const table = items.find((each) => each.rematch_of === game.id);
      const names = table?.players.filter((each) => each.seated && each.player.id !== player()?.id).map((each) => nameOf(each.player)) ?? [];
      fill(document.getElementById("rematch-asked"), names.length === 0 ? null : said("rematch.asked", { count: names.length, names: listed(names) }));
    } catch (error) {
      if (!(error instanceof Problem) || !error.passes) return;
    }
    await pause(everyMs);
  }
}
