// What all pages share: reading the API, making elements, writing numbers and times.
// Text from the server only ever becomes text nodes and attributes, never markup.

// Makes an element. Attributes whose value is null or false are left out.
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false || value === undefined) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

export class Problem extends Error {
  constructor(document) {
    super(document.detail ?? "The server does not answer.");
    this.code = document.code;
  }
}

const tags = new Map();

// Reads a document. Undefined if it has not changed since it was last read with `again`.
export async function read(path, { again = false } = {}) {
  const headers = again && tags.has(path) ? { "If-None-Match": tags.get(path) } : {};
  const answer = await fetch(path, { headers });
  if (answer.status === 304) return undefined;
  if (answer.headers.has("ETag")) tags.set(path, answer.headers.get("ETag"));
  const document = await answer.json();
  if (!answer.ok) throw new Problem(document);
  return document;
}

// Every item of a list, page by page.
export async function readAll(path, most = 500) {
  const items = [];
  let next = null;
  do {
    const separator = path.includes("?") ? "&" : "?";
    const page = await read(path + (next === null ? "" : `${separator}after=${next}`));
    items.push(...page.items);
    next = page.next;
  } while (next !== null && items.length < most);
  return items;
}

// The id in this page's address: /events/<id>.
export function pageId() {
  return location.pathname.split("/")[2];
}

// Shows what `draw` returns; what goes wrong is said in words.
export async function show(draw) {
  const main = document.getElementById("main");
  try {
    const content = await draw();
    if (content !== undefined) main.replaceChildren(...[content].flat().filter((part) => part !== null));
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof TypeError)) throw error;
    main.replaceChildren(
      element("h1", {}, "This cannot be shown"),
      element("p", { class: "notice", role: "alert" }, error instanceof Problem ? error.message
        : "The server cannot be reached. The page tries again when it is loaded anew."));
  } finally {
    main.removeAttribute("aria-busy");
  }
}

// Calls `look` every so often while the page can be seen and `look` says true.
export function repeat(look, everyMs = 3000) {
  const tick = async () => {
    let more = true;
    if (document.visibilityState === "visible") {
      try {
        more = await look();
      } catch (error) {
        if (!(error instanceof Problem) && !(error instanceof TypeError)) throw error;
      }
    }
    if (more) setTimeout(tick, everyMs);
  };
  setTimeout(tick, everyMs);
}

export function title(text) {
  document.title = `${text} - Tillroll`;
}

export function time(text) {
  const when = new Date(text);
  return element("time", { datetime: text }, when.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }));
}

// Millionths, to two places: how ratings are written.
export function millionths(number) {
  return (number / 1e6).toFixed(2);
}

export function playerLink(player) {
  return element("a", { href: `/players/${player.id}` }, player.name);
}

export function words(state) {
  return state.replaceAll("_", " ");
}

// Seats in the order of their places; as they sit while the game runs.
export function byRank(seats) {
  return [...seats].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || a.seat - b.seat);
}

// A table from column headings ({text, title, number}) and rows of cells.
export function table(caption, columns, rows) {
  const head = columns.map((column) => element("th", { scope: "col", class: column.number ? "number" : null },
    column.title ? element("abbr", { title: column.title }, column.text) : column.text));
  const body = rows.map((cells) => element("tr", { class: "row" }, cells.map((cell, i) => {
    const attributes = { class: columns[i].number ? `number ${columns[i].class ?? ""}` : columns[i].class ?? null };
    return columns[i].header ? element("th", { scope: "row", ...attributes }, cell) : element("td", attributes, cell);
  })));
  return element("div", { class: "scroll" }, element("table", {},
    element("caption", {}, caption), element("thead", {}, element("tr", {}, head)), element("tbody", {}, body)));
}
