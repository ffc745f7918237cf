// Mall World: the plan of the mall with its shops; the lobby with its orders, the bureau and the approval
// cards beside it; below, what each player holds.
import { element } from "../lib/common.js";
import { number, said, say } from "../lib/words.js";
import { chip, groups as figures, shop, uses as signs } from "./mall-world-signs.js";
import { each, markOf, ownAndOthers, tablesOf, unseen } from "./parts.js";
import { svg } from "./svg.js";

export const sheet = "/static/boards/mall-world.css";
export const scope = "mall-world";

const size = 60; // of a room, in units of the drawing
const uses = Object.keys(signs);
const groups = Object.keys(figures);

const tables = tablesOf((components) => {
  const of = (rows) => new Map(rows.map((row) => [row.id, row]));
  const orders = ["use", "rent", "special"].flatMap((kind) => components[`${kind}_orders`].items.map((order) => ({ kind, value: components.order_values[kind], ...order })));
  return { orders: of(orders), chains: of(components.chains.items), cards: of(components.approval_cards.items), rooms: of(components.board.rooms), plan: components.board };
});

/* ---- Names ---- */

const useName = (use) => say(`mall.name_${use}`);
const cardName = (card) => card.split("-").map(useName).join(" + ");
const money = (amount) => say("mall.francs", { amount: number(amount) });

function orderName(id, context) {
  const { kind, uses: pair, chains } = tables(context).orders.get(id);
  const [a, b] = kind === "use" ? pair.map(useName) : chains.map((chain) => tables(context).chains.get(chain).name);
  return say(`mall.order_${kind}`, { a, b });
}

function orderText(id, view, context) {
  return say("mall.order_worth", { order: orderName(id, context), amount: money(worthOf(id, view, context)) });
}

const worthOf = (id, view, context) => view.order_counts[id] * tables(context).orders.get(id).value;

/* ---- Small drawings ---- */

function shopBox(use, group = null, attributes = {}) {
  return svg("svg", { viewBox: "0 0 60 60", class: "shop-box", "aria-hidden": "true", ...attributes }, shop(use, group));
}

function chipBox(group) {
  return svg("svg", { viewBox: "-15 -15 30 30", class: "chip-box", "aria-hidden": "true" }, chip(group, 0, 0, 14));
}

// An approval card: what may stand beside what, and which chain stores it lets.
function cardPart(card, context, attributes = {}, classes = "") {
  const chains = tables(context).cards.get(card).rents.map((id) => tables(context).chains.get(id));
  const why = ["dead", "not-now"].filter((each) => classes.split(" ").includes(each)).map((each) => say(`mall.card_${each}`));
  const label = [cardName(card), ...chains.map((chain) => chain.name), ...why].join(", ");
  return element("div", { class: `approval ${classes}`, title: cardName(card), "data-label": label, ...attributes },
    element("div", { class: "unseen" }, cardName(card)),
    cardDrawing(card), chains.map((chain) => element("div", {}, chipBox(chain.group), " ", chain.name)),
    why.map((text) => element("div", { class: "hint" }, text)));
}

// An order: two shops side by side, or either of two chain stores.
function orderDrawing(id, context) {
  const { kind, uses: pair, chains } = tables(context).orders.get(id);
  const [a, b] = kind === "use" ? pair.map((use) => ({ use })) : chains.map((chain) => tables(context).chains.get(chain));
  const apart = kind === "rent" ? 22 : 2;
  return svg("svg", { viewBox: `0 0 ${120 + apart} 60`, class: "pair", "aria-hidden": "true" }, shop(a.use, a.group),
    svg("g", { transform: `translate(${60 + apart} 0)` }, shop(b.use, b.group)),
    kind === "rent" ? svg("path", { class: "either", d: "M75 15l-8 30" }) : null);
}

const coinBox = () => svg("svg", { viewBox: "0 0 24 24", class: "coin-box", "aria-hidden": "true" }, svg("circle", { cx: 12, cy: 12, r: 10 }), svg("path", { d: "M15 8.5a4.5 4.5 0 1 0 0 7" }));

