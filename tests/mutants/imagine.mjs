// Plants leaks and faults in how games are imagined, one at a time, and counts which of them are found by the
// twins (tests/engine/game/test_imagine.c) or by the tests of small positions (test_*_imagine.c of each game):
//
//   true state   nothing is dealt anew
//   kept         what is hidden stays as it is: all of a field, the next item of a pile; always or seldom
//   luck         what is hidden decides how the rest is dealt: one bit of it gets into the luck
//   fault        a line of the sources is another one: an order that shows through, deals that are not equally
//                likely, things that are forgotten, or remembered that were not seen
//
// `node tests/mutants/imagine.mjs [PATTERN]` tries those that match: 'shinjuku fault'.
//
// Faults are compiled one by one; of the rest a number says which is in force.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const build = path.resolve(root, process.env.TILLROLL_BUILD ?? 'build/release');

// Where a game imagines, its test, and what is hidden: `next` is the item that is drawn next.
const games = {
  'mall-world': {
    prefix: 'mall_world', file: 'recall.c',
    hidden: { held: {}, hand: {}, bid: {}, bids_in: {}, boxed: {}, stack: { next: 'stack_next', end: 'stack_end' }, orders: { next: 'orders_next', end: 'orders_end' } },
  },
  shinjuku: {
    prefix: 'shinjuku', file: 'recall.c',
    hidden: { hand: {}, older: {}, blurred: {}, deck: { next: 'deck_next', end: 'deck_end' }, bag: { next: 'bag_next', end: 'bag_end' } },
  },
  'super-motherload': {
    prefix: 'motherload', file: 'piles.c',
    hidden: {
      hand: {}, artifacts: {}, pile: {}, side: {}, minor_deck: {}, 'pile[0]': { next: 'pile_next[0]', end: 'pile_end[0]' },
      artifact_pile: { next: 'artifact_next', end: 'artifact_next + (ARTIFACT_TILES - state->artifact_next)' },
    },
  },
  supermarche: { prefix: 'supermarche', file: 'luck.c', hidden: { deck: {}, costs: { next: 'round', end: 'round + (COST_CARDS - state->round)' } } },
  'superstore-3000': { prefix: 'superstore', file: 'superstore.c', hidden: { supply: { next: 'supply_next', end: 'supply_end' }, 'mall[1].card': {}, 'mall[0].card': {} } },
};

