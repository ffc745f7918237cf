// Chromium (Firefox: tests/browsers/run), and pages that note everything that must not happen: errors on the console, breaches of the
// content security policy, requests to anywhere but the service.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { inTheEnd, sharesCluster } from '../../api/support/testbed.mjs';
import { isLong } from '../../long.mjs';
import { requireLarge } from './compiled.mjs';

// (`import` would read the whole of it for the names that it exports.)
const require = createRequire(import.meta.url);
const { chromium, firefox } = requireLarge('playwright-core');

const isFirefox = process.env.TILLROLL_BROWSER === 'firefox';

// What Playwright cannot have Firefox do over WebDriver BiDi. A test that asks for it fails with these words, by which tests/browsers/firefox.mjs
// leaves it out.
function unable(ability) {
  throw new Error(`Firefox cannot be driven so: ${ability}`);
}

function limit(page) {
  const { emulateMedia, waitForEvent } = page;
  page.emulateMedia = (media) => (media.media === 'print' || media.colorScheme === 'dark' ? unable('print and dark colours') : emulateMedia.call(page, media));
  page.waitForEvent = (name, ...words) => (name === 'download' ? unable('downloads') : waitForEvent.call(page, name, ...words));
  page.on('request', (request) => { request.postDataJSON = () => unable('bodies of requests'); });
  const context = page.context();
  const { grantPermissions } = context;
  context.grantPermissions = (names, ...words) => grantPermissions.call(context, names.filter((each) => each !== 'clipboard-write'), ...words); // which it needs not
  context.newCDPSession = () => unable('the DevTools protocol');
  context.setOffline = () => unable('being offline');
}

// In every new window Chromium loads pages of its own for what its address bar may open. A page is a window here,
// and drawing those took longer than drawing ours.
const features = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];
// What Playwright turns off: only the last list that Chromium is given counts.
const usual = [
  'AvoidUnnecessaryBeforeUnloadCheckSync', 'BoundaryEventDispatchTracksNodeRemoval', 'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider', 'GlobalMediaControls', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'PaintHolding',
  'ThirdPartyStoragePartitioning', 'Translate', 'RenderDocument', 'OptimizationHints',
];

const flags = [
  `--disable-features=${[...usual, ...features]}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP club.lan 127.0.0.1', // a machine in the network (people/without_tls.test.mjs)
];

const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

// Each launch has a profile of its own that goes away with it. In a program that shares its cluster, one browser is launched, and closed in
// the end.
let shared;
export async function launch() {
  if (shared !== undefined) return shared;
  const browser = isFirefox
    ? await firefox.launch({ channel: 'moz-firefox', executablePath: '/usr/bin/firefox-esr', headless: true, firefoxUserPrefs: { 'network.dns.localDomains': 'club.lan' } })
    : await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', headless: true, args: flags });
  if (!sharesCluster()) return browser;
  shared = browser;
  inTheEnd(browser.close.bind(browser));
  browser.close = () => {};
  return shared;
}

// How long something is waited for: it comes at once, but on a machine that does much else.
const PATIENCE_MS = 60_000;

export const desktop = { viewport: { width: 1100, height: 900 } };
const bar = isFirefox ? 12 : 0; // the width of a scroll bar, which on a phone lies on the page
export const phone = { viewport: { width: 360 + bar, height: 740 }, hasTouch: true };

// A browser at one service. Every page it opens has to be closed with `finish`.
//
// A page in a new context has processes of its own, which cost three times what drawing costs. So one that is finished is emptied, and
// opened again for the next who asks for the same settings; it then remembers nothing but the files that it has fetched. In a program that
// shares its browser, that is also the next file's reader of the same address.
const resting = new Map(); // address -> settings -> pages
export class Reader {
  #contexts = new Set();
  #resting = new Map(); // settings -> pages

  constructor(browser, port, host = '127.0.0.1') {
    this.browser = browser;
    this.origin = `http://${host}:${port}`;
    if (browser !== shared) return;
    if (!resting.has(this.origin)) resting.set(this.origin, this.#resting);
    this.#resting = resting.get(this.origin);
  }

  // Opens an address and waits until it is drawn. `settings`: of the browser's context; with `scripts: false`
  // none of the page's own are loaded, and with `fresh` nothing has been fetched before. `player`: who has signed in there, by name and
  // password. `expected`: a pattern for messages on the console that belong to the test.
  async open(path, { scripts = true, fresh = false, player, ...settings } = {}, expected = null) {
    if (isFirefox && settings.javaScriptEnabled === false) unable('pages without scripts');
    if (isFirefox && settings.colorScheme === 'dark') unable('print and dark colours');
    const full = { locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce', ...desktop, ...settings };
    const { viewport, colorScheme = 'light', ...rest } = full; // which can be changed later
    const kind = JSON.stringify([scripts, rest]);
    const rested = fresh || settings.storageState ? undefined : this.#resting.get(kind)?.pop();
    const page = rested ?? await this.#make(full, scripts);
    this.#contexts.add(page.context());
    page.resting = () => this.#rest(page, kind, full);
    page.faults = [];
    page.expected = expected;
    if (rested !== undefined) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
    } else if (player !== undefined) await page.goto(this.#still);
    if (player !== undefined) await this.#signIn(page, player);
    page.watching = true;
    await page.goto(this.origin + path);
    if (scripts && settings.javaScriptEnabled !== false) await page.waitForSelector('main:not([aria-busy], [data-plain]) h1');
    return page;
  }

  // An address that has no script.
  get #still() {
    return `${this.origin}/static/icon.svg`;
  }

  // As the form does it (people/account.test.mjs, table.test.mjs), in a tenth of its time.
  async #signIn(page, { name, password }) {
    const answer = await page.context().request.post(`${this.origin}/v1/sessions`, { headers: { Origin: this.origin }, data: { name, password } });
    assert.equal(answer.status(), 201, await answer.text());
    const { player } = await answer.json();
    await page.evaluate((text) => localStorage.setItem('tillroll.player', text), JSON.stringify({ id: player.id, name: player.name }));
  }

  async #make(settings, scripts) {
    const context = await this.browser.newContext(settings);
    if (!scripts) await context.route('**/*.js', (route) => route.fulfill({ body: '', contentType: 'text/javascript' }));
    if (!isFirefox) await context.grantPermissions(['clipboard-write']); // which the headless shell has nobody to ask for
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    if (isFirefox) limit(page);
    watch(page, this.origin);
    if (settings.javaScriptEnabled !== false)
      await page.addInitScript(() =>
        document.addEventListener('securitypolicyviolation', (event) =>
          console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)),
      );
    // What cannot be taken back.
    for (const [object, name] of [[page, 'addInitScript'], [context, 'addInitScript'], [page, 'exposeFunction'], [context, 'setOffline'], [context, 'route'], [page, 'route'], [page, 'on']]) {
      const usual = object[name].bind(object);
      object[name] = (...words) => {
        page.changed = true;
        return usual(...words);
      };
    }
    return page;
  }

  // Empties a page that is finished, or ends it.
  async #rest(page, kind, settings) {
    const context = page.context();
    page.watching = false;
    this.#contexts.delete(context);
    if (isFirefox || page.changed || context.pages().length > 1 || settings.storageState) {
      await context.close();
      return;
    }
    await page.goto(this.#still);
    page.session ??= await context.newCDPSession(page);
    await page.session.send('Storage.clearDataForOrigin', { origin: this.origin, storageTypes: 'all' });
    await page.evaluate(() => sessionStorage.clear());
    await context.clearCookies();
    context.setDefaultTimeout(PATIENCE_MS);
    await page.emulateMedia({ media: null, colorScheme: 'light', reducedMotion: settings.reducedMotion, forcedColors: settings.forcedColors ?? 'none', contrast: settings.contrast ?? 'no-preference' });
    if (!this.#resting.has(kind)) this.#resting.set(kind, []);
    this.#resting.get(kind).push(page);
  }

  async close() {
    await Promise.all([...this.#contexts].map((context) => context.close()));
  }
}

// Notes what must not happen, from now on, while somebody is `watching`.
function watch(page, origin) {
  const note = (fault) => {
    if (page.watching) page.faults.push(fault);
  };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !page.expected?.test(message.text())) note(message.text());
  });
  page.on('pageerror', (error) => {
    if (!(isFirefox && error.message.startsWith('error loading dynamically imported module'))) note(error.stack); // as it says when a page is left
  });
  page.on('dialog', (dialog) => {
    note(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) note(`a request to ${request.url()}`);
  });
}

