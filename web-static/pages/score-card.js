// The score card: all boards of one player in a duplicate event.
import { element, link, nameOf, nameText, pageId, playerLink, present, read, scoreWords, table, title, whereLine } from "../lib/common.js";
import { figure, said, say } from "../lib/words.js";

const id = pageId();
const player = location.pathname.split("/")[4];
const at = `/v1/events/${id}/entries/${player}/score-card`;
const columns = () => [{ text: say("traveller.board"), header: true }, { text: say("seats.seat"), number: true, class: "extra" }, { text: say("seats.score"), number: true },
  { text: say("seats.place"), number: true, class: "roomy", title: say("score_card.place_is") }, { text: say("traveller.matchpoints"), number: true, class: "extra" },
  { text: "%", number: true, class: "points" }, { text: say("traveller.table") }];

function standingWords(event, card) {
  if (card.played === 0) return say("score_card.nothing_open");
  return say(event.scoring === "total" ? "score_card.standing_total" : "score_card.standing", { place: card.rank, points: figure(card.points.text) });
}

// `seats`: of each game. Without others to compare with there are neither places nor matchpoints.
function line(board, seats) {
  const name = link(`/events/${id}/rounds/${board.round}/boards/${board.board}`, whereLine({ round: board.round, board: board.board }));
  const tableWords = whereLine({ table: board.table });
  if (board.state === "hidden") return [name, String(board.seat + 1), "", "", "", "", say("score_card.hidden", { where: tableWords })];
  const alone = board.field === 1;
  return [name, String(board.seat + 1), scoreWords(board.score, seats), alone ? "" : say("player.place_of", { place: board.place, count: board.field }),
    alone ? "" : say("traveller.matchpoints_of", { count: board.matchpoints, most: 2 * (board.field - 1) }), figure(board.percentage.text), link(`/games/${board.game}`, tableWords)];
}

async function draw() {
  const [event, card] = await Promise.all([read(`/v1/events/${id}`), read(at)]);
  title(`${nameText(card.player)}, ${nameText(event)}`);
  return { more: event.state !== "closed", content: [
    element("h1", {}, said("score_card.title", { name: nameOf(card.player) })),
    element("p", { class: "about" }, say("score_card.number", { number: card.number }), " ", standingWords(event, card), " ", link(`/events/${id}`, nameOf(event)), ". ", playerLink(card.player)),
    card.boards.length === 0 ? element("p", {}, say("score_card.no_board"))
      : table(say("score_card.caption"), columns(), card.boards.map((board) => line(board, event.seats.max))),
    element("p", {}, link(at, say("score_card.as_json"))),
  ] };
}

present(draw, 5000);
