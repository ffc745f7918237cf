// What the organizer of a season can do on its page: add events, accept those that were offered, and close it.
import { element, link, nameOf, nameText, Problem, send } from "../lib/common.js";
import { attempt, button, field, formFault, openDialog, textBox } from "../lib/forms.js";
import { say } from "../lib/words.js";

let run = null; // { season, refresh } of the page

const at = () => `/v1/seasons/${run.season.id}`;

function offeredItem({ event }) {
  return element("li", { class: "bar" }, link(`/events/${event.id}`, nameOf(event)),
    button(say("season.accept"), { "data-season": "accept", "data-event": event.id, "aria-label": say("season.accept_of", { event: nameText(event) }) }));
}

// `refresh` draws the page anew.
export function runPart(season, refresh) {
  run = { season, refresh };
  const offered = season.events.filter((each) => each.offered && !each.invited);
  return element("section", { id: "run", class: "desk" }, element("h2", { tabindex: "-1" }, say("season.run")), element("p", { class: "hint" }, say("season.run_about")),
    offered.length === 0 ? null : [element("p", {}, say("season.offers")), element("ul", { class: "plain", id: "offers" }, offered.map(offeredItem))],
    element("form", { id: "add-event", class: "inline", novalidate: true }, field(textBox("event", "", { maxlength: 400 }), say("season.add_event"), say("season.add_hint")),
      element("p", {}, element("button", { type: "submit" }, say("season.add_do")))),
    formFault("run-fault"), element("p", { class: "bar" }, button(say("season.close"), { "data-season": "close" })));
}

async function add(event) {
  await send("POST", `${at()}/events`, { event });
  await run.refresh();
}

async function addWritten(form) {
  const [id] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(form.elements.event.value) ?? [];
  if (id === undefined) throw Object.assign(new Problem("typed", 400, say("season.no_address")), { field: "event" });
  await add(id);
  form.reset();
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
  else attempt(step.closest("section"), () => add(step.dataset.event));
});
