// Whether what a player has to click can be clicked: on a desk without scrolling, on a phone by scrolling no more than the list of what can
// be chosen, or the board beneath it.
import assert from 'node:assert/strict';

export const desk = { width: 1440, height: 900 };
export const laptop = { width: 1280, height: 720 };
export const pocket = { width: 360, height: 740 };

const patience = 300_000; // for news of a decision, on a machine that does much else

// Sizes the page, which then stands as it does when a turn begins.
export async function resize(page, size) {
  await page.setViewportSize(size);
  await page.evaluate(() => document.getElementById('table').scrollIntoView({ block: 'start' }));
}

// The names of things that cannot be clicked. `isBoardScrolled`: the page may be scrolled for what is on the board.
export const outOfReach = (page, isBoardScrolled) => page.evaluate((scrolls) => {
  const root = document.getElementById('table');
  const nameOf = (each) => each.dataset.label ?? each.dataset.token ?? each.textContent;
  // A shape's box within its drawing, which cuts off the rest.
  const boxOf = (each) => {
    let drawing = each;
    while (drawing.ownerSVGElement) drawing = drawing.ownerSVGElement;
    const [box, frame] = [each, drawing].map((one) => one.getBoundingClientRect());
    return { left: Math.max(box.left, frame.left), top: Math.max(box.top, frame.top), right: Math.min(box.right, frame.right), bottom: Math.min(box.bottom, frame.bottom) };
  };
  const isInside = (each) => {
    const { left, top, right, bottom } = boxOf(each);
    return left > -1 && top > -1 && right < innerWidth + 1 && bottom < innerHeight + 1;
  };
  // Scrolls what an element lies in, but not the page.
  const scrollTo = (each) => {
    for (let around = each.parentElement; around !== root; around = around.parentElement) {
      if (around.scrollHeight <= around.clientHeight || !['auto', 'scroll'].includes(getComputedStyle(around).overflowY)) continue;
      const { top, bottom } = each.getBoundingClientRect();
      const box = around.getBoundingClientRect();
      if (top < box.top) around.scrollTop -= box.top - top + 4;
      else if (bottom > box.bottom) around.scrollTop += bottom - box.bottom + 4;
    }
  };
  const isHit = (each, part) => {
    const { left, right, top, bottom } = boxOf(each);
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return hit !== null && (each.contains(hit) || (part !== null && hit.closest(part) !== null));
  };
  const isReached = (each) => {
    scrollTo(each);
    return isInside(each) && isHit(each, null);
  };
  const isOnBoard = (each) => {
    if (scrolls) each.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    return isInside(each) && isHit(each, '.board');
  };
  const buttons = [...root.querySelectorAll('.choices button, .ready button, .play [data-do="step-back"]')].filter((each) => !isReached(each));
  const things = [...root.querySelectorAll('.board .can, .board .picked')].filter((each) => !isOnBoard(each));
  return [...buttons, ...things].map(nameOf);
}, isBoardScrolled);

// Waits until the page shows the decision after line `seq`.
export const atDecision = (page, seq) => page.waitForFunction((last) => {
  const slider = document.querySelector('#ply');
  return slider !== null && Number(slider.max) === last && document.querySelector('.play[data-turn] :is(.choices, .ready)') !== null;
}, seq, { timeout: patience });

// Clicks on what can be chosen beside the board until a move could be sent; nothing is out of reach on the way.
export async function chooses(page, isBoardScrolled, random, what) {
  for (let steps = 0; ; steps++) {
    assert.ok(steps < 60, what);
    assert.deepEqual(await outOfReach(page, isBoardScrolled), [], what);
    const [count, isReady] = await page.evaluate(() => [document.querySelectorAll('.choices button').length, document.querySelector('.ready [data-do="send"]') !== null]);
    if (count === 0 || (isReady && random.below(2) === 0)) break;
    await page.evaluate((i) => document.querySelectorAll('.choices button')[i].click(), random.below(count));
  }
  await page.evaluate(() => document.querySelector('[data-do="clear"]')?.click());
}
