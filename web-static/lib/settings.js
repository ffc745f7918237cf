// The form for an event's settings, as in the API. Rare ones are folded; empty fields get their defaults. The service
// validates each field; this script only knows which fields exist.
import { element, fill, newestOf, Problem } from "./common.js";
import { choiceBox, field, numberBox, textBox, tickBox } from "./forms.js";
import { lengthChosen, lengthFields, lengthText } from "./lengths.js";
import { optionMeaning, optionName, optionValue, otherSets, setField } from "./options.js";
import { tieBreakFields, tieBreakOrder } from "./tie-break-order.js";
import { updateChildren } from "./update.js";
import { capital, say, wordsOf } from "./words.js";

/* ---- The fields of a stage ---- */

export const formats = ["pod_swiss", "dutch", "round_robin", "pod_round_robin", "single_elimination", "double_elimination", "pod_elimination",
  "league", "ladder", "open_play", "duplicate"];
const eliminations = ["single_elimination", "double_elimination", "pod_elimination"];
const points = ["pod_swiss", "dutch", "round_robin", "pod_round_robin", "league"];
const tables = ["pod_swiss", "pod_round_robin", "pod_elimination", "league", "open_play"];
const alone = ["ladder", "open_play", "duplicate"]; // allowed only in single-stage events
export const schemes = ["5-3-2-1", "4-3-2-1", "win-only", "3-1-0", "1-half-0", "margin"];

export const houseLevels = ["beginner", "casual", "regular", "strong", "master"];

// The default protest time.
const PROTEST_MINUTES = 1440;
const CONFIRM_MINUTES = 10;

const whole = (least, most) => ({ kind: "whole", least, most });
const word = (...words) => ({ kind: "word", words });
const yesNo = { kind: "yes_no" };
const minutes = (usual, most, zero = "length.none") => ({ kind: "length", unit: 60, usual, most, zero });

const DAY = 1440; // minutes
const sittings = [15, 30, 45, 60, 90, 120, 180, 240];
const spans = [DAY, 2 * DAY, 3 * DAY, 7 * DAY, 14 * DAY];

// In form order; `often`: not folded; `initial`: suggested value for required fields.
const stageFields = [
  { name: "entrants", later: true, often: true, formats, ...whole(2, 4096) },
  { name: "boards", often: true, formats: ["duplicate"], ...whole(1, 32), initial: 4 },
  { name: "rounds", often: true, formats: ["pod_swiss", "dutch", "pod_round_robin"], ...whole(1, 20), initial: 3 },
  { name: "rounds", often: true, formats: ["league", "duplicate"], ...whole(0, 20) },
  { name: "seats_min", often: true, formats: tables, ...whole(1, 5) },
  { name: "seats_max", often: true, formats: tables, ...whole(1, 5) },
  { name: "seats_preferred", formats: tables, ...whole(1, 5) },
  { name: "seats_preferred", often: true, formats: ["duplicate"], ...whole(1, 5) },
  { name: "twice", often: true, formats: ["round_robin", "league"], ...yesNo },
  { name: "free_rounds", formats: ["round_robin", "league"], ...word("nothing", "as_byes") },
  { name: "division", often: true, formats: ["league"], ...whole(2, 64) },
  { name: "division_smallest", formats: ["league"], ...whole(2, 64) },
  { name: "moves", formats: ["league"], ...whole(0, 32) },
  { name: "advance", often: true, formats: ["pod_elimination"], ...whole(1, 4) },
  { name: "consolation", often: true, formats: ["single_elimination", "double_elimination"], ...yesNo },
  { name: "grand_final", formats: ["double_elimination"], ...word("none", "simple", "double") },
  { name: "reach", often: true, formats: ["ladder"], ...whole(1, 4096) },
  { name: "answer_minutes", formats: ["ladder"], ...minutes([0, 60, 720, ...spans], 43200, "length.any_time") },
  { name: "effect", formats: ["ladder"], ...word("take_place", "exchange") },
  { name: "best", often: true, formats: ["open_play"], ...whole(1, 64) },
  { name: "patience_minutes", formats: ["open_play"], ...minutes([0, 5, 10, 15, 30, 60], 10080, "length.at_once") },
  { name: "play", often: true, formats: formats.filter((each) => each !== "duplicate"), kind: "at_table" },
  { name: "play", often: true, formats: ["duplicate"], ...word("asynchronous", "barometer") },
  { name: "scoring", formats: [...points, "open_play"], ...word(...schemes) },
  { name: "scoring", formats: ["duplicate"], ...word("matchpoints", "total") },
  { name: "tie_breaks", formats: points, kind: "tie_breaks" },
  { name: "unplayed_rules", formats: points, ...word("pods-1", "fide-2023", "fide-2026", "round-robin") },
  { name: "profile", formats: ["pod_swiss"], ...word("strict", "balanced", "power") },
  { name: "round_minutes", formats: [...points, ...eliminations], ...minutes([0, ...sittings, ...spans], 43200) },
];

