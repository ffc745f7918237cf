// The documentation: pages that link to what there is, a search without script, references that say what the programs say.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

import { commandReference, commandsOf } from '../../reference.mjs';
import { build, root, Testbed } from '../support/testbed.mjs';

const read = (file) => readFileSync(path.join(root, 'web-static/docs', file), 'utf8');
const pages = new Map(); // address -> html
let bed;
let client;
before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
  const index = await get('/docs');
  pages.set('/docs', index.text);
  for (const [, address] of index.text.matchAll(/href="(\/docs\/[^"#]+)"/g)) if (!pages.has(address)) pages.set(address, (await get(address)).text);
});
after(() => bed.end());
const get = (address) => client.get(address, { unchecked: true });
const ids = new Map(); // html -> its ids
function idsOf(html) {
  if (!ids.has(html)) ids.set(html, [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  return ids.get(html);
}

describe('the documentation', () => {
  it('has links that lead to pages and anchors that there are', async () => {
    assert.ok(pages.size > 25);
    for (const [at, html] of pages) {
      assert.equal(new Set(idsOf(html)).size, idsOf(html).length, at);
      for (const [, link] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
        if (/^https?:/.test(link)) continue;
        const [address, anchor] = link.split('#');
        const page = pages.get(address === '' ? at : address);
        if (page === undefined) assert.equal((await get(address)).status, 200, `${at}: ${link}`);
        else if (anchor !== undefined) assert.ok(idsOf(page).includes(anchor), `${at}: ${link}`);
      }
    }
  });

  it('shows every request and every object of the API without script', () => {
    const { components, paths } = JSON.parse(readFileSync(path.join(build, 'openapi.json'), 'utf8'));
    const there = new Set(idsOf(pages.get('/docs/api')));
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods)).map((each) => each.operationId).filter(Boolean);
    assert.ok(operations.length > 100);
    for (const id of [...operations, ...Object.keys(components.schemas).map((name) => `schema-${name}`)]) assert.ok(there.has(id), id);
  });

  it('keeps within the policy', () => {
    for (const [at, html] of pages) assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|\son[a-z]+=|\sstyle=|<style|<!-- /i, at);
  });

  it('explains each code of a problem at the place where its type leads', async () => {
    const { items } = (await client.get('/v1/problems')).json;
    for (const { code, status, title } of items)
      assert.ok(read('index.md').includes(`| \`${code}\` | ${status} | ${title} |`), code);
    const described = JSON.parse(readFileSync(path.join(build, 'openapi.json'), 'utf8')).components.schemas.ProblemCode.enum;
    for (const code of described) assert.ok(idsOf(pages.get('/docs')).includes(code), code);
  });

  it('is searched without script', async () => {
    const found = await get('/docs/search?q=STREAM+nothing');
    assert.equal(found.status, 200);
    const { text } = await get('/docs/search?q=sealing+key');
    assert.match(text, /<a href="\/docs\/reference\/configuration#addresses-databases-and-files">/);
    assert.match(text, /<mark>/);
    assert.match((await get('/docs/search?q=legal-moves')).text, /<a href="\/docs\/api#listLegalMoves">/);
    // Other words for the same thing, and words without their endings.
    assert.match((await get('/docs/search?q=tampering')).text, /<ol class="found">\s*<li><a href="\/docs\/explanation\/attacks">[^]*<mark>dishonest<\/mark>/);
    const resign = (await get('/docs/search?q=resign')).text;
    for (const at of ['/docs/guides/players#casual-games', '/docs/api#leaveGame']) assert.ok(resign.includes(`<li><a href="${at}">`), at);
    assert.match((await get('/docs/search?q=deleting+account')).text, /<a href="\/docs\/guides\/players#delete-your-account">/);
    assert.match((await get('/docs/search?q=elo')).text, /<ol class="found">\s*<li><a href="\/docs\/explanation\/ratings">/);
    assert.match((await get('/docs/search?q=xyzzyplugh')).text, /No page has all of these words/);
    assert.match((await get('/docs/search')).text, /Enter one or more words/);
    assert.equal((await get('/docs/guides/none')).status, 404);
  });
});

describe('the reference', () => {
  it('of the command line says what the program says', () => {
    const tillroll = path.join(build, 'tillroll');
    assert.equal(read('reference/command-line.md'), commandReference(tillroll));
    for (const name of commandsOf(tillroll)) assert.ok(read('reference/command-line.md').includes(`\nusage: tillroll ${name}`), name);
  });

  it('of the configuration has every option with its variable, and no other', () => {
    const { stdout, stderr } = spawnSync(path.join(build, 'tillrolld'), ['--help'], { encoding: 'utf8' });
    const said = [...(stdout + stderr).matchAll(/^ {2}(--[a-z-]+) .*?(?: (TILLROLL_[A-Z_]+))?,?$/gm)].filter(([, , variable]) => variable).map(([, option, variable]) => `${variable} ${option}`);
    const told = [...read('reference/configuration.md').matchAll(/^\| `(TILLROLL_[A-Z_]+)` \| `(--[a-z-]+)` \|/gm)].map(([, variable, option]) => `${variable} ${option}`);
    assert.ok(said.length > 30);
    assert.deepEqual(told.sort(), said.sort());
  });
});
