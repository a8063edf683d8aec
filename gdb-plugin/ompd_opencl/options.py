# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The options of the opencl commands: parsed in any order, abbreviated, completed."""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Tuple

from .errors import OpenCLError
from .sizes import parse_size

_OPENING = "([{"
_CLOSING = ")]}"


class Option(NamedTuple):
    """One option of a command."""

    name: str
    argument: str  # what follows it, as help writes it: "EXPR", "NAME", "SIZE", or "" for nothing
    help: str
    values: Tuple[Tuple[int, str], ...] = ()  # of a NAME: what may be given

    @property
    def usage(self) -> str:
        """ "-kind NAME"."""
        return ("-%s %s" % (self.name, self.argument)).rstrip()


class Arguments(NamedTuple):
    """What the user gave."""

    options: Dict[str, str]
    expression: str

    def has(self, name: str) -> bool:
        """Whether the option was given."""
        return name in self.options


def split_words(text: str) -> List[str]:
    """The words of TEXT.  Blanks within brackets or quotes do not end a word."""
    words: List[str] = []
    word = ""
    depth = 0
    quote = ""
    for character in text:
        if quote:
            quote = "" if character == quote and not word.endswith("\\") else quote
        elif character in "\"'":
            quote = character
        elif character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth = max(0, depth - 1)
        elif character.isspace() and depth == 0:
            if word:
                words.append(word)
            word = ""
            continue
        word += character
    if word:
        words.append(word)
    return words


class Options:
    """The options that one command takes."""

    def __init__(self, command: str, options: List[Option], takes_expression: bool) -> None:
        self._command = command
        self._options = options
        self._takes_expression = takes_expression

    def parse(self, text: str) -> Arguments:
        """What TEXT, the words behind the command, says.  Raises OpenCLError."""
        given: Dict[str, str] = {}
        rest: List[str] = []
        words = split_words(text)
        while words:
            word = words.pop(0)
            if word == "--":
                rest.extend(words)
                break
            if not _looks_like_option(word):
                rest.append(word)
                continue
            option = self._find(word)
            if option.argument and not words:
                raise OpenCLError("%s needs %s." % (word, _with_article(option.argument)))
            if option.argument and option.name in given:
                raise OpenCLError("-%s is given twice." % option.name)
            given[option.name] = words.pop(0) if option.argument else ""
        if rest and not self._takes_expression:
            raise OpenCLError(
                "%s takes no argument %s%s." % (self._command, rest[0], self._advice())
            )
        return Arguments(given, " ".join(rest))

    def _find(self, word: str) -> Option:
        """The option that WORD names or abbreviates."""
        name = word.lstrip("-")
        exact = [option for option in self._options if option.name == name]
        found = exact or [option for option in self._options if option.name.startswith(name)]
        if len(found) == 1:
            return found[0]
        if found:
            names = " or ".join("-" + option.name for option in found)
            raise OpenCLError("%s is ambiguous: %s." % (word, names))
        raise OpenCLError("%s has no option %s%s." % (self._command, word, self._advice()))

    def _advice(self) -> str:
        names = ", ".join(option.usage for option in self._options)
        return "; its options are %s" % names if names else ""

    def complete(self, text: str, word: str) -> Optional[List[str]]:
        """What may stand in place of WORD, the end of TEXT; None for an expression."""
        words = text.split()
        last = words.pop() if words and not text[-1:].isspace() else ""
        before = words[-1] if words else ""
        option = self._option_before(before)
        if option is not None and option.argument == "EXPR":
            return None
        if option is not None and option.argument:
            names = [name for _value, name in option.values]
            prefix, _comma, last_part = last.rpartition(",")
            candidates = [(prefix + "," if prefix else "") + name for name in names]
            return _completions(candidates, last, word)
        if last.startswith("-") or not self._takes_expression:
            given = {name.lstrip("-") for name in words if _looks_like_option(name)}
            names = ["-" + option.name for option in self._options if option.name not in given]
            return _completions(names, last, word)
        return None

    def _option_before(self, word: str) -> Optional[Option]:
        if not _looks_like_option(word):
            return None
        try:
            return self._find(word)
        except OpenCLError:
            return None

    def help(self) -> str:
        """The lines of help about the options."""
        width = max((len(option.usage) for option in self._options), default=0)
        return "\n".join(
            "  %-*s  %s" % (width, option.usage, option.help) for option in self._options
        )


def _looks_like_option(word: str) -> bool:
    """A cl handle is never negative: a word that begins with "-" and a letter is an option."""
    name = word[2:] if word.startswith("--") else word[1:]
    return word.startswith("-") and name[:1].isalpha()


def _with_article(argument: str) -> str:
    return {"EXPR": "an expression", "NAME": "a name", "SIZE": "a size"}[argument]


def _completions(candidates: List[str], last: str, word: str) -> List[str]:
    """The candidates that begin with LAST, less what GDB has cut off before WORD."""
    cut = len(last) - len(word)
    return [candidate[max(cut, 0) :] for candidate in candidates if candidate.startswith(last)]


def parse_names(option: Option, text: str) -> int:
    """The set of bits `1 << value` for a comma-separated list of names, or beginnings of names."""
    bits = 0
    for word in text.split(","):
        found = [value for value, name in option.values if name == word]
        if not found:
            found = [value for value, name in option.values if word and name.startswith(word)]
        if not found:
            names = ", ".join(name for _value, name in option.values)
            raise OpenCLError(
                "-%s: there is no %s; there are %s." % (option.name, word or "empty name", names)
            )
        for value in found:
            bits |= 1 << value
    return bits


def parse_min_size(text: str) -> int:
    """The bytes of a -min-size argument."""
    try:
        return parse_size(text)
    except ValueError:
        raise OpenCLError(
            "-min-size: %s is no size; write a number, or one with K, M or G behind it." % text
        ) from None
