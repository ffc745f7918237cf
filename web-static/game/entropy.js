// A player's entropy. If an event's games wait for it, the browser of a signed-in player automatically gives 32 random
// bytes, signed with the player's key if that is in this browser.
import { player } from "../lib/account.js";
import { hexOf } from "../lib/bytes.js";
import { element, hexText, Problem, read, send, time } from "../lib/common.js";
import { said, say } from "../lib/words.js";
import { signedEntropy } from "./signing.js";

const ownSeat = (game) => game.seats.find((seat) => seat.player.id === player()?.id);

// Unsigned if the service rejects the signature: the key may have been replaced elsewhere.
async function give(game) {
  const body = { commitment: game.commitment, entropy: hexOf(crypto.getRandomValues(new Uint8Array(32))) };
  const to = (more) => send("PUT", `/v1/games/${game.game}/entropy`, { ...body, ...more });
  const { in_use: key } = await read(`/v1/players/${player().id}/signing-keys`);
  const signature = await signedEntropy(game, ownSeat(game).seat, body.entropy, key);
  try {
    await to(signature);
  } catch (error) {
    if (error.status !== 422) throw error;
    await to({});
  }
}

// Gives entropy to all of this player's waiting games, or those of one event. Returns the games as they are then.
export async function giveEntropy(event = null) {
  if (player() === null) return [];
  try {
    const { items } = await read("/v1/me/waiting");
    const own = items.filter((game) => (event === null || game.event.id === event.id) && ownSeat(game) !== undefined);
    for (const game of own)
      if (!ownSeat(game).given) {
        await give(game);
        ownSeat(game).given = true;
      }
    return own;
  } catch (error) {
    // Another window of the player was first, or the session has ended.
    if (error instanceof Problem) return [];
    throw error;
  }
}

// The message for the player.
export function entropyNotice(games) {
  return games.map((game) => element("div", { class: "notice", role: "status" }, element("p", {}, said("entropy.given", { table: game.event.table, when: time(game.until) })),
    element("details", {}, element("summary", {}, say("entropy.fair")), element("p", {}, said("entropy.after", { hash: hexText(game.commitment) })))));
}