function cardDrawing(card) {
  const [a, b] = card.split("-");
  return svg("svg", { viewBox: "0 0 122 60", class: "pair", "aria-hidden": "true" }, shop(a), svg("g", { transform: "translate(62 0)" }, shop(b)));
}

function chainBox(id, context) {
  const { use, group } = tables(context).chains.get(id);
  return shopBox(use, group);
}

const paid = new Set(["bid", "bid_sealed", "paid", "refreshed", "slush_shared"]);

export const emblems = {
  kind: (kind) => (paid.has(kind) ? coinBox() : null), order: (id, event, context) => orderDrawing(id, context), card: cardDrawing, use: (use) => shopBox(use), group: chipBox,
  chain: (id, event, context) => chainBox(id, context),
};

function orderPart(id, view, context, attributes = {}, price = null) {
  const { kind, value } = tables(context).orders.get(id);
  const texts = [orderName(id, context), say("mall.each", { amount: money(value) }),
    say("mall.now", { count: view.order_counts[id], amount: money(worthOf(id, view, context)) })];
  const label = [...texts, ...(price === null ? [] : [money(price)])].join(", ");
  return element("div", { title: label, "data-label": label, ...attributes, class: `order ${kind} ${attributes.class ?? ""}` },
    orderDrawing(id, context), element("div", { class: "order-name" }, texts[0]), " ", element("div", { class: "hint" }, texts[1]), " ",
      element("div", {}, texts[2]),
    price === null ? null : [" ", element("div", { class: "price" }, money(price))]);
}

// Something that is done by a word alone; only there while it can be.
function doing(token, verbs, text) {
  return element("span", { id: `do-${token}`, class: "do", "data-token": token, "data-verbs": verbs, "data-place": 0, "data-label": text }, text);
}

/* ---- What has changed ---- */

function changes(context) {
  const found = { rooms: new Set(), orders: new Set(), displayed: [], seats: new Set() };
  for (const event of context.entry?.events ?? []) {
    if (event.room) found.rooms.add(event.room);
    if (["order_laid", "confirmed", "accepted"].includes(event.kind)) found.orders.add(event.order);
    if (event.kind === "displayed") found.displayed.push(event.card);
    if (["paid", "cashed", "accepted", "confirmed"].includes(event.kind)) found.seats.add(event.seat);
  }
  return found;
}

/* ---- The mall ---- */

const place = (room, context) => [tables(context).plan.columns.indexOf(room[0]) * size, (Number(room[1]) - 1) * size];

function roomText(room, view, context) {
  const here = view.shops[room];
  if (here === undefined) return say(view.covered.includes(room) ? "mall.room_covered" : "mall.room_empty", { room });
  if (here.group === null) return say("mall.room_vacant", { room, use: useName(here.use) });
  return say("mall.room_let", { room, use: useName(here.use), group: useName(here.group), chain: tables(context).chains.get(here.chain).name });
}

// What a planned move puts into a room, or null.
function ghostPart(room, view, context) {
  const [verb, , how, what, where] = context.planned ?? [];
  if (verb !== "realize" || where !== room) return null;
  return svg("g", { class: "ghost" }, how === "build" ? shop(what) : shop(view.shops[room].use, what));
}

function roomPart(room, view, context, fresh) {
  const [x, y] = place(room, context);
  const here = view.shops[room];
  const isCovered = view.covered.includes(room);
  const classes = ["room", here === undefined ? "empty" : null, isCovered ? "covered" : null, fresh.rooms.has(room) ? "fresh" : null].filter(Boolean);
  const text = roomText(room, view, context);
  return svg("g", { id: `room-${room}`, class: classes.join(" "), transform: `translate(${x} ${y})`,
    ...(isCovered ? {} : { "data-token": room, "data-verbs": "realize", "data-place": 4, "data-label": text }) },
    svg("title", {}, text), svg("rect", { class: "ground", width: size, height: size }),
    isCovered ? svg("path", { class: "crates", d: "M0 20L20 0M0 40L40 0M0 60L60 0M20 60L60 20M40 60L60 40" }) : null,
    here === undefined ? null : shop(here.use, here.group),
    isCovered ? null : svg("text", here === undefined ? { class: "room-name", x: size / 2, y: size / 2 + 5 } : { class: "room-name taken", x: 8, y: size - 6 }, room),
    ghostPart(room, view, context), svg("rect", { class: "frame", x: 2, y: 2, width: size - 4, height: size - 4, rx: 4 }));
}

