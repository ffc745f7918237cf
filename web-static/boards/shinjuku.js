// Shinjuku: a map of Tokyo's 23 wards with its stations, track and Stores; the Queue above it, the players below.
import { element, listed } from "../lib/common.js";
import { said, say } from "../lib/words.js";
import { each, tablesOf, unseen } from "./parts.js";
import { height, names, wards as outlines, width } from "./shinjuku-map.js";
import { svg } from "./svg.js";

export const sheet = "/static/boards/shinjuku.css";
export const scope = "shinjuku";

const goods = ["food", "clothing", "books", "electronics"];

// Signs of the goods, in a square of 24.
const signs = {
  food: "M12 3c2.4 0 9.5 11.6 9.5 14.6 0 2.4-2 3.4-5 3.4v-6h-9v6c-3 0-5-1-5-3.4C2.5 14.6 9.6 3 12 3z",
  clothing: "M8.5 3a3.5 3 0 0 0 7 0L22 6.5 19.5 11.5 17 10.5V21H7V10.5L4.5 11.5 2 6.5z",
  books: "M2.5 4.5C6 3.5 9.5 4 11.3 5.5V20C9.5 18.6 6 18.3 2.5 19zM21.5 4.5C18 3.5 14.5 4 12.7 5.5V20C14.5 18.6 18 18.3 21.5 19z",
  electronics: "M14 1.5L4.5 13.5h6L9 22.5 19.5 9.5h-6.2z",
  department: "M4 22V8l8-6 8 6v14h-5.5v-5h-5v5zM8 9.5h2.6v2.6H8zm5.4 0H16v2.6h-2.6z",
};
const actions = 2; // in a turn

// The blossom of a Sakura station.
const petals = (cy, rx, ry) => Array.from({ length: 5 }, (_, i) => svg("ellipse", { cy, rx, ry, transform: `rotate(${72 * i})`, class: "petal" }));

const tables = tablesOf((components) => {
  const of = (rows) => new Map(rows.map((row) => [row.id, row]));
  return { wards: of(components.wards.rows), stations: of(components.stations.rows), kinds: of(components.customer_kinds.rows), connections: components.connections.rows };
});

const goodOf = (kind) => kind.replace(/-2$/, "");
const isDouble = (kind) => kind.endsWith("-2");

function kindName(kind) {
  return isDouble(kind) ? say("shinjuku.double", { good: say(`shinjuku.good_${goodOf(kind)}`) }) : say(`shinjuku.good_${kind}`);
}

function customersText(counts) {
  return Object.entries(counts).map(([kind, count]) => `${count} ${kindName(kind)}`).join(", ") || say("shinjuku.nobody");
}

/* ---- Signs ---- */

// A customer: a disc with the sign of the goods wanted, and a 2 for one that counts double.
function customer(kind, size) {
  const shape = [svg("circle", { r: 12, class: "disc" }), svg("path", { d: signs[goodOf(kind)], transform: "translate(-8.4 -8.4) scale(.7)", class: "sign" }),
    isDouble(kind) ? [svg("circle", { cx: 9, cy: -9, r: 6.5, class: "two-disc" }), svg("path", { d: "M6.8-11C6.8-13.6 11.2-13.6 11.2-11C11.2-9.2 6.6-7.4 6.6-5.6H11.4", class: "two" })] : null];
  return svg("g", { class: `customer ${goodOf(kind)}`, transform: size }, shape);
}

// The same outside of the map.
function customerSign(kind, attributes = {}) {
  return element("span", { class: "token", title: kindName(kind), ...attributes },
    svg("svg", { viewBox: "-13 -16 29 29", class: "sign-box", "aria-hidden": "true" }, customer(kind, null)),
    attributes["data-token"] ? null : unseen(kindName(kind)));
}

const signBox = (name) => svg("svg", { viewBox: "0 0 24 24", class: "sign-box small", "aria-hidden": "true" }, svg("path", { d: signs[name], "fill-rule": "evenodd" }));

/* ---- Emblems ---- */

