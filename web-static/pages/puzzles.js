// Puzzles: positions of finished games in which one move is better than all others by far. /puzzles lists those of today, /puzzles/<slug> asks
// that of a game: the board as its seat saw it, all legal moves, and then what each is worth.
import { boardOf, drawBoard } from "../boards/boards.js";
import { shareWords } from "../game/analysis.js";
import { Choice, pickOf } from "../lib/choice.js";
import { element, link, pageId, parameter, present, Problem, read, showContent, table, title } from "../lib/common.js";
import { dayWords, number, said, say } from "../lib/words.js";

const one = 65536; // the unit of values
const slug = pageId();
const state = { puzzle: null, board: null, components: null, chosen: null, answered: false };

const timeOf = (day) => element("time", { datetime: day }, dayWords(day));

/* ---- The list ---- */

async function list() {
  const { items } = await read("/v1/puzzles");
  title(say("puzzle.title"));
  return [
    element("h1", {}, say("puzzle.title")),
    element("p", {}, say("puzzle.about"), " ", link("/docs/explanation/analysis#puzzles", say("puzzle.how"))),
    items.length === 0 ? element("p", { class: "notice" }, say("puzzle.none"))
      : element("ul", {}, items.map((each) => element("li", {}, said("puzzle.of_day", { game: link(`/puzzles/${each.ruleset}`, each.title), day: timeOf(each.day) })))),
  ];
}

/* ---- The position ---- */

// The move that the board shows: the one chosen, and in the end the best.
const shownMove = () => (state.answered ? state.puzzle.moves[0].move : state.chosen);

// As boards know a game: seats have no names here.
function context() {
  const { puzzle, components } = state;
  const seatText = (seat) => say("position.seat", { seat: seat + 1 });
  return { components, seats: puzzle.seats, own: puzzle.seat, view: puzzle.view, planned: shownMove()?.split(" ") ?? null, entry: null, seatText, seatName: (seat) => element("span", {}, seatText(seat)) };
}

function boardPart() {
  const part = drawBoard(state.board, state.puzzle.view, context(), { id: "board", role: "group", "aria-label": say("board.label") });
  if (shownMove() === null) return part;
  const choice = new Choice([shownMove()]);
  for (const each of part.querySelectorAll("[data-token]")) if (choice.can(pickOf(each))) each.classList.add("better");
  return part;
}

const sentenceOf = (move) => state.board.sentence?.(move.split(" "), context()) ?? element("code", {}, move);

// In the order of their notation, which does not tell which is best.
const inOrder = () => state.puzzle.moves.map(({ move }) => move).sort();

function moveLabels() {
  const moves = inOrder();
  const texts = moves.map((move) => element("span", {}, sentenceOf(move)).textContent);
  // Two moves that read alike show their notation too.
  return moves.map((move, i) => [sentenceOf(move), texts.indexOf(texts[i]) === texts.lastIndexOf(texts[i]) ? null : [" ", element("code", {}, move)]]);
}

/* ---- Question and answer ---- */

const isAlone = () => state.puzzle.seats === 1;
const costOf = ({ value }) => (state.puzzle.moves[0].value - value) / one;

function question() {
  const { puzzle, chosen } = state;
  const labels = moveLabels();
  return element("form", { id: "question" },
    element("fieldset", {}, element("legend", {}, say(isAlone() ? "puzzle.ask_alone" : "puzzle.ask", { seat: puzzle.seat + 1, count: puzzle.seats })),
      inOrder().map((move, i) => element("p", {}, element("label", {}, element("input", { type: "radio", name: "move", value: move, required: true, checked: move === chosen }), " ", labels[i])))),
    element("p", { class: "bar" }, element("button", { type: "submit", class: "main" }, say("puzzle.answer"))));
}

function verdict() {
  const own = state.puzzle.moves.find(({ move }) => move === state.chosen);
  if (own === state.puzzle.moves[0]) return say("puzzle.right");
  return say("puzzle.wrong", { share: shareWords(isAlone(), costOf(own)) });
}

function values() {
  const { moves, seats } = state.puzzle;
  const standing = ({ value }) => (isAlone() ? value / one : seats - value / one);
  const digits = isAlone() ? 0 : 2;
  const columns = [{ text: say("puzzle.move"), header: true }, { text: say(isAlone() ? "puzzle.points" : "puzzle.place"), number: true }, { text: say("puzzle.costs"), number: true }];
  return table(say("puzzle.values"), columns, moves.map((each) => [
    [sentenceOf(each.move), each.move === state.chosen ? [" ", element("strong", {}, say("puzzle.yours"))] : null], number(standing(each), digits), number(costOf(each), digits)]));
}

function answer() {
  const { puzzle } = state;
  return element("div", { id: "answer" },
    element("div", { class: "ready", role: "status", tabindex: -1 }, element("p", {}, element("strong", {}, verdict())),
      element("p", {}, said("puzzle.best", { move: sentenceOf(puzzle.moves[0].move) }))),
    values(),
    element("p", { class: "hint" }, say("puzzle.why", { samples: number(puzzle.samples), errors: number(puzzle.apart_hundredths / 100, 1) })),
    element("p", {}, link(`/games/${puzzle.game}#ply=${puzzle.seq}`, say("puzzle.game_link"))),
    element("p", { class: "bar" }, element("button", { type: "button", id: "again" }, say("puzzle.again"))));
}

function draw() {
  const root = document.getElementById("puzzle");
  const focused = document.activeElement?.value;
  showContent(root, [boardPart(), element("div", { class: "beside" }, element("section", { class: "play" }, state.answered ? answer() : question()))]);
  if (focused !== undefined) root.querySelector(`input[value="${CSS.escape(focused)}"]`)?.focus();
}

function listen(root) {
  root.addEventListener("change", ({ target }) => {
    if (target.name !== "move") return;
    state.chosen = target.value;
    draw();
  });
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    state.answered = true;
    draw();
    root.querySelector(".ready").focus(); // the button is gone
  });
  root.addEventListener("click", ({ target }) => {
    if (target.id !== "again") return;
    state.answered = false;
    draw();
    root.querySelector("input:checked").focus();
  });
}

/* ---- The puzzle of a game ---- */

async function readPuzzle() {
  const day = parameter("day");
  try {
    return await read(`/v1/puzzles/${slug}${day === null ? "" : `?day=${encodeURIComponent(day)}`}`);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
    return null;
  }
}

async function showPuzzle() {
  const [ruleset, found] = await Promise.all([read(`/v1/rulesets/${slug}`), readPuzzle()]);
  const heading = say("puzzle.heading", { game: ruleset.title });
  const links = element("p", { class: "links" }, found?.previous ? [link(`/puzzles/${slug}?day=${found.previous}`, say("puzzle.previous")), " "] : null, link("/puzzles", say("puzzle.all")), " ",
    link("/docs/explanation/analysis#puzzles", say("puzzle.how")));
  title(heading);
  if (found === null) return { content: [element("h1", {}, heading), element("p", { class: "notice" }, say("puzzle.none_of_game")), links] };
  const [board, components] = await Promise.all([boardOf(slug), read(`/v1/rulesets/${slug}/components`)]);
  Object.assign(state, { puzzle: found.puzzle, board, components });
  return {
    content: [element("h1", {}, heading), element("p", { class: "about" }, said("puzzle.dated", { day: timeOf(found.day) })), element("div", { id: "puzzle", class: "table", "data-keep": true }), links],
    shown: () => {
      listen(document.getElementById("puzzle"));
      draw();
    },
  };
}

present(async () => (slug === undefined || slug === "" ? { content: await list() } : showPuzzle()));
