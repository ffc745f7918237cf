// Lets the scorer's page be opened again without a connection: what the page has used is kept and served if the service cannot be
// reached. It is registered for that page and its worker alone (mine/scorer.js), and never answers requests that change or read the recording.

const store = "tillroll-scorer";
const isKept = ({ pathname }) => pathname.startsWith("/static/") || /^\/v1\/(rulesets\/[^/]+(\/components)?|components\/[0-9a-f]+)$/.test(pathname) || pathname.endsWith("/scorer");

// One copy of each file, whatever the version in its address.
const keyOf = (address) => address.replace(/\/static\/~[^/]+\//, "/static/");

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function keep(request) {
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(store)).put(keyOf(request.url ?? request), answer.clone());
  return answer;
}

async function find(request) {
  const kept = await (await caches.open(store)).match(keyOf(request.url), { ignoreVary: true });
  if (kept === undefined) throw new Error("not kept");
  return kept;
}

self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  if (event.request.method !== "GET" || address.origin !== self.location.origin || !isKept(address)) return;
  event.respondWith(keep(event.request).catch(() => find(event.request)));
});

// The page names what it had loaded before this script was there.
self.addEventListener("message", ({ data, ports: [port] }) => {
  const wanted = data.filter((each) => isKept(new URL(each)));
  Promise.all(wanted.map((each) => keep(each).catch(() => null))).then(() => port?.postMessage("kept"));
});
