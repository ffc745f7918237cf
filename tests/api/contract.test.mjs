// api/openapi.json as a document: whole, and true to itself.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { document, resolve, validate } from './support/contract.mjs';

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
      used.add(value.$ref);
    }
    for (const [kind, things] of Object.entries(document.components)) {
      if (kind === 'securitySchemes') continue;
      // These two stand for answers outside of any operation.
      const free = ['MethodNotAllowed', 'UnknownMethod'];
      for (const name of Object.keys(things))
        assert.ok(used.has(`#/components/${kind}/${name}`) || free.includes(name), `${kind}/${name} is not used`);
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
    const open = ['Options', 'Components', 'GameEvent'];
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      for (const [path, value] of walk(schema, name)) {
        if (value.type !== 'object' || open.includes(path)) continue;
        const isOurs = value.properties !== undefined && path.split('/').at(-1) !== 'view';
        if (isOurs) assert.equal(value.additionalProperties, false, path);
        else assert.ok(value.description, `${path} is open and does not say why`);
      }
    }
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
