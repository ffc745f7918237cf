// Super Motherload: the mine as it is dug, with the achievements beside it; below, what each player holds.
import { element, listed } from "../lib/common.js";
import { mineSpaces, patternName } from "../lib/telling.js";
import { say } from "../lib/words.js";
import { cardName, cardPart, cardText, colorName, colors, find, findBox, letter, minerals, shapeBox } from "./super-motherload-signs.js";
import { markOf, ownAndOthers, tablesOf, unseen } from "./parts.js";
import { svg } from "./svg.js";

export const sheet = "/static/boards/super-motherload.css";
export const scope = "motherload";

const size = 40; // of a space, in units of the drawing
const letters = "abcdefghijklmn";
const rows = 7;
const contents = { i: "iron", g: "gold", p: "platinum", e: "emerald", r: "ruby", d: "diamond", "*": "bomb", A: "artifact", 1: "draw-1", 2: "draw-2" };
const terrains = { ".": "dirt", "#": "rock", R: "red", B: "blue", Y: "yellow" };

/* ---- What the components say ---- */

const tables = tablesOf((components) => {
  const of = (list) => new Map(list.map((each) => [each.id, each]));
  const starters = components.starters.list;
  const decks = new Map(components.decks.list.map(({ id, cards }) => [id, of([...starters, ...cards])]));
  return { decks, starters: of(starters), majors: of(components.major_achievements.list), patterns: of(components.bomb_patterns.list), values: new Map(components.minerals.list.map(({ id, value }) => [id, value])),
    boards: of(components.boards.list), depths: components.parameters.depths_by_seats, order: components.card_order.list };
});

// The card of that name in somebody's deck.
function cardOf(id, player, context) {
  const { decks, starters } = tables(context);
  return (player?.deck === null || player === undefined ? starters : decks.get(player.deck)).get(id);
}

// {iron: 2} as [iron, iron], the dearest first.
const each = (counts) => minerals.filter((name) => counts[name]).flatMap((name) => Array.from({ length: counts[name] }, () => name));

// {r0: 2} as [r0, r0], in the order of the cards.
const eachCard = (counts, context) => tables(context).order.flatMap((id) => Array.from({ length: counts[id] ?? 0 }, () => id));

function mineralsText(list, context) {
  const { values } = tables(context);
  return list.map((name) => say("motherload.mineral", { name: say(`motherload.find_${name}`), amount: values.get(name) })).join(", ");
}

function goalName(id, context) {
  const major = tables(context).majors.get(id);
  if (major === undefined) return say(`motherload.minor_${id}`);
  return colors.filter((color) => major.needs[color] > 0).map((color) => `${major.needs[color]} ${colorName(color)}`).join(" + ");
}

const goalText = (id, context) => (tables(context).majors.has(id) ? say("motherload.major_goal", { cards: goalName(id, context) }) : say(`motherload.goal_${id}`));

/* ---- Spaces ---- */

// A space's place in the drawing of these boards, in spaces from the upper left, by its name; and back.
function at(space, boards) {
  const board = boards.findIndex(({ depth }) => depth === Number(space[0]));
  return [letters.indexOf(space[1]), board * rows + Number(space.slice(2)) - 1];
}

const nameAt = (column, row, boards) => `${boards[Math.floor(row / rows)].depth}${letters[column]}${row % rows + 1}`;

const isDug = (board, row, column) => board.tunnels[row][column] === "T";

// What a space of a board is, in words: without its name, and with it.
function spaceWords(board, row, column) {
  if (isDug(board, row, column)) return say("motherload.dug");
  const content = contents[board.content[row][column]];
  const terrain = say(`motherload.terrain_${terrains[board.terrain[row][column]]}`);
  return content === undefined ? terrain : `${terrain}, ${say(`motherload.find_${content}`)}`;
}

const spaceText = (board, row, column) => say("motherload.space", { name: mineSpaces([`${board.depth}${letters[column]}${row + 1}`]), what: spaceWords(board, row, column) });

// The spaces ([column, row]) that a tunnel laid by this move would cover.
function tunnelOf([, space, way], view, context) {
  const [column, row] = at(space, view.boards);
  const { act } = view.turn;
  const offsets = act.kind === "bomb" ? tables(context).patterns.get(act.pattern).orientations[Number((way ?? "o0").slice(1))]
    : Array.from({ length: act.length }, (_, i) => (way === "v" ? [i, 0] : [0, i]));
  return offsets.map(([down, right]) => [column + right, row + down]);
}

// What lies there to be collected: names of contents.
function contentOf(cells, view) {
  return cells.map(([column, row]) => contents[view.boards[Math.floor(row / rows)].content[row % rows][column]]).filter(Boolean);
}