// [file, line as it is, line as it would be, what]. A line stands once in its file.
const faults = [
  ['game/unseen.c', '    sort(items, count);', '', 'the order before shows through'],
  ['game/unseen.c', '    chance_shuffle(stream, items, count);', '', 'nothing is shuffled'],
  ['game/unseen.c', '    chance_shuffle(stream, items, count);', '    chance_shuffle(stream, items, count > 2 ? count - 1 : count);', 'the last item stays'],
  ['game/unseen.c', '    chance_shuffle(stream, items, count);', '    chance_shuffle(stream, items, count); if (count > 2 && items[0] > items[1]) { uint8_t item = items[0]; items[0] = items[1]; items[1] = item; }', 'some orders are likelier'],
  ['shinjuku/recall.c', '    state->known[seat][ward]++;', '', 'cards from the Queue are forgotten'],
  ['shinjuku/recall.c', '        state->known[payer][ward]--;', '', 'a card that was paid is still known'],
  ['shinjuku/recall.c', '    if (state->older[payer][ward] > 0)', '    if (0)', 'an older card that was paid is still there'],
  ['shinjuku/recall.c', '    state->blurred = 0;\n    for', '    for', 'what is blurred stays so'],
  ['shinjuku/recall.c', '                (uint8_t)(state->hand[seat][ward] - state->known[seat][ward]);', '                0;', 'the pile that a card is from is forgotten'],
  ['shinjuku/recall.c', '            state->blurred |= (uint8_t)(1u << viewer);', '            continue;', 'nobody is in doubt'],
  ['shinjuku/recall.c', '    return elsewhere > 0 && older > 0 && younger > 0;', '    return older > 0 && younger > 0;', 'too many are in doubt'],
  ['shinjuku/recall.c', '            unsigned old = blurred ? 0 : state->older[seat][ward];', '            unsigned old = 0 * blurred;', 'older and later cards are taken as one'],
  ['shinjuku/recall.c', '            unsigned old = blurred ? 0 : state->older[seat][ward];', '            unsigned old = state->older[seat][ward] + 0 * blurred;', 'those in doubt are told'],
  ['shinjuku/recall.c', '    while (!can_pay(set, state));', '    while (0);', 'who pays might hold nothing to pay with'],
  ['shinjuku/recall.c', '    state->deck_words = 0;', '', 'how many words the shuffles took'],
  ['shinjuku/recall.c', '    memset(state->deck, 0, state->deck_next);', '', 'cards that were drawn'],
  ['shinjuku/recall.c', '    memset(state->note, 0, sizeof state->note);', '', 'what the last ply drew'],
  ['mall-world/recall.c', '            state->known[seat][card]--;', '            continue;', 'a card that left is still known'],
  ['mall-world/recall.c', '            bar(state, seat, state->single[seat]);', '            continue;', 'the single card may be there once more'],
  ['mall-world/recall.c', '        bar(state, seat, cards);', '        bar(state, seat, 0);', 'passing tells nothing'],
  ['mall-world/recall.c', '    if (number >= left)', '    if (left == 0)', 'deals are not equally likely'],
  ['mall-world/recall.c', '    return singles <= 1;', '    return true;', 'single cards come in pairs'],
  ['mall-world/recall.c', '    for (size_t i = 0; state->reshuffles == 0 && i < count; i++)', '    for (size_t i = 0; i < count; i++)', 'hands hold cards that were discarded since'],
  ['mall-world/recall.c', '    memset(state->stack, 0, state->stack_next);', '', 'cards that were dealt'],
  ['mall-world/recall.c', '    if (state->point == AT_BID)', '    if (0)', 'bids are kept'],
  ['mall-world/recall.c', '        orders |= own;', '        orders |= own; if (own != 0 && seat == 1) own = 0;', 'special orders are doubled'],
  ['super-motherload/piles.c', '    state->known[seat][card]++;', '', 'cards bought to the hand are forgotten'],
  ['super-motherload/piles.c', '    *known = (uint8_t)(*known > count ? *known - count : 0);', '    (void)known;', 'a card that left is still known'],
  ['super-motherload/piles.c', '    memcpy(state->known[seat], state->hand[seat], CARDS);', '', 'what a shuffle tells is forgotten'],
  ['super-motherload/piles.c', '    for (unsigned depth = seen; state->sides_drawn && depth < DEPTHS; depth++)', '    for (unsigned depth = seen + 1; state->sides_drawn && depth < DEPTHS; depth++)', 'the next board is kept'],
  ['super-motherload/piles.c', '                        (size_t)(state->minor_deck_count - state->minor_deck_known));', '                        (size_t)(state->minor_deck_count));', 'what lies under the deck is forgotten'],
  ['super-motherload/piles.c', '    memset(state->pile[seat], 0, state->pile_next[seat]);', '', 'cards that were drawn'],
  ['super-motherload/piles.c', '    memset(state->artifact_pile, 0, state->artifact_next);', '', 'tiles that were found'],
  ['super-motherload/piles.c', '    memset(state->note, 0, sizeof state->note);', '', 'what the last ply drew'],
  ['supermarche/luck.c', '    supermarche_drop_dice(state);\n    memset', '    memset', 'dice that were thrown ahead'],
  ['supermarche/luck.c', '    memset(state->dice_words, 0, sizeof state->dice_words);\n    memset(state->note', '    memset(state->note', 'how many words the dice took'],
  ['superstore-3000/superstore.c', '        unseen_add(&unseen, (uint8_t)card, !seen[card]);', '        unseen_add(&unseen, (uint8_t)card, 1);', 'a card is there twice'],
];

// What nobody can tell from the game: [what, why].
const harmless = [
  ['how many words the dice took', 'a throw takes one word but once in a thousand million times'],
  ['how many words the shuffles took', 'shuffles take the same number of words but once in millions'],
];

const mutants = []; // { game, kind, what }
function add(mutant) {
  mutants.push(mutant);
  return mutants.length;
}

const head = `#include <stddef.h>
#include <stdint.h>
#include <string.h>
extern int imagine_mutant;
__attribute__((unused)) static uint32_t leak_hash(const void *bytes, size_t count)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 16777619u;
    return hash ^ hash >> 15;
}
`;

