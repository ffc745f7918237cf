// The queue of disputes: for arbiters and auditors of the site those to be decided, or all; for others those that they may decide.
// Above it, the contested results of real tables that a reader may decide.
import { player } from "../lib/account.js";
import { element, link, nameOf, parameter, present, read, signInLink, time, title, whereWords } from "../lib/common.js";
import { contestedAt } from "../event/rounds.js";
import { disputesTable } from "../game/dispute-table.js";
import { said, say } from "../lib/words.js";

const deciders = ["arbiter", "auditor"];

// Officials of events.
async function ownQueue(hasResults) {
  const { items } = await read("/v1/me/disputes?limit=100");
  return [items.length === 0 && hasResults ? null : items.length === 0 ? element("p", { class: "notice" }, say("dispute.not_yours")) : disputesTable(items)];
}

async function contestedResults() {
  const { items } = await read("/v1/me/contested-results");
  if (items.length === 0) return null;
  return [element("h2", {}, say("dispute.results")), element("ul", { id: "results" }, items.map((each) =>
    element("li", {}, link(contestedAt(each), nameOf(each.event)), ", ", said("dispute.result_since", { where: whereWords(each), time: time(each.since) }))))];
}

async function draw() {
  title(say("dispute.queue"));
  if (player() === null) return { content: [element("h1", {}, say("dispute.queue")), element("p", {}, said("dispute.sign_in", { link: signInLink() }))] };
  const results = await contestedResults();
  const heading = [element("h1", {}, say("dispute.queue")), results];
  if (!(await read("/v1/me")).roles.some((role) => deciders.includes(role))) return { content: [heading, ...await ownQueue(results !== null)] };
  const all = parameter("state") === "all";
  const after = parameter("after") === null ? "" : `&after=${encodeURIComponent(parameter("after"))}`;
  const { items, next } = await read(`/v1/disputes?limit=50${all ? "&state=all" : ""}${after}`);
  const choice = (words, address, chosen) => element("a", { href: address, "aria-current": chosen ? "page" : null }, words);
  return { content: [heading,
    element("nav", { class: "links steps-of", "aria-label": say("dispute.which") }, choice(say("dispute.waiting"), "/disputes", !all), choice(say("dispute.all"), "/disputes?state=all", all)),
    items.length === 0 ? element("p", {}, say("dispute.none")) : disputesTable(items),
    next === null ? null : element("p", {}, link(`?${all ? "state=all&" : ""}after=${next}`, say("dispute.older")))] };
}

present(draw);