// The outline of a set of spaces.
function outline(cells) {
  const inside = new Set(cells.map(String));
  return cells.flatMap(([x, y]) => [
    inside.has(`${x},${y - 1}`) ? "" : `M${x * size} ${y * size}h${size}`, inside.has(`${x},${y + 1}`) ? "" : `M${x * size} ${(y + 1) * size}h${size}`,
    inside.has(`${x - 1},${y}`) ? "" : `M${x * size} ${y * size}v${size}`, inside.has(`${x + 1},${y}`) ? "" : `M${(x + 1) * size} ${y * size}v${size}`]).join("");
}

const filled = (cells) => cells.map(([x, y]) => `M${x * size} ${y * size}h${size}v${size}h${-size}z`).join("");

/* ---- The mine ---- */

// Where a find lies in its space: off the middle of a steel plate, which has a letter in its corner.
const findAt = (terrain) => (terrain === "dirt" || terrain === "rock" ? "translate(20 20)" : "translate(17 18) scale(.9)");

function terrainPart(kind) {
  if (kind === "dirt") return null;
  if (kind === "rock") return svg("g", { class: "rock" }, svg("rect", { x: 1, y: 1, width: size - 2, height: size - 2, rx: 9 }), svg("path", { d: "M3 13L12 10 20 1M12 10L15 20 3 30M15 20L28 24 38 16M28 24L25 38" }));
  return svg("g", { class: `steel ${kind}`, "aria-hidden": "true" }, svg("rect", { x: 2, y: 2, width: size - 4, height: size - 4, rx: 2 }),
    svg("path", { d: "M6 6h.1M34 6h.1M6 34h.1", class: "rivets" }), svg("text", { x: 32, y: 36 }, say(`motherload.letter_${kind}`)));
}

// A space of a board; `isOpen`: it lies on the table, and may be chosen.
function spacePart(board, row, column, top, values, isOpen) {
  const content = contents[board.content[row][column]];
  const dug = isDug(board, row, column);
  const text = spaceText(board, row, column);
  const name = `${board.depth}${letters[column]}${row + 1}`;
  const terrain = terrains[board.terrain[row][column]];
  const target = isOpen ? { id: `space-${name}`, "data-token": name, "data-verbs": "place", "data-place": 1, "data-label": text } : {};
  return svg("g", { class: dug ? "space dug" : "space", transform: `translate(${column * size} ${(top + row) * size})` },
    svg("title", {}, text), svg("rect", { class: "ground", width: size, height: size }),
    dug ? null : [terrainPart(terrain), content === undefined ? null : find(content, values.get(content), findAt(terrain)),
      svg("rect", { ...target, class: "frame", x: 2, y: 2, width: size - 4, height: size - 4, rx: 5 })]);
}

// A board, `top` rows below the upper edge.
function boardPart(board, top, values, isOpen) {
  return svg("g", { class: `depth-${board.depth}` }, board.terrain.flatMap((_, row) => [...letters].map((_letter, column) => spacePart(board, row, column, top, values, isOpen))));
}

function dugCells(boards) {
  return boards.flatMap((board, i) => board.tunnels.flatMap((line, row) => [...line].flatMap((mark, column) => (mark === "T" ? [[column, i * rows + row]] : []))));
}

// Names of columns and rows around the boards, and each board's depth.
function namesPart(boards) {
  return svg("g", { class: "names", "aria-hidden": "true" }, [...letters].map((each, i) => svg("text", { x: i * size + size / 2, y: -5 }, each)),
    boards.flatMap((board, i) => Array.from({ length: rows }, (_, row) => svg("text", { x: -11, y: (i * rows + row) * size + 26 }, String(row + 1)))));
}

function surfacePart(width) {
  return svg("g", { class: "surface", "aria-hidden": "true" }, svg("rect", { x: 0, y: -52, width, height: 34, rx: 4 }), svg("circle", { cx: 470, cy: -40, r: 7 }),
    svg("path", { d: "M90-18v-12a14 14 0 0 1 28 0v12zM124-18v-8h26v8M134-26v-10l6 4", class: "base" }), svg("path", { d: `M0-19H${width}`, class: "edge" }));
}

function seamPart(board, top, width) {
  return svg("g", { class: "seam" }, top === 0 ? null : svg("path", { d: `M0 ${top * size}H${width}` }),
    svg("text", { x: width + 4, y: (top + rows / 2) * size, transform: `rotate(90 ${width + 4} ${(top + rows / 2) * size})` }, say("motherload.depth", { depth: board.depth })));
}

function mineText(view) {
  return view.boards.map((board, i) => say("motherload.mine", { depth: board.depth, dug: dugCells([board]).length, left: view.boards[i].artifacts_left })).join(" ");
}

