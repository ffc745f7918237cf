// JSON Schema in words: what a value is, and the members of a document.
import { element, link, listed } from "./common.js";

const nameOf = (reference) => reference.split("/").at(-1);

// Text with `code` in it; the descriptions use no other markup.
export function prose(text) {
  return text.split("`").map((part, i) => (i % 2 === 1 ? element("code", {}, part) : part));
}

function bounds(schema) {
  const { minimum: least, maximum: most } = schema;
  if (least === undefined && most === undefined) return "";
  if (most === undefined) return `, at least ${least}`;
  return least === undefined ? `, at most ${most}` : ` from ${least} to ${most}`;
}

// What a value may be, as parts to be shown.
export function typeOf(api, schema) {
  if (schema.$ref !== undefined) return [link(`#schema-${nameOf(schema.$ref)}`, nameOf(schema.$ref))];
  if (schema.const !== undefined) return [element("code", {}, JSON.stringify(schema.const))];
  if (schema.enum !== undefined) return listed(schema.enum.map((value) => element("code", {}, JSON.stringify(value))));
  if (schema.anyOf !== undefined) {
    return schema.anyOf.flatMap((each, i) => [i === 0 ? "" : " or ", ...typeOf(api, each)]);
  }
  if (schema.type === "array") return ["list of ", ...typeOf(api, schema.items)];
  return [schema.type ?? "anything", bounds(schema)];
}

function members(api, schema) {
  const required = new Set(schema.required ?? []);
  return element("dl", { class: "terms" }, Object.entries(schema.properties).flatMap(([name, member]) => [
    element("dt", {}, element("code", {}, name), required.has(name) ? null : " (optional)"),
    element("dd", {}, typeOf(api, member), ". ", prose(member.description ?? ""), inner(api, member)),
  ]));
}

// The members of a document inside a document.
function inner(api, schema) {
  const described = [schema, schema.items, ...(schema.anyOf ?? [])].find((each) => each?.properties !== undefined);
  return described === undefined ? null : members(api, described);
}

export function schemaFields(api, schema) {
  const kinds = schema.anyOf?.filter((each) => each.properties !== undefined) ?? [];
  return [
    element("p", {}, prose(schema.description ?? "")),
    schema.properties === undefined ? null : members(api, schema),
    kinds.map((kind, i) => [element("p", {}, i === 0 ? "Either" : "or", ": ", prose(kind.description ?? "")), members(api, kind)]),
    schema.properties === undefined && kinds.length === 0 ? element("p", {}, typeOf(api, schema),
      schema.pattern === undefined ? null : [", of the form ", element("code", {}, schema.pattern)]) : null,
  ];
}
