// The next round before it is played: the draft or preview, and manual seating. Two picked players swap places; the effect
// is shown before it is kept.
import { element, fill, nameOf, send } from "../lib/common.js";
import { bracketRound, matchOf } from "../event/rounds.js";
import { fold } from "../event/fold.js";
import { field, openDialog, readReason, reasonField, searchBox } from "../lib/forms.js";
import { criterionMeaning, criterionName } from "../lib/reckoning.js";
import { said, say } from "../lib/words.js";
import { lineWords } from "./log.js";
import { doing, isTableSought, section } from "./part.js";

// Manual seating of the draft `key`: { key, tables, byes: ids, picked: id or null, draw: its preview or null }.
let hand = null;

const idsOf = (draw) => draw.tables.map((table) => table.players.map((each) => each.id));
const freeByes = (draw) => draw.byes.filter((bye) => bye.kind === "pairing_bye").map((bye) => bye.player.id);
const keyOf = (draw) => [draw.state, draw.number, draw.attempt, draw.changes, JSON.stringify(idsOf(draw)), freeByes(draw)].join(" ");

function handOf(draw) {
  if (hand?.key !== keyOf(draw)) hand = { key: keyOf(draw), tables: idsOf(draw), byes: freeByes(draw), picked: null, draw: null };
  return hand;
}

/* ---- Display ---- */

function person(draw, player) {
  if (draw.state !== "draft") return nameOf(player);
  return doing("pick", nameOf(player), { player: player.id }, { id: `pick-${player.id}`, class: "seat", "aria-pressed": String(handOf(draw).picked === player.id) });
}

function tableCard(draw, seated, players, i) {
  const moved = (id, k) => seated.tables[i][k] !== draw.tables[i].players[k].id;
  const match = matchOf(draw, draw.tables[i]);
  return element("div", { class: "card draft" }, element("h3", {}, say("draft.table", { table: draw.tables[i].table }), match === null ? null : [", ", match]),
    element("ol", {}, seated.tables[i].map((id, k) => element("li", { class: moved(id, k) ? "moved" : null }, person(draw, players.get(id)),
      moved(id, k) ? element("span", { class: "hint" }, ` ${say("draft.moved")}`) : null))));
}

let sought = ""; // the number of a table, or part of a name
let shownDesk = null;
const MANY = 12; // tables without a search
const FEW = 4; // of more, those that are not folded

// If there are many tables, shows those that match the search (without one, the first) and those being changed, and folds the rest.
function tablesPart(draw, seated, players) {
  const isChanging = (ids, i) => ids.includes(seated.picked) || ids.some((id, k) => id !== draw.tables[i].players[k].id);
  const isFound = (ids, i) => isTableSought(sought, draw.tables[i].table, ids.map((id) => players.get(id)));
  const isBrief = draw.tables.length > MANY;
  const shown = seated.tables.map((ids, i) => !isBrief || isChanging(ids, i) || (sought.trim() === "" ? i < FEW : isFound(ids, i)));
  const cards = (which) => element("div", { class: "tables" }, draw.tables.map((_, i) => (shown[i] === which ? tableCard(draw, seated, players, i) : null)), which ? byesPart(draw, seated, players) : null);
  const count = shown.filter((each) => !each).length;
  return [cards(true), count === 0 || sought.trim() !== "" ? null : fold("more-of-draft", say("rounds.more_tables", { count }), cards(false)),
    shown.includes(true) ? null : element("p", { class: "hint", role: "status" }, say("tables.none_found"))];
}

function findField({ number, tables }) {
  if (tables.length <= MANY) return null;
  return field(searchBox("draft-find", sought), say("tables.find", { round: number }), say("tables.find_hint"));
}

document.addEventListener("input", ({ target }) => {
  if (target.id !== "draft-find") return;
  sought = target.value;
  const { draw } = shownDesk.parts;
  fill(document.getElementById("draft-tables"), tablesPart(draw, handOf(draw), playersOf(draw)));
});

function byesPart(draw, seated, players) {
  const others = draw.byes.filter((bye) => bye.kind !== "pairing_bye");
  if (seated.byes.length + others.length === 0) return null;
  return element("div", { class: "card draft" }, element("h3", {}, say("draft.no_table")), element("ul", {},
    seated.byes.map((id) => element("li", {}, person(draw, players.get(id)), ` (${say("kind.pairing_bye")})`)),
    others.map((bye) => element("li", {}, nameOf(bye.player), ` (${say(`kind.${bye.kind}`)})`))));
}

const playersOf = (draw) => new Map([...draw.tables.flatMap((table) => table.players), ...draw.byes.map((bye) => bye.player)].map((each) => [each.id, each]));

// The values of a pairing; for a manual one, next to those of the original.
function qualityPart({ criteria, drawn, worse = [], proved_best: proved }) {
  if (criteria.length === 0) return null;
  const value = (each) => (drawn === undefined || drawn[each.code] === each.value ? String(each.value) : say("draft.was_is", { was: drawn[each.code], is: each.value }));
  const isLost = drawn !== undefined && worse.length > 0;
  return element("details", { id: "draft-quality", class: "glossary" }, element("summary", {}, say(proved && drawn === undefined ? "rounds.why_best_tables" : "rounds.why_tables")),
    element("dl", { class: "terms" }, criteria.flatMap((each) => [
      element("dt", {}, `${each.code}: `, criterionName(each)), element("dd", { class: isLost && worse.includes(each.code) ? "bad" : null }, value(each), " ", element("span", { class: "hint" }, criterionMeaning(each)))])));
}