function stationEmblem(id, context) {
  const { sakura: isSakura } = tables(context).stations.get(id);
  return svg("svg", { viewBox: isSakura ? "-38 -38 76 76" : "-26 -26 52 52" }, svg("g", { class: isSakura ? "station sakura" : "station" },
    isSakura ? petals(-21, 13, 16) : null, svg("circle", { r: isSakura ? 14 : 17, class: "stop" })));
}

const customerEmblem = (kind) => svg("svg", { viewBox: "-13 -16 29 29" }, customer(kind, null));
const cardEmblem = (ward) => svg("svg", { viewBox: "0 0 18 24", class: `tint-${outlines[ward].tint}` }, svg("rect", { x: 1, y: 1, width: 16, height: 22, rx: 3, class: "card-sign" }));
const lanternEmblem = () => svg("svg", { viewBox: "-26 -32 52 60" }, lantern());
const endEmblem = (id, event, context) => (event.kind === "matsuri" ? cardEmblem(id) : stationEmblem(id, context));

// The emblem of a thing named by the action that is about to be paid for.
function thingEmblem(id, event, context) {
  const { stations, kinds } = tables(context);
  return stations.has(id) ? stationEmblem(id, context) : kinds.has(id) ? customerEmblem(id) : signBox(id);
}

export const emblems = {
  kind: (kind) => (kind === "matsuri" ? lanternEmblem() : null), good: signBox, customer: customerEmblem, card: cardEmblem, ward: cardEmblem,
  station: (id, event, context) => stationEmblem(id, context), thing: thingEmblem, a: endEmblem, b: endEmblem, from: endEmblem, to: endEmblem,
};

/* ---- The map ---- */

// What the entry that led here has touched, to be marked.
function touched(context) {
  const events = context.entry?.events ?? [];
  const found = (keys) => new Set(events.flatMap((event) => (event.kind === "matsuri" ? [] : keys.map((key) => event[key]))).filter((value) => typeof value === "string"));
  const matsuri = events.filter((event) => event.kind === "matsuri").map((event) => event.to);
  return { stations: found(["station", "a", "b", "from", "to"]), wards: new Set([...found(["ward"]), ...matsuri]) };
}

function wardPart(ward, view, fresh) {
  const { tint, outline } = outlines[ward.id];
  return svg("path", { id: `ward-${ward.id}`, class: `ward tint-${tint}${fresh.wards.has(ward.id) ? " fresh" : ""}`, d: outline,
    "data-token": ward.id, "data-verbs": "matsuri", "data-label": say("shinjuku.ward", { ward: ward.name, customers: customersText(view.wards[ward.id]) }) });
}

function lantern() {
  return svg("g", { class: "matsuri" }, svg("title", {}, say("shinjuku.matsuri")), svg("path", { d: "M-8-24h16M-8 24h16M0-30v6", class: "frame" }),
    svg("path", { d: "M-8-22C-24-14-24 14-8 22H8C24 14 24-14 8-22z" }), svg("path", { d: "M-17-10h34M-19 0h38M-17 10h34", class: "ribs" }));
}

// The name of a ward, the number of its cards, its customers, and the Matsuri if it is there.
function wardWords(ward, view) {
  const [x, y] = outlines[ward.id].at;
  const here = each(view.wards[ward.id]);
  const step = Math.min(42, 200 / Math.max(here.length, 1));
  const start = -(step * (here.length - 1)) / 2;
  return svg("g", { id: `in-${ward.id}`, class: `in-ward tint-${outlines[ward.id].tint}`, transform: `translate(${x} ${y})` },
    svg("text", { y: -14, class: "ward-name" }, ward.name, svg("tspan", { class: "ward-cards", dx: 8 }, `×${ward.cards}`)),
    here.map((kind, i) => customer(kind, `translate(${start + step * i} 20) scale(1.65)`)),
    view.matsuri === ward.id ? svg("g", { transform: `translate(${Math.min(start - 50, -50)} 14)` }, lantern()) : null);
}

const idOf = (a, b) => `track-${a}-${b}`;

