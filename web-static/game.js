import { byRank, element, pageId, playerLink, read, repeat, show, title } from "./common.js";

const id = pageId();
const state = { game: null, next: 0, log: null };

function seatName(seat) {
  return state.game.seats[seat]?.player.name ?? `seat ${seat}`;
}

// Events speak of `{seat 2}`; people have names.
function sentence(text) {
  return text.replaceAll(/\{seat (\d+)\}/g, (_, seat) => seatName(Number(seat)));
}

function elapsed(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function systemWords(item) {
  if (item.kind === "fallback") return `${seatName(item.seat)} is absent; the quiet move plays from here.`;
  if (item.kind === "reveal") return "The game's secret is revealed: now everybody can check the luck.";
  const seat = state.game.seats[item.seat];
  return seat?.rank ? `${seatName(item.seat)}: place ${seat.rank} with a score of ${seat.score}.` : `Result of ${seatName(item.seat)}.`;
}

function logLine(item) {
  const said = item.kind === "ply" ? item.events.map((event) => sentence(event.text)) : [systemWords(item)];
  return element("li", { id: `line-${item.seq}` },
    element("a", { class: "seq", href: `#line-${item.seq}`, title: `after ${elapsed(item.elapsed_ms)}` }, String(item.seq)),
    item.kind === "ply" ? element("span", {}, `${seatName(item.seat)}: `, element("code", {}, item.move)) : element("span", {}, item.kind),
    element("div", { class: "words" }, said.map((text) => element("p", {}, text))));
}

// Any document as nested lists of terms: plain, but complete and the same for every game.
function position(value) {
  if (value === null) return "-";
  if (Array.isArray(value)) {
    const plain = value.every((item) => item === null || typeof item !== "object");
    if (plain) return value.length === 0 ? "none" : value.join(", ");
    return element("ol", { start: 0 }, value.map((item) => element("li", {}, position(item))));
  }
  if (typeof value === "object") {
    const members = Object.entries(value);
    if (members.length === 0) return "none";
    if (members.every(([, member]) => typeof member === "number")) return members.map(([name, member]) => `${name} ${member}`).join(", ");
    return element("dl", { class: "position" }, members.flatMap(([name, member]) => [element("dt", {}, name.replaceAll("_", " ")), element("dd", {}, position(member))]));
  }
  return String(value);
}

function seats() {
  const { game } = state;
  const rows = byRank(game.seats);
  return element("table", {}, element("caption", {}, game.state === "finished" ? "Result" : "Players"),
    element("thead", {}, element("tr", {}, ["Place", "Player", "Seat", "Score"].map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, rows.map((seat) => element("tr", { class: "row" },
      element("td", {}, seat.rank === null ? "" : `${seat.rank}.`),
      element("th", { scope: "row" }, playerLink(seat.player), game.deciders.includes(seat.seat) ? " decides" : "", seat.fallback ? " (absent)" : ""),
      element("td", {}, String(seat.seat)),
      element("td", {}, seat.score === null ? "" : String(seat.score))))));
}

async function verdict() {
  if (state.game.state !== "finished") return element("span", { class: "badge" }, "running");
  const found = await read(`/v1/games/${id}/verification`);
  if (found.verdict === "valid") return element("span", { class: "badge good" }, "proved by replay");
  return element("span", { class: "badge bad" }, found.fault ? `damaged at line ${found.fault.line}: ${found.fault.message}` : found.verdict);
}

async function appendLog() {
  for (;;) {
    const page = await read(`/v1/games/${id}/events?after=${state.next}`);
    if (page.items.length === 0) return;
    state.log.append(...page.items.map(logLine));
    state.next = page.next;
  }
}

function heading(game) {
  return game.event === null ? game.ruleset.title : `${game.ruleset.title}, round ${game.event.round}, table ${game.event.table}`;
}

async function draw() {
  state.game = await read(`/v1/games/${id}`, { again: true }) ?? state.game;
  state.log ??= element("ol", { class: "log", "aria-label": "The game, line by line" });
  const [badge, view] = await Promise.all([verdict(), read(`/v1/games/${id}/view`), appendLog()]);
  const { game } = state;
  title(heading(game));
  return [
    element("h1", {}, heading(game)),
    element("p", { class: "about" }, badge, " ", game.event === null ? "" : element("a", { href: `/events/${game.event.id}` }, "to the event")),
    seats(),
    element("details", {}, element("summary", {}, "The position, as everybody may see it"), position(view.view)),
    element("h2", {}, "The roll"),
    element("p", {}, element("a", { href: `/v1/games/${id}/record`, download: `${id}.roll` }, "Download the record"),
      " and check it without trusting this server: ", element("code", {}, `tillroll verify ${id}.roll`), "."),
    element("p", {}, "Head: ", element("code", {}, game.head)),
    state.log,
  ];
}

await show(draw);
if (location.hash) document.querySelector(location.hash)?.scrollIntoView();

repeat(async () => {
  if (state.game === null || state.game.state === "finished") return false;
  const game = await read(`/v1/games/${id}`, { again: true });
  if (game !== undefined) {
    state.game = game;
    const open = document.querySelector("details")?.open ?? false;
    await show(draw);
    document.querySelector("details").open = open;
  }
  return state.game.state !== "finished";
}, 2000);
