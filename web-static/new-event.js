// Making an event: its settings, or another one of which it is a copy.
import { player } from "./account.js";
import { element, link, nameText, present, read, send, title } from "./common.js";
import { attempt, choiceBox, field, formFault, textBox } from "./forms.js";
import { SettingsForm } from "./settings.js";
import { said, say } from "./words.js";

const main = document.getElementById("main");
let settings = null;

async function copyForm() {
  const { items } = await read("/v1/events?limit=100");
  if (items.length === 0) return null;
  return element("details", { id: "copy" }, element("summary", {}, say("new.copy")),
    element("form", { id: "copy-form", novalidate: true },
      field(choiceBox("copy-event", items.map((event) => [event.id, nameText(event)]), null), say("new.copy_of"), say("new.copy_hint")),
      field(textBox("copy-name", "", { maxlength: 80 }), say("settings.name")),
      formFault(), element("p", {}, element("button", { type: "submit" }, say("new.copy_make")))));
}

async function draw() {
  title(say("home.new_event"));
  const heading = element("h1", {}, say("home.new_event"));
  if (player() === null) return { content: [heading, element("p", {}, said("desk.sign_in", { link: link("/login?next=/events/new", say("account.sign_in")) }))] };
  const [rulesets, copy] = await Promise.all([read("/v1/rulesets"), copyForm()]);
  const fields = element("div", { id: "settings" });
  const form = element("form", { id: "new-event", class: "settings", novalidate: true }, fields, formFault(),
    element("p", {}, element("button", { type: "submit", class: "main" }, say("new.make"))));
  settings = new SettingsForm(fields, rulesets.items);
  return { content: [heading, element("p", { class: "about" }, say("new.about")), copy, form] };
}

const goTo = (event) => location.assign(`/events/${event.id}/manage`);

main.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  if (form.id === "new-event") {
    attempt(form, async () => goTo(await send("POST", "/v1/events", settings.values())), (name) => settings.controlOf(name));
    return;
  }
  const value = (id) => form.querySelector(`#${id}`).value;
  attempt(form, async () => goTo(await send("POST", `/v1/events/${value("copy-event")}/clone`, { name: value("copy-name").trim() })),
    (name) => (name === "name" ? form.querySelector("#copy-name") : null));
});

present(draw);
