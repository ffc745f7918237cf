// The page of an event with so many entries that it is shown as written by the server: this script keeps it up to date,
// finds players on it, and opens rows.
import { player } from "../lib/account.js";
import { element, nameText, pageId, parameter, present, Problem, read, title } from "../lib/common.js";
import { officialsLink, otherPages, readPanel, signInPart } from "../event/event-links.js";
import { aboutHead, aboutPart } from "../event/about.js";
import { facts, readSeasons, roundLinks } from "../event/facts.js";
import { reopen } from "../event/fold.js";
import { findForm } from "../lib/find-me.js";
import { readPage, shownChanges } from "../lib/written-page.js";
import { say, translate } from "../lib/words.js";

const id = pageId();
const at = `/v1/events/${id}`;
const main = document.getElementById("main");
let seen = null; // the last change shown
let seasons = null; // which change seldom: read once

/* ---- Rows that open ---- */

function opener(row) {
  const name = row.querySelector("th > a");
  return element("button", { type: "button", class: "opener", "aria-expanded": "false", "data-player": name.getAttribute("href").split("/")[2],
    "aria-label": say("standings.opener_of", { name: nameText({ name: name.textContent }) }), title: say("standings.opener") });
}

function addOpeners(root) {
  for (const table of root.querySelectorAll("table.standings")) {
    table.tHead.rows[0].append(element("th", { scope: "col", class: "why" }, say("standings.why")));
    for (const row of table.tBodies[0].rows) {
      const button = opener(row);
      row.id = `row-${button.dataset.player}`;
      row.append(element("td", {}, button));
    }
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

// What comes before the first link or heading says what the event is, and is drawn anew.
function replaceHead(root, head) {
  while (!root.firstElementChild.matches("section, nav, h2")) root.firstElementChild.remove();
  root.prepend(...head);
}

const replace = (shown, ...drawn) => shown?.replaceWith(...drawn.filter((each) => each !== null));

async function prepare(root, event) {
  for (const each of root.querySelectorAll(".fold")) reopen(each);
  translate(root);
  addOpeners(root);
  root.querySelector("#mine")?.remove();
  const panel = await readPanel(event);
  const roles = player() === null ? null : await read(`${at}/roles`);
  seasons ??= await readSeasons(event);
  const mine = panel === null ? signInPart(event) : panel.draw();
  replaceHead(root, element("div", {}, aboutHead(event), facts(event, seasons), officialsLink(event, roles), mine, otherPages(event)).childNodes);
  replace(root.querySelector("#round-links"), roundLinks(event));
  replace(root.querySelector("#about"), aboutPart(event));
  root.lastElementChild.remove(); // the link to the audit, which is among the others
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
