// The choice of the language that pages are in, in their head. It is kept at this browser.
import { keepLanguage, language, languages, say } from "./words.js";

// Each language is called as it calls itself.
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

// Puts the choice into the page's head, once. A page without a head, as is put into others, has none.
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
