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

const variants = (schema) => schema.anyOf ?? schema.oneOf;
// What an object has whose members are not named one by one: the schema of each.
const valuesOf = (schema) => typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;

// What a value may be, as parts to be shown.
export function typeOf(api, schema) {
  if (schema.$ref !== undefined) return [link(`#schema-${nameOf(schema.$ref)}`, nameOf(schema.$ref))];
  if (schema.const !== undefined) return [element("code", {}, JSON.stringify(schema.const))];
  if (schema.enum !== undefined) return listed(schema.enum.map((value) => element("code", {}, JSON.stringify(value))));
  if (variants(schema) !== undefined) {
    return variants(schema).flatMap((one, i) => [i === 0 ? "" : [" ", say("schema.or"), " "], ...typeOf(api, one)]);
  }
  if (schema.type === "array") return said("schema.list_of", { items: typeOf(api, schema.items) });
  if (valuesOf(schema) !== undefined) {
    const values = typeOf(api, valuesOf(schema));
    return schema.propertyNames === undefined ? said("schema.map", { values }) : said("schema.map_by", { names: typeOf(api, schema.propertyNames), values });
  }
  return [typeWords(schema), schema.pattern === undefined ? null : [", ", said("schema.of_form", { pattern: element("code", {}, schema.pattern) })]];
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
  const places = [schema, ...(variants(schema) ?? [])].flatMap((one) => [one, one.items, valuesOf(one)]);
  const described = places.filter((one) => one?.properties !== undefined);
  return described.map((one, i) => [described.length > 1 ? element("p", {}, say(i === 0 ? "schema.either" : "schema.or"), ": ", proseOf(one)) : null, members(api, one)]);
}

// Texts of several forms, such as a game's moves.
function forms(described) {
  return element("ul", {}, described.map((one) => element("li", {}, proseOf(one), one.pattern === undefined ? null : [" ", element("code", {}, one.pattern)])));
}

export function schemaFields(api, schema) {
  const kinds = variants(schema)?.filter((one) => one.properties !== undefined) ?? [];
  const texts = variants(schema)?.filter((one) => one.type === "string" && one.description !== undefined) ?? [];
  if (texts.length > 1) return [element("p", {}, proseOf(schema)), forms(texts)];
  return [
    element("p", {}, proseOf(schema)),
    schema.properties === undefined ? null : members(api, schema),
    kinds.map((kind, i) => [element("p", {}, say(i === 0 ? "schema.either" : "schema.or"), ": ", proseOf(kind)), members(api, kind)]),
    schema.properties === undefined && kinds.length === 0 ? element("p", {}, typeOf(api, schema)) : null,
  ];
}
