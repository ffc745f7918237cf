// The page of a table where people play with their own copy, for the phones of those who sit there: what has been reported,
// and the form for reporting, confirming and objecting. QR codes on pairing sheets and result slips lead here.
import { hasAccount, player } from "../lib/account.js";
import { element, link, nameOf, nameText, pageId, playerLink, present, read, send, showContent, signInLink, table, time, title, whereLine } from "../lib/common.js";
import { attempt, button, field, formFault, readReason, reasonField, textBox } from "../lib/forms.js";
import { readLog } from "../event/event-log.js";
import { reportAt, whoOf } from "../event/rounds.js";
import { bodyOf, readReport, reportFields, valueOf } from "../event/report-form.js";
import { said, say } from "../lib/words.js";

const main = document.getElementById("main");
const [, , , , round, , number] = location.pathname.split("/").map((each) => Number(each));
const event = pageId();
const at = reportAt(round, number);
const state = { event: null, found: null, roles: null, own: [], reason: null, records: { items: [], comparisons: [] } };
let shown = null;

/* ---- Who reads ---- */

const mySeat = ({ seats }) => seats.findIndex((seat) => state.own.includes(seat.player.id));
const isOfficial = () => player() !== null && state.roles.items.some((each) => each.player.id === player().id);

// What was last given as the reason of a ruling, correction or objection; null: none.
async function reasonOfState({ ruled, report }) {
  const contested = report !== null && report.against !== null;
  const kind = ruled ? "ruled" : contested ? "report_objected" : report?.corrected ? "report_corrected" : null;
  if (kind === null || (contested && report.other !== null)) return null;
  const lines = await readLog(`/v1/events/${event}`);
  return lines.findLast((line) => line.kind === kind && line.detail.round === round && line.detail.table === number)?.detail.reason ?? null;
}

async function readAll() {
  const [found, about, roles, bots] = await Promise.all([read(`${at}/report`), read(`/v1/events/${event}`), read(`/v1/events/${event}/roles`),
    hasAccount() ? read("/v1/me/bots?limit=100").catch(() => null) : null]);
  const reason = await reasonOfState(found);
  Object.assign(state, { found, event: about, roles, reason, own: player() === null ? [] : [player().id, ...(bots?.items ?? []).map((bot) => bot.id)] });
  if (found.play === "table") state.records = await read(`${at}/recordings`).catch(() => state.records);
}

/* ---- What has been reported ---- */

function stateWords({ seats, ruled, reported, report }) {
  const by = report === null ? null : whoOf(seats, report.by);
  if (ruled) return say("report.ruled");
  if (report === null) return say("report.none");
  if (report.against !== null) return said(report.other === null ? "report.objected" : "report.differs", { by, other: whoOf(seats, report.against) });
  if (report.corrected) return say("report.corrected");
  if (reported) return said(report.by === report.counted_by ? "report.counts_by" : "report.counts", { by, other: whoOf(seats, report.counted_by) });
  return said(report.due === null ? "report.waits" : "report.waits_until", { by, when: time(report.due ?? report.at) });
}

function claims({ seats, report, ruled }) {
  const caption = element("span", { class: "unseen" }, whereLine({ round, table: number })); // which the heading says, too
  const columns = [{ text: say("seats.player"), header: true }, { text: say("report.result"), number: true }];
  if (report === null || ruled) return table(caption, columns,
    seats.map((seat) => [playerLink(seat.player), valueOf({ rank: seat.rank, score: seat.score }, seats)]));
  const other = report.other === null ? [] : [{ text: said("report.result_of", { name: whoOf(seats, report.against) }), number: true, class: "claim" }];
  return table(caption, [columns[0], { text: other.length === 0 ? say("report.result") : said("report.result_of", { name: whoOf(seats, report.by) }), number: true, class: "claim" }, ...other],
    seats.map((seat, i) => [playerLink(seat.player), valueOf(report.seats[i], report.seats), ...(report.other === null ? [] : [valueOf(report.other[i], report.other)])]));
}

/* ---- What can be done ---- */

function reportForm(id, words, seats, claim, more = []) {
  return element("form", { id, novalidate: true }, reportFields(seats, [say("report.places_only"), say("report.places_only_hint")], claim), more, formFault(`${id}-fault`), element("p", {}, element("button", { type: "submit", class: "main" }, words)));
}

const folded = (id, words, form) => element("details", { id: `${id}-part` }, element("summary", {}, words), form);
const does = (name, words, attributes = {}) => button(words, { "data-act": name, id: `do-${name}`, ...attributes });

function playerSteps({ seats, report, reported }, seat) {
  if (report === null) return reportForm("report", say("report.do_report"), seats, null);
  const again = report.by !== seat || reported ? null : folded("report", say("report.do_again"), reportForm("report", say("report.do_report"), seats, report.other ?? report.seats));
  if (report.against !== null) return report.against === seat ? element("p", {}, does("confirm", say("report.do_agree"))) : again;
  if (reported) return report.settled ? null : folded("objection", say("report.do_object"), element("form", { id: "objection", novalidate: true },
    field(textBox("reason", null, { maxlength: 500 }), say("form.reason_may"), say("form.reason_hint")), formFault("objection-fault"), element("p", {}, element("button", { type: "submit" }, say("report.do_object")))));
  if (again !== null) return again;
  return [element("p", {}, does("confirm", say("report.do_confirm"), { class: "main" })),
    folded("report", say("report.do_differ"), [element("p", { class: "hint" }, say("report.differ_hint")), reportForm("report", say("report.do_report"), seats, report.seats)])];
}

