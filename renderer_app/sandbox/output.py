"""What a script printed, made fit for a person's eyes."""

import re

from anyplot_site import bounds
from renderer_app.sandbox import launch

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_PLACES = re.compile(r"(?:/[\w.+-]+)*/(?:site-packages|dist-packages|opt/anyplot/site\d+|opt/anyplot/code)/")


def clean(printed: bytes) -> str:
    """The last lines of `printed`: no escape sequences, no control characters, no paths of the machine."""
    text = printed.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    text = _CONTROLS.sub("", _ESCAPES.sub("", text))
    text = _PLACES.sub("", text)
    for folder in (str(launch.interpreter().parent.parent), launch.SCRATCH + "/work", launch.SCRATCH):
        if folder != "/usr":
            text = text.replace(folder + "/", "")
    text = text.strip("\n")
    if len(text) > bounds.RENDER_SHOWN_BYTES:
        text = text[-bounds.RENDER_SHOWN_BYTES :]
        # from the start of a line, where there is one
        text = "…\n" + text.partition("\n")[2] if "\n" in text else "…" + text
    return text
