// News of a game or an event, by its stream (server-sent events), which is read as long as somebody looks
// at the page: a browser has few connections to spare. Where the stream cannot be had, time goes by instead.
//
// EventSource is not used: it cannot say where to begin, and comes again when nothing is left to tell.

export class News {
  #path;
  #last = 0; // the number of the last message
  #reader = null;
  #asking = null; // ends the request
  #text = ""; // of a message that is not whole yet
  #decoder = new TextDecoder();

  constructor(path) {
    this.#path = path;
  }

  // Resolves when something has happened after message `after`; without a stream, after `ms` or so.
  async next(after, ms) {
    this.#last = Math.max(this.#last, after);
    const leave = () => {
      if (document.visibilityState !== "visible") this.close();
    };
    document.addEventListener("visibilitychange", leave);
    try {
      if (document.visibilityState === "visible" && (await this.#heard())) return;
    } catch {
      // As good as an end.
    } finally {
      document.removeEventListener("visibilitychange", leave);
    }
    this.close();
    await pause(ms);
  }

  close() {
    this.#asking?.abort();
    this.#asking = this.#reader = null;
    this.#text = "";
  }

  // True when there is something new, false at the end of the stream.
  async #heard() {
    const from = this.#last;
    if (this.#reader === null) {
      this.#asking = new AbortController();
      this.#reader = await open(this.#path, from, this.#asking.signal);
    }
    while (this.#last === from) {
      if (this.#reader === null) return false;
      const { done, value } = await this.#reader.read();
      if (done) return false;
      this.#take(this.#decoder.decode(value, { stream: true }));
    }
    return true;
  }

  // Only numbers count: what has happened is read where it stands.
  #take(text) {
    this.#text += text;
    const whole = this.#text.lastIndexOf("\n\n");
    for (const [, number] of this.#text.slice(0, Math.max(whole, 0)).matchAll(/^id: (\d+)$/gm)) this.#last = Math.max(this.#last, Number(number));
    this.#text = this.#text.slice(whole < 0 ? 0 : whole + 2);
  }
}

async function open(path, after, signal) {
  const answer = await fetch(path, { headers: { "Last-Event-ID": String(after) }, cache: "no-store", signal });
  if (answer.status !== 200) throw new Error(`no stream: ${answer.status}`);
  return answer.body.getReader();
}

// Waits, and longer while nobody looks at the page.
export async function pause(ms) {
  await new Promise((resolve) => setTimeout(resolve, ms));
  while (document.visibilityState !== "visible") {
    await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
  }
}
