// The standings: one line a player; a button opens what the line was reckoned from.
import { element, link, nameText, nameOf, place, playerLink, table, tableRow } from "./common.js";

const kindNames = {
  pairing_bye: "bye", full_bye: "full bye", half_bye: "half bye", zero_bye: "bye without points", absent: "absent",
  forfeit_win: "won by forfeit", forfeit_loss: "lost by forfeit", adjudicated: "adjudicated", played: "still playing",
};

// How many share this place at this table.
function sharing(standings, round) {
  return standings.rows.flatMap((row) => row.rounds).filter((each) => each.game === round.game && each.rank === round.rank).length;
}

// In duplicate events the strip is of boards, and what counts is the percentage.
function isDuplicate(standings) {
  return standings.format === "duplicate";
}

function boardWords(round) {
  return `Round ${round.round}, board ${round.board}, table ${round.table}: a score of ${round.score}, ${round.points.text} % of the matchpoints`;
}

function roundWords(standings, round) {
  if (round.board !== undefined) return boardWords(round);
  const table = `Round ${round.round}${round.table ? `, table ${round.table}` : ""}`;
  // Brackets and ladders have no points.
  const points = round.points === undefined ? "" : `, ${round.points.text} points`;
  if (round.rank === undefined) return `${table}: ${kindNames[round.kind]}${points}`;
  const shared = sharing(standings, round) > 1 ? "shared " : "";
  return `${table}: ${shared}place ${round.rank} of ${round.seats} with a score of ${round.score}${points}`;
}

function chipText(standings, round) {
  if (round.board !== undefined) return String(Math.round(Number(round.points.text)));
  if (round.rank !== undefined) return `${round.rank}${sharing(standings, round) > 1 ? "=" : ""}`;
  return round.game === null ? "–" : "…";
}

// One chip a round: the place at the table, linked to the game.
function strip(standings, row) {
  return element("ul", { class: "strip" }, row.rounds.map((round) => {
    const said = roundWords(standings, round);
    const best = round.board === undefined ? round.rank === 1 : round.points.text === "100";
    const attributes = { title: said, class: best ? "first" : null };
    const shown = [element("span", { "aria-hidden": "true" }, chipText(standings, round)), element("span", { class: "unseen" }, said)];
    return element("li", {}, round.game === null ? element("span", attributes, shown)
      : element("a", { href: `/games/${round.game}`, ...attributes }, shown));
  }));
}

function operand(row, value) {
  const of = value.player.id === row.player.id ? [] : [nameOf(value.player), " "];
  return element("li", {}, value.round === 0 ? null : `round ${value.round}: `, of, value.value.text, value.cut ? " (left out)" : null);
}

function tieBreak(row, chain, value, i) {
  return element("div", {},
    element("dt", {}, `${chain[i].code}: ${chain[i].name}`),
    element("dd", {}, element("strong", {}, value.text), value.used ? null : " (not needed)"),
    value.operands.length === 0 ? null : element("dd", { class: "operands-of" },
      element("ul", { class: "operands" }, value.operands.map((each) => operand(row, each)))));
}

function detailRow(standings, row, columns) {
  return element("tr", { id: `more-${row.player.id}`, class: "more", hidden: true }, element("td", { colspan: columns },
    element("ul", {}, row.rounds.map((round) => element("li", {}, roundWords(standings, round)))),
    isDuplicate(standings) ? element("p", {}, link(`/events/${standings.event}/entries/${row.player.id}/score-card`, "Score card")) : null,
    element("dl", {}, row.tie_breaks.map((value, i) => tieBreak(row, standings.chain, value, i)))));
}

function opener(row) {
  return element("button", { type: "button", class: "opener", "aria-expanded": "false", "aria-controls": `more-${row.player.id}`,
    "aria-label": `How the place of ${nameText(row.player)} was reckoned`, title: "How this was reckoned" });
}

document.addEventListener("click", (click) => {
  const button = click.target.closest?.("button.opener");
  if (!button) return;
  const more = document.getElementById(button.getAttribute("aria-controls"));
  more.hidden = !more.hidden;
  button.setAttribute("aria-expanded", String(!more.hidden));
});

// The tie-breaks that parted anybody; the others stand in the opened rows.
function needed(standings) {
  return standings.chain.map((_, i) => i).slice(1).filter((i) => standings.rows.some((row) => row.tie_breaks[i].used));
}

export function standingsTable(standings) {
  const shown = needed(standings);
  const columns = [{ text: "Place", number: true }, { text: "Player", header: true },
    { text: standings.chain[0]?.code === "MP" ? "%" : "Points", number: true, class: "points" },
    { text: isDuplicate(standings) ? "Boards" : "Rounds" },
    ...shown.map((i) => ({ text: standings.chain[i].code, title: standings.chain[i].name, number: true, class: "tie-break" })),
    { text: "Why", class: "why" }];
  const ranks = standings.rows.map((row) => row.rank);
  const rows = standings.rows.flatMap((row) => [
    tableRow(columns, [
      row.rank === null ? "–" : place(row.rank, ranks),
      [playerLink(row.player), row.dropped ? " (dropped)" : null],
      row.points?.text ?? "",
      strip(standings, row),
      ...shown.map((i) => (row.tie_breaks[i].used ? row.tie_breaks[i].text : "")),
      opener(row),
    ], { id: `row-${row.player.id}` }),
    detailRow(standings, row, columns.length),
  ]);
  const caption = `${standings.state === "final" ? "Final" : "Provisional"}, after round ${standings.after_round}. `
    + (isDuplicate(standings) ? "Each board shows its percentage of the matchpoints" : "Each round shows the place at the table")
    + "; a tie-break stands where it was needed.";
  return [table(caption, columns, rows), glossary(standings)];
}

function glossary(standings) {
  return element("details", { class: "glossary" }, element("summary", {}, "How places are decided"),
    element("p", {}, "Players are compared by these in order; a later one counts only where all before it are equal."),
    element("dl", { class: "terms" }, standings.chain.flatMap((each) => [
      element("dt", {}, `${each.code}: ${each.name}`), element("dd", {}, each.definition)])),
    element("p", {}, link(`/v1/events/${standings.event}/standings?after_round=${standings.after_round}`, "All values as JSON")));
}
