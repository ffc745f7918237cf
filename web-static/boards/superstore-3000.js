// Superstore 3000: the dispenser, and every mall as it stands, floor above floor; the attractions that can be
// built with their shapes, docking bays and balloons.
import { element } from "../lib/common.js";
import { said, say } from "../lib/words.js";
import { markOf, ownAndOthers, tablesOf, unseen } from "./parts.js";
import { attractions as attractionSigns, awning, awningBox, gate as bayGate, lying, note, sign, signBox, standing, stores as signs, tick } from "./superstore-signs.js";
import { svg } from "./svg.js";

export const sheet = "/static/boards/superstore-3000.css";
export const scope = "superstore";

const size = 60; // of a cell, in units of the drawing
const categories = ["food", "hobby", "fashion"];
const balloons = ["rainbow", "hobby", "food", "fashion"];

/* ---- What the components say ---- */

const tables = tablesOf((components) => {
  const wishes = new Map([...components.entrances.items, ...components.main_entrances.items].map(({ id, wishes: list }) => [id, list]));
  for (const bay of components.docking_bays.items) wishes.set(bay.id, bay.wish === null ? [] : [bay.wish]);
  return { wishes,
    category: new Map(components.store_types.items.map((type) => [type.id, type.category])),
    attractions: new Map(components.attractions.items.map((each) => [each.id, each])),
    bays: new Map(components.docking_bays.items.map((each) => [each.id, each])),
    prices: components.dispenser.cost_by_row };
});

function x(column) {
  const number = Number(column.slice(1));
  return { l: -number, m: number - 1, r: number + 1 }[column[0]];
}

const columnAt = (at) => (at < 0 ? `l${-at}` : at < 2 ? `m${at + 1}` : `r${at - 1}`);

const isEntrance = (tile) => tile.startsWith("entrance-");
const isMain = (tile) => tile.startsWith("main-");

function categoryOf(tile, context) {
  return isEntrance(tile) || isMain(tile) ? "entrance" : tables(context).category.get(tile) ?? null;
}

// The cells of an attraction in its face, with its plates: {x, y} from the base cell.
function shape(attraction, face) {
  const turn = ([dx, dy]) => ({ x: face === "back" ? -dx : dx, y: dy });
  const [left, right] = face === "back" ? ["right_plates", "left_plates"] : ["left_plates", "right_plates"];
  return { cells: attraction.cells.map(turn), platforms: attraction.platforms.map(turn), left: attraction[left].map(turn), right: attraction[right].map(turn) };
}

/* ---- Names ---- */

function tileName(tile) {
  return say(isEntrance(tile) ? "superstore.entrance" : isMain(tile) ? "superstore.main" : `superstore.name_${tile}`);
}

const wishNames = (wishes) => wishes.map((wish) => say(`superstore.name_${wish}`)).join(", ");
const cellName = (column, floor) => say("superstore.cell", { column, floor });

const priceText = (count) => (count === 0 ? say("superstore.free") : say("superstore.price", { count }));

// A tile that is for sale.
function offerText(tile, context) {
  return isEntrance(tile) ? say("superstore.entrance_with", { wishes: wishNames(tables(context).wishes.get(tile)) }) : tileName(tile);
}

// A tile that stands somewhere.
function tileText(tile) {
  const name = tileName(tile.tile);
  if (tile.face) return name;
  if (tile.occupied !== undefined) return say(tile.occupied ? "superstore.store_taken" : "superstore.store_free", { name });
  return tile.standing.length === 0 ? name : say("superstore.waiting", { name, wishes: wishNames(tile.standing) });
}

/* ---- Tiles ---- */

// A customer with a bubble that shows the wish.
function customer(wish, at, context, attributes = {}) {
  const general = wish.startsWith("any-");
  const category = general ? wish.slice(4) : tables(context).category.get(wish);
  return svg("g", { class: `customer ${category}`, transform: `translate(${at} 0)`, ...attributes },
    svg("title", {}, say(`superstore.name_${wish}`)),
    svg("path", { class: "bubble", d: "M-13 3h26a2 2 0 0 1 2 2v22a2 2 0 0 1-2 2h-10l-3 4-3-4h-10a2 2 0 0 1-2-2v-22a2 2 0 0 1 2-2z" }),
    general ? awning(category, -11, 9, 22, 9) : sign(signs[wish], -10, 6, 20),
    standing(0, size - 5));
}

const places = { 1: [size / 2], 2: [16, size - 16], 3: [20, size, 2 * size - 20] };

