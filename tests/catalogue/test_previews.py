"""The committed pictures of the gallery are there, small, and drawn from the scripts as they are now."""

import io

import pytest
from PIL import Image

from agents_app.catalogue import catalogue, preview
from anyplot_site import bounds
from renderer_app import themes

OURS = [spec for spec in catalogue.specs() if spec.folder.parent == catalogue.PLOTS]


def test_every_preview_is_in_step_with_its_script():
    assert [f"{spec.id}/{library}" for spec, library in preview.behind(OURS)] == [], "run manage.py catalogue previews"


@pytest.mark.parametrize("spec", OURS, ids=[spec.id for spec in OURS])
def test_previews_are_small_and_have_the_shape_of_the_canvas(spec):
    width, height = themes.CANVASES[spec.canvas]
    for library in spec.libraries:
        for theme in themes.THEMES:
            for wanted in bounds.PREVIEW_WIDTHS_PX:
                path = catalogue.preview_path(spec, library, theme, wanted)
                assert path.stat().st_size <= bounds.PREVIEW_BYTES
                with Image.open(path) as picture:
                    assert picture.format == "WEBP"
                    assert picture.size == (wanted, round(height * wanted / width))
                    corner = picture.convert("RGB").getpixel((1, 1))
                page = themes.THEMES[theme].page
                expected = tuple(int(page[i : i + 2], 16) for i in (1, 3, 5))
                assert max(abs(a - b) for a, b in zip(corner, expected, strict=True)) <= 6


def test_a_picture_too_large_is_saved_at_lower_quality():
    out = io.BytesIO()
    noise = Image.effect_noise((1600, 900), 120).convert("RGB")
    noise.save(out, "PNG")
    first = io.BytesIO()
    noise.resize((640, 360)).save(first, "WEBP", quality=preview.QUALITIES[0])
    assert len(preview.webp(out.getvalue(), 640)) < len(first.getvalue())


def test_a_changed_script_is_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "PREVIEWS", tmp_path)
    assert len(preview.behind(OURS)) == sum(len(spec.libraries) for spec in OURS)
