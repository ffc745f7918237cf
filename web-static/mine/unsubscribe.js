// The page behind the link in mails: the server writes it, and it works without this script, which says the same in the reader's language.
import { element, link } from "../lib/common.js";
import { said, say } from "../lib/words.js";

const main = document.getElementById("main");
const form = main.querySelector("form[data-kind]");
const done = main.querySelector("p[data-kind]");
const { kind } = (form ?? done)?.dataset ?? {};

if (kind !== undefined) {
  const values = { what: say(`notices.kind_${kind}`), page: link("/notices", say("notices.title")) };
  main.querySelector("h1").textContent = say(form === null ? "notices.off_done_title" : "notices.off");
  main.querySelector("p").replaceChildren(...[said(form === null ? "notices.off_done" : "notices.off_about", values)].flat());
  if (form !== null) form.querySelector("button").replaceChildren(say("notices.off_do"));
} else {
  main.append(element("p", {}, link("/notices", say("notices.title"))));
}
