"""One confined render: what comes out, and what is refused with which reason, measured value and limit."""

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from PIL import Image

from anyplot_site import bounds
from renderer_app import sandbox
from renderer_app.contract import INFRASTRUCTURE, Reason, RenderJob
from renderer_app.sandbox import check, launch
from tests.renderer.scripts import ENDLESS, SCATTER, SEABORN, SMALL, TABLE
from tests.renderer.waiting import eventually

pytestmark = [pytest.mark.sandbox, pytest.mark.usefixtures("leaves_nothing")]


def pixels(picture: bytes) -> tuple[tuple[int, int], bytes]:
    """Size and RGB values of a picture."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    return image.size, image.tobytes()


class TestPictures:
    def test_a_matplotlib_script_gives_its_picture_and_its_measurements(self, run):
        result = run(SCATTER)
        assert (result.ok, result.reason, result.detail) == (True, None, "")
        assert (result.width, result.height) == bounds.CANVAS_LANDSCAPE_PX
        assert result.probe["canvas"]["width"] == 3200
        assert result.probe["marks_total"] == 60
        assert "Sixty points" in [text["text"] for text in result.probe["texts"]]
        assert result.usage["memory_mib"] > 50
        assert result.attempts == 1

    def test_a_seaborn_script_reads_its_data_and_gives_a_square_picture(self, run):
        result = run(SEABORN, data=TABLE, theme="dark")
        assert result.ok, result.output
        assert (result.width, result.height) == bounds.CANVAS_SQUARE_PX

    @pytest.mark.parametrize("theme", ["light", "dark"])
    def test_the_pixels_are_those_of_the_script_run_by_hand(self, run, tmp_path, theme):
        (tmp_path / "plot.py").write_text(SCATTER)
        subprocess.run(
            [sys.executable, "plot.py"],
            cwd=tmp_path,
            env={"ANYPLOT_THEME": theme, "MPLBACKEND": "Agg", "HOME": str(tmp_path)},
            check=True,
        )
        by_hand = (tmp_path / f"plot-{theme}.png").read_bytes()
        assert pixels(run(SCATTER, theme=theme).picture) == pixels(by_hand)

    def test_measuring_changes_no_pixel_of_a_second_save(self, run):
        twice = SMALL + 'fig.savefig("plot-" + os.environ["ANYPLOT_THEME"] + ".png", dpi=100)\n'
        assert pixels(run(twice).picture) == pixels(run(SMALL).picture)

    def test_an_svg_is_saved_in_place_of_the_png(self, run):
        result = run(SMALL, format="svg")
        assert result.ok
        assert b"<svg" in result.picture[:1000]
        assert (result.width, result.height) == (None, None)

    def test_a_pdf_is_saved_in_place_of_the_png(self, run):
        assert run(SMALL, format="pdf").picture.startswith(b"%PDF-")

    def test_a_render_does_not_build_the_font_list_anew(self, run):
        code = "import os\nos.listdir('/scratch/config')\nprint(os.stat('/scratch/config').st_nlink)\n"
        watched = code + "import matplotlib.font_manager as f\nprint(os.listdir('/scratch/config'))\n"
        assert "fontlist-v" in run(watched).output

    def test_a_figure_that_cannot_be_measured_still_gives_its_picture_and_says_so(self, run):
        result = run("import matplotlib.figure\n" + SMALL.replace("ax.plot", "fig.get_figwidth = None\nax.plot"))
        assert result.picture
        assert result.probe is None
        assert result.detail.startswith("The figure could not be measured: ")


class TestFailingScripts:
    def test_an_error_shows_the_lines_of_the_script_and_no_path(self, run):
        result = run("import pandas as pd\n\ndf = pd.DataFrame({'a': [1]})\ndf['missing']\n")
        assert (result.reason, result.measured, result.limit) == (Reason.EXIT, 1, 0)
        assert result.detail == "The script stopped with an error: KeyError."
        assert 'File "plot.py", line 4' in result.output
        assert "df['missing']" in result.output
        assert result.output.endswith("KeyError: 'missing'")
        for path in ("site-packages", "/opt", "/scratch", sys.prefix, sys.base_prefix):
            assert path not in result.output

    def test_a_syntax_error_names_its_line(self, run):
        result = run("x = 1\ny = (\n")
        assert result.detail == "The script stopped with an error: SyntaxError."
        assert 'File "plot.py", line 2' in result.output

    def test_what_was_printed_comes_without_escapes_and_control_characters(self, run):
        result = run(r"print('\x1b[31mred\x1b[0m \x00nul \x1b]0;title\x07 end')")
        assert result.output == "red nul  end"

    def test_the_last_lines_are_kept(self, run):
        result = run("for i in range(4000):\n    print('line', i)\n")
        assert result.output.startswith("…\n")
        assert result.output.endswith("line 3999")
        assert len(result.output) <= bounds.RENDER_SHOWN_BYTES + 2

    def test_a_script_that_leaves_with_a_code_is_told(self, run):
        result = run("import sys\nsys.exit('no data')\n")
        assert result.reason is Reason.EXIT
        assert "no data" in result.output

    def test_a_script_that_leaves_quietly_after_its_picture_is_fine(self, run):
        assert run(SMALL + "raise SystemExit\n").ok

    def test_a_script_that_saves_nothing_is_told_what_is_missing(self, run):
        result = run("x = 1\n")
        assert (result.reason, result.picture) == (Reason.EXIT, None)
        assert result.detail == "The script ended without saving plot-light.png."

    def test_a_segmentation_fault_is_a_signal(self, run):
        result = run("import ctypes\nctypes.string_at(0)\n")
        assert (result.reason, result.measured) == (Reason.SIGNAL, signal.SIGSEGV)
        assert result.detail == "The script was ended by the signal SIGSEGV."

    def test_endless_recursion_is_an_error_of_the_script(self, run):
        result = run("def f():\n    return f()\nf()\n")
        assert result.detail == "The script stopped with an error: RecursionError."

    def test_an_error_whose_text_fails_is_still_named(self, run):
        result = run("class Bad(Exception):\n    def __str__(self):\n        raise RuntimeError\nraise Bad\n")
        assert result.detail == "The script stopped with an error: Bad."


class TestLimits:
    def test_wall_time(self, run):
        result = run("import time\ntime.sleep(60)\n", wall_s=0.5)
        assert result.reason is Reason.TIMEOUT
        assert 0.5 <= result.measured < 20
        assert result.limit == 0.5
        assert result.detail == "The script ran longer than 0.5 s."

    def test_what_was_printed_before_the_time_ran_out_is_kept(self, run):
        assert run("import time\nprint('step one', flush=True)\ntime.sleep(60)\n", wall_s=0.5).output == "step one"

    def test_processor_time(self, run):
        result = run(ENDLESS, cpu_s=1, wall_s=50)
        assert (result.reason, result.limit) == (Reason.CPU, 1)
        assert result.measured >= 1
        assert result.detail == "The script used more than 1 s of processor time."

    def test_processor_time_of_a_script_that_ignores_the_warning(self, run):
        ignoring = "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\n" + ENDLESS
        assert run(ignoring, cpu_s=1, wall_s=50).reason is Reason.CPU

    def test_memory_that_is_used(self, run):
        result = run("kept = []\nwhile True:\n    kept.append(bytearray(1 << 20))\n", memory_mib=200)
        assert (result.reason, result.limit) == (Reason.MEMORY, 200)
        assert result.measured > 100
        assert "memory" in result.detail

    def test_memory_that_is_only_asked_for(self, run):
        result = run("import numpy as np\nnp.empty(1 << 36, dtype='u1')\n", memory_mib=500)
        assert (result.reason, result.limit) == (Reason.MEMORY, 500)
        assert result.detail == "The script asked for more memory than the limit of 500 MiB."

    def test_bytes_in_one_file(self, run):
        code = "with open('big', 'wb') as f:\n    for _ in range(99):\n        f.write(bytes(1 << 20))\n"
        result = run(code, file_budget_mib=8)
        assert (result.reason, result.limit, result.picture) == (Reason.FILE_BUDGET, 8, None)
        assert result.measured > 8
        assert result.detail == "The script wrote more than 8 MiB of files."

    def test_bytes_in_a_file_that_was_deleted_while_open(self, run):
        code = "import os, time\nf = open('x', 'wb', 0)\nos.unlink('x')\nf.write(bytes(9 << 20))\ntime.sleep(9)\n"
        assert run(code, file_budget_mib=8).reason is Reason.FILE_BUDGET

    def test_bytes_written_just_before_the_end(self, run):
        code = SMALL + "[open(f'x{i}', 'wb').write(bytes(4 << 20)) for i in range(4)]\n"
        result = run(code, file_budget_mib=8)
        assert (result.reason, result.picture) == (Reason.FILE_BUDGET, None)

    def test_entries(self, run):
        result = run(SMALL + "[os.mkdir(f'd{i}') for i in range(200)]\n", entries=100)
        assert (result.reason, result.limit) == (Reason.FILE_BUDGET, 100)
        assert result.measured > 100
        assert result.detail == "The script made more than 100 files and folders."

    def test_printed_text(self, run):
        result = run("while True:\n    print('x' * 1000)\n")
        assert (result.reason, result.limit) == (Reason.OUTPUT, bounds.RENDER_OUTPUT_BYTES)
        assert result.measured > bounds.RENDER_OUTPUT_BYTES
        assert result.detail == "The script printed more than 64,000 bytes."

    def test_measurements_that_are_too_long(self, run):
        code = "import os\nwhile True:\n    os.write(3, bytes(1 << 16))\n"
        result = run(code)
        assert (result.reason, result.limit) == (Reason.PROBE, bounds.RENDER_PROBE_BYTES)
        assert result.measured > bounds.RENDER_PROBE_BYTES

    def test_memory_that_the_host_needs(self, run, monkeypatch):
        monkeypatch.setattr(bounds, "RENDER_HOST_MEMORY_FLOOR_MIB", 10**9)
        result = run(SMALL)
        # No fault of the script, so nobody records it as one (TO5); and no use to try it again at once.
        assert (result.reason, result.limit, result.attempts) == (Reason.LAUNCHER, 10**9, 1)
        assert result.reason in INFRASTRUCTURE
        assert "This machine has only" in result.detail
        assert check.probe().remedy == "Stop something else on this machine."

    def test_a_cancellation_ends_a_running_script(self, run):
        asked = iter([False, False])
        result = run(ENDLESS, canceled=lambda: next(asked, True))
        assert (result.reason, result.detail) == (Reason.CANCELED, "The render was canceled.")


class TestPicturesThatAreNone:
    @pytest.mark.parametrize(
        ("name", "code"),
        [
            ("link", "import os\nos.symlink('/usr/lib/os-release', 'plot-light.png')\n"),
            ("hard link", SMALL + "os.link('plot-light.png', 'other')\n"),
            ("folder", "import os\nos.mkdir('plot-light.png')\n"),
        ],
    )
    def test_only_an_ordinary_file_is_collected(self, run, name, code):
        result = run(code)
        assert (result.reason, result.picture) == (Reason.OUTPUT, None), name
        assert result.detail == "plot-light.png is not an ordinary file."

    def test_something_else_under_the_name_is_no_picture(self, run):
        result = run("open('plot-light.png', 'w').write('hello')\n")
        assert (result.reason, result.detail) == (Reason.OUTPUT, "plot-light.png is no PNG picture.")

    def test_a_header_that_promises_too_many_pixels_is_refused_unread(self, run):
        header = "b'\\x89PNG\\r\\n\\x1a\\n' + (13).to_bytes(4, 'big') + b'IHDR'"
        size = "(60000).to_bytes(4, 'big') * 2 + bytes(20)"
        result = run(f"open('plot-light.png', 'wb').write({header} + {size})\n")
        assert (result.reason, result.measured, result.limit) == (Reason.OUTPUT, 3_600_000_000, bounds.RENDER_PIXELS)

    def test_a_sparse_giant_is_refused_by_its_size(self, run):
        result = run("open('plot-light.png', 'wb').truncate(60 << 20)\n")
        assert (result.reason, result.limit) == (Reason.OUTPUT, bounds.RENDER_PICTURE_BYTES)


class TestLies:
    def test_leaving_before_the_last_line_is_no_success(self, run):
        result = run(SMALL + "os._exit(0)\n")
        assert (result.reason, result.picture) == (Reason.EXIT, None)
        assert result.detail == "The script ended its process before its last line."

    def test_an_end_mark_without_the_nonce_is_none(self, run):
        lie = SMALL + "os.write(3, b'{\"probe\": {}}\\x02end\\n' + b'0' * 32)\nos._exit(0)\n"
        assert run(lie).reason is Reason.EXIT

    def test_closed_and_swapped_descriptors_hurt_only_the_script(self, run):
        for fd in (1, 2, 3):
            assert run(SMALL + f"os.close({fd})\n").reason in (None, Reason.EXIT)
        assert run(SMALL + "os.dup2(1, 3)\n").reason is Reason.EXIT
        assert run(SMALL).ok

    def test_measurements_of_the_scripts_own_making_are_cleaned(self, run):
        lie = (
            "import renderer_app.probe, matplotlib.figure, functools, gc\n"
            "from renderer_app import harness\n"
            'harness._dump = lambda claims: b\'{"probe": {"a": NaN, "b": 1e999, "c": "\\\\ud800\\\\u0000", '
            "\"d\": ' + b'9' * 5000 + b'}}'\n"
        )
        assert run(lie + SMALL).probe == {"a": None, "b": None, "c": "?", "d": None}

    def test_measurements_nested_without_end_are_refused(self, run):
        lie = "from renderer_app import harness\nharness._dump = lambda claims: b'[' * 100_000\n"
        assert run(lie + SMALL).reason is Reason.PROBE


class TestEnds:
    def test_nothing_is_left_of_a_script_that_ignores_every_signal(self, run):
        # `leaves_nothing` looks at the process table.
        ignoring = "import signal\nfor n in signal.valid_signals() - {9, 19}:\n    signal.signal(n, signal.SIG_IGN)\n"
        assert run(ignoring + ENDLESS, wall_s=0.5).reason is Reason.TIMEOUT

    def test_the_sandbox_dies_with_the_process_that_started_it(self, tmp_path):
        starter = (
            "import sys; sys.path.insert(0, sys.argv[1])\n"
            "from renderer_app import sandbox; from renderer_app.contract import RenderJob\n"
            "sandbox.run(RenderJob('j', 'light', 'print(1)\\nwhile True: pass'))\n"
        )
        environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "anyplot_site.settings"}
        root = str(Path(launch.__file__).parents[2])
        process = subprocess.Popen([sys.executable, "-c", starter, root], env=environment)

        def inside() -> list[psutil.Process]:
            # bubblewrap, the collector, the script
            children = psutil.Process(process.pid).children(recursive=True)
            return children if len(children) >= 3 else []

        try:
            assert eventually(inside)
            members = inside()
        finally:
            process.kill()
            process.wait()
        assert eventually(lambda: not any(member.is_running() for member in members), within_s=5)

    def test_two_renders_know_nothing_of_each_other(self, run):
        run(SMALL + "open('left', 'w').write('x')\nopen('/scratch/left', 'w').write('x')\n")
        seen = run("import os\nprint(os.listdir(), os.listdir('/scratch'))\n").output
        assert seen == "['plot.py'] ['work', 'config']"


class TestLaunchers:
    def test_without_bubblewrap_nothing_runs(self, run, monkeypatch):
        def missing() -> str:
            raise launch.NoLauncher("bubblewrap (bwrap) is nowhere.")

        monkeypatch.setattr(launch, "find_bwrap", missing)
        result = run(SMALL)
        assert (result.reason, result.picture, result.attempts) == (Reason.LAUNCHER, None, 2)
        assert result.detail.endswith("It was tried twice.")

    def test_where_namespaces_are_refused_nothing_runs_and_the_reason_is_a_sentence(self, run, monkeypatch, tmp_path):
        marker = tmp_path / "ran"
        pretender = tmp_path / "bwrap"
        pretender.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
        pretender.chmod(0o755)
        monkeypatch.setattr(launch, "find_bwrap", lambda: str(pretender))
        result = run(f"open({str(marker)!r}, 'w')\n")
        assert (result.reason, result.attempts) == (Reason.LAUNCHER, 2)
        assert result.detail.startswith("This machine refuses the namespaces that the sandbox is made of")
        assert not marker.exists()
        assert check.probe().ok is False
        assert check.probe().remedy

    def test_a_sandbox_whose_harness_ran_is_not_tried_again(self, run, monkeypatch, tmp_path):
        calls = tmp_path / "calls"

        def half(view, limits, *, theme, descriptors):
            code = f"import os; open({str(calls)!r}, 'a').write('once '); os.write({descriptors[1]}, b'H' + bytes(4))"
            return [sys.executable, "-S", "-c", code]

        monkeypatch.setattr(launch, "command", half)
        result = run(SMALL)
        assert (result.reason, result.attempts) == (Reason.LAUNCHER, 1)
        assert calls.read_text() == "once "

    def test_an_unreadable_answer_is_refused(self, run, monkeypatch):
        def babble(view, limits, *, theme, descriptors):
            code = f"import os; os.write({descriptors[1]}, b'H' + bytes(4) + b'?' * 99); import signal; signal.pause()"
            return [sys.executable, "-S", "-c", code]

        monkeypatch.setattr(launch, "command", babble)
        assert run(SMALL).detail == "The sandbox gave an unreadable answer."

    def test_an_unknown_sandbox_is_refused(self, run, settings):
        settings.AGENT_SANDBOX = "none"
        assert run(SMALL).reason is Reason.LAUNCHER
        assert check.probe().remedy == "Set AGENT_SANDBOX to bwrap."

    def test_where_a_sandbox_can_be_had_the_check_says_so(self):
        assert check.available() == check.Availability(True, "bwrap")


def test_a_job_with_an_empty_script_is_no_job():
    with pytest.raises(ValueError, match="between 1 and"):
        RenderJob("j", "light", "")


def test_run_answers_a_job_that_is_canceled_before_it_starts():
    result = sandbox.run(RenderJob("j", "light", SMALL), canceled=lambda: True)
    assert (result.reason, result.attempts) == (Reason.CANCELED, 1)
