"""The environment is made once, made anew when it must be, and what is missing is one sentence."""

import json
import os
import subprocess
import sys
import venv

import pytest

from anyplot_site import install
from tests.family.family import CHECKOUT


@pytest.fixture
def lock(tmp_path):
    """A lock file without a package: nothing is asked of any index."""
    path = tmp_path / "some.lock"
    path.write_text("# nothing\n")
    return path


def test_an_environment_is_made_once_and_again_when_the_lock_changes(tmp_path, lock, capsys):
    folder = tmp_path / "venv"
    install.main(folder, lock)
    assert install.usable(folder)
    assert "installing some.lock" in capsys.readouterr().out
    install.main(folder, lock)
    assert capsys.readouterr().out == ""
    lock.write_text("# nothing else\n")
    install.main(folder, lock)
    assert "installing some.lock" in capsys.readouterr().out
    assert json.loads((folder / install.STAMP).read_text()) == {"some.lock": install.digest(lock)}


def test_an_environment_whose_python_is_gone_is_made_anew(tmp_path, lock):
    folder = tmp_path / "venv"
    venv.create(folder, with_pip=False)
    (folder / install.STAMP).write_text(json.dumps({"some.lock": install.digest(lock)}))
    assert not install.usable(folder)
    install.main(folder, lock)
    assert install.usable(folder)


def test_a_lock_that_cannot_be_installed_is_one_sentence_and_leaves_no_mark(tmp_path, lock, capsys):
    folder = tmp_path / "venv"
    lock.write_text("a-package-without-a-hash==1\n")
    with pytest.raises(SystemExit) as ended:
        install.main(folder, lock)
    assert "some.lock could not be installed" in str(ended.value)
    assert install.installed(folder) == {}


def test_another_system_is_told_in_one_sentence(tmp_path, lock, monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(SystemExit) as ended:
        install.main(tmp_path / "venv", lock)
    assert "Linux only" in str(ended.value)


def made(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What make says."""
    return subprocess.run(
        ["make", *arguments],
        cwd=CHECKOUT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_an_old_or_missing_python_is_one_sentence(tmp_path):
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    for name in (str(old), "/nowhere/python3"):
        done = made("run", f"PYTHON={name}")
        assert done.returncode == 2
        sentences = [line for line in done.stderr.splitlines() if not line.startswith(("make:", "make["))]
        assert len(sentences) == 1
        assert name in sentences[0]
        assert "3.11" in sentences[0]


def test_a_python_without_its_venv_module_is_one_sentence(tmp_path):
    (tmp_path / "ensurepip.py").write_text("raise ImportError\n")
    done = made("install", f"PYTHON={sys.executable}", f"VENV={tmp_path / 'venv'}", PYTHONPATH=str(tmp_path))
    sentences = [line for line in done.stderr.splitlines() if not line.startswith(("make:", "make["))]
    assert len(sentences) == 1
    assert "python3-venv" in sentences[0]


def test_help_lists_the_targets():
    done = made("help")
    assert {"make run", "make test", "make admin", "make bench", "make lock"} <= {
        " ".join(line.split()[:2]) for line in done.stdout.splitlines()
    }
