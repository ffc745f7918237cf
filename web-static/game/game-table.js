// The table at which a game is played: its board at any line of the record, controls for replay, and for players the choice
// of a move. Everything is redrawn from the state below when it changes.
import { player } from "../lib/account.js";
import { Announcer, spoken, spokenOf } from "./announcer.js";
import { drawBoard } from "../boards/boards.js";
import * as plain from "../boards/plain.js";
import { svg } from "../boards/svg.js";
import { Choice, pickOf } from "../lib/choice.js";
import { byRank, clockText, duration, element, link, listed, read, send, signInLink, time } from "../lib/common.js";
import { askToTell, canTell, tell, tells } from "../lib/notices.js";
import { forgetPremove, keepPremove, keptPremove } from "./premove.js";
import { depositFile, holds, readDeposit, signed } from "./signing.js";
import { namesIn, seatName } from "./seat-names.js";
import { scoreBeside, sentences, standing } from "./story.js";
import { updateChildren } from "../lib/update.js";
import { said, say } from "../lib/words.js";

const speeds = { slow: 2500, usual: 1200, fast: 350 };
// Controls that are enabled only while there is something to choose: the page may be slightly behind.
const choosing = new Set(["follow", "step-back", "clear", "prepare"]);
const sending = new Set(["send", "add", "send-all"]);
const atOnceKey = "tillroll.at-once";
const soundKey = "tillroll.sound";
const lately = 60; // lines in the log beside the board

// Two short notes. Browsers allow no sound on pages without user interaction; then there is none.
function ring() {
  const audio = new AudioContext();
  [[660, 0], [880, .16]].forEach(([frequency, after]) => {
    const [note, volume] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + after;
    note.frequency.value = frequency;
    volume.gain.setValueAtTime(.15, start);
    volume.gain.exponentialRampToValueAtTime(.001, start + .3);
    note.connect(volume).connect(audio.destination);
    note.start(start);
    note.stop(start + .3);
    note.onended = () => (after > 0 ? audio.close() : null);
  });
}

const icons = {
  first: "M5 4v16M19 4L8 12l11 8z", back: "M16 4L6 12l10 8z", play: "M7 4l12 8-12 8z", pause: "M7 4h4v16H7zM14 4h4v16h-4z",
  forward: "M8 4l10 8-10 8z", last: "M19 4v16M5 4l11 8-11 8z",
};

// Words that end something come last, to avoid accidental clicks.
const endings = new Set(["pass", "done", "stop", "end", null]);
const inOrder = (tokens) => [...tokens].sort((a, b) => endings.has(a) - endings.has(b));

// How far from an element on the board, in CSS pixels, a tap still counts.
const reach = 22;

function distance(each, x, y) {
  const { left, right, top, bottom } = each.getBoundingClientRect();
  return Math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y);
}

// The element meant by a tap: of several at that place the one with the nearest centre; of none, the nearest within reach.
function tapped(board, x, y) {
  const nearest = (things) => things.reduce((best, each) => (best === null || distance(each, x, y) < distance(best, x, y) ? each : best), null);
  const there = document.elementsFromPoint(x, y).map((each) => each.closest("[data-token][role=button]")).filter((each) => each !== null && board.contains(each));
  if (there.length > 0) return nearest(there);
  return nearest([...board.querySelectorAll("[data-token][role=button]")].filter((each) => distance(each, x, y) <= reach));
}

// The time left on a clock.
function leftText({ left_ms: left, runs_out_at: end }) {
  const ms = end === null ? left : Date.parse(end) - Date.now();
  return clockText(Math.max(Math.floor(ms / 1000), 0));
}

function button(what, text, attributes = {}) {
  return element("button", { type: "button", "data-do": what, ...attributes }, text);
}

function iconButton(what, icon, label, off) {
  return element("button", { type: "button", class: "icon", "data-do": what, "aria-label": label, title: label, "aria-disabled": off ? "true" : null },
    svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: icons[icon] })));
}

// Whether an element still has the focus after the table was drawn anew: some are gone then, others on the board are no buttons any more.
function canHoldFocus(element) {
  return element.isConnected && (element.closest(".board") === null || element.matches("a, button, summary, input, [tabindex]"));
}

// Only pages know where a key can be: the service says what programs have to do.
function whyRefused(error) {
  return error.code === "signature-required" ? said("play.sign_elsewhere", { account: link("/account#signing", say("play.your_account")) }) : error.words;
}

// The number in `#ply=57` or `?ply=57`, or null.
function plyInAddress() {
  const found = /^#ply=(\d{1,9})$/.exec(location.hash) ?? /[?&]ply=(\d{1,9})(?:&|$)/.exec(location.search);
  return found === null ? null : Number(found[1]);
}

