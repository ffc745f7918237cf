// Shows notices that come by web push while no page is open, and opens the page that they are about. It serves no pages and keeps nothing.

function readNotice(event) {
  try {
    return event.data.json();
  } catch {
    return { id: "", kind: "", title: self.location.host, text: "", path: "/" };
  }
}

// A page of this service.
const pageOf = (path) => (typeof path === "string" && /^\/(?![/\\])/.test(path) ? path : "/");

// A notice that comes again is not shown twice; a newer one about the same page takes the place of the older.
async function showNotice({ id, kind, title, text, path }) {
  const tag = `${kind} ${path}`;
  const shown = await self.registration.getNotifications({ tag });
  if (shown.some((each) => each.data?.id === id)) return;
  await self.registration.showNotification(String(title), { body: String(text), tag, renotify: true, icon: "/static/icon.svg", data: { id, path: pageOf(path) } });
}

async function openPage(path) {
  const wanted = new URL(path, self.location.origin).href;
  const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = open.find((each) => each.url === wanted);
  await (there === undefined ? self.clients.openWindow(wanted) : there.focus());
}

// The browser has replaced its address at the push service.
async function subscribeAgain({ oldSubscription: before, newSubscription: after }) {
  const subscription = after ?? await self.registration.pushManager.subscribe(before.options);
  await fetch("/v1/me/browsers", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(subscription) });
}

self.addEventListener("push", (event) => event.waitUntil(showNotice(readNotice(event))));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(pageOf(event.notification.data?.path)));
});
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain(event)));
