// Signs of Superstore 3000, drawn for this page: line drawings in a square of 24 for stores and attractions,
// the awnings of the categories, people.
import { svg } from "./svg.js";

export const stores = {
  restaurant: "M5 3v5.5a2.7 2.7 0 0 0 5.4 0V3M7.7 3v18M17.5 21V3c-2.6 1.2-3.6 4.4-3.6 9h3.6",
  "ice-cream-stand": "M6.5 11.5L12 22l5.5-10.5M5.5 11.5a6.5 6.5 0 1 1 13 0zM9 14.5h6",
  grocery: "M2.5 10h19l-2 10.5h-15zM7 10l4-7M17 10l-4-7M8.5 13.5v3.5M12 13.5v3.5M15.5 13.5v3.5",
  theater: "M4.5 4c5 1.6 10 1.6 15 0v8.5a7.5 8.5 0 0 1-15 0zM8 9.5h2.5M13.5 9.5H16M8.5 14a3.8 3.4 0 0 0 7 0z",
  "book-store": "M12 6.5C9 4.3 6 4 2.5 5v14c3.5-1 6.5-.7 9.5 1.5 3-2.2 6-2.5 9.5-1.5V5C18 4 15 4.3 12 6.5zM12 6.5v14",
  gym: "M2.5 9.5v5M5.5 6.5v11M18.5 6.5v11M21.5 9.5v5M5.5 12h13",
  "interior-design": "M8.5 3h7l3.5 9.5H5zM12 12.5V20M7.5 21h9",
  apparel: "M8.5 3.5a3.5 3 0 0 0 7 0L22 7l-2.5 4.5L17 10.5V21H7V10.5l-2.5 1L2 7z",
  "hair-salon": "M8 15.5L17.5 3M16 15.5L6.5 3M6 21.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM18 21.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
};

export const attractions = {
  "night-club": "M9 18V5.5l10.5-2.5v13M6.5 20.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM17 18.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  "cosmic-bowling": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9 8v.1M13 7v.1M12 11v.1",
  "comet-cabaret": "M15.5 2.5l1.8 4 4.2.5-3.2 3 .9 4.2-3.7-2.1-3.8 2.1.9-4.2-3.1-3 4.2-.5zM9.5 14.5L3 21M7 11l-4 4M13.5 16.5L9 21",
  "escape-room": "M8 13a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM11.5 11.5L21 21M17.5 17.5l3-3M14.5 14.5l2.5-2.5",
  "nebula-bungee-jumping": "M6 2.5h12M12 2.5c-6 2-6 4 0 4s6 2 0 4-6 4 0 4M12 17v-2.5M12 22a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  "dinosaur-zoo": "M2 20.5c2.5-1 3.5-3 4-5 .7-3 3-4.5 6-4.5V6c0-2 1.5-3 3.5-3H19l2.5 2.5v2H16V13c0 2-1 3.5-2.5 4.5v3H11V18H9.5v2.5H7V17",
  "monster-battle-arena": "M4 3l14 14M20 3L6 17M3 14.5l6.5 6.5M21 14.5L14.5 21M3.5 20.5L6 18M20.5 20.5L18 18",
  "dimensional-drive-in": "M2.5 17v-4l3.5-1.5L8 7h8l2 4.5 3.5 1.5v4H19M9.5 17h5M5 17H2.5M7.3 19.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6zM16.7 19.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6zM6 11.5h12",
  "haunted-estate": "M5 21V10a7 7 0 0 1 14 0v11l-3-2.5-2 2.5-2-2.5-2 2.5-2-2.5zM9.5 9v1.5M14.5 9v1.5M10.5 14.5h3",
  "tornado-ride": "M3 4h18M5 8h13M8 12h9M10 16h5M12 20h3",
  aquarium: "M2.5 12c4-7.5 11.5-7.5 15.5 0-4 7.5-11.5 7.5-15.5 0zM18 12l3.5-4.5v9zM7.5 11v.1M11.5 8.5a6 6 0 0 1 0 7",
};

export const note = "M1.5 6.5h21v11h-21zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM5 12v.1M19 12v.1";
export const gate = "M3.5 21V8L12 3l8.5 5v13M3.5 12.5h17M3.5 16.5h17M3.5 20.5h17";
export const tick = "M4 13l5.5 6L20 5";

// A sign with its upper left corner at (x, y), `size` wide.
export function sign(path, x, y, size) {
  return svg("path", { class: "sign", d: path, transform: `translate(${x} ${y}) scale(${size / 24})` });
}

// The same by itself, beside words.
export function signBox(path, attributes = {}) {
  return svg("svg", { viewBox: "0 0 24 24", class: "sign-box", "aria-hidden": "true", ...attributes }, sign(path, 0, 0, 24));
}

const range = (count) => Array.from({ length: count }, (_, i) => i);

// The lower edges of awnings from (0, y) to (width, y): scallops, points, straight.
const edges = {
  food: (width, y) => range(4).map(() => `a${width / 8} 5 0 0 1 ${-width / 4} 0`).join(""),
  hobby: (width) => range(4).map(() => `l${-width / 8} 7 ${-width / 8}-7`).join(""),
  fashion: () => "",
  entrance: (width) => `q${-width / 2}-6 ${-width} 0`,
};

function stripes(category, width, height) {
  if (category === "food") return svg("path", { class: "stripes", d: range(2).map((i) => `M${width / 4 * (2 * i + .5)} 0v${height + 4}`).join(""), "stroke-width": width / 9 });
  if (category === "hobby") return svg("path", { class: "stripes dots", d: range(4).map((i) => `M${width / 4 * (i + .5)} ${height * .45}h.1`).join(""), "stroke-width": height * .42 });
  if (category === "fashion") return svg("path", { class: "stripes", d: range(7).map((i) => `M${width / 7 * (i + .15)} ${height}l${width / 10}${-height}`).join(""), "stroke-width": width / 26 });
  return null;
}

// What a category is known by, besides its colour: scallops and stripes, points and dots, slanting lines.
export function awning(category, x, y, width, height) {
  const body = `M0 0H${width}V${height}${edges[category](width, height) || `H0`}z`;
  return svg("g", { class: `awning ${category}`, transform: `translate(${x} ${y})` }, svg("path", { d: body }), stripes(category, width, height));
}

export function awningBox(category) {
  return svg("svg", { viewBox: "-1 -3 42 26", class: "sign-box wide", "aria-hidden": "true" }, awning(category, 0, 0, 40, 14));
}

// A person standing with the feet at (x, y), or lying in a store.
export function standing(x, y) {
  return svg("g", { class: "person", transform: `translate(${x} ${y})` }, svg("circle", { cy: -17, r: 4.5 }), svg("path", { d: "M-6 0c0-7 1-12 6-12s6 5 6 12z" }));
}

export function lying(x, y) {
  return svg("g", { class: "person lying", transform: `translate(${x} ${y}) rotate(-90)` }, svg("circle", { cy: -17, r: 4.8 }), svg("path", { d: "M-6 24c0-12 1-36 6-36s6 24 6 36z" }));
}
