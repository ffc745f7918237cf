// The component set of this device with which a game is practised before anybody else sees it: one of each game, kept in the browser.
const keyOf = (slug) => `tillroll.set.${slug}`;

export function keepSet(slug, components, text) {
  localStorage.setItem(keyOf(slug), JSON.stringify({ components, text }));
}

// { components: its SHA-256, text }, or null.
export function keptSet(slug) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(slug)));
  } catch {
    return null;
  }
}
