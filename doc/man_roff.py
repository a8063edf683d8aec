# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turn the text of comments into roff for manual pages."""

import re
from typing import List, NamedTuple


class Library(NamedTuple):
    """A library that has a manual of its own."""

    overview: str  # the name of the library and of its page
    types: str  # the name of the page of its types
    header: str
    package: str  # the name for pkg-config
    summary: str


LIBRARY = Library(
    "libompd-opencl",
    "ompd-opencl-types",
    "ompd-opencl.h",
    "ompd-opencl",
    "find and describe the OpenCL objects of a stopped process or a core",
)
HOST_LIBRARY = Library(
    "libompd-opencl-host",
    "ompd-opencl-host-types",
    "ompd-opencl-host.h",
    "ompd-opencl-host",
    "open processes and cores for an OMPD library",
)
VIEW_LIBRARY = Library(
    "libompd-opencl-view",
    "ompd-opencl-view-types",
    "ompd-opencl-view.h",
    "ompd-opencl-view",
    "run the OpenCL commands in a debugger or a shell",
)
FIELDS = "ompd-opencl-fields"
JSON = "ompd-opencl-json"
RULES = "ompd-opencl-rules"

ITEM = re.compile(r"(\s*)(\S+(?: \S+)?)(?<!\.)\s{2,}(\S.*)$")


def comment_lines(comment: str) -> List[str]:
    """Return the text of a comment, without its stars."""
    lines = [re.sub(r"^ \* ?", "", line).rstrip() for line in comment.split("\n")]
    lines[0] = lines[0].strip()
    return lines


def escape(text: str) -> str:
    """Escape plain text for roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def prose(text: str, parameters: List[str]) -> str:
    """Turn running text into roff: names in bold, parameters in italics."""
    text = text.replace("the head of this file", f"{LIBRARY.overview}(3)")
    text = escape(re.sub(r"\s+", " ", text).strip())
    text = re.sub(r"`([^`]+)`", r"\\fB\1\\fP", text)
    text = re.sub(r"\b((?:ompd|cl)_\w+(?:\(\d\))?)", r"\\fB\1\\fP", text)
    for name in parameters:
        text = re.sub(rf"(?<![\w\\])(\*?{name.upper()})\b", r"\\fI\1\\fP", text)
    return text


def blocks(lines: List[str]) -> List[List[str]]:
    """Group lines by the blank lines between them."""
    result: List[List[str]] = [[]]
    for line in lines:
        if line:
            result[-1].append(line)
        elif result[-1]:
            result.append([])
    return [block for block in result if block]


def verbatim(lines: List[str]) -> List[str]:
    """Render lines as they are."""
    return [".PP", ".in +4n", ".EX", *[escape(line) or "\\&" for line in lines], ".EE", ".in"]


def render_items(block: List[str], parameters: List[str]) -> List[str]:
    """Render a list of terms, each with its explanation, and the text before the list."""
    result: List[str] = []
    text: List[str] = []
    indent = -1

    def flush() -> None:
        if text:
            result.append(prose(" ".join(text), parameters))
            text.clear()

    for line in block:
        item = ITEM.match(line)
        if item is not None and indent in (-1, len(item.group(1))):
            flush()
            indent = len(item.group(1))
            result.extend([".TP", prose("`" + item.group(2) + "`", [])])
            text.append(item.group(3))
        elif indent >= 0 and not line.startswith(" " * (indent + 2)):
            flush()
            result.append(".PP")
            indent = -1
            text.append(line)
        else:
            text.append(line)
    flush()
    return result


def render_block(block: List[str], parameters: List[str]) -> List[str]:
    """Render a paragraph, a list, a program, or a heading."""
    if all(line.startswith("    ") for line in block) and block[-1].endswith((";", "}")):
        return verbatim([line[4:] for line in block])
    if len(block) == 1 and re.fullmatch(r"[A-Z][\w ]+", block[0]):
        return [f".SS {block[0]}"]
    if re.fullmatch(r"[A-Z][\w ]+", block[0]) and ITEM.match(block[1]):
        return [f".SS {block[0]}", *render_items(block[1:], parameters)]
    if any(ITEM.match(line) and "." not in line.split("  ")[0] for line in block):
        return [".PP", *render_items(block, parameters)]
    return [".PP", prose(" ".join(block), parameters)]


def head(names: List[str], section: int, version: str, summary: str) -> List[str]:
    """Return the beginning of a page."""
    return [
        f'.TH "{names[0]}" {section} "" "ompd-opencl {version}" ""',
        ".nh",
        ".ad l",
        ".SH NAME",
        f"{', '.join(names)} \\- {escape(summary[0].lower() + summary[1:])}",
    ]


def see_also(*names: str) -> List[str]:
    """Return the end of a page: references such as `ompd-opencl-recorder(7)`."""
    pages = [escape(name).replace("(", " (") for name in names]
    return [".SH SEE ALSO", *[f".BR {page} ," for page in pages[:-1]], f".BR {pages[-1]}"]
