#!/usr/bin/env node
// The positions that the pages of the games show (web-static/rules/rules.js draws them): from games that the engine's adviser
// plays, each up to the first position that shows what is meant.
//
//     node tests/pictures.mjs [BUILD]      writes web-static/rules/<slug>.json
//
// tests/engine/wasm/pictures.test.mjs compares.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { Practice } from '../web-static/practice/practice.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const begins = (verb) => ({ legal }) => legal.some((move) => move.startsWith(`${verb} `));
const at = (decision, after = 0) => ({ view, seq }) => seq >= after && view.decision === decision;

// What a picture shows: `part`, a selector in the board that is drawn; `when`, of what position; `seed`, a byte of the game's;
// `choose`, what the player does up to there where that is not the adviser's move; `planned`, with the adviser's move marked.
const pictures = {
  shinjuku: { seats: 3, of: {
    map: { part: '.map', seed: 7, when: ({ seq }) => seq >= 0 },
    queue: { part: '.queue', seed: 7, when: ({ seq }) => seq >= 0 },
    hand: { part: '#player-0', seed: 7, when: ({ seq, view }) => seq >= 40 && view.players[0].wild_wards.filter((ward) => view.players[0].hand[ward] > 0).length > 1 },
    ride: { part: '.map', seed: 7, when: ({ seq, view }) => seq >= 60 && view.movement !== null && Object.keys(view.stores).length > 7 },
    late: { part: '.map', seed: 7, when: ({ seq, view }) => seq >= 100 && Object.values(view.stores).filter(({ sells }) => sells === 'department').length > 3 },
  } },
  'superstore-3000': { seats: 2, of: {
    mall: { part: '.own-mall .mall', seed: 14, when: ({ seq }) => seq >= 30 },
    dispenser: { part: '.dispenser .slots', seed: 3, when: ({ seq }) => seq >= 10 },
    attractions: { part: '#attractions .attraction-cards', seed: 3, when: ({ seq, view }) => seq >= 16 && view.common_attractions.some((each) => each.met_by.length > 0) },
    bays: { part: '#bays .bays', seed: 3, when: ({ seq }) => seq >= 0 },
    points: { part: '#points .scroll', seed: 3, when: ({ seq }) => seq >= 40 },
  } },
  'super-motherload': { seats: 2, of: {
    mine: { part: '.shaft', seed: 4, when: at('main') },
    crew: { part: '#player-0 .stacks', seed: 4, when: at('main', 40) },
    drill: { part: '.shaft', seed: 4, when: ({ view, seq }) => seq > 12 && view.decision === 'place' && view.turn.act.length > 2, planned: true },
    goals: { part: '.achievements', seed: 4, when: at('main') },
  } },
  'mall-world': { seats: 3, of: {
    plan: { part: '.plan', seed: 5, when: ({ seq, view }) => seq >= 60 && view.round > 1 },
    hand: { part: '#player-0', seed: 5, when: at('PROGRESS', 8) },
    lobby: { part: '#lobby', seed: 5, when: at('ACCEPT') },
    auction: { part: '.auction', seed: 5, when: at('BID'), choose: ({ legal }) => legal.find((move) => /^offer (\S+ ){2}\S+$/.test(move)) ?? legal.find((move) => /^offer \S+ \S+$/.test(move)) },
  } },
  supermarche: { seats: 1, of: {
    shelves: { part: '.shelves', seed: 6, when: at('stocking', 40) },
    customers: { part: '.customers', seed: 6, when: at('choose') },
    trip: { part: '.trip', seed: 6, when: (position) => position.view.decision === 'pay' && begins('pay')(position) && position.view.trip.coupon !== null && position.view.trip.takings > 0 },
  } },
};

function find(practice, slug, seats, name, { part, seed, when, choose, planned }) {
  practice.start({ slug, seats, own: 0, seed: seed.toString(16).padStart(2, '0').repeat(32) });
  for (;;) {
    const position = practice.position();
    if (position.deciders.length === 0) throw new Error(`${slug}: nothing is like ${name}`);
    if (when(position)) return { part, planned: planned ? practice.advice().split(' ') : null, view: position.view };
    practice.move([choose?.(position) ?? practice.advice()], 0);
  }
}

// Slug -> the text of its file.
export async function picturesOf(build) {
  const practice = await Practice.make(readFileSync(path.join(build, 'practice.wasm')));
  return new Map(Object.entries(pictures).map(([slug, { seats, of }]) => {
    const found = Object.entries(of).map(([name, wanted]) => `  ${JSON.stringify(name)}: ${JSON.stringify(find(practice, slug, seats, name, wanted))}`);
    return [slug, `{"seats": ${seats}, "pictures": {\n${found.join(',\n')}\n}}\n`];
  }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const build = path.resolve(process.argv[2] ?? path.join(root, 'build/release'));
  for (const [slug, text] of await picturesOf(build)) writeFileSync(path.join(root, `web-static/rules/${slug}.json`), text);
}
