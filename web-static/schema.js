// JSON Schema in words: what a value is, and the members of a document.
import { element, english, link, listed } from "./common.js";
import { said, say } from "./words.js";

const nameOf = (reference) => reference.split("/").at(-1);

// Text with `code` in it; the descriptions use no other markup.
export function prose(text) {
  return text.split("`").map((part, i) => (i % 2 === 1 ? element("code", {}, part) : part));
}

// What the service's document says of one of its parts.
export function proseOf({ description = "" }) {
  return description === "" ? null : english(prose(description));
}

// Bounds are written as they are in JSON.
function typeWords({ type = "anything", minimum: least, maximum: most }) {
  const name = [type].flat().map((each) => say(`schema.type_${each}`)).join(` ${say("schema.or")} `);
  if (least === undefined && most === undefined) return name;
  if (most === undefined) return say("schema.at_least", { type: name, least: String(least) });
  return least === undefined ? say("schema.at_most", { type: name, most: String(most) }) : say("schema.from_to", { type: name, least: String(least), most: String(most) });
}

// What a value may be, as parts to be shown.
export function typeOf(api, schema) {
  if (schema.$ref !== undefined) return [link(`#schema-${nameOf(schema.$ref)}`, nameOf(schema.$ref))];
  if (schema.const !== undefined) return [element("code", {}, JSON.stringify(schema.const))];
  if (schema.enum !== undefined) return listed(schema.enum.map((value) => element("code", {}, JSON.stringify(value))));
  if (schema.anyOf !== undefined) {
    return schema.anyOf.flatMap((each, i) => [i === 0 ? "" : [" ", say("schema.or"), " "], ...typeOf(api, each)]);
  }
  if (schema.type === "array") return said("schema.list_of", { items: typeOf(api, schema.items) });
  return [typeWords(schema)];
}

function members(api, schema) {
  const required = new Set(schema.required ?? []);
  return element("dl", { class: "terms" }, Object.entries(schema.properties).flatMap(([name, member]) => [
    element("dt", {}, element("code", {}, name), required.has(name) ? null : [" ", say("schema.optional")]),
    element("dd", {}, typeOf(api, member), ". ", proseOf(member), inner(api, member)),
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
    element("p", {}, proseOf(schema)),
    schema.properties === undefined ? null : members(api, schema),
    kinds.map((kind, i) => [element("p", {}, say(i === 0 ? "schema.either" : "schema.or"), ": ", proseOf(kind)), members(api, kind)]),
    schema.properties === undefined && kinds.length === 0 ? element("p", {}, typeOf(api, schema),
      schema.pattern === undefined ? null : [", ", said("schema.of_form", { pattern: element("code", {}, schema.pattern) })]) : null,
  ];
}
