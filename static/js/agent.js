// The agent page. The server writes every piece of it; this asks the JSON API and puts fresh pieces in their places.
import { call, fragment, Refused } from "./api.js";
import { Box } from "./bring.js";
import { listenToCards } from "./card.js";
import { busy, sentence, tell, toast } from "./notice.js";
import { Follower } from "./turn.js";

const page = document.querySelector("[data-agent]");
const panel = page.querySelector("[data-panel]");
const thread = page.querySelector("[data-thread]");
const dock = page.querySelector("[data-dock]");
const { spec, library, language } = page.dataset;
const systemDark = matchMedia("(prefers-color-scheme: dark)");

const state = { session: page.dataset.session, sessionDataset: "", following: null };

const dataset = () => panel.querySelector("[data-panel-state]").dataset.dataset;
state.sessionDataset = state.session ? dataset() : "";

/** The theme that the person sees now (TH1): dark only when the site is dark. */
function themeNow() {
  const chosen = document.documentElement.dataset.theme;
  return chosen || (systemDark.matches ? "dark" : "light");
}

function address(session, table) {
  const query = new URLSearchParams({ spec, library, language });
  if (session) query.set("session", session);
  if (table && table !== state.sessionDataset) query.set("dataset", table);
  history.replaceState(null, "", `${location.pathname}?${query}`);
}

// --- the data panel ---------------------------------------------------------------------------

async function refreshPanel(table, bindings) {
  const query = new URLSearchParams({ spec, library, language, dataset: table });
  if (state.session && state.sessionDataset === table) query.set("session", state.session);
  for (const [role, names] of Object.entries(bindings || {})) {
    for (const name of [names].flat()) query.append(`role-${role}`, name);
  }
  panel.replaceChildren(await fragment(`/agent/panel?${query}`));
  equipPanel();
  updatePills();
  page.querySelector("[data-hush-without]").hidden = true;
  page.querySelector("[data-hush-with]").hidden = false;
}

function equipPanel() {
  const box = panel.querySelector("[data-bring]");
  if (box) new Box(box, takeDataset, () => ({ spec, library }));
  panel.querySelector("[data-create]")?.addEventListener("submit", create);
  panel.querySelector("[data-reread]")?.addEventListener("submit", (event) => event.preventDefault());
}

async function takeDataset(made) {
  address(made.id === state.sessionDataset ? state.session : "", made.id);
  await refreshPanel(made.id);
  panel.querySelector("#table-heading")?.focus({ preventScroll: true });
  if (panel.getBoundingClientRect().top < 0) panel.scrollIntoView({ block: "start" });
  toast(`${made.rows.toLocaleString("en")} rows, ${made.columns.length} columns read`);
}

async function reread(change, control) {
  const whole = panel.querySelector("[data-panel-state]");
  const kept = bindings();
  const table = dataset();
  whole.classList.add("reading");
  control.setAttribute("aria-busy", "true");
  try {
    await call("PATCH", `/v1/datasets/${table}`, change);
    await refreshPanel(table, change.columns ? kept : undefined);
    const again = control.name && panel.querySelector(`[name="${CSS.escape(control.name)}"]`);
    again?.focus({ preventScroll: true });
  } catch (trouble) {
    // The table is as it was: the control goes back to what holds.
    const standing = [...control.options].find((option) => option.defaultSelected);
    if (standing) control.value = standing.value;
    tell(panel.querySelector("[data-reread-notice]"), trouble);
  } finally {
    whole.classList.remove("reading");
    control.removeAttribute("aria-busy");
  }
}

panel.addEventListener("change", (event) => {
  const control = event.target;
  if (control.dataset.reading) reread({ reading: { [control.dataset.reading]: JSON.parse(control.value) } }, control);
  else if (control.dataset.column) reread({ columns: [{ name: control.dataset.column, type: control.value }] }, control);
  else if ("roleSelect" in control.dataset) {
    offerMember(control);
    updatePills();
    check();
  }
});

