// What the service refuses has words in each language of the pages: for every sentence of its C sources that a page may receive.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { isKnown, literalsOf, refusalsIn, sentences } from './support/refusals.mjs';

const pages = new URL('../../web-static/', import.meta.url);

// What the pages' scripts find in a browser.
Object.defineProperty(globalThis, 'document', { value: { documentElement: { dataset: {} } } });
Object.defineProperty(globalThis, 'localStorage', { value: { getItem: () => 'de' } });
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['de-DE'] }, configurable: true });
const { languages } = await import(new URL('lib/words.js', pages));
const { expressionOf, readRefusals, refusalWords } = await import(new URL('refusals/refusals.js', pages));

const refusals = new Map();
for (const language of languages) refusals.set(language, await refusalsIn(language));
const hasValues = (sentence) => /\{\w+\}/.test(sentence);

// Whether there are words for a text of the sources: a sentence, or the end of one with values.
const hasWords = (words, text) => Object.hasOwn(words, text) || Object.keys(words).some((each) => hasValues(each) && (each.includes(text) || expressionOf(each).test(text)));
const valuesOf = (text) => [...new Set(text.match(/\{\w+\}/g))];

describe('what the service refuses', () => {
  it('is found in its sources', () => {
    assert.ok(sentences.length > 800);
    for (const each of ['The table\'s game has started.', 'The game of this table has started.', 'must name a host on the public internet.', 'This event is not a ladder.', 'There is no such table in a round that has started.'])
      assert.equal(sentences.some(({ text }) => text === each), !each.startsWith('The table'), each);
    assert.deepEqual(literalsOf('/* "no" */ f(a ? "One"\n  " two." : "3 \\"x\\"");').map(({ text, line }) => [text, line]), [['One two.', 1], ['3 "x"', 2]]);
    assert.deepEqual(literalsOf('#define TWO \\\n  " two."\nf("One" TWO);').map(({ text, line }) => [text, line]), [['One two.', 3]]);
  });

  for (const [language, words] of refusals) {
    if (language !== 'en') it(`has words for each sentence in ${language}`, () => {
      assert.deepEqual(sentences.filter(({ text }) => !hasWords(words, text)), []);
    });

    it(`has no words for what nobody says in ${language}`, () => {
      assert.ok(Object.keys(words).length > 5);
      assert.deepEqual(Object.keys(words).filter((sentence) => !isKnown(sentence)), []);
    });

    it(`has words with no other values than its sentence in ${language}`, () => {
      assert.deepEqual(Object.entries(words).filter(([sentence, its]) => its.trim() === '' || valuesOf(its).some((value) => !valuesOf(sentence).includes(value))), []);
    });
  }

  it('would be found to have no words', () => {
    const words = { 'The game is over.': 'Die Partie ist zu Ende.', 'The field {field} is needed.': 'Die Angabe {field} fehlt.' };
    assert.deepEqual(['The game is over.', ' is needed.', 'is over.', 'The game is over'].map((text) => hasWords(words, text)), [true, true, false, false]);
    assert.deepEqual(['The field {field} is needed.', 'The field {field} is wanted.', 'The game of this table has started.', 'The game of that table has started.'].map(isKnown), [true, false, true, false]);
  });
});

describe('a refusal in German', () => {
  it('has the values of its sentence', async () => {
    assert.equal(refusalWords('The game is over.'), null);
    await readRefusals();
    for (const [sentence, words] of [
      ['The game is over.', 'Die Partie ist zu Ende.'],
      ['must be a whole number from 2 to 5.', 'Bitte eine ganze Zahl von 2 bis 5.'],
      ['must be a whole number from 2 to 2.', 'Möglich ist hier nur 2.'],
      ['must not have U+200B there: it cannot be seen.', 'Das Zeichen U+200B ist an dieser Stelle nicht erlaubt.'],
      ['No result has been stored. Line 3: There is no such table in this round.', 'Es wurde kein Ergebnis gespeichert. Zeile 3: Einen solchen Tisch gibt es in dieser Runde nicht.'],
      ['There is not enough memory for the bracket.', 'Dafür reicht der Speicher des Dienstes gerade nicht. Bitte versuchen Sie es gleich noch einmal.'],
    ]) assert.equal(refusalWords(sentence), words);
    assert.equal(refusalWords('Nobody says this.'), null);
  });
});
