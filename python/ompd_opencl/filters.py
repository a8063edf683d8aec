# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The filters of lists."""

from __future__ import annotations

import ctypes
from typing import Iterable, Optional, Union

from . import structures as c
from .errors import FilterError
from .fields import Field, KindInfo
from .sizes import parse_size

# "buffer", "buffer,pipe" or ["buffer", "pipe"]; a prefix matches all names that begin with it.
Names = Union[str, Iterable[str]]


def make_filter(
    kind: KindInfo,
    kinds: Optional[Names] = None,
    states: Optional[Names] = None,
    context: int = 0,
    min_size: Union[int, str, None] = None,
) -> c.Filter:
    """Create the library's filter; raises FilterError."""
    return c.Filter(
        struct_size=ctypes.sizeof(c.Filter),
        context=context,
        kinds=_bits(kind.fields["kind"], kinds) if kinds is not None else 0,
        states=_bits(kind.fields["state"], states) if states is not None else 0,
        min_size=_size(min_size),
    )


def _bits(field: Field, names: Names) -> int:
    bits = 0
    for name in names.split(",") if isinstance(names, str) else names:
        found = {value for value, known in field.names.items() if known == name} or {
            value for value, known in field.names.items() if name and known.startswith(name)
        }
        if not found:
            raise FilterError(
                "%s: unknown name '%s'; choose from %s."
                % (field.name, name, ", ".join(field.names.values()))
            )
        for value in found:
            bits |= 1 << value
    return bits


def _size(size: Union[int, str, None]) -> int:
    if size is None:
        return 0
    try:
        number = parse_size(size) if isinstance(size, str) else int(size)
    except ValueError:
        number = -1
    if not 0 <= number < 1 << 64:
        raise FilterError(
            "min_size: '%s' is not a size; use a number with an optional K, M or G." % (size,)
        )
    return number
