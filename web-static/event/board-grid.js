// The round of a duplicate event at a glance: a row for each player, a column for each board.
import { element, link, playerLink, scoreWords, table, whereWords } from "../lib/common.js";
import { capital, say } from "../lib/words.js";

// The player's table for a board, and the score if it is visible.
function cell({ table: name, playing, seat, count }) {
  const text = seat.score === null ? capital(whereWords({ table: name })) : scoreWords(seat.score, count);
  const state = playing.state === "running" ? [" ", say("rounds.playing")] : seat.score === null ? [" ", say("rounds.finished")] : null;
  return [playing.hidden ? text : link(`/games/${playing.id}`, text), state];
}

// `boards`: how many the round has, including boards not started yet. `tables`: as from `tablesOf`.
export function boardGrid(round, boards, tables) {
  const players = new Map(); // id -> { player, at: board -> where }
  for (const { table: name, board, playing, seats } of tables) {
    for (const seat of seats) {
      const row = players.get(seat.player.id) ?? { player: seat.player, at: new Map() };
      row.at.set(board, { table: name, playing, seat, count: seats.length });
      players.set(seat.player.id, row);
    }
  }
  const numbers = Array.from({ length: boards }, (_, i) => i + 1);
  const columns = [{ text: say("seats.player"), header: true }, ...numbers.map((board) => ({ text: capital(whereWords({ board })) }))];
  const rows = [...players.values()].sort((a, b) => a.player.name.localeCompare(b.player.name));
  return element("div", { class: "board-grid" }, table(say("rounds.grid", { round: round.number }), columns,
    rows.map(({ player, at }) => [playerLink(player), ...numbers.map((board) => (at.has(board) ? cell(at.get(board)) : ""))])));
}
