// What was found about files that were verified, as elements.
import { byRank, element, english, hexText, nameOf, place, seatsTable } from "../lib/common.js";
import { number, said as worded, say } from "../lib/words.js";

const good = (...content) => ["good", content];
const bad = (...content) => ["bad", content];
const open = (...content) => ["open", content];

const states = { good: "verify.holds", bad: "verify.fails", open: "verify.open" };

function checkList(checks) {
  return element("ul", { class: "checks", "aria-label": say("verify.checks") }, checks.map(([state, content]) =>
    element("li", {}, element("span", { class: `state ${state}` }, say(states[state])), element("span", {}, content))));
}

/* ---- What `tillroll verify` says ---- */

// Sentences about checks that passed (engine/log/bundle.c), with their keys in the reader's language.
const sentences = {
  signed_by: /^signed by (?<key>.+)$/,
  in_log: /^in the log (?<log>.+) of (?<count>\d+) leaves$/,
  key_replaced: /^(?<key>.+) has replaced its key, as its log proves; keys up to now: (?<count>\d+)$/,
  witnessed: /^witnessed by (?<by>\d+) of (?<count>\d+) witness(es)?$/,
  witnessed_by: /^witnessed by (?<by>\d+) of (?<count>\d+) witness(es)?: (?<names>.+)$/,
  plies_signed: /^valid: (?<by>\d+) of (?<count>\d+) plies of seats with a key are signed, and the entropy of (?<entropy>\d+) seats$/,
};

// A line of it, without its full stop. What has failed stays in English.
function spoken(line) {
  const plain = line.replace(/\.$/, "");
  for (const [key, sentence] of Object.entries(sentences)) {
    const found = sentence.exec(plain)?.groups;
    if (found !== undefined) return worded(`verify.spoken_${key}`, Object.fromEntries(Object.entries(found).map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value])));
  }
  return english(plain);
}

/* ---- A record ---- */

function chainAgain({ chain, found }) {
  if (chain === null) return open(say("verify.chain_none"));
  return chain === found.head ? good(worded("verify.chain", { head: hexText(chain) })) : bad(say("verify.chain_other"));
}

// The verdict on a part of the bundle, with the next line of `tillroll verify`, which is about it.
function part(what, verdict, lines, can) {
  if (verdict === "absent") return open(say(`verify.${what}_absent`));
  const line = lines.shift();
  if (verdict === "unknown") return open(can ? say(`verify.${what}_unknown`) : say("verify.no_ed25519"));
  return (verdict === "valid" ? good : bad)(worded(`verify.says_${what}`, { said: spoken(line) }));
}

function playersChecks({ players }) {
  if (players === undefined) return [];
  if (players.verdict === "unknown") return [open(say("verify.no_ed25519"))];
  return [(players.verdict === "valid" ? good : bad)(worded("verify.players", { said: spoken(players.said[0]) }))];
}

// The result for the players' signatures in the bundle.
function bundledPlayers({ players }, lines) {
  if (players === "absent") return [];
  return [(players === "valid" ? good : bad)(worded("verify.players", { said: spoken(lines.shift()) }))];
}

// The result for the history of the log's key, if one was needed.
function changes({ changes: verdict }, lines) {
  if (verdict === "absent") return [];
  return [part("changes", verdict, lines, true)];
}

// The witnesses of the checkpoint; without a policy, only their names are known.
function witnesses({ witnesses: verdict, cosigners }, lines, hours) {
  if (verdict === "invalid" && lines[0].startsWith("invalid: stale-checkpoint: ")) return [bad(say("verify.stale", { count: hours }))];
  if (verdict === "absent" && cosigners.length > 0) return [open(say("verify.witnesses_absent", { names: [...new Set(cosigners)].join(", ") }))];
  return verdict === "absent" ? [] : [part("witnesses", verdict, lines, true)];
}

