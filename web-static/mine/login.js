// Signing in and registering. `?next=/games/<id>`: where to go afterwards instead of the account; queries of this service
// must not contain escapes.
import { makeFirstKey } from "../game/signing.js";
import { keepPlayer, player } from "../lib/account.js";
import { element, link, parameter, present, Problem, read, send, showFault, title } from "../lib/common.js";
import { beginSession, fieldOf, withoutField } from "../lib/forms.js";
import { nameLength, passwordLength } from "../lib/limits.js";
import { say } from "../lib/words.js";

const main = document.getElementById("main");

// A page of this service, or none.
function nextPage() {
  const next = parameter("next");
  return next !== null && /^\/(?![/\\])/.test(next) ? next : "/account";
}

function field(form, name, type, complete, hint) {
  const id = `${form}-${name}`;
  return element("p", {}, element("label", { for: id }, say(`account.field_${name}`)),
    element("input", { id, name, type, autocomplete: complete, required: true, maxlength: 200, "aria-describedby": hint ? `${id}-hint` : null }),
    hint ? element("span", { id: `${id}-hint`, class: "hint" }, hint) : null);
}

function form(id, heading, password, nameHint, passwordHint, more = null) {
  return element("form", { id, class: "account", method: "post" }, element("h2", {}, heading),
    field(id, "name", "text", "username", nameHint), field(id, "password", "password", password, passwordHint),
    element("p", {}, element("button", { type: "submit" }, heading)), element("p", { class: "fault", role: "alert" }), more);
}

function signedOut() {
  return [
    element("h1", {}, say("account.sign_in_title")),
    parameter("next") === null ? null : element("p", { class: "about" }, say("account.to_go_on")),
    element("div", { class: "accounts" }, form("sign-in", say("account.sign_in"), "current-password", null, null, element("p", {}, link("/forgot-password", say("email.forgot")))),
      form("register", say("account.register"), "new-password", say("account.field_name_hint"), say("account.field_password_hint", { count: passwordLength.least }))),
  ];
}

// Signed-in readers do not need this page.
async function draw() {
  title(say("account.sign_in"));
  if (player() !== null) {
    try {
      keepPlayer(await read("/v1/me"));
      location.replace(nextPage());
      return { content: element("h1", {}, say("account.title")) };
    } catch (error) {
      if (error.status !== 401) throw error;
      keepPlayer(null);
    }
  }
  return { content: signedOut() };
}

async function signIn(credentials, isNew = false) {
  const session = await send("POST", "/v1/sessions", credentials);
  await beginSession(session.player);
  if (isNew) await makeFirstKey(session.player.id);
  location.assign(nextPage());
}

// Errors that the service would report, in words for the reader.
function checkNew({ name, password }) {
  const bytes = (text) => new TextEncoder().encode(text).length;
  const fault = (key, count) => new Problem("typed", 400, say(key, { count }));
  if (name === "") throw fault("account.fault_name_none");
  if (bytes(name) > nameLength) throw fault("account.fault_name_long", nameLength);
  if (bytes(password) < passwordLength.least) throw fault("account.fault_short", passwordLength.least);
  if (bytes(password) > passwordLength.most) throw fault("account.fault_long", passwordLength.most);
}

// Registering returns a token for programs; the page creates a session in a cookie instead.
async function register(credentials) {
  checkNew(credentials);
  const made = await send("POST", "/v1/players", credentials);
  await send("DELETE", "/v1/tokens/current", null, { Authorization: `Bearer ${made.token}` });
  await signIn(credentials, true);
}

function inWords(error) {
  if (!(error instanceof Problem)) return error;
  if (error.code === "bad-field") return { words: [say(`account.field_${fieldOf(error) === "password" ? "password" : "name"}`), ": ", withoutField(error).words] };
  return error.inWords(error.code === "wrong-password" ? "account.fault_sign_in" : `account.fault_${error.code}`);
}

main.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { target } = event;
  const isNew = target.id === "register";
  const fault = target.querySelector(".fault");
  const button = target.querySelector("button");
  for (const each of main.querySelectorAll(".fault")) each.textContent = ""; // the other form's, too
  button.disabled = true;
  try {
    const credentials = { name: target.elements.name.value.trim(), password: target.elements.password.value };
    await (isNew ? register : signIn)(credentials);
  } catch (error) {
    showFault(fault, inWords(error));
  } finally {
    button.disabled = false;
  }
});

present(draw);
