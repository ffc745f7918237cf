// Supermarché: what is in the Store, the Stock Room and the Distribution Center, food by food; the customers of the
// round, each with what the dice may make them want; the coupon chart.
import { element, listed } from "../lib/common.js";
import { dollars, foodName } from "../lib/telling.js";
import { say } from "../lib/words.js";
import { tablesOf, unseen } from "./parts.js";
import { cart, cube, die, foods, wishes } from "./supermarche-signs.js";
import { svg } from "./svg.js";

export const sheet = "/static/boards/supermarche.css";
export const scope = "supermarche";

/* ---- What the components say ---- */

const tables = tablesOf((components) => {
  const by = (rows, key) => new Map(rows.map((row) => [row[key], row]));
  return { foods: by(components.foods.rows, "id"), customers: by(components.customers.rows, "id"), chart: by(components.coupon_chart.rows, "total"),
    costs: by(components.cost_cards.rows, "id"), boxes: components.boxes.rows, boxOf: by(components.purchase_box.rows, "food"), levels: components.levels.rows, limits: components.limits, rounds: components.game.rounds };
});

const customerName = (id, context) => tables(context).customers.get(id).name;
const total = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

// When what lies in a box expires.
function boxName(box, view) {
  if (box === "never") return say("market.never");
  return box === "every" || box === `r${view.round}` ? say("market.now") : say("market.after_round", { round: box.slice(1) });
}

const expiresNow = (box, view) => box === "every" || box === `r${view.round}`;
const foodAt = (number, customer, context) => tables(context).customers.get(customer).ranges.find(({ from, to }) => from <= number && number <= to).food;

function levelOf(money, context) {
  const level = tables(context).levels.find(({ min, max }) => (min === null || min <= money) && (max === null || money <= max));
  return say(`market.level_${level.id}`);
}

/* ---- What has changed ---- */

function changes(context) {
  const events = context.entry?.events ?? [];
  const of = (kinds, key) => new Set(events.filter((event) => kinds.includes(event.kind)).map((event) => event[key]));
  return {
    stock: of(["buy", "stock", "auto_stock", "expire"], "food"), store: of(["stock", "auto_stock", "sell", "expire"], "food"),
    sale: of(["sale"], "food"), customers: of(["serve", "complete", "fail", "leave", "flip"], "customer"),
    money: events.some(({ kind }) => ["buy", "sell", "complete", "fail", "leave", "waste", "coupon"].includes(kind)), dice: events.some(({ kind }) => kind === "roll"),
  };
}

/* ---- What there is to decide ---- */

// Something that is done by a word alone; it is there only while it can be.
function doing(token, verbs, place, text) {
  return element("span", { id: `do-${verbs.replace(" ", "-")}-${token}`, class: "do", "data-token": token, "data-verbs": verbs, "data-place": place, "data-label": text }, text);
}

// What is clicked to choose the thing that it lies over.
const button = (attributes) => element("span", { class: "button", ...attributes });

const numbers = (verb, place, cubes) => Array.from({ length: cubes }, (_, i) => element("span", { id: `${verb}-${i + 1}`, class: "do number", "data-token": String(i + 1), "data-verbs": verb, "data-place": place, "data-label": say("market.cubes", { count: i + 1 }) }, String(i + 1)));

function doingsPart(context) {
  const { cubes_per_food: cubes } = tables(context).limits;
  const verbs = "buy stock";
  return element("p", { class: "doings" }, numbers("buy", 2, cubes), numbers("stock", 3, cubes),
    doing("done", verbs, 1, say("market.done")), doing("none", "sale", 1, say("market.no_sale")),
    doing("take", "initial", 1, say("market.way_take")), doing("skip", "initial", 1, say("market.way_skip")), doing("roll", "roll", 0, say("market.do_roll")),
    doing("normal", "pay", 1, say("market.way_normal")), doing("coupon", "pay", 1, say("market.way_coupon")), doing("next", "next", 0, say("market.do_next")), doing("restock", "restock", 0, say("market.do_restock")));
}

function roundsPart(view, context) {
  const { rounds } = tables(context);
  return element("span", { class: "rounds", role: "img", "aria-label": say("market.round", { round: view.round, rounds }) },
    Array.from({ length: rounds }, (_, i) => element("span", { class: i + 1 < view.round ? "past" : i + 1 === view.round ? "here" : null }, String(i + 1))));
}

