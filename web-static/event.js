import { element, pageId, playerLink, read, repeat, show, table, time, title, words } from "./common.js";

const id = pageId();

const kindNames = { pairing_bye: "bye", full_bye: "full bye", half_bye: "half bye", zero_bye: "absent", absent: "absent", forfeit_win: "won by forfeit", forfeit_loss: "lost by forfeit" };

// One chip per round: the place at the table, linked to the game.
function strip(row) {
  return element("ul", { class: "strip", "aria-label": "Rounds" }, row.rounds.map((round) => {
    if (round.game === null) {
      return element("li", {}, element("span", { title: `Round ${round.round}: ${kindNames[round.kind] ?? round.kind}, ${round.points.text} points` }, "–"));
    }
    const label = `Round ${round.round}, table ${round.table}: place ${round.rank} of ${round.seats} with a score of ${round.score}, ${round.points.text} points`;
    return element("li", {}, element("a", { href: `/games/${round.game}`, title: label, "aria-label": label, class: round.rank === 1 ? "first" : null }, String(round.rank)));
  }));
}

function operandsText(value) {
  return value.operands.map((operand) =>
    `round ${operand.round}: ${operand.player.name} ${operand.value.text}${operand.cut ? " (cut)" : ""}`).join("; ");
}

function details(row, chain) {
  return element("details", { class: "operands" },
    element("summary", {}, "How this was reckoned"),
    element("dl", { class: "position" }, row.tie_breaks.flatMap((value, i) => [
      element("dt", {}, chain[i].code),
      element("dd", {}, `${value.text}${value.used ? "" : " (not needed)"}${value.operands.length ? `: ${operandsText(value)}` : ""}`),
    ])));
}

function standingsTable(standings) {
  const columns = [{ text: "Place", number: true }, { text: "Player", header: true },
    { text: "Points", number: true, class: "points" }, { text: "Rounds" }];
  for (const tieBreak of standings.chain.slice(1)) {
    columns.push({ text: tieBreak.code, title: `${tieBreak.name}: ${tieBreak.definition}`, number: true });
  }
  const rows = standings.rows.map((row) => [
    String(row.rank),
    [playerLink(row.player), row.dropped ? " (dropped)" : "", details(row, standings.chain)],
    row.points.text,
    strip(row),
    ...row.tie_breaks.slice(1).map((value) => (value.used ? value.text : "")),
  ]);
  return table(`${standings.state === "final" ? "Final" : "Provisional"}, after round ${standings.after_round}. A tie-break stands where it was needed.`, columns, rows);
}

function roundLinks(event, shown) {
  if (event.rounds.started < 2) return null;
  return element("p", { class: "no-print" }, "After round ", Array.from({ length: event.rounds.started }, (_, i) => i + 1).flatMap((round) => [
    round === shown ? element("strong", {}, String(round)) : element("a", { href: `?after_round=${round}` }, String(round)), " "]));
}

function tableCard(game) {
  return element("div", { class: "table-card" },
    element("h4", {}, element("a", { href: `/games/${game.id}` }, `Table ${game.event.table}`), game.state === "finished" ? "" : " (playing)"),
    element("table", {}, element("tbody", {}, game.seats.map((seat) => element("tr", {},
      element("th", { scope: "row" }, playerLink(seat.player), seat.fallback ? " (absent)" : ""),
      element("td", { class: "number" }, seat.score === null ? "" : String(seat.score)),
      element("td", { class: "number" }, seat.rank === null ? "" : `${seat.rank}.`))))));
}

function quality(round) {
  const criteria = round.quality.criteria ?? [];
  return element("details", { class: "operands" },
    element("summary", {}, round.quality.proved_best ? "Why these tables (proved: no better draw exists)" : "Why these tables"),
    element("dl", { class: "position" }, criteria.flatMap((criterion) => [
      element("dt", {}, `${criterion.code} ${criterion.name}`), element("dd", {}, `${criterion.value}. ${criterion.meaning}`)])),
    element("p", {}, `No draw could have fewer repeats than ${round.quality.repeats_bound}.`));
}

function roundSection(round) {
  return element("section", {},
    element("h3", {}, `Round ${round.number}`, round.state === "running" ? " (running)" : ""),
    element("div", { class: "tables" }, round.games.map(tableCard)),
    round.byes.length ? element("p", {}, "Bye: ", round.byes.map((bye) => playerLink(bye.player))) : null,
    quality(round));
}

async function draw() {
  const event = await read(`/v1/events/${id}`);
  title(event.name);
  const asked = Number(new URLSearchParams(location.search).get("after_round"));
  const after = asked >= 1 && asked <= event.rounds.started ? asked : event.rounds.started;
  const drafting = event.state === "draft" || event.state === "entries_open";
  const [standings, entries, rounds] = await Promise.all([
    drafting ? null : read(`/v1/events/${id}/standings?after_round=${after}`),
    drafting ? read(`/v1/events/${id}/entries`) : null,
    Promise.all(Array.from({ length: event.rounds.started }, (_, i) => read(`/v1/events/${id}/rounds/${event.rounds.started - i}`))),
  ]);
  return [
    element("h1", {}, event.name),
    element("p", { class: "about" }, `${event.ruleset.title}, tables of ${event.seats.min} to ${event.seats.max}, ${event.rounds.planned} rounds of pod Swiss. State: ${words(event.state)}. Organizer: `,
      playerLink(event.organizer), ". Made ", time(event.created_at), "."),
    standings === null ? null : [element("h2", {}, "Standings"), roundLinks(event, after), standingsTable(standings)],
    entries === null ? null : [element("h2", {}, "Entries"), entries.items.length === 0 ? element("p", {}, "Nobody has entered yet.")
      : element("ul", {}, entries.items.map((entry) => element("li", {}, playerLink(entry.player))))],
    rounds.length ? [element("h2", {}, "Rounds"), rounds.map(roundSection)] : null,
    element("h2", {}, "For checking"),
    element("ul", {},
      element("li", {}, element("a", { href: `/v1/events/${id}/standings` }, "Standings as JSON"), ", ", element("a", { href: `/v1/events/${id}/log` }, "the event's log")),
      element("li", {}, "Pairings are drawn from a secret to which the event committed before anybody entered: ", element("code", {}, event.commitment),
        event.secret === null ? ". It is revealed when the event closes." : [". Revealed: ", element("code", {}, event.secret)])),
  ].flat(2);
}

show(draw);

// While the event runs the page follows it: the standings' tag tells whether anything has changed.
repeat(async () => {
  const event = await read(`/v1/events/${id}`);
  if (event.state === "closed") return false;
  const changed = event.state === "running" ? await read(`/v1/events/${id}/standings`, { again: true }) : event;
  if (changed !== undefined && document.querySelector("details[open]") === null) await show(draw);
  return true;
}, 5000);
