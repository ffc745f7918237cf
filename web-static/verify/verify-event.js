// An event's bundle (engine/tournament/interchange/bundle.h) as far as a browser judges it: its seal, the secret, each of its records
// by replay, the players' signatures, and that log and records tell the same results. Draws and standings are for
// `tillroll event`.
import { bytesOf, hexOf, holds, sha256 } from "./verifier.js";

// Of either version.
export function isEvent(bytes) {
  return /^\{"bundle":[12],$/.test(new TextDecoder("latin1").decode(bytes.subarray(0, 12)));
}

function* objectsOf(bytes) {
  const lines = new TextDecoder().decode(bytes).split("\n");
  if (lines.pop() !== "") throw new SyntaxError("The last line does not end.");
  for (const line of lines) yield JSON.parse(line);
}

const isHex = (word, bytes) => typeof word === "string" && word.length === 2 * bytes && /^[0-9a-f]+$/.test(word);

// The seal is over everything before its own line.
async function judgeSeal(bytes, event, seal) {
  const end = bytes.lastIndexOf(10, bytes.length - 2) + 1;
  const sum = hexOf(await sha256(bytes.subarray(0, end)));
  if (sum !== seal.sha256 || !isHex(seal.key, 32) || !isHex(seal.signature, 64)) return "invalid";
  const [key, signature] = [bytesOf(seal.key), bytesOf(seal.signature)];
  const text = new TextEncoder().encode(`tillroll bundle\n${event}\n${sum}\n`);
  return (await holds({ signature, key, text })) ? "valid" : "invalid";
}

// SHA-256("tillroll commit\n" event "\n" secret), as record_commitment() of engine/record/record.h has it.
async function judgeSecret({ event, commitment, secret }) {
  if (secret === null || globalThis.crypto?.subtle === undefined) return "unknown";
  if (!isHex(secret, 32)) return "invalid";
  const scope = new TextEncoder().encode(`tillroll commit\n${event}\n`);
  const sum = await sha256(Uint8Array.of(...scope, ...bytesOf(secret)));
  return hexOf(sum) === commitment ? "valid" : "invalid";
}

/* ---- The log ---- */

// The first line that does not follow the one before it by its number, or is told to be earlier; null if none.
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

// The results that the log tells of games: by game.
function toldResults(log) {
  const results = linesInForce(log).filter(({ kind }) => kind === "result");
  return new Map(results.map(({ line, detail }) => [detail.game, { line, ...detail }]));
}

// Tables whose result people reported: they played with their own copy, so there is no record.
function countReported(log) {
  const tables = new Set();
  for (const { kind, detail } of linesInForce(log)) {
    if (kind === "reported") tables.add(`${detail.round}/${detail.table}`);
    if (kind === "table_replayed") tables.delete(`${detail.round}/${detail.table}`);
  }
  return tables.size;
}

// Who sits there, and where: what a record says of its event in its head.
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
  const closed = log.findLast(({ object }) => object.kind === "entries_closed")?.object.detail.numbers ?? [];
  const numbers = new Map(closed.map((id, i) => [i + 1, id]));
  const wrong = games.filter((game) => game.verdict === "valid" && (told.has(game.game)
    ? !game.found.voided && !isTold(game, game.record, told.get(game.game), event, numbers) : !game.found.voided));
  const there = new Set(games.map((each) => each.game));
  const missing = [...told].filter(([game]) => !there.has(game)).map(([game, { line }]) => ({ line, game }));
  return [...wrong.map(({ line, game }) => ({ line, game })), ...missing];
}

/* ---- The whole ---- */

async function judgeGame(verifier, { record, signatures }, can) {
  const text = new TextEncoder().encode(record);
  const signed = new TextEncoder().encode(signatures ?? "");
  if (text.length + signed.length > verifier.size) return { verdict: "invalid", said: [] };
  const judged = await verifier.judge(text);
  return signatures === undefined || !can || judged.verdict !== "valid" ? judged : { ...judged, players: await verifier.judgePlayers(text, signed) };
}

// `can`: whether this browser has Ed25519. `told(done, of)`: records. Resolves with what there is, or null if this is no
// bundle.
export async function judgeEvent(verifier, bytes, can, told) {
  let lines;
  try {
    lines = [...objectsOf(bytes)].map((object, i) => ({ line: i + 1, object }));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const [{ object: header }, { object: seal }] = [lines[0], lines.at(-1)];
  const log = lines.filter(({ object }) => typeof object.kind === "string");
  const records = lines.filter(({ object }) => typeof object.record === "string");
  const games = [];
  for (const { line, object } of records) {
    games.push({ line, ...object, ...await judgeGame(verifier, object, can) });
    told(games.length, records.length);
  }
  return {
    event: header.event, key: seal.key, seal: can ? await judgeSeal(bytes, header.event, seal) : "unknown",
    closed: header.secret !== null, secret: await judgeSecret(header),
    lines: log.length, reported: countReported(log), astray: firstAstray(log), differing: differences(header, log, games),
    games: games.map(({ record, signatures, ...rest }) => ({ ...rest, signed: signatures !== undefined })),
  };
}
