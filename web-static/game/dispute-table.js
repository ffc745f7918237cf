// Disputes as a list, for those who decide them.
import { link, playerLink, table, time } from "../lib/common.js";
import { say } from "../lib/words.js";

export function disputesTable(disputes) {
  const columns = [{ text: say("dispute.claim"), header: true }, { text: say("dispute.state") }, { text: say("dispute.by") }, { text: say("dispute.opened_at"), class: "extra" }];
  return table(say("dispute.newest_first"), columns, disputes.map((each) => [
    link(`/disputes/${each.id}`, say(`claim.${each.claim}`), each.event === null ? null : say("dispute.at", each.event)),
    say(`dispute.is_${each.state}`), playerLink(each.opened_by), time(each.opened_at)]));
}
