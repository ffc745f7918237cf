// Pages for people: files that come as they are, under a policy that lets no foreign script in.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';

import { checkCommonHeaders } from './support/contract.mjs';
import { Testbed } from './support/testbed.mjs';

const files = new URL('../../web-static/', import.meta.url);
const someId = '01900000-0000-7000-8000-000000000000';
const pages = {
  '/': 'index.html', [`/events/${someId}`]: 'event.html', [`/games/${someId}`]: 'game.html',
  [`/players/${someId}`]: 'player.html', [`/seasons/${someId}`]: 'season.html', '/leaderboard': 'leaderboard.html', '/docs': 'docs.html', '/login': 'login.html', '/events/new': 'new-event.html',
  '/disputes': 'disputes.html', [`/disputes/${someId}`]: 'dispute.html',
  [`/events/${someId}/manage`]: 'manage.html',
};
const types = {
  html: 'text/html; charset=utf-8', css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', json: 'application/json',
  svg: 'image/svg+xml', png: 'image/png', ico: 'image/x-icon', txt: 'text/plain; charset=utf-8',
};
const inside = (folder) => readdirSync(new URL(folder, files), { withFileTypes: true })
  .flatMap((entry) => (entry.isDirectory() ? inside(`${folder}${entry.name}/`) : [`${folder}${entry.name}`]));
const names = inside('').filter((name) => name.split('.').at(-1) in types);

let bed;
let client;
before(async () => {
  bed = new Testbed();
  ({ client } = await bed.startService());
});
after(() => bed.end());

const get = (path, headers) => client.get(path, { unchecked: true, headers });

describe('pages', () => {
  for (const [path, name] of [...Object.entries(pages).filter(([, name]) => names.includes(name)), ...names.map((name) => [`/static/${name}`, name])])
    it(`${path} is ${name}`, async () => {
      const answer = await get(path);
      assert.equal(answer.status, 200);
      checkCommonHeaders(answer.headers);
      assert.equal(answer.headers['content-type'], types[name.split('.').at(-1)]);
      assert.ok(answer.bytes.equals(readFileSync(new URL(name, files))));
      assert.match(answer.headers['content-security-policy'], /script-src 'self'.*frame-ancestors 'none'/);
      const again = await get(path, { 'If-None-Match': answer.headers.etag });
      assert.equal(again.status, 304);
      assert.equal(again.bytes.length, 0);
    });

  for (const name of names.filter((each) => each.endsWith('.html')))
    it(`${name} keeps within the policy and finds its files`, async () => {
      const html = readFileSync(new URL(name, files), 'utf8');
      assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|\son[a-z]+=|\sstyle=|<style|javascript:/i);
      for (const [, address] of html.matchAll(/(?:src|href)="(\/[^"]*)"/g))
        assert.equal((await get(address)).status, 200, address);
      for (const [, address] of html.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"]*)"/g)) assert.match(address, /^\//);
    });

  it('that are not there are not found, nor is anything beside them', async () => {
    for (const path of ['/static/none.html', '/static/.gitignore', '/static/boards', '/static/boards/none.js',
      `/static/${'b'.repeat(60)}/${'c'.repeat(60)}`, '/events/x', '/static', '/index.html', '/favicon.ico']) {
      const answer = await get(path);
      assert.equal(answer.status, 404, path);
      checkCommonHeaders(answer.headers);
    }
  });
});
