// A first game that explains itself: a card when a kind of decision comes up for the first time, with what is chosen, the rule
// behind it, and what is good.
import { element } from "../lib/common.js";
import { say } from "../lib/words.js";

// Each game's kinds of decision, those that are explained first before the others: decisions that the view names, then first words of legal
// moves. With the section of the rules that has more.
const kinds = {
  shinjuku: [{ matsuri: "paying-with-cards", action: "five-actions", pay: "paying-with-cards", give: "moving-customers", route: "moving-customers" },
    { open: "five-actions", move: "moving-customers", upgrade: "five-actions", expand: "five-actions", income: "five-actions" }],
  "superstore-3000": [{ act: "your-turn", serve: "customers-walk" }, { attract: "your-turn", dock: "docking-bays", money: "the-dispenser" }],
  "super-motherload": [{ "side-1": "deeper", deck: "your-crew", main: "your-turn", place: "your-turn", put: "what-you-dig-up", buy: "what-you-dig-up",
    copy: "what-you-dig-up", swap: "what-you-dig-up", side: "deeper", trim: "what-you-dig-up" },
    { claim: "artifacts-and-achievements", artifact: "artifacts-and-achievements", bomb: "your-turn" }],
  "mall-world": [{ accept: "orders", progress: "your-turn", bid: "the-auction", realize: "approval-cards", supply: "your-turn" }, { confirm: "orders" }],
  supermarche: [{ delivery: "a-round", stocking: "a-round", sale: "coupons-and-sales", choose: "customers", initial: "coupons-and-sales", roll: "customers",
    pay: "coupons-and-sales", between: "restocking", restock: "restocking" }, {}],
};

export class Lesson {
  #slug;
  #decisions;
  #moves;
  #seen;
  #shown = null; // the kind of the card
  #at = null; // the number of plies when it came up

  // `seen`: the kinds that were explained before, in their order.
  constructor(slug, seen = []) {
    this.#slug = slug;
    [this.#decisions, this.#moves] = kinds[slug] ?? [{}, {}];
    this.#seen = seen.filter((kind) => this.#anchor(kind) !== undefined);
  }

  #anchor(kind) {
    return this.#decisions[kind] ?? this.#moves[kind];
  }

  // A word of a move may also be a decision's name: then it is that decision which is explained.
  #kindsIn({ view, legal }) {
    const verbs = new Set(legal.map((move) => move.split(" ")[0]));
    return [...Object.keys(this.#decisions).filter((kind) => kind === view.decision?.toLowerCase()), ...Object.keys(this.#moves).filter((kind) => verbs.has(kind))];
  }

  get seen() {
    return [...this.#seen];
  }

  // Looks at what there is to decide now. A game that goes on after a reload shows its last card again.
  look(position) {
    if (this.#at === position.seq) return;
    const here = this.#kindsIn(position);
    const last = this.#seen.at(-1);
    const isResumed = this.#at === null && here.includes(last);
    const unseen = here.find((kind) => !this.#seen.includes(kind)) ?? null;
    this.#at = position.seq;
    this.#shown = position.legal.length === 0 ? null : isResumed ? last : unseen;
    if (this.#shown !== null && this.#shown !== last) this.#seen.push(this.#shown);
  }

  #text(kind) {
    const part = (what) => say(`lesson.${what}_${this.#slug}_${kind}`);
    const anchor = this.#anchor(kind);
    return [element("p", {}, part("what")), element("p", {}, element("strong", {}, say("lesson.rule")), " ", part("rule"), " ",
      element("button", { type: "button", class: "link", "data-do": "rules", "data-anchor": anchor }, say("lesson.more"))),
    element("p", {}, element("strong", {}, say("lesson.good")), " ", part("good"))];
  }

  #title(kind) {
    return say(`lesson.title_${this.#slug}_${kind}`);
  }

  // Makes the card; null if there is nothing to explain.
  card() {
    const earlier = this.#seen.filter((kind) => kind !== this.#shown);
    if (this.#shown === null && earlier.length === 0) return null;
    return element("section", { id: "lesson", class: "lesson no-print", "aria-labelledby": "lesson-title" },
      element("h2", { id: "lesson-title" }, this.#shown === null ? say("lesson.hints") : this.#title(this.#shown)),
      element("div", { role: "status" }, this.#shown === null ? null : this.#text(this.#shown)),
      earlier.length === 0 ? null : element("details", { id: "lesson-earlier" }, element("summary", {}, say("lesson.earlier", { count: earlier.length })),
        earlier.map((kind) => element("details", { id: `lesson-${kind}` }, element("summary", {}, this.#title(kind)), this.#text(kind)))));
  }
}