// The co-dealers who took part in the luck besides the service.
function luckWords({ entropy, found: { dealers } }) {
  const names = (proved) => dealers.filter((each) => each.proved === proved).map((each) => each.name).join(", ");
  return [entropy > 0 ? say("verify.luck_entropy", { count: entropy }) : null,
    names(true) === "" ? null : say("verify.luck_dealers", { names: names(true) }),
    names(false) === "" ? null : say("verify.luck_missing", { names: names(false) }),
    entropy === 0 && names(true) === "" ? say("verify.luck_word") : null].filter((each) => each !== null).join(" ");
}

function validChecks(result) {
  const { found, said, can } = result;
  const lines = said.slice(1).filter((line) => !/^(no player gave entropy|dealers )/.test(line)); // those are about luck, and worded below
  return [
    good(say("verify.form", { count: found.lines })),
    chainAgain(result),
    good(say("verify.rules", found.game)),
    good(say("verify.luck"), " ", luckWords(result)),
    good(say("verify.play", { count: found.game.plies })),
    good(say(found.voided ? "verify.voided" : "verify.result")),
    ...changes(found, lines),
    part("signed", found.signature, lines, can),
    ...bundledPlayers(found, lines),
    part("logged", found.proof, lines, can),
    ...witnesses(found, lines, result.hours),
    ...playersChecks(result),
  ];
}

// A game with printed components, whose luck a scorer told.
function recordedChecks(result) {
  const { found, said } = result;
  const lines = said.slice(2);
  return [good(say("verify.form", { count: found.lines })), chainAgain(result), good(say("verify.rules", found.game)),
    open(say("verify.luck_told")), good(say("verify.play_told", { count: found.game.plies })),
    good(say(found.voided ? "verify.voided" : "verify.result")), ...changes(found, lines), part("signed", found.signature, lines, result.can),
    ...bundledPlayers(found, lines), part("logged", found.proof, lines, result.can), ...witnesses(found, lines, result.hours), ...playersChecks(result)];
}

function unfinishedChecks(result) {
  const { found } = result;
  return [good(say("verify.form", { count: found.lines })), chainAgain(result), good(say("verify.rules", found.game)),
    open(say("verify.not_over")), ...playersChecks(result)];
}

function invalidChecks({ found, said }) {
  return [...(found.lines > 0 ? [good(say("verify.lines_good", { count: found.lines }))] : []), bad(english(said[0].replace(/^invalid: /, ""))), open(say("verify.no_more"))];
}

const checksOf = { valid: validChecks, recorded: recordedChecks, unfinished: unfinishedChecks, invalid: invalidChecks };

function excerptList({ from, lines }) {
  const wrong = lines.length - 1;
  return [element("h3", {}, say("verify.where")),
    element("ol", { class: "excerpt", tabindex: "0", "aria-label": say("verify.where") }, lines.map((line, i) =>
      element("li", { class: i === wrong ? "wrong" : null }, element("span", { class: "at" }, String(from + i)), element("code", {}, line))))];
}

function outcome(seats) {
  const ranks = seats.map((seat) => seat.rank);
  const columns = [{ text: say("seats.place") }, { text: say("seats.player"), header: true }, { text: say("seats.seat"), number: true }, { text: say("seats.score"), number: true }];
  return seatsTable(say("seats.result"), columns, byRank(seats).map((seat) => [place(seat.rank, ranks), nameOf(seat), String(seat.seat + 1), number(seat.score)]));
}

// The command prints a line for each file that it was given.
function inWords({ name, said, players }) {
  return element("details", {}, element("summary", {}, worded("verify.said", { command: element("code", {}, "tillroll verify") })),
    element("pre", { tabindex: "0" }, element("code", {}, [...said, ...(players?.said ?? [])].map((line) => `${name}: ${line}\n`).join(""))));
}

function verdictOf({ verdict, found, players }) {
  if (verdict === "invalid" || players?.verdict === "invalid") return "invalid";
  return found.record === "unfinished" || (found.record === "recorded" && verdict === "valid") ? found.record : verdict;
}

const record = (result) => [
  heading(verdictOf(result), result.name),
  checkList(checksOf[result.found.record](result)),
  result.excerpt === undefined ? null : excerptList(result.excerpt),
  result.found.seats.length === 0 ? null : outcome(result.found.seats),
  inWords(result),
];

