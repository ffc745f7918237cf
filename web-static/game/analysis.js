// What a finished game's moves were worth and what was luck, as the service keeps it, or computed in the reader's browser (analysis-worker.js): the
// part of the game's page with its totals and the costliest moves of each player, and what the table (game-table.js) shows below its replay.
import { svg } from "../boards/svg.js";
import { player } from "../lib/account.js";
import { element, link, playerLink, Problem, read, refusalOf, send, showContent, table } from "../lib/common.js";
import { readRefusals } from "../refusals/refusals.js";
import { number, said, say } from "../lib/words.js";
import { seatName, seatText } from "./seat-names.js";
import { sentences } from "./story.js";

const most = 3; // costliest moves of each player
// Lines of seats differ in more than their colour.
const dashes = [null, "7 3", "2 3", "9 3 2 3", "5 2 1 2 1 2"];

// Parts of a place, each up to a bound.
const shares = [[0.07, "little"], [0.14, "tenth"], [0.22, "fifth"], [0.29, "quarter"], [0.42, "third"], [0.58, "half"], [0.71, "two_thirds"], [0.88, "three_quarters"], [1.2, "place"]];

// What a number of places, or of points for who plays alone, is in words.
export function shareWords(alone, value) {
  if (alone) return say("analysis.points", { count: Math.max(Math.round(value), 1) });
  const share = shares.find(([bound]) => value < bound);
  return share === undefined ? say("analysis.places", { places: number(value, 1) }) : say(`analysis.share_${share[1]}`);
}

const signed = (value, digits) => {
  const text = number(Math.abs(value), digits);
  return Number(Math.abs(value).toFixed(digits)) === 0 ? text : `${value < 0 ? "−" : "+"}${text}`;
};

// The same text for the same numbers, whatever the order of their names.
const canonical = (document) => JSON.stringify(document, (_, value) => (value !== null && typeof value === "object" && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort()) : value));

const lookAgain = 3000; // milliseconds, while the service makes an analysis

/* ---- The curve ---- */

const width = 380;
const height = 170;
const edge = { left: 34, right: 8, top: 8, bottom: 20 };
const inner = { width: width - edge.left - edge.right, height: height - edge.top - edge.bottom };

// Whole places, best on top; points in round steps.
function marksOf(alone, seats, values) {
  if (!alone) return Array.from({ length: seats }, (_, i) => i + 1);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = 10 ** Math.ceil(Math.log10(Math.max(high - low, 1) / 5));
  const first = Math.floor(low / step);
  return Array.from({ length: Math.max(Math.ceil(high / step) - first, 1) + 1 }, (_, i) => (first + i) * step);
}

export class GameAnalysis {
  #changed; // called when what the table shows of it has changed
  #page = null; // { game, items, board, components, own }
  #root = null;
  #worker = null;
  #kept = null; // what the service has of it (GET /v1/games/<id>/analysis)
  #again = null; // plies computed anew, to be compared with the service's; null: none are
  #plies = [];
  #dealt = [];
  #of = 0; // plies that there are
  #whole = null; // the totals; null: not analysed yet
  #note = null; // why there is no analysis
  #costly = new Map(); // line before a move -> the ply, if it is one of the costliest

  constructor(changed) {
    this.#changed = changed;
  }

  // The part of the page, or null for a game that has none.
  static has(game) {
    return game.state === "finished" && !game.voided;
  }

  static part(game) {
    return GameAnalysis.has(game) ? element("section", { id: "analysis", "aria-labelledby": "analysis-title", "data-keep": true }) : null;
  }

  // `page`: { game, items, board, components, own }.
  show(page) {
    this.#page = page;
    const root = document.getElementById("analysis");
    if (root === null || root === this.#root) return;
    this.#root = root;
    root.addEventListener("click", ({ target }) => {
      if (target.id === "analyse") this.#start();
      if (target.id === "analyse-stop") this.#stop(null);
      if (target.id === "analysis-ask") this.#ask();
      if (target.id === "analysis-check") this.#check();
    });
    this.#draw();
    this.#look();
  }

  /* ---- The service's ---- */

  get #at() {
    return `/v1/games/${this.#page.game.id}/analysis`;
  }

  // Games without results are boards that others still have to play: of them there is none.
  async #look() {
    if (this.#page.game.seats.some(({ rank }) => rank === null)) return;
    await this.#keep(() => read(this.#at));
  }

