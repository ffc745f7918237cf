// The part of the page of notices about webhooks: addresses that notices are sent to, and what was sent to them.
import { element, read, refusalOf, send, time } from "../lib/common.js";
import { attempt, button, choiceBox, field, formFault, textBox } from "../lib/forms.js";
import { webhooksMost } from "../lib/limits.js";
import { number, said, say } from "../lib/words.js";
import { readRefusals } from "../refusals/refusals.js";

const at = "/v1/me/webhooks";
const forms = ["standard", "discord", "slack", "matrix"];
const shown = 20; // deliveries

export class Webhooks {
  #hooks = [];
  #deliveries = new Map(); // of those that are opened, by the webhook's id
  #secret = null; // that was just made: { name, secret }
  root = element("div", { id: "webhooks", "data-keep": true });

  constructor() {
    this.root.addEventListener("click", ({ target }) => this.#do(target.dataset.hook, target.dataset));
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#add(event.target);
    });
  }

  async load() {
    this.#hooks = (await read(at)).items;
    this.#draw();
    return this.root;
  }

  #does(what, words, label, data) {
    return button(words, { "data-hook": what, "data-id": data.id, "data-delivery": data.delivery ?? null, "aria-label": label });
  }

  #deliveryRow(id, delivery) {
    const answer = delivery.status !== null ? number(delivery.status) : delivery.reason === null ? null : refusalOf(delivery.reason);
    return element("li", { id: `delivery-${delivery.id}`, class: "bar" },
      element("span", {}, time(delivery.tried_at ?? delivery.created_at), " ", element("code", {}, delivery.kind), ": ", say(`webhook.state_${delivery.state}`), answer === null ? null : [" (", answer, ")"]),
      delivery.state === "waiting" ? null : this.#does("repeat", say("webhook.repeat"), say("webhook.repeat_of", { kind: delivery.kind }), { id, delivery: delivery.id }));
  }

  #log(id) {
    const deliveries = this.#deliveries.get(id);
    if (deliveries === undefined) return null;
    return deliveries.length === 0 ? element("p", { class: "hint" }, say("webhook.nothing_yet")) : element("ul", { class: "deliveries" }, deliveries.map((each) => this.#deliveryRow(id, each)));
  }

  #item(hook) {
    const { id, name } = hook;
    return element("li", { id: `webhook-${id}` },
      element("p", {}, element("b", {}, element("bdi", {}, name)), " (", say(`webhook.form_${hook.form}`), "): ", element("code", { class: "hash" }, hook.url)),
      hook.state === "gone" ? element("p", { class: "notice" }, say("webhook.gone")) : null,
      element("p", { class: "bar" }, this.#does("test", say("webhook.test"), say("webhook.test_of", { name }), { id }), this.#does("log", say("webhook.log"), say("webhook.log_of", { name }), { id }),
        this.#does("secret", say("webhook.new_secret"), say("webhook.new_secret_of", { name }), { id }), this.#does("remove", say("webhook.remove"), say("webhook.remove_of", { name }), { id })),
      this.#log(id));
  }

  #form() {
    if (this.#hooks.length >= webhooksMost) return element("p", {}, say("webhook.full", { count: webhooksMost }));
    return element("form", { id: "make-webhook", novalidate: true },
      field(textBox("webhook-name", null, { maxlength: 100, required: true }), say("webhook.name")),
      field(textBox("webhook-url", null, { type: "url", maxlength: 1000, required: true }), say("webhook.url"), say("webhook.url_hint")),
      field(choiceBox("webhook-form", forms.map((each) => [each, say(`webhook.form_${each}`)]), "standard"), say("webhook.form")),
      formFault(), element("p", { class: "bar" }, element("button", { type: "submit", class: "main" }, say("webhook.add"))));
  }

  #draw() {
    this.root.replaceChildren(element("h2", {}, say("webhook.title")), element("p", { class: "hint" }, say("webhook.about")),
      element("div", { id: "made-secret", role: "status" }, this.#secret === null ? null : element("div", { class: "notice" }, element("p", {}, said("webhook.secret", { name: element("bdi", {}, this.#secret.name) })),
        element("p", {}, element("code", { id: "webhook-secret", class: "hash" }, this.#secret.secret)))),
      this.#hooks.length === 0 ? "" : element("ul", {}, this.#hooks.map((each) => this.#item(each))), element("div", { class: "faults" }, formFault()), this.#form());
  }

  async #readLog(id) {
    await readRefusals();
    this.#deliveries.set(id, (await read(`${at}/${id}/deliveries?limit=${shown}`)).items);
    this.#draw();
  }

  #add(form) {
    attempt(form, async () => {
      const { elements } = form;
      this.#secret = await send("POST", at, { name: elements["webhook-name"].value.trim(), url: elements["webhook-url"].value.trim(), form: elements["webhook-form"].value });
      await this.load();
    }, (name) => form.elements[`webhook-${name}`] ?? null);
  }

  #acts = {
    test: async ({ id }) => {
      await send("POST", `${at}/${id}/test`, {});
      await this.#readLog(id);
    },
    log: ({ id }) => this.#readLog(id),
    repeat: async ({ id, delivery }) => {
      await send("POST", `${at}/${id}/deliveries/${delivery}/repeat`, {});
      await this.#readLog(id);
    },
    secret: async ({ id }) => {
      this.#secret = await send("POST", `${at}/${id}/secret`, {});
      this.#draw();
    },
    remove: async ({ id }) => {
      await send("DELETE", `${at}/${id}`);
      this.#deliveries.delete(id);
      await this.load();
    },
  };

  #do(what, data) {
    if (this.#acts[what] !== undefined) attempt(this.root.querySelector(".faults"), () => this.#acts[what](data));
  }
}