// What the money makes of the game at its end: every level with its bounds.
function levelsPart(view, context) {
  const bounds = ({ min, max }) => (min === null ? say("market.level_below", { amount: dollars(max + 1) }) : max === null ? say("market.level_from", { amount: dollars(min) })
    : say("market.level_between", { min: dollars(min), max: dollars(max) }));
  const isHere = ({ min, max }) => (min === null || min <= view.money) && (max === null || view.money <= max);
  return element("ul", { id: "levels", class: "levels", tabindex: "0", "aria-label": say("market.levels") }, tables(context).levels.map((level) => element("li", { "aria-current": isHere(level) ? "true" : null },
    say(`market.level_${level.id}`), " ", element("span", { class: "hint" }, bounds(level)))));
}

function statusPart(view, context, fresh) {
  const { rounds, limits: { sales_required: required } } = tables(context);
  const mustSell = view.decision === "sale" && required - view.sales_so_far.length > rounds - view.round;
  const what = view.over ? say(`market.result_${view.outcome[0].result}`, { level: levelOf(view.money, context) }) : say(`market.at_${view.decision}${mustSell ? "_must" : ""}`, { required });
  return element("div", { class: "status" },
    element("p", { class: "facts" }, element("strong", { class: fresh.money ? "money fresh" : "money" }, dollars(view.money)), roundsPart(view, context), view.over ? null : element("span", {}, say("market.so_far", { level: levelOf(view.money, context) })),
      element("span", {}, say("market.sales", { count: view.sales_so_far.length, required })), view.restocked ? element("span", {}, say("market.restocked")) : null),
    element("p", { class: view.over ? "over" : null }, element("strong", {}, what)), view.over ? null : doingsPart(context), levelsPart(view, context));
}

/* ---- The shelves ---- */

// The cubes of a food, box by box. `added`: { box: cubes } that a planned move puts there; `target`: of a box.
function boxesPart(food, boxes, added, view, context, target) {
  const order = tables(context).boxes.map(({ id }) => id).filter((id) => boxes[id] > 0 || added[id] > 0);
  if (order.length === 0) return element("span", { class: "hint" }, say("market.nothing"));
  return element("span", { class: "boxes" }, order.map((box) => {
    const count = boxes[box] ?? 0;
    const text = say("market.box", { cubes: say("market.cubes", { count }), food: foodName(food), when: boxName(box, view) });
    return element("span", { class: expiresNow(box, view) ? "box now" : "box", title: text }, element("span", { class: "cubes" }, Array.from({ length: count }, () => cube(food)), Array.from({ length: added[box] ?? 0 }, () => cube(food, "ghost"))),
      element("span", { class: "when" }, unseen(`${say("market.cubes", { count })} `), boxName(box, view)), target?.(box, text));
  }));
}

// What a planned move puts into the Stock Room and the Store: [food, box, cubes] for each.
function planned(view, context) {
  const [verb, food, ...rest] = context.planned ?? [];
  const nothing = { stock: {}, store: {} };
  if (rest.length === 0) return nothing;
  if (verb === "buy") return { ...nothing, stock: { [food]: { [tables(context).boxOf.get(food).by_round[view.round]]: Number(rest[0]) } } };
  return { ...nothing, store: { [food]: { [rest[0]]: Number(rest[1]) } } };
}

function priceCell(food, view, context, fresh) {
  const { price, sale_price: sale } = tables(context).foods.get(food);
  const state = view.on_sale === food ? say("market.on_sale") : view.sales_so_far.includes(food) ? say("market.was_on_sale") : say("market.sale_price", { amount: dollars(sale) });
  const text = say("market.food", { food: foodName(food), price: dollars(view.prices[food]), state });
  const seen = view.on_sale === food ? [element("s", {}, dollars(price)), " ", element("strong", { class: "offer" }, dollars(sale))] : element("strong", {}, dollars(price));
  return element("th", { scope: "row", class: [fresh.sale.has(food) ? "fresh" : null, view.on_sale === food ? "on-sale" : null].filter(Boolean).join(" ") || null },
    element("span", { class: "food" }, cube(food), element("span", {}, foodName(food))), element("span", { class: "price" }, seen, " ", element("span", { class: "hint" }, state)),
    button({ id: `food-${food}`, "data-token": food, "data-verbs": "sale", "data-place": 1, "data-label": text }));
}