function officialSteps({ seats, report, reported }) {
  if (report === null) return reportForm("report", say("report.do_report"), seats, null);
  return [!reported || report.against !== null ? element("p", {}, does("confirm", said("report.do_confirm_of", { name: whoOf(seats, report.by) }), { class: "main" })) : null,
    report.other === null ? null : element("p", {}, does("take_other", said("report.do_confirm_of", { name: whoOf(seats, report.against) }))),
    folded("correct", say("report.do_correct"), reportForm("correct", say("report.do_correct"), seats, report.seats, [reasonField("reason", false)]))];
}

function steps(found) {
  const seat = mySeat(found);
  if (found.play === "online") return element("p", { class: "notice" }, say("report.online"));
  if (state.event.state !== "running" || found.ruled) return null;
  if (player() === null) return found.report?.settled ? null : element("p", { class: "bar" }, signInLink(say(found.report ? "report.sign_in_answer" : "report.sign_in")));
  if (seat < 0 && !isOfficial()) return element("p", { class: "hint" }, say("report.not_yours"));
  const can = [seat < 0 ? officialSteps(found) : playerSteps(found, seat)].flat().filter((each) => each !== null);
  if (can.length === 0) return null;
  return element("section", { id: "steps" }, element("h2", { tabindex: -1 }, say(seat < 0 ? "report.as_official" : "report.yours")), formFault("steps-fault"),
    can, found.report === null ? element("p", {}, link(`${location.pathname}/scorer`, say("report.record"))) : null);
}

// Where two scorers differ, it says from which entries on.
function comparedWords({ recordings, plies, first }) {
  const [a, b] = recordings.map((id) => nameOf(state.records.items.find((each) => each.id === id).scorer));
  if (first === null) return said("report.records_agree", { a, b });
  const [x, y] = first.map(({ entry }) => element("code", {}, entry));
  return said("report.records_differ", { count: plies, a, b, x, y });
}

// The records of others, with their boards, and how those of several scorers compare.
function recordsPart({ report }) {
  const { items, comparisons } = state.records;
  const own = player()?.id ?? null;
  const others = items.filter(({ id, scorer, finished_at: end }) => id !== report?.recording && (end !== null || scorer.id !== own));
  if (others.length === 0) return null;
  return element("section", { id: "records" }, element("h2", {}, say("report.records")),
    element("ul", {}, others.map(({ id, scorer, finished_at: end }) => element("li", {}, said(end === null ? "report.is_recording" : "report.has_recorded", { name: nameOf(scorer) }), " ",
      link(`/recordings/${id}`, say("report.watch")), " · ", link(`/v1/recordings/${id}/record`, say(end === null ? "report.the_record_so_far" : "report.the_record"))))),
    comparisons.map((each) => element("p", { class: each.first === null ? "hint" : "notice" }, comparedWords(each))));
}

// While somebody records, the board is what most come for.
const isRecorded = () => state.records.items.some((each) => each.finished_at === null);

// What a report rests on.
function proof({ report, recorded, reported }) {
  if (recorded || (report !== null && report.recording !== null))
    return element("p", { class: "hint" }, say("report.recorded_hint"), " ", link(`/recordings/${report.recording}`, say("report.the_board")), " · ", link(`/v1/recordings/${report.recording}/record`, say("report.the_record")));
  return reported || report !== null ? element("p", { class: "hint" }, say("report.not_proved")) : null;
}

function content() {
  const { found, event: about } = state;
  const offered = steps(found);
  const asks = found.report === null && Boolean(offered?.querySelector("form")); // the form has the same names
  return [
    element("h1", {}, whereLine({ round: round === 0 ? undefined : round, table: number })),
    element("p", { class: "about" }, link(`/events/${event}`, nameOf(about))),
    element("p", { id: "report-state", role: "status" }, stateWords(found), state.reason === null ? null : [" ", said("report.reason", { reason: element("bdi", {}, state.reason) })]),
    isRecorded() ? recordsPart(found) : null,
    asks ? null : claims(found), offered,
    proof(found), isRecorded() ? null : recordsPart(found),
  ];
}

const seen = () => JSON.stringify([state.found, state.event.state, state.roles, state.records.items.map(({ id, finished_at: end }) => [id, end]), state.records.comparisons.map(({ first }) => first)]);

async function draw() {
  await readAll();
  const data = seen();
  const more = state.event.state !== "closed";
  if (data === shown) return { more, after: state.event.changes };
  shown = data;
  title(`${whereLine({ round: round === 0 ? undefined : round, table: number })}, ${nameText(state.event)}`);
  return { more, after: state.event.changes, content: content() };
}

/* ---- Doing it ---- */

async function refresh() {
  await readAll();
  shown = seen();
  for (const part of main.querySelectorAll("#steps details")) part.open = false;
  showContent(main, content());
  main.querySelector("#steps h2")?.focus();
}

const forms = {
  report: (form) => send("POST", `${at}/report`, readReport(form, state.found.seats)),
  correct: (form) => send("PUT", `${at}/report`, { ...readReport(form, state.found.seats), ...readReason(form) }),
  objection: (form) => send("POST", `${at}/objection`, readReason(form)),
};

const acts = {
  confirm: () => send("POST", `${at}/confirmation`),
  take_other: () => send("PUT", `${at}/report`, bodyOf(state.found.seats, state.found.report.other)),
};

main.addEventListener("submit", async (submitted) => {
  submitted.preventDefault();
  const form = submitted.target;
  if (await attempt(form, () => forms[form.id](form), (name) => form.elements.namedItem(name))) await refresh();
});

main.addEventListener("click", async ({ target }) => {
  const name = target.closest?.("button[data-act]")?.dataset.act;
  if (name !== undefined && await attempt(document.getElementById("steps"), acts[name])) await refresh();
});

present(draw, 3000, `/v1/events/${event}/stream`);
