// What is drawn again and again in Supermarché: foods, dice, what a customer wants.
import { element } from "../lib/common.js";
import { svg } from "./svg.js";

// In a square of 24. A food is known by its sign; colours come on top.
const signs = {
  produce: "M12 7C9 4 3.5 5.5 3.5 12c0 5 3.5 9.5 6 9.5 1.2 0 1.8-.6 2.5-.6s1.3.6 2.5.6c2.5 0 6-4.5 6-9.5C20.5 5.5 15 4 12 7zM12 6c0-2.5 1.5-4 4-4.5 0 2.5-1.5 4-4 4.5z",
  bakery: "M6.5 6h11a4 4 0 0 1 1.5 7.5V20H5v-6.5A4 4 0 0 1 6.5 6zM9 9l1.5 4M13 9l1.5 4",
  dairy: "M9 2h6v4l2.5 4.5V22h-11V10.5L9 6zM6.5 13h11v5h-11z",
  "dry-goods": "M5 6l3-3.5h8L19 6v16H5zM5 8.5h14M9 12h6v5H9z",
  frozen: "M12 2v20M3.3 7l17.4 10M20.7 7L3.3 17M9 3.5l3 2.5 3-2.5M9 20.5l3-2.5 3 2.5M3.5 11l3.5-1.5L6.5 6M20.5 13L17 14.5l.5 3.5M20.5 11L17 9.5l.5-3.5M3.5 13L7 14.5 6.5 18",
};

export const foods = Object.keys(signs);

function sign(food, transform = null) {
  return svg("path", { d: signs[food], class: `sign ${food === "frozen" ? "lines" : "solid"}`, transform, "fill-rule": "evenodd" });
}

// A cube of a food. `classes`: what becomes of it.
export function cube(food, classes = "") {
  return svg("svg", { viewBox: "0 0 30 30", class: `cube ${food} ${classes}`, "aria-hidden": "true" }, svg("rect", { x: 1.5, y: 1.5, width: 27, height: 27, rx: 4 }), sign(food, "translate(4.8 4.8) scale(.85)"));
}

const pips = { 1: [[12, 12]], 2: [[7, 7], [17, 17]], 3: [[7, 7], [12, 12], [17, 17]], 4: [[7, 7], [17, 7], [7, 17], [17, 17]], 5: [[7, 7], [17, 7], [12, 12], [7, 17], [17, 17]], 6: [[7, 6], [17, 6], [7, 12], [17, 12], [7, 18], [17, 18]] };

export function die(number) {
  return svg("svg", { viewBox: "0 0 24 24", class: "die", "aria-hidden": "true" }, svg("rect", { x: 1, y: 1, width: 22, height: 22, rx: 4 }), pips[number].map(([cx, cy]) => svg("circle", { cx, cy, r: 2.2 })));
}

// What each total of two dice means to a customer; `total`: the one that was rolled, or null.
export function wishes(ranges, total) {
  const width = 24;
  return svg("svg", { viewBox: `0 0 ${11 * width} 50`, class: "wishes", "aria-hidden": "true" },
    ranges.map(({ from, to, food }) => svg("g", { class: food, transform: `translate(${(from - 2) * width} 0)` }, svg("rect", { width: (to - from + 1) * width, height: 30, class: "field" }), sign(food, `translate(${(to - from + 1) * width / 2 - 11} 4) scale(.92)`))),
    Array.from({ length: 11 }, (_, i) => svg("g", { class: total === i + 2 ? "rolled" : null }, total === i + 2 ? svg("rect", { x: i * width + 1, y: 1, width: width - 2, height: 48, rx: 4, class: "mark-of" }) : null, svg("text", { x: i * width + width / 2, y: 45 }, String(i + 2)))));
}

// The spaces of a cart, some of which are taken.
export function cart(size, left) {
  return element("span", { class: "cart", "aria-hidden": "true" }, Array.from({ length: size }, (_, i) => element("span", { class: i < size - left ? "taken" : null })));
}
