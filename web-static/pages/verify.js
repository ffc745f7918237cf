// Proving a game in the browser. Its files are judged by a worker (verify-worker.js): files that are chosen or dropped,
// or, at /games/<id>/verify, the record of that game as the server gives it, and at /verify?event=<id> the bundle of that event.
import { hexOf } from "../lib/bytes.js";
import { element, hexText, present, Problem, read, showContent, title } from "../lib/common.js";
import { field, numberBox, textBox } from "../lib/forms.js";
import { resultSection } from "../verify/verify-results.js";
import { said, say } from "../lib/words.js";

const inPath = /^\/games\/([^/]+)\/verify$/.exec(location.pathname)?.[1] ?? null;
const asked = new URLSearchParams(location.search);
const id = inPath ?? asked.get("game");
const eventId = id === null ? asked.get("event") : null;
const part = (name) => document.getElementById(name);
const hoursMost = 1000000;

/* ---- The page ---- */

function form(key) {
  return element("form", { id: "files-form", class: "drop", novalidate: true },
    field(element("input", { id: "files", name: "files", type: "file", multiple: true }), say("verify.files"), say("verify.files_hint")),
    field(textBox("key", key, { maxlength: 400, spellcheck: "false" }), say("verify.key"), say("verify.key_hint")),
    field(numberBox("hours", null, 1, hoursMost, { step: 1 }), say("verify.hours"), say("verify.hours_hint")),
    element("p", { id: "source", class: "hint", "data-keep": true }),
    element("p", { id: "status", role: "status", "data-keep": true }),
    element("progress", { id: "progress", max: 1, value: 0, "aria-label": say("verify.progress"), hidden: true }));
}

function content(key) {
  return [
    element("h1", {}, say(id !== null ? "verify.title_game" : eventId !== null ? "verify.title_event" : "verify.title")),
    element("p", { class: "about" }, say("verify.about")),
    form(key),
    element("div", { id: "results", "data-keep": true }),
    element("div", { id: "engine", class: "about", "data-keep": true }),
  ];
}

// `silent`: the result is already visible.
function showStatus(text, working = false, silent = false) {
  part("status").textContent = text;
  part("status").classList.toggle("unseen", silent);
  part("progress").hidden = !working;
  part("files-form").setAttribute("aria-busy", String(working));
}

/* ---- The worker ---- */

let worker = null;
let files = [];
let busy = false;
let changes = ""; // the history of the key of this server's log

const receivers = {
  engine: ({ name, hash, size }) => {
    const values = { size: Math.round(size / 1000), hash: hexText(hash ?? ""), file: element("code", {}, `build/release/${name}`) };
    part("engine").append(element("p", {}, said(hash === null ? "verify.engine_insecure" : "verify.engine", values)));
  },
  missing: () => end("verify.missing"),
  fault: (fault) => end("verify.fault", { fault }),
  told: ({ lines, of }) => {
    part("progress").max = of;
    part("progress").value = lines;
  },
  results: (results) => {
    busy = false;
    part("key-fault").textContent = results.some((result) => result.found?.noKey) ? say(results[0].policy === undefined ? "verify.no_key" : "verify.no_policy") : "";
    showContent(part("results"), results.map((result) => resultSection(result, rawKey())));
    showStatus([...part("results").querySelectorAll("h2")].map((each) => each.textContent).join(". "), false, true);
  },
};

function startWorker() {
  worker = new Worker("/static/verify/verify-worker.js", { type: "module" });
  worker.addEventListener("message", ({ data }) => {
    for (const [kind, value] of Object.entries(data)) receivers[kind](value);
  });
  worker.addEventListener("error", (event) => receivers.fault(event.message ?? event.type));
}

// This worker sends nothing more.
function end(key, values = {}) {
  worker.terminate();
  worker = null;
  busy = false;
  showStatus(say(key, values));
}