// The source, marked where faults go, with what would stand there and its number.
function plantFaults(game, name, source) {
  const here = faults.filter(([file, , , what]) => file === name && !harmless.some(([spared]) => spared === what));
  const lines = new Map();
  for (const [, line, other, what] of here) {
    if (source.split(line).length !== 2) throw new Error(`${name}: \`${line.trim()}\` stands ${source.split(line).length - 1} times`);
    lines.set(line, [...(lines.get(line) ?? []), { other, number: add({ game, kind: 'fault', what }) }]);
  }
  for (const [line, others] of lines)
    source = source.replace(line, () => `\0PLANT${others.map(({ other, number }) => `\0${number}\0${other}`).join('')}\0\0${line}\0END\0`);
  return source;
}

// The source without faults, and one for each: they are few, so each is compiled by itself.
function variants(source) {
  const pattern = /\0PLANT((?:\0\d+\0[^\0]*)*)\0\0([^\0]*)\0END\0/g;
  const plain = source.replace(pattern, (_, others, line) => line);
  const result = [];
  for (const match of source.matchAll(pattern))
    for (const [, number, other] of match[1].matchAll(/\0(\d+)\0([^\0]*)/g))
      result.push({ number: Number(number), source: source.replace(pattern, (whole, others, line) => (whole === match[0] ? other : line)) });
  return { plain, result };
}

// What a game keeps back, or lets into its luck, around its honest function.
function wrapper(game) {
  const { prefix, hidden } = games[game];
  const before = [];
  const after = [];
  for (const [field, { next, end }] of Object.entries(hidden)) {
    for (const [when, condition] of [['always', '1'], ['seldom', 'leak_hash(&was, sizeof was) % 8 == 3']]) {
      const kept = add({ game, kind: 'kept', what: `all of ${field}, ${when}` });
      after.push(`    if (imagine_mutant == ${kept} && ${condition})
        memcpy(&state->${field}, &was.${field}, sizeof was.${field});`);
      const luck = add({ game, kind: 'luck', what: `one bit of ${field}, ${when}` });
      before.push(`    if (imagine_mutant == ${luck} && ${condition})
        luck.seed[5] ^= (uint8_t)(leak_hash(&was.${field}, sizeof was.${field}) & 1);`);
      if (next === undefined) continue;
      const first = add({ game, kind: 'kept', what: `the next item of ${field}, ${when}` });
      after.push(`    for (unsigned i = state->${next}; imagine_mutant == ${first} && ${condition} && i < (unsigned)(state->${end}); i++)
        if (state->${field}[i] == was.${field}[was.${next}]) {
            state->${field}[i] = state->${field}[state->${next}];
            state->${field}[state->${next}] = was.${field}[was.${next}];
            break;
        }`);
    }
  }
  const nothing = add({ game, kind: 'true state', what: 'nothing is dealt anew' });
  const sight = game === 'supermarche' ? 0 : add({ game, kind: 'true state', what: 'nothing is dealt anew for seat 1' });
  return `
void ${prefix}_imagine(const struct game *game, void *opaque, struct viewer viewer, const struct chance *chance)
{
    struct ${prefix}_state *state = opaque;
    const struct ${prefix}_state was = *state;
    struct chance luck = *chance;
    if (imagine_mutant == ${nothing} || (${sight} > 0 && imagine_mutant == ${sight} && viewer.kind == VIEWER_SEAT && viewer.seat == 1))
        return;
${before.join('\n')}
    honest_imagine(game, opaque, viewer, &luck);
${after.join('\n')}
}
`;
}

const directory = path.join(build, 'tests/mutants/imagine');
function compile(file, source) {
  const from = path.join(directory, file);
  writeFileSync(from, source);
  execFileSync('sh', ['-c', 'command -v ccache >/dev/null && exec ccache cc "$@"; exec cc "$@"', 'sh', '-std=c17', '-O1', '-D_GNU_SOURCE',
    `-I${path.join(build, 'include')}`, `-I${root}`, '-c', from, '-o', `${from}.o`], { cwd: root });
  return `${from}.o`;
}

function link(name, test, objects) {
  const program = path.join(directory, name);
  const folder = path.join(build, `tests/CMakeFiles/${path.basename(test, '.c')}.dir/engine`);
  const more = test === 'game/test_imagine.c' ? [path.join(folder, 'game/set_changes.c.o')] : [];
  execFileSync('cc', [...objects, path.join(folder, `${test}.o`), ...more, path.join(build, 'tests/libtest_support.a'),
    path.join(build, 'libengine.a'), '-lcmocka', '-ljansson', '-lsodium', '-lm', '-o', program]);
  return program;
}

