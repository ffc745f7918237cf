// What happened in a game, in the page's language: the catalogue's sentence for each kind of event, with the event's members
// filled in by name. Without a sentence in the catalogue, the service's own is used.
import { capital, hasWords, number, said, say } from "./words.js";

/* ---- Names of things ---- */

const placeName = (id) => id.split("-").map(capital).join(" "); // "kita-senju": Kita Senju
const listOf = (nameOf) => (items) => items.map(nameOf).join(", ");
const counted = (counts, nameOf) => Object.entries(counts).map(([id, count]) => `${number(count)} ${nameOf(id)}`).join(", ");
const itself = (value) => value;
const seat = (value) => ({ seat: value });
const namedIn = (rows, id) => rows.find((each) => each.id === id)?.name ?? id;

const customerKind = (kind) => (kind.endsWith("-2") ? say("shinjuku.double", { good: say(`shinjuku.good_${kind.slice(0, -2)}`) }) : say(`shinjuku.good_${kind}`));

const thing = (id) => (hasWords(`shinjuku.good_${id.replace("-2", "")}`) ? customerKind(id) : placeName(id)); // of a move

// "open aoto from shinjuku": Aoto, moved from Shinjuku
function moveWords(move) {
  const [things, from] = move.split(" from ");
  return [...things.split(" ").slice(1).map(thing), from === undefined ? null : `${say("shinjuku.from")} ${thing(from)}`].filter(Boolean).join(", ");
}

function customers(counts) {
  const kinds = Object.entries(counts).map(([kind, count]) => say("told.shinjuku.several", { count, customer: customerKind(kind) }));
  return kinds.length === 0 ? say("shinjuku.nobody") : kinds.join(", ");
}

export const dollars = (amount) => `${amount < 0 ? "−" : ""}${say("market.dollars", { amount: Math.abs(amount) })}`;
export const foodName = (food) => say(`market.food_${food}`);
const boxWords = (box) => (/^r\d$/.test(box) ? say("market.after_round", { round: box.slice(1) }) : box === "never" ? say("market.never") : say("told.supermarche.this_round"));

const approvalCard = (card) => card.split("-").map((use) => say(`mall.name_${use}`)).join(" + ");

function orderName(id, event, components) {
  const kind = ["use", "rent", "special"].find((each) => components[`${each}_orders`].items.some((order) => order.id === id));
  if (kind === undefined) return id;
  const { uses, chains } = components[`${kind}_orders`].items.find((order) => order.id === id);
  const [a, b] = kind === "use" ? uses.map((use) => say(`mall.name_${use}`)) : chains.map((chain) => namedIn(components.chains.items, chain));
  return say(`mall.order_${kind}`, { a, b });
}

// As the board says it: an entrance by whom it brings.
function tileName(tile, event, components) {
  const [, kind, number] = /^(entrance|main)-(\d+)$/.exec(tile) ?? [];
  if (kind === "main") return say("told.superstore-3000.main", { number: Number(number) });
  if (kind === undefined) return say(`superstore.name_${tile}`);
  return say("superstore.entrance_with", { wishes: components.entrances.items.find(({ id }) => id === tile).wishes.map((wish) => say(`superstore.name_${wish}`)).join(", ") });
}

const cellName = ({ column, floor }) => say("superstore.cell", { column, floor });

const mineral = (name) => say(`motherload.find_${name}`);
const color = (name) => say(`motherload.color_${name}`);
const mineBoard = (board) => say("told.super-motherload.board", { depth: board[0], side: board[1].toUpperCase() });
const colorOf = { r: "red", b: "blue", y: "yellow", w: "wild" };

function pilot(card) {
  const [name, cost] = [color(colorOf[card[0]]), Number(card.slice(1))];
  return cost === 0 ? say("motherload.starter", { color: name }) : say("motherload.card", { color: name, cost });
}

// "2 × blue starter, wild starter"
function pilots(cards) {
  return [...new Set(cards)].map((card) => {
    const count = cards.filter((each) => each === card).length;
    return count === 1 ? pilot(card) : say("told.super-motherload.several", { count, card: pilot(card) });
  }).join(", ");
}

function goalName(id) {
  if (hasWords(`motherload.minor_${id}`)) return say(`motherload.minor_${id}`);
  if (id.startsWith("all-but-")) return say("told.super-motherload.all_but", { color: color(id.slice(8)) });
  const [first, second] = id.split("-and-").map(color);
  return say("told.super-motherload.both", { first, second });
}

export const patternName = (id) => say(`motherload.pattern_${id}`);

// Spaces of the mine (depth, column, row: "1f6") by the columns and rows that the board shows, those of a depth together.
export function mineSpaces(spaces) {
  const depths = [...new Set(spaces.map((space) => space[0]))];
  return depths.map((depth) => say("motherload.spaces", { depth, spaces: spaces.filter((space) => space[0] === depth).map((space) => space.slice(1)).join(", ") })).join(", ");
}

/* ---- Games ---- */

