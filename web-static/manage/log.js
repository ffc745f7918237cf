// The event's log, newest first: everything that was done, and what can be undone.
import { element, fill, link, listed, nameOf, time, whereLine, whereWords } from "../lib/common.js";
import { field, searchBox } from "../lib/forms.js";
import { plain, said, say } from "../lib/words.js";
import { doing, isOrganizer, isParty, nameOfPlayer, section } from "./part.js";

const SHOWN = 8; // lines, before all are asked for
const FOUND = 40; // of those that are searched for

let all = false;
let sought = "";
let shownDesk = null;

/* ---- Text of a line ---- */

const personOf = (desk, id) => nameOf(nameOfPlayer(desk, id));

function numbered(desk, number) {
  const entry = desk.parts.entries.find((each) => each.number === number);
  return entry === undefined ? String(number) : nameOf(entry.player);
}

function people(desk, detail) {
  if (detail.player !== undefined) return [personOf(desk, detail.player)];
  if (detail.players !== undefined) return detail.players.map((id) => personOf(desk, id));
  return (detail.seats ?? []).map(([number]) => numbered(desk, number));
}

export function lineWords(desk, { kind, detail }) {
  const { round, board, table } = detail;
  const at = { round, board, table }; // on a ladder and in open play, round 0 is none
  const values = { ...detail, where: whereWords(at), whereLine: whereLine(at), names: element("span", {}, listed(people(desk, detail))), role: detail.role ? say(`role.is_${detail.role}`) : "", kind: kind === "bye_granted" ? say(`bye.${detail.kind}`) : "", count: detail.numbers?.length ?? 0 };
  const key = kind === "checked_in" && !detail.present ? "log.was_checked_out" : `log.was_${kind}`;
  return said(key, values);
}

/* ---- Undoing ---- */

const isLast = (log, line, kinds, same) => log.findLast((each) => kinds.includes(each.kind) && same(each.detail)) === line;

// For each kind of line: the action that undoes it, if it is still in effect.
const undoing = {
  ruled(desk, line) {
    const { parts } = desk;
    const { round, table } = line.detail;
    const played = parts.rounds.find((each) => each.number === round);
    const found = played?.seating.find((each) => each.table === table);
    return found?.ruled && !isParty(desk, played, found) && isLast(parts.log, line, ["ruled"], (other) => other.round === round && other.table === table) ? ["revoke", { round, table }] : null;
  },
  dropped({ parts }, line) {
    const { player } = line.detail;
    const entry = parts.entries.find((each) => each.player.id === player);
    return entry?.state === "dropped" && isLast(parts.log, line, ["dropped"], (other) => other.player === player) ? ["return", { player }] : null;
  },
  bye_granted({ parts }, line) {
    const { player, round } = line.detail;
    const entry = parts.entries.find((each) => each.player.id === player);
    const isOpen = round > parts.rounds.length + (parts.draw?.state === "draft" ? 1 : 0);
    return isOpen && entry?.byes.some((bye) => bye.round === round) ? ["revoke_bye", { player, round }] : null;
  },
  kept_apart(desk, line) {
    const [one, other] = line.detail.players;
    const stands = desk.parts.apart.some(({ players }) => players.includes(one) && players.includes(other));
    return stands && isOrganizer(desk) ? ["together", { one, other }] : null;
  },
  role_given(desk, line) {
    const { player, role } = line.detail;
    const stands = desk.parts.roles.items.some((each) => each.player.id === player && each.role === role);
    return stands && isOrganizer(desk) ? ["take_role", { player, role }] : null;
  },
  round_drawn({ parts }, line) {
    const { round, attempt } = line.detail;
    return parts.draw?.state === "draft" && parts.draw.number === round && parts.draw.attempt === attempt ? ["withdraw_draw", {}] : null;
  },
  checked_in({ parts }, line) {
    const { player, present } = line.detail;
    const entry = parts.entries.find((each) => each.player.id === player);
    return parts.event.state === "entries_open" && present && entry?.checked_in ? ["check_in", { player, present: "no" }] : null;
  },
};

function undoButton(desk, line) {
  if (desk.parts.event.state === "closed" && line.kind !== "ruled") return null;
  const found = undoing[line.kind]?.(desk, line) ?? null;
  if (found === null) return null;
  const [action, data] = found;
  return doing(action, say("log.undo"), data, { "aria-label": say("log.undo_line", { seq: line.seq }) });
}

/* ---- The list ---- */

function item(desk, line) {
  return element("li", { id: `line-${line.seq}`, value: line.seq }, element("div", { class: "line" },
    element("span", {}, lineWords(desk, line), line.detail.reason ? element("span", { class: "reason" }, element("bdi", {}, line.detail.reason)) : null),
    element("span", { class: "hint" }, line.by === null ? null : [nameOf(line.by), ", "], time(line.at)), undoButton(desk, line)));
}

// The newest lines, or those with the words that are searched for.
function logList(desk) {
  const words = plain(sought.trim());
  const most = words !== "" ? FOUND : all ? Infinity : SHOWN;
  const items = [];
  for (const line of [...desk.parts.log].reverse()) {
    if (items.length === most) break;
    const made = item(desk, line);
    if (plain(made.textContent).includes(words)) items.push(made);
  }
  const { length } = desk.parts.log;
  return [items.length === 0 ? element("p", { class: "hint" }, say("log.none_found")) : element("ol", { class: "event-log", reversed: true }, items),
    words !== "" || items.length === length ? null : element("p", {}, doing("whole_log", say("log.all", { count: length }), {}, { id: "whole-log" }))];
}

export function part(desk) {
  shownDesk = desk;
  return section("log", say("log.title"), element("p", { class: "hint" }, say("log.about"), " ", link(`${desk.at}/log`, say("log.as_json"))),
    desk.parts.log.length <= SHOWN ? null : field(searchBox("log-find", sought), say("log.find"), say("log.find_hint")),
    element("div", { id: "log-list" }, logList(desk)));
}

document.addEventListener("input", ({ target }) => {
  if (target.id !== "log-find") return;
  sought = target.value;
  fill(document.getElementById("log-list"), logList(shownDesk));
});

export const actions = {
  whole_log(desk) {
    all = true;
    desk.redraw();
  },
};
