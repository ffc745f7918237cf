// Chromium, and pages that note everything that must not happen: errors on the console, breaches of the
// content security policy, requests to anywhere but the service.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { chromium } from 'playwright-core';

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
];

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Each launch has a profile of its own that goes away with it.
export const launch = () => chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', headless: true, args: flags });

export const desktop = { viewport: { width: 1100, height: 900 } };
export const phone = { viewport: { width: 360, height: 740 }, hasTouch: true };

// A browser at one service. Every page it opens has to be closed with `finish`.
export class Reader {
  #contexts = [];

  constructor(browser, port) {
    this.browser = browser;
    this.origin = `http://127.0.0.1:${port}`;
  }

  // Opens an address and waits until it is drawn. `settings`: of the browser's context; with `scripts: false`
  // none of the page's own are loaded. `expected`: a pattern for messages on the console that belong to the test.
  async open(path, { scripts = true, ...settings } = {}, expected = null) {
    const context = await this.browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...desktop, ...settings });
    if (!scripts) await context.route('**/*.js', (route) => route.fulfill({ body: '', contentType: 'text/javascript' }));
    this.#contexts.push(context);
    await context.grantPermissions(['clipboard-write']); // which the headless shell has nobody to ask for
    context.setDefaultTimeout(10000);
    const page = await context.newPage();
    const faults = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !expected?.test(message.text())) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.stack));
    page.on('dialog', (dialog) => {
      faults.push(`a dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${this.origin}/`)) faults.push(`a request to ${request.url()}`);
    });
    if (settings.javaScriptEnabled !== false)
      await page.addInitScript(() =>
        document.addEventListener('securitypolicyviolation', (event) =>
          console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)),
      );
    page.faults = faults;
    await page.goto(this.origin + path);
    if (scripts && settings.javaScriptEnabled !== false) await page.waitForSelector('main:not([aria-busy], [data-plain]) h1');
    return page;
  }

  async close() {
    for (const context of this.#contexts) await context.close();
  }
}

// Ends a page: nothing that must not happen has happened.
export async function finish(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

// What axe finds, as sentences. `rules`: only these.
export async function violations(page, rules = null) {
  await page.evaluate(axeSource);
  const found = await page.evaluate((only) =>
    window.axe.run(document, { resultTypes: ['violations'], ...(only && { runOnly: { type: 'rule', values: only } }) }), rules);
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