const testOf = (game) => `games/${game}/test_${games[game].prefix}_imagine.c`;

// { number: [programs] } for faults; { game: [programs] } for the others.
function prepare(wanted) {
  mkdirSync(directory, { recursive: true });
  const read = (name) => readFileSync(path.join(root, 'engine', name.startsWith('game/') ? '' : 'games', name), 'utf8');
  const chooser = compile('mutant.c', `#include <stdlib.h>
extern int imagine_mutant;
int imagine_mutant;
__attribute__((constructor)) static void choose(void)
{
    const char *number = getenv("TILLROLL_MUTANT");
    imagine_mutant = number == NULL ? 0 : atoi(number);
}
`);
  const programs = {};
  const sources = Object.keys(games).map((game) => {
    const { prefix, file } = games[game];
    const { plain, result } = variants(plantFaults(game, `${game}/${file}`, read(`${game}/${file}`)));
    const honest = (source) => {
      const renamed = source.replace(`void ${prefix}_imagine(`, 'static void honest_imagine(');
      if (renamed === source) throw new Error(`no ${prefix}_imagine() in ${file}`);
      return head + renamed;
    };
    const around = wrapper(game);
    return { game, plain: honest(plain) + around, result: result.map(({ number, source }) => ({ number, source: honest(source) + around })) };
  });
  for (const { game, plain, result } of sources) {
    if (!mutants.some((mutant, i) => mutant.game === game && wanted(i + 1))) continue;
    const object = compile(`${game}.c`, plain);
    programs[game] = [link(`${game}-twins`, 'game/test_imagine.c', [object, chooser]), link(`${game}-spread`, testOf(game), [object, chooser])];
    for (const { number, source } of result) {
      if (!wanted(number)) continue;
      const faulty = compile(`${game}-${number}.c`, source);
      programs[number] = [link(`${number}-twins`, 'game/test_imagine.c', [faulty, chooser]), link(`${number}-spread`, testOf(game), [faulty, chooser])];
    }
  }
  for (const { number, source } of variants(plantFaults('shinjuku', 'game/unseen.c', read('game/unseen.c'))).result) {
    if (!wanted(number)) continue;
    const faulty = compile(`unseen-${number}.c`, source);
    programs[number] = [link(`${number}-twins`, 'game/test_imagine.c', [faulty]), link(`${number}-spread`, testOf('shinjuku'), [faulty])];
  }
  return programs;
}

const isCaught = (programs, number, game) =>
  programs.some((program) => spawnSync(program, program.endsWith('-twins') ? [game] : [], { env: { ...process.env, TILLROLL_MUTANT: String(number) }, stdio: 'ignore', timeout: 120000 }).status !== 0);

// Tries every `step`-th mutant, of those that are called like `pattern`: { tried, caught, survived: [mutant], rows }.
export function tryMutants(step = 1, pattern = /./) {
  const isWanted = (i) => i % step === 0 && pattern.test(`${mutants[i].game} ${mutants[i].kind}: ${mutants[i].what}`);
  const programs = prepare((number) => isWanted(number - 1));
  for (const game of Object.keys(games)) if (game in programs && isCaught(programs[game], 0, game)) throw new Error(`the tests of ${game} fail without a mutant`);
  const survived = [];
  const rows = {};
  let tried = 0;
  for (const [i, mutant] of mutants.entries()) {
    if (!isWanted(i)) continue;
    const row = (rows[`${mutant.game} ${mutant.kind}`] ??= { planted: 0, caught: 0 });
    tried++;
    row.planted++;
    if (isCaught(programs[i + 1] ?? programs[mutant.game], i + 1, mutant.game)) row.caught++;
    else survived.push(mutant);
  }
  return { tried, caught: tried - survived.length, survived, rows };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { tried, caught, survived, rows } = tryMutants(1, new RegExp(process.argv[2] ?? '.'));
  console.log('| leaks and faults | planted | caught |\n|---|---|---|');
  for (const [name, row] of Object.entries(rows)) console.log(`| ${name} | ${row.planted} | ${row.caught} |`);
  for (const { game, what } of survived) console.log(`survived: ${game}: ${what}`);
  console.log(`${caught} of ${tried} caught`);
  process.exit(caught === tried ? 0 : 1);
}
