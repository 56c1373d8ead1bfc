"""R1 to R3: the limits, the picture, the canvas."""

import io

import pytest
from PIL import Image

from agents_app import gates
from agents_app.gates import host, picture
from anyplot_site import bounds
from renderer_app import themes
from renderer_app.contract import Reason, RenderResult
from tests.gates.figures import png


def test_r1_is_silent_when_the_script_ran(evidence):
    assert host.ran(evidence()).passed


@pytest.mark.parametrize("reason", list(Reason))
def test_r1_says_reason_measured_and_limit(evidence, reason):
    result = RenderResult("light", reason=reason, measured=61.2, limit=60.0)
    verdict = host.ran(evidence(result=result))
    assert not verdict.passed
    assert (verdict.measured, verdict.limit) == (61.2, 60.0)
    assert verdict.text.endswith(".")
    assert verdict.details == {"reason": reason.value}
    assert gates.status([verdict]) == "failed"


def test_r1_prefers_the_renderers_own_sentence(evidence):
    result = RenderResult("light", reason=Reason.TIMEOUT, detail="Drawing took 61 s; 60 s are allowed.")
    assert host.ran(evidence(result=result)).text == "Drawing took 61 s; 60 s are allowed."


def test_r2_is_silent_on_a_valid_picture(evidence):
    assert host.one_valid_picture(evidence()).passed


def jpeg():
    out = io.BytesIO()
    Image.new("RGB", (3200, 1800)).save(out, "JPEG")
    return out.getvalue()


def animated():
    frames = [Image.new("RGB", (32, 18), color) for color in ("#FF0000", "#00FF00")]
    out = io.BytesIO()
    frames[0].save(out, "PNG", save_all=True, append_images=frames[1:], duration=10)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no picture"),
        (b"%PDF-1.7", "not a PNG"),
        (jpeg(), "not a PNG"),
        (png()[:4_000], "can't be decoded"),
        (png()[:-12], "end of the picture"),
        (png() + b"more", "after the end"),
        (animated(), "several pictures"),
        (png((8_000, 6_000)), "48000000 pixels"),
    ],
    ids=["none", "pdf", "jpeg", "cut", "without an end", "with a tail", "animated", "huge"],
)
def test_r2_fires_on_what_is_not_one_png(evidence, data, said):
    verdict = host.one_valid_picture(evidence(result=RenderResult("light", data, 3200, 1800)))
    assert not verdict.passed
    assert said in verdict.text


def test_r3_is_silent_on_the_exact_canvas(evidence):
    assert host.exact_canvas(evidence()).passed


def test_r3_knows_the_square_canvas(evidence):
    recipe = evidence().recipe.with_(canvas="square")
    assert host.exact_canvas(evidence(picture=png((2400, 2400)), recipe=recipe)).passed
    assert not host.exact_canvas(evidence(recipe=recipe)).passed


@pytest.mark.parametrize("size", [(3196, 1800), (3200, 1784), (3216, 1810)])
def test_r3_pads_what_is_off_by_a_little(evidence, size):
    verdicts = gates.judge_host(evidence(picture=png(size)))
    assert gates.is_padded(verdicts)
    assert gates.status(verdicts) == "needs_attention"
    assert verdicts[-1].measured == max(abs(size[0] - 3200), abs(size[1] - 1800))
    assert verdicts[-1].limit == bounds.CANVAS_PAD_PX


@pytest.mark.parametrize("size", [(3183, 1800), (3200, 1817), (1600, 900)])
def test_r3_fails_what_is_off_by_more(evidence, size):
    verdicts = gates.judge_host(evidence(picture=png(size)))
    assert not gates.is_padded(verdicts)
    assert gates.status(verdicts) == "failed"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_padded_picture_has_the_exact_canvas_and_the_pages_color_around_it(theme):
    padded = gates.pad(png((3190, 1795), color="#009E73"), (3200, 1800), theme)
    image = Image.open(io.BytesIO(padded)).convert("RGB")
    page = themes.THEMES[theme].page
    assert image.size == (3200, 1800)
    assert "#{:02X}{:02X}{:02X}".format(*image.getpixel((0, 0))) == page
    assert image.getpixel((1600, 900)) == (0, 0x9E, 0x73)
    assert picture.decode(padded, theme).error == ""


def test_the_ink_of_a_transparent_picture_is_that_over_the_page():
    image = Image.new("RGBA", (300, 300), (0, 0, 0, 0))
    image.paste((0, 158, 115, 255), (0, 0, 30, 300))
    out = io.BytesIO()
    image.save(out, "PNG")
    assert picture.decode(out.getvalue(), "dark").ink_share == pytest.approx(0.1, abs=0.01)
