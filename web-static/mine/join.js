// The page of an invitation, where seated players wait: free seats, the link to send, and taking a seat.
import { player } from "../lib/account.js";
import { element, link, pageId, present, Problem, read, seatsTable, send, time, title } from "../lib/common.js";
import { attempt, button, formFault } from "../lib/forms.js";
import { copyFrom } from "../lib/share.js";
import { said, say } from "../lib/words.js";
import { accountPart, asSomebody } from "../lobby/guests.js";
import { clockWords, missing, personOf, ratedWords, seatOf, setPart } from "../lobby/tables.js";

const main = document.getElementById("main");
const at = `/v1/invitations/${pageId()}`;
let table = null;

const mine = () => seatOf(table, player()?.id);
const sits = () => mine()?.seated === true;
const isCreator = () => table.creator === player()?.id;

/* ---- Parts ---- */

function seatRow(each, i) {
  const words = [each?.player.id === player()?.id && each ? say("join.you") : null, each && !each.seated ? say("join.invited") : null].filter(Boolean);
  return [String(i + 1), [each ? personOf(each) : element("span", { class: "free" }, say("join.free")), words.map((word) => [" ", element("span", { class: "badge" }, word)])]];
}

function seats() {
  const rows = Array.from({ length: table.seats }, (_, i) => seatRow(table.players[i], i));
  return seatsTable(say("join.who"), [{ text: say("join.seat"), number: true }, { text: say("seats.player"), header: true }], rows);
}

function invitation() {
  return element("section", { id: "invitation", "data-keep": true }, element("p", { class: "field" }, element("label", { for: "invitation-link" }, say("join.link")),
    element("input", { id: "invitation-link", type: "text", readonly: true, value: location.origin + location.pathname })),
  element("p", { class: "bar" }, button(say("join.do_copy"), { id: "copy" }), " ", element("span", { id: "copied", role: "status" })));
}

function steps() {
  const taken = table.seats - missing(table);
  const free = table.players.length < table.seats || mine() !== null;
  return element("section", { id: "steps" }, formFault(),
    element("p", { class: "bar" },
      sits() ? null : free ? button(say("lobby.do_sit"), { id: "sit", class: "main" }) : say("join.full"),
      isCreator() && taken >= table.seats_min && taken < table.seats ? [button(say("join.do_start", { count: taken }), { id: "start", class: "main" }), " "] : null,
      mine() === null ? null : button(say(isCreator() ? "join.do_give_up" : "join.do_leave"), { id: "leave" })));
}

function waiting() {
  return [
    element("p", { id: "missing", class: "notice", role: "status" }, say("join.waiting", { count: missing(table) })),
    sits() ? invitation() : null, seats(), steps(), accountPart(),
    sits() ? element("p", {}, said("join.practice", { link: link(`/practice/${table.ruleset.slug}`, say("lobby.practice")) })) : null,
  ];
}

function started() {
  return [element("p", { class: "notice" }, said("join.started", { game: link(`/games/${table.game}`, say("join.the_game")) })), seats()];
}

/* ---- Handlers ---- */

async function copyLink() {
  document.getElementById("copied").textContent = await copyFrom(document.getElementById("invitation-link"));
}

function goOn(found) {
  table = found;
  if (table.game !== null) location.replace(`/games/${table.game}`);
  else location.reload();
}

const post = async (path) => goOn(await send("POST", path));
async function leave() {
  await send("DELETE", `/v1/lobby/${table.id}/seat`);
  location.assign("/lobby");
}

main.addEventListener("click", ({ target }) => {
  const part = document.getElementById("steps");
  switch (target.id) {
    case "copy": return void copyLink();
    case "sit": return void asSomebody(part, () => post(`${at}/seat`), say("lobby.do_sit"), table);
    case "start": return void attempt(part, () => post(`/v1/lobby/${table.id}/start`));
    case "leave": return void attempt(part, leave);
    default:
  }
});

/* ---- The page ---- */

async function readTable() {
  try {
    const found = await read(at, { again: table !== null });
    table = found ?? table;
    return found !== undefined;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
    if (table === null) throw new Problem("no-invitation", 404, say("join.none"));
    return null;
  }
}

present(async () => {
  const changed = await readTable();
  const back = element("p", { class: "links" }, link("/lobby", say("join.back")));
  if (changed === null) return { content: [element("h1", {}, say("join.title", { game: table.ruleset.title })), element("p", { class: "notice" }, say("join.given_up")), back] };
  if (changed === false) return { more: true };
  if (table.game !== null && sits()) location.replace(`/games/${table.game}`);
  title(say("join.title", { game: table.ruleset.title }));
  return { more: table.game === null, content: [
    element("h1", {}, say("join.title", { game: table.ruleset.title })),
    element("p", { class: "about" }, said("join.facts", { clock: clockWords(table.clock), rated: ratedWords(table), when: time(table.closes_at) })), setPart(table),
    table.game === null ? waiting() : started(), back,
  ] };
}, 2000);
