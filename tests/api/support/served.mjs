// What most tests of the service begin with: a service for the file's tests, an organizer and players.
import { after, before } from 'node:test';

import { makePlayer, makePlayers } from './play.mjs';
import { Testbed } from './testbed.mjs';

export let bed;
export let client;
export let organizer;
export let players;

export async function begin({ players: count = 0 } = {}) {
  bed = new Testbed();
  ({ client } = await bed.startService());
  organizer = await makePlayer(client, 'Organizer');
  players = await makePlayers(client, count);
}

// Begins before the file's tests, with so many players, and ends after them. `more` comes last before the tests: hooks of a file
// are not awaited one after another.
export function serve(wanted, more = () => {}) {
  before(async () => {
    await begin(wanted);
    await more();
  });
  after(() => bed?.end());
}
