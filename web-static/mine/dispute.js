// A dispute: the claim, its steps, and for those who decide, the disputed position as seen by each seat, and rulings with a
// preview.
import { player } from "../lib/account.js";
import { boardOf, componentsAt, drawBoard } from "../boards/boards.js";
import { terms } from "../boards/plain.js";
import { rulingChanges } from "../lib/changes.js";
import { element, gameLink, link, nameOf, pageId, parameter, playerLink, present, Problem, read, scoreWords, send, showContent, table, time, title } from "../lib/common.js";
import { attempt, choiceBox, field, formFault, numberBox, openDialog, proseBox, proseOf, reasonField, textBox, tickBox } from "../lib/forms.js";
import { doing } from "../manage/part.js";
import { namesIn, seatName, seatText } from "../game/seat-names.js";
import { number, said, say } from "../lib/words.js";

const id = pageId();
const at = `/v1/disputes/${id}`;
const main = document.getElementById("main");
let parts = null;
let viewer = null; // whose view of the position is shown: a seat's number, or "full", everything; first that of who opened the dispute

/* ---- Reading ---- */

async function readPosition(dispute) {
  if (!dispute.you.official || !(dispute.game_finished || dispute.frozen)) return null;
  const entry = parameter("entry");
  return read(`${at}/position${entry === null ? "" : `?entry=${encodeURIComponent(entry)}`}`);
}

async function readComponents({ ruleset: { slug }, event }) {
  const settings = event === null ? {} : (await read(`/v1/events/${event.id}`)).settings;
  return read(componentsAt(slug, settings.components));
}

async function readParts() {
  const dispute = await read(at);
  const game = await read(`/v1/games/${dispute.game}`);
  const position = await readPosition(dispute);
  const { slug } = game.ruleset;
  const [board, components] = position === null ? [null, null] : await Promise.all([boardOf(slug), parts?.components ?? readComponents(game)]);
  return { dispute, game, position, board, components };
}

/* ---- Texts ---- */

function orderWords(order) {
  return say(`order.did_${order.order}`, { entry: "…", ...order, seat: order.seat === undefined ? "" : seatText(parts.game, order.seat) });
}

function stepItem(step) {
  return element("li", {}, element("strong", {}, say(`step.${step.kind}`)), " ", nameOf(step.by), ", ", time(step.at),
    step.orders ? element("p", {}, step.orders.map(orderWords).join(" ")) : null,
    step.text === null ? null : element("p", { class: "reason" }, element("bdi", {}, step.text)),
    step.replayed_as ? element("p", {}, link(`/games/${step.replayed_as}`, say("dispute.replayed"))) : null);
}

function facts({ dispute, game }) {
  return element("p", { class: "about" }, element("span", { class: "badge" }, say(`dispute.is_${dispute.state}`)), " ", gameLink(game),
    !dispute.entry ? "" : [", ", link(`/games/${game.id}?ply=${dispute.entry}`, say("dispute.entry", { entry: dispute.entry }))], ". ",
    said("dispute.opened", { name: playerLink(dispute.opened_by) }),
    dispute.appeal_until === null ? null : [" ", said("dispute.appeal_until", { when: time(dispute.appeal_until) })]);
}

const waits = new Set(["open", "frozen", "appealed"]);

/* ---- The position ---- */

function sightOf({ position, game, board, components }) {
  const names = namesIn(game);
  if (viewer === "full") return element("div", { class: "plain-board" }, terms(position.full, names));
  const { seat: own, view } = position.seats.find((each) => each.seat === Number(viewer));
  return drawBoard(board, view, { ...names, components, seats: game.seats.length, view, own, planned: null, entry: null });
}

function legalMoves(seat) {
  if (seat.legal_moves.length === 0) return null;
  return element("details", { id: `legal-${seat.seat}` }, element("summary", {}, said("dispute.legal", { name: seatName(parts.game, seat.seat), count: seat.legal_moves.length })),
    element("ul", { class: "names" }, seat.legal_moves.map((move) => element("li", {}, element("code", {}, move)))));
}

