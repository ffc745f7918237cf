// Brackets: rounds as columns, read from left to right, with matches as cards. The lines between them are drawn by the style
// sheet; the same information is in words at each open side.
import { element, link, playerLink, whereLine, whereWords } from "../lib/common.js";
import { tablesOf } from "./rounds.js";
import { number, say } from "../lib/words.js";

/* ---- Cards ---- */

function side({ player, seed, score, won, out, words, remark }) {
  const who = player === null ? element("span", { class: "open" }, words) : [playerLink(player), seed === null ? null : element("span", { class: "seed" }, ` ${seed}`)];
  return element("li", { class: won ? "won" : out ? "out" : null },
    element("span", { class: "who" }, who, remark ? ` (${remark})` : null, won ? element("span", { class: "unseen" }, " ", say("bracket.goes_on")) : null),
    element("span", { class: "score" }, score === null || score === undefined ? null : number(score)));
}

// What stands above a match of which all games so far have ended level, and which has to be played again.
const levelWords = () => [" ", element("span", { class: "badge" }, say("bracket.level"))];

function card(name, games, sides) {
  return element("li", {}, element("div", { class: "match" },
    element("p", { class: "match-name" }, name, games),
    element("ul", {}, sides.map(side))));
}

function gameLinks(tables) {
  const played = tables.filter((table) => table.playing !== null && !table.playing.hidden);
  return [played.map((table, i) => [" ", link(`/games/${table.playing.id}`, played.length > 1 ? say("bracket.game_number", { number: i + 1 }) : say("bracket.game"),
    element("span", { class: "unseen" }, ` (${whereWords({ round: table.round, table: table.table })})`))]),
  tables.some((table) => table.ruled) ? [" ", element("span", { class: "badge" }, say("rounds.ruling"))] : null];
}

// Whether a column's matches halve, continue one to one, or end here.
function flow(count, next) {
  if (next === undefined || next === 0) return "ends";
  return next * 2 === count ? "halves" : next === count ? "straight" : "ends";
}

function columns(label, rounds) {
  return element("section", {}, element("h3", {}, label),
    element("div", { class: "bracket", tabindex: "0", role: "region", "aria-label": label },
      element("ol", {}, rounds.map((round, i) => element("li", { class: flow(round.cards.length, rounds[i + 1]?.cards.length) },
        element("h4", {}, round.name), element("ol", { class: "matches" }, round.cards))))));
}

/* ---- Tables of two: the data model of brackets-viewer ---- */

const finals = { 1: "bracket.final", 2: "bracket.semi_finals", 4: "bracket.quarter_finals" };

function groupName(type, group) {
  const names = type === "double_elimination" ? ["bracket.upper", "bracket.lower", "bracket.finals"] : ["bracket.main", "bracket.third_place_match"];
  return say(names[group.number - 1]);
}

function roundName(type, group, round, matches) {
  if (type === "single_elimination" && group === 1) return say("bracket.third_place");
  if (group === 0 && matches in finals) return say(finals[matches]);
  if (group === 2) return round === 1 ? say("bracket.grand_final") : say("bracket.final_number", { number: round });
  return whereLine({ round });
}

function openWords(model, match, opponent, i) {
  if (opponent === null) return say("kind.pairing_bye");
  const upper = model.stage[0].type === "double_elimination" && match.group_id > 0;
  if (upper && i === 0 && opponent.position) return say("bracket.loser_of", { match: opponent.position });
  return say("bracket.to_come");
}

// The last game of a match without a winner that has ended level; null: none.
function levelGame(match, tables) {
  const last = tables.at(-1);
  const isOpen = [match.opponent1, match.opponent2].every((each) => each !== null && each.result === undefined && !each.forfeit);
  return isOpen && last !== undefined && last.seats.every(({ rank }) => rank === 1) ? last : null;
}

// The sides of a match. A bye is not a side.
function matchSides(people, model, match, level) {
  const scoreIn = (player) => level?.seats.find((seat) => seat.player.id === player?.id)?.score;
  return [match.opponent1, match.opponent2].map((opponent, i) => {
    const known = opponent !== null && opponent.id !== null ? people.get(opponent.id) : undefined;
    return {
      player: known?.player ?? null, seed: known?.seed ?? null, score: opponent?.score ?? scoreIn(known?.player) ?? null,
      won: opponent?.result === "win", out: opponent?.result === "loss" || opponent?.forfeit === true,
      words: openWords(model, match, opponent, i), remark: opponent?.void ? say("kind.void") : opponent?.forfeit ? say("bracket.forfeit") : null,
    };
  });
}

function matchRounds(model, group, people, tables) {
  const { type } = model.stage[0];
  const rounds = model.round.filter((round) => round.group_id === group.id);
  return rounds.map((round) => {
    const matches = model.match.filter((match) => match.round_id === round.id);
    return {
      name: roundName(type, group.number - 1, round.number, matches.length),
      cards: matches.map((match) => {
        const played = tables.filter((table) => table.match === match.id);
        const level = levelGame(match, played);
        return card(say("bracket.match", { number: match.number }), [gameLinks(played), level === null ? null : levelWords()], matchSides(people, model, match, level));
      }),
    };
  });
}

function matches(bracket, people, tables) {
  const { type } = bracket.bracket.stage[0];
  return bracket.bracket.group.map((group) => columns(groupName(type, group), matchRounds(bracket.bracket, group, people, tables)));
}

/* ---- Larger tables ---- */

function isSame(table, seated, people) {
  const numbers = new Set(seated.seats.map((seat) => seat.player.number));
  return table.seats.length === numbers.size && table.seats.every((seat) => numbers.has(people.get(seat.id).player.number));
}

function podCard(table, people, tables) {
  const name = table.number === 0 ? say("bracket.bye") : whereLine({ table: table.number });
  const seats = [...table.seats].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || a.seed - b.seed);
  return card(name, table.number === 0 ? null : gameLinks(tables.filter((seated) => isSame(table, seated, people))), seats.map((seat) => ({
    player: people.get(seat.id).player, seed: seat.seed, score: seat.score, won: table.decided && seat.on, out: table.decided && !seat.on,
    words: say("bracket.to_come"), remark: seat.kind === null || seat.kind === "played" ? null : say(`kind.${seat.kind}`) })));
}

function pods({ bracket }, people, tables) {
  return columns(say("bracket.main"), bracket.round.map((round) => ({
    name: round.final ? say("bracket.final") : whereLine({ round: round.number }),
    cards: bracket.table.filter((table) => table.round_id === round.id).map((table) => podCard(table, people, tables)),
  })));
}

// The bracket of a stage, with the games of its rounds.
export function bracketPart(bracket, rounds) {
  const people = new Map(bracket.participants.map((each) => [each.id, each]));
  const tables = [...rounds].reverse().flatMap((round) => tablesOf(round).map((table) => ({ ...table, round: round.number })));
  return [bracket.format === "pod_elimination" ? pods(bracket, people, tables) : matches(bracket, people, tables),
    element("p", { class: "no-print" }, say("bracket.seeds"), " ", link(`/v1/events/${bracket.event}/bracket?stage=${bracket.stage}`, say("bracket.as_json")))];
}
