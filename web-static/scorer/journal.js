// A recording as a scorer's browser keeps it: every entry is stored here before anything else happens with it, and sent when the
// service can be reached. Entries have numbers, and the service passes over those that it has, so whatever has no answer is sent again.

const atOnce = 200; // entries in a request

// { header, entries } of a record so far, as scorer.wasm takes them: without marks, results and head, which follow by themselves.
export function partsOf(record) {
  const lines = record.trimEnd().split("\n");
  const header = lines.findIndex((line) => line.startsWith("start ")) + 1;
  const isEntry = (line) => !line.startsWith("head ") && !/^\d+ - \d+ result /.test(line);
  return { header: lines.slice(0, header).join("\n"), entries: lines.slice(header).filter(isEntry).map((line) => line.slice(0, -" #01234567".length)) };
}

export class Journal {
  #storage;
  #key;
  #sending = null;

  // `storage`: as localStorage. `kept`: { id, header, startedAt, entries, sent }, or null.
  constructor(storage, key) {
    this.#storage = storage;
    this.#key = key;
    this.kept = null;
    this.fault = null; // a Problem with which the service has refused: sending again does not help
    try {
      this.kept = JSON.parse(storage.getItem(key));
    } catch {
      this.kept = null; // not ours
    }
  }

  #keep() {
    this.#storage.setItem(this.#key, JSON.stringify(this.kept));
  }

  // Begins with what the service knows of the recording: an answer of POST .../recordings or GET /v1/recordings/{id}.
  begin({ id, record, started_at: startedAt }) {
    const { header, entries } = partsOf(record);
    this.kept = { id, header, startedAt, entries, sent: entries.length };
    this.fault = null;
    this.#keep();
  }

  forget() {
    this.kept = null;
    this.#storage.removeItem(this.#key);
  }

  // Stored when this returns.
  add(entries) {
    this.kept.entries.push(...entries);
    this.#keep();
  }

  get unsent() {
    return this.kept === null ? 0 : this.kept.entries.length - this.kept.sent;
  }

  // Sends what is not known to have arrived; `send` is lib/common.js's. Resolves with true if all has. A second call waits for the first.
  async sync(send) {
    this.#sending ??= this.#sendAll(send).finally(() => { this.#sending = null; });
    return this.#sending;
  }

  async #sendAll(send) {
    while (this.fault === null && this.unsent > 0) {
      const { id, sent, entries } = this.kept;
      const part = entries.slice(sent, sent + atOnce);
      try {
        await send("POST", `/v1/recordings/${id}/entries`, { entries: part });
        this.kept.sent = sent + part.length;
        this.#keep();
      } catch (problem) {
        if (problem.passes) return false;
        if (problem.code !== "entries-missing") this.fault = problem;
        else this.kept.sent = problem.document.rows; // it has fewer than we thought
        this.#keep();
      }
    }
    return this.unsent === 0;
  }
}
