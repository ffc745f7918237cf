// A network of its own: each machine is a network namespace with one address, joined to all others by
// a router, which can lose what two of them send each other without a word. Needs root.
import { execFileSync, spawnSync } from 'node:child_process';

const ip = (...words) => execFileSync('ip', words, { stdio: ['ignore', 'ignore', 'pipe'] });

// Whether this process may make one.
export function canMakeNetworks() {
  const name = `tillroll-${process.pid}-try`;
  const made = spawnSync('ip', ['netns', 'add', name]).status === 0;
  if (made) ip('netns', 'delete', name);
  return made;
}

export class Network {
  #prefix = `tillroll-${process.pid}`;
  #names;
  #block = `10.${64 + (process.pid % 128)}`;
  #cuts = new Set();

  // `names`: of the machines, at most 5 characters each. The machine that this runs on reaches all.
  constructor(names) {
    this.#names = names;
    try {
      this.#make();
    } catch (error) {
      this.end();
      throw error;
    }
  }

  get #router() {
    return `${this.#prefix}-router`;
  }

  #namespace(name) {
    return `${this.#prefix}-${name}`;
  }

  address(name) {
    return `${this.#block}.${1 + this.#names.indexOf(name)}.2`;
  }

  // All addresses of the network.
  get range() {
    return `${this.#block}.0.0/16`;
  }

  // What a command line begins with that is to run on that machine.
  within(name) {
    return ['ip', 'netns', 'exec', this.#namespace(name)];
  }

  #make() {
    ip('netns', 'add', this.#router);
    execFileSync('ip', ['netns', 'exec', this.#router, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward']);
    for (const name of this.#names) this.#join(name);
    // This machine, as the last of them.
    const here = `${this.#block}.${1 + this.#names.length}`;
    const link = `tr-${process.pid}`;
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'here', 'netns', this.#router);
    this.#raise(this.#router, 'here', `${here}.1/24`);
    ip('address', 'add', `${here}.2/24`, 'dev', link);
    ip('link', 'set', link, 'up');
    ip('route', 'add', this.range, 'via', `${here}.1`);
  }

  #join(name) {
    const namespace = this.#namespace(name);
    const subnet = `${this.#block}.${1 + this.#names.indexOf(name)}`;
    ip('netns', 'add', namespace);
    ip('-n', namespace, 'link', 'set', 'lo', 'up');
    ip('link', 'add', 'wire', 'netns', namespace, 'type', 'veth', 'peer', 'name', name, 'netns', this.#router);
    this.#raise(namespace, 'wire', `${subnet}.2/24`);
    this.#raise(this.#router, name, `${subnet}.1/24`);
    ip('-n', namespace, 'route', 'add', 'default', 'via', `${subnet}.1`);
  }

  #raise(namespace, link, address) {
    ip('-n', namespace, 'address', 'add', address, 'dev', link);
    ip('-n', namespace, 'link', 'set', link, 'up');
  }

  // From now on nothing that one of them sends reaches the other.
  cut(one, other) {
    for (const [from, to] of [[one, other], [other, one]]) {
      const rule = ['from', this.address(from), 'to', this.address(to), 'blackhole'];
      ip('-n', this.#router, 'rule', 'add', ...rule);
      this.#cuts.add(rule);
    }
  }

  // All reach all again.
  heal() {
    for (const rule of this.#cuts) ip('-n', this.#router, 'rule', 'delete', ...rule);
    this.#cuts.clear();
  }

  // Removes the network, also one that was made in part. Processes on its machines must have ended.
  end() {
    spawnSync('ip', ['link', 'delete', `tr-${process.pid}`]);
    for (const name of this.#names) spawnSync('ip', ['netns', 'delete', this.#namespace(name)]);
    spawnSync('ip', ['netns', 'delete', this.#router]);
  }
}
