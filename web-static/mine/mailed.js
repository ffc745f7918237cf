// What the pages of mailed links share.
import { element, Problem, send } from "../lib/common.js";
import { say } from "../lib/words.js";

// The link's token: behind `#`, so that it is in no log and in no Referer.
export const token = location.hash.slice(1);

// `form`, unless the address has no token.
export const withToken = (form) => (token === "" ? element("p", { class: "notice" }, say("email.fault_bad-mail-link")) : form);

// Sends a request, whose problems come in words for the reader.
export async function ask(path, body) {
  try {
    return await send("POST", path, body);
  } catch (problem) {
    throw problem instanceof Problem ? problem.inWords(`email.fault_${problem.code}`) : problem;
  }
}