// The largest age of cosignatures; null for any, undefined for what is no number of hours.
function hoursOf({ value, validity }) {
  if (value === "") return validity.badInput ? undefined : null;
  const hours = Number(value);
  return Number.isInteger(hours) && hours >= 1 && hours <= hoursMost ? hours : undefined;
}

// The current verification is cancelled for a newer request.
function judge() {
  const hours = hoursOf(part("hours"));
  part("hours-fault").textContent = hours === undefined ? say("verify.no_hours") : "";
  if (files.length === 0 || hours === undefined) return;
  if (busy) {
    worker.terminate();
    worker = null;
  }
  if (worker === null) startWorker();
  busy = true;
  part("results").replaceChildren();
  part("progress").removeAttribute("value");
  showStatus(say("verify.working", { name: files.map((file) => file.name).join(", ") }), true);
  worker.postMessage({ files, key: part("key").value.trim(), trust: { hours, changes } });
}

// The key of an event's seal: the last 32 of the 33 bytes after the second plus.
function rawKey() {
  const base64 = /^[^+]+\+[0-9a-f]{8}\+([A-Za-z0-9+/]{44})$/.exec(part("key").value.trim())?.[1];
  return base64 === undefined ? null : hexOf(Uint8Array.from(atob(base64).slice(1), (byte) => byte.charCodeAt(0)));
}

/* ---- Sources of files ---- */

async function take(list) {
  files = await Promise.all([...list].map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
  part("source").replaceChildren();
  judge();
}

async function bytesAt(address) {
  const answer = await fetch(address);
  if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
  const problem = await answer.json();
  throw new Problem(problem.code, answer.status, problem.detail);
}

// Without it, what earlier or later keys have signed does not count.
async function readChanges() {
  const answer = await fetch("/v1/log/key-changes");
  return answer.ok ? answer.text() : "";
}

function judgeGiven(address, words) {
  part("source").replaceChildren(...said("verify.source", { link: element("a", { href: address, download: files[0].name }, words) }));
  judge();
}

// With signature and proof, unless they do not exist yet.
async function takeGame() {
  const later = ["not-logged", "not-finished"];
  const kinds = [["bundle", ".bundle"], ["note", ".note"], ["record", ""]];
  for (const [kind, ending] of kinds) {
    const address = `/v1/games/${id}/record${ending}`;
    try {
      files = [{ name: `${id}.roll${ending}`, bytes: await bytesAt(address) }];
    } catch (problem) {
      if (problem instanceof Problem && later.includes(problem.code) && ending !== "") continue;
      throw problem;
    }
    judgeGiven(address, say(`verify.given_${kind}`));
    return;
  }
}

async function takeEvent() {
  const address = `/v1/events/${eventId}/bundle`;
  files = [{ name: `${eventId}.bundle`, bytes: await bytesAt(address) }];
  judgeGiven(address, say("verify.given_event"));
}

function listen() {
  const drop = part("files-form");
  const over = (is) => drop.classList.toggle("over", is);
  drop.addEventListener("submit", (event) => event.preventDefault());
  part("files").addEventListener("change", () => take(part("files").files));
  part("key").addEventListener("change", judge);
  part("hours").addEventListener("change", judge);
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    over(true);
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) over(false);
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    if (event.dataTransfer.files.length > 0) take(event.dataTransfer.files);
  });
}

async function begin() {
  listen();
  startWorker();
  if (id === null && eventId === null) return;
  showStatus(say(id === null ? "verify.reading_event" : "verify.reading"), true);
  try {
    await (id === null ? takeEvent() : takeGame());
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    showStatus(problem.message);
  }
}

present(async () => {
  title(say(id !== null ? "verify.title_game" : eventId !== null ? "verify.title_event" : "verify.title"));
  const [{ keys }, history] = await Promise.all([read("/v1/keys"), readChanges()]);
  changes = history;
  return { content: content(keys[0].vkey), shown: begin };
});
