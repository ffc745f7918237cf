// Results of a round at real tables: what waits for a decision, and a form for the whole round, one table a line.
import { element, fill, link, listed, nameOf, nameText, Problem, refusalOf, send, table as tableOf, time, whereLine } from "../lib/common.js";
import { field, openDialog, readReason, reasonField } from "../lib/forms.js";
import { fold } from "../event/fold.js";
import { reportAt, reportPage, whoOf } from "../event/rounds.js";
import { bodyOf, readReport, reportFields, valueOf } from "../event/report-form.js";
import { said, say } from "../lib/words.js";
import { carryOut, doing, isParty, section, tableAt } from "./part.js";

const roundOf = (desk) => desk.parts.rounds[0] ?? null;
export const isUnconfirmed = ({ report, ruled, reported }) => report !== null && report.against === null && !ruled && !reported;
export const isContested = ({ report }) => report?.against !== null && report?.against !== undefined;

/* ---- What waits for a decision ---- */

function reasonIn(desk, round, { table }) {
  const line = desk.parts.log.findLast(({ kind, detail }) => kind === "report_objected" && detail.round === round.number && detail.table === table);
  return line?.detail.reason ?? null;
}

function claimsTable(round, table) {
  const { report, seats } = table;
  const claims = [[report.by, report.seats], ...(report.other === null ? [] : [[report.against, report.other]])];
  const columns = [{ text: say("seats.player"), header: true }, ...claims.map(([who]) => ({ text: said("results.of", { name: whoOf(seats, who) }), number: true, class: "claim" }))];
  return tableOf(whereLine({ round: round.number, table: table.table }), columns, seats.map((seat, i) => [nameOf(seat.player), ...claims.map(([, claim]) => valueOf(claim[i], claim))]));
}

function contested(desk, round, table) {
  const { report, seats } = table;
  const data = { round: round.number, table: table.table };
  const reason = reasonIn(desk, round, table);
  const take = (name, who) => doing(name, said("results.do_take", { name: whoOf(seats, who) }), data, { id: `${name}-${table.table}` });
  return element("li", { id: `contested-${round.number}-${table.table}` }, claimsTable(round, table),
    report.other === null ? element("p", {}, said("results.objects", { name: whoOf(seats, report.against) }), reason === null ? null : [" ", element("bdi", {}, reason)]) : null,
    isParty(desk, round, table) ? element("p", { class: "hint" }, say("ruling.not_yours"))
      : element("p", { class: "bar" }, take("take_first", report.by), report.other === null ? null : take("take_other", report.against), correctButton(round, table)));
}

export function correctButton(round, { table }) {
  return doing("correct_report", say("results.do_correct"), { round: round.number, table }, { "aria-label": say("results.do_correct_at", { round: round.number, table }) });
}

function queue(desk, rounds) {
  const waiting = rounds.flatMap((round) => round.seating.filter(isContested).map((table) => contested(desk, round, table)));
  return waiting.length === 0 ? null : [element("h3", {}, say("results.contested", { count: waiting.length })), element("ul", { class: "plain", id: "contested" }, waiting)];
}

/* ---- What waits for a confirmation ---- */

function unconfirmed(desk, round, table) {
  const { report, seats } = table;
  const data = { round: round.number, table: table.table };
  const words = seats.map((seat, i) => `${nameText(seat.player)} ${valueOf(report.seats[i], report.seats)}`);
  return element("li", { id: `unconfirmed-${round.number}-${table.table}` },
    element("p", {}, link(reportPage(round.number, table.table, desk.id), whereLine({ round: round.number, table: table.table })), ": ", listed(words), ". ",
      element("span", { class: "hint" }, said(report.due === null ? "results.waits" : "results.waits_until", { by: whoOf(seats, report.by), when: time(report.due ?? report.at) }))),
    isParty(desk, round, table) ? null
      : element("p", { class: "bar" }, doing("take_first", say("results.do_confirm"), data, { "aria-label": say("results.do_confirm_at", data) }), correctButton(round, table)));
}

const SHOWN = 6; // results to confirm that are not folded

function unconfirmedList(desk, rounds) {
  const waiting = rounds.flatMap((round) => round.seating.filter(isUnconfirmed).map((table) => unconfirmed(desk, round, table)));
  if (waiting.length === 0) return null;
  const rest = waiting.splice(SHOWN);
  return [element("h3", {}, say("results.unconfirmed", { count: waiting.length + rest.length })), element("ul", { class: "plain", id: "unconfirmed" }, waiting),
    rest.length === 0 ? null : fold("more-unconfirmed", say("results.more_unconfirmed", { count: rest.length }), element("ul", { class: "plain" }, rest))];
}

/* ---- One table ---- */

// Where no result is known yet: a button that asks for it here. Players at the table report on its page.
export function reportButton(desk, round, table, words, attributes = {}) {
  const data = { round: round.number, table: table.table };
  return isParty(desk, round, table) ? link(reportPage(round.number, table.table, desk.id), words)
    : doing("report_one", words, data, { "aria-label": say("results.do_report_at", data), ...attributes });
}

