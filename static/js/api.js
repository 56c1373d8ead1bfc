// The JSON API from a page: the session cookie says who, the CSRF cookie says that it was meant.

/** An answer outside 2xx: `code` stable, `detail` a sentence, `body` the whole answer. */
export class Refused extends Error {
  constructor(status, body, retryAfter) {
    super(body.detail || "");
    this.status = status;
    this.body = body;
    this.code = body.code || (status === 413 ? "too_large" : "internal");
    this.detail = body.detail || "";
    this.lines = body.lines || body.reasons || [];
    this.retryAfter = retryAfter;
  }
}

/** No answer at all: the network or the site is away. */
export class Offline extends Error {}

/** The CSRF token as it is now: signing in (also as a guest, at the first write) changes it. */
export function csrfToken() {
  const found = document.cookie.split("; ").find((part) => part.startsWith("csrftoken="));
  return found ? decodeURIComponent(found.slice("csrftoken=".length)) : "";
}

/** fetch with the page's credentials; throws Refused or Offline. `payload`: an object (JSON) or FormData. */
export async function call(method, path, payload, { accept = "application/json", signal } = {}) {
  const headers = { Accept: accept };
  let body;
  if (payload instanceof FormData) body = payload;
  else if (payload !== undefined) {
    body = JSON.stringify(payload);
    headers["Content-Type"] = "application/json";
  }
  if (method !== "GET") headers["X-CSRFToken"] = csrfToken();
  let answer;
  try {
    answer = await fetch(path, { method, headers, body, signal, credentials: "same-origin" });
  } catch (reason) {
    if (reason.name === "AbortError") throw reason;
    throw new Offline("The site could not be reached.");
  }
  if (answer.ok) {
    if (accept.startsWith("text/")) return answer.text();
    return answer.status === 204 ? null : answer.json();
  }
  const text = await answer.text();
  let parsed = {};
  try { parsed = JSON.parse(text); } catch { /* a front end's own page */ }
  if ([502, 504].includes(answer.status) && !parsed.code) throw new Offline("The site is restarting.");
  throw new Refused(answer.status, parsed, Number(answer.headers.get("Retry-After")) || null);
}

/** A server-rendered piece of a page. */
export async function fragment(path) {
  const holder = document.createElement("template");
  holder.innerHTML = await call("GET", path, undefined, { accept: "text/html" });
  return holder.content;
}
