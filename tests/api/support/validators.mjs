// Functions that check values against the API's description. Compiling them takes a second in every test file, so those of all
// its schemas are compiled once, and are kept beside openapi.json, with what V8 has made of them.
//
//     node tests/api/support/validators.mjs      does that now
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';

import { build } from './build.mjs';

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
export const errorsText = (errors) => errors.map(({ instancePath, message }) => `data${instancePath} ${message}`).join(', ');