const fieldsOf = (format, first) => stageFields.filter((each) => each.formats.includes(format) && !(first && each.later));

/* ---- Controls ---- */

const stageId = (i, name) => `stage-${i}-${name}`;
const settingId = (name) => `setting-${name}`;

const hintOf = (name) => wordsOf(`settings.${name}_hint`, null);
const valueWords = (name, value) => wordsOf(`settings.${name}.${value}`, String(value));
const wordPairs = (name, values) => values.map((value) => [value, valueWords(name, value)]);

function stageControl(id, { name, kind, least, most, words }, value) {
  if (kind === "yes_no") return tickBox(id, value === true);
  if (kind === "word") return choiceBox(id, [["", say("setup.usual")], ...wordPairs(name, words)], value);
  return numberBox(id, value, least, most);
}

function stageField(stage, i, each) {
  const { name, kind } = each;
  const [id, value, label, hint] = [stageId(i, name), stage[name], say(`settings.${name}`), hintOf(name)];
  if (kind === "length") return lengthFields(id, value, { ...each, empty: say("setup.usual"), zero: say(each.zero) }, label, hint);
  if (kind === "tie_breaks") return tieBreakFields(id, value, label, hint);
  if (kind === "at_table") return field(tickBox(id, value === "table"), say("settings.at_table"), say("settings.at_table_hint"));
  return field(stageControl(id, each, value), label, hint);
}

function folded(id, fields) {
  return fields.length === 0 ? null : element("details", { id }, element("summary", {}, say("setup.more")), fields);
}

function stagePart(stage, i, count, isSolo) {
  const fields = fieldsOf(stage.format, i === 0);
  const offered = isSolo ? ["duplicate"] : count === 1 ? formats : formats.filter((each) => !alone.includes(each));
  const format = choiceBox(stageId(i, "format"), offered.map((each) => [each, capital(say(`format.${each}`))]), stage.format);
  return element("fieldset", { id: `stage-${i}` }, element("legend", {}, count === 1 ? say("setup.how") : say("setup.stage", { number: i + 1 })),
    field(format, say("settings.format"), isSolo ? say("setup.solo_hint") : hintOf(`format.${stage.format}`)),
    element("div", { class: "fields" }, fields.filter((each) => each.often).map((each) => stageField(stage, i, each))),
    folded(`stage-${i}-more`, fields.filter((each) => !each.often).map((each) => stageField(stage, i, each))));
}

const clocks = { bank: { bank_ms: 1200000, increment_ms: 20000 }, move: { move_ms: 259200000 } }; // to begin with

function clockKind(clock) {
  if (clock === null || clock === undefined) return "none";
  return "bank_ms" in clock ? "bank" : "move";
}