function connectionPart(connection, view, context, fresh) {
  const { stations } = tables(context);
  const [a, b] = [stations.get(connection.a), stations.get(connection.b)];
  const line = { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
  const laid = view.track.find((each) => each.a === a.id && each.b === b.id);
  if (connection.permanent) return svg("g", { id: idOf(a.id, b.id), class: "permanent" }, svg("line", line), svg("line", { ...line, class: "inner" }));
  if (laid) {
    const isFresh = fresh.stations.has(a.id) && fresh.stations.has(b.id);
    return svg("g", { id: idOf(a.id, b.id), class: `track seat-${laid.seat}${isFresh ? " fresh" : ""}` }, svg("title", {}, say("shinjuku.track_of", { name: context.seatText(laid.seat), a: a.name, b: b.name })),
      svg("line", line), svg("line", { ...line, class: "pattern" }));
  }
  return svg("g", { id: idOf(a.id, b.id), class: "connection", "data-token": `${a.id} ${b.id}`, "data-verbs": "expand", "data-label": say("shinjuku.connection", { a: a.name, b: b.name }) },
    svg("line", { ...line, class: "room" }), svg("line", line));
}

function storePart(store, context) {
  const isDepartment = store.sells === "department";
  const size = isDepartment ? 32 : 26;
  return svg("g", { class: `store seat-${store.seat}${isDepartment ? " department" : ""}` },
    svg("rect", { x: -size, y: -size - (isDepartment ? 10 : 0), width: 2 * size, height: 2 * size + (isDepartment ? 10 : 0), rx: 7 }),
    svg("path", { d: signs[store.sells], transform: `translate(${-size * .74} ${-size * .74}) scale(${size * .062})`, "fill-rule": "evenodd" }));
}

// The number of a Store's seat: colour alone does not say whose it is.
function ownerPart([id, store], context) {
  const { x, y } = tables(context).stations.get(id);
  return svg("g", { id: `owner-${id}`, class: `owner seat-${store.seat}`, transform: `translate(${x + 27} ${y - 27})` }, svg("circle", { r: 13 }), svg("text", { y: 6.5 }, String(store.seat + 1)));
}

function stationText(station, view, context) {
  const store = view.stores[station.id];
  const what = store === undefined ? say(station.sakura ? "shinjuku.sakura" : "shinjuku.no_store")
    : say("shinjuku.store_of", { name: context.seatText(store.seat), seat: store.seat + 1, good: say(`shinjuku.good_${store.sells}`) });
  return say("shinjuku.station", { station: station.name, what });
}

function stationPart(station, view, context, fresh) {
  const store = view.stores[station.id];
  const { movement } = view;
  const classes = ["station", station.sakura ? "sakura" : null, fresh.stations.has(station.id) ? "fresh" : null,
    movement?.visited.includes(station.id) ? "visited" : null, movement?.station === station.id ? "here" : null,
    view.pending?.stations.includes(station.id) ? "pending" : null].filter(Boolean);
  return svg("g", { id: `station-${station.id}`, class: classes.join(" "), transform: `translate(${station.x} ${station.y})`,
    "data-token": station.id, "data-verbs": "open expand move upgrade step", "data-label": stationText(station, view, context) },
  svg("title", {}, stationText(station, view, context)),
  svg("circle", { r: 36, class: "room" }),
  station.sakura ? petals(-21, 13, 16) : null,
  store === undefined ? svg("circle", { r: station.sakura ? 14 : 17, class: "stop" }) : storePart(store, context));
}

const sides = { right: [38, 9, "start"], left: [-38, 9, "end"], above: [0, -38, "middle"], below: [0, 54, "middle"], corner: [70, 62, "end"] };

function stationName(station, view) {
  const side = Object.keys(names).find((each) => names[each].includes(station.id)) ?? "right";
  const [dx, dy, anchor] = sides[side];
  const away = view.stores[station.id] === undefined ? 1 : 1.12;
  return svg("text", { id: `name-${station.id}`, class: "station-name", x: station.x + dx * away, y: station.y + dy * (side === "right" || side === "left" ? 1 : away), "text-anchor": anchor }, station.name);
}

// The customers who ride, above the station where they are.
function groupPart(view, context) {
  if (view.movement === null) return null;
  const { x, y } = tables(context).stations.get(view.movement.station);
  const group = each(view.movement.customers);
  const half = Math.max(group.length * 20 + 16, 50);
  return svg("g", { id: "group", class: "group", transform: `translate(${Math.min(Math.max(x, half), width - half)} ${Math.max(y - 84, 40)})` },
    svg("title", {}, say("shinjuku.group", { customers: customersText(view.movement.customers) })),
    svg("path", { d: `M${-half} -30h${2 * half}v60H14l-14 18-14-18H${-half}z` }),
    group.map((kind, i) => svg("g", { "data-token": kind, "data-verbs": "give", "data-label": kindName(kind), id: `rider-${i}` },
      svg("circle", { cx: (i - (group.length - 1) / 2) * 40, r: 21, class: "room" }), customer(kind, `translate(${(i - (group.length - 1) / 2) * 40} 0) scale(1.4)`))));
}

// What the signs mean, in the bay, where no ward is.
function legend(view) {
  const rows = [[svg("g", { transform: "scale(.9)" }, lantern()), say("shinjuku.sign_matsuri")],
    [svg("text", { class: "ward-cards", y: 9, "text-anchor": "middle" }, "×4"), say("shinjuku.sign_cards")],
    [svg("text", { y: 9, "text-anchor": "middle" }, "★"), say("shinjuku.sign_wild")],
    [svg("g", { class: "station sakura" }, petals(-16, 10, 12)), say("shinjuku.sign_sakura")],
    [customer("food-2", "scale(1.65)"), say("shinjuku.sign_double")]].filter((_, i) => !view.advanced || i !== 0);
  return svg("g", { id: "legend", class: "legend", "aria-hidden": "true", transform: "translate(1250 1345)" },
    rows.map(([sign, text], i) => svg("g", { transform: `translate(0 ${i * 76})` }, sign, svg("text", { x: 48, y: 10 }, text))));
}

function map(view, context) {
  const { wards, stations, connections } = tables(context);
  const fresh = touched(context);
  const all = (rows, part) => [...rows.values()].map((row) => part(row, view, context, fresh));
  return element("div", { class: "map", tabindex: "0", role: "region", "aria-label": say("shinjuku.map") },
    svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": say("shinjuku.map"), "data-told": true },
      svg("g", { id: "wards" }, [...wards.values()].map((ward) => wardPart(ward, view, fresh))),
      svg("g", { id: "tracks" }, connections.map((each) => connectionPart(each, view, context, fresh))),
      svg("g", { id: "ward-words", "aria-hidden": "true" }, [...wards.values()].map((ward) => wardWords(ward, view))),
      svg("g", { id: "stations" }, all(stations, stationPart)),
      svg("g", { id: "owners", "aria-hidden": "true" }, Object.entries(view.stores).map((entry) => ownerPart(entry, context))),
      svg("g", { id: "names", "aria-hidden": "true" }, all(stations, stationName)),
      legend(view),
      groupPart(view, context)));
}

