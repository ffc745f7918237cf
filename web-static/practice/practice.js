// A game that somebody plays alone through practice.wasm (engine/wasm/practice/practice.h): for the page's worker and for
// tests. A game is its slug, the component set if it is not the ruleset's own, the number of seats, the player's own seat, the others' level of
// play, a seed and the plies so far; all else follows from these. The other seats play as their level does, each from what that seat may see.

import { Refused } from "../game/engine-answers.js";
import { bytesOfHex, hexOf, textAt } from "../lib/bytes.js";

const seedBytes = 32;

export class Practice {
  #engine;
  #set = null; // the bytes of a component set
  #game = null; // { slug, components, seats, own, level, seed }
  #plies = []; // { seat, move, ms }: `ms` since the game began
  #items = []; // entries as GET /v1/games/{id}/events has them, for the player's seat
  #views = []; // what the player's seat saw before the first ply and after each, as JSON text

  // `bytes`: practice.wasm.
  static async make(bytes) {
    const practice = new Practice();
    const { instance } = await WebAssembly.instantiate(bytes, {});
    practice.#engine = instance.exports;
    return practice;
  }

  #put(...parts) {
    const room = new Uint8Array(this.#engine.memory.buffer, this.#engine.practice_room());
    let at = 0;
    for (const part of parts) {
      room.set(part, at);
      at += part.length;
    }
  }

