// Asks for a link by which a new password is chosen. What the page then says is the same for every address.
import { element, link, present, Problem, title } from "../lib/common.js";
import { attempt, field, formFault, textBox } from "../lib/forms.js";
import { emailLength } from "../lib/limits.js";
import { language, say } from "../lib/words.js";
import { ask } from "./mailed.js";

const main = document.getElementById("main");
const box = () => document.getElementById("email");

main.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(event.target, async () => {
    try {
      await ask("/v1/password-resets", { email: box().value.trim(), language });
    } catch (problem) {
      throw problem.code === "bad-field" ? Object.assign(new Problem("typed", 400, say("email.fault_address")), { field: "email" }) : problem;
    }
    event.target.replaceWith(element("div", { id: "asked", role: "status" }, element("p", { class: "notice" }, say("email.asked")), element("p", {}, say("email.asked_not"))));
  }, (name) => (name === "email" ? box() : null));
});

present(async () => {
  title(say("email.forgot"));
  return { content: [
    element("h1", {}, say("email.forgot")),
    element("form", { id: "forgot", class: "account", method: "post", novalidate: true }, element("p", {}, say("email.forgot_about")),
      field(textBox("email", null, { type: "email", maxlength: emailLength, autocomplete: "email", required: true }), say("email.address")),
      formFault(), element("p", {}, element("button", { type: "submit" }, say("email.ask")))),
    element("p", {}, link("/login", say("account.sign_in"))),
  ] };
});