// The same in words, for screen readers: ward by ward, with the lines from each station.
function mapWords(view, context) {
  const { wards, stations, connections } = tables(context);
  const lineTo = ({ a, b, permanent }, from) => {
    const laid = view.track.find((each) => each.a === a && each.b === b);
    const { name } = stations.get(a === from ? b : a);
    return permanent ? say("shinjuku.line_permanent", { station: name }) : laid ? say("shinjuku.line_of", { station: name, name: context.seatText(laid.seat) }) : name;
  };
  const lines = ({ id }) => connections.filter(({ a, b }) => a === id || b === id).map((each) => lineTo(each, id)).join(", ");
  return element("ul", { class: "unseen" }, view.movement ? element("li", {}, say("shinjuku.group", { customers: customersText(view.movement.customers) })) : null,
    [...wards.values()].map((ward) => element("li", {}, say("shinjuku.ward", { ward: ward.name, customers: customersText(view.wards[ward.id]) }), `; ${say("shinjuku.ward_cards", { count: ward.cards })}`, view.matsuri === ward.id ? `; ${say("shinjuku.sign_matsuri")}` : null,
      element("ul", {}, [...stations.values()].filter((each) => each.ward === ward.id).map((station) => element("li", {}, say("shinjuku.lines", { station: stationText(station, view, context), lines: lines(station) })))))));
}

/* ---- The Queue and the piles ---- */