// Fields with a list of lengths, beside the stages.
const lengths = {
  bank_minutes: { unit: 60, usual: [5, 10, 15, 20, 25, 30, 45, 60, 90, 120, 180] },
  increment_seconds: { unit: 1, usual: [0, 5, 10, 15, 20, 30, 60] },
  cap_minutes: { unit: 60, usual: [30, 60, 90, 120, 180, 240], empty: "length.no_limit" },
  move_minutes: { unit: 60, usual: [1, 2, 5, 10, 30, 60, 720, ...spans] },
  protest_minutes: { unit: 60, usual: [0, 15, 30, 60, 120, DAY, 2 * DAY, 3 * DAY, 7 * DAY], most: 43200 },
  confirm_minutes: { unit: 60, usual: [0, 5, 10, 15, 30, 60], most: 10080, zero: "length.not_at_all" },
  entropy_seconds: { unit: 1, usual: [0, 10, 30, 60, 300, 3600, 86400, 604_800], most: 604_800, zero: "length.not_at_all" },
  dealers_seconds: { unit: 1, usual: [0, 10, 30, 60, 300, 3600, 86400], most: 604_800, zero: "length.no_limit" },
};

function lengthField(name, value, empty = lengths[name].empty) {
  const { zero = "length.none", ...list } = lengths[name];
  return lengthFields(settingId(name), value, { ...list, zero: say(zero), empty: empty === undefined ? null : say(empty) }, say(`settings.${name}`), hintOf(name));
}

function clockFields(clock) {
  const time = (name, ms) => lengthField(name, ms === undefined ? undefined : ms / 1000 / lengths[name].unit);
  const kind = clockKind(clock);
  if (kind === "bank") return [time("bank_minutes", clock.bank_ms), time("increment_seconds", clock.increment_ms), time("cap_minutes", clock.cap_ms)];
  return kind === "move" ? [time("move_minutes", clock.move_ms)] : [];
}

// The newest version of a ruleset comes first.
const versionsOf = (rulesets, slug) => rulesets.filter((each) => each.slug === slug);
const isForOne = (rulesets, slug) => versionsOf(rulesets, slug)[0].seats_max === 1; // such games are played as boards only

// Older versions of the rules are rarely needed.
function versionPart(versions, chosen) {
  if (versions.length === 1) return null;
  const words = versions.map(({ version }, i) => [version, say(i === 0 ? "settings.version.newest" : "settings.version.older", { version })]);
  return element("details", { id: "ruleset-more" }, element("summary", {}, say("setup.advanced")),
    field(choiceBox(settingId("version"), words, chosen.version), say("settings.version"), hintOf("version")));
}

function gamePart(settings, rulesets, sets) {
  const versions = versionsOf(rulesets, settings.ruleset);
  const ruleset = versions.find((each) => each.version === settings.version) ?? versions[0];
  const seats = say("setup.seats", { seats: ruleset.seats_min === ruleset.seats_max ? ruleset.seats_min : `${ruleset.seats_min}\u2013${ruleset.seats_max}`, count: ruleset.seats_max });
  return element("fieldset", { id: "game-part" }, element("legend", {}, say("setup.game")),
    field(textBox(settingId("name"), settings.name ?? "", { required: true, maxlength: 80 }), say("settings.name"), null),
    field(choiceBox(settingId("ruleset"), newestOf(rulesets).map((each) => [each.slug, each.title]), settings.ruleset), say("settings.ruleset"), seats),
    ruleset.options.map((option) => field(choiceBox(settingId(`option-${option.name}`), option.values.map((value) => [value, optionValue(ruleset.slug, option.name, value)]),
      settings.options?.[option.name] ?? option.default), optionName(ruleset.slug, option.name), optionMeaning(ruleset.slug, option))),
    setField(settingId("components"), sets, settings.components, hintOf("components")), versionPart(versions, ruleset));
}

// The event's description. Times are entered in the reader's time zone.
const banners = ["amber", "blue", "green", "grey", "red", "violet"];
const details = [{ name: "place", most: 200 }, { name: "fee", most: 200 }, { name: "prizes", most: 1000, lines: 3 }, { name: "contact", most: 200 },
  { name: "description", most: 4000, lines: 8 }];
