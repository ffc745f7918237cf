// The table that the benches print: what was measured beside what is to be reached.

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// What `statistic` says of all `rounds`, and between which values 95 of 100 lie that it says of as many rounds drawn from them, each anew
// (bootstrap): how far chance may have moved it. What was measured in one round stays together. The same rounds give the same values.
export function likely(rounds, statistic, draws = 2000) {
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const drawn = () => statistic(rounds.map(() => rounds[Math.floor(random() * rounds.length)]));
  const values = Array.from({ length: draws }, drawn).sort((a, b) => a - b);
  return { value: statistic(rounds), from: values[Math.floor(0.025 * draws)], to: values[Math.ceil(0.975 * draws) - 1] };
}

// In random order.
export function shuffled(list) {
  const left = [...list];
  const taken = [];
  while (left.length > 0) taken.push(...left.splice(Math.floor(Math.random() * left.length), 1));
  return taken;
}

export const thousands = (number) => Math.round(number).toLocaleString('en');
export const ms = (us) => `${(us / 1000).toFixed(us < 100_000 ? 2 : 0)} ms`;

const figure = (value, unit) => (unit === 'x' ? `${value.toFixed(2)}x` : `${value < 100 ? value.toPrecision(3) : thousands(value)} ${unit}`);

function verdict(value, atLeast, aim, less) {
  const reaches = (goal) => goal !== undefined && (less ? value <= goal : value >= goal);
  if (reaches(aim)) return 'aim';
  return reaches(atLeast) ? 'yes' : 'NO';
}

export function heading(title) {
  console.log(`\n${title}`);
  console.log(`${''.padEnd(76)} ${'measured'.padStart(14)} ${'at least'.padStart(14)} ${'aim'.padStart(14)}  met`);
}

// `less`: the smaller, the better. `details`: lines below the row.
export function row(what, value, unit, { atLeast, aim, less = false } = {}, details = []) {
  if (!Number.isFinite(value)) {
    missing(what, `nothing was answered in time; ${details.join('; ')}`);
    return;
  }
  const cell = (goal) => (goal === undefined ? '' : figure(goal, unit)).padStart(14);
  const met = atLeast === undefined && aim === undefined ? '' : verdict(value, atLeast, aim, less);
  console.log(`${what.padEnd(76)} ${figure(value, unit).padStart(14)} ${cell(atLeast)} ${cell(aim)}  ${met}`);
  for (const line of details) console.log(`    ${line}`);
}

export function missing(what, why) {
  console.log(`${what.padEnd(76)} ${'-'.padStart(14)}  ${why}`);
}