function refusals({ position, game }) {
  if (position.refused_moves.length === 0) return element("p", {}, say("dispute.no_refusals"));
  return table(say("dispute.refusals"), [{ text: say("seats.player"), header: true }, { text: say("dispute.after_entry"), number: true }, { text: say("dispute.move") }, { text: say("dispute.code") }],
    position.refused_moves.map((each) => [seatName(game, each.seat), String(each.seq), element("code", {}, each.move), element("code", {}, each.code)]));
}

function positionPart() {
  const { dispute, position } = parts;
  if (position === null) return dispute.you.official && waits.has(dispute.state) ? element("p", { class: "hint" }, say("dispute.freeze_first")) : null;
  const seats = position.seats.map((each) => [String(each.seat), each.player.name]);
  viewer ??= String((position.seats.find((each) => each.player.id === dispute.opened_by.id) ?? position.seats[0]).seat);
  return element("section", { id: "position" }, element("h2", { tabindex: "-1" }, position.entry === null ? say("dispute.position_now") : say("dispute.position", { entry: position.entry })),
    position.line === null ? null : element("pre", { tabindex: "0" }, element("code", {}, position.line)),
    field(choiceBox("viewer", [...seats, ["full", say("dispute.everything")]], viewer), say("dispute.seen_by")),
    sightOf(parts), position.seats.map(legalMoves), refusals(parts));
}

/* ---- A proposal for the result ---- */

let proposal = null; // of the last entry of the record

const percentOf = (count, all) => say("dispute.percent", { percent: Math.round((100 * count) / all) });
const pointsOf = (hundredths) => number(Math.round(hundredths / 100));

function proposalPart() {
  if (proposal === null || !parts.dispute.frozen) return null;
  const { samples, seats } = proposal;
  const places = seats.length > 1 ? seats.map((_, i) => ({ text: say("dispute.proposed_ended", { place: i + 1 }), number: true })) : [];
  const figures = table(say("dispute.proposal_caption"), [{ text: say("seats.player"), header: true }, { text: say("seats.place"), number: true }, { text: say("seats.score"), number: true }, ...places],
    seats.map((each) => [seatName(parts.game, each.seat), String(each.place), say("dispute.proposed_score", { score: pointsOf(each.score_hundredths), error: pointsOf(2 * each.score_error_hundredths) }),
      ...places.map((_, i) => percentOf(each.ended[i], samples))]));
  figures.tabIndex = 0; // too wide for a phone, and without a link
  return element("section", { id: "proposal" }, element("h2", { tabindex: "-1" }, say("dispute.proposal")), element("p", { class: "notice" }, say("dispute.proposal_about", { samples, entry: proposal.seq })), figures);
}

async function adjudicate() {
  proposal = await send("POST", `${at}/adjudication`, {});
  showContent(main, content());
}

/* ---- Steps ---- */

// An appeal is not decided by the author of the dispute, of the ruling or of the appeal.
function mayRule({ you, state, log }) {
  if (!you.official || !waits.has(state)) return false;
  return state !== "appealed" || !log.some(({ kind, by }) => written.includes(kind) && by.id === player()?.id);
}

function buttons({ dispute }) {
  const { you, state } = dispute;
  const mine = dispute.opened_by.id === player()?.id;
  const mayAppeal = dispute.appeal_until !== null && Date.parse(dispute.appeal_until) > Date.now(); // until then it cannot be closed
  const step = (name, offered, attributes = {}) => (offered ? doing(name, say(`dispute.do_${name}`), {}, { id: `do-${name}`, ...attributes }) : null);
  return element("p", { class: "bar" },
    step("rule", mayRule(dispute), { class: "main" }), step("freeze", you.official && waits.has(state) && !dispute.frozen && !dispute.game_finished),
    step("adjudicate", you.official && dispute.frozen && !dispute.game_finished), step("resume", you.official && dispute.frozen), step("close", you.official && state === "ruled" && !dispute.frozen && !mayAppeal),
    step("appeal", (you.player || mine) && state === "ruled" && mayAppeal), step("withdraw", mine && (state === "open" || state === "frozen")));
}

