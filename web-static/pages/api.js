import { element, english, link, present, read, table } from "../lib/common.js";
import { prose, proseOf, schemaFields, typeOf } from "../lib/schema.js";
import { said, say } from "../lib/words.js";

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

// What is typed into a shell is the same in every language.
const shell = (...lines) => lines.join("\n");

// In the shell's quotes.
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function curl(operation) {
  const body = jsonOf(operation.requestBody?.content)?.example;
  const needsToken = operation.security?.length > 0 && operation.security.every((each) => "token" in each);
  const address = location.origin + operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => `$${name}`);
  const bare = operation.method === "get" || body !== undefined && operation.method === "post";
  const pieces = [shell("curl -s"), bare ? null : shell(`-X ${operation.method.toUpperCase()}`), address,
    needsToken ? shell('-H "Authorization: Bearer $token"') : null,
    body === undefined ? null : shell("-H 'Content-Type: application/json' \\", `    -d ${quoted(JSON.stringify(body))}`)];
  return element("pre", { tabindex: "0" }, element("code", {}, pieces.filter(Boolean).join(" ")));
}

function access(operation) {
  const security = operation.security ?? [];
  return say(security.some((each) => Object.keys(each).length === 0) || security.length === 0 ? "docs.open" : "docs.needs_token");
}

function parameters(api, operation) {
  const found = (operation.parameters ?? []).map((each) => resolve(api, each));
  if (found.length === 0) return null;
  return [element("h4", {}, say("docs.parameters")), element("dl", { class: "terms" }, found.flatMap((each) => [
    element("dt", {}, element("code", {}, each.name), ` (${say(`docs.in_${each.in}${each.required ? "" : "_optional"}`)})`),
    element("dd", {}, typeOf(api, each.schema), ". ", proseOf(each))]))];
}

function body(api, operation) {
  const content = jsonOf(operation.requestBody?.content);
  if (content === undefined) return null;
  return [element("h4", {}, say("docs.body")), element("p", {}, typeOf(api, content.schema))];
}

// What a text is made of, line by line or message by message.
function pieces(api, { contentSchema: one }) {
  if (one === undefined) return null;
  const messages = (one.oneOf ?? []).map(({ properties }) => properties);
  if (messages.length === 0) return [": ", said("docs.each_line", { type: typeOf(api, one) })];
  return element("dl", { class: "terms" }, messages.flatMap(({ event, data }) => [element("dt", {}, element("code", {}, event.const)), element("dd", {}, typeOf(api, data))]));
}

function response(api, status, written) {
  const found = resolve(api, written);
  const content = jsonOf(found.content);
  const plain = Object.entries(found.content ?? {}).filter(([, each]) => each !== content);
  return [
    element("dt", {}, status),
    element("dd", {}, proseOf(found), content ? [" ", typeOf(api, content.schema)] : null, plain.map(([type, each]) => [" ", type, pieces(api, each.schema)]),
      content?.example === undefined ? null : pretty(content.example)),
  ];
}

function operationDetails(api, common, operation) {
  const own = Object.entries(operation.responses).filter(([, each]) => !common.has(each.$ref));
  return element("details", { id: operation.operationId, class: "operation" },
    element("summary", {}, element("code", {}, `${operation.method.toUpperCase()} ${operation.path}`), " ", english(operation.summary)),
    element("p", {}, proseOf(operation), " ", access(operation)),
    curl(operation), parameters(api, operation), body(api, operation),
    element("h4", {}, say("docs.answers")), element("dl", { class: "terms" }, own.flatMap(([status, each]) => response(api, status, each))));
}

/* ---- The sections ---- */

function requests(api) {
  const operations = operationsOf(api);
  const common = commonResponses(operations);
  const everywhere = Object.entries(operations[0].responses).filter(([, each]) => common.has(each.$ref));
  return [
    element("h2", { id: "requests" }, say("docs.requests")),
    api.tags.map((tag) => [
      element("h3", { id: `tag-${tag.name}` }, english(tag.name[0].toUpperCase() + tag.name.slice(1))),
      element("p", { class: "about" }, english(tag.description)),
      operations.filter((each) => each.tags.includes(tag.name)).map((each) => operationDetails(api, common, each)),
    ]),
    element("h3", {}, say("docs.answers_to_any")),
    element("dl", { class: "terms" }, everywhere.flatMap(([status, each]) => response(api, status, each))),
  ];
}

function step(text, code) {
  return element("li", {}, text, element("pre", { tabindex: "0" }, element("code", {}, code)));
}

