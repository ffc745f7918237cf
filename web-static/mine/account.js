// The reader's own account: running games, name, password, email, sessions, tokens, bots, keys, language, data export, deletion.
import { goToSignIn, isGuest, keepPlayer, player } from "../lib/account.js";
import { element, gameLink, link, listed, nameOf, nameText, pagesOf, playerLink, present, Problem, read, send, showContent, table, time, title } from "../lib/common.js";
import { attempt, button, choiceBox, field, formFault, numberBox, openDialog, textBox, tickBox } from "../lib/forms.js";
import { botNameLength, botsMost, emailLength, labelLength, nameLength, passwordLength, tokenDays } from "../lib/limits.js";
import { languageChoices } from "../lib/language.js";
import { entropyNotice, giveEntropy } from "../game/entropy.js";
import { accountPart } from "../lobby/guests.js";
import { copyFrom } from "../lib/share.js";
import { keepLanguage, language, said, say } from "../lib/words.js";
import { SigningKeys } from "./signing-keys.js";

const main = document.getElementById("main");
const scopes = ["read", "play", "organize", "account"];
const usualScopes = ["read", "play"];

/* ---- Reading ---- */

async function all(path) {
  const found = [];
  for await (const items of pagesOf(`${path}?limit=100`)) found.push(...items);
  return found;
}

async function readAccount() {
  const me = await read("/v1/me");
  const [tokens, bots, games, email] = await Promise.all([all("/v1/me/tokens"), all("/v1/me/bots"), read("/v1/me/games?state=running&limit=50"), read("/v1/me/email")]);
  return { me, tokens, bots, games: games.items, email };
}

/* ---- Parts ---- */

function section(id, heading, ...content) {
  return element("section", { id, class: "part" }, element("h2", { tabindex: "-1" }, heading), ...content);
}

const submit = (words) => element("p", { class: "bar" }, element("button", { type: "submit", class: "main" }, words));

function form(id, ...content) {
  return element("form", { id, novalidate: true }, ...content, formFault(), element("p", { class: "done", role: "status" }));
}

function passwordBox(id, complete) {
  return element("input", { id, name: id, type: "password", autocomplete: complete, maxlength: 200, required: true });
}

const does = (action, words, data = {}, label = null) => button(words, { "data-do": action, "data-id": data.id ?? null, "data-name": data.name ?? null, "aria-label": label });

function gamesPart({ games, me }, entropy) {
  const others = (game) => game.seats.filter((seat) => seat.player.id !== me.id).map((seat) => nameOf(seat.player));
  return section("games", say("account.your_games"), entropyNotice(entropy), games.length === 0 ? element("p", {}, say("account.no_games"))
    : element("ul", {}, games.map((game) => element("li", {}, gameLink(game), others(game).length === 0 ? null : [" ", said("account.against", { players: listed(others(game)) })]))));
}

function namePart({ me }) {
  return section("name", say("account.field_name"), form("rename",
    field(textBox("new-name", me.name, { maxlength: nameLength, autocomplete: "username", required: true }), say("account.field_name"), say("account.rename_hint")),
    submit(say("account.rename"))));
}

function passwordPart() {
  return section("password", say("account.password"), form("change-password",
    field(passwordBox("old-password", "current-password"), say("account.old_password")),
    field(passwordBox("new-password", "new-password"), say("account.new_password"), say("account.field_password_hint", { count: passwordLength.least })),
    element("p", { class: "hint" }, say("account.password_about")), submit(say("account.change_password"))));
}

// What is known of the link that confirms the address.
function linkState({ email, last_mail: mail }) {
  const address = element("bdi", {}, email);
  if (mail?.kind !== "confirm_email") return say("email.link_expected", { address: email });
  if (mail.state === "failed") return said("email.link_failed", { address });
  return mail.state === "sent" ? said("email.link_sent", { address, when: time(mail.ended_at) }) : said("email.link_waits", { address });
}

function emailState(email) {
  if (email.email === null) return element("p", { class: "hint" }, say(email.sends_mail ? "email.about" : "email.no_mail"));
  if (email.confirmed_at === null) return element("p", { id: "email-state", class: "notice" }, linkState(email));
  return element("p", { id: "email-state" }, said("email.confirmed", { address: element("b", {}, element("bdi", {}, email.email)), when: time(email.confirmed_at) }));
}

