// The language menu at the top of pages. The choice is stored in this browser.
import { keepLanguage, language, languages, say } from "./words.js";

// Each language has its own name for itself.
function nameOf(tag) {
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag);
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

function optionOf(tag) {
  const option = new Option(nameOf(tag), tag, tag === language, tag === language);
  option.lang = tag;
  return option;
}

// Pairs of a language and its name.
export function languageChoices() {
  return languages.map((tag) => [tag, nameOf(tag)]);
}

// Adds the menu to the page's header, once. Embedded pages have no header.
export function offerLanguages() {
  const head = document.querySelector("header.site");
  if (head === null || document.getElementById("language") !== null) return;
  const choice = document.createElement("select");
  choice.id = "language";
  choice.className = "language no-print";
  choice.ariaLabel = say("site.language");
  choice.append(...languages.map(optionOf));
  choice.addEventListener("change", () => {
    keepLanguage(choice.value);
    location.reload();
  });
  head.append(choice);
}
