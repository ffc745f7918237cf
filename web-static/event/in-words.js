// The words of an event's page that the server has written (api/event_pages), in English, in the reader's language.
import { say } from "../lib/words.js";

const headings = { "Podium": "podium.title", "Standings": "event.standings", "Places in the event": "event.places", "Entries": "entry.title" };
const columns = { "Place": "seats.place", "Rung": "standings.rung", "Player": "seats.player", "Points": "changes.points", "Rounds": "event.rounds", "Games": "home.games", "Boards": "standings.boards",
  "Stage": "standings.stage", "Lot": "standings.lot_head" };
const remarks = { "(dropped)": "standings.dropped", "(left too early: results do not count)": "standings.annulled", "(advanced)": "standings.advanced" };
const captions = { "In the event as a whole: players in the last stage come first.": "standings.places_caption" };
const paragraphs = { "No results yet.": "standings.no_results", "There are no players here yet.": "standings.nobody" };

function rename(elements, keys) {
  for (const each of elements) {
    const key = keys[each.textContent.trim()];
    if (key !== undefined) each.textContent = say(key);
  }
}

function inCaption(caption) {
  const { state, after, kind, division, more, all } = caption.dataset;
  if (all !== undefined) caption.textContent = say("standings.all_places", { count: Number(all) });
  if (more !== undefined) caption.textContent = say("standings.more", { count: Number(more) });
  if (state === undefined) return;
  const told = [after === "0" ? say(`standings.state_${state}`) : say(`standings.state_${state}_after`, { round: after }), say(kind === "duplicate" ? "standings.caption_duplicate" : "standings.caption_plain")];
  caption.textContent = [...division === undefined ? [] : [say("standings.division", { division })], ...told].join(" ");
}

// After the link to a player. "(3 among people)" is the only one with a number.
function inRemark(node) {
  const place = /^ \((\d+) among people\)/.exec(node.data);
  const rest = place === null ? node.data : node.data.slice(place[0].length);
  const told = Object.entries(remarks).filter(([english]) => rest.includes(english)).map(([, key]) => say(key));
  node.data = ["", ...place === null ? [] : [say("standings.among_people", { place: place[1] })], ...told].join(" ");
}

// `root`: the page's content. Names, and what people have written, stay.
export function putInWords(root) {
  rename(root.querySelectorAll("h2"), headings);
  rename(root.querySelectorAll("thead th"), columns);
  rename(root.querySelectorAll("caption"), captions);
  rename(root.querySelectorAll(":scope > p"), paragraphs);
  for (const each of root.querySelectorAll("caption, summary")) inCaption(each);
  for (const each of root.querySelectorAll("#reported, #recorded")) each.textContent = say(each.id === "reported" ? "standings.reported" : "standings.recorded", { count: Number(each.dataset.count) });
  for (const { lastChild } of root.querySelectorAll("tbody th")) if (lastChild.nodeType === Node.TEXT_NODE) inRemark(lastChild);
  for (const each of root.querySelectorAll("tbody td.number:first-child")) if (each.textContent === "still in") each.textContent = say("standings.still_in");
  for (const each of root.querySelectorAll('nav[aria-label="Stages"]')) each.lang = "en"; // the names of formats
  const after = root.querySelector('nav[aria-label="Standings after round"]');
  if (after === null) return;
  after.setAttribute("aria-label", say("event.standings_after_round"));
  after.firstChild.data = `${say("event.after_round")} `;
}
