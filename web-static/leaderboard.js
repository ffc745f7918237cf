import { element, millionths, playerLink, read, show, table } from "./common.js";

const scope = new URLSearchParams(location.search).get("scope") ?? "overall";

show(async () => {
  const [rulesets, board] = await Promise.all([read("/v1/rulesets"), read(`/v1/leaderboard?limit=100&scope=${encodeURIComponent(scope)}`)]);
  const scopes = [{ slug: "overall", title: "All games" }, ...rulesets.items];
  return [
    element("h1", {}, "Leaderboard"),
    element("p", {}, scopes.flatMap((each) => [
      each.slug === scope ? element("strong", {}, each.title) : element("a", { href: `?scope=${each.slug}` }, each.title), " "])),
    board.items.length === 0 ? element("p", {}, "No rated game yet.") : table(
      "By rating: the strength less three times its uncertainty (Plackett-Luce).",
      [{ text: "Place", number: true }, { text: "Player", header: true }, { text: "Rating", number: true, class: "points" },
        { text: "Strength" }, { text: "Games", number: true }, { text: "" }],
      board.items.map((row, i) => [String(i + 1), playerLink(row.player), millionths(row.rating_millionths),
        `${millionths(row.mu_millionths)} ± ${millionths(row.sigma_millionths)}`, String(row.games), row.provisional ? "provisional" : ""])),
  ];
});
