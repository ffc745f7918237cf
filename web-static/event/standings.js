// The standings of a stage: one row per player; a button shows how it was computed.
import { element, link, nameText, playerLink, scoreWords, sharedPlace, table, tableRow, whereLine } from "../lib/common.js";
import { tieBreakHead, tieBreakMeaning, tieBreakName, tieBreakText, tieBreakValue } from "../lib/reckoning.js";
import { addWords, figure, say } from "../lib/words.js";
import { fold } from "./fold.js";

// Results that were not played, as chips.
export const kindChips = { pairing_bye: "–", full_bye: "–", half_bye: "½", zero_bye: "0", absent: "×", forfeit_win: "+", forfeit_loss: "−", void: "∅", played: "…", adjudicated: "!" };

function isDuplicate(standings) {
  return standings.format === "duplicate";
}

const scoreTold = ({ score, seats }) => (seats === 1 && score < 0 ? scoreWords(score, seats) : say("standings.board_score", { score }));

function boardWords(round) {
  return [scoreTold(round), say("standings.board_percent", { percent: figure(round.points.text) }), ...marks(round)];
}

// Games for one have a score, but no place.
function placeWords(round) {
  if (round.seats === 1) return round.score === undefined ? null : scoreTold(round);
  const shared = round.shared > 1 ? "_shared" : "";
  const scores = round.score === undefined ? "" : "_scored";
  return say(`standings.place${shared}${scores}`, { place: round.rank, seats: round.seats, score: round.score });
}

export function pointsWords({ text }) {
  return say("standings.points", { count: Number(text), points: figure(text) });
}

// How the place came about, if it needs explaining.
export function marks(round) {
  return [round.forfeited ? say("standings.forfeited") : null, round.substituted ? say("standings.substituted") : null];
}

export const markChips = (round) => `${round.forfeited ? "−" : ""}${round.substituted ? "*" : ""}`;

// A ruling may show both: the mark and the place.
function tableWords(round) {
  const ranked = round.rank !== undefined;
  return [ranked && round.kind === "played" ? null : say(`kind.${round.kind}`), ranked ? placeWords(round) : null, ...marks(round),
    round.points === undefined ? null : pointsWords(round.points)];
}

function roundWords(round) {
  const told = round.board !== undefined && round.points !== undefined ? boardWords(round) : tableWords(round);
  return `${whereLine(round)}: ${told.filter(Boolean).join(", ")}`;
}

function chipText(round) {
  if (round.board !== undefined && round.points !== undefined) return `${Math.round(Number(round.points.text))}${markChips(round)}`;
  if (round.seats === 1 && round.score !== undefined) return `${round.score < 0 ? "–" : round.score}${markChips(round)}`;
  if (round.rank !== undefined && round.kind !== "forfeit_win" && round.kind !== "forfeit_loss")
    return `${round.rank}${round.shared > 1 ? "=" : ""}${round.kind === "adjudicated" ? "!" : ""}${markChips(round)}`;
  return kindChips[round.kind];
}

// (At a table that all have lost by forfeit, all share the first place.)
function isBest(round) {
  if (round.kind === "forfeit_loss") return false;
  return round.board === undefined ? (round.rank === 1 && round.seats !== 1) || round.kind === "forfeit_win" : round.points?.text === "100";
}

// One chip per round: the place at the table, linked to the game.
function strip(row) {
  return element("ul", { class: "strip" }, row.rounds.map((round) => {
    const said = roundWords(round);
    const attributes = { title: said, class: isBest(round) ? "first" : null };
    const shown = [element("span", { "aria-hidden": "true" }, chipText(round)), element("span", { class: "unseen" }, said)];
    return element("li", {}, round.game === null ? element("span", attributes, shown)
      : element("a", { href: `/games/${round.game}`, ...attributes }, shown));
  }));
}

// The hidden details of a row. What has to be read for them is read when it is opened.
export function detailRow(standings, row, columns) {
  return element("tr", { id: `more-${row.player.id}`, class: "more", hidden: true }, element("td", { colspan: columns },
    element("ul", {}, row.rounds.map((round) => element("li", {}, roundWords(round)))),
    isDuplicate(standings) ? element("p", {}, link(`/events/${standings.event}/entries/${row.player.id}/score-card`, say("standings.score_card"))) : null,
    element("div", { id: `details-${row.player.id}`, class: "details", "data-keep": true })));
}

