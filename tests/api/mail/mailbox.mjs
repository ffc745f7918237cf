// An SMTP server of the tests' own, on a free port of this machine, that keeps the mails that it is given.
import { once } from 'node:events';
import net from 'node:net';

import { undoInTheEnd } from '../support/testbed.mjs';
import { until } from '../support/waiting.mjs';

// Quoted-printable (RFC 2045 section 6.7) of UTF-8, as text.
const decoded = (body) => Buffer.from(body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))), 'latin1').toString('utf8');

// Encoded words (RFC 2047) in base 64.
const decodedWords = (value) => value.replace(/\?=\s+=\?/g, '?==?').replace(/=\?UTF-8\?B\?([^?]*)\?=/g, (_, base64) => Buffer.from(base64, 'base64').toString('utf8'));

// A mail, as a mail program reads it: `headers` by lower-case names, each once; `text`.
function read(raw, envelope) {
  const [head, ...rest] = raw.split('\r\n\r\n');
  const headers = {};
  for (const line of head.replace(/\r\n[ \t]/g, ' ').split('\r\n')) {
    const [, name, value] = /^([A-Za-z-]+): (.*)$/.exec(line);
    if (name.toLowerCase() in headers) throw new Error(`${name} twice`);
    headers[name.toLowerCase()] = decodedWords(value);
  }
  const boundary = /^multipart\/alternative; boundary="(.*)"$/.exec(headers['content-type'])?.[1];
  const textOf = (body) => decoded(body).replaceAll('\r\n', '\n');
  if (boundary === undefined) return { ...envelope, raw, headers, text: textOf(rest.join('\r\n\r\n')) };
  const parts = `\r\n${rest.join('\r\n\r\n')}`.split(`\r\n--${boundary}`).slice(1, -1).map((part) => part.replace(/^\r\n/, '').split('\r\n\r\n'));
  const part = (type) => textOf(parts.find(([partHead]) => partHead.includes(`Content-Type: ${type};`)).slice(1).join('\r\n\r\n'));
  return { ...envelope, raw, headers, text: part('text/plain'), html: part('text/html') };
}

export class Mailbox {
  mails = [];
  tries = 0; // connections
  signedIn = []; // what AUTH PLAIN was given: `user password`
  // What it does: 'take' mails; 'hang', and say nothing; 'refuse' every recipient for good; 'later', refuse for now; 'lose' mails: take them,
  // and break the connection before it says so.
  mode = 'take';
  #server;
  #sockets = new Set();

  async start() {
    this.#server = net.createServer((socket) => this.#serve(socket));
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    undoInTheEnd(() => this.stop());
    return this;
  }

  get url() {
    return `smtp://127.0.0.1:${this.#server.address().port}`;
  }

  stop() {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #serve(socket) {
    this.tries += 1;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => {});
    if (this.mode === 'hang') return;
    const say = (line) => socket.write(`${line}\r\n`);
    let rest = '';
    let data = null;
    let envelope = {};
    let asked = false; // for user and password
    const hear = (line) => {
      if (data !== null && line !== '.') data.push(line.startsWith('.') ? line.slice(1) : line);
      else if (data !== null) {
        this.mails.push(read(data.join('\r\n'), envelope));
        data = null;
        if (this.mode === 'lose') socket.destroy();
        else say('250 taken');
      } else if (line.startsWith('MAIL FROM:')) {
        envelope = { from: line.slice(10) };
        say('250 ok');
      } else if (line.startsWith('RCPT TO:')) {
        envelope.to = line.slice(8);
        say(this.mode === 'refuse' ? '550 no such mailbox' : this.mode === 'later' ? '451 not now' : '250 ok');
      } else if (line === 'DATA') {
        data = [];
        say('354 go on');
      } else if (line.startsWith('EHLO')) {
        say('250-mailbox');
        say('250 AUTH PLAIN');
      } else if (line === 'AUTH PLAIN') {
        asked = true;
        say('334 ');
      } else if (asked) {
        asked = false;
        this.signedIn.push(Buffer.from(line, 'base64').toString('utf8').split('\0').slice(1).join(' '));
        say('235 welcome');
      } else if (line === 'QUIT') {
        say('221 bye');
        socket.end();
      } else say('250 ok');
    };
    say('220 mailbox');
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString('latin1')).split('\r\n');
      rest = lines.pop();
      lines.forEach(hear);
    });
  }

  // The mails to an address, once there are `count`.
  async to(address, count = 1) {
    const found = () => this.mails.filter((mail) => mail.to === `<${address}>`);
    await until(60, `${count} mails to ${address}`, () => found().length >= count);
    return found();
  }

  async last(address, count = 1) {
    return (await this.to(address, count)).at(-1);
  }
}

// The tokens in its links, in order.
export const tokensIn = (mail, page) => [...mail.text.matchAll(new RegExp(`/${page}#(tr_[0-9a-f]{64})$`, 'gm'))].map(([, token]) => token);
