// How long a browser with an empty cache waits until a page first shows something (first contentful paint): the pages that
// strangers see first.
import { firstRender } from '../first_render.mjs';
import { heading, row } from '../table.mjs';
import { fillPages } from './pages.mjs';

export async function render(bed) {
  heading('First render, in Chromium with an empty cache');
  const { game } = await fillPages(bed);
  const event = await bed.fill('event', '--ruleset', 'shinjuku', '--seats', 4, '--count', 24, '--rounds', 5);
  const service = await bed.serve();
  const pages = [['home', '/'], ["an event's page of 24 entries", `/events/${event}`], ["a running game's page", `/games/${game}`],
    ['the leaderboard', '/leaderboard'], ['a page of the documentation', '/docs/explanation/architecture']];
  for (const [what, target] of pages) {
    const { kib, answers, first_ms, drawn_ms } = await firstRender(`http://127.0.0.1:${service.client.port}${target}`);
    row(what, first_ms, 'ms', { atLeast: 1000, less: true }, [`${answers} answers, ${Math.round(kib)} KiB; until its script is done ${Math.round(drawn_ms)} ms`]);
  }
  await service.end();
}
