# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Read pictures in PNG files of 8 bits per channel without interlacing."""

from __future__ import annotations

import struct
import zlib
from typing import Dict, List

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 6: 4}  # of each colour type


def _chunks(data: bytes) -> Dict[bytes, bytes]:
    """The contents of the chunks by their types.  Chunks of one type are joined."""
    chunks: Dict[bytes, bytes] = {}
    at = len(_SIGNATURE)
    if data[:at] != _SIGNATURE:
        raise AssertionError("no PNG: %r" % data[:at])
    while at < len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + size]
        if struct.unpack_from(">I", data, at + 8 + size) != (zlib.crc32(name + body),):
            raise AssertionError("a bad checksum of %r" % name)
        chunks[name] = chunks.get(name, b"") + body
        at += 12 + size
    return chunks


def _predicted(kind: int, left: int, above: int, corner: int) -> int:
    """The value that a filter adds to a byte, by the three bytes before it."""
    if kind == 4:
        guess = left + above - corner
        return min((left, above, corner), key=lambda near: abs(guess - near))
    return (0, left, above, (left + above) // 2)[kind]


def rows_of(path: str) -> List[bytes]:
    """The bytes of each row of pixels."""
    with open(path, "rb") as file:
        chunks = _chunks(file.read())
    width, height, depth, color, *_ = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    if depth != 8:
        raise AssertionError("%d bits a channel" % depth)
    step = _CHANNELS[color]
    packed = zlib.decompress(chunks[b"IDAT"])
    size = width * step
    rows = [bytes(size)]
    for line in range(height):
        kind, *given = packed[line * (size + 1) : (line + 1) * (size + 1)]
        row = bytearray(step)  # before the first pixel all is 0
        above = bytes(step) + rows[-1]
        for i, byte in enumerate(given):
            row.append((byte + _predicted(kind, row[i], above[i + step], above[i])) & 255)
        rows.append(bytes(row[step:]))
    return rows[1:]
