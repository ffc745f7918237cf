// A game's component set as tables, beside the one that comes with the ruleset: registered sets (?set=<sha256>) and files from
// this device. Sets are edited here; each change is checked by the reader of the services (practice/practice-worker.js).
import { hasAccount } from "../lib/account.js";
import { boardOf, pictureOf } from "../boards/boards.js";
import { keepSet } from "../components/own-set.js";
import { aboutOf, copyRow, counterpart, fileOf, isLong, isObject, isSame, partsOf, pointerOf, putValue, removeRow, valueAt, valueOf, wordsOfKey, written } from "../components/set-tables.js";
import { element, fill, hexText, link, pageId, parameter, playerLink, present, read, readText, refusalOf, signInLink, time, title } from "../lib/common.js";
import { button, field, textBox } from "../lib/forms.js";
import { EngineCalls } from "../game/engine-calls.js";
import { readRefusals } from "../refusals/refusals.js";
import { said, say } from "../lib/words.js";

const slug = pageId();
const asked = parameter("set");
const part = (id) => document.getElementById(id);
const engine = new EngineCalls();

let ruleset;
let sets; // registered ones
let builtIn; // { text, set }
let shown; // the same; `name`: of the file, `components`: its hash once it was checked, `fault`: what is wrong with it
let hasEngine = false;
let editing = false;
let board = null;
let noJson = null; // the pointer of a cell in which stands what is no JSON, so that it is not in `shown`
let checks = 0; // begun: the newest counts
const cells = new Map(); // pointer -> { place, box }

const bytesOf = (text) => new TextEncoder().encode(text);
const ask = (...call) => engine.ask(...call);

/* ---- A cell ---- */

function show(value) {
  const text = written(value);
  return text.includes("\n") ? element("span", { class: "drawing" }, text) : text;
}

// What the other set has in this place, if it is something else.
function wasOf(place) {
  const there = counterpart(shown.set, builtIn.set, place);
  const here = valueAt(shown.set, place);
  const before = there === null ? undefined : valueAt(builtIn.set, there);
  return { differs: there === null ? here !== undefined : !isSame(here, before), before };
}

function mark(box, place) {
  const { differs, before } = wasOf(place);
  box.classList.toggle("changed", differs);
  box.querySelector(".was")?.remove();
  if (!differs) return;
  box.append(element("span", { class: "was" }, before === undefined ? say("components.not_there") : said("components.built_in_has", { value: show(before) })));
}

function control(place, label) {
  const value = valueAt(shown.set, place);
  const common = { "aria-label": label, "data-place": pointerOf(place), autocomplete: "off", spellcheck: "false" };
  let made;
  if (typeof value === "boolean") made = element("select", common, [true, false].map((each) => element("option", { value: each, selected: each === value }, String(each))));
  else if (isLong(value)) {
    made = element("textarea", { ...common, rows: Math.min(8, Math.max(2, written(value).split("\n").length)) });
    made.value = written(value);
  } else made = element("input", { ...common, type: "text", value: written(value), "data-text": typeof value !== "number", inputmode: typeof value === "number" ? "numeric" : null });
  made.addEventListener("change", () => change(made, place, wasOf(place).before ?? value)); // what stands there by now may be a mistake
  return made;
}

function fillCell(box, place, label) {
  const value = valueAt(shown.set, place);
  fill(box, editing && value !== undefined ? control(place, label) : show(value));
  mark(box, place);
  cells.set(pointerOf(place), { place, box });
  return box;
}

/* ---- Tables ---- */

const headOf = (keys) => (keys.length === 0 ? say("components.value") : keys.map(wordsOfKey).join(" / "));

function nameOfRow(row, i) {
  return typeof row?.id === "string" ? row.id : say("components.row", { row: i + 1 });
}

function rowButtons(place, i) {
  const rows = valueAt(shown.set, place);
  const name = nameOfRow(rows[i], i);
  const does = (act) => () => {
    act(rows, i);
    draw();
    edited();
    part("set-status").focus();
  };
  const more = button(say("components.copy"), { "aria-label": say("components.copy_row", { row: name }) });
  const less = button(say("components.remove"), { "aria-label": say("components.remove_row", { row: name }) });
  more.addEventListener("click", does(copyRow));
  less.addEventListener("click", does(removeRow));
  return element("td", { class: "no-print" }, element("span", { class: "bar" }, more, rows.length > 1 ? less : null));
}

