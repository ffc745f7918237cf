// The page of a game that waits for its players' entropy: who has given, the deadline for the others, and the service's
// commitment. Opening it gives the player's own entropy.
import { element, gameName, hexText, link, nameOf, nameText, playerLink, read, seatsTable, time, title } from "../lib/common.js";
import { entropyNotice, giveEntropy } from "./entropy.js";
import { said, say } from "../lib/words.js";

// The service marks the page of such a game.
export const isWaiting = () => document.getElementById("waiting") !== null;

const isDropped = (waiting) => waiting.state === "dropped";

function facts(waiting, event) {
  return element("p", { id: "waiting", class: "about" }, element("span", { class: "badge" }, say(isDropped(waiting) ? "entropy.no_game" : "entropy.waits")), " ",
    link(`/events/${event.id}`, nameOf(event)), ". ",
    isDropped(waiting) ? say("entropy.closed_before") : said("entropy.begins", { when: time(waiting.until) }));
}

function seats(waiting) {
  const awaited = say(isDropped(waiting) ? "entropy.seat_without" : "entropy.seat_awaited");
  const columns = [{ text: say("seats.player"), header: true }, { text: say("seats.seat"), number: true }, { text: say("entropy.column") }];
  return seatsTable(say("seats.players"), columns, waiting.seats.map((seat) => [playerLink(seat.player), String(seat.seat + 1), seat.given ? say("entropy.seat_given") : awaited]));
}

// Its co-dealers, once they are asked.
function dealers({ dealers: all }) {
  if (all.length === 0) return null;
  return [element("h2", {}, say("dealers.title")), element("p", {}, say("dealers.asked")),
    element("ul", { id: "dealers" }, all.map(({ name, answered }) => element("li", {}, say(answered ? "dealers.answered" : "dealers.awaited", { name }))))];
}

function commitment(waiting) {
  return [element("h2", {}, say("entropy.commitment_title")),
    element("p", {}, said("entropy.commitment", { hash: hexText(waiting.commitment),
      proof: link(`/v1/log/inclusion?leaf=${waiting.leaf}`, say("entropy.proof")) }))];
}

function giving(waiting, event) {
  if (isDropped(waiting)) return null;
  return [element("h2", {}, say("entropy.how_title")),
    element("p", {}, said("entropy.how", { event: link(`/events/${event.id}`, nameOf(event)), address: element("code", {}, `/v1/games/${waiting.game}/entropy`),
      api: link("/docs/api", say("site.api")) }))];
}

// The result of the game page's `draw`, or null if the game has begun. No stream announces that entropy was given.
export async function drawWaiting(id) {
  const at = `/v1/games/${id}/entropy`;
  const event = await read(`/v1/events/${(await read(at)).event.id}`);
  const own = (await giveEntropy(event)).filter((each) => each.game === id);
  const waiting = await read(at);
  if (waiting.state === "started") return null;
  const name = gameName({ ruleset: event.ruleset, event: waiting.event });
  title(`${name}, ${nameText(event)}`);
  return { more: !isDropped(waiting), content: [
    element("h1", {}, name),
    facts(waiting, event),
    entropyNotice(own),
    seats(waiting),
    dealers(waiting),
    commitment(waiting),
    giving(waiting, event),
  ] };
}
