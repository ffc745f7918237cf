// Shares this page: in the device's own dialog where there is one, otherwise by copying its address. Loaded at the first click on
// a button of shareButton() (common.js).
import { language, say } from "./words.js";

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

// False without a clipboard: a page needs a secure connection for one.
async function isCopied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// Copies the text of a box or another element, or only selects it. Returns what to say.
export async function copyFrom(place) {
  if (place.select === undefined) getSelection().selectAllChildren(place);
  else place.select();
  return say(await isCopied(place.value ?? place.textContent) ? "share.text_copied" : "share.select");
}

// `button`: the one that was clicked; what was done is said beside it.
export async function share(button) {
  // The picture that other sites show of the page is in the sharing reader's language.
  const address = location.origin + location.pathname + (language === "en" ? "" : `?language=${language}`);
  if (!await shareInDialog(address)) button.parentElement.querySelector("[data-shared]").textContent = await isCopied(address) ? say("share.copied") : say("share.by_hand", { address });
}
