// A first game that explains itself: a card when a kind of decision comes up for the first time, with what is chosen, the rule
// behind it, and what is good.
import { element } from "../lib/common.js";
import { say } from "../lib/words.js";

// Each game's kinds of decision, those that are explained first before the others: a kind is a decision that the view names, or
// the first word of a legal move. With the section of the rules that has more.
const kinds = {
  shinjuku: { matsuri: "paying-with-cards", action: "five-actions", pay: "paying-with-cards", give: "moving-customers", route: "moving-customers",
    open: "five-actions", move: "moving-customers", upgrade: "five-actions", expand: "five-actions", income: "five-actions" },
  "superstore-3000": { act: "your-turn", serve: "customers-walk", attract: "your-turn", dock: "docking-bays", money: "the-dispenser" },
  "super-motherload": { "side-1": "deeper", deck: "your-crew", main: "your-turn", place: "your-turn", put: "what-you-dig-up", buy: "what-you-dig-up",
    copy: "what-you-dig-up", swap: "what-you-dig-up", side: "deeper", trim: "what-you-dig-up", claim: "artifacts-and-achievements",
    artifact: "artifacts-and-achievements", bomb: "your-turn" },
  "mall-world": { accept: "orders", progress: "your-turn", bid: "the-auction", realize: "approval-cards", supply: "your-turn", confirm: "orders" },
  supermarche: { delivery: "a-round", stocking: "a-round", sale: "coupons-and-sales", choose: "customers", initial: "coupons-and-sales", roll: "customers",
    pay: "coupons-and-sales", between: "restocking", restock: "restocking" },
};

const kindsIn = ({ view, legal }) => new Set([view.decision?.toLowerCase(), ...legal.map((move) => move.split(" ")[0])]);

export class Lesson {
  #slug;
  #kinds;
  #seen;
  #shown = null; // the kind of the card
  #at = null; // the number of plies when it came up

  // `seen`: the kinds that were explained before, in their order.
  constructor(slug, seen = []) {
    this.#slug = slug;
    this.#kinds = kinds[slug] ?? {};
    this.#seen = seen.filter((kind) => kind in this.#kinds);
  }

  get seen() {
    return [...this.#seen];
  }

  // Looks at what there is to decide now. A game that goes on after a reload shows its last card again.
  look(position) {
    if (this.#at === position.seq) return;
    const here = kindsIn(position);
    const last = this.#seen.at(-1);
    const isResumed = this.#at === null && here.has(last);
    const unseen = Object.keys(this.#kinds).find((kind) => here.has(kind) && !this.#seen.includes(kind)) ?? null;
    this.#at = position.seq;
    this.#shown = position.legal.length === 0 ? null : isResumed ? last : unseen;
    if (this.#shown !== null && this.#shown !== last) this.#seen.push(this.#shown);
  }

  #text(kind) {
    const part = (what) => say(`lesson.${what}_${this.#slug}_${kind}`);
    const anchor = this.#kinds[kind];
    return [element("p", {}, part("what")), element("p", {}, element("strong", {}, say("lesson.rule")), " ", part("rule"), " ",
      element("button", { type: "button", class: "link", "data-do": "rules", "data-anchor": anchor }, say("lesson.more"))),
    element("p", {}, element("strong", {}, say("lesson.good")), " ", part("good"))];
  }

  #title(kind) {
    return say(`lesson.title_${this.#slug}_${kind}`);
  }

  // The card, made anew; null if there is nothing to explain.
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
