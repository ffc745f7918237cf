// The part of the page of notices about the browsers that notices are sent to, by web push.
import { element, fill, Problem, read, send, time } from "../lib/common.js";
import { attempt, button, formFault } from "../lib/forms.js";
import { language, said, say } from "../lib/words.js";

const worker = "/static/mine/push-worker.js";
const at = "/v1/me/browsers";

const isAble = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

// What the browser calls itself, and its system.
function nameOfBrowser() {
  const { userAgent, userAgentData: data } = navigator;
  const brand = data?.brands.find((each) => !/Brand|Chromium/.test(each.brand))?.brand ?? /(Firefox|Chrome|Safari)\//.exec(userAgent)?.[1];
  const system = data?.platform ?? /\(([^;)]+)/.exec(userAgent)?.[1];
  return [brand, system].filter((each) => each).join(", ") || location.host;
}

// (`Notification.permission` says the same, except in browsers without a window.)
async function isBlocked() {
  const asked = await navigator.permissions?.query({ name: "notifications" }).catch(() => null);
  return (asked?.state ?? Notification.permission) === "denied";
}

const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
const isSame = (a, b) => a.length === b.length && a.every((each, i) => each === b[i]);

// The worker that shows notices, once it can. Its scope holds no pages, so it stays out of everything else.
async function activeWorker() {
  const registration = await navigator.serviceWorker.register(worker);
  const coming = registration.installing ?? registration.waiting;
  if (registration.active === null && coming !== null) {
    await new Promise((resolve, reject) => {
      coming.addEventListener("statechange", () => {
        if (coming.state === "activated") resolve();
        if (coming.state === "redundant") reject(new Error("redundant"));
      });
    });
  }
  return registration;
}

// This browser's subscription, or null.
async function ownSubscription() {
  const registration = isAble() ? await navigator.serviceWorker.getRegistration(worker) : undefined;
  return await registration?.pushManager.getSubscription() ?? null;
}

const refuse = (words) => new Problem("push", 400, words);

// One that was made for another key of the service is of no use.
async function subscribe() {
  const key = bytesOf((await read("/v1/push/key")).public_key);
  if (await Notification.requestPermission() !== "granted") throw refuse(say("push.blocked"));
  try {
    const { pushManager } = await activeWorker();
    const before = await pushManager.getSubscription();
    if (before !== null && !isSame(new Uint8Array(before.options.applicationServerKey), key)) await before.unsubscribe();
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch {
    throw refuse(say("push.no_service"));
  }
}

export class Devices {
  #browsers = [];
  #here = null; // the address of this browser, if it has one
  #blocked = false;
  root = element("div", { id: "devices", "data-keep": true });

  constructor() {
    this.root.addEventListener("click", ({ target }) => this.#do(target.dataset.push, target.dataset.id));
  }

  async load() {
    const [{ items }, subscription] = await Promise.all([read(at), ownSubscription().catch(() => null)]);
    this.#browsers = items;
    this.#blocked = isAble() && await isBlocked();
    this.#here = subscription?.endpoint ?? null;
    this.#draw();
    return this.root;
  }

  #isHere(browser) {
    return browser.endpoint === this.#here;
  }

  #state(browser) {
    if (browser.last_at === null) return say("push.nothing_yet");
    return said(browser.reason === null ? "push.delivered" : "push.failed", { when: time(browser.last_at) });
  }

  #item(browser) {
    const { id, device } = browser;
    const name = this.#isHere(browser) ? say("push.here", { device }) : device;
    return element("li", { id: `browser-${id}`, class: "bar" }, element("span", {}, element("bdi", {}, name), ": ", this.#state(browser)),
      button(say("push.test"), { "data-push": "test", "data-id": id, "aria-label": say("push.test_of", { device }) }),
      button(say("push.remove"), { "data-push": "remove", "data-id": id, "aria-label": say("push.remove_of", { device }) }));
  }

  // What this browser can do.
  #own() {
    if (!isAble()) return element("p", { id: "push-state", class: "hint" }, say("push.not_able"));
    if (this.#blocked) return element("p", { id: "push-state", class: "hint" }, say("push.blocked"));
    if (this.#browsers.some((each) => this.#isHere(each))) return null;
    return element("p", { class: "bar" }, button(say("push.enable"), { id: "enable-push", "data-push": "enable", class: "main" }));
  }

  #draw() {
    fill(this.root, element("h2", {}, say("push.title")), element("p", { class: "hint" }, say("push.about")), this.#own(),
      this.#browsers.length === 0 ? null : element("ul", {}, this.#browsers.map((each) => this.#item(each))), formFault(),
      element("p", { class: "done", role: "status" }));
  }

  #acts = {
    enable: async () => {
      const subscription = await subscribe();
      const { endpoint, keys } = subscription.toJSON();
      await send("POST", at, { endpoint, keys, device: nameOfBrowser(), language });
      await this.load();
      return say("push.enabled");
    },
    test: async (id) => {
      await send("POST", `${at}/${id}/test`, {});
      return say("push.test_sent");
    },
    remove: async (id) => {
      const subscription = await ownSubscription().catch(() => null);
      if (this.#browsers.some((each) => each.id === id && each.endpoint === subscription?.endpoint)) await subscription.unsubscribe();
      await send("DELETE", `${at}/${id}`);
      await this.load();
      return say("push.removed");
    },
  };

  #do(what, id) {
    const act = this.#acts[what];
    if (act === undefined) return;
    this.root.querySelector(".done").textContent = "";
    attempt(this.root, async () => {
      const words = await act(id);
      this.root.querySelector(".done").textContent = words;
    });
  }
}
