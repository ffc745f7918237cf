// Plants leaks in the views and stories of all games, one at a time, and counts which of them the
// twins find (tests/engine/game/test_twins.c). The leaks are generated from the sources:
//
//   condition   every place where a view or story asks who looks, or whether the game is over, answers
//               itself in favour of the viewer
//   field       every field of the state that holds something hidden gets out: all of it, its next
//               item, or one bit; to everybody, always or seldom, to spectators, to another seat; in a view
//               or a story
//
// All are compiled at once, and a number says which is in force. A mutant that no twin could tell
// from the game, because what it shows may be known, is listed below with the reason.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const build = path.resolve(root, process.env.TILLROLL_BUILD ?? 'build/release');

// What is hidden where. `next`: index of the item that is drawn next. `seat`: one entry a seat.
const games = {
  'mall-world': {
    prefix: 'mall_world',
    hidden: {
      held: { seat: true }, hand: { seat: true }, coins: { seat: true }, bid: { seat: true }, bids_in: {}, boxed: {},
      stack: { next: 'stack_next' }, orders: { next: 'orders_next' },
    },
  },
  shinjuku: {
    prefix: 'shinjuku',
    hidden: { hand: { seat: true }, earned: { seat: true }, deck: { next: 'deck_next' }, bag: { next: 'bag_next' } },
  },
  'super-motherload': {
    prefix: 'motherload',
    hidden: {
      hand: { seat: true }, artifacts: { seat: true }, pile: { seat: true, next: 'pile_next' }, side: {}, minor_deck: { next: '' },
      artifact_pile: { next: 'artifact_next' },
    },
  },
  supermarche: { prefix: 'supermarche', hidden: { deck: { next: 'round * 5' }, costs: { next: 'round' } } },
  'superstore-3000': { prefix: 'superstore', hidden: { supply: { next: 'supply_next' }, 'mall[SEAT].card': { one: true } } },
};

// What a view asks, and the answer that tells too much.
const conditions = [
  [/\bview_is_open_to\((?:[^()]|\([^()]*\))*\)/g, true],
  [/\bis_over\(state\)/g, true],
  [/\bstate->point == AT_OVER/g, true],
  [/\bstate->point != AT_OVER/g, false],
  [/\bstate->point != AT_BID/g, true],
  [/\bviewer\.kind == VIEWER_\w+/g, true],
  [/\bviewer\.seat == (?:seat|ply->seat)\b/g, true],
  [/\bmay_see_card\(state, viewer, seat\)/g, true],
  [/\bsuperstore_has_night_club\(&state->mall\[seat\]\)/g, true],
  [/\bis_face_up\(state, position\)/g, true],
  [/\bstate->row\[[^\]]+\] != CARD_\w+/g, true],
  [/\bstate->row\[[^\]]+\] == CARD_DOWN/g, false],
  [/\(state->discarded >> i & 1\) != 0 && !is_over/g, '0 && !is_over'],
  [/\bi >= first \+ ROW\b/g, false],
  [/\[state->round - 1\]/g, '[state->round % COST_CARDS]'],
  [/\bstate->minor_deck_count - state->minor_deck_known\b/g, '0'],
];

// What would show nothing that is hidden: [file, part of the line, why].
const harmless = [
  ['mall-world/view.c', 'is_over(state) ? NULL : mall_world_point_name', 'who decides goes away'],
  ['shinjuku/view.c', 'bool over = state->point == AT_OVER;', 'who decides goes away'],
  ['super-motherload/view.c', 'bool over = state->point == AT_OVER;', 'who decides goes away'],
  ['superstore-3000/view.c', 'state->point == AT_OVER ? NULL : decision', 'who decides goes away'],
  ['superstore-3000/view.c', 'view_outcome(game, state, state->point == AT_OVER', 'a card counts only when it is built, and so seen'],
  ['supermarche/view.c', 'view_set(view, "over"', 'a word'],
  ['supermarche/view.c', 'view_outcome(game, state, is_over(state)', 'money and rounds are open'],
];

// Leaks of a field that let nothing hidden out: [file, what of it and to whom, why].
const empty = [
  ['mall-world/events.c', /^(all|one bit) of bids?(_in)? to everybody, after some plies$/,
    'they show bids where the last ply has left notes; a bid that waits leaves none (tests/engine/games/mall-world/test_mall_world_auction.c), so these are open'],
];