function minePart(view, context, fresh) {
  const { boards } = view;
  const width = letters.length * size;
  const { values } = tables(context);
  const isSurface = boards[0].depth === 1;
  const dug = dugCells(boards);
  const planned = context.planned?.[0] === "place" ? tunnelOf(context.planned, view, context) : [];
  const last = fresh.spaces.map((space) => at(space, boards)).filter(([, row]) => row >= 0);
  const above = isSurface ? 54 : 20;
  return element("div", { class: "shaft" },
    svg("svg", { viewBox: `-22 ${-above} ${width + 40} ${boards.length * rows * size + above + 4}`, role: "group", "aria-label": mineText(view), "data-told": true },
      isSurface ? surfacePart(width) : null, namesPart(boards),
      boards.map((board, i) => boardPart(board, i * rows, values, true)),
      svg("path", { class: "walls", d: outline(dug) }), svg("path", { class: "last", d: outline(last) }),
      boards.map((board, i) => seamPart(board, i * rows, width)),
      planned.length === 0 ? null : svg("g", { class: "ghost" }, svg("path", { d: filled(planned), class: "fill" }), svg("path", { d: outline(planned) }))),
    element("div", { class: "unseen" }, boards.map(mineWords)));
}

// The same in words: a table, through which screen readers go in both directions.
function mineWords(board) {
  const column = (letter) => element("th", { scope: "col" }, letter);
  return element("table", {}, element("caption", {}, say("motherload.depth", { depth: board.depth })),
    element("thead", {}, element("tr", {}, element("td"), [...letters].map(column))),
    element("tbody", {}, board.terrain.map((_, row) => element("tr", {}, element("th", { scope: "row" }, String(row + 1)),
      [...letters].map((_letter, at) => element("td", {}, spaceWords(board, row, at)))))));
}

/* ---- Emblems ---- */

const kindEmblems = { bomb_token_taken: () => findBox("bomb"), bomb: () => findBox("bomb"), artifact_found: () => findBox("artifact"), artifact_used: () => findBox("artifact") };
const colorEmblem = (color) => letter(color);

export const emblems = {
  kind: (kind) => kindEmblems[kind]?.() ?? null, mineral: (name, event, context) => findBox(name, tables(context).values.get(name)), color: colorEmblem, stack: colorEmblem,
  card: (id) => letter(colors.find((color) => color[0] === id[0])), pattern: (id, event, context) => shapeBox(tables(context).patterns.get(id).orientations[0]),
};

/* ---- What has changed ---- */

function changes(context) {
  const events = context.entry?.events ?? [];
  const of = (kind, value) => events.filter((event) => event.kind === kind).map(value);
  const all = (kinds, value) => new Set(kinds.flatMap((kind) => of(kind, value)));
  const bought = ({ seat, card }) => `${seat} ${colors.find((color) => color[0] === card[0])}`;
  return {
    spaces: of("tunnel", (event) => event.spaces).flat(),
    goals: all(["achievement_revealed", "achievement_claimed"], (event) => event.achievement),
    stacks: new Set([...all(["minerals_put", "mineral_copied"], (event) => `${event.seat} ${event.stack}`), ...of("card_bought", bought)]),
    bombs: all(["bomb_token_taken", "bomb"], (event) => event.seat),
    hands: all(["cards_drawn", "drill", "bomb", "card_discarded"], (event) => event.seat),
    artifacts: all(["artifact_found", "artifact_used"], (event) => event.seat),
  };
}

/* ---- What there is to decide ---- */

// Something that is done by a word alone; it is there only while it can be.
function doing(token, verbs, place, text) {
  return element("span", { id: `do-${token}`, class: "do", "data-token": token, "data-verbs": verbs, "data-place": place, "data-label": text }, text);
}

// What is clicked to choose the thing that it lies over.
const button = (attributes) => element("span", { class: "button", ...attributes });

const decides = (view, context) => context.own !== null && view.deciders.includes(context.own);

// Which way the tunnel goes from the space chosen.
function waysPart(view, context) {
  if (view.decision !== "place" || !decides(view, context)) return null;
  const { act } = view.turn;
  const ways = act.kind === "bomb" ? tables(context).patterns.get(act.pattern).orientations.map((spaces, i) => [`o${i}`, spaces])
    : act.length === 1 ? [] : [["h", Array.from({ length: act.length }, (_, i) => [0, i])], ["v", Array.from({ length: act.length }, (_, i) => [i, 0])]];
  return element("div", { class: "ways" }, ways.map(([token, spaces]) => element("span", { id: `way-${token}`, class: "do", "data-token": token, "data-verbs": "place", "data-place": 2, "data-label": wayText(token) }, shapeBox(spaces, true))));
}

const wayText = (token) => (token[0] === "o" ? say("motherload.turned", { number: Number(token.slice(1)) + 1 }) : say(`motherload.way_${token}`));

const findName = (name) => say(`motherload.find_${name}`);