// Walls where the mall ends, openings between its rooms.
function walls(view, context) {
  const { rooms } = tables(context);
  const lines = [...rooms.values()].flatMap(({ id, neighbours }) => {
    const [x, y] = place(id, context);
    const next = (dx, dy) => neighbours.some((other) => place(other, context)[0] === x + dx * size && place(other, context)[1] === y + dy * size);
    return [next(0, -1) || `M${x} ${y}h${size}`, next(0, 1) || `M${x} ${y + size}h${size}`, next(-1, 0) || `M${x} ${y}v${size}`, next(1, 0) || `M${x + size} ${y}v${size}`];
  });
  return svg("path", { class: "walls", d: lines.filter((line) => line !== true).join("") });
}

function mallPart(view, context, fresh) {
  const { rooms, plan } = tables(context);
  const isOwn = context.own !== null;
  return element("div", { class: "plan" },
    svg("svg", { viewBox: `-4 -4 ${plan.columns.length * size + 8} ${plan.rows * size + 8}`, role: isOwn ? "group" : "img", "aria-label": say("mall.plan"), "data-told": true },
      svg("g", {}, [...rooms.keys()].map((room) => roomPart(room, view, context, fresh))), walls(view, context)),
    element("ul", { class: "unseen" }, [...rooms.keys()].map((room) => element("li", {}, roomText(room, view, context)))));
}

// The tiles and chips that are left.
function supplyPart(view) {
  const left = (name, box) => element("span", { id: `supply-${name}`, class: "left", title: say("mall.left", { name: useName(name), count: view.supply[name] }),
    "data-token": name, "data-verbs": "realize", "data-place": 3, "data-label": say("mall.left", { name: useName(name), count: view.supply[name] }) },
    box, " ", element("span", { "aria-hidden": "true" }, String(view.supply[name])), unseen(say("mall.left", { name: useName(name), count: view.supply[name] })));
  return element("p", { class: "supply" }, uses.map((use) => left(use, shopBox(use))), groups.map((group) => left(group, chipBox(group))));
}

/* ---- Lobby, bureau, approval cards ---- */

function lobbyPart(view, context, fresh) {
  const orders = view.lobby.map(({ order, price }) => {
    const attributes = { id: `order-${order}`, class: fresh.orders.has(order) ? "fresh" : "", "data-token": order, "data-verbs": "accept", "data-place": 1 };
    return element("li", {}, orderPart(order, view, context, attributes, price));
  });
  const markers = view.markers.length === 0 ? null : [" · ", say("mall.passed"), " ",
    view.markers.map((seat) => [markOf(seat, context), unseen(context.seatText(seat)), " "])];
  return element("section", { id: "lobby", "aria-labelledby": "lobby-title" }, element("h2", { id: "lobby-title" }, say("mall.lobby")),
    orders.length === 0 ? element("p", {}, say("mall.lobby_empty")) : element("ul", { class: "row" }, orders),
    element("p", { class: "hint" }, say("mall.orders_left", { count: view.order_stack }), markers));
}

function bureauPart(view) {
  const chips = view.bureau.map((value, i) => element("li", {}, element("span",
    { id: `bribe-${i}`, class: value < 0 ? "bribe loss" : "bribe", "data-token": String(value), "data-verbs": "confirm", "data-place": 3,
    "data-label": money(value) }, `${value > 0 ? "+" : ""}${number(value)}`)));
  return element("section", { id: "bureau", "aria-labelledby": "bureau-title" }, element("h2", { id: "bureau-title" }, say("mall.bureau")),
    chips.length === 0 ? element("p", {}, say("mall.bureau_empty")) : element("ul", { class: "row" }, chips),
    chips.length === 0 ? null : element("p", { class: "hint" }, say("mall.bureau_hint", { count: view.bureau.length })));
}

