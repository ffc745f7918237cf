// An event's bundle (engine/tournament/interchange/bundle.h) as far as a browser judges it: its seal, the secret, each of its records
// by replay, the signatures of players and officials, and that log and records tell the same results. Draws and standings are for
// `tillroll event`.
import { bytesOfHex, hexOf } from "../lib/bytes.js";
import { holds, sha256 } from "./verifier.js";

// True for a bundle of any version.
export function isEvent(bytes) {
  return /^\{"bundle":[1-5],$/.test(new TextDecoder("latin1").decode(bytes.subarray(0, 12)));
}

function* objectsOf(bytes) {
  const lines = new TextDecoder().decode(bytes).split("\n");
  if (lines.pop() !== "") throw new SyntaxError("The last line does not end.");
  for (const text of lines) yield { text, object: JSON.parse(text) };
}

const isHex = (word, bytes) => typeof word === "string" && word.length === 2 * bytes && /^[0-9a-f]+$/.test(word);

// The seal is over everything before its own line.
async function judgeSeal(bytes, event, seal) {
  const end = bytes.lastIndexOf(10, bytes.length - 2) + 1;
  const sum = hexOf(await sha256(bytes.subarray(0, end)));
  if (sum !== seal.sha256 || !isHex(seal.key, 32) || !isHex(seal.signature, 64)) return "invalid";
  const [key, signature] = [bytesOfHex(seal.key), bytesOfHex(seal.signature)];
  const text = new TextEncoder().encode(`tillroll bundle\n${event}\n${sum}\n`);
  return (await holds({ signature, key, text })) ? "valid" : "invalid";
}

// SHA-256("tillroll commit\n" event "\n" secret), as record_commitment() of engine/record/record.h has it.
async function judgeSecret({ event, commitment, secret }) {
  if (secret === null || globalThis.crypto?.subtle === undefined) return "unknown";
  if (!isHex(secret, 32)) return "invalid";
  const scope = new TextEncoder().encode(`tillroll commit\n${event}\n`);
  const sum = await sha256(Uint8Array.of(...scope, ...bytesOfHex(secret)));
  return hexOf(sum) === commitment ? "valid" : "invalid";
}

/* ---- The log ---- */

// The first line whose number does not follow that of the line before, or whose time is earlier; null if none.
function firstAstray(log) {
  const at = log.findIndex(({ object }, i) => object.line !== i + 1 || (i > 0 && object.at < log[i - 1].object.at));
  return at < 0 ? null : log[at].line;
}

// The lines of the log that count: what stands before the newest line `restated` is for people.
function linesInForce(log) {
  const from = log.findLastIndex(({ object }) => object.kind === "restated");
  const restated = from < 0 ? [] : log[from].object.detail.lines.map((object) => ({ ...object, line: log[from].line }));
  return [...restated, ...log.slice(from + 1).map(({ line, object }) => ({ ...object, line }))];
}

const beginnings = new Set(["stage_started", "round_started", "table_started"]);

// The lines in force before the event began: later lines cannot change rules and numbers.
function linesBefore(log) {
  const lines = linesInForce(log);
  const begun = lines.findIndex(({ kind }) => beginnings.has(kind));
  return lines.slice(0, begun < 0 ? lines.length : begun);
}

// The player of each of the event's numbers, without late entries, whose numbers are not in this line.
const numbersOf = (log) => new Map((linesBefore(log).findLast(({ kind }) => kind === "entries_closed")?.detail.numbers ?? []).map((id, i) => [i + 1, id]));

// The results that the log tells of games: by game, the first of each, for there is no second.
function toldResults(log) {
  const results = linesInForce(log).filter(({ kind }) => kind === "result");
  return new Map(results.map(({ line, detail }) => [detail.game, { line, ...detail }]).reverse());
}

// Tables whose result people reported: they played with their own copy.
function countReported(log) {
  const tables = new Set();
  for (const { kind, detail } of linesInForce(log)) {
    if (kind === "reported") tables.add(`${detail.round}/${detail.table}`);
    if (kind === "table_replayed") tables.delete(`${detail.round}/${detail.table}`);
  }
  return tables.size;
}

// The reports that came from a scorer's record, by recording. Only `tillroll event` checks whether they count.
function toldRecordings(log) {
  const reports = linesInForce(log).filter(({ kind, detail }) => kind === "reported" && detail.record !== undefined);
  return new Map(reports.map(({ line, detail }) => [detail.record.id, { line, ...detail }]));
}

// The settings with which the event began.
const settingsOf = (log) => linesBefore(log).findLast(({ kind }) => kind === "created" || kind === "settings_changed")?.detail ?? {};

// Ruleset, version, options and component set cannot change any more then, whatever later lines say; its clocks can, and are for `tillroll
// event`. Without `components` the event plays with the ruleset's own.
function withRules(judged, record, { ruleset, version, options, components }) {
  if (judged.verdict !== "valid") return judged;
  const [, slug, number, set] = /^game \S+ (\S+) (\S+) ([0-9a-f]{64}) /m.exec(record);
  const own = Array.from(record.matchAll(/^option (\S+) (\S+) #/gm), ([, name, value]) => [name, value]);
  const otherSet = components !== undefined && set !== components;
  const otherRules = slug !== ruleset || number !== version || own.some(([name, value]) => options?.[name] !== value);
  return otherSet || otherRules ? { ...judged, verdict: "invalid", said: [], otherSet, otherRules } : judged;
}

// The event, round, table and seats that a record's head names.
function headOf(record) {
  const [, event, round, table] = /^event (\S+) round (\S+) table (\S+) /m.exec(record) ?? [];
  return { event, round: Number(round) || 0, table: Number(table), players: Array.from(record.matchAll(/^seat \d+ (\S+) /gm), ([, id]) => id) };
}

// Whether a proved record and the log tell the same. `numbers`: whose each of the event's numbers is, as far as it is known.
function isTold({ found }, record, told, event, numbers) {
  const head = headOf(record);
  const sameTable = head.event === event && head.round === told.round && head.table === told.table;
  return sameTable && told.seats.length === head.players.length && told.seats.every(([number, rank, score], seat) => {
    if (!numbers.has(number)) numbers.set(number, head.players[seat]);
    const shown = found.seats.find((each) => each.seat === seat);
    return numbers.get(number) === head.players[seat] && shown?.rank === rank && shown.score === score;
  });
}

// Lines and games of which log and records tell different things, or only one of them anything. A game that is void may
// have no result.
function differences({ event, records }, log, games) {
  if (!records) return null;
  const told = toldResults(log);
  const numbers = numbersOf(log);
  const wrong = games.filter((game) => game.verdict === "valid" && (told.has(game.game)
    ? !game.found.voided && !isTold(game, game.record, told.get(game.game), event, numbers) : !game.found.voided));
  const there = new Set(games.map((each) => each.game));
  const missing = [...told].reverse().filter(([game]) => !there.has(game)).map(([game, { line }]) => ({ line, game }));
  return [...wrong.map(({ line, game }) => ({ line, game })), ...missing];
}

// Recordings that no report names with this head and this result.
function differingRecordings({ event }, log, recordings) {
  const told = toldRecordings(log);
  const numbers = numbersOf(log);
  const isSame = (each) => told.get(each.game)?.record.head === /^head ([0-9a-f]+)/m.exec(each.record)[1] && each.found.game.id === each.game && isTold(each, each.record, told.get(each.game), event, numbers);
  return recordings.filter((each) => each.verdict === "valid" && !isSame(each)).map(({ line, game }) => ({ line, game }));
}

/* ---- Officials' signatures (engine/tournament/event/official.h) ---- */

const furthestBack = 8;
const acts = new Set(["settings_changed", "bye_granted", "bye_revoked", "kept_apart", "not_kept_apart", "round_changed", "ruled", "ruling_revoked", "role_given",
  "role_taken", "table_replayed", "round_withdrawn", "report_corrected", "closed", "cancelled"]);

// Whether each line is an act of an official, and whether the settings before it required a signature. Lines told anew have no signatures,
// so what an event required to be signed may not be among them.
function actsOf(log) {
  const owners = new Map();
  let [choice, everRequired] = ["off", false];
  const take = ({ actor, kind, detail }) => {
    const ofAnother = (kind === "dropped" || kind === "returned") && actor !== detail.player && actor !== owners.get(detail.player);
    const act = choice !== "off" && actor !== "" && (acts.has(kind) || ofAnother) ? choice : "off";
    if (kind === "entered") owners.set(detail.player, detail.owner);
    if (kind === "created" || kind === "settings_changed") choice = detail.official_signatures ?? "off";
    everRequired ||= choice === "required";
    return act;
  };
  return log.map(({ object }) => {
    if (object.kind !== "restated") return take(object);
    const hides = everRequired;
    const told = object.detail.lines.map(take);
    return hides || told.includes("required") ? "required" : "off";
  });
}

// The details as they are written: a detail that was read and written again could differ.
const detailOf = (text) => /^\{"actor":"[^"]*","at":\d+,"detail":(.*),"kind":"[^"]*","line":\d+\}$/.exec(text)?.[1] ?? "";

async function headsOf(event, log) {
  const hashOf = async (bytes) => hexOf(await sha256(bytes));
  const heads = [await hashOf(new TextEncoder().encode(`tillroll event-log 1 ${event}\n`))];
  for (const { text, object: { actor, at, kind, line } } of log)
    heads.push(await hashOf(new TextEncoder().encode(`${heads.at(-1)} ${line} ${new Date(at).toISOString()} ${actor || "-"} ${kind} ${detailOf(text)}\n`)));
  return heads;
}

const isFresh = (log, { base, line }) => base >= 1 && base < line && line - base < furthestBack &&
  log.slice(base, line - 1).every(({ object }) => object.at === log[line - 1].object.at && ["", log[line - 1].object.actor].includes(object.actor));

// { signed, wrong, missing }: how many signatures hold; lines of the file with one that does not; those that lack one. null: this browser
// cannot tell.
async function judgeOfficials(event, lines, log, can) {
  const given = lines.filter(({ object }) => typeof object.base === "number");
  const told = log.findLastIndex(({ object }) => object.kind === "restated");
  const needed = actsOf(log);
  const after = (n) => n - 1 > told;
  const missing = log.filter(({ object }, i) => i >= told && needed[i] === "required" && !given.some((each) => each.object.line === object.line)).map(({ line }) => line);
  if (given.length > 0 && (!can || globalThis.crypto?.subtle === undefined)) return null;
  const heads = given.length > 0 ? await headsOf(event, log) : [];
  const wrong = [];
  for (const { line, object } of given) {
    const signed = log[object.line - 1];
    const good = signed !== undefined && signed.line === line - 1 && after(object.line) && needed[object.line - 1] !== "off" && isHex(object.key, 32) && isHex(object.signature, 64) && isFresh(log, object)
      && await holds({ signature: bytesOfHex(object.signature), key: bytesOfHex(object.key), text: new TextEncoder().encode(
        `tillroll official\n${event}\n${heads[object.base]}\n${signed.object.actor}\n${signed.object.kind}\n${detailOf(signed.text)}\n`) });
    if (!good) wrong.push(line);
  }
  return { signed: given.length - wrong.length, wrong, missing };
}

// What the log and the records tell of one moment may differ by as long as a request can take.
const atOnce = 60_000;
const weight = { off: 0, optional: 1, required: 2 };

// The weakest requirement that the settings had from a minute before to a minute after.
function choiceAt(choices, at) {
  const then = choices.filter((each, i) => each.at <= at + atOnce && !(choices[i + 1]?.at < at - atOnce));
  return then.reduce((least, { choice }) => (weight[choice] < weight[least] ? choice : least), then[0]?.choice ?? "off");
}

function choicesOf(log) {
  return log.flatMap(({ object }) => (object.kind === "restated" ? object.detail.lines : [object])
    .filter(({ kind }) => kind === "created" || kind === "settings_changed")
    .map(({ detail }) => ({ at: object.at, choice: detail.official_signatures ?? "off" })));
}

// Whether an official did something in a running game without the signature that the event required: time-outs of clocks and players who
// come back by themselves need none.
function lacksOfficial(record, signatures, choices) {
  const signed = new Set(Array.from(signatures.matchAll(/^official (\d+) /gm), ([, seq]) => seq));
  const start = Date.parse(/^start (\S+) /m.exec(record)?.[1]);
  const entries = Array.from(record.matchAll(/^(\d+) - (\d+) (timeout|forfeit|fallback|substitute|ruling) (\S+).*$/gm));
  const numbered = new Map(entries.map((entry) => [Number(entry[1]), entry]));
  return entries.some(([, seq, elapsed, kind, subject]) => {
    const [, , then, what, whose] = numbered.get(Number(seq) - 1) ?? [];
    const byClock = ["forfeit", "fallback"].includes(kind) && what === "timeout" && whose === subject && then === elapsed;
    return kind !== "timeout" && !byClock && !signed.has(seq) && choiceAt(choices, start + Number(elapsed)) === "required";
  });
}

// The signatures of officials in the records: how many hold, the lines with a record that lacks one.
function judgeGames(log, games) {
  const choices = choicesOf(log);
  return {
    signed: games.filter(({ players }) => players?.verdict === "valid").reduce((sum, { signatures }) => sum + (signatures.match(/^official /gm)?.length ?? 0), 0),
    missing: games.filter(({ verdict, record, signatures }) => verdict === "valid" && lacksOfficial(record, signatures ?? "", choices)).map(({ line }) => line),
  };
}

// The line of a set that the event did not choose; without the one that it chose, its records cannot be judged.
const astraySet = (set, chosen) => (set !== undefined && chosen === undefined ? set.line : null);

/* ---- The whole ---- */

// `set`: the bytes of the event's component set as text, as a bundle of the record has them (engine/log/bundle.h).
async function judgeGame(verifier, { record, signatures }, can, set) {
  const text = new TextEncoder().encode(set === undefined ? record : `${record}\ntillroll components 1\n${set}`);
  const signed = new TextEncoder().encode(signatures ?? "");
  if (text.length + signed.length > verifier.size) return { verdict: "invalid", said: [] };
  const judged = await verifier.judge(text);
  return signatures === undefined || !can || judged.verdict !== "valid" ? judged : { ...judged, players: await verifier.judgePlayers(text, signed) };
}

// A game and a scorer's record of one must not stand for each other: only the luck of a game is proved.
function withLuck(judged, recorded) {
  if (judged.verdict !== "valid" || (judged.found.record === "recorded") === recorded) return judged;
  return { ...judged, verdict: "invalid", said: [], otherLuck: true };
}

// `can`: whether this browser has Ed25519. `told(done, of)`: records. Resolves with what there is, or null if this is no
// bundle.
export async function judgeEvent(verifier, bytes, can, told) {
  let lines;
  try {
    lines = [...objectsOf(bytes)].map((each, i) => ({ line: i + 1, ...each }));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const [{ object: header }, { object: seal }] = [lines[0], lines.at(-1)];
  const log = lines.filter(({ object }) => typeof object.kind === "string");
  const records = lines.filter(({ object }) => typeof object.record === "string");
  const recorded = lines.filter(({ object }) => typeof object.recorded === "string");
  const set = lines.find(({ object }) => typeof object.components === "string");
  const settings = settingsOf(log);
  const [games, recordings] = [[], []];
  const of = records.length + recorded.length;
  for (const { line, object } of records) {
    const judged = withRules(await judgeGame(verifier, object, can, set?.object.components), object.record, settings);
    games.push({ line, ...object, ...withLuck(judged, false) });
    told(games.length, of);
  }
  for (const { line, object: { recording, recorded: record } } of recorded) {
    const judged = withRules(await judgeGame(verifier, { record }, can, set?.object.components), record, settings);
    recordings.push({ line, game: recording, record, ...withLuck(judged, true) });
    told(games.length + recordings.length, of);
  }
  const officials = await judgeOfficials(header.event, lines, log, can);
  const inGames = judgeGames(log, games);
  return {
    event: header.event, key: seal.key, seal: can ? await judgeSeal(bytes, header.event, seal) : "unknown",
    officials: officials && { signed: officials.signed + inGames.signed, wrong: officials.wrong, missing: [...officials.missing, ...inGames.missing] },
    closed: header.secret !== null, secret: await judgeSecret(header),
    lines: log.length, toldAnew: log.findLast(({ object }) => object.kind === "restated")?.line ?? null, reported: countReported(log), astray: firstAstray(log) ?? astraySet(set, settings.components), differing: differences(header, log, games),
    differingRecordings: differingRecordings(header, log, recordings),
    games: games.map(({ record, signatures, ...rest }) => ({ ...rest, signed: signatures !== undefined })),
    recordings: recordings.map(({ record, ...rest }) => rest),
  };
}
