// The started rounds: tables with results, and rulings with a preview of their effect.
import { element, fill, nameOf, nameText, send } from "../lib/common.js";
import { rulingChanges } from "../lib/changes.js";
import { disputesTable } from "../game/dispute-table.js";
import { choiceBox, field, openDialog, readReason, reasonField, searchBox, tickBox } from "../lib/forms.js";
import { boardGrid } from "../event/board-grid.js";
import { scoreBox, scoreIn } from "../event/report-form.js";
import { fold } from "../event/fold.js";
import { roundSection, rulingList, rulingsIn, tablesOf } from "../event/rounds.js";
import { said, say } from "../lib/words.js";
import { findPlayer, playerBox, playerNames } from "./find-player.js";
import { carryOut, doing, isParty, isTableSought, section, tableAt } from "./part.js";
import { correctButton, reportButton } from "./results.js";

/* ---- Display ---- */

const buttonsOf = (desk) => (round, table) =>
  (isParty(desk, round, table) ? element("p", { class: "hint" }, say("ruling.not_yours")) : tableButtons(round, table, desk.parts.event.state === "closed"));

// Actions for a seat at the moment. The service refuses those that are not allowed.
function seatActions(table, seat) {
  if (seat.forfeited) return [];
  return [seat.fallback ? "recall" : "fallback", "substitute", "forfeit", ...(table.seats.length === 2 && table.board === null ? ["no_show"] : [])];
}

// A menu for a seat of a running game.
function seatMenu(round, table, seat) {
  const actions = seatActions(table, seat);
  if (actions.length === 0) return null;
  const data = { round: round.number, table: table.table, board: table.board ?? "", seat: seat.seat };
  return element("details", { id: `seat-menu-${round.number}-${table.table}-${table.board ?? 0}-${seat.seat}`, class: "seat-menu" },
    element("summary", {}, said("seat.menu", { name: nameOf(seat.player) })),
    element("p", { class: "bar" }, actions.map((action) => doing(action, say(`seat.do_${action}`), data, { "aria-label": say(`seat.do_${action}_of`, { name: nameText(seat.player) }) }))));
}

function seatMenus(round, table) {
  if (table.ruled || table.playing?.state !== "running") return null;
  return element("div", { class: "seat-menus" }, table.playing.seats.map((seat) => seatMenu(round, table, seat)));
}

// A board is shared: nobody rules on it before its results are open.
const mayRule = ({ board, playing }) => board === null || (playing.state !== "running" && !playing.hidden);

// Once the event is closed, only a ruling changes a result.
function tableButtons(round, table, isClosed) {
  const data = { round: round.number, table: table.table };
  const isOpen = round.play === "table" && table.report === null && !table.ruled && !isClosed;
  return [seatMenus(round, table), element("p", { class: "bar" }, isOpen ? reportButton(shownDesk, round, table, say("results.do_report_one")) : null,
    !mayRule(table) ? null : doing("rule", say(table.ruled ? "ruling.again" : "ruling.rule"), data, { "aria-label": say(table.ruled ? "ruling.again_at" : "ruling.rule_at", data) }),
    table.reported && !table.ruled && !isClosed ? correctButton(round, table) : null,
    table.may_revoke ? doing("revoke", say("ruling.revoke"), data, { "aria-label": say("ruling.revoke_at", data) }) : null)];
}

let sought = ""; // the number of a table, or part of a name
let shownDesk = null;
const MANY = 12; // tables without a search

const isSought = ({ table, seats }) => isTableSought(sought, table, seats.map(({ player }) => player));

const sectionOf = ({ parts: { event, rounds, log } }, round) =>
  roundSection(event, round, rulingsIn(log), round === rounds[0], buttonsOf(shownDesk), boardGrid, round === rounds[0] ? isSought : null);

function findField([newest]) {
  if (newest.tables <= MANY) return null;
  return field(searchBox("table-find", sought), say("tables.find", { round: newest.number }), say("tables.find_hint"));
}

const nobodyFound = ([newest]) => (tablesOf(newest).some(isSought) ? null : say("tables.none_found"));

document.addEventListener("input", ({ target }) => {
  if (target.id !== "table-find") return;
  sought = target.value;
  document.getElementById("newest-round").replaceChildren(sectionOf(shownDesk, shownDesk.parts.rounds[0]));
  fill(document.getElementById("table-found"), nobodyFound(shownDesk.parts.rounds));
});

export function part(desk) {
  const { rounds, log, disputes } = desk.parts;
  if (rounds.length === 0) return null;
  shownDesk = desk;
  const [newest, ...older] = rounds.map((round) => sectionOf(desk, round));
  return section("tables", say("tables.title"), findField(rounds), element("p", { id: "table-found", class: "hint", role: "status" }, nobodyFound(rounds)), element("div", { id: "newest-round" }, newest),
    older.length === 0 ? null : fold("older-rounds", say("rounds.older"), older), rulingList(rulingsIn(log)),
    disputes.length === 0 ? null : [element("h2", {}, say("tables.disputes")), disputesTable(disputes)]);
}