// The customers who wait on a tile, each in a place of their own.
function customers(tile, waiting, context, token = () => ({})) {
  const wishes = tables(context).wishes.get(tile);
  return wishes.map((wish, i) => (waiting.includes(wish) ? customer(wish, places[wishes.length][i], context, token(wish)) : null));
}

function storePart(type, occupied, context) {
  return [
    awning(tables(context).category.get(type), 2, 2, size - 4, 11),
    sign(signs[type], 16, 14, 28),
    occupied ? lying(28, size - 9) : svg("path", { class: "bed", d: `M9 ${size - 6}h${size - 18}` }),
  ];
}

function entrancePart(tile, waiting, context, token) {
  const width = isMain(tile) ? 2 * size : size;
  return [
    svg("path", { class: "door", d: `M${width / 2 - 16} ${size - 3}v-30a16 14 0 0 1 32 0v30M${width / 2} ${size - 3}v-43` }),
    awning("entrance", 2, 2, width - 4, 6), customers(tile, waiting, context, token),
  ];
}

function bayPart(id, waiting, context, token) {
  const { colour, category, points, effect } = tables(context).bays.get(id);
  const grows = effect === "column-points";
  return [
    svg("path", { class: `gate ${colour}`, d: colour === "gray" ? "M5 22h50M5 31h50M5 40h50M5 49h50" : "M8 22l44 32M52 22L8 54M5 19h50v38H5z" }),
    category === null ? null : awning(category, 5, 4, size - 10, 10),
    waiting.length > 0 ? customers(id, waiting, context, token) : [svg("circle", { class: "points", cx: size / 2, cy: 38, r: 12 }),
      svg("text", { class: "points-text", x: size / 2, y: 43.5, "aria-hidden": "true" }, grows ? `${points}+` : points)],
  ];
}

// What stands on one cell (the main entrance: on two), drawn from the cell's upper left corner.
function tileBody(tile, context, { occupied = false, waiting = [], token } = {}) {
  const { bays } = tables(context);
  const width = isMain(tile) ? 2 * size : size;
  const category = categoryOf(tile, context);
  const body = bays.has(tile) ? bayPart(tile, waiting, context, token)
    : category === "entrance" ? entrancePart(tile, waiting, context, token) : storePart(tile, occupied, context);
  return svg("g", { class: category ?? bays.get(tile).colour }, svg("rect", { class: "body", x: 2, y: 2, width: width - 4, height: size - 4, rx: 4 }), body);
}

// The outline of cells as squares whose common sides are gone.
function outline(cells) {
  const has = (at, up) => cells.some((cell) => cell.x === at && cell.y === up);
  return cells.map(({ x: at, y: up }) => {
    const [left, top] = [at * size, -(up + 1) * size];
    const [a, b] = [left + (has(at - 1, up) ? 0 : 3), left + size - (has(at + 1, up) ? 0 : 3)];
    const [c, d] = [top + (has(at, up + 1) ? 0 : 3), top + size - (has(at, up - 1) ? 0 : 3)];
    return `M${a} ${c}H${b}V${d}H${a}z`;
  }).join("");
}

// An attraction drawn from the lower left corner of its base cell: its plates, its emblem on the base cell.
function attractionBody(attraction, face) {
  const { cells, platforms, left, right } = shape(attraction, face);
  const bar = (at, up, d) => `M${at * size} ${-up * size}${d}`;
  const last = cells.reduce((best, cell) => (cell.y > best.y || (cell.y === best.y && cell.x > best.x) ? cell : best));
  return svg("g", { class: `attraction ${attraction.group}` },
    svg("path", { class: "body", d: outline(cells) }),
    svg("path", { class: "tracery", d: cells.map((cell) => bar(cell.x, cell.y, `m10 -10l${size - 20} ${20 - size}m-20 0l20 20`)).join("") }),
    svg("path", { class: "plates", d: [bar(0, 0, `m12 -4h${size - 24}`), ...platforms.map((cell) => bar(cell.x, cell.y + 1, `m7 4h${size - 14}`)),
      ...left.map((cell) => bar(cell.x, cell.y, `m4 -16v${32 - size}`)), ...right.map((cell) => bar(cell.x + 1, cell.y, `m-4 -16v${32 - size}`))].join("") }),
    svg("circle", { class: "emblem-disc", cx: size / 2, cy: -size / 2, r: 19 }), sign(attractionSigns[attraction.id], size / 2 - 13, -size / 2 - 13, 26),
    svg("circle", { class: "points", cx: last.x * size + size - 16, cy: -last.y * size - size + 19, r: 10 }),
    svg("text", { class: "points-text", x: last.x * size + size - 16, y: -last.y * size - size + 24, "aria-hidden": "true" }, attraction.points));
}

