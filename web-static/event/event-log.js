// The log of this page's event. It only grows: it is read from where it ended before.
import { read } from "../lib/common.js";

const lines = [];

// All lines, oldest first.
export async function readLog(at) {
  for (;;) {
    const { items } = await read(`${at}/log?after=${lines.at(-1)?.seq ?? 0}`);
    if (items.length === 0) return lines;
    const last = lines.at(-1)?.seq ?? 0; // somebody else may have read on meanwhile
    lines.push(...items.filter((each) => each.seq > last));
  }
}