const isDetail = (name) => ["banner", "starts_at", ...details.map((each) => each.name)].includes(name);

// A time as `2026-12-01T19:00`, for a date input.
function localTime(moment) {
  if (!moment) return "";
  const date = new Date(moment);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
}

function detailBox({ name, most, lines }, value) {
  const id = settingId(name);
  return lines === undefined ? textBox(id, value ?? "", { maxlength: most }) : element("textarea", { id, name: id, rows: lines, maxlength: most, "data-text": true }, value ?? "");
}

function aboutPart(settings) {
  const starts = textBox(settingId("starts_at"), localTime(settings.starts_at), { type: "datetime-local", min: "1970-01-02T00:00", max: "9999-12-30T23:59", maxlength: null });
  const colours = choiceBox(settingId("banner"), [["", say("settings.banner.none")], ...wordPairs("banner", banners)], settings.banner);
  return element("details", { id: "about-part" }, element("summary", {}, say("setup.about")),
    element("p", { class: "hint" }, say("setup.about_is")),
    element("div", { class: "fields" }, field(starts, say("settings.starts_at"), hintOf("starts_at")), field(colours, say("settings.banner"), null)),
    details.map((each) => field(detailBox(each, settings[each.name]), say(`settings.${each.name}`), hintOf(each.name))));
}

// null if empty. A time of which a part is missing, or outside the years that the service takes, is no value of the field.
function readAbout(form) {
  const { validity } = form.querySelector(`#${settingId("starts_at")}`);
  if (!validity.valid) throw Object.assign(new Problem("typed", 400, say("form.time_whole")), { field: "starts_at" });
  const value = (name) => form.querySelector(`#${settingId(name)}`).value.trim() || null;
  const starts = value("starts_at");
  return { banner: value("banner"), starts_at: starts === null ? null : new Date(starts).toISOString(), ...Object.fromEntries(details.map(({ name }) => [name, value(name)])) };
}

/* ---- Co-dealers ---- */

const isSame = (a, b) => a.name === b.name && a.key === b.key;
const dealerId = (i) => settingId(`dealer-${i}`);

// The fields for co-dealers; none if the service knows no co-dealer.
function dealersPart(settings, known) {
  if (known.length === 0) return null;
  return element("fieldset", { id: settingId("dealers"), "aria-describedby": `${settingId("dealers")}-hint ${settingId("dealers")}-fault` },
    element("legend", {}, say("settings.dealers")),
    element("p", { id: `${settingId("dealers")}-hint`, class: "hint" }, say("settings.dealers_hint")),
    known.map((each, i) => field(tickBox(dealerId(i), (settings.dealers ?? []).some((one) => isSame(one, each))), each.name)),
    element("p", { id: `${settingId("dealers")}-fault`, class: "fault", "data-keep": true }),
    lengthField("dealers_seconds", settings.dealers_seconds ?? 0));
}

