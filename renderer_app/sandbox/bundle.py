"""What of ours a sandbox sees: a copy of the harness and the probe with its bytecode, and the font list.

Both lie under `ANYPLOT_HOME/cache`, named by their content, made once and then only read. A copy, since a
mount of the source folder would show the project, and since a read-only view of uncompiled sources would be
compiled anew in every render.
"""

import compileall
import functools
import hashlib
import os
import shutil
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from django.conf import settings

ROOT = Path(__file__).resolve().parent.parent
FILES = ("__init__.py", "harness.py", "seccomp.py")
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts")


def code() -> Path:
    """The folder to mount as the sandbox's own code; made when it is not there yet."""
    sources = [ROOT / name for name in FILES] + sorted((ROOT / "probe").glob("*.py"))
    digest = hashlib.sha256(sys.version.encode())
    for source in sources:
        digest.update(str(source.relative_to(ROOT)).encode() + b"\0" + source.read_bytes() + b"\0")
    folder = _cache() / f"code-{digest.hexdigest()[:16]}"
    if not folder.is_dir():
        made = Path(tempfile.mkdtemp(prefix="code-", dir=_cache()))
        for source in sources:
            target = made / "renderer_app" / source.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        compileall.compile_dir(made, quiet=2, stripdir=str(made), prependdir="/opt/anyplot/code")
        made.chmod(0o755)
        _settle(made, folder)
    return folder


def fonts_path() -> Path:
    """Where the font list for this matplotlib and these fonts lies, or will lie: a folder with one file."""
    return _cache() / f"fonts-{_fonts_digest()}"


@functools.cache
def _fonts_digest() -> str:
    digest = hashlib.sha256(version("matplotlib").encode())
    for folder in FONT_FOLDERS:
        for place, folders, files in os.walk(folder):
            folders.sort()
            digest.update(f"{place}\0{sorted(files)}\0".encode())
    return digest.hexdigest()[:16]


def fonts() -> Path | None:
    """The font list, if it has been prepared."""
    return next(fonts_path().glob("fontlist-*.json"), None)


def keep_fonts(name: str, content: bytes) -> Path:
    """Keep a font list that a sandbox built; `name` is the file name that matplotlib looks for."""
    made = Path(tempfile.mkdtemp(prefix="fonts-", dir=_cache()))
    (made / Path(name).name).write_bytes(content)
    made.chmod(0o755)
    _settle(made, fonts_path())
    return fonts_path() / Path(name).name


def _cache() -> Path:
    folder = Path(settings.HOME) / "cache"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _settle(made: Path, folder: Path) -> None:
    """Give a finished folder its name; another process that was faster made the same."""
    try:
        made.rename(folder)
    except OSError:
        shutil.rmtree(made, ignore_errors=True)