function emailPart({ email }) {
  const pending = email.email !== null && email.confirmed_at === null;
  const words = email.email === null ? "email.set" : pending ? "email.send_again" : "email.change";
  return section("email", say("email.title"), emailState(email),
    !email.sends_mail ? null : form("set-email",
      field(textBox("new-email", pending ? email.email : null, { type: "email", maxlength: emailLength, autocomplete: "email", required: true }), say(email.confirmed_at === null ? "email.address" : "email.new_address")),
      field(passwordBox("email-password", "current-password"), say("account.old_password")), submit(say(words))),
    email.email === null ? null : element("p", { class: "bar" }, does("remove-email", say("email.remove"))),
    element("p", {}, link("/notices", say("email.notices"))));
}

function sessionRow(token, isHere) {
  const seen = isHere ? say("account.this_browser") : token.seen_at === null ? say("account.not_seen") : time(token.seen_at);
  return element("tr", { id: `session-${token.id}`, class: "row" }, element("th", { scope: "row" }, time(token.created_at)), element("td", {}, seen), element("td", { class: "extra" }, time(token.expires_at)),
    element("td", {}, isHere ? null : does("end", say("account.end"), { id: token.id }, say("account.end_of", { when: time(token.created_at).textContent }))));
}

function sessionsPart({ me, tokens }) {
  const own = tokens.filter((each) => each.label === null && each.player.id === me.id);
  const here = own.filter((each) => each.id === me.token.id);
  const others = own.filter((each) => each.id !== me.token.id).sort((a, b) => b.created_at.localeCompare(a.created_at));
  const columns = [{ text: say("account.signed_in_at"), header: true }, { text: say("account.last_seen") }, { text: say("account.ends"), class: "extra" }, { text: say("account.what_to_do") }];
  return section("sessions", say("account.sessions"), table(say("account.sessions_about"), columns, [...here.map((each) => sessionRow(each, true)), ...others.map((each) => sessionRow(each, false))]),
    element("p", { class: "bar" }, others.length === 0 ? null : does("end-others", say("account.end_others")), button(say("account.sign_out"), { id: "sign-out" })), formFault("sessions-fault"));
}

const scopeWords = (token) => listed(token.scopes.map((each) => say(`account.scope_${each}`)));

function tokenRow(token, me) {
  const whose = token.player.id === me.id ? say("account.for_me") : playerLink(token.player);
  return element("tr", { id: `token-${token.id}`, class: "row" }, element("th", { scope: "row" }, element("bdi", {}, token.label)), element("td", {}, whose), element("td", { class: "extra" }, scopeWords(token)),
    element("td", { class: "extra" }, token.seen_at === null ? say("account.not_seen") : time(token.seen_at)), element("td", { class: "extra" }, time(token.expires_at)),
    element("td", {}, does("revoke-token", say("account.revoke"), { id: token.id, name: token.label }, say("account.revoke_of", { name: nameText({ name: token.label }) }))));
}

function scopeBoxes(bots) {
  return element("fieldset", {}, element("legend", {}, say("account.scopes")), scopes.map((each) => field(tickBox(`scope-${each}`, usualScopes.includes(each)), say(`account.scope_${each}_is`))),
    bots.length === 0 ? null : element("p", { class: "hint" }, say("account.scope_of_bots")));
}

function tokenForm({ bots }) {
  const whose = [["", say("account.for_me")], ...bots.map((each) => [each.id, each.name])];
  return element("details", { id: "new-token" }, element("summary", {}, say("account.new_token")), form("make-token",
    field(textBox("token-label", null, { maxlength: labelLength, required: true }), say("account.token_label"), say("account.token_label_hint")),
    bots.length === 0 ? null : field(choiceBox("token-player", whose, ""), say("account.token_for")),
    scopeBoxes(bots),
    field(numberBox("token-days", tokenDays.usual, tokenDays.least, tokenDays.most), say("account.token_days"), say("account.token_days_hint", { least: tokenDays.least, most: tokenDays.most })),
    submit(say("account.make_token"))));
}

