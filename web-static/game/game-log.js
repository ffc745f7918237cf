// The record of a game, line by line: consecutive moves of one player are grouped under that player's name.
import { duration, element } from "../lib/common.js";
import { seatName } from "./seat-names.js";
import { sentences } from "./story.js";
import { say } from "../lib/words.js";

export class GameLog {
  #elapsed = 0;
  #turn = null; // the list item for the next entry of the same player
  #next = 0; // the last entry on the page

  // Appends entries that are not on the page yet. `set`: { board, components } of the game.
  append(list, game, items, set) {
    for (const item of items.filter((each) => each.seq > this.#next)) {
      this.#turnOf(list, game, item).append(this.#line(game, item, set));
      this.#next = item.seq;
    }
  }

  #line(game, item, set) {
    const played = item.kind === "ply";
    const took = item.elapsed_ms - this.#elapsed;
    this.#elapsed = item.elapsed_ms;
    return element("li", { id: `line-${item.seq}` },
      element("a", { class: "seq", href: `#line-${item.seq}`, title: say("roll.after_start", { duration: duration(item.elapsed_ms) }) },
        element("span", { class: "unseen" }, say("roll.line"), " "), String(item.seq)),
      played ? element("code", {}, element("a", { href: `#ply=${item.seq}` }, item.move)) : element("span", {}, item.kind),
      element("div", { class: "words" }, sentences(game, item, set).map((each) => element("p", {}, each))),
      element("span", { class: "took" }, played ? element("span", { class: "unseen" }, say("roll.took"), " ") : null, played ? duration(took) : null));
  }

  #turnOf(list, game, item) {
    const by = item.kind === "ply" ? item.seat : null;
    if (this.#turn === null || this.#turn.by !== by) {
      const lines = element("ol");
      const when = this.#elapsed === 0 ? say("roll.at_start") : say("roll.after", { duration: duration(this.#elapsed) });
      list.append(element("li", {}, element("h3", {}, by === null ? say("roll.table") : seatName(game, by), " ", element("span", { class: "when" }, when)), lines));
      this.#turn = { by, lines };
    }
    return this.#turn.lines;
  }
}