function entriesPart(settings, known) {
  return element("fieldset", { id: "entries-part" }, element("legend", {}, say("setup.entries")),
    element("div", { class: "fields" },
      field(numberBox(settingId("capacity"), settings.capacity, 1, 4096), say("settings.capacity"), hintOf("capacity")),
      field(numberBox(settingId("late_entries"), settings.late_entries, 0, 64), say("settings.late_entries"), hintOf("late_entries"))),
    field(tickBox(settingId("check_in"), settings.check_in), say("settings.check_in"), hintOf("check_in")),
    field(tickBox(settingId("guests"), settings.guests === "allowed"), say("settings.guests"), hintOf("guests")),
    field(choiceBox(settingId("house"), [["none", say("settings.house_none")], ...houseLevels.map((each) => [each, say("settings.house_up_to", { level: say(`level.is_${each}`) })])],
      settings.house ?? "none"), say("settings.house"), hintOf("house")),
    field(tickBox(settingId("bots"), settings.bots !== false), say("settings.bots"), hintOf("bots")),
    field(tickBox(settingId("same_owner"), settings.same_owner !== "apart"), say("settings.same_owner"), hintOf("same_owner")),
    folded("entries-more", [field(tickBox(settingId("rate_house"), settings.rate_house === true), say("settings.rate_house"), hintOf("rate_house")), field(choiceBox(settingId("seeding"), wordPairs("seeding", ["entering", "rating", "draw"]), settings.seeding), say("settings.seeding"), null),
      lengthField("protest_minutes", settings.protest_minutes ?? PROTEST_MINUTES),
      lengthField("confirm_minutes", settings.confirm_minutes ?? CONFIRM_MINUTES),
      field(tickBox(settingId("rate_reported"), settings.rate_reported === true), say("settings.rate_reported"), hintOf("rate_reported")), lengthField("entropy_seconds", settings.entropy_seconds, "setup.usual"),
      dealersPart(settings, known),
      field(choiceBox(settingId("official_signatures"), wordPairs("official_signatures", ["off", "optional", "required"]), settings.official_signatures ?? "off"), say("settings.official_signatures"), hintOf("official_signatures")),
      field(numberBox(settingId("delay_entries"), settings.delay_entries ?? 0, 0, 1000), say("settings.delay_entries"), hintOf("delay_entries"))]));
}

function clockPart(settings) {
  const kind = clockKind(settings.clock);
  return element("details", { id: "clock-part" }, element("summary", {}, say("setup.clocks")),
    field(choiceBox(settingId("clock"), wordPairs("clock", ["none", "bank", "move"]), kind), say("settings.clock"), null),
    element("div", { class: "fields" }, clockFields(settings.clock)),
    kind === "none" ? null : field(choiceBox(settingId("on_timeout"), wordPairs("on_timeout", ["arbiter", "quiet_move", "fallback", "forfeit"]), settings.on_timeout ?? "arbiter"),
      say("settings.on_timeout"), null),
    field(tickBox(settingId("take_back"), settings.take_back === true), say("settings.take_back"), hintOf("take_back")));
}

function stageButtons(stages) {
  if (alone.includes(stages[0].format)) return null;
  return element("p", { id: "stage-buttons", class: "bar" },
    stages.length === 4 ? null : element("button", { type: "button", id: "add-stage" }, say("setup.add_stage")),
    stages.length === 1 ? null : element("button", { type: "button", id: "drop-stage" }, say("setup.drop_stage", { number: stages.length })));
}

/* ---- The form ---- */

const usual = { name: "", capacity: null, check_in: false, late_entries: 0, guests: "no", same_owner: "apart", seeding: "entering", clock: null, stages: [{ format: "pod_swiss", rounds: 3 }] };

// Numbers as entered; invalid ones are sent unchanged, and the service reports the error.
function numberIn(form, id, unit = 1) {
  const text = lengthText(form, id).trim();
  return text === "" ? undefined : Math.round(Number(text) * unit * 1000) / 1000;
}

function readStage(form, i) {
  const format = form.querySelector(`#${stageId(i, "format")}`).value;
  const stage = { format };
  for (const { name, kind } of fieldsOf(format, i === 0)) {
    const control = form.querySelector(`#${stageId(i, name)}`);
    if (control === null) continue;
    if (kind === "yes_no") stage[name] = control.checked;
    else if (kind === "at_table") { if (control.checked) stage[name] = "table"; } else if (kind === "tie_breaks") stage[name] = tieBreakOrder(form, control.id, format);
    else if (kind !== "word") stage[name] = numberIn(form, control.id);
    else if (control.value !== "") stage[name] = control.value;
  }
  return stage;
}

function readClock(form) {
  const ms = (name, unit) => numberIn(form, settingId(name), unit);
  const kind = form.querySelector(`#${settingId("clock")}`).value;
  if (kind === "none") return null;
  if (form.querySelector(`#${settingId(kind === "bank" ? "bank_minutes" : "move_minutes")}`) === null) return clocks[kind];
  if (kind === "move") return { move_ms: ms("move_minutes", 60000) };
  return { bank_ms: ms("bank_minutes", 60000), increment_ms: ms("increment_seconds", 1000), cap_ms: ms("cap_minutes", 60000) };
}

