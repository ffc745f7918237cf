// An address that leads nowhere: the page says so, and helps to go on.
import { present, Problem } from "../lib/common.js";
import { say } from "../lib/words.js";

present(async () => {
  throw new Problem("not-found", 404, say("lost.about"));
});
