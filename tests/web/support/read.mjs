// What most tests of pages begin with: a service with people, as tests of the service have it, and a browser that reads its pages.
import { after, before } from 'node:test';

import { bed, begin, client } from '../../api/support/served.mjs';
import { launch, Reader } from './browser.mjs';

export { bed, client, organizer, players } from '../../api/support/served.mjs';
export let browser;
export let reader;

// Begins before the file's tests, with so many players, and ends after them. `more` comes last before the tests: hooks of a file
// are not awaited one after another.
export function read(wanted, more = () => {}) {
  before(async () => {
    [browser] = await Promise.all([launch(), begin(wanted)]);
    reader = new Reader(browser, client.port);
    await more();
  });
  after(async () => {
    await reader?.close();
    await browser?.close();
    await bed?.end();
  });
}