// The same by itself, as small as it goes.
function attractionBox(attraction, face, attributes) {
  const { cells } = shape(attraction, face);
  const [xs, ys] = [cells.map((cell) => cell.x), cells.map((cell) => cell.y)];
  const [left, top] = [Math.min(...xs), Math.max(...ys)];
  const [width, height] = [Math.max(...xs) - left + 1, top - Math.min(...ys) + 1];
  return element("span", { class: "shape", ...attributes }, svg("svg", { viewBox: `${left * size} ${-(top + 1) * size} ${width * size} ${height * size}`,
    width: width * 22, height: height * 22, "aria-hidden": "true" },
    attractionBody(attraction, face)));
}

/* ---- Emblems ---- */

const wishEmblem = (wish) => (wish.startsWith("any-") ? awningBox(wish.slice(4)) : signBox(signs[wish]));

function tileEmblem(tile, event, context) {
  if (tables(context).bays.has(tile)) return signBox(bayGate);
  return isEntrance(tile) || isMain(tile) ? awningBox("entrance") : signBox(signs[tile] ?? attractionSigns[tile]);
}

export const emblems = {
  kind: (kind) => ({ money_taken: () => signBox(note), customer_satisfied: () => personBox(), card_revealed: () => signBox(attractionSigns["night-club"]) })[kind]?.() ?? null,
  tile: tileEmblem, store: tileEmblem, wish: wishEmblem,
};

/* ---- What has changed, and what is about to ---- */

// Where the entry that led here has left its traces: cells of a seat's mall, ways of customers, money, slots.
function changes(context) {
  const found = { cells: new Set(), ways: [], money: new Set(), refilled: null };
  for (const event of context.entry?.events ?? []) {
    if (event.column) found.cells.add(`${event.seat} ${event.column} ${event.floor}`);
    if (event.kind === "customer_satisfied") {
      found.ways.push(event);
      found.cells.add(`${event.seat} ${event.to.column} ${event.to.floor}`);
    }
    if (event.kind === "money_taken") found.money.add(event.seat);
    if (event.kind === "dispenser_refilled") found.refilled = event.dispenser;
  }
  return found;
}

// The tile that a planned move would add to the own mall, or null.
function plannedTile(view, context) {
  const [verb, what, ...rest] = context.planned ?? [];
  if (verb === "build") return { tile: view.dispenser[what[0]][Number(what[1]) - 1], column: rest[0], floor: Number(rest[1]) };
  if (verb === "dock") return { tile: what, column: rest[0], floor: 1 };
  if (verb === "attract") return { tile: what, face: rest[0], column: rest[1], floor: Number(rest[2]) };
  return null;
}

/* ---- A mall ---- */

function cellsOf(tile, context) {
  const at = x(tile.column);
  if (tile.face) return shape(tables(context).attractions.get(tile.tile), tile.face).cells.map((cell) => ({ x: at + cell.x, floor: tile.floor + cell.y }));
  return isMain(tile.tile) ? [{ x: 0, floor: 1 }, { x: 1, floor: 1 }] : [{ x: at, floor: tile.floor }];
}

// The free cells on floor 1 beside the entrance and its bays.
function bayPlaces(mall, context) {
  const taken = new Set(mall.flatMap((tile) => cellsOf(tile, context)).filter((cell) => cell.floor === 1).map((cell) => cell.x));
  const ground = mall.filter((tile) => isMain(tile.tile) || tables(context).bays.has(tile.tile));
  const row = ground.flatMap((tile) => cellsOf(tile, context)).map((cell) => cell.x);
  return [Math.min(...row) - 1, Math.max(...row) + 1].filter((at) => !taken.has(at)).map((at) => ({ column: columnAt(at), floor: 1 }));
}

// How cells become points of the drawing.
class Plan {
  constructor(cells) {
    const xs = cells.map((cell) => cell.x);
    this.left = Math.min(-1, ...xs);
    this.right = Math.max(2, ...xs);
    this.top = Math.max(3, ...cells.map((cell) => cell.floor));
    this.margin = 30;
    this.width = (this.right - this.left + 1) * size + this.margin;
    this.height = this.top * size + 26;
  }

  x(at) {
    return (at - this.left) * size + this.margin;
  }

