// A button that shares this page: in the device's own dialog where there is one, otherwise by copying its address.
import { element } from "./common.js";
import { say } from "./words.js";

export function shareButton() {
  return [element("button", { type: "button", class: "no-print", "data-share": true }, say("share.share")),
    element("span", { class: "hint no-print", role: "status", "data-keep": true, "data-shared": true })];
}

// True if the dialog was there, even if nothing was chosen in it.
async function shareInDialog(address) {
  if (navigator.share === undefined) return false;
  try {
    await navigator.share({ title: document.title, url: address });
    return true;
  } catch (error) {
    return error.name === "AbortError";
  }
}

// Without a secure connection there is no clipboard.
async function copy(address) {
  try {
    await navigator.clipboard.writeText(address);
    return say("share.copied");
  } catch {
    return say("share.by_hand", { address });
  }
}

document.addEventListener("click", async ({ target }) => {
  if (target.dataset?.share === undefined) return;
  const address = location.origin + location.pathname;
  const said = target.parentElement.querySelector("[data-shared]");
  if (!await shareInDialog(address)) said.textContent = await copy(address);
});
