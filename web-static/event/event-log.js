// The log of this page's event. It only grows, so reading continues where it ended.
import { read } from "../lib/common.js";

const lines = [];

// All lines, oldest first.
export async function readLog(at) {
  for (;;) {
    const { items } = await read(`${at}/log?after=${lines.at(-1)?.seq ?? 0}`);
    if (items.length === 0) return lines;
    const last = lines.at(-1)?.seq ?? 0; // another caller may have read more meanwhile
    lines.push(...items.filter((each) => each.seq > last));
  }
}
