// Guests: starting a session with only a name, and turning the guest into an account.
import { hasAccount, isGuest, keepPlayer, player, withoutMark } from "../lib/account.js";
import { element, send, showFault, signInLink } from "../lib/common.js";
import { attempt, beginSession, field, formFault, openDialog, textBox } from "../lib/forms.js";
import { guestNameLength, nameLength, passwordLength } from "../lib/limits.js";
import { say } from "../lib/words.js";

async function comeIn(name) {
  await beginSession((await send("POST", "/v1/guests", { name })).player);
}

const nameField = () => field(textBox("guest-name", "", { maxlength: guestNameLength, required: true, autocomplete: "nickname" }), say("lobby.your_name"), say("lobby.name_hint"));
const ownLink = () => signInLink(say("lobby.have_account"));
const named = (form) => form.querySelector("#guest-name").value.trim();

// True if the session has ended; other errors are shown.
async function hasEnded(form, act) {
  let ended = false;
  await attempt(form, async () => {
    try {
      await act();
    } catch (error) {
      if (error.status !== 401) throw error;
      keepPlayer(null);
      ended = true;
    }
  });
  return ended;
}

// Runs `act` for a signed-in reader; otherwise asks for a name first. Only those with an account may play for ratings.
export async function asSomebody(form, act, label, { rated = false } = {}) {
  if (rated && !hasAccount()) return showFault(form.querySelector(".form-fault"), { words: [say("lobby.needs_account"), " ", isGuest() ? null : ownLink()] });
  if (player() !== null && !(await hasEnded(form, act))) return;
  openDialog({ heading: say("lobby.guest_title"), about: ownLink(), fields: [nameField()], read: named, label,
    act: async (name) => {
      if (player() === null) await comeIn(name);
      await act();
    },
    controlOf: (dialog, problem) => (problem === "name" ? dialog.querySelector("#guest-name") : null) });
}

/* ---- From guest to account ---- */

async function makeAccount(form) {
  const value = (name) => form.querySelector(`#account-${name}`).value;
  const { player: made } = await send("POST", "/v1/me/account", { name: value("name").trim(), password: value("password") });
  await (await import("../game/signing.js")).makeFirstKey(made.id);
  keepPlayer(made);
  location.reload();
}

// Name and password of a new account; `form` begins their ids.
export const accountFields = (form, name) => element("div", { class: "fields" },
  field(textBox(`${form}-name`, name, { maxlength: nameLength, required: true, autocomplete: "username" }), say("lobby.account_name")),
  field(textBox(`${form}-password`, "", { type: "password", minlength: passwordLength.least, maxlength: passwordLength.most, required: true, autocomplete: "new-password" }), say("lobby.account_password"), say("lobby.password_hint")));

// The form that turns a guest into an account; nothing for others.
export function accountPart({ open = false } = {}) {
  if (!isGuest()) return null;
  return element("details", { id: "of-guest", class: "notice", "data-keep": true, open }, element("summary", {}, say("lobby.guest_notice")), element("form", { id: "make-account", method: "post" },
    accountFields("account", withoutMark(player().name)),
    formFault(), element("p", { class: "bar" }, element("button", { type: "submit", class: "main" }, say("lobby.do_account")))));
}

document.addEventListener("submit", (event) => {
  if (event.target.id !== "make-account") return;
  event.preventDefault();
  attempt(event.target, () => makeAccount(event.target), (name) => event.target.querySelector(`#account-${CSS.escape(name)}`));
});