/** A family's last dropdown is the empty one; choosing in it brings the next. */
function offerMember(control) {
  const role = control.closest("[data-role]");
  if (!("family" in role.dataset)) return;
  const selects = [...role.querySelectorAll("select")];
  for (const select of selects.slice(0, -1)) if (!select.value && select !== control) select.remove();
  const last = role.querySelector("select:last-of-type");
  if (last.value) {
    const next = last.cloneNode(true);
    next.value = "";
    last.after(next);
  }
}

function bindings() {
  const chosen = {};
  for (const role of panel.querySelectorAll("[data-role]")) {
    const names = [...role.querySelectorAll("select")].map((select) => select.value).filter(Boolean);
    if (names.length) chosen[role.dataset.role] = "family" in role.dataset ? names : names[0];
  }
  return chosen;
}

/** The same table and roles in the other library. */
function updatePills() {
  for (const pill of page.querySelectorAll("[data-library-pill]")) {
    const query = new URLSearchParams({ spec, library: pill.dataset.libraryPill, language });
    if (dataset()) {
      query.set("dataset", dataset());
      for (const [role, names] of Object.entries(bindings())) for (const name of [names].flat()) query.append(`role-${role}`, name);
    }
    pill.href = `/agent/?${query}`;
  }
}

function showRoleErrors(lines) {
  const other = [];
  for (const role of panel.querySelectorAll("[data-role]")) {
    const own = lines.filter((line) => line.role === role.dataset.role);
    role.querySelector("[data-role-error]").replaceChildren(sentence(own.map((line) => line.text).join(" ")));
    for (const select of role.querySelectorAll("select")) {
      if (own.length) select.setAttribute("aria-invalid", "true");
      else select.removeAttribute("aria-invalid");
    }
  }
  for (const line of lines) if (!panel.querySelector(`[data-role="${CSS.escape(line.role || "")}"]`)) other.push(line.text);
  const place = panel.querySelector("[data-create-notice]");
  place.replaceChildren(...other.map((text) => {
    const part = Object.assign(document.createElement("p"), { className: "error-text" });
    part.append(sentence(text));
    return part;
  }));
}

let checking;
async function check() {
  checking?.abort();
  checking = new AbortController();
  try {
    await call("POST", `/v1/datasets/${dataset()}/check`, { spec, library, bindings: bindings() }, { signal: checking.signal });
    showRoleErrors([]);
  } catch (trouble) {
    if (trouble instanceof Refused && trouble.code === "binding_refused") showRoleErrors(trouble.lines);
    // Anything else is said when the person presses Create plot.
  }
}

// --- create, refine, follow ---------------------------------------------------------------------

function create(event) {
  event.preventDefault();
  const button = panel.querySelector("[data-create-button]");
  busy(button, async () => {
    tell(panel.querySelector("[data-create-notice]"), null);
    try {
      const table = dataset();
      const theme = themeNow();
      const chosen = bindings();
      if (state.session && state.sessionDataset === table) {
        await call("PATCH", `/v1/sessions/${state.session}`, { bindings: chosen });
      } else {
        const made = await call("POST", "/v1/sessions", { spec, library, language, dataset: table, bindings: chosen, theme });
        state.session = made.id;
        state.sessionDataset = table;
        thread.replaceChildren();
        dock.replaceChildren(await fragment(`/agent/dock/${made.id}/`));
        address(made.id, table);
      }
      await send(theme === "dark" ? { theme } : {});
    } catch (trouble) {
      if (trouble instanceof Refused && trouble.code === "binding_refused") {
        showRoleErrors(trouble.lines);
        panel.querySelector("[data-role] [aria-invalid]")?.focus();
      } else tell(panel.querySelector("[data-create-notice]"), trouble);
    }
  });
}

