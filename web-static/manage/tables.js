// The rounds that have begun: tables with what came of them, and rulings, of which the consequences are shown before.
import { element, nameOf, send } from "../common.js";
import { rulingChanges } from "../changes.js";
import { disputesTable } from "../dispute-table.js";
import { choiceBox, field, numberBox, openDialog, reasonField, tickBox } from "../forms.js";
import { roundSection, rulingList, rulingsIn } from "../rounds.js";
import { say } from "../words.js";
import { doing, section } from "./part.js";

/* ---- What it shows ---- */

function tableButtons(round, table) {
  const data = { round: round.number, table: table.table };
  const where = { round: round.number, table: table.table };
  return element("p", { class: "bar" },
    doing("rule", say(table.ruled ? "ruling.again" : "ruling.rule"), data, { "aria-label": say(table.ruled ? "ruling.again_at" : "ruling.rule_at", where) }),
    table.ruled ? doing("revoke", say("ruling.revoke"), data, { "aria-label": say("ruling.revoke_at", where) }) : null);
}

export function part(desk) {
  const { event, rounds, log, disputes } = desk.parts;
  if (rounds.length === 0) return null;
  const rulings = rulingsIn(log);
  const [newest, ...older] = rounds.map((round, i) => roundSection(event, round, rulings, i === 0, tableButtons));
  return section("tables", say("tables.title"), newest,
    older.length === 0 ? null : element("details", { id: "older-rounds" }, element("summary", {}, say("tables.older")), older), rulingList(rulings),
    disputes.length === 0 ? null : [element("h2", {}, say("tables.disputes")), disputesTable(disputes)]);
}

/* ---- What its buttons do ---- */

const seatsAt = (desk, round, table) => desk.parts.rounds.find((each) => each.number === Number(round)).seating.find((each) => each.table === Number(table)).seats;
const rulingAt = (desk, { round, table }) => `${desk.at}/rounds/${round}/tables/${table}/ruling`;

function seatFields(seats) {
  const ranks = seats.map((_, i) => [i + 1, String(i + 1)]);
  return seats.map((seat, i) => element("fieldset", { class: "seat-ruling" }, element("legend", {}, nameOf(seat.player)), element("div", { class: "fields" },
    field(choiceBox(`rank-${i}`, ranks, seat.rank ?? i + 1), say("ruling.place")), field(numberBox(`score-${i}`, seat.score ?? "", -268435456, 268435456), say("ruling.score")),
    field(tickBox(`away-${i}`, false), say("ruling.away")))));
}

function readRuling(form, seats) {
  const { elements } = form;
  const written = elements.reason.value.trim();
  const reason = written === "" ? {} : { reason: written };
  const away = seats.filter((_, i) => elements[`away-${i}`].checked).map((seat) => seat.player.id);
  if (away.length > 0) return { no_show: away, ...reason };
  return { seats: seats.map((seat, i) => ({ player: seat.player.id, rank: Number(elements[`rank-${i}`].value),
    ...(elements[`score-${i}`].value === "" ? {} : { score: Number(elements[`score-${i}`].value) }) })), ...reason };
}

const where = ({ round, table }) => ({ round, table });
const reasonOf = (form, name) => (name === "reason" ? form.elements.reason : null);

function rule(desk, data) {
  const seats = seatsAt(desk, data.round, data.table);
  const at = rulingAt(desk, data);
  openDialog({ heading: say("ruling.title", where(data)), about: say("ruling.about"), label: say("ruling.give"), controlOf: reasonOf,
    fields: [...seatFields(seats), reasonField("reason", true)], read: (form) => readRuling(form, seats),
    preview: async (body) => rulingChanges(await send("PUT", `${at}?preview=true`, body)),
    act: async (body) => {
      await send("PUT", at, body);
      await desk.refresh();
    } });
}

export function revoke(desk, data) {
  const at = rulingAt(desk, data);
  openDialog({ heading: say("ruling.revoke_title", where(data)), about: say("ruling.revoke_about"), label: say("ruling.revoke_do"), controlOf: reasonOf,
    fields: [reasonField("reason", false)], read: (form) => (form.elements.reason.value.trim() === "" ? {} : { reason: form.elements.reason.value.trim() }),
    preview: async (body) => rulingChanges(await send("DELETE", `${at}?preview=true`, body)),
    act: async (body) => {
      await send("DELETE", at, body);
      await desk.refresh();
    } });
}

export const actions = { rule, revoke };