function findsPart(list, context) {
  const { values } = tables(context);
  return element("span", { class: "finds" }, list.map((name) => element("span", { title: findName(name) }, findBox(name, values.get(name)), unseen(`${findName(name)} `))));
}

function turnText(view) {
  const { turn } = view;
  if (view.outcome !== null && view.decision === null) return say("motherload.at_over");
  if (view.decision === "place") return turn.act.kind === "drill" ? say("motherload.at_drill", { count: turn.act.length, color: colorName(turn.act.color) }) : say("motherload.at_bomb");
  if (view.decision === "main" && turn.left === 0) return say("motherload.at_main_done");
  if (view.decision === "put" && putsSingly(view)) return say("motherload.at_put_singly");
  if (view.decision === "buy") {
    const due = colors.filter((color) => isDue(view.players[view.active].stacks[color]));
    if (due.length === 1) return say("motherload.at_buy_one", { color: colorName(due[0]) });
  }
  return say(`motherload.at_${view.decision}`);
}

const isDue = ({ card, value, cost }) => card !== null && value >= cost;

// With the bonus of a drill, minerals are put one at a time, the dearest first.
const putsSingly = ({ turn }) => turn.act?.kind === "drill" && turn.act.bonuses.includes("split") && each(turn.waiting).length > 1;

// Says why an action is missing among the choices of a player who has one left.
function missingPart(view, context) {
  if (view.decision !== "main" || view.turn.left === 0 || !context.moves) return null;
  const offered = new Set(context.moves.map((move) => move.split(" ")[0]));
  const player = view.players[context.own];
  const hand = eachCard(player.hand, context);
  const reasons = {
    bomb: player.bombs === 0 ? "no_token" : hand.some((id) => id[0] === "r") ? "no_room" : "no_red_card",
    draw: "nothing_to_draw", drill: hand.length === 0 ? "empty_hand" : "no_room",
  };
  return ["drill", "bomb", "draw"].filter((verb) => !offered.has(verb)).map((verb) => element("p", { class: "hint" },
    say("motherload.not_now", { action: say(`motherload.do_${verb}`), reason: say(`motherload.why_${reasons[verb]}`) })));
}

function statusPart(view, context) {
  const waiting = each(view.turn.waiting);
  const actions = view.decision === "main" ? say("motherload.actions_left", { count: view.turn.left }) : null;
  const bonuses = view.turn.act?.kind === "drill" && view.decision === "place" ? view.turn.act.bonuses.filter((bonus) => ["corner", "rock"].includes(bonus)) : [];
  return element("div", { class: "status" },
    element("p", {}, view.active === null ? null : [markOf(view.active, context), " "], element("strong", {}, turnText(view)),
      actions === null ? null : [" ", actions], bonuses.map((bonus) => [" ", say("motherload.sentence", { text: say(`motherload.drill_${bonus}`) })]),
      waiting.length === 0 ? null : [" ", findsPart(waiting, context), " ", say("motherload.dollars", { amount: waiting.reduce((sum, name) => sum + tables(context).values.get(name), 0) })],
      view.ending && view.decision !== null ? [" ", element("strong", { class: "ending" }, say("motherload.ending"))] : null),
    element("p", { class: "doings" }, ["drill", "bomb", "draw"].map((verb) => doing(verb, verb, 0, say(`motherload.do_${verb}`))),
      ["red", "blue", "yellow"].map((color) => doing(color, "drill", 1, say("motherload.as", { color: colorName(color) }))), doing("end", "end", 0, say("motherload.do_end"))),
    missingPart(view, context), waysPart(view, context));
}

// The board that comes next: { depth, of(side) }; `view`: null before the set-up.
function boardBelow(view, seats, context) {
  const { boards, depths } = tables(context);
  const last = view?.boards.at(-1)?.depth ?? 0;
  const depth = depths[seats].find((each) => each > last);
  const tunnels = Array.from({ length: rows }, () => ".".repeat(letters.length));
  return { depth, of: (side) => ({ ...boards.get(`depth-${depth}-${side}`), tunnels }) };
}

const sideDrawing = (board, context, attributes = {}) => svg("svg", { ...attributes, viewBox: `-2 -2 ${letters.length * size + 4} ${rows * size + 4}`, "aria-hidden": "true" }, boardPart(board, 0, tables(context).values, false));

// The two sides of the board that comes next, to choose from.
function sidesPart(view, context) {
  if (!["side-1", "side"].includes(view.decision)) return null;
  const { values } = tables(context);
  const below = boardBelow(view, view.seats, context);
  const side = (name) => {
    const { depth } = below;
    const board = below.of(name);
    const found = board.content.flatMap((line) => [...line]).map((char) => contents[char]).filter((content) => values.has(content));
    const text = say("motherload.side", { depth, side: name, amount: found.reduce((sum, content) => sum + values.get(content), 0) });
    return element("div", { class: "side" }, element("p", {}, text),
      sideDrawing(board, context), button({ id: `side-${name}`, "data-token": name, "data-verbs": "side", "data-place": 1, "data-label": text }));
  };
  return element("section", { class: "sides", "aria-labelledby": "sides-title" }, element("h2", { id: "sides-title" }, say("motherload.sides")), element("div", { class: "row" }, side("a"), side("b")));
}

