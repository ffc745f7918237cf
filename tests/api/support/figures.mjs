// Prometheus' text format, read as strictly as its documentation has it.
import assert from 'node:assert/strict';

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const label = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const sampleForm = new RegExp(`^(${name})(?:\\{((?:${label})(?:,${label})*)\\})? (-?[0-9.eE+-]+|[+-]Inf|NaN)$`);

// { families: Map(name -> { type, help, samples: [{ name, labels, value }] }), value(name, labels) }
export function readFigures(text) {
  const families = new Map();
  assert.ok(text.endsWith('\n'));
  let family;
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (comment?.[1] === 'HELP') {
      assert.ok(!families.has(comment[2]), `${comment[2]} twice`);
      family = { name: comment[2], help: comment[3], samples: [] };
      families.set(family.name, family);
      continue;
    }
    if (comment?.[1] === 'TYPE') {
      assert.equal(comment[2], family.name);
      assert.equal(family.type, undefined);
      assert.match(comment[3], /^(counter|gauge|histogram)$/);
      family.type = comment[3];
      continue;
    }
    const found = sampleForm.exec(line);
    assert.ok(found, `not a sample: ${line}`);
    const labels = Object.fromEntries([...(found[2] ?? '').matchAll(/([a-zA-Z0-9_]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
    const suffixes = family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    assert.ok(suffixes.some((suffix) => found[1] === family.name + suffix), `${line} under ${family.name}`);
    family.samples.push({ name: found[1], labels, value: Number(found[3]) });
  }
  const figures = { families, value: (wanted, labels = {}) => sum(families, wanted, labels) };
  for (const each of families.values()) checkFamily(each);
  return figures;
}

const without = ({ le, ...labels }) => JSON.stringify(labels);

function checkFamily({ name: title, type, samples }) {
  const keys = samples.map((each) => `${each.name} ${JSON.stringify(each.labels)}`);
  assert.equal(new Set(keys).size, keys.length, `${title} has a sample twice`);
  assert.equal(type === 'counter', title.endsWith('_total'), title);
  for (const each of samples) assert.ok(each.value >= 0, title);
  if (type !== 'histogram') return;
  for (const labels of new Set(samples.map((each) => without(each.labels)))) {
    const own = samples.filter((each) => without(each.labels) === labels);
    const buckets = own.filter((each) => each.name.endsWith('_bucket'));
    const bounds = buckets.map((each) => Number(each.labels.le.replace('+Inf', 'Infinity')));
    assert.deepEqual(bounds, bounds.toSorted((a, b) => a - b), title);
    assert.equal(bounds.at(-1), Infinity);
    for (const [i, each] of buckets.entries()) assert.ok(i === 0 || each.value >= buckets[i - 1].value, title);
    assert.equal(own.find((each) => each.name.endsWith('_count')).value, buckets.at(-1).value);
    assert.ok(own.some((each) => each.name.endsWith('_sum')));
  }
}

// What all these services have counted together.
export async function countAll(clients, wanted) {
  const texts = await Promise.all(clients.map(async (client) => (await client.get('/metrics')).text));
  return texts.reduce((total, text) => total + readFigures(text).value(wanted), 0);
}

// The sum of all samples that have these labels.
function sum(families, wanted, labels) {
  const family = families.get(wanted) ?? families.get(wanted.replace(/_(bucket|sum|count)$/, ''));
  assert.ok(family, `there is no ${wanted}`);
  return family.samples
    .filter((each) => each.name === wanted && Object.entries(labels).every(([key, value]) => each.labels[key] === String(value)))
    .reduce((total, each) => total + each.value, 0);
}
