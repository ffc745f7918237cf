// A player's own presence in a running game: coming back after an absence, and leaving a casual game.
import { player } from "../lib/account.js";
import { element, isHouse, listed, nameOf, send } from "../lib/common.js";
import { attempt, button, formFault, openDialog } from "../lib/forms.js";
import { said, say } from "../lib/words.js";

let shown = null; // the game

const ownSeat = (game) => (game.state === "running" && player() !== null ? game.seats.find((seat) => seat.player.id === player().id) : undefined);

// Whether fallback moves are played for the reader, or to the end; null for everybody else.
export function absencePart(game) {
  const seat = ownSeat(game);
  if (!seat?.fallback) return null;
  if (seat.forfeited) return element("p", { id: "absence", class: "notice", role: "status" }, say("presence.left"));
  return element("section", { id: "absence", role: "status" }, element("p", {}, say("presence.absent")), formFault(),
    element("p", { class: "bar" }, button(say("presence.do_return"), { id: "do-return", class: "main" })));
}

// Nothing for games of events, where officials decide who is out.
export function leavePart(game) {
  const seat = ownSeat(game);
  shown = game;
  if (game.event !== null || seat === undefined || seat.forfeited) return null;
  return element("p", { id: "leave", class: "bar" }, button(say("presence.do_leave"), { id: "do-leave" }));
}

// What leaving does to the others.
function consequence(game) {
  const staying = game.seats.filter((seat) => !seat.forfeited && seat.player.id !== player().id).map((seat) => seat.player);
  if (staying.length === 1) return said("presence.leave_two", { name: nameOf(staying[0]) });
  if (staying.every(isHouse)) return say("presence.leave_house");
  return said("presence.leave_many", { names: listed(staying.map(nameOf)) });
}

document.addEventListener("click", ({ target }) => {
  const at = `/v1/games/${shown?.id}`;
  if (target.id === "do-return") attempt(document.getElementById("absence"), () => send("POST", `${at}/return`, {}));
  if (target.id === "do-leave")
    openDialog({ heading: say("presence.leave_title"), about: [consequence(shown), " ", say("presence.leave_final")], label: say("presence.do_leave"),
      act: () => send("POST", `${at}/leave`, {}) });
});
