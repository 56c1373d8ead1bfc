// A refusal at the place of the trouble; built from text only, never from markup.
import { refusal } from "./words.js";

/** A sentence with column names in backticks as code; text only, never markup. */
export function sentence(text) {
  const piece = document.createDocumentFragment();
  text.split(/`([^`]+)`/).forEach((part, index) => {
    if (index % 2 === 0) piece.append(part);
    else piece.append(Object.assign(document.createElement("code"), { textContent: part }));
  });
  return piece;
}

function line(entry) {
  const item = document.createElement("li");
  const where = entry.row ? `Line ${entry.row}${entry.column ? `, ${entry.column}` : ""}: ` : entry.line ? `Line ${entry.line}: ` : "";
  item.append(where, sentence(entry.text));
  if (entry.role) {
    const role = document.createElement("b");
    role.textContent = entry.role;
    item.prepend(role, ": ");
  }
  return item;
}

export function noticeOf(trouble) {
  const said = refusal(trouble);
  const box = document.createElement("div");
  box.className = "notice refused";
  box.setAttribute("role", "alert");
  box.dataset.code = said.code;
  const title = document.createElement("strong");
  title.textContent = said.title;
  box.append(title);
  const add = (text, className = "") => {
    if (!text) return;
    const part = document.createElement("p");
    part.append(sentence(text));
    part.className = className;
    box.append(part);
  };
  add(said.detail);
  if (said.lines.length) {
    const list = document.createElement("ul");
    list.append(...said.lines.slice(0, 12).map(line));
    box.append(list);
  }
  add(said.advice, "soft");
  return box;
}

/** Show a refusal in `place` (replacing what was there); null clears it. */
export function tell(place, trouble) {
  if (!place) return;
  place.replaceChildren(...(trouble ? [noticeOf(trouble)] : []));
  if (trouble) place.scrollIntoView({ block: "nearest" });
}

/** A short word in passing. */
export function toast(text) {
  const place = document.getElementById("toast");
  const said = document.createElement("p");
  said.textContent = text;
  place.replaceChildren(said);
  setTimeout(() => said.remove(), 2600);
}

/** The bar under the masthead for what concerns the whole page; empty text hides it. */
export function banner(text) {
  const bar = document.getElementById("banner");
  if (!bar || bar.firstElementChild.textContent === text) return;
  bar.firstElementChild.textContent = text;
  bar.hidden = !text;
}

/** Mark a control as busy while `work` goes on; a second press meanwhile does nothing. */
export async function busy(control, work) {
  if (control?.getAttribute("aria-busy") === "true") return undefined;
  control?.setAttribute("aria-busy", "true");
  try {
    return await work();
  } finally {
    control?.removeAttribute("aria-busy");
  }
}
