// An HTTP client whose every answer is held against api/openapi/.
import http from 'node:http';
import { gunzipSync } from 'node:zlib';

import { check } from './contract.mjs';

// The service closes a connection that nothing came over for 30 s. While this program waits for another one, it does not
// see that: what it sent then would be lost, and what is no GET cannot be sent again.
const IDLE_MS = 15_000;

export class Client {
  port;
  described = true;
  #host;
  #agent = new http.Agent({ keepAlive: true, maxSockets: 128, timeout: 20_000 });
  #used = 0;

  constructor(port, host = '127.0.0.1') {
    this.port = port;
    this.#host = host;
  }

  // `token`: of a player. `json`: a body to be written as JSON; `body`: bytes as they are.
  // `unchecked`: for what openapi.json leaves out; `described`: false for a service of another release. Resolves with status, headers, bytes, text, json.
  async request(method, target, { token, json, body, headers = {}, unchecked = false } = {}) {
    // As bytes: beside a text, node would write the header in the text's encoding.
    const content = json === undefined ? body : JSON.stringify(json);
    const bytes = content === undefined ? undefined : Buffer.from(content);
    const fields = { ...headers };
    if (bytes !== undefined) {
      fields['Content-Type'] ??= 'application/json';
      fields['Content-Length'] ??= bytes.length;
    }
    if (token !== undefined) fields.Authorization = `Bearer ${token}`;
    const answer = await this.#send(method, target, fields, bytes);
    if (this.described && !unchecked) check({ method, path: target.split('?')[0], json }, answer);
    return answer;
  }

  #dropIdle() {
    if (Date.now() - this.#used > IDLE_MS) Object.values(this.#agent.freeSockets).flat().forEach((socket) => socket.destroy());
    this.#used = Date.now();
  }

  #send(method, target, headers, bytes) {
    this.#dropIdle();
    return new Promise((resolve, reject) => {
      const request = http.request(
        { host: this.#host, port: this.port, agent: this.#agent, method, path: target, headers },
        (response) => {
          const parts = [];
          // This client reads only the head of a stream; see stream.mjs.
          if (response.headers['content-type'] === 'text/event-stream' && method !== 'HEAD') {
            resolve(read(response, Buffer.alloc(0)));
            request.destroy();
            return;
          }
          response.on('error', reject);
          response.on('data', (part) => parts.push(part));
          response.on('end', () => resolve(read(response, Buffer.concat(parts))));
        },
      );
      // The service closes a connection that has been idle for long; this side may not have seen it yet.
      request.on('error', (error) => {
        const wasClosed = request.reusedSocket && error.code === 'ECONNRESET' && method === 'GET';
        if (wasClosed) resolve(this.#send(method, target, headers, bytes));
        else reject(error);
      });
      request.end(bytes);
    });
  }

  get(target, options) {
    return this.request('GET', target, options);
  }

  post(target, json, token, headers) {
    return this.request('POST', target, { json, token, headers });
  }

  delete(target, token, headers) {
    return this.request('DELETE', target, { token, headers });
  }

  close() {
    this.#agent.destroy();
  }
}

// `bytes` are as they came; `text` is what they say.
function read(response, bytes) {
  const packed = response.headers['content-encoding'] === 'gzip' && bytes.length > 0;
  const text = (packed ? gunzipSync(bytes) : bytes).toString('utf8');
  const isJson = /[/+]json$/.test(response.headers['content-type']) && bytes.length > 0;
  return {
    status: response.statusCode,
    headers: response.headers,
    rawHeaders: response.rawHeaders,
    bytes,
    text,
    // Read when it is wanted: what is compared as text is not.
    get json() {
      const value = isJson ? JSON.parse(text) : undefined;
      Object.defineProperty(this, 'json', { value, enumerable: true, writable: true });
      return value;
    },
  };
}

// The document of an answer that must be a success; its body says what went wrong if it is not.
export function good(answer) {
  if (answer.status >= 300) throw new Error(`status ${answer.status}: ${answer.text}`);
  return answer.json;
}