const classesOf = (card, view) => (view.over || view.realizable.includes(card) ? "" : view.unusable.includes(card) ? "dead" : "not-now");

function displayPart(view, context, fresh) {
  const newcomers = [...fresh.displayed];
  const cards = each(view.display).map((card, i) => {
    const at = newcomers.indexOf(card);
    if (at >= 0) newcomers.splice(at, 1);
    const classes = at >= 0 ? `${classesOf(card, view)} fresh` : classesOf(card, view);
    return element("li", {}, cardPart(card, context, { id: `display-${i}`, "data-token": card, "data-verbs": "take" }, classes));
  });
  return element("section", { id: "display", "aria-labelledby": "display-title" }, element("h2", { id: "display-title" }, say("mall.display")),
    element("ul", { class: "row" }, cards),
    element("p", { class: "hint" }, say("mall.stack", { count: view.stack }), " · ", say("mall.discarded", { count: each(view.discard).length })),
    element("p", { class: "doings" }, doing("refresh", "refresh", say("mall.do_refresh")), doing("done", "done", say("mall.do_done"))));
}

/* ---- The auction ---- */

function priceText(price, payee, context) {
  if (price === 0) return say("mall.free");
  const to = { null: "", slush: say("mall.to_slush") }[payee] ?? say("mall.to", { name: context.seatText(payee) });
  return `${say("mall.coins", { count: price })} ${to}`;
}

function rightsPart(rights, context) {
  if (rights.length === 0) return null;
  return [element("p", { class: "hint" }, say("mall.rights")), element("ol", { class: "rights", "aria-label": say("mall.rights") }, rights.map(({ seat, price, paid_to: payee }) =>
    element("li", {}, markOf(seat, context), " ", context.seatName(seat), " ", element("span", { class: "hint" }, priceText(price, payee, context)))))];
}

const bidText = (count) => (count === 0 ? `0, ${say("mall.no_bid")}` : say("mall.coins", { count }));

// Seats in the order that breaks ties between equal bids: the active seat, then those after it.
const inTieOrder = (seats, { active, players }) => [...seats].sort((a, b) => (a - active + players.length) % players.length - (b - active + players.length) % players.length);

function bidsPart(view, context) {
  const { bidders, bids } = view.auction;
  const own = view.players[context.own];
  return [
    bids.length === 0 ? null : element("p", {}, say("mall.bids"), " ", bids.map((bid) => [element("span", { class: "bid" }, markOf(bid.seat, context), " ",
      context.seatName(bid.seat), " ", bid.coins === 0 ? say("mall.no_bid") : say("mall.coins", { count: bid.coins })), " "])),
    view.decision !== "BID" ? null : [element("p", { class: "hint" }, said(`mall.prizes_${view.auction.offered}`, { name: context.seatName(view.active) })),
      element("p", { class: "hint" }, say("mall.bidders"), " ", inTieOrder(bidders, view).map((seat) => [markOf(seat, context), unseen(context.seatText(seat)), " "]))],
    view.decision === "BID" && own?.coins !== undefined && view.deciders.includes(context.own)
      ? element("p", { class: "doings" }, Array.from({ length: own.coins + 1 },
        (_, i) => element("span", { id: `bid-${i}`, class: "do coin", "data-token": String(i), "data-verbs": "bid", "data-place": 1, "data-label": bidText(i) },
        String(i)))) : null,
  ];
}

function auctionPart(view, context) {
  if (view.auction === null) return null;
  const cards = each(view.auction.cards).map((card, i) => element("li", {},
    cardPart(card, context, { id: `offer-${i}`, "data-token": card, "data-verbs": "realize", "data-place": 1 }, classesOf(card, view))));
  return element("section", { id: "auction", class: "auction", "aria-labelledby": "auction-title" },
    element("h2", { id: "auction-title" }, say(view.auction.offered > 1 ? "mall.auction" : "mall.single")),
    element("ul", { class: "row" }, cards), bidsPart(view, context), rightsPart(view.auction.rights, context));
}

/* ---- Players ---- */

