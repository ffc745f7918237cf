// The number of people watching a running game, on this page and elsewhere, who have no seat in it.
import { element, Problem, read } from "../lib/common.js";
import { say } from "../lib/words.js";

const everyMs = 20000;
const firstMs = 1500; // by then the page's own stream is counted
let timer = null;

export const watchingPart = (game) => (game.state === "running" ? element("span", { id: "watching", "data-keep": true }) : null);

async function show(at) {
  const place = document.getElementById("watching");
  if (place === null || document.visibilityState !== "visible") return;
  try {
    const { watching } = await read(`${at}/watching`);
    place.textContent = watching === 0 ? "" : ` ${say("game.watching", { count: watching })}`;
  } catch (error) {
    if (!(error instanceof Problem)) throw error; // not important enough to report
  }
}

export function followWatching(at, game) {
  if (game.state !== "running") clearInterval(timer);
  else if (timer === null) {
    setTimeout(show, firstMs, at);
    timer = setInterval(show, everyMs, at);
  }
}