function decksPart(view, context) {
  if (view.decision !== "deck") return null;
  const { decks, patterns } = tables(context);
  const deck = (id) => element("div", { class: "deck" }, element("div", { class: "deck-name" }, element("h3", {}, say(`motherload.deck_${id}`)),
    button({ id: `deck-${id}`, "data-token": id, "data-verbs": "deck", "data-place": 1, "data-label": say("motherload.deck", { deck: say(`motherload.deck_${id}`) }) })),
  element("details", { id: `bonuses-${id}` }, element("summary", {}, say("motherload.deck_bonuses")), element("ul", {}, [...decks.get(id).values()].filter((card) => card.drill_bonus !== null || card.buy_bonus !== null).map((card) => element("li", { title: cardText(card, patterns) }, letter(card.color), " ",
      element("span", {}, unseen(colorName(card.color)), element("strong", {}, say("motherload.dollars", { amount: card.cost })), " ", card.drill_bonus === null ? say("motherload.when_bought", { bonus: say(`motherload.buy_${card.buy_bonus}`) }) : say("motherload.when_drilled", { bonus: say(`motherload.drill_${card.drill_bonus}`) })))))));
  return element("section", { class: "decks", "aria-labelledby": "decks-title" }, element("h2", { id: "decks-title" }, say("motherload.decks")), element("div", { class: "row" }, [...decks.keys()].map(deck)));
}

/* ---- Achievements ---- */

function goalPart(goal, view, context, fresh) {
  if (goal === null) return null;
  const { id, points } = goal;
  const label = say("motherload.goal", { name: goalName(id, context), goal: goalText(id, context), points });
  const classes = ["goal", fresh.goals.has(id) ? "fresh" : null, view.turn.claimable.includes(id) ? "claimable" : null].filter(Boolean);
  return element("li", { class: classes.join(" ") }, element("span", { class: "points" }, String(points)), element("span", {}, element("strong", {}, goalName(id, context)), tables(context).majors.has(id) ? null : [" ", goalText(id, context)],
      view.turn.claimable.includes(id) ? [" ", element("em", {}, say("motherload.claimable"))] : null),
  button({ id: `goal-${id}`, "data-token": id, "data-verbs": "claim swap", "data-place": 1, "data-label": label }));
}

function goalsPart(view, context, fresh) {
  const list = (goals, title, key) => (goals.every((goal) => goal === null) ? null : element("div", {}, element("h3", { id: `${key}-title` }, title), element("ul", { class: "goals", "aria-labelledby": `${key}-title` }, goals.map((goal) => goalPart(goal, view, context, fresh)))));
  const { size: left } = view.minor_deck;
  const facts = [say("motherload.minors_left", { count: left }), say("motherload.artifact_pile", { count: view.artifact_pile_size }), say("motherload.bomb_supply", { count: view.bomb_supply })];
  return element("section", { class: "achievements", "aria-labelledby": "goals-title" }, element("h2", { id: "goals-title" }, say("motherload.achievements")),
    element("div", { class: "goal-lists" }, list(view.minors, say("motherload.minors"), "minors"), list(view.majors, say("motherload.majors"), "majors")),
    element("p", { class: "hint" }, listed(facts)), view.boards.map((board) => element("p", { class: "hint" }, say("motherload.artifacts_left", { depth: board.depth, count: board.artifacts_left }))));
}

/* ---- Players ---- */

function gauge(value, cost) {
  const share = cost === undefined ? 1 : Math.min(value / cost, 1);
  return svg("svg", { viewBox: "0 0 100 6", class: "gauge", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { width: 100, height: 6, class: "room" }), svg("rect", { width: share * 100, height: 6 }));
}

function stackPart(color, player, context, fresh) {
  const { patterns, values } = tables(context);
  const stack = player.stacks[color];
  const isOwn = player.seat === context.own;
  const card = stack.card === null ? null : cardOf(stack.card, player, context);
  const title = say("motherload.stack", { color: colorName(color) });
  const state = stack.card === null ? say("motherload.stack_empty") : say("motherload.stack_value", { value: stack.value, cost: stack.cost });
  const target = isOwn ? button({ id: `stack-${color}`, "data-token": color, "data-verbs": "put buy copy artifact", "data-label": `${title}, ${state}` }) : null;
  const tile = (name, i) => element("span", { title: findName(name), class: "tile" }, findBox(name, values.get(name)), unseen(findName(name)),
    isOwn ? button({ id: `tile-${color}-${i}`, "data-token": `copy ${name}`, "data-label": say("motherload.copy_of", { mineral: findName(name), color: colorName(color) }) }) : null);
  return element("li", { class: `stack ${color}${fresh.stacks.has(`${player.seat} ${color}`) ? " fresh" : ""}` },
    card === null ? element("div", { class: `pilot gone ${color}` }, letter(color), " ", say("motherload.stack_empty"), target) : cardPart(card, patterns, target),
    card === null ? null : element("div", { class: "worth-of" }, gauge(stack.value, stack.cost), element("span", {}, state)),
    element("div", { class: "tiles" }, each(stack.minerals).map(tile)));
}

