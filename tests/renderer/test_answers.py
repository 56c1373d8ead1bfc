"""What comes out of a sandbox is read within bounds: frames, claims, pictures, printed text."""

import json
import struct

import pytest

from anyplot_site import bounds
from renderer_app.sandbox import claims, output, picture
from renderer_app.sandbox.frames import FrameReader, Malformed

LIMITS = {"S": 0, "O": 10, "M": 16, "E": 100}


def frame(kind: bytes, body: bytes = b"") -> bytes:
    return struct.pack("<cI", kind, len(body)) + body


class TestFrames:
    def test_frames_come_out_however_the_stream_was_cut(self):
        stream = frame(b"S") + frame(b"O", b"hello") + frame(b"M", struct.pack("<QQ", 7, 8))
        for size in range(1, len(stream) + 1):
            reader = FrameReader(LIMITS)
            pieces = [stream[i : i + size] for i in range(0, len(stream), size)]
            found = [one for piece in pieces for one in reader.feed(piece)]
            assert [one.kind for one in found] == ["S", "O", "M"]
            assert (found[1].body, found[2].numbers()) == (b"hello", (7, 8))

    @pytest.mark.parametrize("stream", [frame(b"?"), frame(b"O", b"x" * 11), b"O" + b"\xff" * 4])
    def test_an_unknown_kind_or_an_excess_is_refused_before_it_is_kept(self, stream):
        with pytest.raises(Malformed):
            list(FrameReader(LIMITS).feed(stream))

    @pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b"[" * 99])
    def test_an_end_that_is_no_object_is_refused(self, body):
        (one,) = FrameReader(LIMITS).feed(frame(b"E", body))
        with pytest.raises(Malformed):
            one.facts()

    def test_numbers_of_another_length_are_refused(self):
        (one,) = FrameReader(LIMITS).feed(frame(b"M", b"1234"))
        with pytest.raises(Malformed):
            one.numbers()


class TestClaims:
    def test_numbers_without_an_end_become_nothing(self):
        body = b'{"probe": {"a": NaN, "b": -Infinity, "c": 1e400, "d": %s, "e": 1.5, "f": 7}}' % (b"9" * 9000)
        assert claims.read(body).probe == {"a": None, "b": None, "c": None, "d": None, "e": 1.5, "f": 7}

    def test_texts_that_no_database_stores_are_made_storable(self):
        found = claims.read(b'{"probe": {"\\ud800": "a\\u0000b\\udfff"}}').probe
        assert found == {"?": "ab?"}
        json.dumps(found).encode()

    @pytest.mark.parametrize(
        "body",
        [b"", b"null", b"[]", b"{", b'{"probe": []}', b"[" * 200_000, b'{"probe": ' + b'{"a":' * 60 + b"1" + b"}" * 61],
    )
    def test_what_no_harness_writes_is_refused_with_a_sentence(self, body):
        with pytest.raises(claims.Unreadable, match=r"^The measurements of the figure .*\.$"):
            claims.read(body)

    def test_a_failure_is_named_shortly(self):
        assert len(claims.read(json.dumps({"failed": "E" * 9999, "probe_error": "p" * 9999}).encode()).failed) == 100


class TestPictures:
    def header(self, width: int, height: int) -> bytes:
        return picture.PNG_SIGNATURE + struct.pack(">I4sII", 13, b"IHDR", width, height) + bytes(9)

    def test_the_size_is_read_from_the_header_alone(self):
        assert picture.look(self.header(3200, 1800), "png", "p.png") == picture.Size(3200, 1800)

    def test_more_pixels_than_allowed_are_refused_with_both_numbers(self):
        with pytest.raises(picture.BadPicture) as problem:
            picture.look(self.header(100_000, 100_000), "png", "p.png")
        assert (problem.value.measured, problem.value.limit) == (10**10, bounds.RENDER_PIXELS)

    @pytest.mark.parametrize("content", [b"", b"\x89PNG", b"GIF89a" + bytes(60), picture.PNG_SIGNATURE + bytes(60)])
    def test_another_format_under_the_name_is_refused(self, content):
        with pytest.raises(picture.BadPicture, match=r"p\.png is no PNG picture\."):
            picture.look(content, "png", "p.png")

    def test_no_pixels_are_no_picture(self):
        with pytest.raises(picture.BadPicture, match="has no pixels"):
            picture.look(self.header(0, 5), "png", "p.png")

    def test_vector_formats_are_known_by_their_first_words(self):
        assert picture.look(b"<?xml?><svg/>", "svg", "p.svg") == picture.Size()
        assert picture.look(b"%PDF-1.4", "pdf", "p.pdf") == picture.Size()
        for wanted in ("svg", "pdf"):
            with pytest.raises(picture.BadPicture):
                picture.look(b"hello", wanted, "p")


class TestOutput:
    def test_escapes_and_controls_are_gone(self):
        assert output.clean(b"\x1b[1;31mred\x1b[0m\x00\x07 \x1b]8;;http://x\x1b\\link \xc2\x9bx") == "red link x"

    def test_carriage_returns_end_lines(self):
        assert output.clean(b"10 %\r20 %\r\ndone\n") == "10 %\n20 %\ndone"

    def test_places_on_the_machine_are_gone(self):
        printed = b'File "/opt/anyplot/site0/pandas/core.py"\n/root/.venv/lib/python3.11/site-packages/numpy/x.py\n'
        assert output.clean(printed) == 'File "pandas/core.py"\nnumpy/x.py'

    def test_bytes_that_are_no_text_are_replaced(self):
        assert output.clean(b"a\xff\xfeb") == "a��b"
