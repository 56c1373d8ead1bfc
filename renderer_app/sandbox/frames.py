"""The frames in which the collector answers, and their bounds.

A frame is one byte of kind, a little-endian u32 length, and its body. In order of appearance:

| kind | body | meaning |
| --- | --- | --- |
| `H` | empty | the harness runs |
| `S` | empty | imports and filter are done, the script starts |
| `M` | two u64 | bytes and entries in use on the scratch volume |
| `O` | text | what the script printed |
| `X` | u64 | the script's process reported more than is allowed; the body says how much |
| `C` | JSON | the claims of the script's process |
| `P` | bytes | the picture |
| `E` | JSON | the collector's word on the end; nothing follows |

The host trusts the collector to be ours, and still takes nothing from it without a bound (RE7).
"""

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_HEAD = struct.Struct("<cI")
_TWO = struct.Struct("<QQ")
_ONE = struct.Struct("<Q")


class Malformed(Exception):
    """The stream breaks the rules above."""


@dataclass(frozen=True)
class Frame:
    """One frame as it came."""

    kind: str
    body: bytes

    def numbers(self) -> tuple[int, ...]:
        """The body's numbers; raises Malformed when it has another length."""
        shape = _TWO if self.kind == "M" else _ONE
        if len(self.body) != shape.size:
            raise Malformed(f"A frame {self.kind} has {len(self.body)} bytes.")
        return tuple(int(number) for number in shape.unpack(self.body))

    def facts(self) -> dict[str, Any]:
        """The body as a JSON object; raises Malformed."""
        try:
            facts = json.loads(self.body)
        except (ValueError, RecursionError) as problem:
            raise Malformed("The end frame is no JSON.") from problem
        if not isinstance(facts, dict):
            raise Malformed("The end frame is no object.")
        return facts


class FrameReader:
    """Cuts a stream into frames; `bounds` gives the longest body of each kind in bytes."""

    def __init__(self, bounds: dict[str, int]) -> None:
        self.bounds = bounds
        self.buffer = bytearray()

    def feed(self, chunk: bytes) -> Iterator[Frame]:
        """The frames that are complete with `chunk`; raises Malformed on an unknown kind or an excess."""
        self.buffer += chunk
        while len(self.buffer) >= _HEAD.size:
            kind_byte, length = _HEAD.unpack_from(self.buffer)
            kind = kind_byte.decode("latin-1")
            if kind not in self.bounds or length > self.bounds[kind]:
                raise Malformed(f"A frame {kind!r} of {length} bytes.")
            if len(self.buffer) < _HEAD.size + length:
                return
            body = bytes(self.buffer[_HEAD.size : _HEAD.size + length])
            del self.buffer[: _HEAD.size + length]
            yield Frame(kind, body)
