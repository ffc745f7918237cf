// Makes the pictures that others show beside a link to a page: one for each game, one for all other pages.
//
//     node tests/web/event/sharing_images.mjs      writes web-static/emblems/*.png
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { launch } from '../support/browser.mjs';

const folder = fileURLToPath(new URL('../../../web-static/emblems', import.meta.url));
const colours = { 'shinjuku': '#b92d26', 'superstore-3000': '#1f5fbf', 'super-motherload': '#8a5a00', 'mall-world': '#6d3aa6', 'supermarche': '#1b7340', 'tillroll': '#8a2f1d' };

const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
for (const [name, colour] of Object.entries(colours)) {
  const isGame = readdirSync(folder).includes(`${name}.svg`);
  const picture = readFileSync(isGame ? path.join(folder, `${name}.svg`) : path.join(folder, '../icon.svg'), 'utf8').replace('stroke="#000"', 'stroke="#fff"');
  await page.setContent(`<style>body { margin: 0; height: 630px; display: grid; place-items: center; background: ${colour}; } svg { width: 400px; height: 400px; }
    p { position: absolute; left: 64px; bottom: 40px; margin: 0; color: #fff; font: 700 56px sans-serif; }</style>${picture}<p>Tillroll</p>`);
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
}
await browser.close();
