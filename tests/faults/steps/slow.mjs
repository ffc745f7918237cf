// Clients that send a byte now and then: gone when the deadlines of the head (5 s) and the body (10 s)
// have passed, whatever they send, while others are served.
import { connect } from '../../api/support/echo.mjs';
import { sleep } from '../../api/support/waiting.mjs';
import { Field } from '../field.mjs';

const head = 'POST /v1/players HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n';
const kinds = {
  'a head': { first: 'GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ', deadline: 5 },
  'a body': { first: head, deadline: 10 },
  nothing: { first: '', deadline: 5 },
};

// How many seconds the server bears it.
async function trickle(port, address, { first }) {
  const client = await connect(port, { localAddress: address });
  const begin = Date.now();
  client.send(first);
  while (!client.ended) {
    if (first !== '') client.send('a');
    await Promise.race([sleep(500), client.closed]);
  }
  return (Date.now() - begin) / 1000;
}

export async function slow(report, { clients = 600, seed = `slow ${Date.now()}` } = {}) {
  const field = await Field.open({ seed, services: 1 });
  try {
    const [{ client }] = field.services;
    const faults = [];
    let over = false;
    let slowest = 0;
    const served = (async () => {
      for (; !over; await sleep(50)) {
        const begin = Date.now();
        const answer = await client.get('/v1/events', { unchecked: true });
        slowest = Math.max(slowest, Date.now() - begin);
        if (answer.status !== 200) faults.push(`a good client got ${answer.status}`);
      }
    })();
    const names = Object.keys(kinds);
    const borne = await Promise.all(
      Array.from({ length: clients }, (_, i) => trickle(client.port, `127.0.0.${2 + (i % 200)}`, kinds[names[i % names.length]])),
    );
    over = true;
    await served;
    for (const [at, name] of names.entries()) {
      const times = borne.filter((_, i) => i % names.length === at);
      const longest = Math.max(...times);
      report.line(`${times.length} clients that trickle ${name}: gone after ${Math.min(...times).toFixed(1)} to ${longest.toFixed(1)} s`);
      // The server looks once a second or so, and this machine may be busy.
      if (longest > kinds[name].deadline + 5) faults.push(`${name}: borne for ${longest} s`);
    }
    report.line(`slowest answer to another client meanwhile: ${slowest} ms`);
    report.faults(faults);
    return faults.length === 0;
  } finally {
    await field.end();
  }
}
