// Pages that the server writes whole, read anew when something has happened. Nothing is imported here: pages in frames
// of other sites use it, where a browser may keep a page's store from it.

// The number of the last change of its event that a page shows.
export function shownChanges(root) {
  return Number(root.querySelector("[data-changes]")?.dataset.changes);
}

// The <main> of this address as the server writes it now.
export async function readPage() {
  const answer = await fetch(location.pathname + location.search, { cache: "no-cache" });
  if (!answer.ok) throw new Error(`page: ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
}