/* ---- Handlers of its buttons ---- */

function seatFields(seats) {
  const ranks = seats.map((_, i) => [i + 1, String(i + 1)]);
  return seats.map((seat, i) => element("fieldset", { class: "seat-ruling" }, element("legend", {}, nameOf(seat.player)), element("div", { class: "fields" },
    field(choiceBox(`rank-${i}`, ranks, seat.rank ?? i + 1), say("ruling.place")), field(scoreBox(`score-${i}`, seat.score ?? ""), say("ruling.score")),
    field(tickBox(`away-${i}`, seat.kind === "forfeit_loss"), say("ruling.away")))));
}

function readRuling(form, seats) {
  const { elements } = form;
  const reason = readReason(form);
  const away = seats.filter((_, i) => elements[`away-${i}`].checked).map((seat) => seat.player.id);
  const came = seats.length - away.length;
  if (came < 2) return { no_show: away, ...reason };
  const place = (i) => (away.includes(seats[i].player.id) ? Infinity : Number(elements[`rank-${i}`].value));
  // As chosen, but if somebody is away, counted anew among those who came.
  const rank = (i) => (away.length === 0 ? place(i) : 1 + seats.filter((_, other) => place(other) < place(i)).length);
  return { seats: seats.map((seat, i) => {
    if (away.includes(seat.player.id)) return { player: seat.player.id, rank: came + 1, kind: "forfeit_loss" };
    const score = scoreIn(elements[`score-${i}`]);
    return { player: seat.player.id, rank: rank(i), ...(score === null ? {} : { score }) };
  }), ...reason };
}

// What would change is shown before a ruling is given or revoked.
function openRuling(desk, { round, table }, method, dialog) {
  const at = `${desk.at}/rounds/${round}/tables/${table}/ruling`;
  openDialog({ ...dialog, preview: async (body) => rulingChanges(await send(method, `${at}?preview=true`, body)), act: (body) => carryOut(desk, method, at, body) });
}

function rule(desk, data) {
  const { seats } = tableAt(desk, data);
  openRuling(desk, data, "PUT", { heading: say("ruling.title", data), about: say("ruling.about"), label: say("ruling.give"),
    fields: [...seatFields(seats), reasonField("reason", true)], read: (form) => readRuling(form, seats) });
}

const revoke = (desk, data) => openRuling(desk, data, "DELETE", { heading: say("ruling.revoke_title", data), about: say("ruling.revoke_about"), label: say("ruling.revoke_do"),
  fields: [reasonField("reason", false)], read: readReason });

/* ---- Actions on a seat ---- */

function seatOf(desk, { round, table, board, seat }) {
  const found = tablesOf(desk.parts.rounds.find((each) => each.number === Number(round)))
    .find((each) => each.table === Number(table) && String(each.board ?? "") === board);
  return { game: found.playing.id, seat: found.playing.seats[Number(seat)] };
}

// A sentence explains the effect before the action.
function toSeat(action, { fields = [], bodyOf = async () => ({}) } = {}) {
  return (desk, data) => {
    const { game, seat } = seatOf(desk, data);
    const name = nameText(seat.player);
    openDialog({ heading: say(`seat.do_${action}_of`, { name }), about: say(`seat.${action}_means`, { name }), label: say(`seat.do_${action}`), fields: fields.map((each) => each()),
      read: (form) => form.elements.player?.value ?? "", act: async (written) => carryOut(desk, "POST", `/v1/games/${game}/${action}`, { seat: seat.seat, ...await bodyOf(desk, written) }) });
  };
}

const substitute = toSeat("substitute", { fields: [() => field(playerBox("player"), say("seat.substitute_player"), say("find.hint")), () => playerNames("player")],
  bodyOf: async (desk, written) => ({ player: await findPlayer(written, desk.parts) }) });

// At a table of two, the player who came wins: a ruling.
function noShow(desk, data) {
  const { seat } = seatOf(desk, data);
  const player = (seat.substitute_for ?? seat.player).id;
  openRuling(desk, data, "PUT", { heading: say("seat.do_no_show_of", { name: nameText(seat.player) }), about: say("seat.no_show_means"), label: say("seat.do_no_show"),
    fields: [reasonField("reason", true)], read: (form) => ({ no_show: [player], ...readReason(form) }) });
}

export const actions = { rule, revoke, fallback: toSeat("fallback"), recall: toSeat("recall"), forfeit: toSeat("forfeit"), substitute, no_show: noShow };
