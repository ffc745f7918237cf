// What an event came to, computed a second time: from the lines of its log and the records of its
// games, by nobody's code but this file's. It shares nothing with the engine but the definitions
// (README, engine/tournament/*.h), so the two agree only if both do what is written there.
//
// Numbers are exact: rationals of whole numbers, points in 60ths. Ratings are floating point here
// and fixed point in the engine; they agree to the last digit that is kept.
import { blake2b, Stream } from './luck.mjs';

// ---- Rationals ----

const ratio = (numerator, denominator = 1) => ({ n: BigInt(numerator), d: BigInt(denominator) });
const none = null;
const add = (a, b) => ratio(a.n * b.d + b.n * a.d, a.d * b.d);
const compare = (a, b) => {
  if (a === none || b === none) return (a !== none) - (b !== none);
  const left = a.n * b.d;
  const right = b.n * a.d;
  return left < right ? -1 : left > right ? 1 : 0;
};
const sum = (list) => list.reduce(add, ratio(0));
const mean = (list) => (list.length === 0 ? ratio(0) : ((total) => ratio(total.n, total.d * BigInt(list.length)))(sum(list)));

// ---- Records ----

// The result of a game by its record: [{ player, score, rank }], in order of seats.
export function readRecord(record) {
  const seats = [];
  const header = {};
  for (const line of record.split('\n')) {
    const words = line.replace(/ #[0-9a-f]{8}$/, '').split(' ');
    if (words[0] === 'seat') seats[Number(words[1])] = { player: words[2] };
    else if (words[0] === 'game') Object.assign(header, { id: words[1], slug: words[2], version: words[3] });
    else if (words[0] === 'event') Object.assign(header, { event: words[1], round: Number(words[3]), table: Number(words[5]), board: words[7] });
    else if (words[3] === 'result') Object.assign(seats[Number(words[4])], { score: Number(words[5]), rank: Number(words[6]) });
  }
  return { ...header, seats };
}

// ---- The log ----

// An event from its log. Tables: { round, stage, table, numbers, match, result, kinds }, byes:
// { round, stage, number, kind }; players are numbers from 1 throughout.
export function readLog(lines) {
  const event = { settings: null, number: new Map(), player: [], rounds: [], tables: [], byes: [], stages: [], out: [], challenges: [], entrants: new Map() };
  let draft = null;
  const take = (number, player) => {
    event.number.set(player, number);
    event.player[number] = player;
  };
  const tableOf = (round, table) => event.tables.find((each) => each.round === round && each.table === table);
  const drawn = (detail) => ({
    round: detail.round,
    stage: event.stages.length,
    tables: detail.tables.map((numbers, i) => ({ round: detail.round, stage: event.stages.length, table: i + 1, numbers, match: detail.matches?.[i] ?? null })),
    byes: [
      ...detail.byes.map((number) => ({ round: detail.round, stage: event.stages.length, number, kind: 'pairing_bye' })),
      ...(detail.absent ?? []).map(([number, kind]) => ({ round: detail.round, stage: event.stages.length, number, kind })),
    ],
  });
  for (const { kind, detail } of lines) {
    if (kind === 'created' || kind === 'settings_changed') event.settings = detail;
    else if (kind === 'entered') {
      event.entrants.set(detail.player, { rating: detail.rating ?? null });
      if (detail.late) take(event.player.length || 1, detail.player);
      if (detail.late && event.stages.length === 1) event.stages[0].push(event.number.get(detail.player));
    } else if (kind === 'entries_closed') detail.numbers.forEach((player, i) => take(i + 1, player));
    else if (kind === 'dropped') event.out.push({ number: event.number.get(detail.player), after: detail.after });
    else if (kind === 'returned') event.out = event.out.filter((each) => each.number !== event.number.get(detail.player));
    else if (kind === 'stage_started') event.stages.push([...detail.entries]);
    else if (kind === 'round_drawn') draft = drawn(detail);
    else if (kind === 'round_changed') draft = { ...drawn(detail), byes: drawn({ ...detail, absent: detail.absent ?? [] }).byes };
    else if (kind === 'round_withdrawn') draft = null;
    else if (kind === 'round_started' && draft !== null) {
      event.rounds.push(draft.round);
      event.tables.push(...draft.tables);
      event.byes.push(...draft.byes);
      draft = null;
    } else if (kind === 'round_started') event.rounds.push(detail.round);
    if (['challenged', 'queued', 'board_started'].includes(kind) && event.stages.length === 0) event.stages.push(event.player.map((_, number) => number).slice(1));
    if (kind === 'board_started')
      detail.tables.forEach((numbers, i) => event.tables.push({ round: detail.round, stage: 1, table: detail.first_table + i, board: detail.board, numbers, match: null }));
    else if (kind === 'table_started') event.tables.push({ round: 0, stage: 1, table: detail.table, numbers: detail.numbers, match: null });
    else if (kind === 'challenged') event.challenges.push({ kind, players: detail.players.map((player) => event.number.get(player)) });
    else if (kind === 'result' || kind === 'ruled') {
      const table = tableOf(detail.round, detail.table);
      const seats = detail.seats.map(([number, rank, score, how]) => ({ number, rank, score, kind: how ?? 'played' }));
      if (kind === 'result') table.game = detail.game;
      if (kind === 'result') table.gameResult = seats;
      else table.ruling = seats;
      table.order ??= event.decided = (event.decided ?? 0) + 1;
    } else if (kind === 'ruling_revoked') delete tableOf(detail.round, detail.table).ruling;
    else if (kind === 'table_replayed') for (const what of ['game', 'gameResult', 'ruling', 'order']) delete tableOf(detail.round, detail.table)[what];
  }
  for (const table of event.tables) table.result = table.ruling ?? table.gameResult ?? null;
  return event;
}

// What does not fit between the log's results and the records: a list of sentences.
export function compareRecords(event, records) {
  const faults = [];
  for (const table of event.tables) {
    if (table.gameResult === undefined) continue;
    const record = records.get(table.game);
    const where = `round ${table.round} table ${table.table}`;
    if (record === undefined) {
      faults.push(`${where}: no record`);
      continue;
    }
    const { seats, round, table: number } = readRecord(record);
    if (round !== table.round || number !== table.table) faults.push(`${where}: the record is of another table`);
    seats.forEach((seat, i) => {
      const told = table.gameResult[i];
      const same = told !== undefined && event.player[told.number] === seat.player && told.rank === seat.rank && told.score === seat.score;
      if (!same) faults.push(`${where} seat ${i}: the log and the record differ`);
      const better = seats.filter((other) => other.score > seat.score).length;
      if (seat.rank < 1 || seat.rank > seats.length || (seat.rank === 1) !== !seats.some((other) => other.rank < seat.rank)) faults.push(`${where}: ranks (${better})`);
    });
    if (seats.length !== table.gameResult.length) faults.push(`${where}: another number of seats`);
  }
  return faults;
}

// ---- Points ----

const P = 60;
const firstOnly = (points) => ({ 2: [points, 0], 3: [points, 0, 0], 4: [points, 0, 0, 0], 5: [points, 0, 0, 0, 0] });
const byes = (full, half) => ({ pairing_bye: full, full_bye: full, half_bye: half });
const schemes = {
  '5-3-2-1': { place: { 2: [5, 1], 3: [5, 2, 1], 4: [5, 3, 2, 1], 5: [5, 4, 3, 2, 1] }, unplayed: byes(2.75, 1), neutral: 2.75 },
  '4-3-2-1': { place: { 2: [4, 1], 3: [4, 2.5, 1], 4: [4, 3, 2, 1], 5: [4, 3, 3, 2, 1] }, unplayed: byes(2.5, 1), neutral: 2.5 },
  'win-only': { place: firstOnly(1), unplayed: byes(1, 0.5), neutral: 0.25 },
  '3-1-0': { place: firstOnly(3), unplayed: byes(3, 1), neutral: 1, draw: 1, duel: [3, 1, 0] },
  '1-half-0': { place: firstOnly(1), unplayed: byes(1, 0.5), neutral: 0.5, draw: 0.5 },
  margin: { place: firstOnly(20), unplayed: byes(12, 5), neutral: 10, margin: { unit: 0.2, cap: 50, base: 10 } },
};

const isPlayed = (kind) => kind === 'played' || kind === 'adjudicated';
const hasPlace = (kind) => isPlayed(kind) || kind === 'forfeit_win';

function tablePoints(scheme, result, seat) {
  const own = result[seat];
  if (!hasPlace(own.kind)) return P * (scheme.unplayed[own.kind] ?? 0);
  if (scheme.margin !== undefined && isPlayed(own.kind)) {
    const { unit, cap, base } = scheme.margin;
    const margins = result.filter((_, i) => i !== seat).map((other) => Math.max(-cap, Math.min(cap, isPlayed(other.kind) ? own.score - other.score : cap)));
    return base * P + (Math.round(unit * P) / margins.length) * margins.reduce((a, b) => a + b, 0);
  }
  const tied = result.filter((other) => other.rank === own.rank).length;
  if (result.length === 2 && tied === 2 && scheme.draw !== undefined) return P * scheme.draw;
  const places = scheme.place[result.length].slice(own.rank - 1, own.rank - 1 + tied);
  return (P * places.reduce((a, b) => a + b, 0)) / tied;
}

const duelPoints = (scheme, duel) => P * (scheme.duel ?? [1, 0.5, 0])[duel];

// ---- Standings by points ----

// The entries of one stage, or those of them in `among`, after `rounds` rounds of the event.
export class Field {
  constructor(event, { stage, settings, rounds, seed, among }) {
    const first = Math.min(...event.tables.filter((table) => table.stage === stage).map((table) => table.round));
    this.scheme = schemes[settings.scoring];
    if (settings.free_rounds === 'nothing') this.scheme = { ...this.scheme, unplayed: { ...this.scheme.unplayed, pairing_bye: 0 } };
    this.rules = settings.unplayed_rules;
    this.chain = settings.tie_breaks;
    this.rounds = Math.max(0, rounds - first + 1);
    this.seed = seed;
    this.numbers = [...among].sort((a, b) => a - b);
    this.stays = new Map(this.numbers.map((number) => [number, Array(this.rounds).fill(null)]));
    const put = (number, round, stay) => {
      if (round >= first && round <= rounds && this.stays.has(number)) this.stays.get(number)[round - first] = stay;
    };
    for (const table of event.tables)
      if (table.stage === stage && table.result !== null)
        table.result.forEach((seat, i) => put(seat.number, table.round, { table: table.table, seat: i, result: table.result, kind: seat.kind }));
    for (const bye of event.byes)
      if (bye.stage === stage) put(bye.number, bye.round, { table: 0, seat: 0, result: [{ number: bye.number, rank: 1, score: 0, kind: bye.kind }], kind: bye.kind });
    this.sums = new Map(this.numbers.map((number) => [number, this.count(number)]));
  }

  stay(number, round) {
    return this.stays.get(number)[round];
  }

  pointsOf(stay) {
    if (stay === null) return 0;
    return stay.table === 0 ? P * (this.scheme.unplayed[stay.kind] ?? 0) : tablePoints(this.scheme, stay.result, stay.seat);
  }

  // Points, and points as others are measured by them.
  count(number) {
    let own = 0;
    let adjusted = 0;
    let away = true;
    for (let round = this.rounds - 1; round >= 0; round--) {
      const stay = this.stay(number, round);
      const kind = stay?.kind ?? 'absent';
      const points = this.pointsOf(stay);
      const neutral = P * this.scheme.neutral;
      own += points;
      if (this.rules === 'round-robin') adjusted += points;
      else if (this.rules === 'pods-1') {
        away = away && ['full_bye', 'half_bye', 'zero_bye', 'absent'].includes(kind);
        adjusted += away || stay === null ? neutral : points;
      } else {
        away = away && gaveUp(kind);
        adjusted += away && (stay === null || stay.table === 0) ? neutral : points;
      }
    }
    return { own, adjusted };
  }

  // Meetings: { number, duel, round }, once each. `forfeits`: as if they had been played.
  meetings(number, forfeits) {
    const met = [];
    this.stays.get(number).forEach((stay, round) => {
      if (stay === null || stay.table === 0) return;
      const counts = (seat) => forfeits || isPlayed(seat.kind);
      const own = stay.result[stay.seat];
      if (!counts(own)) return;
      stay.result.forEach((other, i) => {
        if (i !== stay.seat && counts(other)) met.push({ number: other.number, duel: duelOf(own, other), round });
      });
    });
    return met;
  }

  // The operands of sums over opponents, with dummies for rounds without a game where the rules have them: { strength, value, gaveUp }.
  operands(number, value) {
    const forfeits = this.rules === 'round-robin';
    const list = this.meetings(number, forfeits).map((met) => {
      const strength = this.sums.get(met.number).adjusted;
      return { round: met.round, strength, value: value(strength, duelPoints(this.scheme, met.duel)), gaveUp: false };
    });
    if (this.rules !== 'fide-2023' && this.rules !== 'fide-2026') return list;
    this.stays.get(number).forEach((stay, round) => {
      if (stay !== null && stay.table !== 0 && isPlayed(stay.kind)) return;
      const dummy = (cap, result) => {
        const own = this.sums.get(number).own;
        const strength = this.rules === 'fide-2026' ? Math.min(own, cap) : own;
        list.push({ round, strength, value: value(strength, result), gaveUp: gaveUp(stay?.kind ?? 'absent') });
      };
      if (stay === null || stay.table === 0) dummy(P * this.scheme.neutral * this.rounds, this.pointsOf(stay));
      else
        stay.result.forEach((other, i) => {
          if (i !== stay.seat) dummy(this.sums.get(other.number).adjusted, duelPoints(this.scheme, duelOf(stay.result[stay.seat], other)));
        });
    });
    return list.sort((a, b) => a.round - b.round);
  }

  value(rule, number) {
    const [code, ...modifiers] = rule.split('/');
    const cuts = Number(modifiers.find((each) => /^C\d$/.test(each))?.slice(1) ?? 0);
    const stays = this.stays.get(number);
    const played = stays.filter((stay) => stay !== null && isPlayed(stay.kind));
    switch (code) {
      case 'PTS':
        return ratio(this.sums.get(number).own, P);
      case 'WIN':
        return sum(stays.map((stay) => this.win(stay)));
      case 'BWG':
        return sum(played.filter((stay) => stay.seat === stay.result.length - 1).map((stay) => this.win(stay)));
      case 'OPA': {
        const list = cut(this.operands(number, (strength) => strength), cuts, 1);
        return this.rounds === 0 ? ratio(0) : mean(list.map((each) => ratio(each.value, P * this.rounds)));
      }
      case 'SBA': {
        const list = this.operands(number, (strength, duel) => strength * duel);
        return mean(list.map((each) => ratio(each.value, P * P)));
      }
      case 'BH':
        return sum(cut(this.operands(number, (strength) => strength), cuts, 0).map((each) => ratio(each.value, P)));
      case 'SB':
        return sum(cut(this.operands(number, (strength, duel) => strength * duel), cuts, 0).map((each) => ratio(each.value, P * P)));
      case 'KS': {
        const tables = Math.max(0, ...this.numbers.map((each) => this.stays.get(each).filter((stay) => stay !== null && stay.table !== 0).length));
        const most = (this.rules === 'round-robin' ? tables : this.rounds) * P * Math.max(...Object.values(this.scheme.place).map((places) => places[0]));
        return sum(this.meetings(number, true).filter((met) => 2 * this.sums.get(met.number).own >= most).map((met) => ratio(duelPoints(this.scheme, met.duel), P)));
      }
      case 'SHR':
        return mean(
          played.map((stay) => {
            const share = (seat) => Math.max(0, seat.score);
            const total = stay.result.filter((seat) => isPlayed(seat.kind)).reduce((all, seat) => all + share(seat), 0);
            return ratio(share(stay.result[stay.seat]), total || 1);
          }),
        );
      case 'LAST': {
        const last = this.rounds === 0 ? null : stays[this.rounds - 1];
        return ratio(last !== null && last.table > 0 ? -(8 * last.table + last.result[last.seat].rank) : -8 * 65536);
      }
      case 'TPN':
        return ratio(-number);
      case 'RND':
        return ratio(drawnWord(this.seed, number));
      default:
        throw new Error(`${rule} is not recomputed`);
    }
  }

  // First places, shared ones by parts; a draw of two is nobody's.
  win(stay) {
    if (stay === null) return ratio(0);
    if (stay.table === 0) return ratio(this.pointsOf(stay) >= P * Math.max(...Object.values(this.scheme.place).map((places) => places[0])) ? 1 : 0);
    const own = stay.result[stay.seat];
    if (!hasPlace(own.kind) || own.rank !== 1) return ratio(0);
    const first = stay.result.filter((seat) => seat.rank === 1).length;
    return first === 2 && stay.result.length === 2 ? ratio(0) : ratio(1, first);
  }

  // Groups in order, each a list of numbers that direct encounter leaves tied.
  encounters(group) {
    if (group.length < 2) return [group];
    const scores = group.map((number) => {
      const met = new Map();
      for (const meeting of this.meetings(number, this.rules === 'round-robin'))
        if (group.includes(meeting.number)) met.set(meeting.number, [...(met.get(meeting.number) ?? []), duelPoints(this.scheme, meeting.duel)]);
      const certain = sum([...met.values()].map((duels) => ratio(duels.reduce((a, b) => a + b, 0), duels.length)));
      const unmet = group.length - 1 - met.size;
      return { number, least: add(certain, ratio(unmet * duelPoints(this.scheme, 2))), most: add(certain, ratio(unmet * duelPoints(this.scheme, 0))) };
    });
    const sorted = scores.map((score, i) => ({ ...score, i })).sort((a, b) => compare(b.least, a.least) || a.i - b.i);
    const allMet = sorted.every((score) => compare(score.least, score.most) === 0);
    const topDown = this.rules.startsWith('fide') && !allMet;
    const parts = [];
    let from = 0;
    for (let at = 1; at < sorted.length; at++) {
      const sure = sorted.slice(at).every((below) => compare(sorted[at - 1].least, below.most) > 0);
      if (sure) {
        parts.push(sorted.slice(from, at));
        from = at;
      } else if (topDown) break;
    }
    if (from === 0) return [sorted.map((score) => score.number)];
    parts.push(sorted.slice(from));
    return parts.flatMap((part) => this.encounters(part.map((score) => score.number)));
  }

  // [{ number, rank, points }], best first.
  rank() {
    const rows = [];
    const split = (group, position) => {
      if (group.length === 1 || position === this.chain.length) {
        const rank = rows.length + 1;
        for (const number of group) rows.push({ number, rank, points: this.sums.get(number).own });
        return;
      }
      const rule = this.chain[position];
      if (rule.split('/')[0] === 'DE') {
        for (const part of this.encounters(group)) split(part, position + 1);
        return;
      }
      const values = new Map(group.map((number) => [number, this.value(rule, number)]));
      const sorted = [...group].sort((a, b) => compare(values.get(b), values.get(a)));
      for (let from = 0; from < sorted.length; ) {
        let to = from + 1;
        while (to < sorted.length && compare(values.get(sorted[from]), values.get(sorted[to])) === 0) to++;
        split(sorted.slice(from, to), position + 1);
        from = to;
      }
    };
    if (this.numbers.length > 0) split(this.numbers, 0);
    return rows;
  }
}

const isLost = (kind) => kind === 'forfeit_loss' || kind === 'void';
const gaveUp = (kind) => isLost(kind) || ['half_bye', 'zero_bye', 'absent'].includes(kind);

function duelOf(own, other) {
  if (isLost(own.kind)) return 2;
  if (isLost(other.kind)) return 0;
  return own.rank < other.rank ? 0 : own.rank === other.rank ? 1 : 2;
}

// Without the `cuts` least significant: the weakest opponent, or the lowest of a round that was
// given up, whichever is worth more.
function cut(list, cuts, keep) {
  const left = [...list];
  const lowest = (those, by, then) => those.reduce((found, each) => (found === null || each[by] < found[by] || (each[by] === found[by] && each[then] < found[then]) ? each : found), null);
  for (let i = 0; i < cuts && left.length > keep; i++) {
    const weakest = lowest(left, 'strength', 'value');
    const given = lowest(left.filter((each) => each.gaveUp), 'value', 'strength');
    left.splice(left.indexOf(given !== null && given.value >= weakest.value ? given : weakest), 1);
  }
  return left;
}

// ---- Chance ----

// The seed of an event's draws, from its revealed secret.
export const eventSeed = (id, secret) => blake2b(Buffer.from(`tillroll/event/1${id}`), Buffer.from(secret, 'hex'));

// The word of the draw that parts those who are tied on everything.
function drawnWord(seed, number) {
  return new Stream(seed, 'standing').word(number);
}

// ---- Ratings: Plackett-Luce as OpenSkill has it (Weng and Lin, JMLR 12 (2011), algorithm 4) ----

export const initialRating = { mu: 25, sigma: 25 / 3 };

// New ratings of those at a table; `ranks` 1 is best. Kept to six digits.
export function plackettLuce(ratings, ranks) {
  const beta = 25 / 6;
  const tau = 25 / 300;
  const kappa = 0.0001;
  const moved = ratings.map(({ mu, sigma }) => ({ mu, variance: sigma * sigma + tau * tau }));
  const c = Math.sqrt(moved.reduce((all, { variance }) => all + variance + beta * beta, 0));
  const strength = moved.map(({ mu }) => Math.exp(mu / c));
  const behind = ranks.map((rank) => strength.reduce((all, each, i) => (ranks[i] >= rank ? all + each : all), 0));
  const shared = ranks.map((rank) => ranks.filter((other) => other === rank).length);
  return moved.map(({ mu, variance }, i) => {
    let omega = 0;
    let delta = 0;
    ranks.forEach((rank, q) => {
      if (rank > ranks[i]) return;
      const quotient = strength[i] / behind[q];
      omega += ((q === i ? 1 : 0) - quotient) / shared[q];
      delta += (quotient * (1 - quotient)) / shared[q];
    });
    const gamma = Math.sqrt(variance) / c;
    const newMu = mu + (variance / c) * omega;
    const newSigma = Math.sqrt(variance * Math.max(1 - gamma * (variance / (c * c)) * delta, kappa));
    return { mu: Math.round(newMu * 1e6) / 1e6, sigma: Math.round(newSigma * 1e6) / 1e6 };
  });
}

// ---- Glicko-2 (Glickman, "Example of the Glicko-2 system", 2013), tau 0.5 ----

export const initialGlicko = { rating: 1500, deviation: 350, volatility: 0.06 };
const scale = 173.7178;

// A rating after a period; games: [{ opponent, score }] with ratings from when it began, 1 a win.
export function glicko(player, games) {
  const tau = 0.5;
  const mu = (player.rating - 1500) / scale;
  const phi = player.deviation / scale;
  const g = (other) => 1 / Math.sqrt(1 + (3 * other * other) / Math.PI ** 2);
  let information = 0;
  let surprise = 0;
  for (const { opponent, score } of games) {
    const weight = g(opponent.deviation / scale);
    const expected = 1 / (1 + Math.exp(-weight * (mu - (opponent.rating - 1500) / scale)));
    information += weight * weight * expected * (1 - expected);
    surprise += weight * (score - expected);
  }
  const v = 1 / information;
  const delta = v * surprise;
  const a = Math.log(player.volatility ** 2);
  const f = (x) => (Math.exp(x) * (delta ** 2 - phi ** 2 - v - Math.exp(x))) / (2 * (phi ** 2 + v + Math.exp(x)) ** 2) - (x - a) / tau ** 2;
  let low = a;
  let high = delta ** 2 > phi ** 2 + v ? Math.log(delta ** 2 - phi ** 2 - v) : a - tau;
  while (delta ** 2 <= phi ** 2 + v && f(high) < 0) high -= tau;
  let [left, right] = [f(low), f(high)];
  while (Math.abs(high - low) > 1e-13) {
    const middle = low + ((low - high) * left) / (right - left);
    const value = f(middle);
    if (value * right <= 0) [low, left] = [high, right];
    else left /= 2;
    [high, right] = [middle, value];
  }
  const volatility = Math.exp(low / 2);
  const newPhi = 1 / Math.sqrt(1 / (phi ** 2 + volatility ** 2) + information);
  return { rating: 1500 + scale * (mu + newPhi ** 2 * surprise), deviation: Math.min(350, scale * newPhi), volatility };
}

// ---- Brackets ----

// Places of a single or double elimination without a consolation final, from who beat whom: who went
// out later is higher, who went out at the same time shares. [{ number, place }].
export function bracketPlaces(event, stage) {
  const { format } = event.settings.stages[stage - 1];
  const seeds = event.stages[stage - 1];
  const size = 2 ** Math.ceil(Math.log2(seeds.length));
  const upper = Math.log2(size);
  // Matches are numbered through: the upper bracket, the lower one, the grand final.
  const roundOf = (match) => {
    let from = 0;
    for (let round = 1; round <= upper; round++) {
      from += size / 2 ** round;
      if (match < from) return { lower: false, round };
    }
    for (let round = 1; round <= 2 * (upper - 1); round++) {
      from += size / 2 ** (2 + Math.floor((round - 1) / 2));
      if (match < from) return { lower: true, round };
    }
    return { final: true };
  };
  const losses = new Map(seeds.map((number) => [number, []]));
  const games = new Map();
  for (const table of event.tables.filter((each) => each.stage === stage)) games.set(table.match, [...(games.get(table.match) ?? []), table]);
  for (const [match, tables] of games) {
    const last = tables.at(-1);
    if (last.result === null) continue;
    const level = last.result[0].rank === last.result[1].rank;
    const bySeed = [...last.numbers].sort((a, b) => seeds.indexOf(a) - seeds.indexOf(b));
    const loser = level ? bySeed[1] : last.result.find((seat) => seat.rank === 2).number;
    losses.get(loser).push(roundOf(match));
  }
  // When somebody was out: the later the greater.
  const outAt = (number) => {
    const lost = losses.get(number);
    if (format === 'single_elimination') return lost.length === 0 ? Infinity : lost[0].round;
    if (lost.some((each) => each.final)) return 1000;
    return lost.length === 0 || lost.every((each) => !each.lower) ? Infinity : lost.find((each) => each.lower).round;
  };
  return seeds.map((number) => ({ number, place: 1 + seeds.filter((other) => outAt(other) > outAt(number)).length }));
}

// The progress of a pod elimination: the last round of each entry, the final's order, the winner.
export function podProgress(event, stage) {
  const tables = event.tables.filter((each) => each.stage === stage);
  const last = Math.max(...tables.map((table) => table.round));
  const reached = new Map(event.stages[stage - 1].map((number) => [number, 0]));
  for (const table of tables) for (const number of table.numbers) reached.set(number, Math.max(reached.get(number), table.round));
  const final = tables.filter((table) => table.round === last);
  return { reached, final: final.length === 1 ? [...final[0].result].sort((a, b) => a.rank - b.rank) : null };
}

// ---- Ladders and open play ----

// The rungs from the top, after all games.
export function ladderRungs(event) {
  const { effect } = event.settings.stages[0];
  let rungs = [...event.stages[0]];
  for (const table of event.tables.filter((each) => each.result !== null).sort((a, b) => a.order - b.order)) {
    const challenge = event.challenges.find(({ players }) => players.every((number) => table.numbers.includes(number)) && !players.used);
    challenge.players.used = true;
    const [challenger, challenged] = challenge.players;
    const rank = (number) => table.result.find((seat) => seat.number === number).rank;
    if (rank(challenger) >= rank(challenged)) continue;
    const place = rungs.indexOf(challenged);
    if (effect === 'exchange') rungs = rungs.map((number) => (number === challenger ? challenged : number === challenged ? challenger : number));
    else {
      rungs = rungs.filter((number) => number !== challenger);
      rungs.splice(place, 0, challenger);
    }
  }
  return rungs;
}

// Rows of open play, best first: { number, sum }, in 60ths.
export function openPlayRows(event) {
  const { best, scoring } = event.settings.stages[0];
  const points = new Map(event.stages[0].map((number) => [number, []]));
  for (const { result } of event.tables) result?.forEach((seat, i) => points.get(seat.number).push(tablePoints(schemes[scoring], result, i)));
  const rows = [...points].map(([number, all]) => {
    const counted = all.sort((a, b) => b - a).slice(0, best);
    return { number, games: all.length, counted, sum: counted.reduce((a, b) => a + b, 0) };
  });
  const order = (a, b) => {
    if (a.sum !== b.sum) return b.sum - a.sum;
    for (let i = 0; i < Math.max(a.counted.length, b.counted.length); i++)
      if ((a.counted[i] ?? -1) !== (b.counted[i] ?? -1)) return (b.counted[i] ?? -1) - (a.counted[i] ?? -1);
    return 0;
  };
  return rows.sort(order);
}

// ---- Seasons ----

// Millionths of a point that place `place` of `entrants`, shared by `shared`, is worth: the Pentamind
// formula, rounded down.
export function percentileValue(entrants, place, shared, weight = 1000) {
  const n = BigInt(entrants);
  const behind = 2n * (n - BigInt(place)) - BigInt(shared - 1);
  return ((n + 5n) * behind * 100n * 1000000n * BigInt(weight)) / (2n * (n + 6n) * (n - 1n) * 1000n);
}
