// Signs of Mall World, drawn for this page: of uses in a square of 24, of target groups as figures.
import { svg } from "./svg.js";

export const uses = {
  clothing: "M8.5 3.5a3.5 3 0 0 0 7 0L22 7l-2.5 4.5-2.5-1V21H7V10.5l-2.5 1L2 7z",
  food: "M12 7.5c-1.5-2-8-2.5-8 4.5 0 5 3.5 9 6 9 1 0 1.3-.5 2-.5s1 .5 2 .5c2.5 0 6-4 6-9 0-7-6.5-6.5-8-4.5zM12 7.5c0-2.5 1.5-4.5 4-4.5",
  hobby: "M12 2l9 5v10l-9 5-9-5V7zM12 12l9-5M12 12L3 7M12 12v10",
  sports: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 3v18M3 12h18M5.5 5.7c4 3.5 4 9 0 12.6M18.5 5.7c-4 3.5-4 9 0 12.6",
};

// Standing on (0, 10), 20 high, to be filled.
export const groups = {
  men: "M-2.7-7.3a2.7 2.7 0 1 0 5.4 0 2.7 2.7 0 1 0-5.4 0zM-5-3.8H5V3H3.3V10H.6V4.5H-.6V10H-3.3V3H-5z",
  women: "M-2.7-7.3a2.7 2.7 0 1 0 5.4 0 2.7 2.7 0 1 0-5.4 0zM-3.5-3.8h7L6.5 5H3v5H.6V5H-.6v5H-3V5H-6.5z",
  teenagers: "M-3.5-6.8a2.7 2.7 0 0 1 5.4-1.2h3.6v1.2H1.9a2.7 2.7 0 0 1-5.4 0zM-4.5-3h8l3 4.5-1.5 1-2-2.5V4l2 6H3L.5 4.5h-1L-3 10h-2.5l2-6z",
  kids: "M-4.2-3a2.4 2.4 0 1 0 4.8 0 2.4 2.4 0 1 0-4.8 0zM-4.5.3h5l2.5-3 1.2 1L1.5 3v7H-.6V6h-1.2v4H-4V5l-1.5-1zM4-6.5a2.7 3.2 0 1 0 5.4 0 2.7 3.2 0 1 0-5.4 0zM6.5-3.5h.6V3h-.6z",
};

const range = (count) => Array.from({ length: count }, (_, i) => i);

// What a use is known by, besides its colour and its sign: lines, dots, lattice, waves.
const patterns = {
  clothing: range(7).map((i) => `M${6 + 8 * i} 2v56`).join(""),
  food: range(5).flatMap((i) => range(5).map((k) => `M${6 + 12 * i} ${6 + 12 * k}h.1`)).join(""),
  hobby: range(4).map((i) => `M${4 + 16 * i} 2L2 ${4 + 16 * i}M58 ${8 + 16 * i}L${8 + 16 * i} 58M${4 + 16 * i} 58L2 ${56 - 16 * i}M58 ${52 - 16 * i}L${8 + 16 * i} 2`).join(""),
  sports: range(5).map((i) => `M3 ${9 + 11 * i}q4.5-7 9 0${"t9 0".repeat(5)}`).join(""),
};

export function sign(use, x, y, size) {
  return svg("path", { class: "sign", d: uses[use], transform: `translate(${x} ${y}) scale(${size / 24})` });
}

// The figure of a group on its chip, the middle at (x, y).
export function chip(group, x, y, radius) {
  return svg("g", { class: `chip ${group}`, transform: `translate(${x} ${y}) scale(${radius / 14})` }, svg("circle", { r: 14 }), svg("path", { d: groups[group], transform: "scale(.98)" }));
}

// A shop in a square of 60; let, if it has a group.
export function shop(use, group = null) {
  return svg("g", { class: `shop ${use}` }, svg("rect", { class: "floor", x: 1.5, y: 1.5, width: 57, height: 57, rx: 4 }),
    svg("path", { class: `pattern ${use}`, d: patterns[use] }), svg("circle", { class: "sign-disc", cx: group === null ? 30 : 20, cy: group === null ? 30 : 20, r: group === null ? 20 : 16 }),
    group === null ? sign(use, 16, 16, 28) : [sign(use, 9, 9, 22), chip(group, 41, 41, 15.5)]);
}