export class SettingsForm {
  #rulesets;
  #form;
  #stages;
  #dealers; // { name, key } of those that can be chosen
  #sets = new Map(); // slug -> component sets of the ruleset, once they have been read
  #stagesBefore = null; // a game for one was chosen
  #unsaid; // the meaning of empty entropy seconds: for a new event the service decides

  // `form`: an element into which the fields are drawn. `settings`: null for a new event.
  // `dealers`: the co-dealers that the service can ask (GET /v1/keys).
  constructor(form, rulesets, dealers, settings = null) {
    this.#form = form;
    this.#dealers = dealers.map(({ name, key }) => ({ name, key }));
    this.#dealers.push(...(settings?.dealers ?? []).filter((each) => !this.#dealers.some((known) => isSame(known, each))));
    this.#rulesets = rulesets;
    this.#unsaid = settings === null ? undefined : 0;
    this.#draw(settings === null ? { ...usual, ruleset: rulesets[0].slug } : { entropy_seconds: 0, ...settings });
    form.addEventListener("change", (event) => {
      lengthChosen(event);
      if (/^(setting-ruleset|setting-version|setting-clock|stage-\d-(format|tie_breaks))$/.test(event.target.id)) this.#again(event.target.id);
    });
    form.addEventListener("click", (event) => {
      if (event.target.id === "add-stage") this.#changeStages(1);
      else if (event.target.id === "drop-stage") this.#changeStages(-1);
    });
  }

  #draw(settings) {
    updateChildren(this.#form, this.#parts(settings));
    if (!this.#sets.has(settings.ruleset)) this.#readSets(settings.ruleset);
  }

  async #readSets(slug) {
    this.#sets.set(slug, []);
    const sets = await otherSets(slug);
    this.#sets.set(slug, sets);
    if (sets.length > 0 && this.values().ruleset === slug) this.#draw(this.values());
  }

