// The public board of a running game, followed move by move: for hall screens and the home page.
import { boardOf, componentsAt, drawBoard } from "../boards/boards.js";
import { namesIn, seatName } from "../game/seat-names.js";
import { element, listed, read } from "../lib/common.js";
import { News, pause } from "../lib/news.js";

// Without the session of the person who opened the page: their private view must not be shown in the hall.
async function see(path) {
  const answer = await fetch(path, { credentials: "omit" });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

const components = new Map(); // by their address

async function componentsOf(slug, set) {
  const at = componentsAt(slug, set);
  if (!components.has(at)) components.set(at, await see(at));
  return components.get(at);
}

// A position on its board, as the seat `own` (null: a spectator) sees it. `board`: from boardOf().
function drawPosition(game, view, own, board, rules) {
  return drawBoard(board, view, { components: rules, seats: game.seats.length, own, view, planned: null, entry: null, ...namesIn(game) });
}

// Shows a position in `host`, apart from the page: its ids are its own, and nothing in it can be reached.
function setPicture(host, { sheet }, drawn) {
  const shown = host.shadowRoot?.querySelector(".board");
  if (shown) return shown.replaceWith(drawn);
  const sheets = ["/static/style.css", sheet].filter(Boolean).map((href) => element("link", { rel: "stylesheet", href }));
  host.attachShadow({ mode: "open" }).append(...sheets, drawn);
}

// Fills `host` with a picture of a reader's own game.
export async function drawPicture(host, game, seat) {
  const { slug } = game.ruleset;
  const [{ view, components: set }, board] = await Promise.all([read(`/v1/games/${game.id}/view`), boardOf(slug)]);
  setPicture(host, board, drawPosition(game, view, seat, board, await read(componentsAt(slug, set))));
}

// Fills `host` with a picture of a public game, which follows it to its end.
export async function followPicture(host, game) {
  const board = await boardOf(game.ruleset.slug);
  const live = new LiveBoard(() => {
    const { game: { state }, board: drawn } = live.parts;
    setPicture(host, board, drawn);
    if (state === "finished") live.follow(null);
  });
  live.follow(game.id);
}

export class LiveBoard {
  #id = null; // of the followed game
  #news = null;
  #shown; // called when the position changes
  parts = null; // the current { players, board, game }

  constructor(shown) {
    this.#shown = shown;
  }

  // Follows this game from now on, or none.
  follow(id) {
    if (id === this.#id) return;
    this.#id = id;
    this.parts = null;
    this.#news?.close();
    if (id !== null) this.#run(id);
  }

  async #run(id) {
    const news = new News(`/v1/games/${id}/stream`);
    this.#news = news;
    while (this.#id === id) {
      let seen = 0;
      try {
        seen = await this.#read(id);
      } catch (error) {
        console.info(error.message); // the service may be unavailable: tables and standings report that
        await pause(5000);
      }
      if (this.#id === id) await news.next(seen, 5000);
    }
    news.close();
  }

  // Draws the current position; returns its last entry.
  async #read(id) {
    const [game, { view, seq, components: set }] = await Promise.all([see(`/v1/games/${id}`), see(`/v1/games/${id}/view`)]);
    const drawn = drawPosition(game, view, null, ...await Promise.all([boardOf(game.ruleset.slug), componentsOf(game.ruleset.slug, set)]));
    if (this.#id !== id) return seq;
    this.parts = { game, board: drawn, players: listed(game.seats.map((each) => element("span", { class: `by seat-${each.seat}` }, seatName(game, each.seat)))) };
    this.#shown();
    return seq;
  }
}
