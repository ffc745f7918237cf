// A game at a real table that somebody records, through scorer.wasm (engine/wasm/scorer/scorer.h): for the page's worker and
// for tests. What is kept are the record's entries; all else follows from them and the header.

import { Refused } from "../game/engine-answers.js";
import { textAt } from "../lib/bytes.js";

// The words that can name a component: those of the game's components, and what dice show.
export function wordsOf(components) {
  const found = new Set();
  const walk = (value) => {
    if (Array.isArray(value)) {
      if (value.every((each) => typeof each === "string")) found.add(value.join(","));
      value.forEach(walk);
    } else if (value !== null && typeof value === "object") {
      for (const [name, each] of Object.entries(value)) {
        found.add(name);
        walk(each);
      }
    } else found.add(String(value));
  };
  walk(components);
  for (let i = 1; i <= 6; i++) for (let k = 1; k <= 6; k++) found.add(`${i},${k}`);
  return [...found].filter((word) => /^[a-z0-9,-]{1,80}$/.test(word));
}

// An entry's words: { seq, who, ms, what }.
function parse(entry) {
  const [seq, who, ms, ...what] = entry.split(" ");
  return { seq: Number(seq), who, ms: Number(ms), what: what.join(" ") };
}

const opened = ({ viewer, text }) => ({ viewer, view: JSON.parse(text) });

export class ScorerEngine {
  #engine;
  #words = [];
  #seats = 0;
  #watches = false; // as a spectator, not as those who decide
  #first = 1; // of the step that is being told
  #dealt = 1; // the first entry of the set-up that counts
  #items = []; // plies that count, as GET /v1/games/{id}/events has entries; `first`: the first entry of its step
  #views = []; // what was seen before the first ply and after each: { viewer, text }, as JSON text

  // `bytes`: scorer.wasm.
  static async make(bytes) {
    const made = new ScorerEngine();
    const { instance } = await WebAssembly.instantiate(bytes, {});
    made.#engine = instance.exports;
    return made;
  }

  #put(text) {
    const bytes = new TextEncoder().encode(text);
    new Uint8Array(this.#engine.memory.buffer, this.#engine.scorer_room()).set(bytes);
    return bytes.length;
  }

  #text(at) {
    return textAt(this.#engine.memory, at);
  }

  #answer(at) {
    return JSON.parse(this.#text(at));
  }

  get state() {
    return this.#answer(this.#engine.scorer_state());
  }

  get record() {
    return this.#answer(this.#engine.scorer_record());
  }

  // Begins with a record's header, and goes on with entries. Resolves with { slug, version, seats }.
  // `set`: the bytes of the component set as text, if it is not the ruleset's own. `watches`: views are those of a spectator.
  begin({ header, entries, components, set = "", watches = false }) {
    const size = this.#put(header + set);
    const behind = new TextEncoder().encode(set).length;
    const about = this.#answer(this.#engine.scorer_begin(size - behind, behind));
    if (about.refused) throw new Refused(about.refused);
    this.#words = wordsOf(components);
    this.#seats = about.seats;
    this.#watches = watches;
    this.#items = [];
    this.#views = [];
    this.#first = 1;
    this.follow({ entries });
    return about;
  }

  // Takes the entries of the same record that have come since.
  follow({ entries }) {
    const { seq } = this.state;
    for (const entry of entries) if (parse(entry).seq > seq) this.#take(entry);
    this.#engine.scorer_finish();
  }

  #step(lines, commit) {
    const answer = this.#answer(this.#engine.scorer_step(this.#put(lines.join("\n")), commit ? 1 : 0));
    if (answer.refused) throw new Refused(answer.refused);
    return answer;
  }

  // One entry that is known to be whole.
  #take(entry) {
    const { rows, asks } = this.#step([entry], true);
    if (rows === undefined) throw new Refused({ code: "untold", message: asks });
    const { seq, who, ms, what } = parse(entry);
    const [verb, target] = what.split(" ");
    if (verb === "bind") return;
    if (verb === "back") this.#goBack(Number(target));
    else if (what === "deal") {
      this.#views = [this.#look()];
      this.#dealt = this.#first;
    }
    else if (what !== "show") {
      this.#items.push({ seq: this.#items.length + 1, kind: "ply", seat: Number(who), move: what, elapsed_ms: ms, events: rows[0].events, first: this.#first });
      this.#views.push(this.#look());
    }
    if (this.state.together === 0) this.#first = seq + 1;
  }

  #goBack(target) {
    this.#items = this.#items.filter(({ first }) => first < target);
    this.#views.length = Math.min(this.#views.length, this.#items.length + 1);
    if (this.state.phase === "deal") this.#views = [];
    else this.#views[this.#items.length] = this.#look();
  }

  // As the seat sees it that decides next, or as a spectator.
  #look(seat = this.state.deciders[0]) {
    const viewer = this.#watches || seat === undefined ? { kind: "spectator" } : { kind: "seat", seat };
    return { viewer, text: this.#text(this.#engine.scorer_view(viewer.seat ?? this.#seats)) };
  }

  // The entries of a step: what was told, and what is decided ({ seat, move } or { what: `deal` | `show` }), `ms` after the start.
  #entries(told, decided, ms) {
    const { seq, elapsed_ms: least } = this.state;
    const at = Math.max(ms, least);
    return [...told.map(({ place, component }) => ["-", at, "bind", place, component]), ...decided.map(({ seat, move, what }) => [seat ?? "-", at, what ?? move])]
      .map((entry, i) => [seq + 1 + i, ...entry].join(" "));
  }

  // What is missing: { asks: a place, choices: what can come from there }, or { entries } that are taken now.
  propose({ told, decided, ms }) {
    const entries = this.#entries(told, decided, ms);
    const { asks } = this.#step(entries, false);
    if (asks !== undefined) return { asks, choices: this.#choices(asks, entries) };
    for (const entry of entries) this.#take(entry);
    this.#engine.scorer_finish();
    return { entries };
  }

  // Takes entries of a step that is known to be whole, or a part of one that is decided at the same time.
  take({ told, decided, ms }) {
    for (const entry of this.#entries(told, decided, ms)) this.#take(entry);
  }

  #choices(place, entries) {
    const words = place === "dice" ? this.#words : this.#words.filter((word) => !/^\d,\d$/.test(word));
    return this.#answer(this.#engine.scorer_fitting(this.#put([`${place} ${words.join(" ")}`, ...entries].join("\n"))));
  }

  // Goes back to before an entry: { entries } that are taken.
  back({ target, ms }) {
    const { seq, elapsed_ms: least } = this.state;
    const entry = [seq + 1, "-", Math.max(ms, least), "back", target].join(" ");
    this.#take(entry);
    return { entries: [entry] };
  }

  // { viewer, view }, or null before the set-up.
  viewAt(ply) {
    const last = this.#views.length - 1;
    return last < 0 ? null : opened(this.#views[Math.min(ply, last)]);
  }

  legal(seat) {
    return this.#answer(this.#engine.scorer_legal(seat));
  }

  // What those see who watch.
  shown() {
    return { ...this.state, items: this.#items, view: this.viewAt(this.#items.length) };
  }

  // All that a scorer's page shows; `decided`: seats that have decided already, where several do at the same time.
  position(decided = []) {
    const state = this.shown();
    const next = state.deciders.find((seat) => !decided.includes(seat));
    return {
      ...state, view: decided.length > 0 && next !== undefined ? opened(this.#look(next)) : state.view, next: next ?? null, last: this.#items.at(-1)?.first ?? (state.phase === "deal" ? null : this.#dealt),
      legal: next === undefined ? [] : this.legal(next),
    };
  }
}