export class GameTable {
  #at; // the game's address in the API
  #service;
  #root = null;
  #game = null;
  #now = null; // the view's document at the last line
  #items = []; // entries of the record; number n is at n - 1
  #board = plain;
  #components = null;
  #asked = plyInAddress(); // the initial line
  #shown = null; // the shown line; null: always the last one
  #earlier = new Map(); // line -> the view's document
  #drawn = null; // the view's document on the board
  #timer = null;
  #speed = "usual";
  #legal = null;
  #signs = false; // the key that the game names for the viewer is in this browser
  #deposit = null; // then: what a witness has to know of the game
  #left = null; // the address of the file of a signed move that the service has not taken
  #choice = null;
  #hadMoves = []; // the moves available when the reader was last on turn
  #preparing = null; // the choice of a premove
  #prepared = null; // the premove: known only to this tab
  #viewer = null; // whose premove that is: player and seat
  #due = null; // the same once its turn has come
  #sending = false;
  #fault = null; // the display of the last one, redrawn each time
  #outrun = false; // it says that the game has gone on, which the page does not show yet
  #folded = false; // on small screens: the choice does not cover the board
  #notation = false; // the log shows the record's notation
  #rules = null; // a RulesPanel
  #aside = () => null; // the element above the move
  #after = () => null; // the element below the move
  #analysis = null; // a GameAnalysis that is complete
  #scrolled = 0; // lines of the log when it was last scrolled
  #sound = localStorage.getItem(soundKey) === "yes";
  #atOnce = localStorage.getItem(atOnceKey) === "yes";
  #announcer = new Announcer();

