// The page of a link that claims a held place: with a new account, or with the one that is signed in.
import { hasAccount, player, withoutMark } from "../lib/account.js";
import { element, link, nameOf, nameText, pageId, present, Problem, read, send, signInLink, title } from "../lib/common.js";
import { attempt, beginSession, button, formFault } from "../lib/forms.js";
import { said, say } from "../lib/words.js";
import { accountFields } from "../lobby/guests.js";

const nameAlone = (name) => withoutMark(name).replace(/ \d+$/, ""); // people of one name are numbered
const main = document.getElementById("main");
const at = `/v1/claims/${pageId()}`;
let claim = null;

/* ---- Parts ---- */

function attachPart() {
  if (!claim.attachable) return hasAccount() ? element("p", { class: "notice" }, say("held.too_late")) : null;
  if (!hasAccount()) return element("p", {}, signInLink(say("held.sign_in")));
  return element("section", { id: "attach", class: "part" }, element("h2", {}, say("held.attach")), element("p", {}, said("held.attach_about", { name: nameOf(player()) })),
    formFault(), element("p", { class: "bar" }, button(say("held.do_attach"), { class: "main" })));
}

function accountForm() {
  return element("form", { id: "claim", class: "part", method: "post", novalidate: true }, element("h2", {}, say("held.account")), element("p", {}, say("held.account_about")),
    accountFields("claim", nameAlone(claim.player.name)),
    formFault(), element("p", { class: "bar" }, element("button", { type: "submit", class: hasAccount() && claim.attachable ? null : "main" }, say("held.do_account"))));
}

/* ---- Handlers ---- */

const toEvent = () => location.assign(`/events/${claim.event.id}`);

async function attach() {
  await send("POST", `${at}/attach`);
  toEvent();
}

async function makeAccount(form) {
  const value = (name) => form.querySelector(`#claim-${name}`).value;
  await beginSession((await send("POST", `${at}/account`, { name: value("name").trim(), password: value("password") })).player);
  toEvent();
}

main.addEventListener("click", ({ target }) => {
  const part = target.closest("#attach");
  if (part !== null && target.matches("button")) attempt(part, attach);
});

main.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(event.target, () => makeAccount(event.target), (name) => event.target.querySelector(`#claim-${CSS.escape(name)}`));
});

/* ---- The page ---- */

present(async () => {
  try {
    claim = await read(at);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
    throw new Problem("no-claim", 404, say("held.none"));
  }
  title(say("held.title", { event: nameText(claim.event) }));
  return { content: [
    element("h1", {}, said("held.title", { event: nameOf(claim.event) })),
    element("p", { class: "about" }, said("held.about", { name: nameOf(claim.player), event: link(`/events/${claim.event.id}`, nameOf(claim.event)) })),
    attachPart(), accountForm(),
  ] };
});
