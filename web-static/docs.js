import { element, read, show, table } from "./common.js";

function operations(api) {
  return Object.entries(api.paths ?? {}).flatMap(([path, methods]) => Object.entries(methods)
    .filter(([method]) => ["get", "post", "patch", "delete"].includes(method))
    .map(([method, operation]) => element("details", { id: operation.operationId },
      element("summary", {}, element("code", {}, `${method.toUpperCase()} ${path}`), ` ${operation.summary ?? ""}`),
      element("p", {}, operation.description ?? ""),
      element("dl", { class: "position" }, Object.entries(operation.responses ?? {}).flatMap(([status, response]) => [
        element("dt", {}, status), element("dd", {}, response.description ?? "")])))));
}

show(async () => {
  const [api, problems] = await Promise.all([read("/openapi.json"), read("/v1/problems")]);
  return [
    element("h1", {}, "The API"),
    element("p", { class: "about" }, "JSON over HTTP. The whole description, for programs: ", element("a", { href: "/openapi.json" }, "/openapi.json"), " (OpenAPI 3.1)."),
    element("h2", {}, "Routes"),
    operations(api),
    element("h2", {}, "Problems"),
    table("Every error is a problem document (RFC 9457) with one of these codes, or the code of a refused move.",
      [{ text: "Code", header: true }, { text: "Status", number: true }, { text: "Meaning" }],
      problems.items.map((problem) => [element("code", { id: problem.code }, problem.code), String(problem.status), problem.title])),
  ];
}).then(() => {
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
});
