// Who met whom: a line and a column for each player, with the outcome of each meeting, linked to the game.
import { element, link, nameOf, nameText, playerLink } from "./common.js";
import { divisionsOf } from "./standings.js";

// More than that is no table any more that can be read.
const most = 40;

const outcomes = { ahead: { chip: "+", said: "ahead of" }, level: { chip: "=", said: "level with" }, behind: { chip: "−", said: "behind" } };

function outcome(own, other) {
  if (own.rank === null || other.rank === null) return { chip: "…", said: "playing against" };
  if (own.rank === other.rank) return outcomes.level;
  return own.rank < other.rank ? outcomes.ahead : outcomes.behind;
}

function meetingPart(meeting, player, other) {
  const [own, theirs] = meeting.a.number === player.number ? [meeting.a, meeting.b] : [meeting.b, meeting.a];
  const { chip, said } = outcome(own, theirs);
  const text = `${meeting.round > 0 ? `Round ${meeting.round}, table` : "Table"} ${meeting.table}: ${said} `;
  const shown = [element("span", { "aria-hidden": "true" }, chip), element("span", { class: "unseen" }, text, nameOf(other))];
  const title = text + nameText(other);
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

function matrix(caption, players, met) {
  const head = [element("th", { scope: "col", class: "number" }, "No."), element("th", { scope: "col" }, "Player"),
    players.map((player) => element("th", { scope: "col", class: "met" }, element("abbr", { title: nameText(player) }, String(player.number))))];
  const body = players.map((player) => element("tr", {},
    element("td", { class: "number" }, String(player.number)),
    element("th", { scope: "row" }, playerLink(player)),
    players.map((other) => element("td", { class: other === player ? "met self" : "met" },
      other === player ? null : met(player.number, other.number).map((meeting) => meetingPart(meeting, player, other))))));
  return element("div", { class: "cross", tabindex: "0", role: "region", "aria-label": caption }, element("table", {},
    element("caption", {}, caption), element("thead", {}, element("tr", {}, head)), element("tbody", {}, body)));
}

export function crosstable(standings, table) {
  const json = link(`/v1/events/${table.event}/crosstable?stage=${table.stage}`, "Who met whom, as JSON");
  if (table.meetings.length === 0) return null;
  const groups = divisionsOf(standings).map(({ division, rows }) => {
    const numbers = new Set(rows.map((row) => row.number));
    return { division, players: table.players.filter((player) => numbers.has(player.number)) };
  });
  if (groups.some((group) => group.players.length > most)) return element("p", {}, json);
  const met = byPair(table.meetings);
  return element("details", { class: "glossary" }, element("summary", {}, "Who met whom"),
    element("p", {}, "Each line from its player's side: + ahead, = level, − behind at the table. Columns have the pairing numbers."),
    groups.map((group) => matrix(group.division === null ? "Who met whom" : `Who met whom in division ${group.division}`, group.players, met)),
    element("p", {}, json));
}