function opener(row) {
  return element("button", { type: "button", class: "opener", "aria-expanded": "false", "aria-controls": `more-${row.player.id}`,
    "aria-label": say("standings.opener_of", { name: nameText(row.player) }), title: say("standings.opener") });
}

document.addEventListener("click", (click) => {
  const button = click.target.closest?.("button.opener[aria-controls]");
  if (!button || button.hasAttribute("data-player")) return;
  const more = document.getElementById(button.getAttribute("aria-controls"));
  more.hidden = !more.hidden;
  button.setAttribute("aria-expanded", String(!more.hidden));
  if (!more.hidden) fill(more);
});

let drawn = null; // the standings on the page

async function fill(more) {
  const row = drawn.rows.find(({ player }) => `more-${player.id}` === more.id);
  const { fillDetails } = await import("./row-details.js");
  await fillDetails(more.querySelector(".details"), drawn, row);
}

// Reads again what open rows are explained with, if it has changed.
export async function fillOpenRows() {
  await Promise.all([...document.querySelectorAll("tr.more[id]:not([hidden])")].map(fill));
}

// The tie-breaks that separated players; the others are in the opened rows.
function needed(standings) {
  return standings.chain.map((_, i) => i).slice(1).filter((i) => standings.rows.some((row) => row.tie_breaks[i].used));
}

const droppedWords = (row) => (row.dropped ? [" ", say("standings.dropped")] : null);

function remarks(row) {
  return [row.people_rank && row.people_rank !== row.rank ? [" ", say("standings.among_people", { place: row.people_rank })] : null,
    droppedWords(row), row.annulled ? [" ", say("standings.annulled")] : null,
    row.went_on ? [" ", element("span", { class: "badge good" }, say("standings.went_on"))] : null];
}

function pointsName(standings) {
  return isDuplicate(standings) && standings.chain[0].code === "MP" ? "%" : say("changes.points");
}

function columnsOf(standings, shown) {
  const strips = isDuplicate(standings) ? "standings.boards" : standings.kind === "ladder" || standings.kind === "open_play" ? "home.games" : "event.rounds";
  return [{ text: say(standings.kind === "ladder" ? "standings.rung" : "seats.place"), number: true }, { text: say("seats.player"), header: true },
    hasPoints(standings) ? { text: pointsName(standings), number: true, class: "points" } : null,
    { text: say(strips) },
    ...shown.map((i) => ({ text: tieBreakHead(standings.chain[i]), title: tieBreakText(standings.chain[i]), number: true, class: "tie-break" })),
    { text: say("standings.why"), class: "why" }].filter(Boolean);
}

function hasPoints(standings) {
  return standings.rows.some((row) => row.points !== null);
}

function rowsOf(standings, rows, columns, shown) {
  return rows.flatMap((row) => [
    tableRow(columns, [
      row.rank === null && standings.kind === "bracket" ? say("standings.still_in") : sharedPlace(row.rank, row.shared),
      [playerLink(row.player), remarks(row)],
      ...(hasPoints(standings) ? [row.points === null ? "" : figure(row.points.text)] : []),
      strip(row),
      ...shown.map((i) => (row.tie_breaks[i].used ? tieBreakValue(standings, row, i) : "")),
      opener(row),
    ], { id: `row-${row.player.id}` }),
    detailRow(standings, row, columns.length),
  ]);
}

function caption(standings) {
  const { state, after_round: round } = standings;
  const some = (holds) => standings.rows.some((row) => row.rounds.some(holds));
  const signs = [some((each) => each.kind === "adjudicated") ? "ruling" : null, some((each) => each.kind === "void") ? "void" : null, some((each) => each.forfeited) ? "minus" : null, some((each) => each.substituted) ? "asterisk" : null];
  return [round > 0 ? say(`standings.state_${state}_after`, { round }) : say(`standings.state_${state}`), say(`standings.caption_${isDuplicate(standings) ? "duplicate" : standings.kind}`),
    ...signs.filter(Boolean).map((sign) => say(`standings.sign_${sign}`))].join(" ");
}