const mutants = []; // { game, file, what }
const known = new Set(); // those of `harmless` that were met
function add(mutant) {
  mutants.push(mutant);
  return mutants.length;
}

// The source with every condition under the rule of its number.
function plantConditions(game, file, source) {
  return source.split('\n').map((line) => {
    const whole = line.trim();
    if (/^\s*(\*|\/\*)/.test(line) || /^(static )?\w[\w *]*\(/.test(line)) return line;
    const found = conditions.flatMap(([pattern, answer]) =>
      [...line.matchAll(pattern)].map((match) => ({ at: match.index, text: match[0], answer })));
    const outer = found.filter((one) => !found.some((other) => other !== one && other.at <= one.at && other.text.length > one.text.length && one.at < other.at + other.text.length));
    for (const { at, text, answer } of outer.sort((a, b) => b.at - a.at)) {
      const excuse = harmless.find(([where, part]) => where === `${game}/${file}` && whole.includes(part));
      if (excuse !== undefined) {
        known.add(excuse);
        continue;
      }
      const number = add({ game, kind: 'condition', file, what: `${text} in \`${whole}\`` });
      let planted;
      if (typeof answer === 'boolean') planted = `(view_mutant == ${number} ? ${answer} : (${text}))`;
      else if (answer.startsWith('[')) planted = `[view_mutant == ${number} ? ${answer.slice(1, -1)} : ${text.slice(1, -1)}]`;
      else if (answer.startsWith('0 &&')) planted = `${text.replace(/ && !is_over$/, '')} && view_mutant != ${number} && !is_over`;
      else planted = `(view_mutant == ${number} ? ${answer} : ${text})`;
      line = line.slice(0, at) + planted + line.slice(at + text.length);
    }
    return line;
  }).join('\n');
}

const viewers = {
  everybody: 'true',
  spectators: 'viewer.kind == VIEWER_SPECTATOR',
  'everybody, after some plies': 'leaking->STEPS % 4 == 3',
  'the next seat': 'viewer.kind == VIEWER_SEAT && viewer.seat == (leak_seat + 1) % state_seats',
};

// Statements that let a field out where `into` is written.
function leaks(game, file, into) {
  const statements = [];
  const { prefix, hidden } = games[game];
  for (const [field, { seat, one, next }] of Object.entries(hidden)) {
    const item = seat ? `leaking->${field}[leak_seat]` : `leaking->${field.replace('SEAT', 'leak_seat')}`;
    const shapes = { all: `leak_hash(&${item}, sizeof ${item})`, 'one bit': `(leak_hash(&${item}, sizeof ${item}) & 1)` };
    if (next !== undefined) {
      const index = next === '' ? '0' : seat ? `leaking->${next}[leak_seat]` : `leaking->${next}`;
      shapes['next item'] = `${item}[${index} % sizeof ${item}]`;
    }
    for (const [shape, value] of Object.entries(shapes))
      for (const [who, condition] of Object.entries(viewers)) {
        if (who === 'the next seat' && !seat && !one) continue;
        if (game === 'supermarche' && who === 'the next seat') continue;
        const what = `${shape} of ${field} to ${who}`;
        if (empty.some(([where, pattern]) => where === `${game}/${file}` && pattern.test(what))) continue;
        const number = add({ game, kind: 'field', file, what });
        statements.push(`    if (view_mutant == ${number})
        for (unsigned leak_seat = 0; leak_seat < state_seats; leak_seat++)
            if (${condition.replace('STEPS', prefix === 'superstore' ? 'steps' : 'notes')})
                ${into(value)};`);
      }
  }
  return `    const struct ${prefix}_state *leaking = LEAKING;\n    unsigned state_seats = ${game === 'supermarche' ? '1' : 'leaking->seats'};\n    (void)state_seats;\n${statements.join('\n')}\n`;
}

const toView = (value) => `json_object_set_new(view, "leak", json_integer((json_int_t)${value}))`;
const toStory = (value) => `json_array_append_new(telling.list, json_integer((json_int_t)${value}))`;

const head = `#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
extern int view_mutant;
__attribute__((unused)) static uint32_t leak_hash(const void *bytes, size_t count)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 16777619u;
    return hash ^ hash >> 15;
}
`;

const leakBefore = (source, end, statements) => {
  const at = source.lastIndexOf(end);
  if (at < 0) throw new Error(`no \`${end.trim()}\``);
  return source.slice(0, at) + statements + source.slice(at);
};

// { file: source } of all that is compiled anew. Whoever changes a line that is listed as harmless changes the list.
export function plantAll() {
  const sources = {};
  mutants.length = 0;
  const shared = readFileSync(path.join(root, 'engine/game/view_parts.c'), 'utf8');
  sources['view_parts.c'] = head + plantConditions('shared', 'view_parts.c', shared);
  for (const game of Object.keys(games)) {
    const read = (file) => plantConditions(game, file, readFileSync(path.join(root, 'engine/games', game, file), 'utf8'));
    const view = read('view.c');
    sources[`${game}-view.c`] = head + leakBefore(view, '    return view;', leaks(game, 'view.c', toView).replace('LEAKING', 'state'));
    const events = read('events.c');
    sources[`${game}-events.c`] = head + leakBefore(events, '    return telling.list;', leaks(game, 'events.c', toStory).replace('LEAKING', 'after'));
  }
  for (const each of harmless) if (!known.has(each)) throw new Error(`tests/mutants/views.mjs lists a line as harmless that is not there: ${each.join(', ')}`);
  sources['mutant.c'] = `#include <stdlib.h>
extern int view_mutant;
int view_mutant;
__attribute__((constructor)) static void choose(void)
{
    const char *number = getenv("TILLROLL_MUTANT");
    view_mutant = number == NULL ? 0 : atoi(number);
}
`;
  return sources;
}

function compile(sources) {
  const directory = path.join(build, 'tests/mutants');
  mkdirSync(directory, { recursive: true });
  const objects = Object.entries(sources).map(([file, source]) => {
    const from = path.join(directory, file);
    writeFileSync(from, source);
    execFileSync('sh', ['-c', 'command -v ccache >/dev/null && exec ccache cc "$@"; exec cc "$@"', 'sh',
      '-std=c17', '-O1', '-D_GNU_SOURCE', `-I${root}`, '-c', from, '-o', `${from}.o`]);
    return `${from}.o`;
  });
  const program = path.join(directory, 'test_twins');
  execFileSync('cc', [...objects, path.join(build, 'tests/CMakeFiles/test_twins.dir/engine/game/test_twins.c.o'),
    path.join(build, 'tests/libtest_support.a'), path.join(build, 'libengine.a'), '-lcmocka', '-ljansson', '-lsodium', '-lm', '-o', program]);
  return program;
}

function isCaught(program, number, game) {
  const list = game === 'shared' ? Object.keys(games) : [game];
  return list.some((slug) => spawnSync(program, [slug], { env: { ...process.env, TILLROLL_MUTANT: String(number) }, stdio: 'ignore' }).status !== 0);
}

// Tries every `step`-th mutant: { tried, caught, survived: [mutant], rows }.
export function tryMutants(step = 1) {
  const program = compile(plantAll());
  if (Object.keys(games).some((slug) => isCaught(program, 0, slug))) throw new Error('the twins fail without a mutant');
  const survived = [];
  const rows = {};
  let tried = 0;
  for (let i = 0; i < mutants.length; i += step) {
    const mutant = mutants[i];
    const row = (rows[`${mutant.game} ${mutant.kind}`] ??= { planted: 0, caught: 0 });
    tried++;
    row.planted++;
    if (isCaught(program, i + 1, mutant.game)) row.caught++;
    else survived.push(mutant);
  }
  return { tried, caught: tried - survived.length, survived, rows };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.env.TILLROLL_LONG ??= '1';
  const { tried, caught, survived, rows } = tryMutants();
  console.log('| leaks | planted | caught |\n|---|---|---|');
  for (const [name, row] of Object.entries(rows)) console.log(`| ${name} | ${row.planted} | ${row.caught} |`);
  for (const { game, file, what } of survived) console.log(`survived: ${game}/${file}: ${what}`);
  console.log(`${caught} of ${tried} caught, ${Math.floor((1000 * caught) / tried) / 10} %`);
  process.exit(caught / tried >= 0.95 ? 0 : 1);
}
