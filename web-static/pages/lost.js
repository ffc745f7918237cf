// The page for unknown addresses, with a search and links.
import { present, Problem } from "../lib/common.js";
import { say } from "../lib/words.js";

present(async () => {
  throw new Problem("not-found", 404, say("lost.about"));
});