function tokensPart(account) {
  const { me, tokens } = account;
  const own = tokens.filter((each) => each.label !== null);
  const columns = [{ text: say("account.token_label"), header: true }, { text: say("account.token_for") }, { text: say("account.scopes"), class: "extra" }, { text: say("account.last_used"), class: "extra" },
    { text: say("account.ends"), class: "extra" }, { text: say("account.what_to_do") }];
  return section("tokens", say("account.tokens"), element("p", { class: "hint" }, say("account.tokens_about")), element("div", { id: "made-token", "data-keep": true, role: "status" }),
    own.length === 0 ? element("p", {}, say("account.no_tokens")) : table(say("account.tokens_list"), columns, own.map((each) => tokenRow(each, me))), formFault("tokens-fault"), tokenForm(account));
}

function botItem(bot) {
  return element("li", { id: `bot-${bot.id}`, class: "bar" }, element("span", {}, playerLink(bot)), does("token-for", say("account.new_token_for"), { id: bot.id }, say("account.new_token_of", { name: nameText(bot) })),
    does("delete-bot", say("account.delete"), { id: bot.id, name: bot.name }, say("account.delete_of", { name: nameText(bot) })));
}

function botsPart({ bots }) {
  return section("bots", say("account.bots"), element("p", { class: "hint" }, said("account.bots_about", { docs: link("/docs/tutorials/first-bot.html", say("account.bots_docs")) })),
    bots.length === 0 ? null : element("ul", {}, bots.map(botItem)), formFault("bots-fault"),
    bots.length >= botsMost ? element("p", {}, say("account.bots_full", { count: botsMost }))
      : form("make-bot", field(textBox("bot-name", null, { maxlength: botNameLength, required: true }), say("account.bot_name"), say("account.bot_name_hint")), submit(say("account.make_bot"))));
}

function languagePart() {
  return section("language-part", say("site.language"), field(choiceBox("own-language", languageChoices(), language), say("site.language"), say("account.language_hint")));
}

function copyPart() {
  return section("copy", say("account.copy"), element("p", {}, say("account.copy_about")), element("p", {}, element("a", { href: "/v1/me/export", download: "tillroll-account.json" }, say("account.copy_get"))));
}

function deletePart() {
  return section("delete", say("account.delete_title"), element("p", {}, say("account.delete_goes")), element("p", {}, say("account.delete_stays")), element("p", {}, say("account.delete_refused")),
    element("p", { class: "bar" }, does("delete-account", say("account.delete_do"))));
}

/* ---- The page ---- */

let keys = null; // the part about signing keys, which redraws itself
let account = null;

// Guests have a name and games; the rest comes with a password.
async function guestContent() {
  const [me, games] = await Promise.all([read("/v1/me"), read("/v1/me/games?state=running&limit=50")]);
  return [
    element("h1", {}, say("account.guest_title")),
    element("p", { class: "about" }, said("account.guest_signed_in", { name: playerLink(me) })),
    accountPart({ open: true }),
    gamesPart({ me, games: games.items }, []), languagePart(),
    section("sessions", say("account.sign_out"), element("p", {}, say("account.guest_goes")), element("p", { class: "bar" }, button(say("account.sign_out"), { id: "sign-out" }))),
  ];
}

async function content() {
  if (isGuest()) return guestContent();
  account = await readAccount();
  keepPlayer(account.me);
  const entropy = await giveEntropy();
  if (keys === null) {
    keys = new SigningKeys(account.me.id);
    await keys.load();
    keys.root.dataset.keep = "";
  }
  return [
    element("h1", {}, say("account.title")),
    element("p", { class: "about" }, said("account.signed_in", { name: playerLink(account.me) })),
    gamesPart(account, entropy), namePart(account), passwordPart(), emailPart(account), sessionsPart(account), tokensPart(account), botsPart(account),
    element("section", { id: "keys", class: "part" }, keys.root), languagePart(), copyPart(), deletePart(),
  ];
}

const refresh = async () => showContent(main, await content());

