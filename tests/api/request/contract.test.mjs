// api/openapi/ as a document: whole, and true to itself.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { document, resolve, validate } from '../support/contract.mjs';

function* walk(value, path = '#') {
  if (value === null || typeof value !== 'object') return;
  yield [path, value];
  for (const [key, each] of Object.entries(value)) yield* walk(each, `${path}/${key}`);
}

describe('openapi.json', () => {
  it('refers to nothing that is missing, and has nothing that is never referred to', () => {
    const used = new Set();
    for (const [path, value] of walk(document)) {
      if (typeof value.$ref !== 'string') continue;
      assert.ok(resolve(value), `${path}: ${value.$ref}`);
      if (!path.startsWith('#/x-')) used.add(value.$ref); // programs that read OpenAPI do not look there
    }
    for (const [kind, things] of Object.entries(document.components)) {
      if (kind === 'securitySchemes') continue;
      for (const name of Object.keys(things)) assert.ok(used.has(`#/components/${kind}/${name}`), `${kind}/${name} is not used`);
    }
  });

  it('has examples that are as it says', () => {
    let examples = 0;
    for (const [path, value] of walk(document)) {
      if (value.example === undefined || value.schema === undefined) continue;
      examples++;
      validate(value.schema, value.example, path);
    }
    assert.ok(examples > 20);
  });

  it('lets no document of ours have more members than are described', () => {
    const open = ['Options', 'Components'];
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      for (const [path, value] of walk(schema, name)) {
        if (value.type !== 'object' || open.includes(path)) continue;
        if (value.properties !== undefined) assert.equal(value.additionalProperties, false, path);
        else assert.ok(value.description, `${path} is open and does not say why`);
      }
    }
  });

  // With the tests above and below all that Redocly's linter complained of (`npx @redocly/cli lint`, its recommended rules);
  // the program itself is larger than all that these tests install.
  it('is as linters want it', () => {
    assert.ok(document.info.license.name);
    for (const [path, value] of walk(document.components.schemas)) {
      for (const kind of ['anyOf', 'oneOf'])
        if (Array.isArray(value[kind])) assert.ok(value[kind].length > 1, `${path}/${kind} has one schema`);
      if (Array.isArray(value.required) && value.type === 'object')
        for (const name of value.required) assert.ok(value.properties?.[name] ?? value.oneOf, `${path}: ${name} is required and not there`);
    }
    for (const [path, { schema }] of walk(document.paths))
      for (const name of schema?.required ?? []) assert.ok(schema.properties?.[name], `${path}: ${name} is required and not there`);
  });

  it('names each placeholder of a path, and tells what everything is', () => {
    for (const [path, item] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(item)) {
        const wanted = [...path.matchAll(/\{([a-z]+)\}/g)].map((found) => found[1]);
        const parameters = (operation.parameters ?? []).map(resolve);
        assert.deepEqual(parameters.filter((each) => each.in === 'path').map((each) => each.name), wanted, path);
        for (const each of parameters) assert.ok(each.description && each.schema, `${method} ${path}: ${each.name}`);
        for (const [status, response] of Object.entries(operation.responses)) {
          assert.ok(resolve(response).description, `${method} ${path} ${status}`);
          const content = Object.keys(resolve(response).content ?? {});
          if (Number(status) >= 400) assert.deepEqual(content, ['application/problem+json']);
        }
      }
  });
});