function wardCard(ward, context, attributes, ...more) {
  return element("span", { class: `ward-card tint-${outlines[ward].tint}`, ...attributes }, tables(context).wards.get(ward).name, more);
}

// Why there is no legal move of this action, which has not been taken.
function whyNot(action, view, context) {
  const { stations } = tables(context);
  const player = view.players[context.own];
  if (action === "income") return say("shinjuku.no_income", { count: player.hand_size });
  if (action === "expand" && player.supply.track === 0) return say("shinjuku.no_track");
  if (action === "move" && Object.values(view.wards).every((here) => each(here).length === 0)) return say("shinjuku.no_customers");
  if (action === "upgrade") {
    const stores = Object.entries(view.stores).filter(([id, { seat, sells }]) => seat === context.own && sells !== "department" && stations.get(id).sakura);
    if (player.supply.department === 0) return say("shinjuku.no_department");
    if (stores.length === 0) return say("shinjuku.no_sakura_store");
    if (!stores.some(([, { sells }]) => each(player.customers).some((kind) => goodOf(kind) === sells))) return say("shinjuku.no_such_customer");
  }
  return say(action === "expand" ? "shinjuku.no_connection" : "shinjuku.no_payment");
}

// The actions that are missing among the choices, with the reasons.
function missingPart(view, context) {
  if (view.decision !== "action" || !context.moves) return null;
  const offered = new Set(context.moves.map((move) => move.split(" ")[0]));
  const name = (action) => say(`shinjuku.do_${action}`);
  const missing = ["expand", "income", "move", "open", "upgrade"].filter((action) => !offered.has(action) && !view.actions_taken.includes(action));
  return [view.actions_taken.length === 0 ? null : say("shinjuku.taken", { actions: view.actions_taken.map(name).join(", ") }),
    ...missing.map((action) => say("shinjuku.not_now", { action: name(action), reason: whyNot(action, view, context) }))].filter(Boolean).map((text) => element("p", { class: "hint" }, text));
}

// How far the turn is, and what is paid for or decided: the first thing that the player reads.
function turnPart(view, context) {
  if (["matsuri", "give", "route"].includes(view.decision)) {
    const drawing = view.movement?.income_for ?? [];
    return element("div", { id: "turn", class: "turn" }, element("p", {}, element("strong", {}, say(`shinjuku.at_${view.decision}`))),
      drawing.length === 0 ? null : element("p", { class: "hint" }, said("shinjuku.income_for", { names: listed(drawing.map((seat) => context.seatName(seat))) })));
  }
  if (!["action", "pay"].includes(view.decision)) return null;
  const { wards, stations } = tables(context);
  const { pending } = view;
  const named = (ids, rows) => listed(ids.map((id) => rows.get(id).name));
  const payer = view.players[view.active];
  const wild = payer?.hand === undefined ? [] : payer.wild_wards.filter((ward) => payer.hand[ward] > 0);
  return element("div", { id: "turn", class: "turn" }, element("p", {}, element("strong", {}, say(view.action_number > actions ? "shinjuku.actions_done" : "shinjuku.action_of", { number: view.action_number, actions }))),
    pending === null ? null : element("p", {}, said("shinjuku.pay_for", { action: say(`shinjuku.do_${pending.action}`), stations: named(pending.stations, stations), wards: named(pending.wards, wards) }), " ",
      view.active !== context.own ? null : wild.length === 0 ? say("shinjuku.pay_no_wild") : said("shinjuku.pay_wild", { wards: named(wild, wards) })),
    missingPart(view, context));
}

function queue(view, context) {
  const spaces = view.queue.map((card, i) => element("li", { class: i === 0 ? "next" : null }, element("span", { class: "hint" }, i === 0 ? say("shinjuku.next") : String(i + 1)),
    wardCard(card.ward, context, {}), element("span", { class: "tokens" }, each(card.customers).map((kind) => customerSign(kind)))));
  const { deck, bag, discard } = view.piles;
  const facts = [say("shinjuku.deck", { count: deck }), say("shinjuku.bag", { count: bag }), say("shinjuku.discard", { count: discard }),
    view.advanced ? null : view.bonus_stacks.length === 0 ? say("shinjuku.bonus_gone") : say("shinjuku.bonus_left", { tokens: view.bonus_stacks.join(", ") }), view.final_phase && !view.over ? element("strong", {}, say("shinjuku.final")) : null].filter(Boolean);
  return element("section", { class: "queue", "aria-labelledby": "queue-title" },
    element("h2", { id: "queue-title" }, say("shinjuku.queue")), element("ol", {}, spaces),
    element("p", { class: "hint" }, listed(facts, " · ")));
}

