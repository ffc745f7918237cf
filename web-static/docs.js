import { element, link, present, read, table } from "./common.js";
import { prose, schemaFields, typeOf } from "./schema.js";

const methods = ["get", "post", "put", "patch", "delete"];

function resolve(api, part) {
  return part.$ref === undefined ? part : part.$ref.split("/").slice(1).reduce((found, name) => found[name], api);
}

// All operations, as { path, method, ...operation }.
function operationsOf(api) {
  return Object.entries(api.paths).flatMap(([path, operations]) => Object.entries(operations)
    .filter(([method]) => methods.includes(method)).map(([method, operation]) => ({ path, method, ...operation })));
}

// The responses that every operation can give; said once rather than everywhere.
function commonResponses(operations) {
  const references = (operation) => Object.values(operation.responses).map((response) => response.$ref);
  return new Set(references(operations[0]).filter((each) => each !== undefined && operations.every((operation) => references(operation).includes(each))));
}

const jsonOf = (content) => content?.["application/json"] ?? content?.["application/problem+json"];
const pretty = (value) => element("pre", { tabindex: "0" }, element("code", {}, JSON.stringify(value, null, 2)));

/* ---- One operation ---- */

// In the shell's quotes.
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function curl(operation) {
  const body = jsonOf(operation.requestBody?.content)?.example;
  const needsToken = operation.security?.length > 0 && operation.security.every((each) => "token" in each);
  const address = location.origin + operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => `$${name}`);
  const bare = operation.method === "get" || body !== undefined && operation.method === "post";
  const pieces = ["curl -s", bare ? null : `-X ${operation.method.toUpperCase()}`, address,
    needsToken ? '-H "Authorization: Bearer $token"' : null,
    body === undefined ? null : `-H 'Content-Type: application/json' \\\n    -d ${quoted(JSON.stringify(body))}`];
  return element("pre", { tabindex: "0" }, element("code", {}, pieces.filter(Boolean).join(" ")));
}

function access(operation) {
  const security = operation.security ?? [];
  if (security.some((each) => Object.keys(each).length === 0) || security.length === 0) return "Open to everybody.";
  return "Needs a token.";
}

function parameters(api, operation) {
  const found = (operation.parameters ?? []).map((each) => resolve(api, each));
  if (found.length === 0) return null;
  return [element("h4", {}, "Parameters"), element("dl", { class: "terms" }, found.flatMap((each) => [
    element("dt", {}, element("code", {}, each.name), ` (${each.in}${each.required ? "" : ", optional"})`),
    element("dd", {}, typeOf(api, each.schema), ". ", prose(each.description ?? ""))]))];
}

function body(api, operation) {
  const content = jsonOf(operation.requestBody?.content);
  if (content === undefined) return null;
  return [element("h4", {}, "Body"), element("p", {}, typeOf(api, content.schema))];
}

function response(api, status, written) {
  const found = resolve(api, written);
  const content = jsonOf(found.content);
  const plain = Object.keys(found.content ?? {}).filter((type) => !type.endsWith("json"));
  return [
    element("dt", {}, status),
    element("dd", {}, prose(found.description ?? ""), content ? [" ", typeOf(api, content.schema)] : null, plain.length ? ` ${plain.join(", ")}` : null,
      content?.example === undefined ? null : pretty(content.example)),
  ];
}

function operationDetails(api, common, operation) {
  const own = Object.entries(operation.responses).filter(([, each]) => !common.has(each.$ref));
  return element("details", { id: operation.operationId, class: "operation" },
    element("summary", {}, element("code", {}, `${operation.method.toUpperCase()} ${operation.path}`), " ", operation.summary),
    element("p", {}, prose(operation.description ?? ""), " ", access(operation)),
    curl(operation), parameters(api, operation), body(api, operation),
    element("h4", {}, "Answers"), element("dl", { class: "terms" }, own.flatMap(([status, each]) => response(api, status, each))));
}

/* ---- The sections ---- */

function requests(api) {
  const operations = operationsOf(api);
  const common = commonResponses(operations);
  const everywhere = Object.entries(operations[0].responses).filter(([, each]) => common.has(each.$ref));
  return [
    element("h2", { id: "requests" }, "Requests"),
    api.tags.map((tag) => [
      element("h3", { id: `tag-${tag.name}` }, tag.name[0].toUpperCase() + tag.name.slice(1)),
      element("p", { class: "about" }, tag.description),
      operations.filter((each) => each.tags.includes(tag.name)).map((each) => operationDetails(api, common, each)),
    ]),
    element("h3", {}, "Answers to any request"),
    element("dl", { class: "terms" }, everywhere.flatMap(([status, each]) => response(api, status, each))),
  ];
}

