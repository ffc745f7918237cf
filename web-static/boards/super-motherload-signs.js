// What is drawn again and again in Super Motherload: minerals and other finds, pilot cards, patterns of bombs.
// A kind has a figure or a letter of its own; colours come on top.
import { element } from "../lib/common.js";
import { patternName } from "../lib/telling.js";
import { say } from "../lib/words.js";
import { svg } from "./svg.js";

export const colors = ["red", "blue", "yellow", "wild"];
export const minerals = ["diamond", "ruby", "emerald", "platinum", "gold", "iron"];

// Outlines around 0, 0.
const figures = {
  iron: "M-11-8L-4-12 8-11 12-2 9 9-3 12-12 5z",
  gold: "M-8-9H8L13 9H-13z",
  platinum: "M-12-7C-6-13 6-13 12-7V7C6 13-6 13-12 7z",
  emerald: "M-7-12H7L12-7V7L7 12H-7L-12 7V-7z",
  ruby: "M0-13L13-4 8 12H-8L-13-4z",
  diamond: "M-7-11H7L14-3 0 14-14-3z",
};

const bombShape = () => [svg("circle", { cy: 2, r: 10, class: "shell" }), svg("path", { d: "M5-6C8-12 11-11 12-8", class: "fuse" }), svg("path", { d: "M-5-1a5 5 0 0 1 4-4", class: "shine" })];
const artifactShape = () => [svg("path", { d: "M-6 13H6L9 4 6-13H-6L-9 4z", class: "idol" }), svg("path", { d: "M-5-5h3M2-5h3M-3 3h6M0-4v4", class: "face" })];
const cardsShape = (count) => [svg("rect", { x: -9, y: -12, width: 18, height: 24, rx: 3, class: "paper" }), svg("text", { y: 6, class: "worth" }, `+${count}`)];

// A find; `what` is a mineral's name, or bomb, artifact, draw-1, draw-2.
export function find(what, worth, transform = null) {
  const shape = what === "bomb" ? bombShape() : what === "artifact" ? artifactShape() : what.startsWith("draw") ? cardsShape(what.slice(5))
    : [svg("path", { d: figures[what], class: "stone" }), svg("text", { y: 6, class: "worth" }, String(worth))];
  return svg("g", { class: `find ${what}`, transform, "aria-hidden": "true" }, shape);
}

export function findBox(what, worth = null) {
  return svg("svg", { viewBox: "-15 -15 30 30", class: "find-box", "aria-hidden": "true" }, find(what, worth));
}

// A shape of spaces ([row, column]) as small squares; the first one has a dot if asked for.
export function shapeBox(spaces, isDotted = false) {
  const rows = spaces.map(([row]) => row);
  const columns = spaces.map(([, column]) => column);
  const [top, left] = [Math.min(...rows), Math.min(...columns)];
  const [height, width] = [Math.max(...rows) - top + 1, Math.max(...columns) - left + 1];
  const [row, column] = spaces[0];
  return svg("svg", { viewBox: `-1 -1 ${width * 10 + 2} ${height * 10 + 2}`, class: "shape-box", width: width * 10 + 2, height: height * 10 + 2, "aria-hidden": "true" },
    spaces.map(([y, x]) => svg("rect", { x: (x - left) * 10, y: (y - top) * 10, width: 10, height: 10 })),
    isDotted ? svg("circle", { cx: (column - left) * 10 + 5, cy: (row - top) * 10 + 5, r: 3 }) : null);
}

// A drill for each icon of a card.
function drills(count) {
  return svg("svg", { viewBox: `0 0 ${count * 14} 22`, class: "drills", width: count * 14, height: 22, "aria-hidden": "true" },
    Array.from({ length: count }, (_, i) => svg("path", { transform: `translate(${i * 14} 0)`, d: "M2 1h9v6l-1.5 1v4L6.5 21 3.5 12V8L2 7zM3.5 9.5l6-1.5M4 13l4.5-1.5" })));
}

export function letter(color) {
  return element("span", { class: `letter ${color}`, "aria-hidden": "true" }, say(`motherload.letter_${color}`));
}

export function colorName(color) {
  return say(`motherload.color_${color}`);
}

export function cardName({ color, cost }) {
  return cost === 0 ? say("motherload.starter", { color: colorName(color) }) : say("motherload.card", { color: colorName(color), cost });
}

function bonuses({ drill_bonus: drill, buy_bonus: buy }) {
  return [drill === null ? null : say("motherload.when_drilled", { bonus: say(`motherload.drill_${drill}`) }),
    buy === null ? null : say("motherload.when_bought", { bonus: say(`motherload.buy_${buy}`) })].filter(Boolean);
}

export function cardText(card, patterns) {
  return [cardName(card), say("motherload.icons", { count: card.icons }), card.pattern === null ? null : say("motherload.pattern", { count: patterns.get(card.pattern).spaces, name: patternName(card.pattern) }),
    ...bonuses(card), card.vp === 0 ? null : say("motherload.points", { count: card.vp })].filter(Boolean).join(", ");
}

// A pilot card, all that is on it; `button`: lies over it.
export function cardPart(card, patterns, button = null) {
  const text = cardText(card, patterns);
  return element("div", { title: text, class: `pilot ${card.color}` },
    element("div", { class: "unseen" }, text),
    element("div", { class: "seen", "aria-hidden": "true" },
      element("div", { class: "head" }, letter(card.color), drills(card.icons), card.pattern === null ? null : shapeBox(patterns.get(card.pattern).orientations[0])),
      element("div", { class: "bonuses" }, bonuses(card).map((each) => element("div", {}, each))),
      card.cost === 0 ? null : element("div", { class: "foot" }, element("span", {}, say("motherload.dollars", { amount: card.cost })), element("span", {}, say("motherload.vp", { count: card.vp })))), button);
}