  #ask() {
    return this.#keep(() => send("POST", this.#at, {}));
  }

  // What the service answers, and again until it has an analysis.
  async #keep(answer) {
    try {
      this.#kept = await answer();
      this.#note = null;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#note = error.words;
    }
    if (this.#kept?.analysis && this.#whole === null) return this.#take(this.#kept.analysis);
    if (this.#worker === null && this.#whole === null) this.#draw();
    if (["waiting", "running"].includes(this.#kept?.state)) setTimeout(() => this.#look(), lookAgain);
  }

  #take({ plies, ...whole }) {
    this.#plies = plies;
    this.#dealt = whole.seats.map(({ start, deal }) => start + deal);
    this.#finish(whole);
  }

  #check() {
    this.#again = [];
    this.#work(this.#kept.budget);
  }

  #compare(whole) {
    const same = canonical({ ...whole, plies: this.#again }) === canonical(this.#kept.analysis);
    this.#stop(say(same ? "analysis.same" : "analysis.other"));
  }

  /* ---- Working ---- */

  #start() {
    this.#plies = [];
    this.#of = 0;
    this.#work(0);
  }

  #work(budget) {
    this.#note = null;
    this.#worker = new Worker("/static/game/analysis-worker.js", { type: "module" });
    this.#worker.addEventListener("error", () => this.#stop(say("analysis.broken")));
    this.#worker.addEventListener("message", ({ data }) => this.#told(data));
    this.#worker.postMessage({ game: this.#page.game.id, budget });
    this.#draw();
  }

  #stop(note) {
    this.#worker?.terminate();
    this.#worker = this.#again = null;
    this.#note = note;
    this.#draw();
  }

  async #told({ missing, problem, begun, ply, whole, refused, fault }) {
    if (problem || refused) await readRefusals();
    if (missing) this.#stop(say("analysis.missing"));
    if (problem) this.#stop(refusalOf(problem.detail));
    if (refused) this.#stop(refused.code === "unfinished" ? say("analysis.unfinished") : refusalOf(refused.message));
    if (fault) this.#stop(say("analysis.broken"));
    if (begun) this.#of = begun.plies;
    if (begun && this.#again === null) this.#dealt = begun.dealt;
    if (ply) this.#computed.push(ply);
    if (begun || ply) this.#tell();
    if (whole && this.#again !== null) this.#compare(whole);
    else if (whole) this.#finish(whole);
  }

  get #computed() {
    return this.#again ?? this.#plies;
  }

  #finish(whole) {
    this.#whole = whole;
    for (const each of whole.seats) for (const costly of this.#costliest(each.seat)) this.#costly.set(costly.seq - 1, costly);
    this.#stop(null);
    this.#changed();
  }

  #tell() {
    const bar = document.getElementById("analysis-progress");
    bar.max = this.#of;
    bar.value = this.#computed.length;
    document.getElementById("analysis-count").textContent = say("analysis.progress", { done: this.#computed.length, count: this.#of });
  }

  /* ---- Values ---- */

  get #alone() {
    return this.#page.game.seats.length === 1;
  }

  // A place, or points, of a value.
  #standing(value) {
    const share = value / this.#whole.one;
    return this.#alone ? share : this.#page.game.seats.length - share;
  }

  #costliest(seat) {
    return this.#plies.filter((ply) => ply.seat === seat && ply.loss > 0).sort((a, b) => b.loss - a.loss || a.seq - b.seq).slice(0, most);
  }

  #costWords({ seat, loss }) {
    const share = shareWords(this.#alone, loss / this.#whole.one);
    return seat === this.#page.own ? say("analysis.cost_you", { share }) : say("analysis.cost", { share });
  }

  // The values after a line of the record.
  #valuesAt(seq) {
    return this.#plies.findLast((ply) => ply.seq <= seq)?.value ?? this.#dealt;
  }

  /* ---- The part of the page ---- */

  #draw() {
    const title = element("h2", { id: "analysis-title" }, say("analysis.title"));
    showContent(this.#root, [title, this.#whole !== null ? this.#results() : this.#worker !== null ? this.#working() : this.#offer()]);
  }

  #offer() {
    const state = this.#kept?.state;
    return [
      element("p", {}, say("analysis.about"), " ", link("/docs/explanation/analysis", say("analysis.more"))),
      element("p", { class: "bar no-print" }, element("button", { type: "button", id: "analyse" }, say("analysis.do")), " ",
        player() !== null && state === "none" ? element("button", { type: "button", id: "analysis-ask" }, say("analysis.ask")) : null),
      element("p", { id: "analysis-note", role: "status" }, this.#note ?? this.#progress(state)),
    ];
  }

  // How far the service is.
  #progress(state) {
    const { done, plies } = this.#kept ?? {};
    if (state === "running" && plies > 0) return [element("progress", { "aria-label": say("analysis.title"), max: plies, value: done }), " ", say("analysis.runs", { done, count: plies })];
    return ["waiting", "running"].includes(state) ? say("analysis.waits") : state === "failed" ? say("analysis.failed") : null;
  }

  #working() {
    return [
      element("p", {}, element("progress", { id: "analysis-progress", "aria-label": say("analysis.title") }), " ",
        element("span", { id: "analysis-count", role: "status" }, say("analysis.begins"))),
      element("p", { class: "bar no-print" }, element("button", { type: "button", id: "analyse-stop" }, say("analysis.stop"))),
    ];
  }

  #results() {
    const { game, own } = this.#page;
    return [
      element("p", {}, say(this.#alone ? "analysis.unit_points" : "analysis.unit_places"), " ", say("analysis.means"), " ", link("/docs/explanation/analysis", say("analysis.more"))),
      this.#totals(),
      element("p", {}, say("analysis.beside_regular")),
      element("h3", {}, say("analysis.costly")),
      element("p", {}, say("analysis.beside_best"), this.#alone ? null : [" ", say("analysis.only_places")]),
      element("div", { class: "costliest" }, [...game.seats].sort((a, b) => (b.seat === own) - (a.seat === own)).map(({ seat }) => this.#costlyPart(seat))),
      element("p", { class: "hint" }, say("analysis.made", { version: this.#whole.analysis, budget: this.#whole.budget }), this.#kept?.analysis ? [" ", say("analysis.kept")] : null),
      this.#proof(),
    ];
  }

  // A button that repeats the service's analysis in the browser, if the page has the same versions.
  #proof() {
    if (this.#worker !== null) return this.#working();
    const checks = this.#kept?.analysis && this.#kept.maker === this.#kept.newest_maker;
    return [checks ? element("p", { class: "bar no-print" }, element("button", { type: "button", id: "analysis-check" }, say("analysis.check"))) : null,
      element("p", { id: "analysis-note", role: "status" }, this.#note)];
  }

  #totals() {
    const { game } = this.#page;
    const { seats, one } = this.#whole;
    const widest = Math.max(...seats.flatMap((each) => [each.luck, each.own, each.others].map(Math.abs)), 1);
    const digits = this.#alone ? 0 : 1; // no more than the number of samples can bear
    const plain = (value) => number(this.#standing(value), this.#alone ? 0 : 1);
    const bar = (value) => [
      svg("svg", { class: "worth", viewBox: "0 0 100 12", "aria-hidden": "true" },
        svg("rect", { class: value < 0 ? "bad" : "good", x: value < 0 ? 50 + (48 * value) / widest : 50, y: 1, width: (48 * Math.abs(value)) / widest, height: 10 }),
        svg("line", { x1: 50, x2: 50, y1: 0, y2: 12 })), " ", signed(value / one, digits)];
    const columns = [{ text: say("seats.player"), header: true }, { text: say(this.#alone ? "analysis.start_points" : "analysis.start"), number: true },
      { text: say("analysis.luck"), number: true }, { text: say("analysis.own"), number: true },
      ...(this.#alone ? [] : [{ text: say("analysis.others"), number: true }]), { text: say("seats.result"), number: true }];
    return table(say("analysis.totals"), columns, seats.map((each) => [element("span", { class: `by seat-${each.seat}` }, playerLink(game.seats[each.seat].player)), plain(each.start), bar(each.luck), bar(each.own),
      ...(this.#alone ? [] : [bar(each.others)]), plain(each.result)]));
  }

  // How many moves of a seat had a better one. Not what they cost together: that can be more places than there are.
  #missedWords(seat) {
    const own = this.#plies.filter((ply) => ply.seat === seat);
    return say("analysis.missed", { count: own.length, better: own.filter((ply) => ply.loss > 0).length });
  }

  #costlyItem(ply) {
    const { game, items } = this.#page;
    return element("li", {}, sentences(game, items[ply.seq - 1], this.#page)[0] ?? element("code", {}, ply.move), " ", this.#costWords(ply), " ",
      ply.skill[ply.seat] >= 0 ? [say("analysis.regular_too"), " "] : null, link(`#ply=${ply.seq - 1}`, say("analysis.show", { seq: ply.seq })));
  }

  #costlyPart(seat) {
    const found = this.#costliest(seat);
    return element("div", {}, element("h4", { class: `by seat-${seat}` }, seatName(this.#page.game, seat)),
      found.length === 0 ? element("p", {}, say("analysis.none_costly")) : [element("p", {}, this.#missedWords(seat)), element("ol", {}, found.map((ply) => this.#costlyItem(ply)))]);
  }

  /* ---- Beside the board ---- */

  // The move that would have been better than the next one, or null.
  better(seq) {
    return this.#costly.get(seq)?.better ?? null;
  }

  // What is said in the replay before a costly move, or null. `sentenceOf`: what a move does in the position shown, or null.
  costlyNext(seq, sentenceOf) {
    const costly = this.#costly.get(seq);
    if (costly === undefined) return null;
    return element("div", { class: "ready", role: "status" },
      element("p", {}, said("analysis.next", { name: seatName(this.#page.game, costly.seat), cost: this.#costWords(costly) })),
      element("p", {}, said("analysis.better", { move: sentenceOf(costly.better) ?? element("code", {}, costly.better) })));
  }

  // What stands below the replay at a line of the record.
  beside(seq, last) {
    if (this.#whole === null) return null;
    const { game } = this.#page;
    const values = this.#valuesAt(seq);
    return element("section", { id: "course", class: "course-of-game no-print", "aria-labelledby": "course-title" },
      element("h2", { id: "course-title" }, say(this.#alone ? "analysis.course_points" : "analysis.course")),
      this.#curve(seq, last),
      element("ul", { class: "legend" }, game.seats.map(({ seat }) => element("li", { class: `by seat-${seat}` },
        svg("svg", { class: "sample", viewBox: "0 0 28 6", "aria-hidden": "true" }, svg("line", { class: "way", x1: 0, x2: 28, y1: 3, y2: 3, "stroke-dasharray": dashes[seat] })), " ",
        seatName(game, seat), " ", number(this.#standing(values[seat]), this.#alone ? 0 : 1)))));
  }

  #curve(seq, last) {
    const { game } = this.#page;
    const points = [{ seq: 0, value: this.#dealt }, ...this.#plies];
    const marks = marksOf(this.#alone, game.seats.length, points.map((each) => this.#standing(each.value[0])));
    const [top, bottom] = this.#alone ? [marks.at(-1), marks[0]] : [marks[0], marks.at(-1)];
    const x = (line) => edge.left + (line / Math.max(last, 1)) * inner.width;
    const y = (standing) => edge.top + ((standing - top) / (bottom - top)) * inner.height;
    const tidy = (value) => Math.round(value * 10) / 10;
    const lineOf = (seat) => points.map((each) => `${tidy(x(each.seq))},${tidy(y(this.#standing(each.value[seat])))}`).join(" ");
    const middle = (i) => (i <= 0 ? 0 : i >= points.length ? last : (points[i - 1].seq + points[i].seq) / 2);
    return svg("svg", { class: "curve", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": say("analysis.curve_label", { names: game.seats.map(({ seat }) => seatText(game, seat)).join(", ") }) },
      marks.map((mark) => [svg("line", { class: "grid", x1: edge.left, x2: width - edge.right, y1: tidy(y(mark)), y2: tidy(y(mark)) }),
        svg("text", { class: "mark", x: edge.left - 5, y: tidy(y(mark)) + 4, "text-anchor": "end" }, number(mark))]),
      [0, last].map((line) => svg("text", { class: "mark", x: x(line), y: height - 5, "text-anchor": line === 0 ? "start" : "end" }, number(line))),
      game.seats.map(({ seat }) => svg("polyline", { class: `way seat-${seat}`, points: lineOf(seat), "stroke-dasharray": dashes[seat] })),
      [...this.#costly].map(([line, ply]) => svg("circle", { class: `costly seat-${ply.seat}`, cx: tidy(x(line + 1)), cy: tidy(y(this.#standing(ply.value[ply.seat]))), r: 4 })),
      svg("line", { class: "now", x1: tidy(x(seq)), x2: tidy(x(seq)), y1: edge.top, y2: edge.top + inner.height }),
      points.map((each, i) => svg("rect", { class: "hit", "data-do": "go", "data-seq": each.seq, x: tidy(x(middle(i))), y: 0, width: tidy(Math.max(x(middle(i + 1)) - x(middle(i)), 0)), height })));
  }
}