const written = ["opened", "ruled", "appealed"];

// What others have written is for officials (and reasons of rulings for players) while the game runs.
function hiddenWords({ log, game_finished: isOver }) {
  return isOver || !log.some(({ kind, text }) => written.includes(kind) && text === null) ? null : element("p", { class: "hint" }, say("dispute.hidden"));
}

// The next step, for readers who wait for it.
function whatNext(dispute) {
  const { state, frozen, game_finished: isOver } = dispute;
  if (!waits.has(state) || mayRule(dispute)) return null;
  return element("p", { class: "hint" }, say(state === "appealed" ? "dispute.next_appeal" : frozen || isOver ? "dispute.next_ruling" : "dispute.next_open"));
}

function content() {
  const { dispute } = parts;
  return [element("h1", {}, say("dispute.title", { claim: say(`claim.${dispute.claim}`) })), facts(parts),
    element("section", { id: "steps" }, element("h2", { tabindex: "-1" }, say("dispute.steps")), element("ol", { class: "dispute-steps" }, dispute.log.map(stepItem)), hiddenWords(dispute), whatNext(dispute), formFault("steps-fault"), buttons(parts)),
    proposalPart(), positionPart()];
}

async function refresh() {
  parts = await readParts();
  showContent(main, content());
}

/* ---- Rulings ---- */

const orders = ["stands", "takeback", "adjust", "forfeit", "replay", "void"];

// A finished record is closed, and only tables of events are replayed.
const isPossible = (order, game) => (order === "takeback" ? game.state === "running" : order !== "replay" || game.event !== null);

function orderFields(i, dispute, game) {
  const offered = i === 0 ? [...(dispute.state === "appealed" ? ["upheld"] : []), ...orders.filter((order) => isPossible(order, game))] : ["", "adjust", "forfeit"];
  const seats = game.seats.map((seat) => [seat.seat, seat.player.name]);
  return element("fieldset", {}, element("legend", {}, say(i === 0 ? "order.first" : "order.second")), element("div", { class: "fields" },
    field(choiceBox(`order-${i}`, offered.map((each) => [each, say(each === "" ? "order.do_nothing" : `order.do_${each}`)]), offered[0]), say("order.order")),
    i === 0 ? field(numberBox("entry", dispute.entry || "", 1, game.seq), say("order.entry")) : null,
    field(choiceBox(`seat-${i}`, seats, seats[0][0]), say("order.seat")), field(numberBox(`points-${i}`, "", -1000000, 1000000), say("order.points"))));
}

// Shows only the fields that the chosen orders have.
function fitOrders({ elements }) {
  for (const i of [0, 1]) {
    const order = elements[`order-${i}`].value;
    const shown = { entry: order === "takeback", seat: order === "adjust" || order === "forfeit", points: order === "adjust" };
    for (const [name, is] of Object.entries(shown)) {
      const box = document.getElementById(name === "entry" ? "entry-field" : `${name}-${i}-field`);
      if (name !== "entry" || i === 0) box.hidden = !is;
    }
  }
}

document.addEventListener("change", ({ target }) => {
  if (target.matches("dialog #order-0, dialog #order-1")) fitOrders(target.form);
});

// A line or points; neither can be 0. The service would call anything else an unknown order.
function readNumber({ name, value, min, max }) {
  const refuse = (code, message) => Object.assign(new Problem(code, 400, message), { field: name });
  const found = Number(value);
  if (found === 0) throw refuse("missing-field", say("form.needed"));
  if (!Number.isInteger(found) || found < min || found > max) throw refuse("typed", say("form.number", { least: min, most: max }));
  return found;
}