  #parts(settings) {
    this.#stages = settings.stages.length;
    const wanted = document.createDocumentFragment();
    fill(wanted, gamePart(settings, this.#rulesets, this.#sets.get(settings.ruleset) ?? []), settings.stages.map((stage, i) => stagePart(stage, i, settings.stages.length, isForOne(this.#rulesets, settings.ruleset))),
      stageButtons(settings.stages), entriesPart(settings, this.#dealers), clockPart(settings), aboutPart(settings));
    return wanted;
  }

  // Fills the form with the settings of `preset(ruleset)` for the chosen game; name and game are kept.
  fill(preset) {
    const { name, ruleset, version, options, components, ...rest } = this.values();
    const said = Object.fromEntries(Object.entries(rest).filter(([each]) => isDetail(each)));
    const found = versionsOf(this.#rulesets, ruleset).find((each, i) => each.version === version || (version === undefined && i === 0));
    this.#form.replaceChildren(this.#parts({ ...usual, ...preset(found), ...said, name, ruleset, version, options, components }));
  }

  // Redraws what depends on ruleset, format or kind of clock; fields that the new format lacks are dropped, and required
  // ones get suggestions.
  #again(changed) {
    const settings = this.values();
    if (changed === "setting-ruleset") {
      delete settings.components;
      this.#fitStages(settings);
    }
    const [, at] = /^stage-(\d)-format$/.exec(changed) ?? [];
    if (at !== undefined) {
      const stage = settings.stages[at];
      for (const each of fieldsOf(stage.format, at === "0")) if (each.initial !== undefined) stage[each.name] ??= each.initial;
    }
    this.#draw(settings);
  }

  // A game for one has boards instead of the stages that were there, which come back with another game.
  #fitStages(settings) {
    if (!isForOne(this.#rulesets, settings.ruleset)) {
      settings.stages = this.#stagesBefore ?? settings.stages;
      this.#stagesBefore = null;
    } else if (settings.stages[0].format !== "duplicate") {
      this.#stagesBefore = settings.stages;
      settings.stages = [{ format: "duplicate", boards: 4 }];
    }
  }

  #changeStages(by) {
    const settings = this.values();
    if (by > 0) settings.stages.push({ format: "single_elimination", entrants: 4 });
    else settings.stages.pop();
    this.#draw(settings);
    const last = this.#form.querySelector(`#${stageId(this.#stages - 1, "format")}`);
    last.focus();
  }

  // As in the API; empty fields are omitted.
  values() {
    const form = this.#form;
    const value = (name) => form.querySelector(`#${settingId(name)}`)?.value;
    const ticked = (name) => form.querySelector(`#${settingId(name)}`).checked;
    const options = [...form.querySelectorAll("[id^='setting-option-']")].filter((each) => each.matches("select"))
      .map((each) => [each.id.slice("setting-option-".length), each.value]);
    const [version, set] = [value("version"), value("components")];
    return {
      name: value("name").trim(), ruleset: value("ruleset"), ...(version === undefined ? {} : { version }), ...(set === undefined ? {} : { components: set === "" ? null : set }), options: Object.fromEntries(options),
      capacity: numberIn(form, settingId("capacity")) ?? null, check_in: ticked("check_in"), late_entries: numberIn(form, settingId("late_entries")) ?? 0,
      guests: ticked("guests") ? "allowed" : "no", house: value("house"), bots: ticked("bots"), rate_house: ticked("rate_house"), official_signatures: value("official_signatures"), same_owner: ticked("same_owner") ? "allowed" : "apart", seeding: value("seeding"), clock: readClock(form), on_timeout: value("on_timeout") ?? "arbiter", take_back: ticked("take_back"),
      protest_minutes: numberIn(form, settingId("protest_minutes")) ?? PROTEST_MINUTES,
      confirm_minutes: numberIn(form, settingId("confirm_minutes")) ?? CONFIRM_MINUTES, rate_reported: ticked("rate_reported"),
      entropy_seconds: numberIn(form, settingId("entropy_seconds")) ?? this.#unsaid, ...this.#dealersChosen(), delay_entries: numberIn(form, settingId("delay_entries")) ?? 0,
      stages: Array.from({ length: this.#stages }, (_, i) => readStage(form, i)), ...readAbout(form),
    };
  }

  #dealersChosen() {
    if (this.#dealers.length === 0) return {};
    return { dealers: this.#dealers.filter((_, i) => this.#form.querySelector(`#${dealerId(i)}`).checked), dealers_seconds: numberIn(this.#form, settingId("dealers_seconds")) ?? 0 };
  }

  // The control that a problem is about: `stages[0].rounds`, `capacity`.
  controlOf(name) {
    const [, stage, of] = /^stages\[(\d)\]\.(\w+)/.exec(name) ?? [];
    const id = stage !== undefined ? stageId(stage, of) : settingId(name.split(/[.[]/)[0]);
    return this.#form.querySelector(`#${CSS.escape(id)}`) ?? (name.startsWith("options") ? this.#form.querySelector("select[id^='setting-option-']") : null);
  }
}

/* ---- Changes ---- */

// Members sorted, so that equal settings are equal texts.
function plain(value) {
  if (Array.isArray(value)) return `[${value.map(plain)}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
  return `{${Object.keys(value).filter((key) => value[key] !== undefined).sort().map((key) => `${key}:${plain(value[key])}`)}}`;
}

// The values that differ from the current settings.
export function changesOf(settings, values) {
  const now = { clock: null, components: null, on_timeout: "arbiter", take_back: false, protest_minutes: PROTEST_MINUTES, confirm_minutes: CONFIRM_MINUTES, entropy_seconds: 0, dealers: [], dealers_seconds: 0, delay_entries: 0, guests: "no", house: "none", bots: true, rate_house: false, rate_reported: false, official_signatures: "off", same_owner: "allowed", ...settings };
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => plain(value) !== plain(now[name])));
}
