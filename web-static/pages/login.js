// Signing in, registering, signing out. `?next=/games/<id>`: where to go then; the service takes no escapes in a
// query.
import { keepPlayer, player } from "../lib/account.js";
import { element, gameLink, link, listed, parameter, present, read, send, showFault, title } from "../lib/common.js";
import { entropyNotice, giveEntropy } from "../game/entropy.js";
import { SigningKeys } from "../lib/signing-keys.js";
import { said, say } from "../lib/words.js";

const main = document.getElementById("main");

// A page of this service, or none.
function nextPage() {
  const next = parameter("next");
  return next !== null && /^\/(?![/\\])/.test(next) ? next : null;
}

function field(form, name, type, complete, hint) {
  const id = `${form}-${name}`;
  return element("p", {}, element("label", { for: id }, say(`account.field_${name}`)),
    element("input", { id, name, type, autocomplete: complete, required: true, maxlength: 200, "aria-describedby": hint ? `${id}-hint` : null }),
    hint ? element("span", { id: `${id}-hint`, class: "hint" }, say(hint)) : null);
}

function form(id, heading, password, nameHint, passwordHint) {
  return element("form", { id, class: "account", method: "post" }, element("h2", {}, heading),
    field(id, "name", "text", "username", nameHint), field(id, "password", "password", password, passwordHint),
    element("p", {}, element("button", { type: "submit" }, heading)), element("p", { class: "fault", role: "alert" }));
}

async function ownGames() {
  const games = await read("/v1/me/games?state=running&limit=50");
  if (games.items.length === 0) return element("p", {}, say("account.no_games"));
  return element("ul", {}, games.items.map((game) => element("li", {}, gameLink(game), " ", listed(game.seats.filter((seat) => seat.player.id !== player().id)
    .map((seat) => element("bdi", {}, seat.player.name))))));
}

async function signedIn() {
  const found = await read("/v1/me");
  keepPlayer(found);
  return [
    element("h1", {}, say("account.title")),
    element("p", {}, said("account.signed_in", { name: link(`/players/${found.id}`, element("bdi", {}, found.name)) })),
    element("p", {}, element("button", { id: "sign-out", type: "button" }, say("account.sign_out"))),
    element("h2", {}, say("account.your_games")), entropyNotice(await giveEntropy()), await ownGames(),
    await new SigningKeys(found.id).load(),
  ];
}

function signedOut() {
  return [
    element("h1", {}, say("account.sign_in")),
    element("div", { class: "accounts" }, form("sign-in", say("account.sign_in"), "current-password"),
      form("register", say("account.register"), "new-password", "account.field_name_hint", "account.field_password_hint")),
  ];
}

async function draw() {
  title(say("account.sign_in"));
  if (player() !== null) {
    try {
      return { content: await signedIn() };
    } catch (error) {
      if (error.status !== 401) throw error;
      keepPlayer(null);
    }
  }
  return { content: signedOut() };
}

async function signIn(credentials) {
  const session = await send("POST", "/v1/sessions", credentials);
  keepPlayer(session.player);
  const next = nextPage();
  if (next === null) await present(draw);
  else location.assign(next);
}

// What registering gives is a token for a program: the page takes a session in a cookie instead.
async function register(credentials) {
  const made = await send("POST", "/v1/players", credentials);
  await send("DELETE", "/v1/tokens/current", null, { Authorization: `Bearer ${made.token}` });
  await signIn(credentials);
}

main.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { target } = event;
  const fault = target.querySelector(".fault");
  const button = target.querySelector("button");
  fault.textContent = "";
  button.disabled = true;
  try {
    const credentials = { name: target.elements.name.value.trim(), password: target.elements.password.value };
    await (target.id === "register" ? register : signIn)(credentials);
  } catch (error) {
    showFault(fault, error);
  } finally {
    button.disabled = false;
  }
});

main.addEventListener("click", async (event) => {
  if (event.target.id !== "sign-out") return;
  await send("DELETE", "/v1/tokens/current").catch(() => {});
  keepPlayer(null);
  await present(draw);
});

present(draw);