function handPart(player, view, context) {
  const isOwn = player.seat === context.own;
  const id = (what, i) => (isOwn ? { id: `${what}-${i}` } : {});
  const cards = each(player.cards).map((card, i) => element("li", {}, cardPart(card, context, isOwn
    ? { ...id("hand", i), "data-token": card, "data-verbs": "offer remove" } : {}, classesOf(card, view))));
  const orders = player.orders.map((order, i) => element("li", {}, orderPart(order, view, context, isOwn
    ? { ...id("held", i), "data-token": order, "data-verbs": "confirm", "data-place": 1 } : {})));
  if (cards.length + orders.length === 0) return element("p", { class: "hint" }, say("mall.nothing_in_hand"));
  return element("ul", { class: "row hand", "aria-label": say("mall.hand") }, orders, cards);
}

function fact(text, ...classes) {
  return element("span", { class: ["fact", ...classes].filter(Boolean).join(" ") }, text);
}

function playerPart(player, view, context, fresh) {
  const { seat } = player;
  const isOwn = seat === context.own;
  const result = view.outcome?.find(({ seat: of }) => of === seat) ?? null;
  const classes = ["player", `seat-${seat}`, view.active === seat ? "active" : null, isOwn ? "own" : null].filter(Boolean);
  return element("section", { id: `player-${seat}`, class: classes.join(" "), "aria-labelledby": `player-name-${seat}` },
    element("h2", { id: `player-name-${seat}`, class: "who" }, element("span", { class: "mark", "aria-hidden": "true" }, String(seat + 1)), " ", context.seatName(seat),
      result === null ? null : element("span", { class: "score" }, say("mall.result", { rank: result.rank, amount: money(result.score) }))),
    element("p", { class: "facts" }, fact(money(player.account), "account", player.account < 0 ? "loss" : null, fresh.seats.has(seat) ? "fresh" : null),
      player.coins === undefined ? null : fact([coinBox(), say("mall.coins", { count: player.coins })]),
      fact(say("mall.cards_held", { count: player.cards_in_hand })), fact(say("mall.orders_held", { count: player.orders_in_hand }))),
    isOwn ? handPart(player, view, context) : null,
    player.confirmed.length === 0 ? null : element("details", { id: `confirmed-${seat}`, open: !isOwn }, element("summary", {}, say("mall.confirmed"), ` (${player.confirmed.length})`),
      element("ul", { class: "row" }, player.confirmed.map((order) => element("li", {},
      orderPart(order, view, context, { class: fresh.orders.has(order) ? "fresh" : "" }))))),
    isOwn || player.cards === undefined ? null : [element("h3", {}, say("mall.hand")), handPart(player, view, context)]);
}

/* ---- The whole ---- */

function statusPart(view, context) {
  const facts = [say("mall.round", { round: view.round }), say(view.rents_open ? "mall.rents_open" : "mall.rents_shut"), say("mall.slush", { count: view.slush })];
  return element("div", { class: "status" }, element("p", {}, facts.map((text) => fact(text)),
    view.over ? null : fact([markOf(view.active, context), " ", say(`mall.at_${view.decision}`)], "decision"),
    view.last_turns === null || view.over ? null : fact(say("mall.last_turns", { count: view.last_turns }), "last")),
  element("p", { class: "doings" }, doing("pass", "pass", say("mall.do_pass"))));
}

function legend(context) {
  const { chains } = tables(context);
  return element("details", { id: "mall-signs" }, element("summary", {}, say("mall.signs")),
    element("ul", { class: "signs" }, uses.map((use) => element("li", {}, shopBox(use), " ", useName(use))),
      groups.map((group) => element("li", {}, chipBox(group), " ", useName(group))),
      [...chains.values()].map((chain) => element("li", {}, shopBox(chain.use, chain.group), " ", chain.name))));
}

export function draw(view, context) {
  const fresh = changes(context);
  const [own, others] = ownAndOthers(view, context);
  const part = (player) => playerPart(player, view, context, fresh);
  // What the decision is about comes first, where it can be reached without scrolling.
  const sections = { ACCEPT: lobbyPart(view, context, fresh), PROGRESS: bureauPart(view), SUPPLY: displayPart(view, context, fresh) };
  const offers = Object.keys(sections).sort((a, b) => (b === view.decision) - (a === view.decision)).map((each) => sections[each]);
  return element("div", { class: "mall-world" }, statusPart(view, context), auctionPart(view, context), own.map(part),
    element("div", { class: "middle" }, supplyPart(view), mallPart(view, context, fresh)),
    element("div", { class: "offers" }, offers),
    element("div", { class: "others" }, others.map(part)), legend(context));
}

