// On every page: the appearance switch without a round trip, copying, fresh CSRF tokens, busy buttons.
import { csrfToken } from "./api.js";
import { banner, toast } from "./notice.js";

const YEAR_S = 365 * 24 * 3600;

function appear(theme) {
  const root = document.documentElement;
  if (theme === "auto") {
    delete root.dataset.theme;
    document.cookie = "appearance=; path=/; max-age=0; samesite=lax";
  } else {
    root.dataset.theme = theme;
    document.cookie = `appearance=${theme}; path=/; max-age=${YEAR_S}; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
  }
  for (const button of document.querySelectorAll("[data-appearance] button")) {
    button.setAttribute("aria-pressed", String(button.value === theme));
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  if (form.matches("[data-appearance]")) {
    event.preventDefault();
    appear(button.value);
    return;
  }
  // Another tab may have become a guest meanwhile: the token of this page's forms is then an old one.
  const token = form.querySelector("input[name=csrfmiddlewaretoken]");
  if (token && csrfToken()) token.value = csrfToken();
  if (!event.defaultPrevented && form.method === "post") button?.setAttribute("aria-busy", "true");
});
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("form [aria-busy=true]")) button.removeAttribute("aria-busy");
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.querySelector(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.textContent);
    toast("Copied");
  } catch {
    // No clipboard without a secure address: mark the text, so that the person's own copy works.
    getSelection().selectAllChildren(source);
    toast("Marked: press Ctrl+C to copy");
  }
});

addEventListener("offline", () => banner("You are offline. Nothing is lost; this page goes on when you are back."));
addEventListener("online", () => banner(""));