function step(text, ...lines) {
  return element("li", {}, text, element("pre", { tabindex: "0" }, element("code", {}, lines.join("\n"))));
}

function beginning() {
  const token = '-H "Authorization: Bearer $token"';
  const json = "-H 'Content-Type: application/json'";
  return [
    element("h2", {}, "How to begin"),
    element("ol", { class: "steps" },
      step("Make an account. The answer holds a token, which is shown this once.",
        `api=${location.origin}/v1`, `curl -s $api/players ${json} -d '{"name":"Ada","password":"correct horse battery"}'`, "token=tr_..."),
      step("Find an event that is open for entries, and enter.",
        "curl -s $api/events", "event=...", `curl -s -X POST $api/events/$event/entries ${token}`),
      step("When a round has started, find your game, look at it, see what you may do, and move. A move carries the seq that it was decided at.",
        `curl -s "$api/me/games?state=running" ${token}`, "game=...", `curl -s $api/games/$game/view ${token}`,
        `curl -s $api/games/$game/legal-moves ${token}`, `curl -s $api/games/$game/moves ${token} ${json} \\`, `    -d '{"moves":["..."],"seq":0}'`),
      step("Check a finished game without trusting this server.",
        "curl -s $api/games/$game/record > game.roll", "tillroll verify game.roll")),
  ];
}

const refusals = [
  ["game-over", "The game has ended."],
  ["not-your-turn", "Another seat decides now."],
  ["bad-syntax", "This is not written as a move of the game is."],
  ["seat-on-fallback", "The quiet move plays for this seat."],
];

function codeCell(code) {
  return element("a", { id: code, href: `#${code}` }, element("code", {}, code));
}

function problems(api, listed) {
  const known = new Set(listed.items.map((problem) => problem.code));
  const further = api.components.schemas.ProblemCode.enum.filter((code) => !known.has(code));
  return [
    element("h2", { id: "problems" }, "Problems"),
    element("p", { class: "about" }, prose("Every error is a problem document (RFC 9457): `code` is for programs and never changes, `detail` says what to do.")),
    table("Problems that the service answers with", [{ text: "Code", header: true }, { text: "Status", number: true }, { text: "Meaning" }],
      listed.items.map((problem) => [codeCell(problem.code), String(problem.status), problem.title])),
    element("h3", {}, "Requests refused unread"),
    element("p", {}, "Not proper HTTP, too large, or at a bad moment; the detail says why."),
    element("ul", { class: "names" }, further.map((code) => element("li", {}, codeCell(code)))),
    element("h3", { id: "refused-moves" }, "Refused moves"),
    element("p", {}, "A move that the rules refuse is answered with the code of the rule, and with legal moves like the one that was tried. ",
      "The codes belong to each game's rules; these are common to all."),
    table("Refusals common to all games", [{ text: "Code", header: true }, { text: "Meaning" }], refusals.map(([code, meaning]) => [codeCell(code), meaning])),
  ];
}

function documents(api) {
  return [
    element("h2", { id: "documents" }, "Documents"),
    element("p", { class: "about" }, "What requests and answers are made of. Members are always there unless they are called optional."),
    Object.entries(api.components.schemas).map(([name, schema]) => element("details", { id: `schema-${name}`, class: "operation" },
      element("summary", {}, element("code", {}, name)), schemaFields(api, schema))),
  ];
}

/* ---- Going to what an address points to ---- */

// Opens what `#name` is in; a code that is not on the page is a game's own.
function reveal() {
  const name = location.hash.slice(1);
  const notice = document.getElementById("unknown-code");
  const found = name === "" ? null : document.getElementById(name);
  notice.hidden = name === "" || found !== null;
  notice.replaceChildren(element("code", {}, name), " is the code of a move that a game's rules refuse: see ", link("#refused-moves", "refused moves"), ".");
  const closed = found?.closest("details:not([open])");
  if (!closed) return;
  closed.open = true;
  found.scrollIntoView();
}
addEventListener("hashchange", reveal);

present(async () => {
  const [api, listed] = await Promise.all([read("/openapi.json"), read("/v1/problems")]);
  const content = [
    element("h1", {}, "The API"),
    element("p", { id: "unknown-code", class: "notice", hidden: true }),
    element("p", { class: "about" }, "Everything here can be done over HTTP with JSON. On this page: ",
      link("#requests", "requests"), ", ", link("#problems", "problems"), ", ", link("#documents", "documents"), ". For programs: ", link("/openapi.json", "/openapi.json"), " (OpenAPI 3.1)."),
    beginning(),
    element("h2", {}, "In general"), api.info.description.split("\n\n").map((paragraph) => element("p", {}, prose(paragraph))),
    requests(api), problems(api, listed), documents(api),
  ];
  return { content, shown: reveal };
});
