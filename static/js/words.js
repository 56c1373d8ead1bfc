// Words for people. Titles and advice come from the page (`web/words.py`), so that there is one truth.
import { Offline, Refused } from "./api.js";

const holder = document.getElementById("words");
const WORDS = holder ? JSON.parse(holder.textContent) : { refusals: {}, steps: {}, errors: {} };

export function ordinal(number) {
  const tens = number % 100;
  const ending = tens > 10 && tens < 14 ? "th" : { 1: "st", 2: "nd", 3: "rd" }[number % 10] || "th";
  return `${number}${ending}`;
}

export function duration(seconds) {
  if (seconds < 1) return "now";
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return `about ${Math.round(seconds / 60)} min`;
}

/** Place and estimated start of a waiting turn. */
export function place({ position, waiting, eta_s: eta }) {
  if (!position) return "In line";
  const line = position === 1 && waiting === 1 ? "Next in line" : `${ordinal(position)} of ${waiting} in line`;
  // Nobody knows when: an operator has paused the starts.
  if (eta === undefined || eta === null) return `${line} · starts are paused, your place is kept`;
  return `${line} · starts ${eta < 1 ? "now" : `in about ${duration(eta).replace("about ", "")}`}`;
}

export function step(key, state) {
  const known = WORDS.steps[key];
  return known ? known[state] : key;
}

export function error(code) {
  return WORDS.errors[code] || WORDS.errors.internal;
}

/** A refusal as {code, title, detail, lines, advice}; the same shape as the server's notice. */
export function refusal(trouble) {
  if (trouble instanceof Offline) return { code: "offline", ...WORDS.refusals.offline, detail: "The site can't be reached right now.", lines: [] };
  if (trouble instanceof Refused) {
    const known = WORDS.refusals[trouble.code] || WORDS.refusals.internal;
    // Where in a message an operation stands is for programs.
    let detail = trouble.detail.replace(/^operations\[\d+\](\.\w+)?: /, "");
    if (trouble.retryAfter && !/\d/.test(detail)) detail = `${detail} Try again in ${duration(trouble.retryAfter)}.`.trim();
    const reference = trouble.code === "internal" && trouble.body.ref ? ` Reference: ${trouble.body.ref}.` : "";
    return { code: trouble.code, title: known.title, advice: known.advice, detail: detail + reference, lines: trouble.lines };
  }
  throw trouble;
}