function beginning() {
  const token = shell('-H "Authorization: Bearer $token"');
  const json = shell("-H 'Content-Type: application/json'");
  return [
    element("h2", {}, say("docs.how_to_begin")),
    element("ol", { class: "steps" },
      step(say("docs.step_account"),
        shell(`api=${location.origin}/v1`, `curl -s $api/players ${json} -d '{"name":"Ada","password":"correct horse battery"}'`, "token=tr_...")),
      step(say("docs.step_enter"),
        shell("curl -s $api/events", "event=...", `curl -s -X POST $api/events/$event/entries ${token}`)),
      step(say("docs.step_move"),
        shell(`curl -s "$api/me/games?state=running" ${token}`, "game=...", `curl -s $api/games/$game/view ${token}`,
        `curl -s $api/games/$game/legal-moves ${token}`, `curl -s $api/games/$game/moves ${token} ${json} \\`, `    -d '{"moves":["..."],"seq":0}'`)),
      step(say("docs.step_check"),
        shell("curl -s $api/games/$game/record > game.roll", "tillroll verify game.roll"))),
  ];
}

/* ---- The walkthrough: requests that follow each other, as openapi.json has them ---- */

const variables = (text) => text.replaceAll(/"(\$seq)"/g, "$1");

// What an answer is kept as goes into a variable of the shell, by jq.
function walked({ as, request, body, keep = {} }) {
  const [method, path] = request.split(" ");
  const pieces = [shell("curl -s"), method === "GET" || body !== undefined && method === "POST" ? null : shell(`-X ${method}`), shell(`"$origin${path}"`),
    as === undefined ? null : shell(`-H "Authorization: Bearer $${as}"`),
    body === undefined ? null : shell("-H 'Content-Type: application/json' \\", `    -d "${variables(JSON.stringify(body)).replaceAll('"', '\\"')}"`)];
  const command = pieces.filter(Boolean).join(" ");
  const kept = Object.entries(keep);
  if (kept.length === 0) return command;
  return shell(shell(`answer=$(${command})`), ...kept.map(([name, where]) => shell(`${name}=$(jq -r '.${where.replaceAll(/\.(\d+)/g, "[$1]")}' <<<"$answer")`)));
}

function walkthrough(api) {
  return [
    element("h2", { id: "walkthrough" }, say("docs.walkthrough")),
    element("p", { class: "about" }, prose(say("docs.walkthrough_about"))),
    element("pre", { tabindex: "0" }, element("code", {}, shell(`origin=${location.origin}`, "n=$RANDOM"))),
    element("ol", { class: "steps" }, api["x-walkthrough"].map((each) => element("li", {}, each.say === undefined ? null : english(prose(each.say)),
      element("pre", { tabindex: "0" }, element("code", {}, walked(each))), element("p", {}, say("docs.answered", { status: String(each.status) }))))),
  ];
}

const refusals = ["game-over", "not-your-turn", "bad-syntax", "seat-on-fallback"]; // that all games have

function codeCell(code) {
  return element("a", { id: code, href: `#${code}` }, element("code", {}, code));
}

function problems(api, listed) {
  const known = new Set(listed.items.map((problem) => problem.code));
  const further = api.components.schemas.ProblemCode.enum.filter((code) => !known.has(code));
  return [
    element("h2", { id: "problems" }, say("docs.problems")),
    element("p", { class: "about" }, prose(say("docs.problems_about"))),
    table(say("docs.problems_caption"), [{ text: say("docs.code"), header: true }, { text: say("docs.status"), number: true }, { text: say("docs.meaning") }],
      listed.items.map((problem) => [codeCell(problem.code), String(problem.status), english(problem.title)])),
    element("h3", {}, say("docs.refused_unread")),
    element("p", {}, say("docs.refused_unread_about")),
    element("ul", { class: "names" }, further.map((code) => element("li", {}, codeCell(code)))),
    element("h3", { id: "refused-moves" }, say("docs.refused_moves")),
    element("p", {}, say("docs.refused_moves_about")),
    table(say("docs.refusals"), [{ text: say("docs.code"), header: true }, { text: say("docs.meaning") }], refusals.map((code) => [codeCell(code), say(`docs.refusal_${code}`)])),
  ];
}

function documents(api) {
  return [
    element("h2", { id: "documents" }, say("docs.documents")),
    element("p", { class: "about" }, say("docs.documents_about")),
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
  notice.replaceChildren(...said("docs.unknown_code", { code: element("code", {}, name), link: link("#refused-moves", say("docs.refused_moves_link")) }));
  const closed = found?.closest("details:not([open])");
  if (!closed) return;
  closed.open = true;
  found.scrollIntoView();
}
addEventListener("hashchange", reveal);

present(async () => {
  const [api, listed] = await Promise.all([read("/openapi.json"), read("/v1/problems")]);
  const content = [
    element("h1", {}, say("docs.title")),
    element("p", { id: "unknown-code", class: "notice", hidden: true }),
    element("p", { class: "about" }, said("docs.about", { requests: link("#requests", say("docs.requests_link")), problems: link("#problems", say("docs.problems_link")),
      documents: link("#documents", say("docs.documents_link")), file: link("/openapi.json", element("code", {}, "/openapi.json")) })),
    beginning(), walkthrough(api),
    element("h2", {}, say("docs.in_general")), api.info.description.split("\n\n").map((paragraph) => element("p", {}, english(prose(paragraph)))),
    requests(api), problems(api, listed), documents(api),
  ];
  return { content, shown: reveal };
});
