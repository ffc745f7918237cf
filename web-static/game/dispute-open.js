// The disputes of a game on its page, and a form to open one, for its players and the officials of its event.
import { player } from "../lib/account.js";
import { element, fill, link, Problem, read, send } from "../lib/common.js";
import { disputesTable } from "./dispute-table.js";
import { button, choiceBox, field, numberBox, openDialog, proseBox, proseOf } from "../lib/forms.js";
import { said, say } from "../lib/words.js";

const claims = ["illegal-move", "rules", "clock", "misclick", "connection", "conduct", "collusion", "result", "other"];
const PROTEST_MINUTES = 1440; // of games of no event
let officials = null; // of the game's event; read once

async function isOfficial(game) {
  if (game.event === null) return false;
  officials ??= (await read(`/v1/events/${game.event.id}/roles`)).items.map((each) => each.player.id);
  return officials.includes(player().id);
}

// The time for protests is over.
async function isLate({ event, finished_at: end }) {
  if (end === null) return false;
  const { protest_minutes: minutes = PROTEST_MINUTES } = event === null ? {} : (await read(`/v1/events/${event.id}`)).settings;
  return Date.now() > Date.parse(end) + minutes * 60000;
}

async function mayOpen(game) {
  if (player() === null || await isLate(game)) return false;
  return game.seats.some((seat) => seat.player.id === player().id || seat.substitute_for?.id === player().id) || isOfficial(game);
}

// Their place on the page.
export function disputesPart() {
  return element("section", { id: "disputes", "data-keep": true });
}

let shown = { game: null, state: null };

// Shows them there, with a link to open another one for those who may. They are read when the game stops, resumes or ends; a
// dispute that changes none of this is seen the next time.
export async function showDisputes(game) {
  const state = JSON.stringify([game.state, game.stopped]);
  if (shown.state === state) {
    shown.game = game;
    return;
  }
  try {
    const [{ items }, may] = await Promise.all([read(`/v1/games/${game.id}/disputes`), mayOpen(game)]);
    const instead = game.state === "finished" ? await replayOf(items) : null;
    shown = { game, state };
    draw(items, may, instead);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

// The game that is played instead of one for which a ruling has ordered so; null: it counts.
async function replayOf(items) {
  const decided = await Promise.all(items.filter(({ state }) => ["ruled", "appealed", "closed"].includes(state)).map(({ id }) => read(`/v1/disputes/${id}`)));
  return decided.flatMap(({ log }) => log).find((step) => step.replayed_as)?.replayed_as ?? null;
}

function draw(items, may, instead) {
  const section = document.getElementById("disputes");
  fill(section, items.length === 0 && !may ? null : element("h2", { tabindex: "-1" }, say("dispute.queue")),
    instead === null ? null : element("p", { id: "replayed", class: "notice" }, said("dispute.was_replayed", { game: link(`/games/${instead}`, say("dispute.replayed")) })),
    items.length === 0 ? null : disputesTable(items),
    may ? element("p", { class: "no-print desk" }, button(say("dispute.open"), { "data-open-dispute": true })) : null);
}

document.addEventListener("click", (event) => {
  if (event.target.closest?.("button[data-open-dispute]")) openDispute(shown.game);
});

// Opens the page of the new dispute.
function openDispute(game) {
  openDialog({
    heading: say("dispute.open"), about: say("dispute.open_about"), label: say("dispute.open"),
    fields: [field(choiceBox("claim", claims.map((claim) => [claim, say(`claim.${claim}`)]), claims[0]), say("dispute.claim")),
      field(numberBox("entry", game.seq === 0 ? "" : game.seq, 0, 65535), say("dispute.open_entry"), say("dispute.open_entry_hint")),
      field(proseBox("text", 2000), say("dispute.text"), say("dispute.open_text_hint"))],
    read: ({ elements }) => ({ claim: elements.claim.value, entry: Number(elements.entry.value), text: proseOf(elements.text) }),
    act: async (body) => {
      const dispute = await send("POST", `/v1/games/${game.id}/disputes`, body);
      location.assign(`/disputes/${dispute.id}`);
    },
  });
}