// An address is often confirmed in another window or on a phone. What has been typed here is only drawn over if it was.
let looking = false;
async function lookForConfirmation() {
  looking = true;
  const { confirmed_at: at } = await read("/v1/me/email");
  if (at !== null) await refresh();
}
document.addEventListener("visibilitychange", () => {
  const waits = account !== null && account.email.email !== null && account.email.confirmed_at === null;
  if (looking || !waits || document.visibilityState !== "visible") return;
  lookForConfirmation().catch((error) => console.info(error.message)).finally(() => { looking = false; });
});

// The service's errors about an account, in words for the reader.
function inWords(problem) {
  if (problem.status === 401 && problem.code !== "wrong-password") goToSignIn();
  return problem.inWords(`account.fault_${problem.code}`);
}

async function ask(method, path, body) {
  try {
    return await send(method, path, body);
  } catch (problem) {
    throw problem instanceof Problem ? inWords(problem) : problem;
  }
}

// An input error found before sending.
function wrong(name, words) {
  return Object.assign(new Problem("typed", 400, words), { field: name });
}

function typed(target, name) {
  const text = target.elements[name].value;
  if (text === "") throw wrong(name, say("account.fault_empty"));
  return text;
}

// The limit is on its length in bytes.
function newPassword(target) {
  const text = typed(target, "new-password");
  const { length } = new TextEncoder().encode(text);
  if (length < passwordLength.least) throw wrong("new-password", say("account.fault_short", { count: passwordLength.least }));
  if (length > passwordLength.most) throw wrong("new-password", say("account.fault_long", { count: passwordLength.most }));
  return text;
}

/* ---- Forms ---- */

function showToken({ id, label, token }) {
  document.getElementById("made-token").replaceChildren(element("div", { class: "notice" }, element("p", {}, said("account.token_made", { name: element("bdi", {}, label) })),
    element("p", {}, element("code", { id: "token", class: "hash" }, token)), element("p", { class: "bar" }, does("copy-token", say("account.copy_token"), { id }), element("span", { id: "copied", role: "status" }))));
}

const forms = {
  async rename(target) {
    await ask("PATCH", "/v1/me", { name: typed(target, "new-name").trim() });
    await refresh();
    return say("account.renamed");
  },
  async "change-password"(target) {
    const body = { password: typed(target, "old-password"), new_password: newPassword(target) };
    await ask("POST", "/v1/me/password", body).catch((problem) => {
      throw problem.code === "wrong-password" ? Object.assign(problem, { field: "old-password" }) : problem;
    });
    target.reset();
    await refresh();
    return say("account.password_changed");
  },
  async "set-email"(target) {
    const body = { email: typed(target, "new-email").trim(), password: typed(target, "email-password"), language };
    await ask("PUT", "/v1/me/email", body).catch((problem) => {
      if (problem.code === "wrong-password") throw Object.assign(problem, { field: "email-password" });
      if (problem.code === "bad-field") throw wrong("new-email", say("email.fault_address"));
      throw problem.code === "too-many-requests" ? new Problem(problem.code, problem.status, say("email.fault_too-many-requests")) : problem;
    });
    target.reset();
    await refresh();
    return "";
  },
  async "make-token"(target) {
    const chosen = scopes.filter((each) => target.elements[`scope-${each}`].checked);
    if (chosen.length === 0) throw wrong("scope-read", say("account.fault_no_scope"));
    const days = Number(target.elements["token-days"].value);
    if (!(Number.isInteger(days) && days >= tokenDays.least && days <= tokenDays.most)) throw wrong("token-days", say("account.token_days_hint", { least: tokenDays.least, most: tokenDays.most }));
    const bot = target.elements["token-player"]?.value ?? "";
    const made = await ask("POST", bot === "" ? "/v1/me/tokens" : `/v1/me/bots/${bot}/tokens`, { label: typed(target, "token-label").trim(), scopes: chosen, expires_in_days: days });
    target.reset();
    document.getElementById("new-token").open = false;
    await refresh();
    showToken(made);
    document.getElementById("made-token").scrollIntoView({ block: "nearest" });
    return "";
  },
  async "make-bot"(target) {
    await ask("POST", "/v1/me/bots", { name: typed(target, "bot-name").trim() });
    target.reset();
    await refresh();
    return say("account.bot_made");
  },
};

// The control for an error: by its own name, or by the last part of the request's field name.
function controlIn(target, name) {
  const field = name.replaceAll("_", "-");
  return [...target.elements].find((each) => each.name === field || (each.name !== "" && each.name.endsWith(`-${field}`))) ?? null;
}