// Ends a page: nothing that must not happen has happened.
export async function finish(page) {
  assert.deepEqual(page.faults, []);
  await page.resting();
}

// How many pages each file of tests has had looked at: what is looked at there depends on no other file, whatever runs in this process. Files
// begin at different turns, so that not only their first pages are.
const looked = new Map();
const tests = new URL('../../', import.meta.url).href;

// The turn of the test file that has called.
function turnOfFile() {
  const usual = Error.stackTraceLimit;
  Error.stackTraceLimit = Infinity;
  const { stack } = new Error();
  Error.stackTraceLimit = usual;
  const file = /^[^\s:)]+\.test\.mjs/.exec(stack.split(tests).slice(1).find((each) => /^[^\s:)]+\.test\.mjs/.test(each)))[0];
  const turn = looked.get(file) ?? [...file].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 12;
  looked.set(file, turn + 1);
  return turn;
}

// What axe finds, as sentences. `rules`: only these. A page costs it a second. So each day it looks at every sixth page of a file, and at every
// twelfth for colours that do not contrast; in the long run, and with TILLROLL_AXE=all, at all. Style sheets are not read anew: only a rule that
// is off by default needs them, and those of a shadow root would be put into it as inline ones.
export async function violations(page, rules = null) {
  const turn = isLong || process.env.TILLROLL_AXE === 'all' || rules !== null ? 0 : turnOfFile();
  if (turn % 6 !== 0) return [];
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(axeSource);
  const contrast = turn % 12 === 0;
  const found = await page.evaluate(([only, enabled]) => window.axe.run(document, { resultTypes: ['violations'], preload: false,
    ...(only ? { runOnly: { type: 'rule', values: only } } : { rules: { 'color-contrast': { enabled } } }) }), [rules, contrast]);
  return found.violations.map((each) => `${each.impact} ${each.id}: ${each.nodes.map((node) => node.html).slice(0, 3).join(' ')}`);
}

// The text of each element, as it stands in the document.
export const texts = (page, selector) => page.locator(selector).allTextContents();

// The cells of a table's visible rows, as they are shown.
export const rows = (page, selector) =>
  page.locator(`${selector} tbody tr.row`).evaluateAll((all) =>
    all.map((row) => [...row.cells].map((cell) => cell.innerText.replace(/\s+/g, ' ').trim())),
  );

export const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
