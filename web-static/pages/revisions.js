// Corrections of results and the ratings that they changed: all corrections, or one with its changes.
import { element, link, parameter, playerLink, present, read, scopeName, table, time, title } from "../lib/common.js";
import { ratedTablePath, ratingCause } from "../event/player-more.js";
import { number, said, say } from "../lib/words.js";

const wanted = /^\d{1,9}$/.test(parameter("number") ?? "") ? parameter("number") : null;
const after = /^\d{1,9}$/.test(parameter("after") ?? "") ? `&after=${parameter("after")}` : "";
const at = "/v1/ratings/revisions";

function further(next) {
  if (next === null) return null;
  return element("p", { class: "links no-print" }, link(`?${wanted === null ? "" : `number=${wanted}&`}after=${next}`, say("list.further")));
}

/* ---- All ---- */

const corrected = (revision) => (revision.reported === undefined ? link(`/games/${revision.game}`, say("revision.game"))
  : link(ratedTablePath(revision.reported), say("revision.table")));

function line(revision) {
  return [link(`?number=${revision.number}`, number(revision.number)), time(revision.at), corrected(revision),
    revision.by === null ? "" : playerLink(revision.by), element("bdi", {}, revision.reason), number(revision.changes)];
}

async function list() {
  const { items, next } = await read(`${at}?limit=50${after}`);
  const columns = [{ text: say("revision.number"), header: true }, { text: say("revision.at"), class: "extra" }, { text: say("revision.of") }, { text: say("revision.by"), class: "extra" },
    { text: say("form.reason") }, { text: say("revision.changes"), number: true, class: "extra" }];
  return { content: [
    element("h1", {}, say("revision.title")), element("p", { class: "about" }, say("revision.about")),
    items.length === 0 ? element("p", {}, say("revision.none")) : table(say("list.newest_first"), columns, items.map(line)), further(next)] };
}

/* ---- One ---- */

const valueOf = (values) => (values === null ? say("revision.not_rated") : number(values.after.display.rating));

function difference(each, rulesets) {
  return [playerLink(each.player), scopeName(each.scope, rulesets), ratingCause(each),
    valueOf(each.was), valueOf(each.is)];
}

async function one() {
  const [found, rulesets] = await Promise.all([read(`${at}/${wanted}?limit=100${after}`), read("/v1/rulesets")]);
  const columns = [{ text: say("seats.player"), header: true }, { text: say("player.games_of") }, { text: say("player.after_game") },
    { text: say("revision.was"), number: true }, { text: say("revision.is"), number: true }];
  const heading = say("revision.title_of", { number: found.number });
  title(heading);
  return { content: [
    element("h1", {}, heading),
    element("p", { class: "about" }, said(found.by === null ? "revision.facts" : "revision.facts_by",
      { when: time(found.at), game: corrected(found), reason: element("bdi", {}, found.reason), by: found.by === null ? null : playerLink(found.by) })),
    found.items.length === 0 ? element("p", {}, say("revision.no_difference")) : table(say("revision.differences", { count: found.changes }), columns, found.items.map((each) => difference(each, rulesets))),
    further(found.next), element("p", { class: "links no-print" }, link("/ratings/revisions", say("revision.all")))] };
}

present(wanted === null ? list : one);
