// Updates a part of the page to a newly drawn one, keeping every element that can stay, so that focus, selection, scrolling
// and opened details survive. Elements with an id are matched by it, wherever they have moved; others by position among
// their siblings.

// Attributes set by the reader, not by drawing.
const readers = new Set(["open", "hidden", "aria-expanded"]);

export function updateChildren(shown, wanted) {
  let at = shown.firstChild;
  for (const child of [...wanted.childNodes]) {
    const kept = counterpart(at, child);
    if (kept === null) {
      shown.insertBefore(child, at);
      continue;
    }
    if (kept === at) at = at.nextSibling;
    else shown.insertBefore(kept, at);
    updateNode(kept, child);
  }
  while (at !== null) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

// The node from `at` onwards whose new state is `child`.
function counterpart(at, child) {
  const same = (node) => node.nodeName === child.nodeName && (node.id ?? "") === (child.id ?? "");
  if (!child.id) return at !== null && same(at) ? at : null;
  while (at !== null && !same(at)) at = at.nextSibling;
  return at;
}

function updateNode(shown, wanted) {
  if (shown.nodeType === Node.TEXT_NODE) {
    if (shown.data !== wanted.data) shown.data = wanted.data;
  } else if (shown.isEqualNode(wanted)) {
    return; // most of a page, at each of its updates: what the browser finds out in no time
  } else if (!wanted.hasAttribute("data-keep")) {
    updateAttributes(shown, wanted);
    updateChildren(shown, wanted);
  }
}

function updateAttributes(shown, wanted) {
  for (const { name } of [...shown.attributes]) {
    if (!wanted.hasAttribute(name) && !readers.has(name)) shown.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (shown.getAttribute(name) !== value && !readers.has(name)) shown.setAttribute(name, value);
  }
}