/* ---- Moves in words ---- */

export function word(token, words, context) {
  const [verb] = words;
  if (verb === undefined) return say(`mall.do_${token}`);
  if (["accept", "confirm"].includes(verb) && words.length === 1) return orderName(token, context);
  if (token === "bribe") return say("mall.bribe");
  if (verb === "confirm") return money(Number(token));
  if (verb === "bid") return bidText(Number(token));
  if (tables(context).cards.has(token)) return cardName(token);
  if (verb === "realize" && words.length === 2) return say(`mall.how_${token}`);
  return tables(context).rooms.has(token) ? say("mall.room", { room: token }) : useName(token);
}

// Where rooms lie in the mall.
function roomsDrawing(rooms, context) {
  const { plan, rooms: all } = tables(context);
  const square = (room, classes) => svg("rect", { class: classes, x: place(room, context)[0], y: place(room, context)[1], width: size, height: size });
  return svg("svg", { viewBox: `-4 -4 ${plan.columns.length * size + 8} ${plan.rows * size + 8}`, class: "large", "aria-hidden": "true" },
    [...all.keys()].map((room) => square(room, "room-place")), rooms.map((room) => square(room, "meant")));
}

// A chip of the bureau has its value written on it.
const bribeDrawing = (value) => element("span", { class: Number(value) < 0 ? "bribe loss" : "bribe" }, `${value > 0 ? "+" : ""}${number(Number(value))}`);

export const comes = {
  orders: orderDrawing, stack: cardDrawing, bribes: bribeDrawing, cover: (rooms, context) => roomsDrawing(rooms.split(","), context),
  ...Object.fromEntries(uses.map((use) => [`tile-${use}`, (room, context) => roomsDrawing([room], context)])),
};

export function component(id, from, context) {
  const { orders, cards, rooms } = tables(context);
  if (from === "bribes") return money(Number(id));
  if (orders.has(id)) return orderName(id, context);
  if (cards.has(id)) return cardName(id);
  return rooms.has(id) || id.includes(",") ? id.replaceAll(",", ", ") : useName(id);
}

export function sentence([verb, ...rest], context) {
  const { view } = context;
  const cards = rest.map((card) => (tables(context).cards.has(card) ? cardName(card) : card)).join(", ");
  const told = {
    accept: () => say("mall.say_accept", { order: orderName(rest[0], context), price: money(view.lobby.find(({ order }) => order === rest[0]).price) }),
    pass: () => say(view.decision === "ACCEPT" ? "mall.say_pass_order" : "mall.say_pass"),
    offer: () => say(rest.length === 1 ? "mall.say_offer_one" : "mall.say_offer", { cards }),
    confirm: () => say("mall.say_confirm", { order: orderText(rest[0], view, context), bribe: money(Number(rest[2])) }),
    bid: () => (rest[0] === "0" ? say("mall.say_no_bid") : say("mall.say_bid", { count: Number(rest[0]) })),
    realize: () => (rest[1] === "build" ? say("mall.say_build", { use: useName(rest[2]), room: rest[3] })
      : say("mall.say_let", { group: useName(rest[2]), room: rest[3], use: useName(view.shops[rest[3]].use) })),
    remove: () => say("mall.say_remove", { cards }),
    refresh: () => say("mall.say_refresh"),
    take: () => say("mall.say_take", { cards }),
    done: () => say("mall.say_done"),
  };
  return told[verb]();
}

export function warning([verb, order, , bribe], view, context) {
  if (verb !== "confirm") return null;
  if (view.order_counts[order] === 0) return say("mall.warn_nothing");
  return Number(bribe) < Math.max(...view.bureau) ? say("mall.warn_bribe", { amount: money(Math.max(...view.bureau)) }) : null;
}