  y(floor) {
    return (this.top - floor) * size;
  }

  corner({ column, floor }) {
    return `translate(${this.x(x(column))} ${this.y(floor)})`;
  }

  grid() {
    const floors = Array.from({ length: this.top }, (_, i) => i + 1);
    const columns = Array.from({ length: this.right - this.left + 1 }, (_, i) => this.left + i);
    const bottom = this.top * size;
    return svg("g", { id: null, class: "grid", "aria-hidden": "true" },
      svg("path", { d: floors.map((floor) => `M${this.margin} ${this.y(floor)}H${this.width}`).join("") }),
      svg("path", { class: "ground", d: `M${this.margin - 6} ${bottom}H${this.width}` }),
      floors.map((floor) => svg("text", { x: this.margin - 10, y: this.y(floor) + size / 2 + 5, "text-anchor": "end" }, floor)),
      columns.map((at) => svg("text", { x: this.x(at) + size / 2, y: bottom + 18, "text-anchor": "middle" }, columnAt(at))));
  }
}

function tilePart(player, tile, plan, context, fresh, isOwn) {
  const at = `${tile.column} ${tile.floor}`;
  const classes = `tile${fresh.cells.has(`${player.seat} ${at}`) ? " fresh" : ""}`;
  const attributes = { id: `tile-${player.seat}-${tile.column}-${tile.floor}`, class: classes };
  const title = svg("title", {}, tileText(tile));
  if (tile.face) {
    return svg("g", { ...attributes, transform: `translate(${plan.x(x(tile.column))} ${plan.y(tile.floor - 1)})` }, title,
      attractionBody(tables(context).attractions.get(tile.tile), tile.face));
  }
  const place = cellName(tile.column, tile.floor);
  const token = (wish) => (isOwn ? { "data-token": `${at} ${wish}`, "data-verbs": "serve",
    "data-label": say("superstore.customer_at", { wish: say(`superstore.name_${wish}`), place }) } : {});
  const store = isOwn && tile.occupied !== undefined ? { "data-token": at, "data-verbs": "serve",
    "data-label": say("superstore.at", { name: tileText(tile), place }) } : {};
  return svg("g", { ...attributes, ...store, transform: plan.corner(tile) }, title,
    tileBody(tile.tile, context, { occupied: tile.occupied, waiting: tile.standing ?? [], token }),
    svg("rect", { class: "frame", x: 1, y: 1, width: (isMain(tile.tile) ? 2 : 1) * size - 2, height: size - 2, rx: 5 }));
}

function placePart(player, place, plan, isOwn, verbs, tokens) {
  const label = say("superstore.place", { place: cellName(place.column, place.floor) });
  return svg("g", { id: `place-${player.seat}-${place.column}-${place.floor}`, class: "place", transform: plan.corner(place),
    ...(isOwn ? { "data-token": tokens, "data-verbs": verbs, "data-place": verbs === "dock" ? 2 : null, "data-label": label } : {}) },
    svg("title", {}, label), svg("rect", { x: 5, y: 5, width: size - 10, height: size - 10, rx: 5 }), svg("path", { d: `M${size / 2} ${size / 2 - 7}v14m-7-7h14` }));
}

// Where a customer stands, and where one lies.
function footOf(mall, { column, floor }, wish, plan, context) {
  const tile = mall.find((each) => each.column === column && each.floor === floor);
  const wishes = tables(context).wishes.get(tile.tile);
  return [plan.x(x(column)) + places[wishes.length][wishes.indexOf(wish)], plan.y(floor) + size - 14];
}

function wayPart(mall, way, plan, context, what) {
  const [fromX, fromY] = footOf(mall, way.from, way.wish, plan, context);
  const [toX, toY] = [plan.x(x(way.to.column)) + size / 2, plan.y(way.to.floor) + size - 15];
  const bend = Math.abs(toX - fromX) < 30 ? 26 : 0;
  return svg("path", { class: `way ${what}`, d: `M${fromX} ${fromY}Q${(fromX + toX) / 2 + bend} ${(fromY + toY) / 2 - 14} ${toX} ${toY}` });
}

function waysPart(player, view, plan, context, fresh) {
  const gone = fresh.ways.filter((way) => way.seat === player.seat).map((way) => wayPart(player.mall, way, plan, context, "gone"));
  if (view.choice === null || view.active !== player.seat) return gone;
  const [verb, column, floor, wish, toColumn, toFloor] = context.planned ?? [];
  return [gone, view.choice.flatMap((each) => each.stores.map((to) => {
    const isPlanned = verb === "serve" && each.column === column && each.floor === Number(floor) && each.wish === wish && to.column === toColumn && to.floor === Number(toFloor);
    return wayPart(player.mall, { from: each, wish: each.wish, to }, plan, context, isPlanned ? "planned" : "possible");
  }))];
}