function foodRow(food, view, context, fresh, plan) {
  const cost = view.cost_card.costs[food];
  const left = view.distribution_center[food];
  const cell = (isFresh, label, ...content) => element("td", { class: isFresh ? "fresh" : null }, element("span", { class: "column", "aria-hidden": "true" }, label), ...content);
  const target = (box, text) => button({ id: `box-${food}-${box}`, "data-token": `${food} ${box}`, "data-verbs": "stock", "data-label": text });
  return element("tr", {}, priceCell(food, view, context, fresh),
    cell(fresh.store.has(food), say("market.store"), boxesPart(food, view.store[food], plan.store[food] ?? {}, view, context)),
    cell(fresh.stock.has(food), say("market.stock_room"), boxesPart(food, view.stock_room[food], plan.stock[food] ?? {}, view, context, target)),
    cell(false, say("market.center"), element("strong", {}, dollars(cost)), " ", element("span", { class: "hint" }, say("market.left", { count: left })),
      button({ id: `buy-${food}`, "data-token": food, "data-verbs": "buy", "data-place": 1, "data-label": say("market.offer", { food: foodName(food), cost: dollars(cost), count: left }) })));
}

function shelvesPart(view, context, fresh) {
  const { store_max: storeMax, stock_room_max: stockMax } = tables(context).limits;
  const plan = planned(view, context);
  const column = (text) => element("th", { scope: "col" }, text);
  return element("table", { class: "shelves" }, element("caption", { class: "unseen" }, say("market.shelves")),
    element("thead", {}, element("tr", {}, column(say("market.foods")), column(say("market.store_of", { count: view.store_size, most: storeMax })), column(say("market.stock_of", { count: view.stock_room_size, most: stockMax })), column(say("market.center_of")))),
    element("tbody", {}, foods.map((food) => foodRow(food, view, context, fresh, plan))));
}

/* ---- Customers ---- */

function customerText(customer, context) {
  const wants = customer.ranges.map(({ from, to, food }) => say("market.wish", { totals: from === to ? String(from) : `${from}–${to}`, food: foodName(food) }));
  return [customer.name, say("market.cart", { count: customer.cart }), say("market.coupons", { count: customer.coupons }), say("market.penalty", { amount: dollars(customer.penalty) }),
    customer.bonus > 0 ? say("market.bonus", { amount: dollars(customer.bonus) }) : null, ...wants].filter(Boolean).join(", ");
}

function couponSign() {
  return svg("svg", { viewBox: "0 0 24 16", class: "coupon", "aria-hidden": "true" }, svg("rect", { x: 1, y: 1, width: 22, height: 14, rx: 2 }), svg("path", { d: "M8 12l7-8M9 5h.1M14 11h.1" }));
}

// The cart, coupons, penalty and bonus of a customer who is not done yet.
function factsOf({ cart: size, penalty, bonus }, { space, coupons }) {
  return [cart(size, space), element("span", {}, Array.from({ length: coupons }, couponSign)), element("span", { class: "penalty" }, `−${dollars(penalty)}`),
    bonus > 0 ? element("span", { class: "bonus" }, `+${dollars(bonus)}`) : null];
}

const emptyCart = () => cart(2, 2);
const kindEmblems = { coupon: couponSign, serve: emptyCart, complete: () => cart(2, 0), fail: emptyCart, leave: emptyCart };

export const emblems = { kind: (kind) => kindEmblems[kind]?.() ?? null, food: (food) => cube(food), die: (number) => die(number) };

function cardPart({ position, state, customer: id }, view, context, fresh) {
  if (id === null) {
    const text = say(`market.card_${state}`);
    return element("li", { class: `customer ${state}` }, element("span", { class: "back" }, text));
  }
  const customer = tables(context).customers.get(id);
  const shops = state === "shopping" && view.trip !== null;
  const rolled = shops && view.trip.dice !== null ? view.trip.dice[0] + view.trip.dice[1] : null;
  const text = customerText(customer, context);
  return element("li", { class: `customer ${state}${fresh.customers.has(id) ? " fresh" : ""}`, title: text }, unseen(`${text}, ${say(`market.card_${state}`)}`),
    element("div", { "aria-hidden": "true" }, element("p", { class: "who" }, element("strong", {}, customer.name), element("span", {}, say(`market.card_${state}`))),
      element("p", { class: "facts" }, state === "done" ? null : factsOf(customer, shops ? view.trip : { space: customer.cart, coupons: customer.coupons })),
      wishes(customer.ranges, rolled)),
    state === "up" ? button({ id: `serve-${position}`, "data-token": id, "data-verbs": "serve", "data-place": 1, "data-label": text }) : null);
}

