// What the reader is told, by which channels, and when; in which browsers, by which webhooks; and whom they follow.
import { goToSignIn, player } from "../lib/account.js";
import { element, link, nameText, playerLink, present, Problem, read, send, showContent, table, title } from "../lib/common.js";
import { attempt, button, choiceBox, field, formFault, tickBox } from "../lib/forms.js";
import { languageChoices } from "../lib/language.js";
import { said, say } from "../lib/words.js";
import { Devices } from "./devices.js";
import { Webhooks } from "./webhooks.js";

const main = document.getElementById("main");
const timings = ["off", "at_once", "digest"];

/* ---- Reading ---- */

async function ask(method, path, body = null) {
  try {
    return await (method === "GET" ? read(path) : send(method, path, body));
  } catch (problem) {
    if (problem instanceof Problem && problem.status === 401) goToSignIn();
    throw problem;
  }
}

/* ---- Parts ---- */

const idOf = (kind, channel) => `${kind}-${channel}`.replaceAll("_", "-");

function choice(kind, channel, timing) {
  const box = choiceBox(idOf(kind, channel), timings.map((each) => [each, say(`notices.timing_${each}`)]), timing);
  box.setAttribute("aria-label", say("notices.choice_of", { kind: say(`notices.kind_${kind}`), channel: say(`notices.channel_${channel}`) }));
  return box;
}

function kindsTable({ kinds, channels }) {
  const columns = [{ text: say("notices.what"), header: true }, ...channels.map(({ channel }) => ({ text: say(`notices.channel_${channel}`) }))];
  const cell = (kind, channel, timing) => [element("span", { class: "channel", "aria-hidden": "true" }, say(`notices.channel_${channel}`)), choice(kind, channel, timing)];
  return element("div", { class: "notice-kinds" }, table(say("notices.kinds"), columns,
    Object.entries(kinds).map(([kind, chosen]) => [say(`notices.kind_${kind}`), ...channels.map(({ channel }) => cell(kind, channel, chosen[channel]))])));
}

function reachNotice({ channels }) {
  const mail = channels.find(({ channel }) => channel === "mail");
  if (channels.length === 0) return element("p", { class: "notice" }, say("notices.none"));
  return mail === undefined || mail.reaches ? null : element("p", { id: "no-address", class: "notice" }, said("notices.no_address", { account: link("/account#email", say("email.title")) }));
}

const timeBox = (id, value) => element("input", { id, name: id, type: "time", value, required: true });

function zoneBox(zone) {
  const zones = new Set([zone, "UTC", Intl.DateTimeFormat().resolvedOptions().timeZone, ...Intl.supportedValuesOf("timeZone")]);
  return choiceBox("time-zone", [...zones].sort().map((each) => [each, each]), zone);
}

function whenPart(wishes) {
  const quiet = wishes.quiet_hours;
  return [
    element("fieldset", {}, element("legend", {}, say("notices.when")),
      field(zoneBox(wishes.time_zone), say("notices.zone"), say("notices.zone_hint", { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })),
      field(timeBox("digest-at", wishes.digest_at), say("notices.digest_at")),
      field(tickBox("quiet", quiet !== null), say("notices.quiet"), say("notices.quiet_hint")),
      element("div", { id: "quiet-hours", hidden: quiet === null }, field(timeBox("quiet-from", quiet?.from ?? "22:00"), say("notices.quiet_from")),
        field(timeBox("quiet-to", quiet?.to ?? "07:00"), say("notices.quiet_to")))),
    field(choiceBox("notice-language", [["", say("notices.language_of_mail")], ...languageChoices()], wishes.language ?? ""), say("site.language"))];
}

function wishesForm(wishes) {
  return element("form", { id: "wishes", novalidate: true }, kindsTable(wishes),
    element("p", { class: "hint" }, say("notices.digest_about")), whenPart(wishes),
    element("p", { class: "bar" }, element("button", { type: "submit", class: "main" }, say("notices.save")), button(say("notices.all_off"), { id: "all-off" })),
    formFault(), element("p", { class: "done", role: "status" }));
}

function followedPart(items) {
  return element("section", { id: "following", class: "part" }, element("h2", {}, say("notices.following")), element("p", { class: "hint" }, say("notices.following_about")),
    items.length === 0 ? element("p", {}, say("notices.following_none"))
      : element("ul", {}, items.map(({ player }) => element("li", { class: "bar" }, element("span", {}, playerLink(player)),
        button(say("follow.end"), { "data-unfollow": player.id, "aria-label": say("follow.end_of", { name: nameText(player) }) })))),
    formFault("following-fault"));
}

/* ---- The page ---- */

let ways = null; // the parts about where notices go, which redraw themselves

async function waysParts() {
  if (ways === null) {
    const [devices, webhooks] = [new Devices(), new Webhooks()];
    await Promise.all([devices.load(), webhooks.load()]);
    ways = [devices, webhooks];
  }
  const [devices, webhooks] = ways;
  return [element("section", { id: "push", class: "part" }, devices.root), element("section", { id: "hooks", class: "part" }, webhooks.root)];
}

async function content() {
  const [wishes, followed] = await Promise.all([ask("GET", "/v1/me/notices"), ask("GET", "/v1/me/following")]);
  return [element("h1", {}, say("notices.title")), element("p", { class: "about" }, say("notices.about")), reachNotice(wishes), wishesForm(wishes), ...(await waysParts()), followedPart(followed.items)];
}

const refresh = async () => showContent(main, await content());

// What the form says, as the service takes it.
function chosen(form) {
  const { elements } = form;
  const kinds = {};
  for (const box of form.querySelectorAll("table select")) {
    const [channel] = box.id.split("-").slice(-1);
    const kind = box.id.slice(0, -channel.length - 1).replaceAll("-", "_");
    (kinds[kind] ??= {})[channel] = box.value;
  }
  return {
    kinds,
    language: elements["notice-language"].value || null,
    time_zone: elements["time-zone"].value,
    digest_at: elements["digest-at"].value,
    quiet_hours: elements.quiet.checked ? { from: elements["quiet-from"].value, to: elements["quiet-to"].value } : null,
  };
}

const controls = { quiet_hours: "quiet-from", digest_at: "digest-at", time_zone: "time-zone" };

async function save(form) {
  const done = form.querySelector(".done");
  done.textContent = "";
  await attempt(form, async () => {
    await ask("PATCH", "/v1/me/notices", chosen(form));
    await refresh();
    document.querySelector("#wishes .done").textContent = say("notices.saved");
  }, (name) => form.elements[controls[name]] ?? null);
}

main.addEventListener("submit", (event) => {
  if (event.target.id !== "wishes") return;
  event.preventDefault();
  save(event.target);
});

main.addEventListener("click", (event) => {
  const { target } = event;
  if (target.id === "all-off") {
    for (const box of target.form.querySelectorAll("table select")) box.value = "off";
    save(target.form);
  } else if (target.dataset?.unfollow !== undefined) {
    attempt(document.getElementById("following"), async () => {
      await ask("DELETE", `/v1/me/following/${target.dataset.unfollow}`);
      await refresh();
    });
  }
});

main.addEventListener("change", ({ target }) => {
  if (target.id === "quiet") document.getElementById("quiet-hours").hidden = !target.checked;
});

if (player() === null) goToSignIn();
else present(async () => {
  title(say("notices.title"));
  return { content: await content() };
});
