// The page of the link that confirms an address. A button does it: programs that look into mails open links, too.
import { element, link, nameOf, present, title } from "../lib/common.js";
import { attempt, formFault } from "../lib/forms.js";
import { said, say } from "../lib/words.js";
import { ask, token, withToken } from "./mailed.js";

const main = document.getElementById("main");

main.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(event.target, async () => {
    const { name, email } = await ask("/v1/email-confirmations", { token });
    history.replaceState(null, "", location.pathname);
    event.target.replaceWith(element("p", { class: "notice", role: "status" }, said("email.confirm_done", { address: element("bdi", {}, email), name: nameOf({ name }) })));
  });
});

present(async () => {
  title(say("email.confirm"));
  return { content: [
    element("h1", {}, say("email.confirm")),
    withToken(element("form", { id: "confirm", class: "account", method: "post" }, element("p", {}, say("email.confirm_about")), element("p", {}, element("button", { type: "submit" }, say("email.confirm_do"))), formFault())),
    element("p", {}, link("/account", say("account.title"))),
  ] };
});
