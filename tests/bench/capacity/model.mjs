// A simulation of services and their database, deterministic for a seed: events in the order of their time, nothing else. Times are
// microseconds.
//
//      requests ──> loop of a service ──> batch: backend ──> flush of the database's disk ──> loop: answers
//
// A thread does one thing at a time, for which it needs one of its host's processors. A loop takes what waits in turns, and at the end of
// each sends what has gathered if no batch is under way (db/writer/writer.h).

export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  // 0 to 1, without 1 (mulberry32)
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  // Time to the next of events of which there is one in `mean`, independent of each other.
  exponential(mean) {
    return -mean * Math.log(1 - this.next());
  }
}

// What happens when; of the same time what was said first.
export class Clock {
  now = 0;
  #heap = [];
  #count = 0;

  after(delay, act) {
    const heap = this.#heap;
    const event = { at: this.now + delay, number: this.#count++, act };
    let place = heap.length;
    while (place > 0 && before(event, heap[(place - 1) >> 1])) {
      heap[place] = heap[(place - 1) >> 1];
      place = (place - 1) >> 1;
    }
    heap[place] = event;
  }

  run(end) {
    while (this.#heap.length > 0 && this.#heap[0].at <= end) {
      const { at, act } = this.#take();
      this.now = at;
      act();
    }
    this.now = end;
  }

  #take() {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    let place = 0;
    for (let child = 1; child < heap.length; child = 2 * place + 1) {
      if (child + 1 < heap.length && before(heap[child + 1], heap[child])) child++;
      if (!before(heap[child], last)) break;
      heap[place] = heap[child];
      place = child;
    }
    if (heap.length > 0) heap[place] = last;
    return first;
  }
}

const before = (a, b) => a.at < b.at || (a.at === b.at && a.number < b.number);

// Processors that threads share, in the order in which they ask.
export class Host {
  used = 0;
  #free;
  #waiting = [];

  constructor(clock, cores) {
    this.clock = clock;
    this.cores = cores;
    this.#free = cores;
  }

  use(time, done) {
    if (this.#free === 0) {
      this.#waiting.push([time, done]);
      return;
    }
    this.#free--;
    this.used += time;
    this.clock.after(time, () => {
      this.#free++;
      done();
      if (this.#waiting.length > 0 && this.#free > 0) this.use(...this.#waiting.shift());
    });
  }
}

// Jobs one after the other. `turned`: called after those that waited when a turn began.
export class Thread {
  used = 0;
  #jobs = [];
  #next = 0;
  #turn = 0;
  #awake = false;

  constructor(host, turned = () => {}) {
    this.host = host;
    this.turned = turned;
  }

  add(time, done = () => {}) {
    this.#jobs.push([time, done]);
    if (this.#awake) return;
    this.#awake = true;
    this.host.clock.after(0, () => this.#work());
  }

  #work() {
    if (this.#turn === 0) {
      this.#jobs = this.#jobs.slice(this.#next);
      this.#next = 0;
      this.#turn = this.#jobs.length;
    }
    if (this.#turn === 0) {
      this.#awake = false;
      return;
    }
    const [time, done] = this.#jobs[this.#next++];
    this.used += time;
    this.host.use(time, () => {
      done();
      if (--this.#turn === 0) this.turned();
      this.#work();
    });
  }
}

// One flush at a time, which takes along all commits that wait when it begins. (Batches of moves notify nobody while they hold a lock:
// db/migrations/0062_tellers.sql.)
export class Disk {
  used = 0;
  #waiting = [];
  #busy = false;

  constructor(clock, flush) {
    this.clock = clock;
    this.flush = flush;
  }

  sync(done) {
    this.#waiting.push(done);
    if (!this.#busy) this.#begin();
  }

  #begin() {
    const taken = this.#waiting.splice(0);
    this.#busy = true;
    this.used += this.flush;
    this.clock.after(this.flush, () => {
      this.#busy = false;
      for (const done of taken) done();
      if (!this.#busy && this.#waiting.length > 0) this.#begin();
    });
  }
}

const ROWS_MAX = 512; // in one transaction (db/writer/writer.h)
const TAKE = 0.6; // part of a move's work that is done before the commit

// A service with its backend. `costs`: what costs() of simulate.mjs makes. `besides`: further work of the loop for each move.
export class Service {
  commits = 0;
  written = 0;
  #gathered = [];
  #sent = false;

  constructor({ host, database, disk, costs, besides = 0 }) {
    this.costs = costs;
    this.besides = besides;
    this.disk = disk;
    this.loop = new Thread(host, () => this.#handOver());
    this.backend = new Thread(database);
  }

  move(answered) {
    const { move } = this.costs.service;
    this.loop.add(TAKE * move, () => this.#gathered.push(answered));
  }

  #handOver() {
    if (this.#sent || this.#gathered.length === 0) return;
    const batch = this.#gathered.splice(0, ROWS_MAX);
    const { service, database } = this.costs;
    this.#sent = true;
    this.commits++;
    this.written += batch.length;
    this.loop.add(service.commit, () =>
      this.backend.add(database.commit + batch.length * database.move, () => this.disk.sync(() => this.#answer(batch))));
  }

  #answer(batch) {
    this.#sent = false;
    for (const answered of batch) this.loop.add((1 - TAKE) * this.costs.service.move + this.besides, answered);
  }
}