function handPart(player, context) {
  const { patterns } = tables(context);
  const isOwn = player.seat === context.own;
  const cards = eachCard(player.hand, context);
  if (cards.length === 0) return element("p", { class: "hint" }, say("motherload.no_cards"));
  return element("ul", { class: "row hand", "aria-label": say("motherload.hand") }, cards.map((id, i) => element("li", {},
    cardPart(cardOf(id, player, context), patterns, isOwn ? button({ id: `hand-${i}`, "data-token": id, "data-verbs": "drill bomb discard", "data-label": cardText(cardOf(id, player, context), patterns) }) : null))));
}

function artifactPart([id, count], player, context) {
  const isOwn = player.seat === context.own;
  const label = say("motherload.artifact_is", { name: say(`motherload.artifact_${id}`), text: say(`motherload.artifact_text_${id}`) });
  const target = button({ id: `artifact-${id}`, "data-token": id, "data-verbs": id === "recruit" ? "buy" : "artifact", "data-place": id === "recruit" ? 2 : 1, "data-label": label });
  return element("li", {}, element("div", { class: "relic", title: label }, findBox("artifact"), " ", element("strong", {}, say(`motherload.artifact_${id}`), count > 1 ? ` ×${count}` : ""), " ", element("span", { class: "hint" }, say(`motherload.artifact_text_${id}`)), isOwn ? target : null));
}

function factsPart(player, context, fresh) {
  const { seat } = player;
  const fact = (isFresh, ...content) => element("span", { class: isFresh ? "fact fresh" : "fact" }, ...content);
  const discarded = eachCard(player.discard_pile, context);
  const names = discarded.map((id) => cardName(cardOf(id, player, context)));
  return element("p", { class: "facts" }, fact(fresh.hands.has(seat), say("motherload.cards", { count: player.hand_size })), fact(false, say("motherload.to_draw", { count: player.draw_pile_size })),
    element("span", { class: "fact", title: names.join(", ") }, say("motherload.discards", { count: discarded.length }), unseen(names.join(", "))),
    fact(fresh.bombs.has(seat), findBox("bomb"), say("motherload.bombs", { count: player.bombs })),
    fact(fresh.artifacts.has(seat), findBox("artifact"), say("motherload.artifacts", { count: player.artifacts_held })));
}

function playerPart(player, view, context, fresh) {
  const { seat } = player;
  const isOpen = player.hand !== undefined;
  const artifacts = Object.entries(player.artifacts ?? {});
  return element("section", { id: `player-${seat}`, class: `player seat-${seat}${view.active === seat ? " active" : ""}${seat === context.own ? " own" : ""}`, "aria-labelledby": `player-name-${seat}` },
    element("h2", { id: `player-name-${seat}`, class: "who" }, element("span", { class: "mark", "aria-hidden": "true" }, String(seat + 1)), " ", context.seatName(seat),
      element("span", { class: "score" }, isOpen ? say("motherload.points", { count: player.score }) : say("motherload.points_seen", { count: player.points_seen }))),
    factsPart(player, context, fresh),
    isOpen ? handPart(player, context) : null,
    artifacts.length === 0 ? null : element("ul", { class: "row", "aria-label": say("motherload.own_artifacts") }, artifacts.map((entry) => artifactPart(entry, player, context))),
    player.deck === null ? null : element("ul", { class: "stacks", "aria-label": say("motherload.stacks") }, colors.map((color) => stackPart(color, player, context, fresh))),
    player.achievements.length === 0 ? null : element("p", { class: "claimed" }, say("motherload.claimed"), " ", listed(player.achievements.map((id) => element("strong", { class: fresh.goals.has(id) ? "fresh" : null, title: goalText(id, context) }, goalName(id, context))))));
}

/* ---- Legend ---- */

// Which cards have a bomb pattern; those of another deck with its name.
function patternCards(id, context) {
  const { decks, starters } = tables(context);
  const { deck: own } = context.view.players[context.own] ?? { deck: null };
  const starter = [...starters.values()].filter((card) => card.pattern === id).map(cardName);
  const decksOf = new Map();
  for (const [deck, cards] of decks) for (const card of cards.values()) {
    if (card.pattern === id && card.cost > 0) decksOf.set(cardName(card), [...decksOf.get(cardName(card)) ?? [], deck]);
  }
  const others = [...decksOf].map(([card, of]) => (of.length === decks.size || of.includes(own) ? card
    : say("motherload.sign_deck_card", { card, deck: of.map((each) => say(`motherload.deck_${each}`)).join(", ") })));
  return [...starter, ...others].join(", ");
}