main.addEventListener("submit", async (event) => {
  const act = forms[event.target.id];
  if (act === undefined) return;
  event.preventDefault();
  const { target } = event;
  const done = target.querySelector(".done");
  done.textContent = "";
  await attempt(target, async () => {
    const words = await act(target);
    done.textContent = words;
  }, (name) => controlIn(target, name));
});

/* ---- Buttons ---- */

async function signOut() {
  await send("DELETE", "/v1/tokens/current").catch((problem) => {
    if (problem.status !== 401) throw problem; // the session is still there
  });
  keepPlayer(null);
  location.assign("/login");
}

// Asks for confirmation of what cannot be undone.
function sure(heading, about, label, act, more = {}) {
  openDialog({ heading, about, label, act, ...more });
}

function deleteAccount() {
  sure(say("account.delete_title"), say("account.delete_sure"), say("account.delete_do"), async (body) => {
    await ask("POST", "/v1/me/delete", body);
    keepPlayer(null);
    title(say("account.deleted"));
    showContent(main, [element("h1", { tabindex: "-1" }, say("account.deleted")), element("p", { class: "notice", role: "status" }, say("account.deleted_about")), element("p", {}, link("/", say("account.to_home")))]);
    main.querySelector("h1").focus();
  }, { fields: [field(passwordBox("delete-password", "current-password"), say("account.field_password"))], read: (target) => ({ password: target.elements["delete-password"].value }),
    controlOf: (target, name) => (name === "password" ? target.elements["delete-password"] : null) });
}

function removeEmail() {
  sure(say("email.remove"), say("email.remove_sure"), say("email.remove"), async (body) => {
    await ask("DELETE", "/v1/me/email", body);
    await refresh();
  }, { fields: [field(passwordBox("remove-password", "current-password"), say("account.field_password"))], read: (target) => ({ password: target.elements["remove-password"].value }),
    controlOf: (target, name) => (name === "password" ? target.elements["remove-password"] : null) });
}

const part = (target) => target.closest("section");

const buttons = {
  end: (target) => attempt(part(target), async () => {
    await ask("DELETE", `/v1/me/tokens/${target.dataset.id}`);
    await refresh();
  }),
  "end-others": (target) => attempt(part(target), async () => {
    await ask("POST", "/v1/me/sessions/end-others", {});
    await refresh();
  }),
  "revoke-token": ({ dataset: { id, name } }) => sure(say("account.revoke_title", { name: nameText({ name }) }), say("account.revoke_sure"), say("account.revoke"), async () => {
    await ask("DELETE", `/v1/me/tokens/${id}`);
    document.querySelector(`#made-token:has([data-id="${id}"])`)?.replaceChildren();
    await refresh();
  }),
  "token-for": ({ dataset: { id } }) => {
    document.getElementById("new-token").open = true;
    document.getElementById("token-player").value = id;
    document.getElementById("token-label").focus();
  },
  "delete-bot": ({ dataset: { id, name } }) => sure(say("account.delete_bot_title", { name: nameText({ name }) }), say("account.delete_bot_sure"), say("account.delete"), async () => {
    await ask("DELETE", `/v1/me/bots/${id}`);
    await refresh();
  }),
  "copy-token": async () => {
    document.getElementById("copied").textContent = await copyFrom(document.getElementById("token"));
  },
  "remove-email": removeEmail,
  "delete-account": deleteAccount,
};

main.addEventListener("click", ({ target }) => {
  if (target.id === "sign-out" && isGuest()) sure(say("account.sign_out"), say("account.guest_goes"), say("account.sign_out"), signOut);
  else if (target.id === "sign-out") attempt(part(target), signOut);
  else buttons[target.dataset.do]?.(target);
});

main.addEventListener("change", ({ target }) => {
  if (target.id !== "own-language") return;
  keepLanguage(target.value);
  location.reload();
});

if (player() === null) goToSignIn();
else present(async () => {
  title(say("account.title"));
  try {
    return { content: await content() };
  } catch (error) {
    if (error.status !== 401) throw error;
    goToSignIn();
    return { content: [] };
  }
});
