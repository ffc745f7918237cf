// Building a move out of its words. Legal moves are texts in the game's notation; each thing a player
// chooses leaves fewer of them, until one is left.
//
// Words are chosen in two ways. The list beside the board goes from the first word to the last: what is
// chosen there is the move's beginning. On the board things are clicked in any order: each click is a
// pick, which says of a move that it has a word somewhere.

// Where moves are to be chosen with few taps, so many can stand side by side.
const fewMoves = 20;

// A pick: { tokens, place, verbs }.
//   tokens  one word that the move has (twice, if it is picked twice), or several words that stand side
//           by side in it, in either order
//   place   the word's number in the move, from 0; null = anywhere
//   verbs   first words of the moves that the pick is good for; null = all
export function pickOf(element) {
  const { token, place, verbs } = element.dataset;
  return { tokens: token.split(" "), place: place === undefined ? null : Number(place), verbs: verbs === undefined ? null : verbs.split(" ") };
}

const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function hasSideBySide(words, [first, ...rest]) {
  return words.some((_, i) => [first, ...rest].every((token, k) => words[i + k] === token) || [first, ...rest].every((token, k) => words[i - k] === token));
}

function fits(words, pick) {
  if (pick.verbs !== null && !pick.verbs.includes(words[0])) return false;
  if (pick.tokens.length > 1) return hasSideBySide(words, pick.tokens);
  return pick.place === null || words[pick.place] === pick.tokens[0];
}

const times = (words, token) => words.filter((each) => each === token).length;

// How often each word is in all of the moves.
function shared(moves) {
  return new Map(moves[0].map((token) => [token, Math.min(...moves.map((words) => times(words, token)))]));
}

export class Choice {
  #moves;
  #start = []; // words that the move begins with
  #picks = [];
  #steps = []; // choices in order, for `back`

  constructor(moves) {
    this.#moves = moves.map((move) => move.split(" "));
  }

  get isEmpty() {
    return this.#steps.length === 0;
  }

  #matching(picks = this.#picks) {
    const single = picks.filter((pick) => pick.tokens.length === 1 && pick.place === null).map((pick) => pick.tokens[0]);
    return this.#moves.filter((words) => this.#start.every((token, i) => words[i] === token)
      && picks.every((pick) => fits(words, pick)) && single.every((token) => times(words, token) >= times(single, token)));
  }

  // How many moves are left.
  get count() {
    return this.#matching().length;
  }

  // The words that every move left begins with.
  get beginning() {
    const [first, ...others] = this.#matching();
    if (first === undefined) return [];
    const until = first.findIndex((token, i) => others.some((words) => words[i] !== token));
    return until < 0 ? [...first] : first.slice(0, until);
  }

  // What can follow the prefix: words, numbers in their order, and null if a move may end there.
  get next() {
    const at = this.beginning.length;
    const words = [...new Set(this.#matching().map((each) => each[at] ?? null))];
    return words.every((word) => /^-?\d+$/.test(word)) ? words.sort((a, b) => a - b) : words;
  }

  // The moves that are left, if they are so few that each can have a button of its own; otherwise none.
  get few() {
    const left = this.#matching();
    return left.length > 1 && left.length <= fewMoves ? left.map((words) => words.join(" ")) : [];
  }

  // The chosen move: the only one left, or the only one with every word chosen or common to all.
  get ready() {
    const matching = this.#matching();
    if (matching.length === 1) return matching[0].join(" ");
    if (this.isEmpty || matching.length === 0) return null;
    const inAll = shared(matching);
    const single = this.#picks.filter((pick) => pick.tokens.length === 1).map((pick) => pick.tokens[0]);
    const together = new Set(this.#picks.filter((pick) => pick.tokens.length > 1).flatMap((pick) => pick.tokens));
    const meant = (token) => Math.max(inAll.get(token) ?? 0, times(single, token), times(this.#start, token), together.has(token) ? 1 : 0);
    const whole = matching.filter((words) => words.every((token) => times(words, token) <= meant(token)));
    return whole.length === 1 ? whole[0].join(" ") : null;
  }

  timesPicked(pick) {
    return this.#picks.filter((each) => isSame(each, pick)).length;
  }

  // True if it could be picked before anything else was.
  could(pick) {
    return (this.#steps[0]?.moves ?? this.#moves).some((words) => fits(words, pick) && pick.tokens.every((token) => words.includes(token)));
  }

  // True if a move would be left after this pick.
  can(pick) {
    return this.#matching([...this.#picks, pick]).length > 0;
  }

  // Picks something on the board. A pick that is incompatible with earlier choices starts a new choice.
  pick(pick) {
    if (!this.can(pick)) this.clear();
    if (!this.can(pick)) return false;
    this.#remember();
    this.#picks.push(pick);
    return true;
  }

  unpick(pick) {
    this.#remember();
    const at = this.#picks.findLastIndex((each) => isSame(each, pick));
    if (at >= 0) this.#picks.splice(at, 1);
  }

  // Chooses what follows the prefix; null ends the move there.
  follow(token) {
    const { beginning } = this;
    this.#remember();
    this.#start = token === null ? beginning : [...beginning, token];
    if (token === null) this.#moves = this.#moves.filter((words) => words.length === beginning.length);
  }

  // Chooses a whole move that is left.
  settle(move) {
    this.#remember();
    this.#moves = this.#moves.filter((words) => words.join(" ") === move);
  }

  #remember() {
    this.#steps.push({ moves: this.#moves, start: this.#start, picks: [...this.#picks] });
  }

  back() {
    const step = this.#steps.pop();
    if (step === undefined) return;
    this.#moves = step.moves;
    this.#start = step.start;
    this.#picks = step.picks;
  }

  clear() {
    while (!this.isEmpty) this.back();
  }
}
