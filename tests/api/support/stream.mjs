// Reads streams of server-sent events, and holds every message against api/openapi/.
import assert from 'node:assert/strict';
import http from 'node:http';

import { check, messageSchema, validate } from './contract.mjs';
import { within } from './waiting.mjs';

export class Stream {
  text = ''; // every byte but comments
  comments = 0;
  messages = []; // { id, event, data }; id null where there is none
  end = null; // 'whole' or 'broken', when it has ended
  #rest = '';
  #lookers = new Set();

  // Opens a stream. `after`: Last-Event-ID. Resolves when the head is there; of a refusal `status`,
  // `headers` and, when it has ended, `json` are set.
  static open(client, target, { token, after, headers = {}, localAddress, method = 'GET' } = {}) {
    const stream = new Stream();
    const fields = { ...headers };
    if (token !== undefined) fields.Authorization = `Bearer ${token}`;
    if (after !== undefined) fields['Last-Event-ID'] = String(after);
    stream.target = target;
    const answered = new Promise((resolve, reject) => {
      stream.request = http.request(
        { host: '127.0.0.1', port: client.port, method, path: target, headers: fields, localAddress, agent: false },
        (response) => resolve(stream.#take(response)),
      );
      stream.request.on('error', reject);
      stream.request.end();
    });
    return within(20, `the head of ${target}`, answered);
  }

  #take(response) {
    this.response = response;
    this.status = response.statusCode;
    this.headers = response.headers;
    this.flows = this.headers['content-type'] === 'text/event-stream';
    response.setEncoding('utf8');
    response.on('data', (part) => this.#read(part));
    response.on('end', () => this.#finish('whole'));
    response.on('error', () => this.#finish('broken'));
    response.on('close', () => this.#finish('broken'));
    return this;
  }

  #finish(end) {
    if (this.end !== null) return;
    this.end = end;
    const json = this.headers['content-type']?.endsWith('json') && this.text !== '' ? JSON.parse(this.text) : undefined;
    this.json = json;
    check({ method: this.request.method, path: this.target }, { status: this.status, headers: this.headers, text: this.text, json });
    this.#look();
  }

  #read(part) {
    if (!this.flows) {
      this.text += part;
      return;
    }
    this.#rest += part;
    for (let at = this.#rest.indexOf('\n\n'); at >= 0; at = this.#rest.indexOf('\n\n')) {
      this.#message(this.#rest.slice(0, at + 2));
      this.#rest = this.#rest.slice(at + 2);
    }
    this.#look();
  }

  #message(text) {
    if (text === ':\n\n') {
      this.comments++;
      return;
    }
    this.text += text;
    const found = /^(?:id: (\d+)\n)?event: (\w+)\ndata: ([^\n]*)\n\n$/.exec(text);
    assert.ok(found, `not a message: ${JSON.stringify(text)}`);
    const [, id = null, event, json] = found;
    const data = JSON.parse(json);
    validate(messageSchema(this.target, event), data, `${this.target} ${event}`);
    this.messages.push({ id: id === null ? null : Number(id), event, data });
  }

  #look() {
    for (const each of this.#lookers) each();
  }

  get last() {
    return this.messages.at(-1)?.id ?? 0;
  }

  // Waits until `found` is true of it.
  until(found, what = 'a message', seconds = 20) {
    return within(seconds, `${what} on ${this.target}`, new Promise((resolve) => {
      const look = () => {
        if (!found(this)) return;
        this.#lookers.delete(look);
        resolve(this);
      };
      this.#lookers.add(look);
      look();
    }));
  }

  // Waits for the message with this id.
  reached(id) {
    return this.until(() => this.last >= id || this.end !== null, `message ${id}`).then(() => {
      assert.ok(this.last >= id, `${this.target} ended (${this.end}) at ${this.last}, before ${id}`);
      return this;
    });
  }

  ended(seconds) {
    return this.until(() => this.end !== null, 'the end', seconds);
  }

  close() {
    this.request.destroy();
  }
}
