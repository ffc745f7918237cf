// tests/screenshots
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

process.env.TILLROLL_BUILD ??= process.argv[2] ?? fileURLToPath(new URL('../../build/release', import.meta.url));
const { good } = await import('../api/support/client.mjs');
const { endQuietly, makeEvent, makePlayer, makeNamed, playRandomly, Random, startRound } = { ...(await import('../api/support/play.mjs')), ...(await import('./support/world.mjs')) };
const { Testbed } = await import('../api/support/testbed.mjs');
const { finish, launch, Reader } = await import('./support/browser.mjs');
const { signIn } = await import('./support/table.mjs');

const folder = fileURLToPath(new URL('../../web-static/docs', import.meta.url));
const names = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Femi', 'Gül', 'Hana'];
const random = new Random('screenshots');

const bed = new Testbed();
const { client } = await bed.startService();
const browser = await launch();
const reader = new Reader(browser, client.port);

// An event at tables of four: two rounds are over, the third goes on.
const organizer = await makePlayer(client, 'Olga');
const players = await Promise.all(names.map((name) => makeNamed(client, name)));
const event = await makeEvent(client, organizer, players, { name: 'Club night', seats_min: 4, rounds: 3 });
async function round(plies, end) {
  const made = await startRound(client, event, organizer, players);
  for (const game of made.games) {
    await playRandomly(client, game, random, { plies });
    if (end) await endQuietly(client, game, organizer);
  }
  return made;
}
const first = await round(90, true);
await round(70, true);
const running = await round(46, false);

// A picture as WebP, which is a quarter as large: the browser makes it.
async function small(png) {
  const page = await browser.newPage();
  const address = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.6);
  }, `data:image/png;base64,${png.toString('base64')}`);
  await page.close();
  return Buffer.from(address.split(',')[1], 'base64');
}

async function shoot(page, name, { width = 980, height = 640 } = {}) {
  await page.setViewportSize({ width, height });
  await page.waitForTimeout(400); // what moves has come to rest
  writeFileSync(path.join(folder, `${name}.webp`), await small(await page.screenshot()));
  await finish(page);
}

const mover = running.games[0].players[good(await client.get(`/v1/games/${running.games[0].id}`)).deciders[0]];
await shoot(await signIn(reader, mover, `/games/${running.games[0].id}`), 'game', { width: 1180, height: 800 });
await shoot(await signIn(reader, organizer, `/events/${event.id}/manage`), 'manage', { height: 700 });
await shoot(await reader.open(`/events/${event.id}`), 'standings', { height: 620 });
const proof = await reader.open(`/games/${first.games[0].id}/verify`);
await proof.waitForSelector('.checks li:nth-child(6)');
await shoot(proof, 'verify', { height: 620 });

await reader.close();
await browser.close();
await bed.end();
