// Players at the table of a game.
import { password } from '../../api/support/play.mjs';

// A page of a game at which a player has signed in, drawn.
export async function signIn(reader, player, path, settings = {}, expected = null) {
  const page = await reader.open(path, { ...settings, player: { name: player.name, password } }, expected);
  if (path.startsWith('/games/')) await page.waitForSelector('.board > *');
  return page;
}

// Clicks, inside the page and without waiting for more than it has to, on whatever can be chosen until the game is
// over: a thing on the board where there is one, a word of the list beside it, and what is then ready to be sent.
// `seed`: of the choice. After `lively` moves the first word is always taken, by which turns and the game end soon.
export const clickOn = (page, seed, lively) =>
  page.evaluate(async ([start, many]) => {
    let state = start;
    let sent = 0;
    const below = (n) => {
      state = (state * 48271) % 2147483647;
      return state % n;
    };
    const root = document.getElementById('table');
    const changed = () => new Promise((resolve) => {
      const observer = new MutationObserver(() => { observer.disconnect(); resolve(); });
      observer.observe(document.getElementById('main'), { subtree: true, childList: true, attributes: true, characterData: true });
    });
    while (document.querySelector('main .badge')?.textContent === 'running') {
      const waiting = changed();
      const ready = root.querySelector('.ready button');
      const things = [...root.querySelectorAll('.board .can')];
      const words = [...root.querySelectorAll('.choices button')];
      const list = things.length > 0 && (words.length === 0 || (sent < many && below(2) === 0)) ? things : words;
      const target = ready ?? list[sent < many ? below(Math.max(list.length, 1)) : 0];
      if (ready !== null) sent++;
      target?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
      await waiting;
    }
  }, [seed, lively]);

// Plays on in the page until the game is over, by nothing but the board and the button that sends what is ready. What
// could be sent is sometimes made longer first. `often`: a selector of things that are taken rather than others, mostly.
export const clickBoard = (page, seed, often = null) =>
  page.evaluate(async ([start, selector]) => {
    let state = start;
    const below = (n) => {
      state = (state * 48271) % 2147483647;
      return state % n;
    };
    const root = document.getElementById('table');
    const changed = () => new Promise((resolve) => {
      const observer = new MutationObserver(() => { observer.disconnect(); resolve(); });
      observer.observe(document.getElementById('main'), { subtree: true, childList: true, attributes: true, characterData: true });
    });
    while (document.querySelector('main .badge')?.textContent === 'running') {
      const waiting = changed();
      const ready = root.querySelector('.ready button');
      const things = [...root.querySelectorAll('.board .can')];
      const first = selector === null ? [] : things.filter((each) => each.matches(selector));
      const list = first.length > 0 && below(4) > 0 ? first : things;
      const target = ready !== null && (things.length === 0 || below(2) === 0) ? ready : list[below(Math.max(list.length, 1))];
      target?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
      await waiting;
    }
  }, [seed, often]);

// The legal moves that cannot be put together on the board of this page, out of at most `many`, and how many were tried.
export const missing = (page, moves, many = 60) =>
  page.evaluate(async ([legal, most]) => {
    const { Choice, pickOf } = await import('/static/lib/choice.js');
    const picks = [...document.querySelectorAll('.board [data-token]')].map(pickOf);
    const step = Math.max(Math.floor(legal.length / most), 1);
    const tried = legal.filter((_, i) => i % step === 0);
    const without = tried.filter((move) => {
      const choice = new Choice(legal);
      const alone = new Choice([move]);
      for (const pick of picks) {
        if (!alone.can(pick) || !choice.can(pick)) continue;
        alone.pick(pick);
        choice.pick(pick);
      }
      return choice.ready !== move;
    });
    return { without, tried: tried.length };
  }, [moves, many]);
