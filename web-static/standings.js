// The standings of a stage: one line a player; a button opens what the line was reckoned from.
import { element, link, nameText, nameOf, playerLink, table, tableRow } from "./common.js";

// What was not played to a result at the table: in words, and on a chip.
export const kindNames = {
  pairing_bye: "bye", full_bye: "full bye", half_bye: "half bye", zero_bye: "bye without points", absent: "absent",
  forfeit_win: "won by forfeit", forfeit_loss: "lost by forfeit", adjudicated: "adjudicated", played: "still playing",
};
const kindChips = { pairing_bye: "–", full_bye: "–", half_bye: "½", zero_bye: "0", absent: "×", forfeit_win: "+", forfeit_loss: "−", played: "…", adjudicated: "!" };

// What there is besides rounds: boards of duplicate events, and tables where there are no rounds.
const captions = {
  points: "Each round shows the place at the table; a tie-break stands where it was needed.",
  duplicate: "Each board shows its percentage of the matchpoints; a tie-break stands where it was needed.",
  open_play: "Each game shows the place at the table; a tie-break stands where it was needed.",
  bracket: "Each round shows the place at the table. Places are known once nobody can change them.",
  ladder: "Each game shows the place at the table.",
};

// How many share this place at this table.
function sharing(standings, round) {
  if (round.game === null) return 1;
  return standings.rows.flatMap((row) => row.rounds).filter((each) => each.game === round.game && each.rank === round.rank).length;
}

function isDuplicate(standings) {
  return standings.format === "duplicate";
}

function whereWords(round) {
  const at = [round.round > 0 ? `round ${round.round}` : null, round.board ? `board ${round.board}` : null, round.table ? `table ${round.table}` : null];
  const all = at.filter(Boolean).join(", ");
  return all.charAt(0).toUpperCase() + all.slice(1);
}

function boardWords(round) {
  return [`${whereWords(round)}: a score of ${round.score}, ${round.points.text} % of the matchpoints`, ...marks(round)].filter(Boolean).join(", ");
}

function placeWords(standings, round) {
  const shared = sharing(standings, round) > 1 ? "shared " : "";
  const score = round.score === undefined ? "" : ` with a score of ${round.score}`;
  return `${shared}place ${round.rank} of ${round.seats}${score}`;
}

// What the place does not say of how it came about.
function marks(round) {
  return [round.forfeited ? "out of the game before its end" : null, round.substituted ? "ended by a substitute" : null];
}

const markChips = (round) => `${round.forfeited ? "−" : ""}${round.substituted ? "*" : ""}`;

// A ruling may say both: that it is one, and the place.
function roundWords(standings, round) {
  if (round.board !== undefined && round.points !== undefined) return boardWords(round);
  const ranked = round.rank !== undefined;
  const said = [ranked && round.kind === "played" ? null : kindNames[round.kind], ranked ? placeWords(standings, round) : null, ...marks(round),
    round.points === undefined ? null : `${round.points.text} points`];
  return `${whereWords(round)}: ${said.filter(Boolean).join(", ")}`;
}

function chipText(standings, round) {
  if (round.board !== undefined && round.points !== undefined) return `${Math.round(Number(round.points.text))}${markChips(round)}`;
  if (round.rank !== undefined && round.kind !== "forfeit_win" && round.kind !== "forfeit_loss")
    return `${round.rank}${sharing(standings, round) > 1 ? "=" : ""}${round.kind === "adjudicated" ? "!" : ""}${markChips(round)}`;
  return kindChips[round.kind];
}

function isBest(round) {
  return round.board === undefined ? round.rank === 1 || round.kind === "forfeit_win" : round.points?.text === "100";
}