function readOrder({ elements }, i) {
  const order = elements[`order-${i}`].value;
  if (order === "takeback") return { order, entry: readNumber(elements.entry) };
  const seat = { seat: Number(elements[`seat-${i}`].value) };
  if (order === "adjust") return { order, ...seat, points: readNumber(elements[`points-${i}`]) };
  return order === "forfeit" ? { order, ...seat } : { order };
}

function readRuling(form) {
  const { elements } = form;
  const given = [0, 1].map((i) => readOrder(form, i)).filter(({ order }) => order !== "");
  return { orders: given, code: elements.code.value.trim(), reason: elements.reason.value.trim(), resume: elements.resume.checked };
}

const signed = (value) => (typeof value === "number" ? number(value) : value);
const fromTo = (was, is) => (was === is ? signed(was) : `${signed(was)} \u2192 ${signed(is) ?? say("order.is_void")}`);

const scoreOf = (score) => (parts.game.seats.length === 1 ? scoreWords(score, 1) || null : score);

function rulingPreview({ lines, seats, changes }) {
  return [
    lines.length === 0 ? element("p", {}, say("dispute.no_lines")) : [element("p", {}, say("dispute.lines")), element("pre", { tabindex: "0" }, element("code", {}, lines.join("\n")))],
    seats.length === 0 ? null : table(say("dispute.scores"), [{ text: say("seats.player"), header: true }, { text: say("seats.score"), number: true }, { text: say("seats.place"), number: true }],
      seats.map((each) => [seatName(parts.game, each.seat), fromTo(...[each.score_was, each.score_is].map(scoreOf)), seats.length === 1 ? "" : fromTo(each.rank_was, each.rank_is)])),
    changes === null ? null : rulingChanges(changes)];
}

function rule() {
  const { dispute, game } = parts;
  openDialog({ heading: say("dispute.do_rule"), about: say("dispute.rule_about"), label: say("dispute.give"),
    fields: [orderFields(0, dispute, game), orderFields(1, dispute, game), field(textBox("code", "as-ruled", { maxlength: 40 }), say("dispute.code"), say("dispute.code_hint")), reasonField("reason", true, say("dispute.reason_hint")),
      field(tickBox("resume", true), say("dispute.resume_then"))],
    read: readRuling,
    preview: async (body) => rulingPreview(await send("POST", `${at}/ruling?preview=true`, body)),
    act: async (body) => {
      await send("POST", `${at}/ruling`, body);
      await refresh();
    } });
  fitOrders(document.querySelector("dialog[open] form"));
}

function appeal() {
  openDialog({ heading: say("dispute.do_appeal"), label: say("dispute.do_appeal"), fields: [field(proseBox("text", 2000), say("dispute.text"))],
    read: (form) => ({ text: proseOf(form.elements.text) }),
    act: async (body) => {
      await send("POST", `${at}/appeal`, body);
      await refresh();
    } });
}

async function simply(step) {
  await send("POST", `${at}/${step}`, {});
  await refresh();
}

const actions = { rule, appeal, adjudicate };

main.addEventListener("click", (event) => {
  const control = event.target.closest("button[data-do]");
  if (control === null) return;
  const name = control.dataset.do;
  attempt(control.closest("section"), async () => (actions[name] ?? simply)(name));
});

main.addEventListener("change", (event) => {
  if (event.target.id !== "viewer") return;
  viewer = event.target.value;
  showContent(main, content());
});

/* ---- Following ---- */

let shown = null;

present(async () => {
  parts = await readParts();
  const more = parts.dispute.state !== "closed";
  const data = JSON.stringify([parts.dispute, parts.game, parts.position]);
  if (data === shown) return { more };
  shown = data;
  title(say("dispute.title", { claim: say(`claim.${parts.dispute.claim}`) }));
  return { more, content: content() };
});