// Players still in a bracket come before those with final places.
function inOrder({ kind, rows }) {
  return kind === "bracket" ? [...rows.filter((row) => row.rank === null), ...rows.filter((row) => row.rank !== null)] : rows;
}

// The divisions of a league, each with its rows; otherwise one without a number.
export function divisionsOf(standings) {
  const rows = inOrder(standings);
  return [...new Set(rows.map((row) => row.division))].map((division) => ({ division, rows: rows.filter((row) => row.division === division) }));
}

export const isResult = (round) => round.rank !== undefined || /^(adjudicated|forfeit|void)/.test(round.kind);

// Before any result, places would only reflect the drawing of lots. Ladders have standings from the beginning, and later
// stages may carry points over.
export function hasResults(standings) {
  return standings.kind === "ladder" || standings.stage > 1 || standings.rows.some((row) => row.rounds.some((round) => isResult(round) || (isDuplicate(standings) && round.points !== undefined)));
}

// All players by name.
function unplayed({ rows }) {
  const all = [...rows].sort((a, b) => a.player.name.localeCompare(b.player.name));
  return [element("p", {}, say("standings.no_results")), element("ul", { class: "names" }, all.map((row) => element("li", {}, playerLink(row.player), droppedWords(row))))];
}

// As api/event_pages/page_standings.c writes it.
const MANY = 40; // rows that are shown at once
const FIRST = 20; // rows that are shown of more

// Shows the first rows and folds the others if there are many.
export function standingsTables(standings) {
  drawn = standings;
  if (standings.rows.length > 0 && !hasResults(standings)) return unplayed(standings);
  const shown = needed(standings);
  const columns = columnsOf(standings, shown);
  const tables = divisionsOf(standings).map(({ division, rows }) => {
    const name = division === null ? null : [say("standings.division", { division }), " "];
    const [first, rest] = rows.length > MANY ? [rows.slice(0, FIRST), rows.slice(FIRST)] : [rows, []];
    const words = say("standings.more", { count: rest.length });
    return [table([name, caption(standings)], columns, rowsOf(standings, first, columns, shown)),
      rest.length === 0 ? null : fold(`more-rows-${division ?? 1}`, words, table(element("span", { class: "unseen" }, name, words), columns, rowsOf(standings, rest, columns, shown)))];
  });
  return [tables.length === 0 ? element("p", {}, say("standings.nobody")) : tables, glossary(standings)];
}

// With several stages: players of the last stage come first; of these, those still in it.
export function placesTable(standings) {
  const columns = [{ text: say("seats.place"), number: true }, { text: say("seats.player"), header: true }, { text: say("standings.stage"), number: true }];
  const isStillIn = (each) => each.place === null && each.stage === standings.stages;
  const places = [...standings.places.filter(isStillIn), ...standings.places.filter((each) => !isStillIn(each))];
  const list = table(say("standings.places_caption"), columns, places.map((each) => (
    [isStillIn(each) ? say("standings.still_in") : sharedPlace(each.place, each.shared), playerLink(each.player), String(each.stage)])));
  return places.length <= MANY ? list : fold("all-places", say("standings.all_places", { count: places.length }), list);
}

// Its content is read when it is opened.
function glossary(standings) {
  const json = element("p", {}, link(`/v1/events/${standings.event}/standings?stage=${standings.stage}&after_round=${standings.after_round}`, say("standings.as_json")));
  if (standings.chain.length === 0) return json;
  return element("details", { id: "glossary", class: "glossary" }, element("summary", {}, say("standings.glossary")), element("div", { id: "glossary-terms", "data-keep": true }), json);
}

document.addEventListener("toggle", async ({ target }) => {
  const terms = target.id === "glossary" && target.open ? target.querySelector("#glossary-terms") : null;
  if (terms === null || terms.hasChildNodes()) return;
  await addWords("why");
  terms.replaceChildren(element("p", {}, say("standings.glossary_about")),
    element("dl", { class: "terms" }, drawn.chain.flatMap((each) => [element("dt", {}, `${each.code}: `, tieBreakName(each)), element("dd", {}, tieBreakMeaning(each))])));
}, true);