function ghostPart(tile, plan, context) {
  if (tile === null) return null;
  const attraction = tables(context).attractions.get(tile.tile);
  return svg("g", { class: "ghost", transform: tile.face ? `translate(${plan.x(x(tile.column))} ${plan.y(tile.floor - 1)})` : plan.corner(tile) },
    tile.face ? attractionBody(attraction, tile.face) : tileBody(tile.tile, context, { waiting: tables(context).wishes.get(tile.tile) ?? [] }));
}

function mallDrawing(player, view, context, fresh) {
  const isOwn = player.seat === context.own;
  const ghost = isOwn ? plannedTile(view, context) : null;
  const bays = bayPlaces(player.mall, context);
  const placed = [...player.support_places, ...bays].map(({ column, floor }) => ({ x: x(column), floor }));
  const plan = new Plan([...player.mall, ...(ghost === null ? [] : [ghost])].flatMap((tile) => cellsOf(tile, context)).concat(placed));
  const label = say("superstore.mall_of", { name: context.seatText(player.seat) });
  const scale = isOwn ? 1 : .75;
  const verbs = "build attract";
  return element("div", { class: "mall" }, svg("svg", { viewBox: `0 0 ${plan.width} ${plan.height}`, width: plan.width * scale, height: plan.height * scale,
    role: isOwn ? "group" : "img", "aria-label": label, "data-told": true },
    plan.grid(),
    svg("g", {}, player.support_places.map((place) => placePart(player, place, plan, isOwn, verbs, `${place.column} ${place.floor}`)),
      bays.map((place) => placePart(player, place, plan, isOwn, "dock", place.column))),
    svg("g", {}, player.mall.map((tile) => tilePart(player, tile, plan, context, fresh, isOwn))),
    svg("g", {}, waysPart(player, view, plan, context, fresh)), ghostPart(ghost, plan, context)));
}

// The same in words, for screen readers: from the ground up.
function mallWords(player) {
  const tiles = [...player.mall].sort((a, b) => a.floor - b.floor || x(a.column) - x(b.column));
  return element("ul", { class: "unseen" }, tiles.map((tile) => element("li", {},
    say("superstore.at", { name: tileText(tile), place: cellName(tile.column, tile.floor) }))));
}

/* ---- Players ---- */

function card(player) {
  const { individual_card: held } = player;
  if (held === null) return element("p", { class: "hint" }, say("superstore.card_hidden"));
  return element("p", { class: held.met ? "card-text met" : "card-text" }, signBox(attractionSigns["night-club"]), " ", say(`superstore.card.${held.card}`),
    held.met && !player.night_club ? [" ", signBox(tick), element("span", { class: "hint" }, say("superstore.met"))] : null);
}

function fact(what, box, count, fresh) {
  return element("span", { class: fresh ? "fact fresh" : "fact", title: say(`superstore.fact_${what}`, { count }) }, box,
    element("span", { "aria-hidden": "true" }, String(count)),
    unseen(say(`superstore.fact_${what}`, { count })));
}

const personBox = () => svg("svg", { viewBox: "-13 -24 26 26", class: "sign-box", "aria-hidden": "true" }, standing(0, 0));

function totalOf(points) {
  return Object.values(points).reduce((sum, each) => sum + each, 0);
}

function playerPart(player, view, context, fresh) {
  const { seat } = player;
  const classes = ["player", `seat-${seat}`, view.active === seat && view.outcome === null ? "active" : null, seat === context.own ? "own" : null].filter(Boolean);
  return element("section", { id: `player-${seat}`, class: classes.join(" "), "aria-labelledby": `player-name-${seat}` },
    element("h3", { id: `player-name-${seat}` }, element("span", { class: "mark", "aria-hidden": "true" }, String(seat + 1)), " ", context.seatName(seat),
      view.first_player === seat ? element("span", { class: "first" }, say("superstore.first_player")) : null,
      element("span", { class: "score" }, say(view.outcome === null ? "superstore.points_now" : "superstore.points", { count: totalOf(player.points) }))),
    element("p", { class: "facts" }, fact("notes", signBox(note), player.bank_notes, fresh.money.has(seat)), fact("satisfied", personBox(), player.satisfied),
      categories.map((category) => fact(category, awningBox(category), player.clusters[category].size))),
    card(player), mallDrawing(player, view, context, fresh), mallWords(player));
}

