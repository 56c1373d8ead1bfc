// The table box: paste, drop, choose, example; counts what is pasted, and says at once what is too large.
import { call, Refused } from "./api.js";
import { busy, tell } from "./notice.js";

const LONG_PASTE = 20_000;
const encoder = new TextEncoder();

export class Box {
  /** `onDataset(dataset)` is awaited while the box shows that it is busy; `extra()` gives more fields of the request. */
  constructor(form, onDataset, extra = () => ({})) {
    this.form = form;
    this.onDataset = onDataset;
    this.extra = extra;
    this.text = form.querySelector("textarea");
    this.file = form.querySelector("label input[type=file]");
    this.counter = form.querySelector("[data-counter]");
    this.notice = form.querySelector("[data-bring-notice]");
    this.send = form.querySelector("[data-bring-send]");
    this.pasteBytes = Number(form.dataset.pasteBytes);
    this.fileBytes = Number(form.dataset.fileBytes);
    this.listen(form.querySelector("[data-drop]"));
    this.count();
  }

  listen(drop) {
    this.text.addEventListener("input", () => this.count());
    this.text.addEventListener("paste", (event) => {
      // A long paste is set at once: a browser lays out tens of thousands of lines one by one otherwise.
      const pasted = event.clipboardData.getData("text/plain");
      const whole = this.text.selectionStart === 0 && this.text.selectionEnd === this.text.value.length;
      if (pasted.length < LONG_PASTE || !whole) return;
      event.preventDefault();
      this.text.value = pasted;
      this.count();
    });
    this.file.addEventListener("change", () => this.file.files[0] && this.take(this.file.files[0], this.file.closest("label")));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const button = event.submitter;
      if (button?.name === "example") this.takeExample(button.value, button);
      else this.takeText();
    });
    for (const kind of ["dragenter", "dragover"]) {
      this.form.addEventListener(kind, (event) => {
        event.preventDefault();
        drop.classList.add("over");
      });
    }
    this.form.addEventListener("dragleave", (event) => {
      if (!this.form.contains(event.relatedTarget)) drop.classList.remove("over");
    });
    this.form.addEventListener("drop", (event) => {
      event.preventDefault();
      drop.classList.remove("over");
      const [file] = event.dataTransfer.files;
      if (file) this.take(file, this.send);
      else {
        this.text.value = event.dataTransfer.getData("text/plain");
        this.count();
      }
    });
  }

  /** The counter under the box; true while the text is within the limit. */
  count() {
    const size = encoder.encode(this.text.value).length;
    const limit = this.pasteBytes;
    const shown = size < 1000 ? `${size} bytes` : `${(size / 1000).toFixed(size < 100_000 ? 1 : 0)} KB`;
    const over = size > limit;
    this.counter.textContent = over
      ? `${shown} pasted: ${((size - limit) / 1000).toFixed(1)} KB over the ${limit / 1000} KB limit`
      : `${size ? shown : "0"} of ${limit / 1000} KB pasted`;
    this.counter.classList.toggle("over", over);
    this.text.setAttribute("aria-invalid", String(over));
    return !over;
  }

  takeText() {
    if (!this.text.value.trim()) return this.refuse("invalid", "There is no table yet: paste one, choose a file, or try an example.", this.text);
    if (!this.count()) {
      return this.refuse("too_large", `${this.counter.textContent}. Save it as a file and choose that: files may have ${this.fileBytes / 1e6} MB.`, this.text);
    }
    return this.run(this.send, () => call("POST", "/v1/datasets", { text: this.text.value, ...this.extra() }));
  }

  take(file, control) {
    if (file.size > this.fileBytes) {
      this.file.value = "";
      return this.refuse("too_large", `${file.name} has ${(file.size / 1e6).toFixed(1)} MB; at most ${this.fileBytes / 1e6} MB are read.`, this.send);
    }
    return this.run(control, () => this.upload(file));
  }

  takeExample(key, control) {
    return this.run(control, async () => {
      const text = await call("GET", `/examples/${key}.csv`, undefined, { accept: "text/csv" });
      return this.upload(new File([text], `${key}.csv`));
    });
  }

  upload(file) {
    const body = new FormData();
    body.append("file", file);
    for (const [name, value] of Object.entries(this.extra())) body.append(name, JSON.stringify(value));
    return call("POST", "/v1/datasets", body);
  }

  refuse(code, detail, control) {
    tell(this.notice, new Refused(422, { code, detail }));
    control?.focus();
  }

  run(control, work) {
    return busy(control, async () => {
      tell(this.notice, null);
      this.form.classList.add("reading");
      try {
        await this.onDataset(await work());
      } catch (trouble) {
        tell(this.notice, trouble);
        this.file.value = "";
      } finally {
        this.form.classList.remove("reading");
      }
    });
  }
}