/* ---- Players ---- */

function supply(player, isOwn) {
  const left = (name) => element("span", { class: "left", title: say(`shinjuku.good_${name}`), "data-token": isOwn && name !== "department" ? name : null, "data-verbs": "open", "data-place": 2, "data-label": say("shinjuku.left", { good: say(`shinjuku.good_${name}`), count: player.supply[name] }) },
    signBox(name), String(player.supply[name]), unseen(` ${say(`shinjuku.good_${name}`)}`));
  return element("p", { class: "supply" }, goods.map(left), left("department"), " ", say("shinjuku.track_left", { count: player.supply.track }));
}

function hand(player, view, context) {
  const wild = new Set(player.wild_wards);
  const cards = each(player.hand).map((ward) => element("li", {}, wardCard(ward, context, { "data-token": ward, "data-verbs": "pay", "data-label": tables(context).wards.get(ward).name },
    wild.has(ward) ? element("span", { class: "wild", title: say("shinjuku.wild") }, " ★", unseen(say("shinjuku.wild"))) : null)));
  return cards.length === 0 ? element("p", { class: "hint" }, say("shinjuku.no_cards")) : element("ul", { class: "hand", "aria-label": say("shinjuku.hand") }, cards);
}

function playerPart(player, view, context) {
  const isOwn = player.seat === context.own;
  const isOpen = player.hand !== undefined;
  const bonus = view.advanced ? null : say("shinjuku.bonus", { count: player.bonus });
  return element("section", { id: `player-${player.seat}`, class: `player seat-${player.seat}${view.active === player.seat ? " active" : ""}`, "aria-labelledby": `player-name-${player.seat}` },
    element("h3", { id: `player-name-${player.seat}` }, element("span", { class: "mark", "aria-hidden": "true" }, String(player.seat + 1)), " ", context.seatName(player.seat),
      isOpen ? element("span", { class: "score" }, say("shinjuku.score", { count: player.score })) : null),
    supply(player, isOwn),
    element("p", {}, listed([say("shinjuku.cards", { count: player.hand_size }), bonus].filter(Boolean))),
    isOpen ? hand(player, view, context) : null,
    isOpen ? element("p", { class: "tokens" }, each(player.customers).map((kind) => customerSign(kind, isOwn ? { "data-token": kind, "data-verbs": "upgrade", "data-label": kindName(kind) } : {}))) : null);
}

function players(view, context) {
  const order = [...view.players].sort((a, b) => (b.seat === context.own) - (a.seat === context.own) || a.seat - b.seat);
  return element("div", { class: "players" }, order.map((player) => playerPart(player, view, context)));
}

/* ---- The final score ---- */

// What a collection is worth: customers of each good, bonus tokens with them, and how many sets of how many goods they make.
function scored(player, context) {
  const { kinds } = tables(context);
  const counts = Object.fromEntries(goods.map((good) => [good, 0]));
  for (const kind of each(player.customers)) counts[goodOf(kind)] += kinds.get(kind).value;
  for (let i = 0; i < player.bonus; i++) counts[goods.reduce((least, good) => (counts[good] < counts[least] ? good : least))]++;
  const layers = Object.values(counts).sort((a, b) => a - b);
  return { counts, sets: layers.map((count, i) => ({ size: goods.length - i, count: count - (layers[i - 1] ?? 0) })) };
}

