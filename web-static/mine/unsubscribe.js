// The page behind the link in mails: the server writes it, and it works without this script, which says the same in the reader's language.
import { element, link, present, title } from "../lib/common.js";
import { said, say } from "../lib/words.js";

const main = document.getElementById("main");
const form = main.querySelector("form[data-kind]");
const { kind } = (form ?? main.querySelector("p[data-kind]"))?.dataset ?? {};
const page = () => link("/notices", say("notices.title"));

function content() {
  if (kind === undefined) return [element("h1", {}, say("notices.off")), element("p", { class: "notice" }, said("notices.off_not", { page: page() }))];
  const values = { what: say(`notices.kind_${kind}`), page: page() };
  if (form === null) return [element("h1", {}, say("notices.off_done_title")), element("p", {}, said("notices.off_done", values))];
  return [element("h1", {}, say("notices.off")), element("p", {}, said("notices.off_about", values)),
    element("form", { class: "account", method: "post", action: location.pathname }, element("p", {}, element("button", { type: "submit" }, say("notices.off_do"))))];
}

present(async () => {
  title(say("notices.off"));
  return { content: content() };
});
