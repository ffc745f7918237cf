// The crosstable: a row and a column for each player, with the outcome of each meeting, linked to the game.
import { element, nameOf, nameText, playerLink, read, showFault, whereLine } from "../lib/common.js";
import { divisionsOf, kindChips, markChips, marks } from "./standings.js";
import { addWords, said, say } from "../lib/words.js";

const chips = { ahead: "+", level: "=", behind: "−", playing: "…", forfeit_win: "+f", forfeit_loss: "−f", void: "∅" };

// A player who did not come has no rank: the table counts as a forfeit.
function outcome(own, other) {
  if (own.kind === null) return "playing";
  if (own.kind === "void" || own.kind.startsWith("forfeit")) return own.kind;
  if (own.rank === other.rank) return "level";
  return own.rank < other.rank ? "ahead" : "behind";
}

function meetingPart(meeting, player, other) {
  const [own, theirs] = meeting.a.number === player.number ? [meeting.a, meeting.b] : [meeting.b, meeting.a];
  const found = outcome(own, theirs);
  const where = whereLine({ round: meeting.round, table: meeting.table });
  const marked = marks(own).filter(Boolean).map((mark) => `, ${mark}`).join("");
  const shown = [element("span", { "aria-hidden": "true" }, `${chips[found]}${markChips(own)}`),
    element("span", { class: "unseen" }, said(`cross.was_${found}`, { where, name: nameOf(other) }), marked)];
  const title = say(`cross.was_${found}`, { where, name: nameText(other) }) + marked;
  return meeting.game === null ? element("span", { title }, shown) : element("a", { href: `/games/${meeting.game}`, title }, shown);
}

// The meetings of each pair of numbers.
function byPair(meetings) {
  const pairs = new Map();
  for (const meeting of meetings) {
    const key = `${meeting.a.number} ${meeting.b.number}`;
    pairs.set(key, [...(pairs.get(key) ?? []), meeting]);
  }
  return (one, other) => pairs.get(`${Math.min(one, other)} ${Math.max(one, other)}`) ?? [];
}

function byePart(bye) {
  const text = say("cross.bye", { round: bye.round, kind: say(`kind.${bye.kind}`) });
  return element("span", { title: text }, element("span", { "aria-hidden": "true" }, `${kindChips[bye.kind]} `),
    element("span", { class: "unseen" }, text));
}

function matrix(caption, players, met, byes) {
  const numbers = new Set(players.map((player) => player.number));
  const without = byes.filter((bye) => numbers.has(bye.number));
  const head = [element("th", { scope: "col", class: "number" }, say("cross.number")), element("th", { scope: "col" }, say("seats.player")),
    players.map((player) => element("th", { scope: "col", class: "met" }, element("abbr", { title: nameText(player) }, String(player.number)))),
    without.length === 0 ? null : element("th", { scope: "col" }, say("cross.byes"))];
  const body = players.map((player) => element("tr", {},
    element("td", { class: "number" }, String(player.number)),
    element("th", { scope: "row" }, playerLink(player)),
    players.map((other) => element("td", { class: other === player ? "met self" : "met" },
      other === player ? null : met(player.number, other.number).map((meeting) => meetingPart(meeting, player, other)))),
    without.length === 0 ? null : element("td", {}, without.filter((bye) => bye.number === player.number).map(byePart))));
  return element("div", { class: "cross", tabindex: "0", role: "region", "aria-label": caption }, element("table", {},
    element("caption", {}, caption), element("thead", {}, element("tr", {}, head)), element("tbody", {}, body)));
}

function parts(standings, table) {
  const met = byPair(table.meetings);
  const marked = table.meetings.flatMap((meeting) => [meeting.a, meeting.b]);
  const about = [say("cross.about"), marked.some((side) => side.kind === null) ? say("cross.about_playing") : null, marked.some((side) => side.kind?.startsWith("forfeit")) ? say("cross.about_forfeit") : null,
    marked.some((side) => side.kind === "void") ? say("standings.sign_void") : null,
    marked.some((side) => side.forfeited) ? say("cross.about_forfeited") : null,
    marked.some((side) => side.substituted) ? say("cross.about_substituted") : null,
    table.byes.length === 0 ? null : say("cross.about_byes")].filter(Boolean);
  return [element("p", {}, about.join(" ")), ...divisionsOf(standings).map(({ division, rows }) => {
    const numbers = new Set(rows.map((row) => row.number));
    return matrix(division === null ? say("cross.title") : say("cross.title_division", { division }), table.players.filter((player) => numbers.has(player.number)), met, table.byes);
  })];
}

let shown = null; // the crosstable that is shown, as text

// Fills `place` with the crosstable at the address `at`, or again if it has changed.
export async function showCrosstable(at, place, standings) {
  await addWords("why");
  try {
    const table = await read(at);
    if (place.hasChildNodes() && shown === JSON.stringify(table)) return;
    shown = JSON.stringify(table);
    place.replaceChildren(...parts(standings, table));
  } catch (problem) {
    showFault(place, problem);
  }
}