// One chip a round: the place at the table, linked to the game.
function strip(standings, row) {
  return element("ul", { class: "strip" }, row.rounds.map((round) => {
    const said = roundWords(standings, round);
    const attributes = { title: said, class: isBest(round) ? "first" : null };
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

// A place of the standings, `3–4` where two share the third.
export function sharedPlace(rank, shared) {
  if (rank === null) return "";
  return shared > 1 ? `${rank}–${rank + shared - 1}` : String(rank);
}

function remarks(row) {
  return [row.dropped ? " (dropped)" : null, row.annulled ? " (left too early: results do not count)" : null,
    row.went_on ? [" ", element("span", { class: "badge good" }, "went on")] : null];
}

function pointsName(standings) {
  if (!isDuplicate(standings)) return "Points";
  return standings.chain[0].code === "MP" ? "%" : "Points";
}

function columnsOf(standings, shown) {
  const strips = isDuplicate(standings) ? "Boards" : standings.kind === "ladder" || standings.kind === "open_play" ? "Games" : "Rounds";
  return [{ text: standings.kind === "ladder" ? "Rung" : "Place", number: true }, { text: "Player", header: true },
    hasPoints(standings) ? { text: pointsName(standings), number: true, class: "points" } : null,
    { text: strips },
    ...shown.map((i) => ({ text: standings.chain[i].code, title: standings.chain[i].name, number: true, class: "tie-break" })),
    { text: "Why", class: "why" }].filter(Boolean);
}

function hasPoints(standings) {
  return standings.rows.some((row) => row.points !== null);
}

function rowsOf(standings, rows, columns, shown) {
  return rows.flatMap((row) => [
    tableRow(columns, [
      row.rank === null && standings.kind === "bracket" ? "still in" : sharedPlace(row.rank, row.shared),
      [playerLink(row.player), remarks(row)],
      ...(hasPoints(standings) ? [row.points?.text ?? ""] : []),
      strip(standings, row),
      ...shown.map((i) => (row.tie_breaks[i].used ? row.tie_breaks[i].text : "")),
      opener(row),
    ], { id: `row-${row.player.id}` }),
    detailRow(standings, row, columns.length),
  ]);
}

function caption(standings) {
  const when = standings.after_round > 0 ? `, after round ${standings.after_round}` : "";
  const some = (holds) => standings.rows.some((row) => row.rounds.some(holds));
  const ruled = some((round) => round.kind === "adjudicated") ? " An exclamation mark is a ruling." : "";
  const marked = `${some((round) => round.forfeited) ? " A minus is a game that the player went out of." : ""}${
    some((round) => round.substituted) ? " An asterisk is a game that a substitute ended." : ""}`;
  return `${standings.state === "final" ? "Final" : "Provisional"}${when}. ${captions[isDuplicate(standings) ? "duplicate" : standings.kind]}${ruled}${marked}`;
}

// Who may still win a bracket stands above those who have their places.
function inOrder({ kind, rows }) {
  return kind === "bracket" ? [...rows.filter((row) => row.rank === null), ...rows.filter((row) => row.rank !== null)] : rows;
}

// The divisions of a league, each with its rows; of everything else one without a number.
export function divisionsOf(standings) {
  const rows = inOrder(standings);
  return [...new Set(rows.map((row) => row.division))].map((division) => ({ division, rows: rows.filter((row) => row.division === division) }));
}

export function standingsTables(standings) {
  const shown = needed(standings);
  const columns = columnsOf(standings, shown);
  const tables = divisionsOf(standings).map(({ division, rows }) => table(
    `${division === null ? "" : `Division ${division}. `}${caption(standings)}`, columns, rowsOf(standings, rows, columns, shown)));
  return [tables.length === 0 ? element("p", {}, "Nobody stands here yet.") : tables, glossary(standings)];
}

// Of an event of several stages: who went on into the last one comes first, those still in it before all.
export function placesTable(standings) {
  const columns = [{ text: "Place", number: true }, { text: "Player", header: true }, { text: "Stage", number: true }];
  const isStillIn = (each) => each.place === null && each.stage === standings.stages;
  const places = [...standings.places.filter(isStillIn), ...standings.places.filter((each) => !isStillIn(each))];
  return table("In the event as a whole: who went on into the last stage first.", columns, places.map((each) => (
    [isStillIn(each) ? "still in" : sharedPlace(each.place, each.shared), playerLink(each.player), String(each.stage)])));
}

function glossary(standings) {
  const json = element("p", {}, link(`/v1/events/${standings.event}/standings?stage=${standings.stage}&after_round=${standings.after_round}`, "All values as JSON"));
  if (standings.chain.length === 0) return json;
  return element("details", { class: "glossary" }, element("summary", {}, "How places are decided"),
    element("p", {}, "Players are compared by these in order; a later one counts only where all before it are equal."),
    element("dl", { class: "terms" }, standings.chain.flatMap((each) => [
      element("dt", {}, `${each.code}: ${each.name}`), element("dd", {}, each.definition)])),
    json);
}