// Rows that only the other set has.
function missingRows(place, columns) {
  const there = counterpart(shown.set, builtIn.set, place);
  const mine = valueAt(shown.set, place);
  const theirs = there === null ? null : valueAt(builtIn.set, there);
  if (!Array.isArray(theirs)) return [];
  return theirs.filter((row, i) => counterpart(builtIn.set, shown.set, [...there, i]) === null).map((row) => element("tr", { class: "row" }, columns.map((keys) =>
    element("td", { class: "changed" }, element("del", {}, show(keys.length === 0 ? row : valueAt(row, keys)))))));
}

function rowsTable({ place, columns }) {
  const rows = valueAt(shown.set, place);
  const caption = place.slice(1).map((key) => (typeof key === "number" ? valueAt(shown.set, place.slice(0, place.indexOf(key) + 1))?.id ?? key + 1 : wordsOfKey(key))).join(" / ");
  const body = rows.map((row, i) => element("tr", { class: "row" }, columns.map((keys) =>
    fillCell(element("td"), [...place, i, ...keys], `${headOf(keys)}, ${nameOfRow(row, i)}`)), editing ? rowButtons(place, i) : null));
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption }, element("table", {}, element("caption", { lang: "en" }, caption),
    element("thead", {}, element("tr", {}, columns.map((keys) => element("th", { scope: "col", lang: keys.length > 0 ? "en" : null }, headOf(keys))), editing ? element("td", { class: "no-print" }) : null)),
    element("tbody", {}, body, missingRows(place, columns))));
}

function singleList(places) {
  return places.length === 0 ? null : element("dl", { class: "terms" }, places.flatMap((place) => {
    const words = headOf(place.length > 1 ? place.slice(1) : place);
    return [element("dt", { lang: "en" }, words), fillCell(element("dd"), place, words)];
  }));
}

function partSection({ key, origin, singles, tables }) {
  const heading = key === "" ? say("components.set") : wordsOfKey(key);
  return element("details", { id: `part-${key}`, open: true },
    element("summary", {}, element("h2", { lang: key === "" ? null : "en" }, heading)),
    origin === null ? null : element("p", { class: "hint", lang: "en" }, origin),
    singleList(singles), tables.map(rowsTable));
}

// Parts that only the other set has.
const missingParts = () => Object.keys(builtIn.set).filter((key) => !(key in shown.set)).map((key) =>
  element("h2", { class: "changed", lang: "en" }, element("del", {}, wordsOfKey(key))));

/* ---- What differs, and what is wrong ---- */

function summary() {
  const count = document.querySelectorAll(".set .changed").length;
  part("set-differences").textContent = shown.text === builtIn.text ? say("components.is_built_in") : say("components.differences", { count });
}

