// Creating an event: from settings, or as a copy of another one.
import { isGuest, player } from "../lib/account.js";
import { element, guestLink, nameText, present, read, send, signInLink, title } from "../lib/common.js";
import { attempt, button, choiceBox, field, formFault, textBox } from "../lib/forms.js";
import { presets } from "../lib/presets.js";
import { SettingsForm } from "../lib/settings.js";
import { said, say } from "../lib/words.js";

const main = document.getElementById("main");
let settings = null;
let games = []; // the available rulesets

async function copyForm() {
  const { items } = await read("/v1/events?limit=100");
  if (items.length === 0) return null;
  return element("details", { id: "copy" }, element("summary", {}, say("new.copy")),
    element("form", { id: "copy-form", novalidate: true },
      field(choiceBox("copy-event", items.map((event) => [event.id, nameText(event)]), null), say("new.copy_of"), say("new.copy_hint")),
      field(textBox("copy-name", "", { maxlength: 80 }), say("settings.name")),
      formFault(), element("p", {}, element("button", { type: "submit" }, say("new.copy_make")))));
}

const presetId = (name) => `preset-${name}`;

function presetsPart() {
  return element("section", { id: "presets", class: "part", "aria-labelledby": "presets-title" }, element("h2", { id: "presets-title" }, say("preset.title")),
    element("p", { class: "hint" }, say("preset.about")),
    element("ul", { class: "presets" }, presets.map(({ name, key, keyAbout }) => element("li", {},
      button(say(key), { id: presetId(name), "data-preset": name, "aria-pressed": "false", "aria-describedby": `${presetId(name)}-about` }),
      element("span", { class: "hint", id: `${presetId(name)}-about` }, say(keyAbout))))),
    element("p", { id: "preset-said", role: "status" }));
}

const chosenGame = () => games.find((each) => each.slug === main.querySelector("#setting-ruleset").value);

// Presets that do not fit the game are disabled.
function offerPresets() {
  const game = chosenGame();
  for (const { name, fits } of presets) main.querySelector(`#${presetId(name)}`).disabled = !fits(game);
}

let filled = null; // the preset that was used: { preset, game }

// If another game is chosen after a preset, what the preset says of the game follows, unless it has been changed since.
function followGame() {
  const game = chosenGame();
  if (filled === null || !filled.preset.fits(game)) return;
  const [was, is] = [filled.game, game].map((each) => filled.preset.settings(each).stages);
  for (const [i, stage] of is.entries()) {
    for (const [name, value] of Object.entries(stage)) {
      const box = main.querySelector(`#stage-${i}-${name}`);
      if (value !== was[i][name] && box?.value === String(was[i][name])) box.value = value;
    }
  }
  filled.game = game;
}

function usePreset(chosen) {
  const preset = presets.find((each) => each.name === chosen);
  settings.fill(preset.settings);
  filled = { preset, game: chosenGame() };
  for (const { name } of presets) main.querySelector(`#${presetId(name)}`).setAttribute("aria-pressed", String(name === chosen));
  main.querySelector("#preset-said").textContent = say("preset.filled", { name: say(preset.key) });
}

async function draw() {
  title(say("home.new_event"));
  const heading = element("h1", {}, say("home.new_event"));
  if (player() === null) return { content: [heading, element("p", {}, said("desk.sign_in", { link: signInLink() }))] };
  if (isGuest()) return { content: [heading, element("p", { class: "notice" }, say("account.guest_cannot"), " ", guestLink())] };
  const [rulesets, { dealers }, copy] = await Promise.all([read("/v1/rulesets"), read("/v1/keys"), copyForm()]);
  games = rulesets.items;
  const fields = element("div", { id: "settings" });
  const form = element("form", { id: "new-event", class: "settings", novalidate: true }, fields, formFault(),
    element("p", {}, element("button", { type: "submit", class: "main" }, say("new.make"))));
  settings = new SettingsForm(fields, games, dealers);
  return { content: [heading, element("p", { class: "about" }, say("new.about")), presetsPart(), copy, form], shown: offerPresets };
}

const goTo = (event) => location.assign(`/events/${event.id}/manage`);

main.addEventListener("click", (event) => {
  const chosen = event.target.closest("button[data-preset]")?.dataset.preset;
  if (chosen !== undefined) usePreset(chosen);
});

main.addEventListener("change", (event) => {
  if (event.target.id !== "setting-ruleset") return;
  offerPresets();
  followGame();
});

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
