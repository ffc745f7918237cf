// How a game is played: on the game's page, and in a panel beside a table. The text is made when the service is
// (api/docs/build_docs.c: /static/rules/<slug>.html, in German <slug>.de.html); its pictures are drawn here, by the game's board, from positions that
// were played (tests/pictures.mjs: /static/rules/<slug>.json).
import { boardOf, pictureOf } from "../boards/boards.js";
import { element, Problem, read } from "../lib/common.js";
import { language, say } from "../lib/words.js";

// The data for a game's pictures.
export async function readPictures(slug) {
  const [board, components, positions] = await Promise.all([boardOf(slug), read(`/v1/rulesets/${slug}/components`), read(`/static/rules/${slug}.json`)]);
  return { board, components, positions };
}

// The text in the reader's language, or else in English, as an element.
export async function readText(slug) {
  for (const tag of new Set([language, "en"])) {
    const answer = await fetch(`/static/rules/${slug}${tag === "en" ? "" : `.${tag}`}.html`);
    if (!answer.ok) continue;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return element("div", { id: "rules", class: "rules", lang: tag }, [...page.body.childNodes]);
  }
  throw new Problem("not-found", 404, say("rules.missing"));
}

// Keeps one part of a drawn board, with its ancestors.
function cutOut(drawing, part) {
  const kept = drawing.querySelector(part);
  for (let at = kept; at !== drawing; at = at.parentElement) {
    at.parentElement.replaceChildren(at);
    if (at !== kept) at.classList.add("around");
  }
}

function draw({ board, components, positions: { seats, pictures } }, name) {
  const { part, planned, view } = pictures[name];
  const drawing = pictureOf(board, view, { components, seats, planned });
  cutOut(drawing, part);
  for (const each of drawing.querySelectorAll("[id]")) each.removeAttribute("id"); // the same board may be on the page
  for (const each of drawing.querySelectorAll("title")) each.remove();
  return drawing;
}

// Draws the pictures of a text. Its own words are the text alternatives.
export function drawPictures(text, found) {
  for (const figure of text.querySelectorAll("figure[data-picture]")) {
    figure.querySelector(".board")?.remove();
    figure.prepend(draw(found, figure.dataset.picture));
  }
}

const prefix = "rules-"; // of ids in the panel

// A side panel; the table stays usable beside it.
export class RulesPanel {
  #slug;
  #panel = null;
  #text = null; // the element with the text
  #opener = null;

  constructor(slug) {
    this.#slug = slug;
  }

  // Loads everything it shows; after that it works offline.
  async prepare() {
    if (this.#text !== null) return;
    const [text, found] = await Promise.all([readText(this.#slug), readPictures(this.#slug)]);
    text.removeAttribute("id");
    for (const each of text.querySelectorAll("[id]")) each.id = prefix + each.id;
    for (const each of text.querySelectorAll("a[href^='#']")) each.setAttribute("href", `#${prefix}${each.getAttribute("href").slice(1)}`);
    for (const each of text.querySelectorAll(".anchor")) each.remove();
    for (const each of text.querySelectorAll("a[href^='/']")) each.target = "_blank";
    this.#text = text;
    drawPictures(this.#text, found);
  }

  #make() {
    const close = element("button", { type: "button" }, say("rules.close"));
    close.addEventListener("click", () => this.close());
    this.#panel = element("dialog", { id: "rules-panel", class: "rules-panel", "aria-labelledby": "rules-title", tabindex: "-1" },
      element("div", { class: "head" }, element("h2", { id: "rules-title" }, say("rules.open")), close));
    this.#panel.addEventListener("keydown", ({ key }) => (key === "Escape" ? this.close() : null));
    document.body.append(this.#panel);
  }

  // Opens it at the section with that anchor.
  async open(anchor = null) {
    this.#opener = document.activeElement;
    if (this.#panel === null) this.#make();
    if (!this.#panel.open) this.#panel.show();
    this.#panel.focus({ preventScroll: true });
    try {
      await this.prepare();
      if (this.#text.parentElement === null) {
        this.#panel.querySelector(".fault")?.remove();
        this.#panel.append(this.#text);
      }
      if (anchor === null) this.#panel.scrollTop = 0;
      else document.getElementById(prefix + anchor)?.scrollIntoView({ block: "start" });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#panel.querySelector(".fault")?.remove();
      this.#panel.append(element("p", { class: "fault", role: "alert" }, error.words));
    }
  }

  close() {
    this.#panel.close();
    if (this.#opener?.isConnected) this.#opener.focus({ preventScroll: true });
  }
}