  // `service`: answers API requests; `canTell`: whether turns may come while the reader is away; `turn`: what stands above the choice
  // of a move; `atOnce`: a move that is chosen is sent without being confirmed; `whole`: if few moves are left, each has a button.
  constructor(at, service = { read, send, canTell: true }) {
    this.#at = at;
    this.#service = service;
    this.#atOnce ||= service.atOnce === true;
    window.addEventListener("hashchange", () => {
      const ply = plyInAddress();
      if (ply === null || this.#game === null || !location.hash.startsWith("#ply=")) return;
      // The board itself: on small screens the result of the game is above it.
      this.#go(ply).then(() => {
        this.#root.querySelector(".board").scrollIntoView({ block: "start" });
        this.#root.querySelector(".board .better")?.scrollIntoView({ block: "nearest" });
      });
    });
  }

  // Switches to another game, or another course of the same one.
  restart() {
    this.#pause();
    this.#earlier.clear();
    this.#announcer.restart();
    this.#shown = this.#legal = this.#fault = this.#preparing = this.#prepared = null;
    this.#hadMoves = [];
  }

  // Shows an analysis below the replay, and its better moves on the board.
  async analysed(analysis) {
    this.#analysis = analysis;
    await this.#show();
  }

  get own() {
    return this.#now?.viewer.kind === "seat" ? this.#now.viewer.seat : null;
  }

  get isMyTurn() {
    return this.own !== null && this.#game.deciders.includes(this.own) && !this.#now.decided;
  }

  // Shows the current state of the game. `rules`: opens the rules; `aside`, `after`: make an element above and below the move.
  async update(root, { game, view, items, board, components, rules, aside, after }) {
    const before = this.#game === null ? null : this.isMyTurn;
    if (this.#root !== root) this.#listen(root);
    if (this.#game?.state !== game.state) this.#earlier.clear();
    this.#game = game;
    this.#now = view;
    this.#items = items;
    this.#board = board;
    this.#components = components;
    this.#rules = rules ?? null;
    this.#aside = aside ?? (() => null);
    this.#after = after ?? (() => null);
    if (this.#asked !== null) this.#place(this.#asked);
    this.#asked = null;
    this.#recallPremove();
    await this.#readLegal();
    await this.#show();
    await this.#sendPrepared();
    if (this.isMyTurn && !before && !location.hash && (before === null || root.getBoundingClientRect().top > 0)) root.scrollIntoView({ block: "start" });
    if (before === false && this.isMyTurn && this.#sound) ring();
    if (before === false && this.isMyTurn) tell(say("play.notify_body", { game: document.title }));
  }

  get #last() {
    return this.#now.seq;
  }

  get #seq() {
    return this.#shown ?? this.#last;
  }

  async #readLegal() {
    const wanted = this.isMyTurn && this.#game.state === "running";
    if (!wanted) this.#endTurn();
    else if (this.#legal?.seq !== this.#now.seq) {
      const found = await this.#service.read(`${this.#at}/legal-moves`);
      this.#hadMoves = this.#legal === null ? found.moves : [...new Set([...this.#hadMoves, ...found.moves])]; // of the whole turn
      this.#legal = found;
      this.#signs = await holds(found.key);
      if (this.#signs) this.#deposit ??= await readDeposit(this.#at);
      this.#choice = new Choice(found.moves);
      if (!this.#outrun) this.#fault = null;
      this.#outrun = false;
      this.#callPrepared(found.moves);
    }
    this.#sending = false;
  }

  #endTurn() {
    const ended = this.#legal !== null;
    this.#legal = this.#choice = null;
    if (ended) this.#keepPremove();
  }

  /* ---- Premoves ---- */

  // Reads what this tab has kept for the viewer. Nothing outlives the game, or is for another player or seat.
  #recallPremove() {
    if (!this.#service.canTell) return;
    const viewer = JSON.stringify([player()?.id, this.own]);
    if (this.#game.state !== "running") {
      this.#prepared = null;
      forgetPremove(this.#at);
    } else if (this.#viewer !== viewer) {
      const { moves, prepared } = keptPremove(this.#at, this.own, this.#ownLast());
      this.#preparing = null;
      this.#hadMoves = moves;
      this.#prepared = prepared;
    }
    this.#viewer = viewer;
  }

  #keepPremove() {
    if (this.#service.canTell && this.own !== null && this.#game.state === "running")
      keepPremove(this.#at, this.own, { turn: this.#ownLast(), moves: this.#hadMoves, prepared: this.#prepared });
  }

  #prepare(move) {
    this.#prepared = move;
    this.#preparing = null;
    this.#keepPremove();
    this.#draw();
  }

  // Whether the viewer has a seat in a running game, and has not left it.
  get #plays() {
    return this.own !== null && this.#game.state === "running" && !this.#game.seats[this.own].forfeited;
  }

  // Simultaneous decisions need none: all seats decide at once.
  get #mayPrepare() {
    return this.#plays && !this.isMyTurn && !this.#now.decided && !this.#game.seats[this.own].fallback && !this.#game.stopped
      && this.#service.canTell && this.#hadMoves.length > 0 && this.#drawn.seq === this.#last;
  }

  // The reader is on turn: the premove applies only now.
  #callPrepared(moves) {
    this.#preparing = null;
    if (this.#prepared === null) return;
    if (moves.includes(this.#prepared)) this.#due = this.#prepared;
    else this.#fault = () => say("play.prepared_dropped");
    this.#prepared = null;
    this.#keepPremove();
  }

  async #sendPrepared() {
    const move = this.#due;
    this.#due = null;
    if (move !== null && this.#choice !== null) await this.#send([move]);
  }

  #preparePart() {
    if (!this.#mayPrepare) return [];
    if (this.#prepared !== null) {
      const words = this.#prepared.split(" ");
      return [element("div", { class: "ready" }, element("p", {}, say("play.prepared")),
        element("p", {}, this.#board.sentence?.(words, this.#context) ?? element("code", {}, this.#prepared)), element("p", {}, button("discard", say("play.prepared_discard"))))];
    }
    return this.#preparing === null ? [element("p", {}, button("begin-prepare", say("play.prepare")))] : this.#picker();
  }

  /* ---- Navigating the record ---- */

  #place(seq) {
    this.#shown = seq >= this.#last ? null : Math.max(seq, 0);
  }

  async #go(seq) {
    this.#place(seq);
    if (this.#shown === null) this.#pause();
    const address = this.#shown === null ? location.pathname : `#ply=${this.#shown}`;
    if (this.#shown !== null || plyInAddress() !== null) history.replaceState(null, "", address);
    await this.#show();
    this.#bringBoard();
  }

  #pause() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  #play() {
    if (this.#shown === null) this.#shown = 0;
    const on = async () => {
      await this.#go(this.#seq + 1);
      if (this.#timer !== null) this.#timer = setTimeout(on, speeds[this.#speed]);
    };
    this.#timer = setTimeout(on, speeds[this.#speed]);
    this.#show().then(() => this.#bringBoard());
  }

  // Where all stands in one column, the controls of the replay are below the board: who looks back is led to it, and they stay in reach.
  #bringBoard() {
    const board = this.#root.querySelector(".board").getBoundingClientRect();
    if (this.#shown !== null && board.bottom < innerHeight / 4) this.#root.scrollIntoView({ block: "start" });
  }

  async #viewAt(seq) {
    if (seq === this.#last) return this.#now;
    if (!this.#earlier.has(seq)) this.#earlier.set(seq, await this.#service.read(`${this.#at}/view?seq=${seq}`));
    return this.#earlier.get(seq);
  }

  // Draws the wanted line, unless another one is wanted by the time it arrives.
  async #show() {
    const seq = this.#seq;
    try {
      const found = await this.#viewAt(seq);
      if (seq !== this.#seq) return;
      this.#drawn = found;
    } catch (error) {
      this.#pause();
      this.#fault = () => error.words;
    }
    this.#draw();
    if (this.#timer !== null && seq + 1 < this.#last) this.#viewAt(seq + 1).catch(() => {});
  }

  /* ---- Drawing ---- */

  get #context() {
    const game = this.#game;
    return {
      components: this.#components, seats: game.seats.length, own: this.#drawn.viewer.kind === "seat" ? this.#drawn.viewer.seat : null,
      view: this.#drawn.view, planned: this.#planned, moves: this.#drawn.seq === this.#last ? this.#legal?.moves ?? null : null,
      entry: this.#items[this.#drawn.seq - 1] ?? null, ...namesIn(game),
    };
  }

  get #planned() {
    return (this.#active?.ready ?? this.#better)?.split(" ") ?? null;
  }

  // The move that would have been better than the next one in the record, or null.
  get #better() {
    return this.#analysis?.better(this.#drawn.seq) ?? null;
  }

  // The current choice: of a move, or of a premove.
  get #active() {
    if (this.#mayChoose) return this.#choice;
    return this.#mayPrepare ? this.#preparing : null;
  }

  get #mayChoose() {
    return this.#choice !== null && !this.#game.stopped && this.#drawn.seq === this.#last && !this.#sending;
  }

  #draw() {
    const parts = document.createDocumentFragment();
    const beside = element("div", { class: "beside" }, this.#aside(), this.#waitsPart(), this.#playPart(), this.#replayPart(), this.#coursePart(), this.#logPart());
    parts.append(button("to-move", say("play.skip"), { id: "skip-board", class: "skip" }), this.#boardPart(), beside, Announcer.place());
    const focused = this.#root.contains(document.activeElement) ? document.activeElement : null;
    updateChildren(this.#root, parts);
    if (focused !== null && !canHoldFocus(focused)) this.#root.querySelector("#play-title")?.focus({ preventScroll: true });
    const slider = this.#root.querySelector("#ply");
    slider.value = String(this.#seq);
    for (const box of this.#root.querySelectorAll("input[type=checkbox]")) box.checked = box.hasAttribute("checked");
    this.#root.querySelector("#speed").value = this.#speed;
    this.#scrollLog();
    this.#announce();
  }

  // Tells a screen reader what the drawing shows.
  #announce() {
    const play = this.#root.querySelector(".play");
    const [title] = spokenOf(play.querySelectorAll("h2"));
    const outcome = spokenOf(play.querySelectorAll(".outcome > li"));
    const chosen = spokenOf(play.querySelectorAll(".chosen > li")).join(", ");
    const ready = spokenOf(play.querySelectorAll(".ready > p:not(:has(button))")).join(" ");
    const isToDecide = this.#mayChoose && this.#choice.isEmpty; // then "chosen" is how all moves begin
    const turn = () => {
      if (this.#mayChoose) return isToDecide && chosen !== "" ? `${title}: ${chosen}.` : /[.!?]$/.test(title) ? title : `${title}.`;
      if (this.#sending) return "";
      return outcome.length > 0 ? `${outcome.join("; ")}.` : spokenOf(play.querySelectorAll(":scope > p:not(.hint, .bar, .fault, :has(button, input))")).join(" ");
    };
    const choice = ready !== "" ? ready : chosen !== "" && !isToDecide ? `${say("play.chosen")}: ${chosen}.` : null;
    this.#announcer.say(this.#root.querySelector("#announced"), { last: this.#last, shown: this.#shown, turn: turn(), choice }, (seq) => this.#lineOf(seq));
  }

  // A line of the record as a screen reader says it.
  #lineOf(seq) {
    const item = this.#items[seq - 1];
    if (item === undefined) return seq === 0 ? say("replay.setup") : "";
    return this.#told(item).map((each) => spoken(each)).join(" ");
  }

  #boardPart() {
    const part = drawBoard(this.#board, this.#drawn.view, this.#context, { role: "group", "aria-label": say("board.label") });
    const marked = new Map();
    if (this.#active !== null) for (const each of part.querySelectorAll("[data-token]")) this.#mark(each, marked);
    else if (this.#sending && this.#choice !== null) for (const each of part.querySelectorAll(".do")) each.classList.toggle("could", this.#choice.could(pickOf(each)));
    else if (this.#better !== null) this.#markBetter(part);
    this.#hush(part);
    return part;
  }

  // What stands in words beside a drawing is read there: of the drawing, only what can be chosen.
  #hush(part) {
    for (const each of part.querySelectorAll("svg[data-told] g:has(> title)")) if (!each.matches("[role=button]") && each.querySelector("[role=button]") === null) each.setAttribute("aria-hidden", "true");
  }

  // Marks what the better move names.
  #markBetter(part) {
    const choice = new Choice([this.#better]);
    for (const each of part.querySelectorAll("[data-token]")) if (choice.can(pickOf(each))) each.classList.add("better");
  }

  #coursePart() {
    return this.#analysis?.beside(this.#drawn.seq, this.#last) ?? null;
  }

  #costlyPart() {
    const sentenceOf = (move) => this.#board.sentence?.(move.split(" "), this.#context) ?? null;
    return this.#analysis?.costlyNext(this.#drawn.seq, sentenceOf) ?? null;
  }

  // Turns elements that can be chosen into buttons. Of identical ones, as many are marked as were picked. Words on the board stay where they
  // are when something else is picked, so that nothing moves: whoever presses one begins anew with it.
  #mark(each, marked) {
    const pick = pickOf(each);
    const key = JSON.stringify(pick);
    const before = marked.get(key) ?? 0;
    const isPicked = before < this.#active.timesPicked(pick);
    marked.set(key, before + 1);
    const can = isPicked || this.#active.can(pick);
    if (!can && !(each.matches(".do") && this.#active.could(pick))) return;
    each.classList.add(isPicked ? "picked" : can ? "can" : "could");
    each.setAttribute("role", "button");
    each.setAttribute("tabindex", "0");
    each.setAttribute("aria-pressed", String(isPicked));
    each.setAttribute("aria-label", each.dataset.label ?? each.dataset.token);
  }

  #replayPart() {
    const seq = this.#seq;
    const last = this.#last;
    const isPlaying = this.#timer !== null;
    return element("section", { class: "replay no-print", "aria-labelledby": "replay-title", "data-back": this.#shown !== null },
      element("h2", { id: "replay-title", class: "unseen" }, say("replay.label")),
      element("div", { class: "bar" },
        iconButton("first", "first", say("replay.first"), seq === 0), iconButton("back", "back", say("replay.back"), seq === 0),
        isPlaying ? iconButton("pause", "pause", say("replay.pause"), false) : iconButton("play", "play", say("replay.play"), last === 0),
        iconButton("forward", "forward", say("replay.forward"), seq === last), iconButton("last", "last", say("replay.last"), seq === last),
        element("select", { id: "speed", "aria-label": say("replay.speed") }, Object.keys(speeds).map((each) => element("option", { value: each }, say(`replay.speed_${each}`))))),
      element("input", { id: "ply", type: "range", min: 0, max: last, step: 1, "aria-label": say("replay.slider") }),
      this.#costlyPart(),
      this.#happened(seq),
      this.#shown !== null && this.#game.state === "running" ? element("p", {}, button("last", say("replay.newer", { count: last - seq }))) : null);
  }

  // The current clocks, if the game has any. In the viewer's own eyes their clock stands once they have decided in secret.
  get #clocks() {
    return (this.#now.clocks ?? this.#game.clocks)?.seats;
  }

  #clocksPart() {
    const seats = this.#shown === null ? this.#clocks : null;
    if (!seats) return null;
    return element("ul", { class: "clocks", "aria-label": say("play.clocks") }, seats.map((clock) => element("li", { class: `by seat-${clock.seat}` },
      seatName(this.#game, clock.seat), " ", element("span", { class: clock.running ? "clock running" : "clock", "data-seat": clock.seat }, leftText(clock)))));
  }

  #tick() {
    for (const each of this.#root.querySelectorAll(".clock.running")) each.textContent = leftText(this.#clocks[each.dataset.seat]);
  }

  #happened(seq) {
    const { length } = this.#items;
    const item = this.#items[seq - 1];
    const where = element("p", { class: "where" }, say("replay.at", { seq, last: Math.max(length, this.#last) }));
    if (item === undefined) return element("div", { class: "happened" }, where, element("p", {}, seq === 0 ? say("replay.setup") : null));
    const took = item.elapsed_ms - (this.#items[seq - 2]?.elapsed_ms ?? 0);
    return element("div", { class: "happened" }, where,
      item.kind === "ply" ? element("p", { class: `by seat-${item.seat}`, title: item.move }, seatName(this.#game, item.seat)) : null,
      element("ul", {}, this.#told(item).map((each) => element("li", {}, each))),
      element("p", { class: "hint" }, say("replay.time", { took: duration(took), total: duration(item.elapsed_ms) })),
      this.#drawn.viewer.kind === "auditor" ? element("p", { class: "hint" }, say("replay.open")) : null);
  }

  #told(item) {
    return sentences(this.#game, item, { board: this.#board, components: this.#components });
  }

  // Recent events beside the board: in words with the notation on hover, or only the notation.
  #logPart() {
    const items = this.#items.slice(-lately);
    const since = this.#ownLast();
    const tab = (notation, text) => button("tell", text, { "data-notation": String(notation), "aria-pressed": String(this.#notation === notation) });
    return element("section", { id: "lately", class: "lately no-print", "aria-labelledby": "lately-title" },
      element("div", { class: "bar" }, element("h2", { id: "lately-title" }, say("lately.title")), tab(false, say("lately.words")), tab(true, say("lately.notation"))),
      element("ol", { id: "lately-lines", tabindex: items.length === 0 ? null : "0", "aria-labelledby": "lately-title" }, items.flatMap((item) => [
        item.seq === since + 1 && since > 0 ? element("li", { class: "since" }, say("lately.since")) : null, this.#logLine(item)]).filter(Boolean)));
  }

  #logLine(item) {
    const played = item.kind === "ply";
    const attributes = { href: `#ply=${item.seq}`, title: played ? item.move : null, "aria-current": item.seq === this.#seq ? "true" : null };
    const told = this.#told(item);
    return element("li", { class: played ? `by seat-${item.seat}` : null },
      played && this.#notation ? [element("a", attributes, item.seq), " ", element("code", {}, item.move)]
        : [element("a", attributes, item.seq), " ", told.map((each, i) => [i === 0 ? null : " ", each])]);
  }

  // The line of the viewer's last move, 0 if there is none: later lines are new to returning viewers.
  #ownLast() {
    return this.own === null ? 0 : this.#items.findLast((item) => item.kind === "ply" && item.seat === this.own)?.seq ?? 0;
  }

  // Scrolls to the newest line, unless the reader has scrolled up.
  #scrollLog() {
    const list = this.#root.querySelector("#lately-lines");
    if (this.#scrolled !== this.#items.length) list.scrollTop = list.scrollHeight;
    this.#scrolled = this.#items.length;
  }

  /* ---- The move ---- */

  #playPart() {
    return element("section", { class: "play no-print", "aria-labelledby": "play-title", "data-turn": this.#mayChoose ? "yes" : null, "data-folded": this.#folded },
      this.#rules === null ? null : button("rules", say("rules.open"), { class: "open-rules", "aria-haspopup": "dialog" }),
      element("h2", { id: "play-title", tabindex: -1 }, this.#mayChoose && this.#service.turn ? this.#service.turn() : say(this.#mayChoose ? "play.your_turn" : this.#game.state === "finished" ? "seats.result" : "play.label")),
      this.#mayChoose ? button("fold", say("play.fold"), { class: "fold", "aria-pressed": String(this.#folded) }) : null, this.#clocksPart(), this.#playContent(),
      this.#fault === null ? null : element("p", { id: "fault", class: "fault", role: "alert" }, this.#fault()),
      this.#leftPart(), this.#afterwards(), this.#after());
  }

  #leftPart() {
    if (this.#left === null) return null;
    const file = `${this.#game.id}.deposit`;
    return element("div", { id: "left", class: "notice" }, element("p", {}, said("play.left_about", { command: element("code", {}, `tillroll deposit ${file} --witness URL`) })),
      element("p", {}, element("a", { href: this.#left, download: file }, say("play.left_save"))));
  }

  #playContent() {
    const game = this.#game;
    if (game.state !== "running") return [element("p", {}, say("play.over")), this.#result()];
    if (game.stopped) return element("p", {}, this.#standstill(game.stopped));
    if (this.#choice === null) return [...this.#waiting(), ...this.#preparePart()];
    if (this.#drawn.seq !== this.#last) return element("p", {}, said("play.not_now", { link: button("last", say("play.the_last_line")) }));
    return this.#picker();
  }

  // The result, above the board; null for a void game.
  #result() {
    const seats = byRank(this.#game.seats);
    if (seats[0].rank === null) return null;
    return element("ul", { class: "outcome", "aria-label": say("seats.result") }, seats.map((seat) => element("li", {},
      element("span", { class: "rank" }, standing(this.#game, seat, this.#components)), " ", element("span", {}, seatName(this.#game, seat.seat), seat.forfeited ? [" ", say("seats.forfeited")] : null), " ",
      element("span", { class: "score" }, scoreBeside(this.#game, seat)))));
  }

  #standstill({ dispute, since }) {
    const when = time(since);
    return dispute === null ? said("play.stopped", { when }) : said("play.frozen", { when, dispute: link(`/disputes/${dispute}`, say("play.frozen_dispute")) });
  }

  #waitingWords() {
    if (this.own !== null && this.#now.decided) return say("play.decided");
    return said("play.waiting", { names: listed(this.#game.deciders.filter((seat) => seat !== this.own).map((seat) => seatName(this.#game, seat))) });
  }

  // On small screens the panel is far below the board: whoever sits here sees at its foot for whom all wait.
  #waitsPart() {
    if (this.own === null || this.#game.state !== "running" || this.#game.stopped || this.#choice !== null) return null;
    return element("p", { class: "waits no-print", "aria-hidden": "true" }, this.#waitingWords());
  }

  #waiting() {
    return [
      element("p", {}, this.#waitingWords()),
      this.own === null && player() === null && this.#service.canTell ? element("p", { class: "hint" }, said("game.sign_in", { link: signInLink() })) : null,
      this.#plays ? this.#soundPart() : null,
    ].flat(Infinity);
  }

  #soundPart() {
    return element("p", {}, element("label", {}, element("input", { id: "sound", type: "checkbox", checked: this.#sound }), " ", say("play.sound")));
  }

  #wordOf(token, words) {
    return this.#board.word?.(token, words, this.#context) ?? token;
  }

  // Buttons for what can follow: words, or whole moves without their beginning.
  #choices({ beginning, next, few }) {
    if (this.#service.whole !== true || few.length === 0)
      return inOrder(next).map((token) => button("follow", token === null ? say("play.that_is_all") : this.#wordOf(token, beginning), { "data-next": next.indexOf(token) }));
    return few.map((move, i) => {
      const words = move.split(" ");
      const rest = words.map((token, at) => this.#wordOf(token, words.slice(0, at))).slice(beginning.length);
      return button("follow", rest.length === 0 ? say("play.that_is_all") : rest.flatMap((word, at) => (at === 0 ? [word] : [" · ", word])), { "data-whole": i });
    });
  }

  #picker() {
    const choice = this.#active ?? this.#choice; // or that of the move being sent
    const { beginning, ready, count } = choice;
    const said = beginning.map((token, i) => element("li", {}, this.#wordOf(token, beginning.slice(0, i))));
    return [
      element("p", { class: "hint" }, this.#mayPrepare ? say("play.prepare_hint") : this.#sending ? say("play.sending") : count === 1 ? null : say("play.choose")),
      said.length === 0 ? null : element("ol", { class: "chosen", "aria-label": say("play.chosen") }, said),
      ready === null ? null : this.#readyPart(ready),
      count === 1 ? null : element("div", { class: "choices", role: "group", "aria-label": say("play.other_words") }, this.#choices(choice)),
      choice.isEmpty ? null : element("p", { class: "bar" }, button("step-back", say("play.back")), button("clear", say("play.clear"))),
      this.#mayPrepare ? element("p", {}, button("discard", say("play.prepare_stop"))) : this.#optionsPart(ready),
    ];
  }

  #optionsPart(ready) {
    return element("details", { id: "options" }, element("summary", {}, say("play.options")),
      element("p", {}, element("label", {}, element("input", { id: "at-once", type: "checkbox", checked: this.#atOnce }), " ", say("play.at_once"))),
      this.#soundPart(),
      element("p", {}, element("label", { for: "several" }, say("play.several"))),
      element("textarea", { id: "several", rows: 4, "aria-describedby": "several-hint", spellcheck: "false", "data-keep": true }),
      element("p", { id: "several-hint", class: "hint" }, say("play.several_hint")),
      element("p", { class: "bar" }, ready === null ? null : button("add", say("play.add")), button("send-all", say("play.send_all"))));
  }

  #readyPart(move) {
    const words = move.split(" ");
    const context = this.#context;
    const ahead = this.#mayPrepare;
    const warning = ahead ? null : this.#board.warning?.(words, this.#now.view, context) ?? null;
    return element("div", { class: "ready" },
      element("p", {}, this.#board.sentence?.(words, context) ?? element("code", {}, move)),
      warning === null ? null : element("p", { class: "warning" }, warning),
      element("p", {}, ahead ? button("prepare", say("play.prepare_do"), { class: "main" }) : button("send", say("play.send"), { class: "main" })));
  }

  #afterwards() {
    if (!this.#plays) return null;
    return element("p", { class: "bar" }, this.#takenBackFrom() !== null ? button("take-back", say("play.take_back")) : null,
      !this.#service.canTell || !canTell() ? null : tells() ? element("span", { class: "hint" }, say("play.notify_on")) : button("notify", say("play.notify")),
      this.#signs ? element("span", { class: "hint" }, say("play.signed")) : null);
  }

  async #send(moves) {
    const { seq } = this.#legal;
    this.#sending = true;
    this.#fault = this.#left = null;
    this.#draw();
    const legal = this.#legal;
    let signature = {};
    try {
      signature = moves.length === 1 ? await signed(this.#game.id, legal, moves[0]) : {};
      const answer = await this.#service.send("POST", `${this.#at}/moves`, { moves, seq, ...signature });
      if (answer.sealed) await this.#decided();
    } catch (error) {
      this.#sending = false;
      const at = error.document?.move_index;
      this.#refused(error, seq, () => (at > 0 ? said("play.refused_at", { number: at + 1, message: error.words }) : whyRefused(error)));
      if (error.status === 409) this.#legal = null;
      if (error.passes && error.status !== 429 && "signature" in signature && this.#deposit !== null)
        this.#left = URL.createObjectURL(depositFile(this.#deposit, legal, moves[0], signature.signature));
    }
    this.#draw();
  }

  // The record does not change before the last seat has decided, so no news is sent.
  async #decided() {
    this.#now = await this.#service.read(`${this.#at}/view`);
    this.#legal = this.#choice = null;
    this.#sending = false;
    this.#drawn = this.#now;
  }

  // The last entry that still counts, if the viewer may take it back; otherwise null.
  #takenBackFrom() {
    const first = this.#game.may_take_back ?? null;
    let last = this.#last;
    while (this.#items[last - 1]?.kind === "undo") last = this.#items[last - 1].target - 1;
    return first !== null && last >= first ? last : null;
  }

  async #takeBack() {
    const from = this.#takenBackFrom();
    const { seq } = this.#now;
    try {
      const signature = this.#legal?.seq === seq ? await signed(this.#game.id, this.#legal, `undo ${from}`) : {};
      await this.#service.send("POST", `${this.#at}/takeback`, { from, seq, ...signature });
    } catch (error) {
      this.#refused(error, seq, () => whyRefused(error));
      this.#draw();
    }
  }

  // What has been sent for the line `seq`.
  #refused(error, seq, words) {
    this.#fault = words;
    this.#outrun = error.status === 409 && this.#last === seq;
  }

  #chosen() {
    if (this.#active === null) return;
    const { ready, count } = this.#active;
    if (this.#mayChoose && ready !== null && count === 1 && (this.#atOnce || this.#board.isImmediate?.(ready))) this.#send([ready]);
    else this.#draw();
  }

  /* ---- Input ---- */

  #listen(root) {
    this.#root = root;
    root.addEventListener("click", (event) => this.#clicked(event));
    root.addEventListener("keydown", (event) => this.#pressed(event));
    root.addEventListener("input", (event) => {
      if (event.target.id !== "ply") return;
      this.#pause();
      this.#go(Number(event.target.value));
    });
    root.addEventListener("change", (event) => this.#changed(event.target));
    setInterval(() => this.#tick(), 1000);
  }

  #changed({ id, value, checked }) {
    if (id === "speed") this.#speed = value;
    if (id === "sound") {
      this.#sound = checked;
      localStorage.setItem(soundKey, checked ? "yes" : "no");
      if (checked) ring();
      this.#draw();
    }
    if (id !== "at-once") return;
    this.#atOnce = checked;
    localStorage.setItem(atOnceKey, checked ? "yes" : "no");
    this.#chosen();
  }

  #clicked({ target, clientX: x, clientY: y }) {
    const control = target.closest("[data-do]");
    if (control?.getAttribute("aria-disabled") === "true") return;
    if (control !== null) this.#do(control.dataset);
    else this.#picked(this.#meant(target, x, y));
  }

  // Clicks without a pointer (keyboard) have no position.
  #meant(target, x, y) {
    const board = target.closest(".board");
    if (board === null || target.closest("a, button, summary, input") !== null) return null;
    return (x === 0 && y === 0) || target.closest("svg") === null ? target.closest("[data-token][role=button]") : tapped(board, x, y);
  }

  #pressed(event) {
    const target = event.target.closest("[data-token][role=button]");
    if (event.key === "Escape" && this.#active !== null) this.#do({ do: this.#active.isEmpty ? "to-move" : "step-back" });
    if (target === null || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    this.#picked(target);
  }

  #picked(target) {
    const choice = this.#active;
    if (target === null || choice === null) return;
    const pick = pickOf(target);
    if (target.classList.contains("picked")) choice.unpick(pick);
    else choice.pick(pick);
    this.#chosen();
  }

  #lines() {
    return document.getElementById("several").value.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  }

  #do(dataset) {
    if ((this.#active === null && choosing.has(dataset.do)) || (!this.#mayChoose && sending.has(dataset.do))) return;
    const doing = {
      first: () => this.#go(0), back: () => this.#go(this.#seq - 1), forward: () => this.#go(this.#seq + 1), last: () => this.#go(this.#last),
      go: () => { this.#pause(); this.#go(Number(dataset.seq)); },
      play: () => this.#play(), pause: () => { this.#pause(); this.#draw(); },
      follow: () => {
        const choice = this.#active;
        if (dataset.whole === undefined) choice.follow(choice.next[Number(dataset.next)]);
        else choice.settle(choice.few[Number(dataset.whole)]);
        this.#chosen();
      },
      "step-back": () => { this.#active.back(); this.#draw(); }, clear: () => { this.#active.clear(); this.#draw(); },
      "begin-prepare": () => { this.#preparing = new Choice(this.#hadMoves); this.#draw(); },
      prepare: () => this.#prepare(this.#active.ready), discard: () => this.#prepare(null),
      send: () => this.#send([this.#choice.ready]),
      add: () => {
        document.getElementById("several").value = [...this.#lines(), this.#choice.ready].join("\n");
        this.#choice.clear();
        this.#draw();
      },
      "send-all": () => { if (this.#lines().length > 0) this.#send(this.#lines()); },
      "take-back": () => this.#takeBack(),
      "to-move": () => this.#root.querySelector("#play-title").focus(),
      rules: () => this.#rules.open(dataset.anchor ?? null),
      tell: () => { this.#notation = dataset.notation === "true"; this.#draw(); },
      fold: () => { this.#folded = !this.#folded; this.#draw(); },
      notify: async () => { if (!(await askToTell())) this.#fault = () => say("play.notify_denied"); this.#draw(); },
    };
    if (["first", "back", "forward", "last"].includes(dataset.do)) this.#pause();
    doing[dataset.do]?.();
  }
}