function breakdown(view, context) {
  if (!view.over) return null;
  const points = context.components.scoring.set_points;
  const head = (text) => element("th", { scope: "col", class: "number" }, text);
  const rows = [...view.players].sort((a, b) => b.score - a.score || a.seat - b.seat).map((player) => {
    const { counts, sets } = scored(player, context);
    return element("tr", { class: "row" }, element("th", { scope: "row" }, context.seatName(player.seat)),
      element("td", { class: "number points" }, String(player.score)),
      goods.map((good) => element("td", { class: "number" }, String(counts[good]))),
      sets.map(({ size, count }) => element("td", { class: "number" }, count === 0 ? "" : say("shinjuku.set_points", { count, points: points[size] }))));
  });
  return element("section", { id: "breakdown", class: "breakdown", "aria-labelledby": "breakdown-title" }, element("h2", { id: "breakdown-title" }, say("shinjuku.breakdown")),
    element("div", { class: "scroll", tabindex: "0" }, element("table", {}, element("caption", { class: "unseen" }, say("shinjuku.breakdown")),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, say("seats.player")), head(say("shinjuku.sum")), goods.map((good) => head([signBox(good), unseen(say(`shinjuku.good_${good}`))])),
        goods.map((_, i) => head(say("shinjuku.set_of", { count: goods.length - i }))))),
      element("tbody", {}, rows))), element("p", { class: "hint" }, say("shinjuku.breakdown_about")));
}

export function draw(view, context) {
  return element("div", { class: "shinjuku" }, breakdown(view, context), turnPart(view, context), queue(view, context), map(view, context), mapWords(view, context), players(view, context));
}

/* ---- Moves in words ---- */

export function word(token, words, context) {
  const { wards, stations, kinds } = tables(context);
  if (words.length === 0) return say(`shinjuku.do_${token}`);
  if (["matsuri", "pay"].includes(words[0])) return wards.get(token).name;
  if (token === "from") return say("shinjuku.from");
  if (kinds.has(token) && !stations.has(token)) return kindName(token);
  return stations.get(token)?.name ?? token;
}

export const comes = { deck: cardEmblem, hand: cardEmblem, bag: customerEmblem };
export const component = (id, from) => (from === "bag" ? kindName(id) : null);

export function sentence([verb, ...rest], context) {
  const { wards, stations } = tables(context);
  const ward = (id) => wards.get(id).name;
  const station = (id) => stations.get(id).name;
  const told = {
    matsuri: () => say("shinjuku.say_matsuri", { ward: ward(rest[0]) }),
    pay: () => say("shinjuku.say_pay", { cards: rest.map(ward).join(", ") }),
    open: () => (rest[1] === "from" ? say("shinjuku.say_relocate", { from: station(rest[2]), to: station(rest[0]) })
      : say("shinjuku.say_open", { good: say(`shinjuku.good_${rest[1]}`), station: station(rest[0]) })),
    expand: () => say("shinjuku.say_expand", { stations: rest.map(station).join(" – ") }),
    income: () => say("shinjuku.say_income"),
    move: () => say("shinjuku.say_move", { ward: ward(stations.get(rest[0]).ward), station: station(rest[0]) }),
    upgrade: () => say("shinjuku.say_upgrade", { station: station(rest[0]), customer: kindName(rest[1]) }),
    end: () => say("shinjuku.say_end"),
    give: () => say("shinjuku.say_give", { customer: kindName(rest[0]) }),
    step: () => say("shinjuku.say_step", { station: station(rest[0]) }),
    stop: () => say("shinjuku.say_stop"),
  };
  return told[verb]();
}

// True if somebody of the group can be served somewhere, by the track that there is.
function canDeliver(group, from, view) {
  const sells = (id) => view.stores[id] && (view.stores[id].sells === "department" || group.some((kind) => goodOf(kind) === view.stores[id].sells));
  const reached = new Set([from]);
  for (const at of reached) {
    if (sells(at)) return true;
    for (const { a, b } of view.track) {
      if (a === at) reached.add(b);
      if (b === at) reached.add(a);
    }
  }
  return false;
}

export function warning([verb, station], view, context) {
  if (verb === "end" && view.action_number <= actions) return say("shinjuku.warn_end", { count: actions + 1 - view.action_number });
  if (verb === "income" && view.action_number === 1) return said("shinjuku.warn_income");
  if (verb !== "move") return null;
  const { ward } = tables(context).stations.get(station);
  return canDeliver(Object.keys(view.wards[ward]), station, view) ? null : said("shinjuku.warn_move");
}
