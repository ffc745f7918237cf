// api/openapi/ as a judge: every answer that a test gets must be one that it promises.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';

import { build } from './build.mjs';

/* ---- Validators ---- */

// Compiling what checks a value takes a second in every test file. So it is compiled once, for all schemas of the description, and kept
// beside openapi.json with what V8 has made of it.

// (What is required here is read only when it is needed.)
const require = createRequire(import.meta.url);

const text = readFileSync(path.join(build, 'openapi.json'), 'utf8');
export const document = JSON.parse(text);

// ajv finds a discriminator's schema by itself, and wants no mapping.
const inDefinitions = (value) =>
  JSON.parse(JSON.stringify(value, (name, inner) => (name === 'mapping' ? undefined : inner)).replaceAll('#/components/schemas/', 'tillroll:schemas#/$defs/'));

function newAjv() {
  const { default: Ajv2020 } = require('ajv/dist/2020.js');
  // (With `inlineRefs` it takes twice as long to begin.)
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, discriminator: true, inlineRefs: false, code: { source: true } });
  require('ajv-formats')(ajv);
  ajv.addSchema({ $id: 'tillroll:schemas', $defs: inDefinitions(document.components.schemas) });
  return ajv;
}
let ajv;

// Every schema of the description that stands where a value is described, by its JSON.
function schemasOf(value, found = new Map()) {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, inner] of Object.entries(value)) {
    if (['schema', 'contentSchema', 'data'].includes(name) && typeof inner === 'object') found.set(JSON.stringify(inner), inner);
    schemasOf(inner, found);
  }
  return found;
}

function compileAll(file) {
  const { default: standaloneCode } = require('ajv/dist/standalone');
  const all = newAjv();
  const names = {};
  const numbers = {};
  for (const [key, schema] of schemasOf(document)) {
    const number = Object.keys(numbers).length;
    numbers[key] = number;
    names[`v${number}`] = `tillroll:${number}`;
    all.addSchema({ $id: `tillroll:${number}`, ...inDefinitions(schema) });
  }
  const code = `${standaloneCode(all, names)}\nexports.numbers = ${JSON.stringify(numbers)};`;
  writeFileSync(`${file}.${process.pid}`, code);
  renameSync(`${file}.${process.pid}`, file);
}

function load() {
  const versions = ['ajv', 'ajv-formats'].map((name) => require(`${name}/package.json`).version);
  const state = createHash('sha256').update(JSON.stringify([text, versions, readFileSync(new URL(import.meta.url), 'utf8')])).digest('hex');
  const file = path.join(build, `openapi-validators-${state.slice(0, 16)}.js`);
  const cache = `${file}.${process.version}`;
  if (!existsSync(file)) {
    for (const old of readdirSync(build).filter((name) => name.startsWith('openapi-validators-'))) rmSync(path.join(build, old), { force: true });
    compileAll(file);
  }
  const script = new vm.Script(`((require, exports) => {${readFileSync(file, 'utf8')}\n})`, { filename: file, cachedData: existsSync(cache) ? readFileSync(cache) : undefined });
  const exported = {};
  script.runInThisContext()(require, exported);
  if (!existsSync(cache)) {
    writeFileSync(`${cache}.${process.pid}`, script.createCachedData());
    renameSync(`${cache}.${process.pid}`, cache);
  }
  return exported;
}
const compiled = load();

const validators = new WeakMap(); // by their schemas
export function validatorOf(schema) {
  if (!validators.has(schema)) validators.set(schema, find(schema));
  return validators.get(schema);
}

function find(schema) {
  const number = compiled.numbers[JSON.stringify(schema)];
  if (number !== undefined) return compiled[`v${number}`];
  ajv ??= newAjv();
  return ajv.compile(inDefinitions(schema));
}

// What a validator has found, as a sentence.
const errorsText = (errors) => errors.map(({ instancePath, message }) => `data${instancePath} ${message}`).join(', ');

/* ---- Answers ---- */

export function validate(schema, value, what) {
  const validator = validatorOf(schema);
  if (!validator(value))
    assert.fail(`${what} is not as described: ${errorsText(validator.errors)}\n${JSON.stringify(value).slice(0, 2000)}`);
}

export const resolve = (value) => {
  if (value?.$ref === undefined) return value;
  return value.$ref.slice(2).split('/').reduce((at, name) => at[name.replaceAll('~1', '/')], document);
};

