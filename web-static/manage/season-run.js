// What can be done on a season's page: its organizer adds and removes events, accepts those that were offered, and closes it; the
// organizer of an event removes that event.
import { element, idIn, link, nameOf, nameText, Problem, send } from "../lib/common.js";
import { attempt, button, field, formFault, openDialog, textBox } from "../lib/forms.js";
import { say } from "../lib/words.js";

let run = null; // { season, refresh } of the page

const at = () => `/v1/seasons/${run.season.id}`;

// A button for a step with an event: accept, decline, remove.
function stepButton(step, event) {
  return button(say(`season.do_${step}`), { "data-season": step, "data-event": event.id, "aria-label": say(`season.do_${step}_of`, { event: nameText(event) }) });
}

function eventList(id, words, events, steps) {
  return events.length === 0 ? null : [element("p", {}, words), element("ul", { class: "plain", id }, events.map(({ event, counts }) => element("li", { class: "bar" },
    link(`/events/${event.id}`, nameOf(event)), counts ? null : [" ", element("span", { class: "hint" }, say("season.not_agreed"))], steps.map((step) => stepButton(step, event)))))];
}

// The part for the season's organizer. `refresh` draws the page anew.
export function runPart(season, refresh) {
  run = { season, refresh };
  const isOffered = (each) => each.offered && !each.invited;
  return element("section", { id: "run", class: "desk" }, element("h2", { tabindex: "-1" }, say("season.run")), element("p", { class: "hint" }, say("season.run_about")),
    eventList("offers", say("season.offers"), season.events.filter(isOffered), ["accept", "decline"]),
    eventList("its-events", say("season.its_events"), season.events.filter((each) => !isOffered(each)), ["remove"]),
    element("form", { id: "add-event", class: "inline", novalidate: true }, field(textBox("event", "", { maxlength: 400 }), say("season.add_event"), say("season.add_hint")),
      element("p", {}, element("button", { type: "submit" }, say("season.add_do")))),
    formFault("run-fault"), element("p", { class: "bar" }, button(say("season.close"), { "data-season": "close" })));
}

// The part for organizers of some of its events; `organized`: the ids of these events.
export function ownEventsPart(season, organized, refresh) {
  const own = season.events.filter(({ event }) => organized.includes(event.id));
  run = { season, refresh };
  return own.length === 0 ? null : element("section", { id: "own-events", class: "desk" }, element("h2", { tabindex: "-1" }, say("season.own_events")),
    eventList("its-events", say("season.own_about"), own, ["remove"]), formFault("own-events-fault"));
}

async function add(event) {
  await send("POST", `${at()}/events`, { event });
  await run.refresh();
}

async function addWritten(form) {
  const id = idIn(form.elements.event.value);
  if (id === undefined) throw Object.assign(new Problem("typed", 400, say("season.no_address")), { field: "event" });
  await add(id);
  form.reset();
}

function remove(id) {
  const found = run.season.events.find(({ event }) => event.id === id);
  const act = async () => {
    await send("DELETE", `${at()}/events/${id}`);
    await run.refresh();
  };
  if (!found.counts) return act();
  openDialog({ heading: say("season.do_remove_of", { event: nameText(found.event) }), about: say("season.remove_sure"), label: say("season.do_remove"), act });
  return null;
}

function close() {
  openDialog({ heading: say("season.close"), about: say("season.close_sure"), label: say("season.close"), act: async () => {
    await send("POST", `${at()}/close`, {});
    await run.refresh();
  } });
}

document.addEventListener("submit", (event) => {
  if (event.target.id !== "add-event") return;
  event.preventDefault();
  attempt(event.target.closest("section"), () => addWritten(event.target), (name) => event.target.elements[name] ?? null);
});

document.addEventListener("click", ({ target }) => {
  const step = target.closest?.("button[data-season]");
  if (step === null || step === undefined) return;
  if (step.dataset.season === "close") close();
  else attempt(step.closest("section"), () => (step.dataset.season === "accept" ? add : remove)(step.dataset.event));
});
