// Forms: fields with labels, hints and errors, and dialogs for steps that need more than a click. A dialog can preview a
// step's effect.
import { keepPlayer } from "./account.js";
import { element, english, fill, Problem, showFault, unfold } from "./common.js";
import { refusalWords } from "../refusals/refusals.js";
import { capital, say } from "./words.js";

/* ---- Fields ---- */

// A field with its label; `control` has an id and a name.
export function field(control, label, hint = null) {
  const { id } = control;
  control.setAttribute("aria-describedby", hint === null ? `${id}-fault` : `${id}-hint ${id}-fault`);
  const name = element("label", { for: id }, label);
  const isBox = control.type === "checkbox";
  return element("p", { id: `${id}-field`, class: isBox ? "field box" : "field" }, isBox ? [control, name] : [name, control],
    hint === null ? null : element("span", { id: `${id}-hint`, class: "hint" }, hint), element("span", { id: `${id}-fault`, class: "fault", "data-keep": true }));
}

export function textBox(id, value, attributes = {}) {
  return element("input", { id, name: id, type: "text", value, maxlength: 200, autocomplete: "off", ...attributes });
}

// A box for more than a line; the service takes no line breaks.
export function proseBox(id, most) {
  return element("textarea", { id, name: id, rows: 4, maxlength: most, "data-text": true });
}

export const proseOf = (box) => box.value.replace(/\s+/g, " ").trim();

export function numberBox(id, value, least, most, attributes = {}) {
  return element("input", { id, name: id, type: "number", value: value ?? "", min: least, max: most, step: "any", inputmode: "numeric", ...attributes });
}

export function tickBox(id, ticked) {
  return element("input", { id, name: id, type: "checkbox", checked: ticked });
}

// `options`: pairs of a value and its text.
export function choiceBox(id, options, chosen) {
  return element("select", { id, name: id }, options.map(([value, words]) => element("option", { value, selected: String(value) === String(chosen ?? "") }, words)));
}

// The box for a search in a list.
export const searchBox = (id, value) => element("input", { id, type: "search", autocomplete: "off", spellcheck: "false", value });

// The reason to be logged. `hint`: who can read it.
export function reasonField(id, needed, hint = say("form.reason_hint")) {
  return field(textBox(id, null, { maxlength: 500, required: needed }), say(needed ? "form.reason" : "form.reason_may"), hint);
}

// The member of a request with the reason, none if nothing is written.
export function readReason({ elements: { reason } }) {
  const text = reason?.value.trim() ?? "";
  return text === "" ? {} : { reason: text };
}

export function button(words, attributes = {}) {
  return element("button", { type: "button", ...attributes }, words);
}

/* ---- Errors ---- */

function clearFaults(form) {
  for (const fault of form.querySelectorAll(".fault")) fault.textContent = "";
  for (const control of form.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
}

// The field that a problem is about: if it is missing, the service says `The field <name> is needed.`; otherwise its
// sentence begins with the name.
export function fieldOf(problem) {
  return problem.field ?? problem.message.replace(/^The field /, "").split(" ")[0];
}

// The same for readers, who see it at the control: the field's name is for programs.
export function withoutField(problem, isEmpty = false) {
  if (problem.code === "missing-field" || (problem.code === "bad-field" && isEmpty)) return { words: say("form.needed") };
  if (problem.code !== "bad-field") return problem;
  const sentence = problem.message.replace(/^\S+ /, "");
  return { words: refusalWords(sentence) ?? english(capital(sentence.replace(/^(?=must|is|has|takes|cannot)/, "it "))) };
}

// Shows an error: at the control that `controlOf` finds for the field, or under the form.
function showProblem(form, problem, controlOf = () => null) {
  const control = controlOf(fieldOf(problem));
  const fault = control === null ? null : form.querySelector(`#${CSS.escape(control.id)}-fault`);
  if (fault === null) {
    showFault(form.querySelector(".form-fault"), problem);
    return;
  }
  showFault(fault, withoutField(problem, control.value.trim() === ""));
  control.setAttribute("aria-invalid", "true");
  unfold(control);
  control.focus();
}

// The place for errors of the form as a whole; it survives redrawing.
export function formFault(id = null) {
  return element("p", { id, class: "fault form-fault", role: "alert", "data-keep": true });
}

// Runs `act` for a form, or another part of the page with buttons, and disables it meanwhile. False if it failed, after
// showing why.
export async function attempt(form, act, controlOf) {
  if (form.getAttribute("aria-busy") === "true") return false;
  clearFaults(form);
  form.setAttribute("aria-busy", "true");
  try {
    await act();
    return true;
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    showProblem(form, problem, controlOf);
    return false;
  } finally {
    form.removeAttribute("aria-busy");
  }
}

/* ---- Dialogs ---- */

let dialogs = 0;

// The preview's input, without the reason, which does not affect it.
const textOf = (body) => JSON.stringify({ ...body, reason: undefined });

// Opens a dialog.
//   heading, about, fields   what it shows
//   read(form)               what its fields say: the body of the request; throws a problem if they cannot be read
//   preview(body)            resolves with elements that say what it would change; null: it is done at once
//   act(body)                does it
//   label                    of the button that does it
//   controlOf(form, name)    the control for a field of the problem, or null: usually the one of that name
// The first press of the button shows what would change, the second does it; whatever is changed in between begins again.
export function openDialog({ heading, about = null, fields = [], read = () => null, preview = null, act, label, controlOf = (form, name) => form.elements.namedItem(name) }) {
  const id = `dialog-${++dialogs}`;
  const go = element("button", { type: "submit", class: "main" });
  const shown = element("div", { class: "preview", role: "status" });
  const cancel = button(say("form.cancel"), { class: "cancel" });
  const form = element("form", { novalidate: true }, element("h2", { id }, heading), about === null ? null : element("p", { id: `${id}-about` }, about), fields, shown, formFault(),
    element("p", { class: "bar" }, go, cancel));
  const dialog = element("dialog", { class: "desk", "aria-labelledby": id, "aria-describedby": about === null ? null : `${id}-about` }, form);
  const section = document.activeElement?.closest("section") ?? null;
  let seen = null; // the previewed body

  function begin() {
    seen = null;
    shown.replaceChildren();
    go.textContent = preview === null ? label : say("form.preview");
  }

  // null while something cannot be read.
  function textNow() {
    try {
      return textOf(read(form));
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      return null;
    }
  }

  async function step() {
    const body = read(form);
    const text = textOf(body);
    if (preview !== null && text !== seen) {
      const found = await preview(body);
      fill(shown, element("h3", {}, say("form.would_change")), found);
      seen = text;
      go.textContent = label;
      go.scrollIntoView({ block: "nearest" }); // a long dialog: the preview is above it
      return;
    }
    await act(body);
    dialog.close();
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await attempt(form, step, (name) => controlOf(form, name));
  });
  form.addEventListener("input", () => {
    if (seen !== null && seen !== textNow()) begin();
  });
  cancel.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (document.activeElement === document.body) section?.querySelector("h2")?.focus(); // the button is gone
  });
  begin();
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}


/* ---- Sessions ---- */

// The player has just signed in. Browsers drop the session's cookie without a word if cookies are off, or if the page came without TLS
// from outside a private network.
export async function beginSession(player) {
  const { status } = await fetch("/v1/me");
  if (status === 401) throw new Problem("no-cookie", status, say(location.protocol === "http:" ? "problem.no_cookie_http" : "problem.no_cookie"));
  keepPlayer(player);
}
