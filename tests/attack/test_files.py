"""A script sees what a plot needs, and writes into its own scratch space only."""

import os
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.attack.conftest import reached

pytestmark = pytest.mark.sandbox


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file of somebody else on this machine."""
    path = tmp_path / "secret.txt"
    path.write_text("hunter2")
    return path


READ = "print('REACHED' if open({path!r}, 'rb').read(1) else '')\n"


def test_a_file_of_the_machine_cannot_be_read(confined, bare, secret):
    code = READ.format(path=str(secret))
    assert reached(bare(code))
    assert not reached(confined(code).output)


SYSTEM = ("/etc/passwd", "/etc/hostname", "/proc/1/environ", "/proc/self/mem", "/bin/sh")


def test_accounts_settings_and_programs_of_the_system_cannot_be_read(confined_each):
    found = confined_each({path: READ.format(path=path) for path in SYSTEM})
    assert [path for path, printed in found.items() if reached(printed)] == []


def test_the_same_reads_work_without_the_sandbox(bare):
    for path in ("/etc/passwd", "/proc/self/environ", "/bin/sh"):
        assert reached(bare(READ.format(path=path))), path


def test_the_projects_settings_and_its_home_are_not_there(confined, bare):
    for path in (Path(settings.BASE_DIR) / "anyplot_site" / "settings.py", Path(settings.HOME)):
        code = f"import os\nprint('REACHED' if os.path.exists({str(path)!r}) else 'not there')\n"
        assert reached(bare(code))
        assert confined(code).output == "not there"
    assert confined("import anyplot_site\n").output.endswith("No module named 'anyplot_site'")
    assert confined("import django.conf; django.conf.settings.SECRET_KEY\n").reason == "exit"


def test_the_harness_comes_alone(confined):
    code = "import os, renderer_app\nprint(sorted(os.listdir(os.path.dirname(renderer_app.__file__))))\n"
    assert confined(code).output == "['__init__.py', '__pycache__', 'harness.py', 'probe', 'seccomp.py']"


WRITE = "open({path!r}, 'w').write('x')\nprint('REACHED')\n"


def test_nothing_can_be_written_outside(confined, bare, tmp_path):
    target = tmp_path / "written"
    code = WRITE.format(path=str(target))
    assert reached(bare(code))
    target.unlink()
    assert not reached(confined(code).output)
    assert not target.exists()


OUTSIDE = (
    "/written",
    "/usr/lib/written",
    "/etc/written",
    "/dev/written",
    "/dev/shm/written",
    "/proc/sys/kernel/core_pattern",
    "/proc/self/oom_score_adj",
    "/opt/anyplot/code/renderer_app/harness.py",
    "/opt/anyplot/site0/sitecustomize.py",
    "/opt/anyplot/site0/numpy/__init__.py",
)


def test_system_packages_and_harness_cannot_be_written(confined_each):
    found = confined_each({path: WRITE.format(path=path) for path in OUTSIDE})
    assert [path for path, printed in found.items() if reached(printed)] == []


def test_the_font_list_cannot_be_changed_for_the_next_one(confined):
    code = "import os\np = '/scratch/config/' + os.listdir('/scratch/config')[0]\n"
    assert not reached(confined(code + WRITE.replace("{path!r}", "p")).output)
    assert not reached(confined(code + "os.unlink(p)\nprint('REACHED')\n").output)


def test_writing_in_the_scratch_space_works(confined):
    # The control of the others: not every write fails.
    assert reached(confined(WRITE.format(path="written")).output)


def test_the_environment_holds_only_what_the_sandbox_sets(confined, bare, monkeypatch):
    monkeypatch.setenv("ANYPLOT_TEST_SECRET", "hunter2")
    code = "import os\nprint(sorted(os.environ))\n"
    assert "ANYPLOT_TEST_SECRET" in bare(code)
    allowed = {"PATH", "HOME", "TMPDIR", "LANG", "TZ", "MPLBACKEND", "MPLCONFIGDIR", "ANYPLOT_THEME", "LC_CTYPE"}
    allowed |= {name + "_NUM_THREADS" for name in ("OPENBLAS", "OMP", "MKL", "NUMEXPR")} | {"PWD"}
    seen = set(eval(confined(code).output))
    assert seen <= allowed
    assert "hunter2" not in confined("import os\nprint(dict(os.environ))\n").output


def test_no_descriptor_of_the_host_comes_along(confined):
    read, write = os.pipe()
    os.set_inheritable(write, True)
    try:
        code = "import os\nfor n in range(256):\n    try:\n        link = os.readlink(f'/proc/self/fd/{n}')\n"
        code += "        print(n, link.split(':')[0])\n    except OSError:\n        pass\n"
        seen = confined(code).output.splitlines()
    finally:
        os.close(read)
        os.close(write)
    # Standard streams and the pipe of claims; as an ordinary user the links can't even be read.
    assert set(seen) <= {"0 /dev/null", "1 pipe", "2 pipe", "3 pipe"}


def test_files_named_like_modules_are_not_imported(confined):
    code = "open('colorsys.py', 'w').write('print(\"REACHED\")')\nimport colorsys\nprint('fine')\n"
    assert confined(code).output == "fine"


def test_the_controls_run_with_the_same_python(bare):
    assert bare("import sys\nprint(sys.version)").strip() == sys.version
