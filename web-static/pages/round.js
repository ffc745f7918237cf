// The page of a round: its tables, and all players by name with their tables, for searching and printing.
import { element, link, nameOf, nameText, pageId, place, playerLink, present, printButton, read, scoreWords, table, title, whereLine } from "../lib/common.js";
import { entropyNotice, giveEntropy } from "../game/entropy.js";
import { boardGrid } from "../event/board-grid.js";
import { readLog } from "../event/event-log.js";
import { fold } from "../event/fold.js";
import { findForm } from "../lib/find-me.js";
import { isByHand, reportPage, roundSection, rulingList, rulingsIn, tablesOf } from "../event/rounds.js";
import { say } from "../lib/words.js";

const id = pageId();
const own = Number(location.pathname.split("/")[4]);
const at = `/v1/events/${id}`;
const MANY = 40; // players by name that are shown at once
let shown = null;

// All seated players with their tables; several times if they play several boards.
function seatsByName(round) {
  const seats = tablesOf(round).flatMap((each) => each.seats.map((seat) => ({ ...seat, table: each.table, board: each.board, ranks: each.seats.map((other) => other.rank) })));
  return seats.sort((a, b) => a.player.name.localeCompare(b.player.name) || a.table - b.table);
}

// Before the first result, the sheet for the wall has no empty columns.
function byName(round) {
  const seats = seatsByName(round);
  const isPlayed = seats.some((seat) => seat.rank !== null || seat.score !== null);
  const columns = [{ text: say("seats.player"), header: true }, { text: say("round.table"), number: true }, { text: say("seats.seat"), number: true }];
  const results = [{ text: say("seats.place"), number: true }, { text: say("seats.score"), number: true }];
  const list = table(whereLine({ round: round.number }), isPlayed ? [...columns, ...results] : columns, seats.map((seat) => [playerLink(seat.player),
    seat.board === null ? String(seat.table) : `${seat.table} (${seat.board})`, String(seat.seat + 1), ...(isPlayed ? [place(seat.rank, seat.ranks), scoreWords(seat.score, seat.ranks.length)] : [])]));
  return element("section", { class: "by-name" }, element("h2", { id: "by-name" }, say("round.by_name")),
    seats.length <= MANY ? list : fold("by-name-list", say("round.everybody", { count: seats.length }), list));
}

// On the printed sheet: what a phone opens to report the result.
function codeOf(round, { table }) {
  return element("p", { class: "only-print" }, element("img", { src: `${reportPage(round.number, table)}/code.svg`, alt: say("round.code", { table }), width: 96, height: 96 }));
}

function roundLinks(event) {
  const numbers = Array.from({ length: event.rounds.started }, (_, i) => i + 1);
  return element("nav", { class: "links steps-of no-print", "aria-label": say("event.rounds") }, say("event.tables_of_round"), " ",
    numbers.map((each) => element("a", { href: `/events/${id}/rounds/${each}`, "aria-current": each === own ? "page" : null }, String(each))));
}

async function draw() {
  const [event, round] = await Promise.all([read(at), read(`${at}/rounds/${own}`)]);
  const rulings = isByHand(round) ? rulingsIn(await readLog(at)).filter((each) => each.round === own) : [];
  const more = event.state !== "closed";
  const given = await giveEntropy(event);
  const data = JSON.stringify([event, round, rulings, given]);
  if (data === shown) return { more, after: event.changes };
  shown = data;
  title(`${whereLine({ round: own })}, ${nameText(event)}`);
  return { more, after: event.changes, content: [
    element("h1", {}, whereLine({ round: own })),
    element("p", { class: "about" }, link(`/events/${id}`, nameOf(event))),
    roundLinks(event),
    entropyNotice(given),
    element("p", { class: "no-print" }, printButton(say("round.print")),
      round.play === "table" ? [" ", link(`/events/${id}/rounds/${own}/slips`, say("round.slips"))] : null),
    findForm(),
    element("h2", {}, say("round.tables")),
    roundSection(event, round, rulings, true, round.play === "table" ? codeOf : null, boardGrid),
    byName(round),
    rulingList(rulings),
  ] };
}

present(draw, 3000, `${at}/stream`);
