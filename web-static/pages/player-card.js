// A player's card, to show, share or print: name, rating and last results.
import { codeOf, element, gameLink, link, nameOf, nameText, pageId, place, present, printButton, read, scoreWords, shareButton, title } from "../lib/common.js";
import { number, say } from "../lib/words.js";

const id = pageId();
const most = 5; // results
const tints = 6; // colours, chosen by the last digit of the id: as in api/pages/player_card.c

function ratingWords(rating) {
  if (rating === undefined) return say("rating.none");
  const { display: { rating: value, deviation }, games: count, provisional } = rating;
  return say(provisional ? "player.card_rating_provisional" : "player.card_rating", { rating: String(value), deviation, count });
}

function resultWords(game) {
  const own = game.seats.find((seat) => seat.player.id === id);
  const ranks = game.seats.map((seat) => seat.rank);
  return ranks.length === 1 ? own.score < 0 ? scoreWords(own.score, 1) : say("player.card_score", { score: number(own.score) })
    : say("player.card_place", { place: place(own.rank, ranks), count: ranks.length });
}

const hasResult = ({ seats }) => (seats.find((seat) => seat.player.id === id)?.rank ?? null) !== null;

function results(games) {
  const shown = games.items.filter(hasResult).slice(0, most);
  return shown.length === 0 ? element("p", {}, say("player.card_no_result"))
    : element("ul", {}, shown.map((game) => element("li", {}, element("strong", {}, resultWords(game)), " ", gameLink(game))));
}

present(async () => {
  const [player, ratings, games] = await Promise.all([read(`/v1/players/${id}`), read(`/v1/players/${id}/ratings`), read(`/v1/players/${id}/games?limit=50`)]);
  title(say("player.card_title", { name: nameText(player) }));
  return { content: [
    element("h1", {}, nameOf(player)),
    element("section", { class: "player-card", "data-tint": Number.parseInt(id.at(-1), 16) % tints },
      codeOf(player), element("p", { class: "rating" }, ratingWords(ratings.items.find((each) => each.scope === "overall"))),
      element("h2", {}, say("player.card_results")), results(games)),
    element("p", { class: "links no-print" }, link(`/players/${id}`, say("player.card_more")), " ",
      printButton(say("player.card_print")), " ", shareButton()),
    element("p", { class: "address" }, new URL(`/players/${id}`, location.origin).href),
  ] };
});