// [pattern of the path, methods], fixed segments before placeholders.
const paths = Object.entries(document.paths)
  .map(([path, item]) => [new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]*\}/g, '[^/]+')}$`), item, path])
  .sort(([, , a], [, , b]) => a.split('{').length - b.split('{').length);

function operationOf(method, path) {
  const item = paths.find(([pattern]) => pattern.test(path))?.[1];
  return item?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
}

// What any address answers that does not take the request at all.
const outside = {
  400: 'BadRequest', 404: 'NotFound', 413: 'BodyTooLarge', 414: 'TargetTooLong',
  417: 'BadExpectation', 421: 'UnknownHost', 431: 'HeaderTooLarge', 503: 'Unavailable', 505: 'UnsupportedVersion',
};

function responseOf(operation, status) {
  const described = operation?.responses[status];
  if (described !== undefined) return resolve(described);
  if (operation !== undefined && status !== 404) return undefined;
  return document['x-outside-answers'][status] ?? document.components.responses[outside[status]];
}

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

// Header fields that every answer carries, pages too. `compiles`: only one script may let WebAssembly in. `framed`: pages
// of other sites may show it.
export function checkCommonHeaders(headers, { compiles = false, framed = false } = {}) {
  for (const [name, value] of Object.entries(everywhere)) assert.equal(headers[name], value, name);
  assert.equal(headers['cross-origin-resource-policy'], framed ? 'cross-origin' : 'same-origin');
  const [, policy, ancestors] = /^(.*; )frame-ancestors (.*)$/.exec(headers['content-security-policy']);
  assert.match(policy, /^default-src 'none';/);
  assert.doesNotMatch(policy.replace(compiles ? " 'wasm-unsafe-eval'" : '', ''), /unsafe|\*/);
  assert.equal(ancestors, framed ? '*' : "'none'");
  // An answer that many requests share names none of them.
  if (headers['x-request-id'] === undefined) assert.ok(headers.etag, 'neither X-Request-Id nor ETag');
  else assert.match(headers['x-request-id'], /^[\w.-]{1,64}$/);
  assert.equal(headers.vary, headers.etag && 'Accept-Encoding');
  assert.ok(headers['cache-control']);
}

function checkHeaders(response, headers, what) {
  for (const [name, reference] of Object.entries(response.headers ?? {})) {
    const header = resolve(reference);
    const value = headers[name.toLowerCase()];
    if (value === undefined) assert.ok(!header.required, `${what}: no ${name}`);
    else validate(header.schema, value, `${what}: ${name}`);
  }
  for (const name of ['etag', 'vary', 'content-encoding', 'location', 'retry-after', 'allow', 'www-authenticate', 'content-disposition'])
    if (headers[name] !== undefined)
      assert.ok(
        Object.keys(response.headers ?? {}).some((each) => each.toLowerCase() === name),
        `${what}: ${name} is not described`,
      );
}

function checkBody(response, answer, what) {
  const { headers, text } = answer;
  if (response.content === undefined) {
    assert.equal(text, '', `${what}: a body where none is described`);
    return;
  }
  const content = response.content[headers['content-type']];
  assert.ok(content, `${what}: ${headers['content-type']} is not described`);
  const isJson = /[/+]json$/.test(headers['content-type']);
  validate(content.schema, isJson ? answer.json : text, what);
  if (headers['content-type'] === 'application/x-ndjson')
    for (const line of text.trimEnd().split('\n')) validate(content.schema.contentSchema, JSON.parse(line), what);
  if (answer.status >= 400) assert.equal(answer.json.status, answer.status);
}

// The schema of a stream's messages with this name.
export function messageSchema(path, name) {
  const { contentSchema } = operationOf('GET', path).responses[200].content['text/event-stream'].schema;
  return contentSchema.oneOf.map(({ properties }) => properties).find(({ event }) => event.const === name)?.data;
}

// What has been seen, for tests that want to know what they have covered.
export const seen = { codes: new Set(), answers: new Set() };

// `request`: method, path (without query), json. `answer`: status, headers, text, json.
export function check(request, answer) {
  const what = `${request.method} ${request.path} ${answer.status}`;
  const operation = operationOf(request.method, request.path);
  const response = responseOf(operation, answer.status);
  assert.ok(response, `${what} is not described: ${answer.text.slice(0, 500)}`);
  checkCommonHeaders(answer.headers);
  checkHeaders(response, answer.headers, what);
  if (request.method === 'HEAD') assert.equal(answer.text, '');
  else checkBody(response, answer, what);
  if (answer.status >= 400) seen.codes.add(answer.json?.code);
  if (operation !== undefined) seen.answers.add(`${operation.operationId} ${answer.status}`);
  if (answer.status >= 300 || request.json === undefined || operation?.requestBody === undefined) return;
  // What the service takes, the description must allow.
  validate(operation.requestBody.content['application/json'].schema, request.json, `${what}: the request`);
}