/** Send a message, and show its turn as soon as it has a place. */
async function send(payload) {
  const answer = await call("POST", `/v1/sessions/${state.session}/messages`, payload);
  const piece = await fragment(`/agent/turns/${answer.turn}/`);
  const element = piece.querySelector("[data-turn]");
  page.querySelector("[data-hush]").hidden = true;
  thread.append(piece);
  element.scrollIntoView({ block: "start", behavior: "smooth" });
  if ("live" in element.dataset) follow(element);
  else await refreshDock(); // answered at once, or done before we looked
}

/** The composer anew, with what the person is writing kept. */
async function refreshDock() {
  const written = dock.querySelector("[data-say-text]")?.value || "";
  dock.replaceChildren(await fragment(`/agent/dock/${state.session}/`));
  const field = dock.querySelector("[data-say-text]");
  if (field) field.value = written;
}

function follow(element) {
  const corner = dock.querySelector("[data-corner]");
  state.following = new Follower(element, corner, async () => {
    state.following = null;
    const top = element.getBoundingClientRect().top;
    const piece = await fragmentWhenThere(`/agent/turns/${element.dataset.turn}/`);
    if (!piece) return;
    const fresh = piece.querySelector("[data-turn]");
    element.replaceWith(fresh);
    if (top < 0 || top > innerHeight) fresh.scrollIntoView({ block: "start" });
    await refreshDock();
    // The composer is pinned over the page's end: the new picture must not end beneath it.
    const result = fresh.querySelector(".result");
    const end = result?.querySelector(".picture")?.getBoundingClientRect().bottom ?? 0;
    if (end > dock.getBoundingClientRect().top) result.scrollIntoView({ block: "start" });
    announce(fresh);
  });
}

/** A fragment, again after a while when the site is away; null when it is gone. */
async function fragmentWhenThere(path) {
  for (let wait = 500; ; wait = Math.min(wait * 2, 10000)) {
    try {
      return await fragment(path);
    } catch (trouble) {
      if (trouble instanceof Refused && trouble.status !== 503) return null;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** Say to those who can't see it what came of the turn. */
function announce(turn) {
  const badge = turn.querySelector("[data-card] .badge, [data-outcome] strong, [data-outcome] p");
  if (badge) toast(badge.textContent);
}

function operationOf(form) {
  const operation = {};
  for (const [name, value] of new FormData(form)) {
    if (["csrfmiddlewaretoken", "session"].includes(name)) continue;
    operation[name] = name === "n" ? Number(value) : name === "others" ? true : value;
  }
  return operation;
}

function ask(event, payload, control) {
  event.preventDefault();
  busy(control, async () => {
    tell(dock.querySelector("[data-dock-notice]"), null);
    try {
      const field = dock.querySelector("[data-say-text]");
      if (payload.text && field) field.value = "";
      for (const open of dock.querySelectorAll("details[open]")) open.open = false;
      await send(payload);
    } catch (trouble) {
      const field = dock.querySelector("[data-say-text]");
      if (payload.text && field && !field.value) field.value = payload.text;
      tell(dock.querySelector("[data-dock-notice]"), trouble);
    }
  });
}

dock.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.operation) ask(event, { operations: [operationOf(form)] }, event.submitter);
  else if ("say" in form.dataset) {
    const text = form.elements.text.value.trim();
    if (text) ask(event, { text }, event.submitter);
    else event.preventDefault();
  }
});
dock.addEventListener("keydown", (event) => {
  if ("sayText" in event.target.dataset && event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    event.target.form.requestSubmit(event.target.form.querySelector("button"));
  }
  if (event.key === "Escape") {
    const open = event.target.closest("details[open]");
    if (open) {
      open.open = false;
      open.querySelector("summary").focus();
    }
  }
});

// A file dropped anywhere on the page is meant for the table box, never for the browser to open.
for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());

equipPanel();
listenToCards(thread);
// A page that was reloaded goes on with the turn that is in progress.
const live = thread.querySelector("[data-live]");
if (live) follow(live);
