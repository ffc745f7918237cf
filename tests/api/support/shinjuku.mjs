// What Shinjuku must refuse at a decision, and why, worked out from the deciding seat's own view and
// the component data. Follows the order in which the rules test their conditions.

export class Shinjuku {
  constructor(components) {
    const rows = (name) => components[name].rows;
    this.wards = new Map(rows('wards').map((ward) => [ward.id, ward]));
    this.stations = new Map(rows('stations').map((station) => [station.id, station]));
    this.kinds = new Map(rows('customer_kinds').map((kind) => [kind.id, kind.good]));
    this.goods = rows('goods').map((good) => good.id);
    this.connections = rows('connections');
  }

  // The connection of two stations, whichever comes first.
  connection(a, b) {
    return this.connections.find((each) => (each.a === a && each.b === b) || (each.a === b && each.b === a));
  }

  // [[move, code]] for the seat that has to decide.
  refused(view, seat) {
    const position = new Position(this, view, seat);
    return [...position.anywhere(), ...position[view.decision]()];
  }
}

const moveOfDecision = {
  matsuri: 'matsuri chiyoda', action: 'end', pay: 'pay chiyoda', give: 'give food', route: 'stop',
};
const moveOfAction = {
  open: 'open akihabara food', expand: 'expand akihabara ueno', income: 'income', move: 'move akihabara', upgrade: 'upgrade akihabara food',
};

class Position {
  constructor(rules, view, seat) {
    Object.assign(this, { rules, view, seat, me: view.players[seat] });
    this.stations = [...rules.stations.values()];
    this.free = this.stations.filter(({ id }) => !(id in view.stores));
    this.mine = this.stations.filter(({ id }) => view.stores[id]?.seat === seat);
    this.departments = this.mine.filter(({ id }) => view.stores[id].sells === 'department');
    this.specialties = this.mine.filter(({ id }) => view.stores[id].sells !== 'department');
  }

  payable(stations) {
    const wards = stations.map((station) => this.rules.stations.get(station).ward);
    const held = Object.keys(this.me.hand);
    return this.me.hand_size >= 3 || held.some((ward) => wards.includes(ward) || this.me.wild_wards.includes(ward));
  }

  track(a, b) {
    return this.view.track.find((each) => (each.a === a && each.b === b) || (each.a === b && each.b === a));
  }

  anywhere() {
    const others = Object.keys(moveOfDecision).filter((decision) => decision !== this.view.decision);
    return [
      ...['dance', 'END', 'end ', ' end', 'end end', 'move', 'open akihabara', 'expand a b c d e', 'pay a b', '', 'x'.repeat(200), 'end\u00a0', 'matsuri  koto', 'open akihabara to ueno']
        .map((move) => [move, 'bad-syntax']),
      ['matsuri nowhere', 'unknown-ward'], ['pay koto nowhere koto', 'unknown-ward'],
      ['open nowhere food', 'unknown-station'], ['open koto food', 'unknown-station'], ['step nowhere', 'unknown-station'],
      ['open akihabara food-2', 'unknown-good'], ['open akihabara cars', 'unknown-good'],
      ['give cars', 'unknown-customer'], ['upgrade akihabara food-3', 'unknown-customer'],
      ...others.map((decision) => [moveOfDecision[decision], 'wrong-decision']),
    ];
  }

  matsuri() {
    const { neighbours } = this.rules.wards.get(this.view.matsuri);
    const far = [...this.rules.wards.keys()].filter((ward) => !neighbours.includes(ward));
    return far.map((ward) => [`matsuri ${ward}`, 'matsuri-not-neighbour']);
  }

  action() {
    return Object.entries(moveOfAction).flatMap(([action, move]) =>
      this.view.actions_taken.includes(action) ? [[move, 'action-already-taken']] : this[action]());
  }

  open() {
    const occupied = this.stations.filter(({ id }) => id in this.view.stores);
    const spent = this.rules.goods.filter((good) => this.me.supply[good] === 0);
    const left = this.rules.goods.filter((good) => this.me.supply[good] > 0);
    const unpaid = this.free.filter(({ id }) => !this.payable([id]));
    const others = this.stations.filter((station) => !this.mine.includes(station));
    return [
      ...occupied.flatMap(({ id }) => [[`open ${id} food`, 'station-occupied'], [`open ${id} from ${id}`, 'station-occupied']]),
      ...this.free.flatMap(({ id }) => spent.map((good) => [`open ${id} ${good}`, 'no-store-token'])),
      ...unpaid.flatMap(({ id }) => left.map((good) => [`open ${id} ${good}`, 'cannot-pay'])),
      ...this.free.slice(0, 1).flatMap(({ id }) => [
        ...others.map((other) => [`open ${id} from ${other.id}`, 'not-your-store']),
        ...this.departments.map((store) => [`open ${id} from ${store.id}`, 'department-store-fixed']),
      ]),
    ];
  }