function basketText({ foods: wanted, available }, isCoupon, view, context) {
  const sum = wanted.reduce((all, food) => all + view.prices[food], 0) - (isCoupon ? tables(context).limits.coupon_discount : 0);
  return say(available ? "market.basket" : "market.basket_missing", { foods: wanted.map(foodName).join(", "), sum: dollars(sum) });
}

function tripPart(view, context, fresh) {
  if (view.trip === null) return null;
  const { trip } = view;
  const way = (name) => (trip[name] === null ? null : element("p", {}, element("strong", {}, say(`market.way_${name}`)), ": ", element("span", { class: "cubes" }, trip[name].foods.map((food) => cube(food))), " ", basketText(trip[name], name === "coupon", view, context)));
  return element("section", { class: "trip", "aria-labelledby": "trip-title" }, element("h2", { id: "trip-title" }, say("market.trip", { name: customerName(trip.customer, context) })),
    element("p", { class: "facts" }, trip.dice === null ? null : element("span", { class: fresh.dice ? "dice fresh" : "dice", role: "img", "aria-label": say("market.rolled", { total: trip.dice[0] + trip.dice[1] }) }, trip.dice.map(die)),
      element("span", {}, say("market.space", { count: trip.space })), element("span", {}, say("market.takings", { amount: dollars(trip.takings) }))),
    way("normal"), way("coupon"));
}

function customersPart(view, context, fresh) {
  return element("section", { class: "customers", "aria-labelledby": "customers-title" }, element("h2", { id: "customers-title" }, say("market.customers")),
    element("ul", { class: "row" }, view.row.map((card) => cardPart(card, view, context, fresh))));
}

/* ---- Chart and cards to come ---- */

function chartPart(view, context) {
  const { chart } = tables(context);
  const rolled = view.trip?.dice ? view.trip.dice[0] + view.trip.dice[1] : null;
  const shopper = view.trip?.customer ?? null;
  const cell = (number) => element("td", {}, String(number), shopper === null ? null : [" ", cube(foodAt(number, shopper, context)), unseen(foodName(foodAt(number, shopper, context)))]);
  return element("section", { class: "chart", "aria-labelledby": "chart-title" }, element("h2", { id: "chart-title" }, say("market.chart")),
    element("table", {}, element("caption", { class: "unseen" }, say("market.chart")), element("thead", {}, element("tr", {}, element("th", { scope: "col" }, say("market.total")), element("th", { scope: "col", colspan: 2 }, say("market.means")))),
      element("tbody", {}, [...chart.values()].map(({ total: sum, numbers: both }) => element("tr", { class: rolled === sum ? "rolled" : null }, element("th", { scope: "row" }, String(sum)), both.map(cell))))));
}

function comingPart(view, context) {
  const { costs } = tables(context);
  const column = (text, attributes = {}) => element("th", { scope: "col", ...attributes }, text);
  return element("details", { id: "market-coming" }, element("summary", {}, say("market.coming")),
    view.cost_cards_to_come.length === 0 ? null : element("table", {}, element("caption", {}, say("market.costs_coming")), element("thead", {}, element("tr", {}, foods.map((food) => column([cube(food), unseen(foodName(food))])))),
      element("tbody", {}, view.cost_cards_to_come.map((card) => element("tr", {}, foods.map((food) => element("td", {}, dollars(costs.get(card).costs[food]))))))),
    element("p", {}, say("market.unseen"), " ", listed(view.customers_unseen.map((id) => customerName(id, context)))),
    total(view.on_customer_cards) === 0 ? null : element("p", {}, say("market.on_cards", { count: total(view.on_customer_cards) })),
    view.customers_discarded?.length > 0 ? element("p", {}, say("market.discarded"), " ", listed(view.customers_discarded.map((id) => customerName(id, context)))) : null);
}

/* ---- What comes from where, in a recorded game ---- */

const costsDrawing = (id, context) => element("span", { class: "costs" }, foods.map((food) => element("span", {}, cube(food), dollars(tables(context).costs.get(id).costs[food]))));

export const comes = {
  costs: costsDrawing, customers: (id, context) => wishes(tables(context).customers.get(id).ranges, null),
  dice: (thrown) => element("span", { class: "dice" }, thrown.split(",").map((each) => die(Number(each)))),
};