const groundBox = (kind) => svg("svg", { viewBox: `0 0 ${size} ${size}`, class: "ground-box depth-1", "aria-hidden": "true" }, svg("g", { class: "space" }, svg("rect", { class: "ground", width: size, height: size }), terrainPart(kind)));

// What the signs mean, and the shapes of the bombs.
function legend(context) {
  const { values, patterns } = tables(context);
  const entry = (...content) => element("li", {}, content);
  const finds = [...minerals].reverse().map((name) => entry(findBox(name, values.get(name)), " ", say("motherload.mineral", { name: findName(name), amount: values.get(name) })));
  const others = ["bomb", "artifact", "draw-1", "draw-2"].map((name) => entry(findBox(name), " ", findName(name)));
  const ground = Object.values(terrains).map((kind) => entry(groundBox(kind), " ", ["dirt", "rock"].includes(kind) ? say(`motherload.sign_${kind}`) : say("motherload.sign_steel", { color: colorName(kind) })));
  return element("details", { id: "motherload-signs", class: "signs" }, element("summary", {}, say("motherload.signs")),
    element("h3", {}, say("motherload.sign_minerals")), element("ul", {}, finds, others), element("h3", {}, say("motherload.sign_ground")), element("ul", {}, ground),
    element("h3", {}, say("motherload.sign_patterns")), element("ul", {}, [...patterns].map(([id, { orientations: [shape] }]) => entry(shapeBox(shape), " ", element("strong", {}, patternName(id)), ": ", patternCards(id, context)))));
}

/* ---- The whole ---- */

export function draw(view, context) {
  const fresh = changes(context);
  const [own, others] = ownAndOthers(view, context);
  const part = (player) => playerPart(player, view, context, fresh);
  return element("div", { class: "motherload" }, statusPart(view, context), sidesPart(view, context), decksPart(view, context),
    element("div", { class: "middle" }, view.boards.length === 0 ? null : minePart(view, context, fresh), own.map(part)),
    view.boards.length === 0 ? null : goalsPart(view, context, fresh),
    element("div", { class: "others" }, others.map(part)), legend(context));
}

/* ---- Moves in words ---- */

const ownPlayer = (context) => context.view.players[context.own];

export function word(token, words, context) {
  const [verb] = words;
  if (verb === undefined) return say(`motherload.do_${token}`);
  if (verb === "side") return say("motherload.side_word", { side: token });
  if (verb === "deck") return say(`motherload.deck_${token}`);
  if (verb === "claim" || verb === "swap") return goalName(token, context);
  if (verb === "artifact" && words.length === 1) return say(`motherload.artifact_${token}`);
  if (verb === "place") return words.length === 1 ? mineSpaces([token]) : wayText(token);
  if (token === "recruit") return say("motherload.artifact_recruit");
  if (colors.includes(token)) return verb === "drill" ? say("motherload.as", { color: colorName(token) }) : colorName(token);
  return minerals.includes(token) ? findName(token) : cardName(cardOf(token, ownPlayer(context), context));
}

// What an achievement is about, as its card has it.
const goalSigns = {
  demolition: ["bomb", "bomb"], assay: ["iron", "gold", "platinum"], wheelbarrow: ["iron", "iron", "iron", "iron"], "treasure-cart": ["artifact"], "powder-room": ["bomb", "bomb", "bomb"], "iron-stock": ["iron"], "gold-stock": ["gold"], "platinum-stock": ["platinum"],
  "emerald-stock": ["emerald"], "ruby-stock": ["ruby"], "diamond-stock": ["diamond"], "four-fronts": ["iron", "gold", "platinum", "emerald"],
};
const artifactSigns = { "draw-two": ["draw-2"], "bomb-draw": ["bomb", "draw-1"], platinum: ["platinum"], "gold-draw": ["gold", "draw-1"] };
const findBoxes = (names, context) => (names.length === 0 ? null : element("span", {}, names.map((name) => findBox(name, tables(context).values.get(name)))));

function goalDrawing(id, context) {
  const major = tables(context).majors.get(id);
  if (id === "long-haul") return shapeBox(Array.from({ length: 5 }, (_, i) => [0, i]));
  if (id === "joker-drill") return element("span", {}, Array.from({ length: 3 }, () => letter("wild")));
  if (major === undefined) return findBoxes(goalSigns[id] ?? [], context);
  return element("span", {}, colors.flatMap((color) => Array.from({ length: major.needs[color] }, () => letter(color))));
}

