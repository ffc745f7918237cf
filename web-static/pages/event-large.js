// The page of an event with so many entries that it is shown as written by the server: this script keeps it up to date,
// finds players on it, and opens rows.
import { player } from "../lib/account.js";
import { element, link, nameText, pageId, parameter, present, Problem, read, title } from "../lib/common.js";
import { otherPages, readPanel, signInPart } from "../event/event-links.js";
import { findForm } from "../lib/find-me.js";
import { readPage, shownChanges } from "../lib/written-page.js";
import { language, say } from "../lib/words.js";

const id = pageId();
const at = `/v1/events/${id}`;
const main = document.getElementById("main");
let seen = null; // the last change shown

/* ---- Rows that open ---- */

function opener(row) {
  const name = row.querySelector("th > a");
  return element("button", { type: "button", class: "opener", "aria-expanded": "false", "data-player": name.getAttribute("href").split("/")[2],
    "aria-label": say("standings.opener_of", { name: nameText({ name: name.textContent }) }), title: say("standings.opener") });
}

function addOpeners(root) {
  for (const table of root.querySelectorAll("table.standings")) {
    table.tHead.rows[0].append(element("th", { scope: "col", class: "why" }, say("standings.why")));
    for (const row of table.tBodies[0].rows) row.append(element("td", {}, opener(row)));
  }
}

async function open(button) {
  const [{ detailRow }, { fillDetails }] = await Promise.all([import("../event/standings.js"), import("../event/row-details.js")]);
  const row = button.closest("tr");
  const query = new URLSearchParams({ player: button.dataset.player, operands: "none" });
  for (const name of ["stage", "after_round"]) if (/^\d{1,4}$/.test(parameter(name) ?? "")) query.set(name, parameter(name));
  const standings = await read(`${at}/standings?${query}`);
  const more = detailRow(standings, standings.rows[0], row.cells.length);
  row.after(more);
  button.setAttribute("aria-controls", more.id);
  more.hidden = false;
  fillDetails(more.querySelector(".details"), standings, standings.rows[0]);
}

main.addEventListener("click", async (click) => {
  const button = click.target.closest?.("button.opener");
  if (!button || button.getAttribute("aria-busy") === "true") return;
  const isOpen = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-busy", "true");
  try {
    if (isOpen) button.closest("tr").nextElementSibling.remove();
    else await open(button);
    button.setAttribute("aria-expanded", String(!isOpen));
  } finally {
    button.removeAttribute("aria-busy");
  }
});

function closeRows() {
  for (const each of main.querySelectorAll("button.opener[aria-expanded=true]")) each.setAttribute("aria-expanded", "false");
}

/* ---- The page ---- */

function unreachable() {
  throw new Problem("unreachable", 0, say("problem.unreachable"));
}

async function officialsLink() {
  if (player() === null) return null;
  const { items } = await read(`${at}/roles`);
  return items.some((each) => each.player.id === player().id) ? element("p", { class: "no-print" }, link(`/events/${id}/manage`, say("desk.run"))) : null;
}

// The server's content is English; what is added to it is not.
function markLanguage(root) {
  for (const each of root.children) each.lang = "en";
  for (const each of root.querySelectorAll(".why, .opener")) each.lang = language;
}

async function prepare(root, event) {
  addOpeners(root);
  markLanguage(root);
  root.querySelector("#mine")?.remove();
  const panel = await readPanel(event);
  root.querySelector(".about").after(...[panel === null ? signInPart(event) : panel.draw(), await officialsLink(), otherPages(event)].filter((each) => each !== null));
  root.querySelector("h2:not(#mine-title)").before(findForm());
}

// The fragment of the address is applied once; later only changes are drawn.
async function draw() {
  const event = await read(at);
  const more = event.state !== "closed";
  const isFirst = seen === null;
  if (!isFirst && event.changes === seen) return { more, after: seen };
  const isCurrent = isFirst && shownChanges(main) === event.changes;
  const root = isCurrent ? main : await readPage().catch(unreachable);
  await prepare(root, event);
  seen = event.changes;
  main.removeAttribute("data-plain");
  title(nameText(event));
  return isCurrent ? { more, after: seen } : { more, after: seen, content: [...root.childNodes], shown: closeRows };
}

present(draw, 3000, `${at}/stream`);