  expand() {
    const lines = this.rules.connections.map(({ a, b }) => [a, b].sort());
    const free = lines.filter(([a, b]) => !this.track(a, b));
    const taken = this.view.track.filter((each) => each.seat !== null);
    const apart = this.stations.flatMap(({ id: a }) => this.stations.filter(({ id: b }) => a < b && !this.rules.connection(a, b)).map(({ id: b }) => `expand ${a} ${b}`));
    const pairs = free.flatMap(([a, b]) => free.filter(([c, d]) => b === c && a < d).map(([, d]) => [a, b, d]));
    const { track } = this.me.supply;
    return [
      ...lines.map(([a, b]) => [`expand ${b} ${a}`, 'not-canonical']),
      ['expand akihabara akihabara', 'not-canonical'],
      ...apart.map((move) => [move, 'no-connection']),
      ['expand shinjuku yoyogi', 'permanent-connection'],
      ...taken.map(({ a, b }) => [`expand ${[a, b].sort().join(' ')}`, 'connection-taken']),
      ...(track === 0 ? free.map(([a, b]) => [`expand ${a} ${b}`, 'not-enough-track']) : []),
      ...(track === 1 ? pairs.map((way) => [`expand ${way.join(' ')}`, 'not-enough-track']) : []),
      ...(track >= 2 ? pairs.filter((way) => !this.payable(way)).map((way) => [`expand ${way.join(' ')}`, 'cannot-pay']) : []),
    ];
  }

  income() {
    return this.me.hand_size >= 15 ? [['income', 'hand-full']] : [];
  }

  move() {
    const waiting = ({ ward }) => Object.keys(this.view.wards[ward]).length > 0;
    return [
      ...this.stations.filter((station) => !waiting(station)).map(({ id }) => [`move ${id}`, 'no-customers']),
      ...this.stations.filter((station) => waiting(station) && !this.payable([station.id])).map(({ id }) => [`move ${id}`, 'cannot-pay']),
    ];
  }

  upgrade() {
    const others = this.stations.filter((station) => !this.mine.includes(station));
    return [
      ...others.map(({ id }) => [`upgrade ${id} food`, 'not-your-store']),
      ...this.departments.map(({ id }) => [`upgrade ${id} food`, 'already-department-store']),
      ...this.specialties.flatMap((station) => [...this.rules.kinds].map(([kind, good]) => this.upgradeOf(station, kind, good)).filter(Boolean)),
    ];
  }

  upgradeOf({ id, sakura }, kind, good) {
    const refusal =
      (!sakura && 'no-sakura') ||
      (this.me.supply.department === 0 && 'no-department-token') ||
      (this.view.stores[id].sells !== good && 'wrong-good') ||
      (!(kind in this.me.customers) && 'customer-not-owned') ||
      (!this.payable([id]) && 'cannot-pay');
    return refusal && [`upgrade ${id} ${kind}`, refusal];
  }

  pay() {
    const wards = [...this.rules.wards.keys()];
    const held = Object.keys(this.me.hand);
    const useless = held.filter((ward) => !this.view.pending.wards.includes(ward) && !this.me.wild_wards.includes(ward));
    return [
      ...wards.filter((ward) => !held.includes(ward)).map((ward) => [`pay ${ward}`, 'card-not-in-hand']),
      ...useless.map((ward) => [`pay ${ward}`, 'card-does-not-match']),
      ['pay koto chuo koto', 'not-canonical'],
      ...held.filter((ward) => this.me.hand[ward] < 3).map((ward) => [`pay ${ward} ${ward} ${ward}`, 'card-not-in-hand']),
    ];
  }

  give() {
    const group = Object.keys(this.view.movement.customers);
    const { sells } = this.view.stores[this.view.movement.station];
    return [...this.rules.kinds].flatMap(([kind, good]) => {
      if (!group.includes(kind)) return [[`give ${kind}`, 'customer-not-in-group']];
      return sells === 'department' || sells === good ? [] : [[`give ${kind}`, 'store-does-not-sell']];
    });
  }

  route() {
    const { station, visited } = this.view.movement;
    return this.stations.flatMap(({ id }) => {
      if (this.rules.connection(station, id) === undefined) return [[`step ${id}`, 'no-connection']];
      if (this.track(station, id) === undefined) return [[`step ${id}`, 'no-track']];
      return visited.includes(id) ? [[`step ${id}`, 'station-visited']] : [];
    });
  }
}