/* ---- An event ---- */

function sealCheck({ can, key }, expected) {
  if (!can) return open(say("verify.no_ed25519"));
  const words = worded("verify.event_seal", { key: hexText(key) });
  return expected === null || expected === key ? good(words) : bad(words, " ", say("verify.event_other_key"));
}

// A check of so many things, if there are any.
const counted = (state, word, count) => (count > 0 ? [state(say(`verify.event_${word}`, { count }))] : []);

function secretChecks({ secret, results }) {
  if (!secret) return [open(say("verify.event_secret_hidden"))];
  return [good(say("verify.event_secret")), ...counted(good, "pairings", results.draws)];
}

// What people decided or reported is neither proved nor disproved by anything in the file.
function eventChecks(result, expected) {
  const { can, restated_line: restated, results, signed_games: signed } = result;
  return [
    sealCheck(result, expected),
    good(say("verify.event_log", { count: results.lines })),
    ...(restated > 0 ? [open(say("verify.event_told_anew", { line: restated }))] : []),
    ...secretChecks(result),
    ...counted(good, "officials", can ? results.officials?.signed : 0),
    ...counted(good, "records", results.records),
    ...counted(good, "players", can ? signed : 0),
    ...(results.records > 0 ? [good(say("verify.event_results"))] : []),
    ...counted(good, "recorded", results.recordings),
    ...counted(open, "reported", results.reported - results.recordings),
    ...counted(open, "changed", results.pairings_changed),
    ...counted(open, "ruled", results.ruled),
    open(worded("verify.event_leaves", { log: hexText(results.log_leaf), commitment: hexText(results.commitment_leaf) })),
  ];
}

// The first fault, in the words of `tillroll event`.
const faultChecks = ({ fault, read }) => [
  ...(read ? [good(say("verify.event_read"))] : []),
  bad(english(fault.said)),
  open(say("verify.no_more")),
];

const pointsOf = ({ points_60ths: sixtieths, points: [numerator, denominator] = [sixtieths, 60] }) => Math.floor(numerator * 100 / denominator) / 100;
const ratingOf = ({ mu_millionths: mu }) => (mu / 1e6).toFixed(2);

function standings({ rated_games: rated, places }) {
  const ranks = places.map((each) => each.place);
  const columns = [{ text: say("seats.place") }, { text: say("seats.player"), header: true }, { text: say("verify.event_points"), number: true },
    ...(rated > 0 ? [{ text: say("verify.event_rating"), number: true }] : [])];
  return seatsTable(say("verify.event_standings"), columns, places.map((each) => [each.place === 0 ? "" : place(each.place, ranks), each.name, number(pointsOf(each)),
    ...(rated > 0 ? [number(Number(ratingOf(each)))] : [])]));
}

// `unknown`: it holds so far, but the event is not closed.
function eventVerdict({ verdict, results }, checks) {
  if (checks.some(([state]) => state === "bad")) return "invalid";
  if (verdict === "unknown") return "unfinished";
  return results.records === 0 && results.recordings > 0 ? "recorded" : "valid";
}

function event(result, expected) {
  const checks = result.fault === undefined ? eventChecks(result, expected) : faultChecks(result);
  return [heading(eventVerdict(result, checks), result.name), checkList(checks), result.results?.places.length > 0 ? standings(result.results) : null];
}

/* ---- Any file ---- */

const colours = { valid: "good", invalid: "bad" };

function heading(verdict, name) {
  return element("h2", { class: colours[verdict] ?? null }, worded(`verify.is_${verdict}`, { name: element("bdi", {}, name) }));
}

const refused = { "too-large": "verify.too_large", alone: "verify.alone" };

// `expected`: the raw key, in hex, that the reader named for events; null if none.
export function resultSection(result, expected) {
  const content = { record: () => record(result), event: () => event(result, expected) }[result.kind]
    ?? (() => [heading("unknown", result.name), element("p", {}, say(refused[result.kind]))]);
  return element("section", { class: "result", "data-verdict": result.kind === "record" ? verdictOf(result) : null }, content());
}