/* ---- The dispenser ---- */

function moneyFor(column, view, context) {
  const tiles = view.dispenser[column];
  const same = tiles.slice(1).filter((tile) => categoryOf(tile, context) === categoryOf(tiles[0], context)).length;
  return 1 + Math.min(same, view.bank);
}

function slot(column, row, view, context, fresh) {
  const tile = view.dispenser[column][row];
  if (tile === undefined) return element("span", { class: "slot gone", "aria-hidden": "true" });
  const price = priceText(tables(context).prices[row]);
  const text = say("superstore.offer", { name: offerText(tile, context), slot: `${column}${row + 1}`, price });
  const isFresh = fresh.refilled === column && row === view.dispenser[column].length - 1;
  return element("span", { id: `slot-${column}${row + 1}`, class: isFresh ? "slot fresh" : "slot", title: text, "data-token": `${column}${row + 1}`,
    "data-verbs": "build", "data-label": text },
    svg("svg", { viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" }, tileBody(tile, context, { waiting: tables(context).wishes.get(tile) ?? [] })),
      unseen(text));
}

function moneyPart(column, view, context) {
  const [tile] = view.dispenser[column];
  if (tile === undefined) return element("span");
  const count = moneyFor(column, view, context);
  const text = say("superstore.say_money", { tile: offerText(tile, context), count });
  return element("span", { id: `money-${column}`, class: "money", title: text, "data-token": `money ${column}`, "data-label": text },
    signBox(note), element("span", { "aria-hidden": "true" }, `+${count}`), unseen(text));
}

function dispenser(view, context, fresh) {
  const rows = [3, 2, 1, 0].map((row) => {
    const price = tables(context).prices[row];
    return [element("span", { class: "price", title: priceText(price) }, price === 0
      ? element("span", { class: "free" }, say("superstore.free")) : Array.from({ length: price }, () => signBox(note))),
      slot("a", row, view, context, fresh), slot("b", row, view, context, fresh)];
  });
  return element("section", { id: "dispenser", class: "dispenser", "aria-labelledby": "dispenser-title" },
    element("h2", { id: "dispenser-title" }, say("superstore.dispenser")),
    element("div", { class: "slots" }, rows, element("span", { class: "price" }, say("superstore.as_money")), moneyPart("a", view, context),
      moneyPart("b", view, context)),
    element("p", {}, say("superstore.supply", { count: view.supply }), element("br"), say("superstore.bank", { count: view.bank })),
    view.last_round && view.outcome === null ? element("p", { class: "last" },
      said("superstore.last_round", { name: context.seatName((view.first_player + view.seats - 1) % view.seats) })) : null);
}

/* ---- Attractions, bays, balloons ---- */

function shapes(id, context) {
  const attraction = tables(context).attractions.get(id);
  return element("div", { class: "shapes" }, ["front", "back"].map((face) => attractionBox(attraction, face, {
    id: `shape-${id}-${face}`, "data-token": `${id} ${face}`, "data-label": say("superstore.shape",
      { name: tileName(id), points: attraction.points, face: say(`superstore.name_${face}`) }) })));
}

function worth(points) {
  const text = say("superstore.points", { count: points });
  return element("span", { class: "worth", title: text }, element("span", { "aria-hidden": "true" }, String(points)), unseen(text));
}

function attractionCard(id, points, condition, foot, context, classes = "") {
  return element("li", { id: `attraction-${id}`, class: `attraction-card ${tables(context).attractions.get(id).group} ${classes}` },
    element("h3", {}, tileName(id), worth(points)),
    element("p", {}, condition), shapes(id, context), foot);
}

function commonCard(common, context) {
  const met = common.met_by.length === 0 ? null : element("p", { class: "met" }, signBox(tick), say("superstore.met_by"), " ",
    common.met_by.map((seat) => [markOf(seat, context), unseen(context.seatName(seat))]));
  const built = common.built ? element("p", {}, said("superstore.built_by", { name: context.seatName(common.built_by) })) : null;
  const condition = say(`superstore.if.${common.attraction}.${common.side}`);
  return attractionCard(common.attraction, common.points, condition, built ?? met, context, common.built ? "built" : "");
}

function ownCard(view, context) {
  const player = view.players[context.own];
  if (player === undefined || player.night_club || player.individual_card === null) return null;
  const { card: id, met } = player.individual_card;
  return attractionCard("night-club", tables(context).attractions.get("night-club").points,
    [say(`superstore.card.${id}`), " ", element("span", { class: "hint" }, say("superstore.yours"))],
    met ? element("p", { class: "met" }, signBox(tick), say("superstore.met")) : null, context);
}

function attractionsPart(view, context) {
  const open = view.common_attractions.filter((common) => !common.built);
  const built = view.common_attractions.filter((common) => common.built);
  return element("section", { id: "attractions", "aria-labelledby": "attractions-title" }, element("h2", { id: "attractions-title" }, say("superstore.attractions")),
    element("ul", { class: "attraction-cards" }, ownCard(view, context), [...open, ...built].map((common) => commonCard(common, context))));
}

function bayText(id, context) {
  const { effect, category, points, wish } = tables(context).bays.get(id);
  const values = { name: tileName(id), category: category && say(`superstore.balloon_${category}`), wish: wish && say(`superstore.name_${wish}`), count: points };
  return say(`superstore.bay_${effect}`, values);
}

function baysPart(view, context) {
  const bays = view.docking_bays.map((id) => element("li", {}, element("span",
    { id: `bay-${id}`, class: "bay", title: bayText(id, context), "data-token": id, "data-verbs": "dock", "data-label": bayText(id, context) },
    svg("svg", { viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" }, tileBody(id, context, { waiting: tables(context).wishes.get(id) })),
      unseen(bayText(id, context)))));
  const { gray, brown } = context.components.docking_bays.requirement;
  return element("section", { id: "bays", "aria-labelledby": "bays-title" }, element("h2", { id: "bays-title" }, say("superstore.bays")),
    element("p", { class: "hint" }, say("superstore.bays_need", { gray, brown })),
    bays.length === 0 ? element("p", {}, say("superstore.bays_gone")) : element("ul", { class: "bays" }, bays));
}

function balloon(kind, { value, seat }, context) {
  return element("span", { class: "balloon", title: say("superstore.balloon", { value, name: context.seatText(seat) }) },
    svg("svg", { viewBox: "0 0 30 40", class: kind, "aria-hidden": "true" },
      svg("path", { d: "M15 2c8 0 13 6 13 13s-6 15-13 15S2 22 2 15 7 2 15 2zM15 30l-3 4h6zM15 34c-3 3 3 3 0 6" }), svg("text", { x: 15, y: 20.5 }, value)),
    markOf(seat, context), unseen(say("superstore.balloon", { value, name: context.seatText(seat) })));
}

function balloonsPart(view, context) {
  return element("section", { id: "balloons", "aria-labelledby": "balloons-title" }, element("h2", { id: "balloons-title" }, say("superstore.balloons")),
    element("dl", { class: "balloons" }, balloons.map((kind) => element("div", {},
      element("dt", {}, kind === "rainbow" ? personBox() : awningBox(kind), " ", say(`superstore.balloon_${kind}`)),
      element("dd", {}, view.balloons[kind].map((each) => balloon(kind, each, context)))))),
    view.outcome === null ? element("p", { class: "hint" }, say("superstore.balloons_tie")) : null);
}

const columns = { ...Object.fromEntries(balloons.map((kind) => [kind, () => (kind === "rainbow" ? personBox() : awningBox(kind))])),
  attractions: () => signBox(attractionSigns["night-club"]), docking_bays: () => signBox(bayGate) };

// The table of points: a row for each player, a column for each source of points.
function pointsPart(view, context) {
  const head = Object.entries(columns).map(([what, box]) => element("th", { scope: "col", title: say(`superstore.for_${what}`) }, box(),
    unseen(say(`superstore.for_${what}`))));
  const rows = view.players.map(({ seat, points }) => element("tr", { class: "row" },
    element("th", { scope: "row" }, markOf(seat, context), " ", context.seatName(seat)),
    Object.keys(columns).map((what) => element("td", { class: "number" }, String(points[what]))),
      element("td", { class: "number points-sum" }, String(totalOf(points)))));
  return element("section", { id: "points", "aria-labelledby": "points-title" },
    element("h2", { id: "points-title" }, say(view.outcome === null ? "superstore.if_over" : "superstore.over")),
    element("div", { class: "scroll" }, element("table", {}, element("thead", {},
      element("tr", {}, element("th", { scope: "col" }, say("seats.player")), head, element("th", { scope: "col" }, say("superstore.sum")))),
      element("tbody", {}, rows))));
}

function legend(context) {
  const { category } = tables(context);
  return element("details", { id: "superstore-signs" }, element("summary", {}, say("superstore.signs")),
    element("dl", { class: "signs" }, [...categories, "entrance"].map((each) => element("div", {},
      element("dt", {}, awningBox(each), " ", say(each === "entrance" ? "superstore.entrance" : `superstore.balloon_${each}`)),
      Object.keys(signs).filter((type) => category.get(type) === each).map((type) => element("dd", {}, signBox(signs[type]), " ", say(`superstore.name_${type}`)))))),
    element("p", {}, say("superstore.plates")));
}

export function draw(view, context) {
  const fresh = changes(context);
  const [own, others] = ownAndOthers(view, context);
  const part = (player) => playerPart(player, view, context, fresh);
  return element("div", { class: own.length === 0 ? "superstore watched" : "superstore" },
    element("div", { class: "side" }, dispenser(view, context, fresh), balloonsPart(view, context)),
    own.length === 0 ? null : element("div", { class: "own-mall" }, own.map(part)),
    element("div", { class: "cards" }, baysPart(view, context), attractionsPart(view, context), pointsPart(view, context)),
    element("div", { class: "malls" }, others.map(part)), legend(context));
}

/* ---- Moves in words ---- */

function slotWords(name, { view, ...context }) {
  const tile = view.dispenser[name[0]][Number(name[1]) - 1];
  return tile === undefined ? name : say("superstore.offer", { name: offerText(tile, context), slot: name,
    price: priceText(tables(context).prices[Number(name[1]) - 1]) });
}

const isColumn = (token) => /^[lmr]\d+$/.test(token);

export function word(token, words, context) {
  const [verb] = words;
  if (verb === undefined) return say(`superstore.do_${token}`);
  if (verb === "build" && words.length === 1) return slotWords(token, context);
  if (verb === "money") return say("superstore.say_money", { tile: offerText(context.view.dispenser[token][0], context), count: moneyFor(token, context.view, context) });
  if (verb === "dock" && words.length === 1) return bayText(token, context);
  if (isColumn(token)) return say("superstore.column", { column: token });
  if (/^\d+$/.test(token)) return say("superstore.floor", { floor: token });
  return say(`superstore.name_${token}`);
}

const tileDrawing = (tile, context) => svg("svg", { viewBox: `0 0 ${isMain(tile) ? 2 * size : size} ${size}`, "aria-hidden": "true" }, tileBody(tile, context, { waiting: tables(context).wishes.get(tile) ?? [] }));
const attractionDrawing = (id, context) => attractionBox(tables(context).attractions.get(id), "front");

export const comes = { supply: tileDrawing, main: tileDrawing, pink: attractionDrawing, purple: attractionDrawing };

export function component(id, from, context) {
  if (from === "main") return wishNames(tables(context).wishes.get(id));
  if (from === "side" && context.of !== null) return say(`superstore.if.${context.of}.${id}`);
  if (from.startsWith("card-")) return say(`superstore.card.${id}`);
  return ["supply", "pink", "purple"].includes(from) ? offerText(id, context) : null;
}

export function sentence([verb, ...rest], context) {
  const { view } = context;
  const told = {
    build: ([from, column, floor]) => say("superstore.say_build", { name: offerText(view.dispenser[from[0]][Number(from[1]) - 1], context),
      place: cellName(column, floor), price: priceText(tables(context).prices[Number(from[1]) - 1]) }),
    attract: ([id, face, column, floor]) => say("superstore.say_attract", { name: tileName(id), face: say(`superstore.name_${face}`), place: cellName(column, floor) }),
    dock: ([id, column]) => say("superstore.say_dock", { name: bayText(id, context), column }),
    money: ([column]) => say("superstore.say_money", { tile: offerText(view.dispenser[column][0], context), count: moneyFor(column, view, context) }),
    serve: ([column, floor, wish, toColumn, toFloor]) => say("superstore.say_serve",
      { wish: say(`superstore.name_${wish}`), from: cellName(column, floor), to: cellName(toColumn, toFloor) }),
  };
  return told[verb](rest);
}

// Attractions of which somebody else's mall, too, meets the condition can be gone by the next turn.
export function warning([verb], view, context) {
  if (verb !== "money" && verb !== "build") return null;
  const mine = view.common_attractions.filter((common) => !common.built && common.met_by.includes(context.own) && common.met_by.length > 1);
  return mine.length === 0 ? null : say("superstore.warn_attraction", { names: mine.map((common) => tileName(common.attraction)).join(", ") });
}