// The losses and gains of manual seating, a sentence for each criterion. P9, the draw by lot among equals, is neither.
function lossPart({ quality }) {
  const { criteria, drawn, worse } = quality;
  const lost = criteria.filter((each) => worse.includes(each.code));
  const won = criteria.filter((each) => drawn[each.code] > each.value && each.code !== "P9");
  const sentence = (key) => (each) => element("li", { class: key === "worse" ? "bad" : "good" }, said(`draft.is_${key}`, { name: criterionName(each), was: drawn[each.code], is: each.value }));
  if (lost.length + won.length === 0) return element("p", { class: "good" }, say("draft.no_loss"));
  return element("ul", { class: "losses" }, lost.map(sentence("worse")), won.map(sentence("better")));
}

function handPart(draw, seated) {
  if (draw.state !== "draft") return null;
  if (seated.draw !== null) {
    return element("div", { id: "by-hand", role: "status" }, element("h3", {}, say("draft.by_hand")), lossPart(seated.draw), element("p", { class: "bar" },
      doing("keep_seats", say("draft.do_keep"), {}, { id: "keep-seats" }), doing("forget_seats", say("draft.forget"), {}, { id: "forget-seats" })));
  }
  return element("div", { id: "by-hand", role: "status" }, element("p", { class: "hint" },
    seated.picked === null ? say("draft.pick") : say("draft.pick_other", { name: playersOf(draw).get(seated.picked).name })));
}

// Lines of the log after the draft that a new pairing would take into account: the draft does not change by itself.
const counting = ["entered", "dropped", "returned", "bye_granted", "bye_revoked", "kept_apart", "not_kept_apart", "ruled", "ruling_revoked", "report_corrected"];

function changesSince({ log }) {
  const paired = log.findLastIndex(({ kind }) => kind === "round_drawn" || kind === "round_changed");
  return log.slice(paired + 1).filter(({ kind }) => counting.includes(kind));
}

function stalePart(desk) {
  const changes = changesSince(desk.parts);
  if (changes.length === 0) return null;
  return element("div", { id: "draft-stale", class: "notice" }, element("p", {}, say("draft.stale")), element("ul", {}, changes.map((line) => element("li", {}, lineWords(desk, line)))));
}

export function part(desk) {
  const { draw } = desk.parts;
  if (draw === null) return null;
  shownDesk = desk;
  const seated = handOf(draw);
  const players = playersOf(draw);
  const isDraft = draw.state === "draft";
  const name = draw.quality.name ? [": ", bracketRound(draw.quality.name)] : "";
  return section("draft", said(isDraft ? "draft.title" : "draft.preview_title", { number: draw.number, name }),
    element("p", { class: "hint" }, say(isDraft ? "draft.about" : "draft.preview_about", { attempt: draw.attempt, changes: draw.changes })),
    isDraft ? stalePart(desk) : null,
    findField(draw), element("div", { id: "draft-tables" }, tablesPart(draw, seated, players)),
    handPart(draw, seated), qualityPart((seated.draw ?? draw).quality),
    isDraft ? element("p", { class: "bar" }, doing("redraw", say("draft.do_redraw"), {}, { id: "redraw" }), doing("withdraw_draw", say("draft.do_withdraw"), {}, { id: "withdraw-draw" })) : null);
}

/* ---- Handlers of its buttons ---- */

const bodyOf = ({ tables, byes }) => ({ tables, byes });

function exchange(seated, a, b) {
  const other = (id) => (id === a ? b : id === b ? a : id);
  seated.tables = seated.tables.map((table) => table.map(other));
  seated.byes = seated.byes.map(other);
}

async function pick(desk, { player }) {
  const { draw } = desk.parts;
  const seated = handOf(draw);
  if (seated.picked === null || seated.picked === player) {
    seated.picked = seated.picked === player ? null : player;
    desk.redraw();
    return;
  }
  const one = seated.picked;
  seated.picked = null;
  exchange(seated, one, player);
  try {
    seated.draw = String(seated.tables) === String(idsOf(draw)) ? null : await send("PUT", `${desk.at}/rounds/next?preview=true`, bodyOf(seated));
  } catch (problem) {
    exchange(seated, one, player);
    throw problem;
  } finally {
    desk.redraw();
    document.getElementById(`pick-${player}`)?.focus();
  }
}

function forget(desk) {
  hand = null;
  desk.redraw();
}

// A step that needs a reason.
function withReason(desk, key, needed, act) {
  openDialog({ heading: say(`draft.do_${key}`), about: say(`draft.do_${key}_about`), label: say(`draft.do_${key}`), fields: [reasonField("reason", needed)],
    read: readReason,
    act: async (body) => {
      await act(body);
      await desk.refresh();
    } });
}

export const actions = {
  pick,
  forget_seats: forget,
  keep_seats: (desk) => withReason(desk, "keep", true, async (body) => {
    await send("PUT", `${desk.at}/rounds/next`, { ...bodyOf(hand), ...body });
    hand = null;
  }),
  redraw: (desk) => withReason(desk, "redraw", true, (body) => send("POST", `${desk.at}/rounds/next/redraw`, body)),
  withdraw_draw: (desk) => withReason(desk, "withdraw", false, (body) => send("DELETE", `${desk.at}/rounds/next`, body)),
};
