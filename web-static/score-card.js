// The score card: all boards of one player in a duplicate event.
import { element, link, nameOf, nameText, pageId, playerLink, present, read, table, title } from "./common.js";

const id = pageId();
const player = location.pathname.split("/")[4];
const at = `/v1/events/${id}/entries/${player}/score-card`;
const columns = [{ text: "Board", header: true }, { text: "Seat", number: true }, { text: "Score", number: true },
  { text: "Place", number: true, title: "Among the results of the same seat" }, { text: "Matchpoints", number: true },
  { text: "%", number: true, class: "points" }, { text: "Table" }];

function line(card, board) {
  const name = link(`/events/${id}/rounds/${board.round}/boards/${board.board}`, `Round ${board.round}, board ${board.board}`);
  if (board.state === "hidden") return [name, String(board.seat), "", "", "", "", `Table ${board.table} (still hidden)`];
  return [name, String(board.seat), String(board.score), `${board.place} of ${board.field}`, `${board.matchpoints} of ${2 * (board.field - 1)}`,
    board.percentage.text, link(`/games/${board.game}`, `Table ${board.table}`)];
}

async function draw() {
  const [event, card] = await Promise.all([read(`/v1/events/${id}`), read(at)]);
  const standing = card.played === 0 ? "No board is open yet." : `Place ${card.rank} with ${card.points.text}${event.scoring === "total" ? "" : " %"}.`;
  title(`${nameText(card.player)}, ${nameText(event)}`);
  return { more: event.state !== "closed", content: [
    element("h1", {}, "Score card of ", nameOf(card.player)),
    element("p", { class: "about" }, `Number ${card.number}. ${standing} `, link(`/events/${id}`, nameOf(event)), ". ", playerLink(card.player)),
    card.boards.length === 0 ? element("p", {}, "No board has been started for this player.")
      : table("Every board, in the order of play.", columns, card.boards.map((board) => line(card, board))),
    element("p", {}, link(at, "This card as JSON")),
  ] };
}

present(draw, 5000);
