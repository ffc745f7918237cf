// The page of the link by which a new password is chosen.
import { keepPlayer } from "../lib/account.js";
import { element, link, present, Problem, title } from "../lib/common.js";
import { attempt, field, formFault, textBox } from "../lib/forms.js";
import { passwordLength } from "../lib/limits.js";
import { say } from "../lib/words.js";
import { ask, token, withToken } from "./mailed.js";

const main = document.getElementById("main");
const box = () => document.getElementById("new-password");

// The limit is on its length in bytes.
function typed() {
  const { length } = new TextEncoder().encode(box().value);
  const fault = (key, count) => Object.assign(new Problem("typed", 400, say(key, { count })), { field: "new_password" });
  if (length < passwordLength.least) throw fault("account.fault_short", passwordLength.least);
  if (length > passwordLength.most) throw fault("account.fault_long", passwordLength.most);
  return box().value;
}

main.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(event.target, async () => {
    await ask("/v1/password-resets/use", { token, new_password: typed() });
    history.replaceState(null, "", location.pathname);
    keepPlayer(null);
    main.replaceChildren(element("h1", {}, say("email.reset")), element("p", { class: "notice", role: "status" }, say("email.reset_done")), element("p", {}, link("/login", say("account.sign_in"))));
  }, (name) => (name === "new_password" ? box() : null));
});

present(async () => {
  title(say("email.reset"));
  return { content: [
    element("h1", {}, say("email.reset")),
    withToken(element("form", { id: "reset", class: "account", method: "post", novalidate: true }, element("p", {}, say("email.reset_about")),
      field(textBox("new-password", null, { type: "password", autocomplete: "new-password", required: true }), say("account.new_password"), say("account.field_password_hint", { count: passwordLength.least })),
      formFault(), element("p", {}, element("button", { type: "submit" }, say("email.reset_do"))))),
    element("p", {}, link("/forgot-password", say("email.another"))),
  ] };
});
