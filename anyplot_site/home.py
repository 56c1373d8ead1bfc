"""Where the files of one running copy are. Pure functions of the environment; nothing here makes a file.

Standard library only: the supervisor, the settings and the tests all ask here, so they always agree.
"""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

CHECKOUT = Path(__file__).resolve().parent.parent
# `sun_path` has 108 bytes on Linux, the last of them NUL.
SOCKET_PATH_BYTES = 107


def folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The home: `ANYPLOT_HOME`, else `.anyplot` in the checkout; absolute."""
    return Path(environment.get("ANYPLOT_HOME") or CHECKOUT / ".anyplot").expanduser().resolve()


def key_value_socket(home: Path, environment: Mapping[str, str] = os.environ) -> Path:
    """The private key-value server's socket: in the home, or in the runtime folder where that would be too long."""
    path = home / "run" / "kv.sock"
    if len(os.fsencode(path)) <= SOCKET_PATH_BYTES:
        return path
    mark = hashlib.sha256(os.fsencode(home)).hexdigest()[:12]
    if runtime := environment.get("XDG_RUNTIME_DIR"):
        path = Path(runtime) / f"anyplot-{mark}" / "kv.sock"
        if len(os.fsencode(path)) <= SOCKET_PATH_BYTES:
            return path
    return Path("/tmp") / f"anyplot-{os.getuid()}-{mark}" / "kv.sock"


def key_value_url(home: Path, environment: Mapping[str, str] = os.environ) -> str:
    """The address of the private key-value server, as redis-py reads it."""
    return f"unix://{quote(str(key_value_socket(home, environment)))}"
