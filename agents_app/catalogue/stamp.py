"""The blocks that every script of a library shares, from one source.

`blocks/` holds the text; the tokens come from `renderer_app.themes`. `manage.py catalogue stamp` writes them
into our scripts, and a test holds them equal.
"""

import re
from pathlib import Path
from string import Template

from renderer_app.themes import DARK, LIGHT, PALETTE, Theme

BLOCKS = Path(__file__).parent / "blocks"
CONTRAST_MIN = 3.0  # WCAG 1.4.11: graphics against what is beside them


def theme_block(library: str) -> str:
    """The theme section's text for a library, without its heading. Raises FileNotFoundError for an unknown one."""
    values = {"palette": _listed(PALETTE), "faint_light": _listed(faint(LIGHT)), "faint_dark": _listed(faint(DARK))}
    for theme in (LIGHT, DARK):
        for token in ("page", "elevated", "ink", "ink_soft", "ink_muted", "rule"):
            values[f"{theme.name}_{token}"] = getattr(theme, token)
    tokens = Template((BLOCKS / "theme.txt").read_text(encoding="utf-8")).substitute(values)
    return tokens + (BLOCKS / f"theme-{library}.txt").read_text(encoding="utf-8")


def fit_block() -> str:
    """The fit section's text, the same for every library, without its heading."""
    return (BLOCKS / "fit.txt").read_text(encoding="utf-8")


def stamped(script: str, library: str) -> str:
    """The script with its theme and fit sections as the blocks say. Raises ValueError when it lacks the headings."""
    for name, block in (("Theme", theme_block(library)), ("Fit", fit_block())):
        pattern = re.compile(rf"^# --- {name} ---\n.*?(?=^# --- )", re.DOTALL | re.MULTILINE)
        if (count := len(pattern.findall(script))) != 1:
            raise ValueError(f"The script has {count} sections “# --- {name} ---”; one is needed.")
        found = pattern.search(script)
        assert found is not None
        script = f"{script[: found.start()]}# --- {name} ---\n{block}\n{script[found.end() :]}"
    return script


def faint(theme: Theme) -> tuple[str, ...]:
    """The palette's colors whose contrast with the theme's page is below 3:1."""
    return tuple(color for color in PALETTE if contrast(color, theme.page) < CONTRAST_MIN)


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio of two `#RRGGBB` colors, 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: str) -> float:
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _listed(colors: tuple[str, ...]) -> str:
    return "[" + ", ".join(f'"{color}"' for color in colors) + "]"
