// What a screen reader says of a table without being asked: what was played, whose turn it is, what has been chosen. All of it stands in one
// status, which stays on the page and is written anew as a whole. The table itself is redrawn piece by piece, and of that a screen reader
// would say the pieces.
import { element } from "../lib/common.js";
import { say } from "../lib/words.js";

const most = 10; // lines of the record that are told at once; the log has the others

// The text of sentences without what is drawn only for the eye.
export function spoken(...parts) {
  const whole = element("div", {}, parts);
  for (const each of whole.querySelectorAll("[aria-hidden=true], svg")) each.remove();
  return whole.textContent.replace(/\s+/g, " ").trim();
}

// The same of elements on the page, of those that have any.
export const spokenOf = (elements) => [...elements].map((each) => spoken(each.cloneNode(true))).filter((text) => text !== "");

export class Announcer {
  #told = null; // the last line of the record that was told
  #before = null; // what there was to say of the last drawing

  // The place of the words; made for each drawing, and kept from the first.
  static place() {
    return element("p", { id: "announced", class: "unseen", role: "status", "data-keep": true });
  }

  // Another course of the game begins, of which nothing is told but whose turn it is.
  restart() {
    this.#told = null;
  }

  // `now`: { last, shown, turn, choice }: the record's last line, the line that is shown if it is another one (or null), whose turn it is, and
  // what has been chosen (null before anything is). `lineOf(seq)`: the sentences of a line. Says nothing of the first drawing: the page is read then.
  say(place, now, lineOf) {
    const { last, shown, turn, choice } = now;
    const before = this.#before;
    const since = this.#told;
    this.#before = now;
    if (shown === null) this.#told = last; // who looks back is told the rest afterwards
    if (before === null) return;
    const parts = [];
    if (shown !== null && shown !== before.shown) parts.push(say("replay.at", { seq: shown, last }), lineOf(shown));
    else if (shown === null && since !== null && last > since) parts.push(...this.#lines(since, last, lineOf));
    else if (shown === null && before.shown !== null) parts.push(say("replay.at", { seq: last, last }), lineOf(last));
    const isNews = last !== before.last || turn !== before.turn || (shown === null && before.shown !== null);
    if (isNews) parts.push(turn);
    if (choice !== before.choice && (choice !== null || !isNews)) parts.push(choice ?? say("play.choose"));
    const words = parts.filter((each) => each !== "").join(" ");
    if (words !== "") place.textContent = words;
  }

  #lines(since, last, lineOf) {
    const first = Math.max(since + 1, last - most + 1);
    const left = first - since - 1;
    return [left === 0 ? "" : say("lately.more", { count: left }), ...Array.from({ length: last - first + 1 }, (_, i) => lineOf(first + i))];
  }
}
