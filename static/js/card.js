// A result card: the other theme, and the picture onto the clipboard.
import { call, fragment } from "./api.js";
import { busy, tell, toast } from "./notice.js";

/** Put a fresh card in the place of `card`, once its picture can be shown: no flash of an empty frame. */
async function replace(card, theme) {
  const { session, version } = card.dataset;
  const piece = await fragment(`/agent/cards/${session}/${version}/?theme=${theme}`);
  const fresh = piece.querySelector("[data-card]");
  const open = [...card.querySelectorAll("details")].map((fold) => fold.open);
  fresh.querySelectorAll("details").forEach((fold, index) => { fold.open = open[index] || false; });
  const picture = fresh.querySelector("[data-plot]");
  if (picture) {
    const early = new Image();
    early.src = picture.src;
    await early.decode().catch(() => {});
  }
  card.replaceWith(fresh);
  return fresh;
}

async function toggle(form, button) {
  const card = form.closest("[data-card]");
  const theme = button.value;
  if (card.dataset.shown === theme || card.getAttribute("aria-busy") === "true") return;
  card.setAttribute("aria-busy", "true");
  const { session, version } = card.dataset;
  tell(card.querySelector("[data-card-notice]"), null);
  try {
    const answer = await call("POST", `/v1/sessions/${session}/versions/${version}/render`, { theme });
    const fresh = await replace(card, theme);
    fresh.querySelector(`[data-toggle] button[value=${theme}]`)?.focus();
    if (answer.status === "failed") toast(`The ${theme} theme could not be drawn`);
  } catch (trouble) {
    tell(card.querySelector("[data-card-notice]"), trouble);
  } finally {
    card.removeAttribute("aria-busy");
  }
}

async function copyImage(button) {
  await busy(button, async () => {
    try {
      const picture = fetch(button.dataset.copyImage).then((answer) => answer.blob());
      await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
      toast("Picture copied");
    } catch {
      toast("This browser keeps pictures from the clipboard: download the PNG");
    }
  });
}

export function listenToCards(thread) {
  thread.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-toggle]")) return;
    event.preventDefault();
    toggle(event.target, event.submitter);
  });
  thread.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy-image]");
    if (button) copyImage(button);
  });
}