// For each game: `words`, what a member of its events is called (others are shown as they are); `variant`, what is added
// to the key of the sentence where a kind has several; `number`, the member that a kind's plural forms go by.
const games = {
  "shinjuku": {
    words: { from: placeName, to: placeName, station: placeName, a: placeName, b: placeName, ward: placeName, card: placeName, cards: listOf(placeName),
      good: (good) => say(`shinjuku.good_${good}`), thing, customer: customerKind, customers,
      track_of: seat, action: (action) => say(`shinjuku.do_${action}`), move: moveWords },
    variant: { income: ({ cards }) => (cards === undefined ? "" : "_seen"), step: ({ track_of: owner }) => (owner === null ? "_free" : ""),
      queue_card_taken: ({ kept }) => (kept ? "" : "_not_kept") },
    number: {},
  },
  "supermarche": {
    words: { food: foodName, box: boxWords, cost: dollars, price: dollars, discount: dollars, bonus: dollars, penalty: dollars, refund: dollars, fee: dollars,
      customer: (id, event, components) => namedIn(components.customers.rows, id), die: (die) => number(die), dice: listOf((die) => number(die)),
      costs: (costs) => Object.entries(costs).map(([food, amount]) => `${foodName(food)} ${dollars(amount)}`).join(", ") },
    variant: { phase_end: ({ phase }) => `_${phase}`, game_over: ({ result }) => `_${result}`, complete: ({ bonus }) => (bonus > 0 ? "_bonus" : "") },
    number: {},
  },
  "superstore-3000": {
    words: { tile: tileName, store: tileName, face: (face) => say(`superstore.name_${face}`), card: (card) => say(`superstore.card.${card}`),
      wish: (wish) => say(`superstore.name_${wish}`), from: cellName, to: cellName },
    variant: { element_built: ({ price }) => (price === 0 ? "_free" : ""), last_round: ({ reason }) => `_${reason}` },
    number: { element_built: "price", money_taken: "notes" },
  },
  "mall-world": {
    words: { order: orderName, card: approvalCard, cards: (cards) => cards.map(approvalCard).join(", ") || say("mall.nothing_in_hand"), use: (use) => say(`mall.name_${use}`),
      group: (group) => say(`mall.name_${group}`), price: (amount) => say("mall.francs", { amount }), income: (amount) => say("mall.francs", { amount }),
      bribe: (amount) => say("mall.francs", { amount: Math.abs(amount) }), to: seat, chain: (id, event, components) => namedIn(components.chains.items, id) },
    variant: { confirmed: ({ bribe }) => (bribe > 0 ? "_got" : "_paid"), paid: ({ to }) => (to === "slush" ? "_slush" : "") },
    number: { bid: "coins", bid_sealed: "coins", paid: "coins", slush_shared: "coins", last_turns: "turns" },
  },
  "super-motherload": {
    words: { color, stack: color, deck: (deck) => say(`motherload.deck_${deck}`), card: pilot, cards: pilots, achievement: goalName, mineral,
      goal: (_, { achievement }) => say(`motherload.goal_${achievement}`), minerals: (counts) => counted(counts, mineral), spaces: mineSpaces, pattern: patternName, board: mineBoard,
      artifact: (artifact) => say(`motherload.artifact_${artifact}`) },
    variant: { cards_drawn: ({ cards }) => (cards === undefined ? "" : "_seen"), artifact_found: ({ artifact }) => (artifact === undefined ? "" : "_seen"),
      card_bought: ({ recruit, to_hand: toHand }) => (recruit ? "_recruit" : toHand ? "_to_hand" : "") },
    number: { drill: "length" },
  },
};

/* ---- Sentences ---- */

// The values for a sentence; members are read only if the sentence uses them.
function valuesOf(game, event, components) {
  const words = { seat, ...game.words };
  const values = {};
  const add = (name, get) => Object.defineProperty(values, name, { get, configurable: true });
  for (const name of new Set([...Object.keys(words), ...Object.keys(event)])) add(name, () => (words[name] ?? itself)(event[name], event, components));
  const by = game.number[event.kind] ?? "count";
  if (by !== "count") add("count", () => event[by]);
  return values;
}

// An event as a list of texts, and { seat } for a player's name; null if the catalogue has no sentence for it. `components`: of the game's ruleset.
export function telling(slug, event, components) {
  const game = games[slug];
  if (game === undefined) return null;
  const key = `told.${slug}.${event.kind}${game.variant[event.kind]?.(event) ?? ""}`;
  return hasWords(key) ? said(key, valuesOf(game, event, components)) : null;
}

// Members that name several things, and the member that names one of them.
const single = { cards: "card", costs: "food", customers: "customer", dice: "die", minerals: "mineral", move: "thing" };

// What an event names: { member, id, name }, in the order of its members. `name`: as in the event's sentence; null for members that need no word.
export function thingsIn(slug, event, components) {
  const words = games[slug]?.words ?? {};
  return Object.entries(event).flatMap(([several, value]) => {
    const member = single[several] ?? several;
    const ids = several === "move" ? value.split(" ").slice(1).filter((word) => word !== "from") : value === null || typeof value !== "object" ? [value] : Array.isArray(value) ? value : Object.keys(value);
    return ids.map((id) => ({ member, id, get name() { return words[member]?.(id, event, components) ?? null; } }));
  });
}

// Members of events that appear in the service's sentences as words of the record.
const coded = { "mall-world": ["order", "card", "cards"], "super-motherload": ["achievement", "card", "cards"] };

// The service's own sentence, with the board's names for such words.
export function named(slug, event, components) {
  const names = (coded[slug] ?? []).flatMap((member) => [event[member]].flat().filter((id) => typeof id === "string").map((id) => {
    const word = games[slug].words[member];
    const name = word(Array.isArray(event[member]) ? [id] : id, event, components);
    return [id, member === "order" ? `“${name}”` : name]; // an order is a phrase of its own
  }));
  return names.sort(([a], [b]) => b.length - a.length).reduce((text, [id, name]) => text.replaceAll(new RegExp(`(?<![\\w-])${id}(?![\\w-])`, "g"), name), event.text);
}

// The level of a score in a one-player game ("Defeat"); null if it has none.
export function levelName(score, components) {
  const level = components.levels?.rows?.find(({ min, max }) => (min === null || min <= score) && (max === null || score <= max));
  return level === undefined || score === null ? null : say(`market.level_${level.id}`);
}
