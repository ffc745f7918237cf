// Rereads pages written by the server when something has happened. Imports nothing: it is used in frames on other sites,
// where a browser may block storage.

// The event's last change number shown by a page.
export function shownChanges(root) {
  return Number(root.querySelector("[data-changes]")?.dataset.changes);
}

// The current <main> of this address, written by the server.
export async function readPage() {
  const answer = await fetch(location.pathname + location.search, { cache: "no-cache" });
  if (!answer.ok) throw new Error(`page: ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
}