/* ---- The whole round ---- */

const MANY = 12; // tables whose lines are not folded
const openTables = (round) => round.seating.filter((table) => table.report === null && !table.ruled);
const emptyLines = (round) => openTables(round).map(({ table }) => `${table}: \n`).join("");

function roundForm(round) {
  const open = openTables(round);
  if (open.length === 0) return null;
  const text = element("textarea", { id: "results-text", name: "results-text", rows: Math.min(open.length + 1, 24), spellcheck: "false", autocomplete: "off", "data-field": "results", "data-round": round.number, "data-keep": true }, emptyLines(round));
  const form = element("form", { id: "results-form", "data-do": "report_all", "data-round": round.number, novalidate: true },
    element("ul", { class: "seated" }, open.map(({ table, seats }) => element("li", {}, `${table}: `, listed(seats.map((seat) => nameOf(seat.player)))))),
    field(text, say("results.lines"), say("results.lines_hint")),
    field(element("input", { id: "results-file", name: "results-file", type: "file", accept: ".csv,.txt,text/csv,text/plain" }), say("results.file"), say("results.file_hint")),
    element("div", { id: "results-faults", class: "fault", role: "alert", "data-keep": true }),
    element("p", {}, element("button", { type: "submit", class: "main" }, say("results.do_report"))));
  return open.length <= MANY ? form : fold("whole-round", say("results.whole_round", { count: open.length }), form);
}

export function part(desk) {
  const { event, rounds } = desk.parts;
  const round = roundOf(desk);
  if (round === null || !rounds.some((each) => each.play === "table") || event.state !== "running") return null;
  const at = `/events/${desk.id}/rounds/${round.number}`;
  const atTable = round.play === "table";
  const waits = [queue(desk, rounds), unconfirmedList(desk, rounds)].filter((each) => each !== null);
  const form = atTable ? roundForm(round) : null;
  if (!atTable && waits.length === 0) return null;
  return section("results", say("results.title", { round: round.number }), waits, form,
    atTable ? element("p", { class: "links" }, link(at, say("results.sheet")), " ", link(`${at}/slips`, say("results.slips")), " ", element("a", { href: `/v1/events/${desk.id}/pairings.csv?round=${round.number}`, download: true }, say("results.spreadsheet"))) : null);
}

/* ---- Handlers of its buttons ---- */

// Each bad line, as the service names it.
function showFaults(lines) {
  const items = lines.map(({ line, detail }) => element("li", {}, say("results.line", { line }), " ", refusalOf(detail)));
  fill(document.getElementById("results-faults"), items.length === 0 ? null : element("ul", {}, items));
}

async function reportAll(desk, { round }, form) {
  const box = form.querySelector("#results-text");
  showFaults([]);
  try {
    await send("POST", `${desk.at}/rounds/${round}/reports`, { results: box.value });
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.code !== "bad-results") throw problem;
    showFaults(problem.document.lines);
    box.focus();
    return;
  }
  await desk.refresh();
  const next = document.getElementById("results-text");
  if (next !== null) next.value = emptyLines(roundOf(desk));
}

function correct(desk, data) {
  const { seats, report } = tableAt(desk, data);
  openDialog({ heading: say("results.correct_at", { round: data.round, table: data.table }), about: say("results.correct_about"), label: say("results.do_correct"),
    fields: [reportFields(seats, [say("results.places_only"), say("results.places_only_hint")], report.seats), reasonField("reason", false)],
    read: (form) => ({ ...readReport(form, seats), ...readReason(form) }), act: (body) => carryOut(desk, "PUT", `${reportAt(data.round, data.table)}/report`, body) });
}

const takeFirst = (desk, { round, table }) => carryOut(desk, "POST", `${reportAt(round, table)}/confirmation`);

function takeOther(desk, data) {
  const { seats, report } = tableAt(desk, data);
  return carryOut(desk, "PUT", `${reportAt(data.round, data.table)}/report`, bodyOf(seats, report.other));
}

// A file goes into the box, where it can be looked at before it is sent.
document.addEventListener("change", async ({ target }) => {
  if (target.id === "results-file" && target.files.length > 0) document.getElementById("results-text").value = await target.files[0].text();
});

function reportOne(desk, data) {
  const { seats } = tableAt(desk, data);
  openDialog({ heading: say("results.report_at", data), about: say("results.report_about"), label: say("results.do_report_one"),
    fields: [reportFields(seats, [say("results.places_only"), say("results.places_only_hint")])], read: (form) => readReport(form, seats),
    act: (body) => carryOut(desk, "POST", `${reportAt(data.round, data.table)}/report`, body) });
}

export const actions = { report_all: reportAll, report_one: reportOne, correct_report: correct, take_first: takeFirst, take_other: takeOther };
