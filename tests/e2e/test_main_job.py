"""The main job in a real browser: a person's table becomes a plot."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from renderer_app import themes

pytestmark = [pytest.mark.browser, pytest.mark.family]
AGENT = "/agent/?spec=scatter-basic&library=matplotlib&language=python"
ROOT = Path(__file__).parent.parent.parent
WAIT_MS = 60_000

# The picture as it was decoded: its size, its corner, and how many pixels are near each of the first three colors.
LOOK = """(colors) => {
  const image = document.querySelector("[data-plot]");
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
  const hex = (at) => "#" + [0, 1, 2].map((i) => pixels[at + i].toString(16).padStart(2, "0")).join("").toUpperCase();
  const wanted = colors.map((color) => [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16)));
  const counts = wanted.map(() => 0);
  for (let at = 0; at < pixels.length; at += 4 * 7) {
    wanted.forEach((rgb, n) => { if (rgb.every((value, i) => Math.abs(value - pixels[at + i]) < 40)) counts[n] += 1; });
  }
  return {width: canvas.width, height: canvas.height, corner: hex(0), counts};
}"""


def look(page: Page) -> dict[str, Any]:
    page.wait_for_function(
        "() => { const i = document.querySelector('[data-plot]'); return i && i.complete && i.naturalWidth; }"
    )
    return page.evaluate(LOOK, list(themes.PALETTE[:3]))


def role(page: Page, name: str) -> str:
    return page.locator(f"[data-role={name}] select").first.input_value()


def assert_no_sideways_scroll(page: Page) -> None:
    width = page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def assert_penguins_are_read(page: Page) -> None:
    expect(page.locator("[data-panel]")).to_contain_text("344 rows × 8 columns")
    expect(page.locator(".preview tbody tr")).to_have_count(20)
    assert (role(page, "x"), role(page, "y"), role(page, "category")) == ("bill_length_mm", "bill_depth_mm", "species")


def manage(family: Any, code: str) -> None:
    """Do something as an operator would, in a process of its own."""
    subprocess.run(
        [sys.executable, "manage.py", "shell", "-v0", "-c", code],
        cwd=ROOT,
        env={**os.environ, "ANYPLOT_HOME": str(family.home)},
        check=True,
        capture_output=True,
    )


def test_a_pasted_table_becomes_a_plot_that_is_pushed_not_polled(page: Page, data_dir: Path, family: Any) -> None:
    sockets: list[WebSocket] = []
    pushed: list[str | bytes] = []
    polls: list[str] = []

    def keep(frame: str | bytes) -> None:
        pushed.append(frame)

    def follow(socket: WebSocket) -> None:
        sockets.append(socket)
        socket.on("framereceived", keep)

    page.on("websocket", follow)
    page.on("request", lambda request: polls.append(request.url) if "/v1/turns/" in request.url else None)
    page.goto(AGENT)
    page.fill("#bring-text", (data_dir / "H01_penguins.csv").read_text())
    expect(page.locator("[data-counter]")).to_have_text("15.2 KB of 200 KB pasted")
    page.click("[data-bring-send]")
    assert_penguins_are_read(page)

    # A plot may be there before the page has looked: this one waits until the page hears of it.
    manage(family, "from agents_app.queue import pause; pause.pause()")
    try:
        with page.expect_websocket() as opened:
            page.click("[data-create-button]")
        expect(page.locator("[data-corner]")).to_contain_text("starts are paused")
        before = len(pushed)
    finally:
        manage(family, "from agents_app.queue import pause; pause.resume()")
    card = page.locator("[data-card]")
    expect(card).to_have_count(1, timeout=WAIT_MS)
    assert sockets == [opened.value]
    assert re.search(r"/ws/turns/[0-9a-f-]{36}/\?after=\d+$", opened.value.url)
    assert len(pushed) > before
    assert json.loads(pushed[-1])["type"] == "done"
    assert not polls

    seen = look(page)
    assert (seen["width"], seen["height"]) == themes.CANVASES["landscape"]
    assert seen["corner"] == themes.LIGHT.page
    assert all(count > 500 for count in seen["counts"]), seen
    expect(card.locator(".badge").first).to_have_text("All checks passed")
    expect(card).to_contain_text("342 of 344 rows used, 2 left out")
    assert_no_sideways_scroll(page)

    # The other theme, by the card's own switch.
    card.locator("[data-toggle] button[value=dark]").click()
    expect(page.locator("[data-card][data-shown=dark]")).to_have_count(1, timeout=WAIT_MS)
    seen = look(page)
    assert seen["corner"] == themes.DARK.page
    assert all(count > 500 for count in seen["counts"]), seen

    # What a person takes home.
    page.locator("[data-card] summary", has_text="plot.py").click()
    expect(page.locator("[data-card] pre")).to_contain_text("pd.read_csv(")
    with page.expect_download() as script:
        page.locator("[data-card] a", has_text="Download").click()
    assert "ANYPLOT_THEME" in Path(script.value.path()).read_text()
    with page.expect_download() as table:
        page.locator("[data-card] a", has_text="data.csv").click()
    assert len(Path(table.value.path()).read_text().splitlines()) == 345


def test_an_uploaded_file_leads_from_the_gallery_to_a_plot_that_fits(page: Page, data_dir: Path) -> None:
    page.goto("/")
    page.set_input_files("label input[type=file]", data_dir / "H01_penguins.csv")
    page.wait_for_url("**/?dataset=*")
    expect(page.locator("h1")).to_have_text("H01_penguins")
    page.locator(".plot:not(.unfit) a", has_text="Basic Box Plot").click()
    expect(page.locator("[data-panel]")).to_contain_text("344 rows × 8 columns")
    page.select_option("[data-role=value] select", "body_mass_g")
    page.select_option("[data-role=category] select", "species")
    page.click("[data-create-button]")
    expect(page.locator("[data-card]")).to_have_count(1, timeout=WAIT_MS)
    seen = look(page)
    assert (seen["width"], seen["height"]) == themes.CANVASES["landscape"]
    assert seen["counts"][0] > 500


def test_a_dropped_file_becomes_a_plot_in_the_other_library_on_a_narrow_dark_screen(page: Page, data_dir: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    page.goto(AGENT.replace("matplotlib", "seaborn"))
    dropped = page.evaluate_handle(
        """(text) => { const all = new DataTransfer();
            all.items.add(new File([text], "penguins.csv", {type: "text/csv"})); return all; }""",
        (data_dir / "H01_penguins.csv").read_text(),
    )
    page.dispatch_event("[data-drop]", "drop", {"dataTransfer": dropped})
    assert_penguins_are_read(page)
    assert_no_sideways_scroll(page)
    page.click("[data-create-button]")
    expect(page.locator("[data-card]")).to_have_count(1, timeout=WAIT_MS)
    # The site is dark when Create plot is pressed: so is the plot.
    assert look(page)["corner"] == themes.DARK.page
    assert_no_sideways_scroll(page)


def test_a_quick_control_makes_the_next_version_by_keyboard_alone(page: Page, data_dir: Path) -> None:
    page.goto(AGENT)
    page.set_input_files("label input[type=file]", data_dir / "H01_penguins.csv")
    assert_penguins_are_read(page)
    page.focus("[data-create-button]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-card]")).to_have_count(1, timeout=WAIT_MS)
    title = page.locator(".chips summary", has_text="Title")
    expect(title).to_be_visible()
    title.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type("Bills of three penguins")
    page.keyboard.press("Enter")
    expect(page.locator("#version-2")).to_have_count(1, timeout=WAIT_MS)
    expect(page.locator("#version-2")).to_contain_text("Title “Bills of three penguins”.")

    page.fill("#say", "make it sing")
    page.keyboard.press("Enter")
    expect(page.locator("[data-outcome=not_understood]")).to_contain_text("Not understood")


# What the page says after each status that a turn reports.
STEPS = """async (reports) => {
  const { Follower } = await import("/static/js/turn.js");
  window.WebSocket = class extends EventTarget { close() {} };
  const element = document.createElement("li");
  for (const step of ["queued", "adapt", "render", "repair"]) {
    const item = document.createElement("span");
    item.dataset.step = step;
    item.hidden = step === "repair";
    item.append(Object.assign(document.createElement("span"), { textContent: step }));
    item.firstChild.dataset.stepLabel = "";
    element.append(item);
  }
  const corner = document.createElement("div");
  const follower = new Follower(element, corner, () => {});
  const repair = element.querySelector("[data-step=repair]");
  return reports.map((data) => {
    follower.take({ type: "status", data });
    return [corner.querySelector("span").textContent, !repair.hidden];
  });
}"""


def test_a_turn_that_changes_its_worker_is_not_said_to_be_repaired(page: Page) -> None:
    page.goto(AGENT)
    reports = [
        {"step": "started", "attempt": 1},
        {"step": "render", "attempt": 1},
        {"step": "repair"},
        {"step": "render", "attempt": 2},
        {"step": "started", "attempt": 2},
        {"step": "render", "attempt": 1},
    ]
    assert page.evaluate(STEPS, reports) == [
        ["Writing the code", False],
        ["Drawing", False],
        ["Repairing once", True],
        ["Repairing once", True],
        ["Writing the code", False],
        ["Drawing", False],
    ]


def test_a_waiting_turn_survives_a_reload_and_can_be_stopped(page: Page, data_dir: Path, family: Any) -> None:
    page.goto(AGENT)
    page.set_input_files("label input[type=file]", data_dir / "H01_penguins.csv")
    assert_penguins_are_read(page)
    manage(family, "from agents_app.queue import pause; pause.pause()")
    try:
        page.click("[data-create-button]")
        corner = page.locator("[data-corner]")
        expect(corner).to_contain_text("in line")
        page.reload()
        expect(corner).to_contain_text("Next in line · starts are paused, your place is kept")
        corner.get_by_role("button", name="Stop").click()
        expect(page.locator("[data-outcome=canceled]")).to_contain_text("Stopped")
        expect(corner).to_be_empty()
    finally:
        manage(family, "from agents_app.queue import pause; pause.resume()")


def test_columns_that_do_not_fit_are_refused_beside_their_role(page: Page, data_dir: Path) -> None:
    page.goto(AGENT)
    page.set_input_files("label input[type=file]", data_dir / "H01_penguins.csv")
    assert_penguins_are_read(page)
    page.select_option("[data-role=x] select", "island")
    expect(page.locator("#role-x-error")).to_contain_text("x needs numbers")
    expect(page.locator("[data-role=x] select")).to_have_attribute("aria-invalid", "true")
    page.select_option("[data-role=x] select", "bill_length_mm")
    expect(page.locator("#role-x-error")).to_be_empty()
    # A refused check is an answer, and the browser's console says so.
    page.troubles[:] = [said for said in page.troubles if "422" not in said]  # type: ignore[attr-defined]


def test_a_receipt_part_is_changed_and_the_table_read_again(page: Page, data_dir: Path) -> None:
    page.goto(AGENT.replace("scatter-basic", "bar-basic"))
    page.set_input_files("label input[type=file]", data_dir / "H03_strom_de.csv")
    expect(page.locator("[data-reading=delimiter]")).to_have_value('";"')
    expect(page.locator("[data-reading=decimal]")).to_have_value('","')
    expect(page.locator("[data-reading=date_order] option:checked")).to_have_text("dates day first")
    page.select_option("[data-column=Datum]", "text")
    expect(page.locator("[data-column=Datum]")).to_have_value("text")
    expect(page.locator("[data-column=Datum] option[selected]")).to_have_text("text")


def test_the_whole_job_without_scripts_looks_again_by_itself(chromium: Browser, family: Any) -> None:
    context = chromium.new_context(base_url=family.base_url, java_script_enabled=False)
    page = context.new_page()
    page.goto(AGENT)
    page.get_by_role("button", name="Penguins").click()
    expect(page.locator("[data-panel]")).to_contain_text("344 rows × 8 columns")
    page.get_by_role("button", name="Create plot").click()
    expect(page.locator("[data-card]")).to_have_count(1, timeout=WAIT_MS)
    expect(page.locator("[data-card]")).to_contain_text("342 of 344 rows used, 2 left out")
    page.locator("[data-card]").get_by_role("button", name="Dark").click()
    expect(page.locator("[data-card][data-shown=dark]")).to_have_count(1, timeout=WAIT_MS)
    context.close()


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])
def test_no_page_scrolls_sideways(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    for address in ("/", AGENT, "/sessions/", "/plots/scatter-basic/python/matplotlib"):
        page.goto(address)
        assert_no_sideways_scroll(page)


def test_the_switch_changes_the_page_at_once_and_is_there_after_a_reload(page: Page) -> None:
    page.goto("/")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(245, 243, 236)"
    page.click("[data-appearance] button[value=dark]")
    assert page.evaluate(ground) == "rgb(18, 18, 16)"
    page.reload()
    assert page.evaluate(ground) == "rgb(18, 18, 16)"
    page.click("[data-appearance] button[value=auto]")
    assert page.evaluate(ground) == "rgb(245, 243, 236)"