export function component(id, from, context) {
  if (from === "costs") return foods.map((food) => `${foodName(food)} ${dollars(tables(context).costs.get(id).costs[food])}`).join(", ");
  if (from === "customers") return customerName(id, context);
  return id.replace(",", " + ");
}

/* ---- The whole ---- */

export function draw(view, context) {
  const fresh = changes(context);
  return element("div", { class: "supermarche" }, statusPart(view, context, fresh),
    element("div", { class: "main" }, shelvesPart(view, context, fresh), tripPart(view, context, fresh)), chartPart(view, context),
    customersPart(view, context, fresh), comingPart(view, context));
}

/* ---- Moves in words ---- */

export function word(token, words, context) {
  const [verb] = words;
  if (verb === undefined) return say(`market.do_${token}`);
  if (verb === "serve") return customerName(token, context);
  if (token === "done") return say("market.done");
  if (token === "none") return say("market.no_sale");
  if (verb === "initial" || verb === "pay") return say(`market.way_${token}`);
  if (foods.includes(token)) return foodName(token);
  return /^\d+$/.test(token) ? say("market.cubes", { count: Number(token) }) : boxName(token, context.view);
}

export function sentence([verb, ...rest], context) {
  const { view } = context;
  const cubes = (count) => say("market.cubes", { count: Number(count) });
  const cost = () => view.cost_card.costs[rest[0]] * Number(rest[1]);
  const told = {
    buy: () => (rest[0] === "done" ? say("market.say_bought") : say("market.say_buy", { cubes: cubes(rest[1]), food: foodName(rest[0]), cost: dollars(cost()), left: dollars(view.money - cost()) })),
    stock: () => (rest[0] === "done" ? say("market.say_stocked") : say("market.say_stock", { cubes: cubes(rest[2]), food: foodName(rest[0]), when: boxName(rest[1], view) })),
    sale: () => (rest[0] === "none" ? say("market.say_no_sale") : say("market.say_sale", { food: foodName(rest[0]), price: dollars(tables(context).foods.get(rest[0]).sale_price) })),
    serve: () => say("market.say_serve", { name: customerName(rest[0], context) }),
    initial: () => say(rest[0] === "take" ? "market.say_take" : "market.say_skip", { food: foodName(view.on_sale) }),
    roll: () => say("market.say_roll"),
    restock: () => say(view.decision === "roll" ? "market.say_restock_roll" : "market.say_restock"),
    next: () => say("market.say_next"),
    pay: () => say("market.say_pay", { basket: basketText(view.trip[rest[0]], rest[0] === "coupon", view, context) }),
  };
  return told[verb]();
}

// Moves that say all by their one word, and of which nothing can be chosen: pressing them on the board plays them.
export const isImmediate = (move) => ["roll", "next"].includes(move);

// What could still be bought or moved, but no more after this move: foods come in their order, and their boxes in theirs.
function passedOver([verb, ...rest], { moves, view }) {
  const rank = (food, box) => foods.indexOf(food) * 10 + (verb === "stock" ? ["every", "r2", "r3", "r4", "r5", "r6", "never"].indexOf(box) : 0);
  const could = (moves ?? []).map((move) => move.split(" ")).filter(([first, ...words]) => first === verb && words.at(-1) === "1" && rank(...words) < rank(...rest));
  return [...could].sort((a, b) => rank(...a.slice(1)) - rank(...b.slice(1))).map(([, food, box]) => (verb === "buy" ? foodName(food) : say("market.food_of", { food: foodName(food), when: boxName(box, view) })));
}

export function warning([verb, ...rest], view, context) {
  const passed = ["buy", "stock"].includes(verb) && rest.length > 1 ? passedOver([verb, ...rest], { ...context, view }) : [];
  if (passed.length > 0) return say(verb === "buy" ? "market.warn_passed" : "market.warn_not_moved", { foods: passed.join(", ") });
  const isRestock = verb === "restock" && view.decision === "roll";
  if (!isRestock && (verb !== "pay" || view.trip[rest[0]].available)) return null;
  const { penalty } = tables(context).customers.get(view.trip.customer);
  const refund = isRestock ? 0 : view.trip.takings;
  const costs = say(isRestock ? "market.warn_restock" : "market.warn_missing", { penalty: dollars(penalty), refund: dollars(refund) });
  return view.money < penalty + refund ? `${costs} ${say("market.warn_lost")}` : costs;
}