function cellOf(path) {
  for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const found = cells.get(at) ?? [...cells.entries()].find(([pointer]) => pointer.startsWith(`${at}/`))?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

function clearFault() {
  document.getElementById("set-fault")?.remove();
  for (const each of document.querySelectorAll(".set [aria-invalid]")) {
    each.removeAttribute("aria-invalid");
    each.removeAttribute("aria-describedby");
  }
}

const placeOf = ({ line, path }) => (path === "" ? say("components.line", { line }) : path);

function showFaultAt(path, words) {
  const cell = cellOf(path);
  if (cell === null) return;
  cell.box.append(element("span", { id: "set-fault", class: "fault" }, words));
  const input = cell.box.querySelector("input, select, textarea");
  input?.setAttribute("aria-invalid", "true");
  input?.setAttribute("aria-describedby", "set-fault");
}

function status(...words) {
  fill(part("set-status"), words);
}

// The practice page finds the set in this browser.
function practiceLink() {
  const { components, text } = shown;
  const made = link(`/practice/${slug}?set=${components}`, say("components.practise"));
  made.addEventListener("click", () => keepSet(slug, components, text));
  return made;
}

function showVerdict() {
  clearFault();
  part("set-register").disabled = !(shown.components && shown.text !== builtIn.text && hasAccount());
  if (shown.fault) {
    const { path, message } = shown.fault;
    const words = refusalOf(message);
    status(...said("components.wrong", { place: cellOf(path) === null ? element("code", {}, placeOf(shown.fault)) : element("a", { href: "#set-fault" }, path), message: words }));
    if (noJson === null) showFaultAt(path, words);
  } else if (shown.components) {
    status(...said("components.good", { hash: hexText(shown.components) }), shown.text === builtIn.text ? [] : [" ", practiceLink()]);
  }
  if (noJson !== null) showFaultAt(noJson, say("components.no_json"));
}

async function check() {
  if (!hasEngine) return;
  const mine = ++checks;
  const found = await ask("check", slug, bytesOf(shown.text));
  if (mine !== checks) return; // there is a newer one
  shown.components = found.components ?? null;
  shown.fault = found.components ? null : found;
  if (shown.fault) await readRefusals();
  showVerdict();
  await drawPictures(mine);
}

/* ---- Pictures ---- */

// How the board shows the beginning of a game with the set, with the same luck.
async function picture(set, text, caption) {
  const view = await ask("opening", slug, bytesOf(text), ruleset.seats_min);
  if (view === null || board === null || board.draw === undefined) return null;
  try {
    const drawing = pictureOf(board, view, { components: set, seats: ruleset.seats_min });
    for (const each of drawing.querySelectorAll("[id]")) each.removeAttribute("id");
    return element("figure", {}, drawing, element("figcaption", { class: "hint" }, caption));
  } catch {
    return element("p", { class: "hint" }, say("components.no_picture")); // a board knows the printed map, not every other one
  }
}

async function drawPictures(mine) {
  if (board === null || shown.fault) return;
  const other = shown.text === builtIn.text ? null : await picture(shown.set, shown.text, say("components.picture_shown"));
  const own = await picture(builtIn.set, builtIn.text, say("components.picture_built_in"));
  if (mine !== checks) return;
  fill(part("set-pictures"), other, own);
}

/* ---- Changes ---- */

function edited() {
  shown.text = fileOf(shown.set);
  shown.components = null;
  shown.fault = null;
  summary();
  check();
}

function change(input, place, like) {
  clearFault();
  noJson = null;
  try {
    putValue(shown.set, place, valueOf(input.value, like));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    noJson = pointerOf(place);
    showFaultAt(noJson, say("components.no_json"));
    return;
  }
  mark(cells.get(pointerOf(place)).box, place);
  edited();
}

function rename(name) {
  const about = aboutOf(shown.set);
  if (name === "") delete about.name;
  else about.name = name;
  drawAround();
  edited();
}

// Only the part with the name: somebody may be typing in another one by now. A field of it that somebody has just gone to keeps the focus.
function drawAround() {
  const place = document.activeElement?.dataset.place;
  const about = aboutOf(shown.set);
  const found = partsOf(shown.set).find(({ key }) => (key === "" ? shown.set : shown.set[key]) === about);
  const old = part(`part-${found?.key}`);
  for (const [pointer, { box }] of cells) if (old?.contains(box)) cells.delete(pointer);
  if (old === null) draw();
  else old.replaceWith(partSection(found));
  if (place !== undefined) cells.get(place)?.box.querySelector("input, select, textarea")?.focus();
}

/* ---- Files and sets ---- */

// The file as it is: what is shown and registered has its hash.
function parsed(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const set = JSON.parse(text);
    return isObject(set) ? { text, set } : null;
  } catch {
    return null;
  }
}

// What can be shown as tables is shown, whatever else is wrong with it.
async function take(bytes, name) {
  const mine = ++checks;
  const found = parsed(bytes);
  if (found === null) {
    const fault = hasEngine ? await ask("check", slug, bytes) : null;
    await readRefusals();
    if (mine !== checks) return;
    status(element("span", { class: "fault" }, say("components.no_file", { name }), fault === null ? null : ` ${say("components.line", { line: fault.line })}: ${refusalOf(fault.message)}`));
    return;
  }
  shown = { ...found, name };
  part("set-name").value = aboutOf(shown.set).name ?? "";
  part("set-pictures").replaceChildren(); // they were of another set
  draw();
  check();
}

function download() {
  const address = URL.createObjectURL(new Blob([shown.text], { type: "application/json" }));
  const anchor = element("a", { href: address, download: shown.name ?? `${slug}-components.json` });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // some browsers only begin to read now
}

