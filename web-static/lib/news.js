// News of a game or an event from its stream (server-sent events), read only while the page is visible, because browsers
// limit connections. Without a stream, the page polls.
//
// EventSource is not used: it cannot start at a given message, and reconnects when the stream is over.

export class News {
  #path;
  #last = 0; // the number of the last message
  #reader = null;
  #asking = null; // ends the request
  #text = ""; // the incomplete part of a message
  #decoder = new TextDecoder();

  constructor(path) {
    this.#path = path;
  }

  // Resolves when something has happened after message `after`; without a stream, after about `ms`.
  async next(after, ms) {
    this.#last = Math.max(this.#last, after);
    const leave = () => {
      if (document.visibilityState !== "visible") this.close();
    };
    document.addEventListener("visibilitychange", leave);
    try {
      if (document.visibilityState === "visible" && (await this.#heard())) return;
    } catch {
      // Treated as the end.
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

  // Only the numbers matter: the content is read from the documents.
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

// Waits, longer while the page is hidden.
export async function pause(ms) {
  await new Promise((resolve) => setTimeout(resolve, ms));
  while (document.visibilityState !== "visible") {
    await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
  }
}
