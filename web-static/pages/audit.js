// The audit page of an event: downloads, commitments, and the reasons for its pairings.
import { element, hexText, link, nameOf, nameText, pageId, present, read, time, title, whereLine } from "../lib/common.js";
import { bracketRound } from "../event/rounds.js";
import { criterionMeaning, criterionName } from "../lib/reckoning.js";
import { said, say } from "../lib/words.js";

const id = pageId();
const at = `/v1/events/${id}`;
let shown = null;

/* ---- Downloads ---- */

const hasBegun = ({ games_from: from, rounds, state }) => rounds.started > 0 || (from !== "rounds" && !["draft", "entries_open"].includes(state));

function stageWords(name) {
  const [, stage] = /stage=(\d+)$/.exec(name) ?? [];
  return stage === undefined ? null : ` (${say("audit.stage", { stage })})`;
}

// FIDE reports cover only points at tables of two.
function downloads(event, rounds) {
  const isReported = ["dutch", "round_robin"].includes(event.format);
  const last = rounds.at(-1);
  const stages = event.settings.stages.length < 2 ? [] : [...new Set(rounds.map((round) => round.stage))].slice(0, -1).map((stage) => `standings.csv?stage=${stage}`);
  const names = ["bundle", hasBegun(event) ? ["standings.csv", stages, "results.csv"].flat() : [],
    last === undefined ? [] : `pairings.csv?round=${last.number}`, last === undefined && event.settings.starts_at === undefined ? [] : "rounds.ics",
    last === undefined || !isReported ? [] : ["export.trf16", "export.trf26"], "feed.json"].flat();
  return [
    element("h2", { id: "files" }, say("audit.downloads")),
    element("ul", {}, names.map((name) => element("li", {}, link(`${at}/${name}`, name.split("?")[0]), stageWords(name)))),
    element("p", {}, said("audit.verify", { command: element("code", {}, "tillroll event event.ndjson"), link: link(`/verify?event=${event.id}`, say("audit.verify_here")) })),
    element("p", {}, said("event.as_json", { standings: link(`${at}/standings`, say("event.standings")), rounds: link(`${at}/rounds`, say("event.json_rounds")),
      log: link(`${at}/log`, say("event.json_log")) })),
  ];
}

/* ---- Luck ---- */

// A commitment, and the secret once it is revealed: of the event, or of a round.
function commitment(of, hidden, revealed) {
  return element("p", {}, said(of.secret === null ? hidden : revealed, { hash: hexText(of.commitment), secret: hexText(of.secret) }));
}

function luck(event) {
  return [
    element("h2", { id: "luck" }, say("audit.luck")),
    commitment(event, "event.commitment", "event.commitment_revealed"),
    event.imported === null ? null : element("p", {}, said("event.imported_from", { key: hexText(event.imported.key), when: time(event.imported.at) })),
  ];
}

// The co-dealers, who take part in the luck of the games.
function dealersPart({ settings: { dealers = [], dealers_seconds: seconds = 0 } }) {
  return dealers.length === 0 ? null : [
    element("h2", { id: "dealers" }, say("audit.games_luck")),
    element("p", {}, say("audit.dealers"), " ", say(seconds === 0 ? "audit.dealers_all" : "audit.dealers_missing")),
    element("ul", {}, dealers.map(({ name, key }) => element("li", {}, `${name}: `, hexText(key))))];
}

/* ---- Rounds ---- */

function drawWords(round) {
  const { repeats_bound: bound, proved_best: isBest } = round.quality;
  return [say("rounds.attempts", { count: round.attempt }), round.changes === 0 ? null : say("rounds.changes", { count: round.changes }),
    bound === undefined ? null : say("rounds.repeats_bound", { bound }), isBest ? `${say("rounds.why_best_tables")}.` : null].filter((each) => each !== null).join(" ");
}

function criteria(round) {
  if (round.commitment !== null) return commitment(round, "rounds.commitment", "rounds.commitment_revealed");
  if (round.quality === null) return null;
  return [element("p", {}, drawWords(round)), element("dl", { class: "terms" }, round.quality.criteria.flatMap((each) => [
    element("dt", {}, `${each.code}: `, criterionName(each), ` = ${each.value}`), element("dd", {}, criterionMeaning(each))]))];
}

function roundPart(round) {
  const name = round.quality?.name ?? null;
  return element("section", { id: `round-${round.number}` },
    element("h3", {}, link(`/events/${id}/rounds/${round.number}`, whereLine({ round: round.number })), name === null ? null : [": ", bracketRound(name)]), criteria(round));
}

function roundsPart(rounds) {
  return rounds.length === 0 ? null : [element("h2", { id: "rounds" }, say("audit.rounds")), element("p", {}, say("rounds.draws")), rounds.map(roundPart)];
}

/* ---- Embedding ---- */

function embedPart() {
  const address = `${location.origin}/events/${id}/embed`;
  return [element("h2", { id: "embed" }, say("audit.embed")),
    element("p", {}, said("embed.about", { link: link(address, say("embed.link")), code: element("code", {}, `<iframe src="${address}" width="100%" height="600"></iframe>`) }))];
}

async function draw() {
  const [event, { items: rounds }] = await Promise.all([read(at), read(`${at}/rounds`)]);
  const more = event.state !== "closed";
  const data = JSON.stringify([event, rounds]);
  if (data === shown) return { more, after: event.changes };
  shown = data;
  title(say("audit.title_of", { event: nameText(event) }));
  return { more, after: event.changes, content: [
    element("h1", {}, say("audit.title")),
    element("p", { class: "about" }, link(`/events/${id}`, nameOf(event))),
    downloads(event, rounds), luck(event), dealersPart(event), roundsPart(rounds), embedPart(),
  ] };
}

present(draw, 3000, `${at}/stream`);