async function register() {
  part("set-register").disabled = true;
  const answer = await fetch(`/v1/rulesets/${slug}/components`, { method: "POST", headers: { "Content-Type": "application/json" }, body: shown.text });
  const found = await answer.json();
  if (!answer.ok) {
    await readRefusals();
    status(element("span", { class: "fault" }, refusalOf(found.detail)));
    part("set-register").disabled = false;
    return;
  }
  status(...said("components.registered", { link: link(`?set=${found.components}`, hexText(found.components)) }));
}

/* ---- The page ---- */

function draw() {
  cells.clear();
  noJson = null;
  part("set-tables").replaceChildren(...partsOf(shown.set).map(partSection), ...missingParts());
  part("set-edit").setAttribute("aria-pressed", String(editing));
  part("set-name-part").hidden = !editing;
  summary();
}

function toggleEditing() {
  editing = !editing;
  draw();
  showVerdict();
}

function setList() {
  const rows = sets.items.filter((each) => !each.built_in);
  if (rows.length === 0) return element("p", {}, say("components.none_registered"));
  return element("ul", {}, rows.map(({ components, name, registered_at: at, registered_by: by }) => element("li", {},
    link(`?set=${components}`, name === null ? element("code", {}, components.slice(0, 12)) : element("bdi", {}, name)), " ",
    ...said("components.by", { player: by === null ? "" : playerLink(by), time: time(at) }))));
}

function content() {
  return [
    element("h1", {}, say("components.title", { game: ruleset.title })),
    element("p", { class: "about" }, say("components.about")),
    element("p", { class: "links" }, link(`/games/${slug}`, say("components.game")), link("/docs/guides/organizers#component-sets", say("components.guide")),
      asked === null ? null : link(location.pathname, say("components.back_to_built_in"))),
    element("details", { id: "set-list" }, element("summary", {}, say("components.registered_sets")), setList()),
    element("p", { class: "field" }, element("label", { for: "set-file" }, say("components.open")), element("input", { id: "set-file", type: "file", accept: ".json,application/json" })),
    element("div", { class: "set-bar no-print", "data-keep": true },
      element("p", { class: "bar" }, button(say("components.edit"), { id: "set-edit", "aria-pressed": "false" }), button(say("components.download"), { id: "set-download" }),
        button(say("components.register"), { id: "set-register", class: "main", disabled: true })),
      hasAccount() ? null : element("p", { class: "hint" }, said("components.sign_in", { link: signInLink() })),
      element("p", { id: "set-status", role: "status", tabindex: "-1" }), element("p", { id: "set-differences", class: "hint" })),
    element("div", { id: "set-name-part", hidden: true }, field(textBox("set-name", "", { maxlength: 160 }), say("components.name"), say("components.name_hint"))),
    element("div", { id: "set-pictures", class: "set-pictures", "data-keep": true }),
    element("div", { id: "set-tables", class: "set", "data-keep": true }),
  ];
}

async function begin() {
  part("set-edit").addEventListener("click", toggleEditing);
  part("set-download").addEventListener("click", download);
  part("set-register").addEventListener("click", register);
  part("set-name").addEventListener("change", () => setTimeout(() => rename(part("set-name").value.trim()))); // by then the focus is where it goes
  part("set-file").addEventListener("click", ({ target }) => (target.value = "")); // so that the same file can be opened again
  part("set-file").addEventListener("change", async () => {
    const [file] = part("set-file").files;
    if (file !== undefined) take(new Uint8Array(await file.arrayBuffer()), file.name);
  });
  part("set-name").value = aboutOf(shown.set).name ?? "";
  draw();
  hasEngine = await engine.start("/static/practice/practice-worker.js");
  if (!hasEngine) {
    status(say("components.no_engine"));
    return;
  }
  await check();
}

present(async () => {
  const other = asked === null ? null : readText(`/v1/components/${encodeURIComponent(asked)}`);
  let text;
  [ruleset, sets, text, board] = await Promise.all([read(`/v1/rulesets/${slug}`), read(`/v1/rulesets/${slug}/component-sets?limit=100`), readText(`/v1/rulesets/${slug}/components`), boardOf(slug)]);
  builtIn = { text, set: JSON.parse(text) };
  const mine = (await other) ?? text;
  shown = { text: mine, set: JSON.parse(mine), name: null };
  title(say("components.title", { game: ruleset.title }));
  return { content: content(), shown: begin };
});