  #putText(text, before = new Uint8Array(0)) {
    const bytes = new TextEncoder().encode(text).subarray(0, 200);
    this.#put(before, bytes);
    return bytes.length;
  }

  #text(at) {
    return textAt(this.#engine.memory, at);
  }

  #answer(at) {
    return JSON.parse(this.#text(at));
  }

  // { version, title, seats_min, seats_max, levels } of a game's newest version, or null.
  about(slug) {
    return this.#answer(this.#engine.practice_about(this.#putText(slug)));
  }

  // Whether a game can be played with a component set, given as bytes: its SHA-256, { components }, or what is wrong with it,
  // { line, path, message }; null if there is no such game.
  check(slug, bytes) {
    const room = this.#engine.practice_set_room();
    const most = bytes.subarray(0, 256 * 1024 + 1); // one more than the engine takes
    new Uint8Array(this.#engine.memory.buffer, room).set(most);
    return this.#answer(this.#engine.practice_check(this.#putText(slug), most.length));
  }

  // What the first seat sees when a game begins with the set that was checked last: the same luck each time. Null if it was no good.
  opening(seats) {
    this.#put(new Uint8Array(seedBytes));
    return this.#engine.practice_start_checked(seats) === 1 ? this.#answer(this.#engine.practice_view(0)) : null;
  }

  // Takes the bytes of the component set with which games are played that name it by its SHA-256 (`components`).
  useSet(bytes) {
    this.#set = bytes;
  }

  // Begins a game and plays `plies` of it; then the other seats move until the player has to. False if there is no such game,
  // no such level, or a ply is not legal in it; or if it names another component set than useSet() was given.
  start({ slug, components, seats, own, seed, level = "regular", plies = [] }) {
    if (!this.#restart({ slug, components, seats, own, seed, level })) return false;
    for (const { seat, move, ms } of plies) if (this.#play(seat, move, ms) !== null) return false;
    this.#others(plies.at(-1)?.ms ?? 0);
    return true;
  }

  #restart(game) {
    if (!/^[0-9a-f]{64}$/.test(game.seed) || game.own >= game.seats) return false;
    if (!this.about(game.slug)?.levels.includes(game.level)) return false;
    if (this.#setUp(game) !== 1) return false;
    this.#game = game;
    this.#plies = [];
    this.#items = [];
    this.#views = [this.#text(this.#engine.practice_view(game.own))];
    return true;
  }

  #setUp({ slug, components, seats, seed }) {
    if (!components) return this.#engine.practice_start(this.#putText(slug, bytesOfHex(seed)), seats);
    if (this.#set === null || this.check(slug, this.#set)?.components !== components) return 0;
    this.#put(bytesOfHex(seed));
    return this.#engine.practice_start_checked(seats);
  }

  get deciders() {
    const seats = this.#engine.practice_deciders();
    return Array.from({ length: this.#game.seats }, (_, seat) => seat).filter((seat) => (seats >> seat) & 1);
  }

  // The move of a level. Decisions of one game differ in their luck: `head` has the seed and the number of plies.
  #choice(seat, level) {
    const head = bytesOfHex(this.#game.seed);
    new DataView(head.buffer).setUint32(0, this.#plies.length);
    return this.choose(seat, level, head);
  }

  // The same with a head of the caller's.
  choose(seat, level, head) {
    return this.#answer(this.#engine.practice_choose(seat, this.#putText(level, head)));
  }

  // null, or why it is refused.
  #play(seat, move, ms) {
    const refusal = this.#answer(this.#engine.practice_play(seat, this.#putText(move)));
    if (refusal !== null) return refusal;
    const { own } = this.#game;
    this.#plies.push({ seat, move, ms });
    this.#items.push({ seq: this.#plies.length, kind: "ply", seat, move, elapsed_ms: ms, events: this.#answer(this.#engine.practice_events(own)) });
    this.#views.push(this.#text(this.#engine.practice_view(own)));
    return null;
  }

  // Seats that decide at the same time choose before any of them plays.
  #together(deciders, moveOf, ms) {
    const moves = deciders.map((seat) => ({ seat, move: moveOf(seat) }));
    for (const { seat, move } of moves) {
      const refusal = this.#play(seat, move, ms);
      if (refusal !== null) return refusal;
    }
    return null;
  }

  #others(ms) {
    for (;;) {
      const { deciders } = this;
      if (deciders.length === 0 || deciders.includes(this.#game.own)) return;
      this.#together(deciders, (seat) => this.#choice(seat, this.#game.level), ms);
    }
  }

  // The player's moves, one after the other; all of them, or none if one is refused.
  move(moves, ms) {
    const before = [...this.#plies];
    moves.forEach((move, index) => {
      const refusal = this.#mine(move, ms);
      if (refusal === null) return;
      this.start({ ...this.#game, plies: before });
      throw new Refused(refusal, index);
    });
  }

  #mine(move, ms) {
    const { own } = this.#game;
    const { deciders } = this;
    if (!deciders.includes(own)) return this.#play(own, move, ms); // says why not
    const refusal = this.#together(deciders, (seat) => (seat === own ? move : this.#choice(seat, this.#game.level)), ms);
    if (refusal === null) this.#others(ms);
    return refusal;
  }

  // What a sensible player would do in the player's place.
  advice() {
    return this.#choice(this.#game.own, "regular");
  }

  // Goes back to before the player's last move.
  takeBack() {
    const last = this.#plies.findLastIndex(({ seat }) => seat === this.#game.own);
    if (last >= 0) this.start({ ...this.#game, plies: this.#plies.slice(0, last) });
  }

  // What the player's seat saw after that many plies.
  viewAt(seq) {
    return JSON.parse(this.#views[seq]);
  }

  // All that a page shows; `items`: those after `after`.
  position(after = 0) {
    const { own } = this.#game;
    const { deciders } = this;
    const last = this.#plies.findLastIndex(({ seat }) => seat === own);
    return {
      game: { ...this.#game, plies: [...this.#plies] }, seq: this.#plies.length, deciders, view: this.viewAt(this.#plies.length),
      legal: deciders.includes(own) ? this.#answer(this.#engine.practice_legal(own)) : [],
      items: this.#items.slice(after), mayTakeBack: last < 0 ? null : last + 1,
      outcome: deciders.length === 0 ? this.#answer(this.#engine.practice_outcome()) : null,
    };
  }
}

export const newSeed = () => hexOf(crypto.getRandomValues(new Uint8Array(seedBytes)));
