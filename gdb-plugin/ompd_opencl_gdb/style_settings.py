# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""set style opencl-... and show style opencl-...: the styles of the opencl commands.

By default, addresses and functions have the styles that GDB itself uses.
"""

from __future__ import annotations

from typing import Any, Dict

import gdb

from ompd_opencl import colours
from ompd_opencl.view_structures import Style

_NAMES: Dict[int, str] = {
    Style.HEADING: "heading",
    Style.ADDRESS: "address",
    Style.FUNCTION: "function",
    Style.NOTE: "note",
}
_SUBJECTS: Dict[int, str] = {
    Style.HEADING: "the headings of tables",
    Style.ADDRESS: "addresses and OpenCL handles",
    Style.FUNCTION: "names of functions",
    Style.NOTE: "notes about what is shown",
}
# GDB's own style for the same text.
_FOLLOWED: Dict[int, str] = {Style.ADDRESS: "address", Style.FUNCTION: "function"}


class _Prefix(gdb.Command):
    """The settings of one style."""

    def __init__(self, verb: str, style: int) -> None:
        self.__doc__ = "%s the style of %s in the output of opencl commands." % (
            verb.capitalize(),
            _SUBJECTS[style],
        )
        self._words = "%s style opencl-%s" % (verb, _NAMES[style])
        super().__init__(self._words, gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)

    def invoke(self, argument: str, _from_tty: bool) -> None:
        """Called by GDB for the prefix alone, and for unknown settings."""
        if argument:
            raise gdb.GdbError('Unknown setting "%s %s".' % (self._words, argument.split()[0]))
        if self._words.startswith("set"):
            raise gdb.GdbError('"%s" must be followed by what to set.' % self._words)
        for setting in ("background", "foreground", "intensity"):
            gdb.execute("%s %s" % (self._words, setting))


class _Setting(gdb.Parameter):
    """One of the three settings of a style."""

    def __init__(self, style: int, setting: str, kind: int, *values: Any) -> None:
        self._subject = 'The "opencl-%s" style' % _NAMES[style]
        self.set_doc = "Set the %s of %s." % (setting, _SUBJECTS[style])
        self.show_doc = "Show the %s of %s." % (setting, _SUBJECTS[style])
        self.__doc__ = ""
        self._followed = ""  # the GDB setting with the value
        if style in _FOLLOWED:
            self._followed = "style %s %s" % (_FOLLOWED[style], setting)
        name = "style opencl-%s %s" % (_NAMES[style], setting)
        super().__init__(name, gdb.COMMAND_DATA, kind, *values)

    def get_set_string(self) -> str:
        """Called by GDB after it was set; GDB prints nothing."""
        self._followed = ""
        return ""

    def current(self) -> Any:
        """The current value."""
        return gdb.parameter(self._followed) if self._followed else self.value

    def sequence(self) -> str:
        """The terminal sequence."""
        raise NotImplementedError


class _Colour(_Setting):
    """The foreground or background colour: one of GDB's colours, or, since GDB 17, any colour."""

    def __init__(self, style: int, is_foreground: bool, colour: str) -> None:
        self._is_foreground = is_foreground
        setting = "foreground" if is_foreground else "background"
        if hasattr(gdb, "PARAM_COLOR"):
            super().__init__(style, setting, gdb.PARAM_COLOR)
            self.value = gdb.Color(colour)
        else:
            super().__init__(style, setting, gdb.PARAM_ENUM, [colours.NONE, *colours.COLOURS])
            self.value = colour

    def get_show_string(self, _value: str) -> str:
        """What `show` prints."""
        setting = "foreground" if self._is_foreground else "background"
        return "%s %s color is: %s" % (self._subject, setting, self.current())

    def sequence(self) -> str:
        """The terminal sequence."""
        colour = self.current()
        if isinstance(colour, str):
            return colours.colour_sequence(colour, self._is_foreground)
        return "" if colour.is_none else str(colour.escape_sequence(self._is_foreground))


class _Intensity(_Setting):
    """The intensity."""

    def __init__(self, style: int, intensity: str) -> None:
        super().__init__(style, "intensity", gdb.PARAM_ENUM, list(colours.INTENSITIES))
        self.value = intensity

    def get_show_string(self, _value: str) -> str:
        """What `show` prints."""
        return "%s display intensity is: %s" % (self._subject, self.current())

    def sequence(self) -> str:
        """The terminal sequence."""
        return colours.INTENSITIES[self.current()]


class _StyleSetting:
    """The settings of one style."""

    def __init__(self, style: int) -> None:
        look = colours.Look() if style in _FOLLOWED else colours.DEFAULTS[style]
        _Prefix("set", style)
        _Prefix("show", style)
        self._intensity = _Intensity(style, look.intensity)
        self._foreground = _Colour(style, True, look.foreground)
        self._background = _Colour(style, False, look.background)

    def beginning(self) -> str:
        """The terminal sequence before text of the style."""
        parts = (self._intensity, self._foreground, self._background)
        return "".join(part.sequence() for part in parts)


class StyleSettings:
    """The settings of all styles."""

    def __init__(self) -> None:
        self._settings = {style: _StyleSetting(style) for style in _NAMES}

    def beginning(self, style: int) -> str:
        """The terminal sequence before text of STYLE; "" for plain text."""
        setting = self._settings.get(style)
        return setting.beginning() if setting is not None else ""
