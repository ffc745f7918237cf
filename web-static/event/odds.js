// The odds of a running event, read on demand because computing them takes seconds.
import { element, fill, link, nameText, playerLink, read, showFault, table } from "../lib/common.js";
import { addWords, say } from "../lib/words.js";

const all = 10000; // chances are in ten-thousandths

// Words that say as much as the number deserves.
export function chanceWords(chance) {
  if (chance === 0) return say("odds.none");
  if (chance < all / 100) return say("odds.less");
  if (chance < 0.27 * all) return say("odds.one_in", { count: Math.round(all / chance) });
  if (chance >= 0.45 * all && chance <= 0.55 * all) return say("odds.even");
  return chance < 0.95 * all ? say("odds.in_ten", { count: Math.round((10 * chance) / all) }) : say("odds.nearly");
}

function cell(certain, chance, sure) {
  if (certain === "sure") return element("strong", {}, say(sure));
  return certain === "out" ? say("odds.out") : chanceWords(chance);
}

const advances = (rows) => rows.some((row) => row.advance !== null);
const isOut = (row) => row.win === "out" && (row.advance === null || row.advance === "out");

function chancesTable(rows, division) {
  const columns = [{ text: say("seats.player"), header: true }, advances(rows) ? { text: say("odds.next_stage") } : null, { text: say("odds.first_place") }].filter(Boolean);
  return table(division === null ? say("odds.caption") : say("standings.division", { division }), columns, rows.map((row) => [playerLink(row.player),
    ...(row.advance === null ? [] : [cell(row.advance, row.advance_chance, "odds.through")]), cell(row.win, row.win_chance, "odds.won")]));
}

function outWords(rows) {
  const out = rows.filter(isOut);
  return out.length === 0 ? null : element("p", {}, say(advances(rows) ? "odds.gone" : "odds.cannot", { names: out.map(({ player }) => nameText(player)).join(", ") }));
}

function parts({ rows, samples }) {
  const divisions = [...new Set(rows.map((row) => row.division))].sort((a, b) => a - b);
  return [divisions.map((division) => {
    const own = rows.filter((row) => row.division === division);
    return [chancesTable(own.filter((row) => !isOut(row)), division), outWords(own)];
  }), element("p", { class: "hint" }, say("odds.about", { samples }), " ", link("/docs/explanation/odds", say("odds.more")))];
}

// Fills `place` with the odds of the event at `/v1/events/<id>`.
export async function showOdds(at, place) {
  await addWords("why");
  if (!place.hasChildNodes()) place.replaceChildren(element("p", { role: "status" }, say("odds.computing")));
  try {
    fill(place, parts(await read(`${at}/odds`)));
  } catch (problem) {
    place.replaceChildren();
    showFault(place, problem);
  }
}