export const comes = {
  majors: goalDrawing, minors: goalDrawing, artifacts: (id, context) => findBoxes(["artifact", ...artifactSigns[id] ?? []], context),
  side: (side, context) => sideDrawing(boardBelow(context.view, context.seats, context).of(side), context, { class: "large" }),
};

export function component(id, from, context) {
  if (from === "majors") return goalName(id, context);
  if (from === "minors") return say("motherload.artifact_is", { name: goalName(id, context), text: goalText(id, context) });
  if (from === "side") return say("motherload.side_word", { side: id });
  return from.startsWith("artifacts-") ? say("motherload.artifact_is", { name: say(`motherload.artifact_${id}`), text: say(`motherload.artifact_text_${id}`) }) : null;
}

function placeSentence(words, context) {
  const { view } = context;
  const { values } = tables(context);
  const cells = tunnelOf(words, view, context);
  const found = contentOf(cells, view);
  const stones = found.filter((name) => values.has(name));
  const others = found.filter((name) => !values.has(name)).map(findName);
  const gain = [stones.length === 0 ? null : say("motherload.worth", { minerals: mineralsText(stones, context), amount: stones.reduce((sum, name) => sum + values.get(name), 0) }), ...others].filter(Boolean);
  const named = mineSpaces(cells.map(([column, row]) => nameAt(column, row, view.boards)));
  return gain.length === 0 ? say("motherload.say_place_nothing", { spaces: named }) : say("motherload.say_place", { spaces: named, gain: gain.join(", ") });
}

function drillSentence(color, ids, context) {
  const cards = ids.map((id) => cardOf(id, ownPlayer(context), context));
  const bonuses = cards.filter((card) => card.drill_bonus !== null).map((card) => say("motherload.sentence", { text: say(`motherload.drill_${card.drill_bonus}`) }));
  return [say("motherload.say_drill", { count: cards.reduce((sum, card) => sum + card.icons, 0), color: colorName(color), cards: cards.map(cardName).join(", ") }), ...bonuses].join(" ");
}

function artifactSentence([id, ...rest]) {
  const text = say(`motherload.artifact_text_${id}`);
  const where = rest.length === 0 ? null : rest.length === 1 ? say("motherload.on_stack", { color: colorName(rest[0]) }) : say("motherload.mineral_on_stack", { mineral: findName(rest[0]), color: colorName(rest[1]) });
  return [say("motherload.say_artifact", { name: say(`motherload.artifact_${id}`) }), say("motherload.sentence", { text }), where].filter(Boolean).join(" ");
}

function buySentence(color, isRecruited, context) {
  const player = ownPlayer(context);
  const card = cardText(cardOf(player.stacks[color].card, player, context), tables(context).patterns);
  return say(isRecruited ? "motherload.say_recruit" : "motherload.say_buy", { card });
}

export function sentence([verb, ...rest], context) {
  const { view } = context;
  const own = ownPlayer(context);
  const told = {
    side: () => say("motherload.say_side", { side: rest[0] }),
    deck: () => say("motherload.say_deck", { deck: say(`motherload.deck_${rest[0]}`) }),
    draw: () => say("motherload.say_draw"),
    drill: () => drillSentence(rest[0], rest.slice(1), context),
    bomb: () => say("motherload.say_bomb", { card: cardName(cardOf(rest[0], own, context)), count: tables(context).patterns.get(cardOf(rest[0], own, context).pattern).spaces }),
    end: () => say("motherload.say_end"),
    artifact: () => artifactSentence(rest),
    claim: () => say("motherload.say_claim", { name: goalName(rest[0], context) }),
    swap: () => say("motherload.say_swap", { name: goalName(rest[0], context) }),
    place: () => placeSentence(["place", ...rest], context),
    put: () => say("motherload.say_put", { minerals: mineralsText(putsSingly(view) ? each(view.turn.waiting).slice(0, 1) : each(view.turn.waiting), context), color: colorName(rest[0]) }),
    buy: () => buySentence(rest[0], rest[1] === "recruit", context),
    copy: () => say("motherload.mineral_on_stack", { mineral: findName(rest[0]), color: colorName(rest[1]) }),
    discard: () => say("motherload.say_discard", { card: cardName(cardOf(rest[0], own, context)) }),
  };
  return told[verb]();
}

export function warning([verb], view, context) {
  const { claimable, left } = view.turn;
  const lapses = ["end", "draw", "drill", "bomb"].includes(verb);
  const warnings = [verb === "end" && left > 0 ? say("motherload.warn_actions", { count: left }) : null,
    lapses && claimable.length > 0 ? say("motherload.warn_claim", { goals: claimable.map((id) => goalName(id, context)).join(", ") }) : null].filter(Boolean);
  return warnings.length === 0 ? null : warnings.join(" ");
}
