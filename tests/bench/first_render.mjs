// What a browser fetches of a page, and when it first shows something of it.
import { launch } from '../web/support/browser.mjs';
import { median } from './table.mjs';

// One visit with an empty cache: { kib, answers, first_ms, drawn_ms }. First: the first contentful paint; drawn: the script
// is done as well. Times count from when the page was asked for.
async function visit(browser, address, locale) {
  const context = await browser.newContext({ locale });
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  const lengths = [];
  network.on('Network.loadingFinished', ({ encodedDataLength }) => lengths.push(encodedDataLength));
  await network.send('Network.enable');
  await page.goto(address);
  await page.waitForSelector('main:not([aria-busy], [data-plain]) h1');
  const times = await page.evaluate(() => ({
    first_ms: performance.getEntriesByName('first-contentful-paint')[0].startTime, drawn_ms: performance.now() }));
  await context.close();
  return { kib: lengths.reduce((sum, each) => sum + each, 0) / 1024, answers: lengths.length, ...times };
}

// Medians of several visits by a reader of that language.
export async function firstRender(address, { locale = 'en-GB', visits = 5 } = {}) {
  const browser = await launch();
  const all = [];
  try {
    for (let i = 0; i < visits; i++) all.push(await visit(browser, address, locale));
  } finally {
    await browser.close();
  }
  const of = (name) => median(all.map((each) => each[name]));
  return { kib: of('kib'), answers: of('answers'), first_ms: of('first_ms'), drawn_ms: of('drawn_ms') };
}
