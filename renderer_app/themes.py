"""The two themes, the palette and the canvases: one source for scripts, gates and pages."""

from dataclasses import dataclass
from typing import Final, Literal

from anyplot_site import bounds

ThemeName = Literal["light", "dark"]
CanvasName = Literal["landscape", "square"]


@dataclass(frozen=True)
class Theme:
    """The tokens of one theme, as `#RRGGBB`; `rule` is ink at 15 % over the page, already mixed."""

    name: ThemeName
    page: str
    elevated: str
    ink: str
    ink_soft: str
    ink_muted: str
    rule: str


def _mix(ink: str, page: str, share: float) -> str:
    """The color that `ink` at opacity `share` makes over `page`, in sRGB as a browser mixes it."""
    channels = (round(int(ink[i : i + 2], 16) * share + int(page[i : i + 2], 16) * (1 - share)) for i in (1, 3, 5))
    return "#" + "".join(f"{channel:02X}" for channel in channels)


RULE_SHARE: Final = 0.15

LIGHT: Final = Theme(
    "light", "#FAF8F1", "#FFFDF6", "#1A1A17", "#4A4A44", "#6B6A63", _mix("#1A1A17", "#FAF8F1", RULE_SHARE)
)
DARK: Final = Theme(
    "dark", "#1A1A17", "#242420", "#F0EFE8", "#B8B7B0", "#A8A79F", _mix("#F0EFE8", "#1A1A17", RULE_SHARE)
)
THEMES: Final[dict[str, Theme]] = {"light": LIGHT, "dark": DARK}

# In this order, the same in both themes. Red is kept for bad, loss and error.
PALETTE: Final = ("#009E73", "#C475FD", "#4467A3", "#BD8233", "#AE3030", "#2ABCCD", "#954477", "#99B314")
AMBER: Final = "#DDCC77"

CANVASES: Final[dict[str, tuple[int, int]]] = {
    "landscape": bounds.CANVAS_LANDSCAPE_PX,
    "square": bounds.CANVAS_SQUARE_PX,
}


def other(theme: str) -> str:
    """The theme that is not `theme`."""
    return "dark" if theme == "light" else "light"
