// The gallery: the table box leads to the plots that fit; search and filters work as one types.
import { Box } from "./bring.js";

const form = document.querySelector("[data-bring]");
if (form) {
  new Box(form, (dataset) => {
    location.assign(`/?dataset=${dataset.id}`);
    // The next page replaces this one; the box stays busy until then.
    return new Promise(() => {});
  });
}

const filters = document.querySelector("[data-filters]");
const plots = [...document.querySelectorAll("[data-search]")];
const count = document.querySelector("[data-count]");
const nothing = document.querySelector("[data-nothing]");
function narrow() {
  const words = filters.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const plot of plots) {
    const fits = words.every((word) => plot.dataset.search.includes(word));
    plot.hidden = !fits;
    shown += Number(fits);
  }
  for (const group of document.querySelectorAll("[data-group]")) {
    const left = group.querySelectorAll("[data-search]:not([hidden])").length;
    group.hidden = left === 0;
    group.querySelector("[data-group-count]").textContent = left;
  }
  count.textContent = `${shown} plot${shown === 1 ? "" : "s"}`;
  nothing.hidden = shown > 0;
}

if (filters) {
  // What the server's own search left out is not on this page: emptying the field asks it again.
  const asked = filters.elements.q.defaultValue;
  filters.elements.q.addEventListener("input", () => {
    if (asked && !filters.elements.q.value.startsWith(asked)) filters.requestSubmit();
    else narrow();
  });
  filters.addEventListener("submit", (event) => {
    if (!asked) event.preventDefault();
  });
}
