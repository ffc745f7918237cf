// WebKit, the engine of Safari: a window of WebKitGTK (window.js) on a screen of its own that nobody sees.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('window.js', import.meta.url));

export class WebKit {
  #screen;
  #window;
  #lines;

  // At one service; ended with `end`.
  static async open(origin) {
    const webkit = new WebKit();
    webkit.#screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    const [number] = await once(webkit.#screen.stdio[3], 'data');
    const settings = { DISPLAY: `:${String(number).trim()}`, GDK_BACKEND: 'x11', LIBGL_ALWAYS_SOFTWARE: '1', NO_AT_BRIDGE: '1', WEBKIT_DISABLE_DMABUF_RENDERER: '1' };
    webkit.#window = spawn('gjs', ['-m', program, origin], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...settings } });
    webkit.#lines = createInterface({ input: webkit.#window.stdout })[Symbol.asyncIterator]();
    return webkit;
  }

  async #do(command, words = {}) {
    this.#window.stdin.write(`${JSON.stringify({ command, ...words })}\n`);
    const { value: line, done } = await this.#lines.next();
    if (done) throw new Error('the window of WebKit has ended');
    const { value, error } = JSON.parse(line);
    if (error !== undefined) throw new Error(`${error}: ${words.script ?? command}`);
    return value;
  }

  // Opens an address, and waits until it is drawn.
  async go(path) {
    await this.#do('go', { path });
    await this.until('document.querySelector("main:not([aria-busy], [data-plain]) h1, .embedded main > *")');
  }

  // What an expression in the page is, which is waited for, as JSON has it.
  async read(expression) {
    return JSON.parse(await this.#do('run', { script: `return JSON.stringify(await (${expression}) ?? null);` }));
  }

  async until(expression, seconds = 60) {
    const end = Date.now() + seconds * 1000;
    // (A page that another is taking the place of does not answer.)
    while (!await this.read(`!!(${expression})`).catch(() => false)) {
      if (Date.now() > end) throw new Error(`never: ${expression}`);
      await pause(50);
    }
  }

  // Has an element do something as soon as it is there: an expression for it, and a call of a method of it.
  async act(element, call) {
    await this.until(element);
    await this.read(`(${element}).${call} ?? null`);
  }

  // Clicks on what is first of a selector.
  click(selector) {
    return this.act(`document.querySelector(${JSON.stringify(selector)})`, 'click()');
  }

  // Writes into a field, or chooses in it.
  async write(selector, text) {
    const field = `document.querySelector(${JSON.stringify(selector)})`;
    await this.until(field);
    await this.read(`(field => { field.value = ${JSON.stringify(text)}; for (const each of ['input', 'change']) field.dispatchEvent(new Event(each, { bubbles: true })); })(${field})`);
  }

  look({ width = 1100, height = 900, dark = false } = {}) {
    return this.#do('look', { width, height, dark });
  }

  // What must not have happened, since this was asked the last time.
  faults() {
    return this.#do('faults');
  }

  version() {
    return this.#do('version');
  }

  // Writes a picture of the page, as a PNG file; `whole`: also what one would have to scroll to.
  picture(file, whole = false) {
    return this.#do('picture', { file, whole });
  }

  async end() {
    this.#window.stdin.end();
    await once(this.#window, 'close');
    this.#screen.kill();
  }
}
