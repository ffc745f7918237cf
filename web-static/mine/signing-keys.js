// The part of a player's own page about the key that signs their moves.
import { element, fill, hexText, read, send, time } from "../lib/common.js";
import { canSign, forget, holds, registerKey } from "../game/signing.js";
import { button, openDialog } from "../lib/forms.js";
import { said, say } from "../lib/words.js";

function story(key) {
  return [said("signing.registered", { when: time(key.registered_at) }), key.replaced_at === null ? null : [" ", said("signing.replaced", { when: time(key.replaced_at) })],
    key.revoked_at === null ? null : [" ", said("signing.revoked", { when: time(key.revoked_at) })]];
}

function history({ keys }) {
  return element("details", { id: "signing-history" }, element("summary", {}, say("signing.history")),
    element("p", { class: "hint" }, say("signing.history_about")),
    element("ul", {}, keys.map((each) => element("li", {}, hexText(each.key), " ", story(each)))));
}

const does = (what, text) => button(text, { "data-do": what });

// What can be done: with a key of this browser, with one that is elsewhere, with none.
function controls(keys, here) {
  if (keys.in_use === null) return element("p", { class: "bar" }, does("make", say("signing.make")));
  const since = time(keys.keys.at(-1).registered_at);
  return [
    element("p", {}, said(here ? "signing.in_use_here" : keys.required ? "signing.in_use_refused" : "signing.in_use_elsewhere", { key: hexText(keys.in_use), since })),
    element("p", {}, element("label", {}, element("input", { id: "signing-required", type: "checkbox", checked: keys.required }), " ", say("signing.required"))),
    element("p", { class: "bar" }, here ? does("make", say("signing.replace")) : null, does("revoke", say("signing.revoke"))),
  ];
}

export class SigningKeys {
  #at;
  #player;
  #keys = null;
  #able = false;
  #here = false;
  #fault = "";
  root = element("div", { id: "signing", class: "desk" });

  constructor(player) {
    this.#player = player;
    this.#at = `/v1/players/${player}/signing-keys`;
    this.root.addEventListener("click", ({ target }) => this.#do(target.dataset.do));
    this.root.addEventListener("change", ({ target }) => {
      if (target.id === "signing-required") this.#attempt(() => send("PATCH", this.#at, { required: target.checked }));
    });
  }

  async load() {
    [this.#keys, this.#able] = await Promise.all([read(this.#at), canSign()]);
    await this.#draw();
    return this.root;
  }

  async #draw() {
    this.#here = await holds(this.#keys.in_use);
    fill(this.root,
      element("h2", {}, say("signing.title")),
      element("p", { class: "about" }, say("signing.about")),
      this.#able ? null : element("p", { class: "notice" }, say("signing.not_able")),
      this.#able || this.#keys.in_use !== null ? controls(this.#keys, this.#here) : null,
      this.#keys.keys.length === 0 ? null : history(this.#keys),
      element("p", { class: "fault", role: "alert" }, this.#fault));
  }

  async #attempt(act) {
    try {
      this.#keys = await act();
      this.#fault = "";
    } catch (error) {
      this.#fault = error.words ?? error.message;
    }
    await this.#draw();
  }

  // Revokes the key after a confirmation, since this cannot be undone.
  #revoke() {
    const hex = this.#keys.in_use;
    openDialog({ heading: say("signing.revoke_title"), about: say("signing.revoke_sure"), label: say("signing.revoke_do"),
      act: async () => {
        this.#keys = await send("DELETE", `${this.#at}/${hex}`);
        await forget(hex);
        this.#fault = "";
        await this.#draw();
      } });
  }

  #do(what) {
    if (what === "make") this.#attempt(() => registerKey(this.#player, this.#keys.in_use));
    if (what === "revoke") this.#revoke();
  }
}
