// Follows one turn: the socket while it lives, polling only while it does not, and never both.
import { call, Offline, Refused } from "./api.js";
import { banner, busy, noticeOf } from "./notice.js";
import { error as errorWords, place as placeWords, step as stepWords } from "./words.js";

const POLL_MS = 2000;
const RETRY_MS = [500, 1000, 2000, 5000, 10000];
const CLOSED_DONE = 1000;
const CLOSED_ABSENT = 4404;
const TERMINAL = new Set(["finished", "canceled", "expired", "withdrawn", "lost"]);

export class Follower {
  /** `element` is the turn's `<li>`; `corner` the live region; `onDone()` is called once, when it is over. */
  constructor(element, corner, onDone) {
    this.element = element;
    this.corner = corner;
    this.onDone = onDone;
    this.id = element.dataset.turn;
    this.after = Number(element.dataset.after) || 0;
    this.failures = 0;
    this.over = false;
    this.stop = this.stopButton();
    this.shown = element.querySelector("[data-place]");
    element.querySelector("[data-stop]")?.addEventListener("submit", (event) => this.cancel(event, event.submitter));
    this.queued(this.shown?.textContent || "In line");
    this.connect();
  }

  connect() {
    if (this.over) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws/turns/${this.id}/?after=${this.after}`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.failures = 0;
      clearTimeout(this.polling);
      banner("");
    });
    socket.addEventListener("message", (event) => this.take(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      if (this.over) return;
      if (event.code === CLOSED_ABSENT) this.finish();
      else if (event.code === CLOSED_DONE) this.look();
      else this.lost();
    });
  }

  /** The socket is gone: ask now and then, and try again with the last number, so that nothing is missed or seen twice. */
  lost() {
    const wait = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)];
    this.failures += 1;
    if (this.failures > 1) banner("The connection was lost. Nothing is lost; we try again by ourselves.");
    clearTimeout(this.polling);
    this.polling = setTimeout(() => this.poll(), Math.min(wait, POLL_MS));
    setTimeout(() => this.connect(), wait);
  }

  async poll() {
    if (this.over || this.socket.readyState === WebSocket.OPEN) return;
    await this.look();
    if (!this.over) this.polling = setTimeout(() => this.poll(), POLL_MS);
  }

  /** One look at the turn, without the socket. */
  async look() {
    try {
      const turn = await call("GET", `/v1/turns/${this.id}`);
      if (TERMINAL.has(turn.state)) this.finish();
      else if (turn.state === "queued") this.queued(placeWords(turn));
      else this.running();
    } catch (trouble) {
      if (trouble instanceof Refused) this.finish();
      else if (!(trouble instanceof Offline)) throw trouble;
    }
  }

  take({ id, type, data }) {
    if (id !== null && id !== undefined) {
      if (id <= this.after) return;
      this.after = id;
    }
    if (type === "status" && data.step === "queued") this.queued(placeWords(data));
    else if (type === "status") this.step(data);
    else if (type === "error") this.say(errorWords(data.code));
    else if (type === "done") {
      if (data.outcome === "interrupted") {
        this.over = false;
        this.lost();
      } else this.finish(data.outcome);
    }
  }

  queued(words) {
    this.mark("queued");
    this.say(words);
  }

  running() {
    if (!this.current || this.current === "queued") this.mark("adapt");
    this.say(stepWords(this.current, "doing"));
  }

  step(data) {
    // `started` counts workers; after a repair the other steps come once more, and the repair is where it is.
    if (data.step === "started") this.begin();
    else if (data.attempt > 1) this.mark("repair");
    else if (this.element.querySelector(`[data-step="${data.step}"]`)) this.mark(data.step);
    this.say(stepWords(this.current, "doing"));
  }

  /** A worker has it, perhaps a second one: what the first one did, is done again. */
  begin() {
    const repair = this.element.querySelector('[data-step="repair"]');
    if (repair) repair.hidden = true;
    this.mark("adapt");
  }

  /** Everything before `key` is done, `key` goes on. */
  mark(key) {
    this.current = key;
    let before = true;
    for (const item of this.element.querySelectorAll("[data-step]")) {
      const now = item.dataset.step === key;
      if (now) before = false;
      if (now) item.hidden = false;
      item.className = now ? "now" : before ? "done" : "todo";
      if (now) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
      item.querySelector("[data-step-label]").textContent = before && !now ? item.dataset.done : item.dataset.doing;
    }
  }

  say(words) {
    if (this.shown) this.shown.textContent = words;
    if (this.corner.dataset.said === words) return;
    this.corner.dataset.said = words;
    const said = document.createElement("span");
    said.textContent = words;
    this.corner.replaceChildren(said, this.stop);
  }

  stopButton() {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button";
    button.textContent = "Stop";
    button.addEventListener("click", (event) => this.cancel(event, button));
    return button;
  }

  cancel(event, control) {
    event.preventDefault();
    busy(control, async () => {
      try {
        await call("POST", `/v1/sessions/${this.element.dataset.session}/cancel`, {});
        if (!this.over) await this.look();
      } catch (trouble) {
        this.element.append(noticeOf(trouble));
      }
    });
  }

  finish(outcome) {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.polling);
    this.socket?.close();
    banner("");
    delete this.corner.dataset.said;
    this.corner.replaceChildren();
    this.onDone(outcome);
  }
}

