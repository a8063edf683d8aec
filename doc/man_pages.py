#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write the manual's section 3 from the public header, whose comments are the manual.

usage: man_pages.py HEADER VERSION FOLDER

One page for each comment that documents functions, under the name of the first; the others of the
family get pages that lead there.  Besides, libompd-opencl(3) from the header's first comment, and
ompd-opencl-types(3) with the types.
"""

import os
import re
import sys
from typing import Dict, List, NamedTuple, Tuple

OVERVIEW = "libompd-opencl"
TYPES = "ompd-opencl-types"
SUMMARIES = {
    OVERVIEW: "what a debugger asks about the OpenCL objects of a stopped process or a core",
    TYPES: "the types of libompd-opencl",
}

SECTION = re.compile(r"/\* ---- (.+?) -+ \*/")
COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
PROTOTYPE = re.compile(r"ompd_rc_t (ompd_cl_\w+)\((.*?)\);", re.DOTALL)
ITEM = re.compile(r"(\s*)(\S+(?: \S+)?)(?<!\.)\s{2,}(\S.*)$")


class Page(NamedTuple):
    """One documented family of functions."""

    names: List[str]
    prototypes: List[str]
    comment: List[str]
    parameters: List[str]


def comment_lines(comment: str) -> List[str]:
    """A comment's text, without its stars."""
    lines = [re.sub(r"^ \* ?", "", line).rstrip() for line in comment.split("\n")]
    lines[0] = lines[0].strip()
    return lines


def escape(text: str) -> str:
    """Plain text for roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def prose(text: str, parameters: List[str]) -> str:
    """A running text for roff: names set in bold, parameters in italics."""
    text = text.replace("the head of this file", f"{OVERVIEW}(3)")
    text = escape(re.sub(r"\s+", " ", text).strip())
    text = re.sub(r"`([^`]+)`", r"\\fB\1\\fP", text)
    text = re.sub(r"\b((?:ompd|cl)_\w+(?:\(\d\))?)", r"\\fB\1\\fP", text)
    for name in parameters:
        text = re.sub(rf"(?<![\w\\])(\*?{name.upper()})\b", r"\\fI\1\\fP", text)
    return text


def blocks(lines: List[str]) -> List[List[str]]:
    """Lines in groups, as blank lines part them."""
    result: List[List[str]] = [[]]
    for line in lines:
        if line:
            result[-1].append(line)
        elif result[-1]:
            result.append([])
    return [block for block in result if block]


def verbatim(lines: List[str]) -> List[str]:
    """Lines as they stand."""
    return [".PP", ".in +4n", ".EX", *[escape(line) or "\\&" for line in lines], ".EE", ".in"]


def render_items(block: List[str], parameters: List[str]) -> List[str]:
    """A list of terms, each with its explanation, after a text that leads to it."""
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
    """A paragraph, a list, a program, or a heading."""
    if all(line.startswith("    ") for line in block) and block[0].rstrip().endswith(";"):
        return verbatim([line[4:] for line in block])
    if len(block) == 1 and re.fullmatch(r"[A-Z][\w ]+", block[0]):
        return [f".SS {block[0]}"]
    if re.fullmatch(r"[A-Z][\w ]+", block[0]) and ITEM.match(block[1]):
        return [f".SS {block[0]}", *render_items(block[1:], parameters)]
    if any(ITEM.match(line) and "." not in line.split("  ")[0] for line in block):
        return [".PP", *render_items(block, parameters)]
    return [".PP", prose(" ".join(block), parameters)]


def split_returns(lines: List[str]) -> Tuple[List[str], List[str]]:
    """The text of a comment, and what it says of return codes."""
    for number, line in enumerate(lines):
        start = re.search(r"(^|\s)(Returns ompd_rc_ok|Return codes as)", line)
        if start is not None:
            where = start.start()
            return [*lines[:number], line[:where].rstrip()], [line[where:], *lines[number + 1 :]]
    return lines, []


def head(names: List[str], version: str, summary: str) -> List[str]:
    """What every page begins with."""
    return [
        f'.TH "{names[0]}" 3 "" "ompd-opencl {version}" ""',
        ".nh",
        ".ad l",
        ".SH NAME",
        f"{', '.join(names)} \\- {escape(summary[0].lower() + summary[1:])}",
    ]


def page_text(page: Page, version: str) -> List[str]:
    """A page for a family of functions."""
    description, returns = split_returns(page.comment)
    text = re.sub(r"\s+", " ", " ".join(description)).strip()
    summary = re.split(r"[.:;]( |$)", text)[0]
    lines = head(page.names, version, summary)
    lines += [".SH SYNOPSIS", ".nf", ".B #include <ompd\\-opencl.h>", ".PP"]
    for prototype in page.prototypes:
        lines += [f'.BI "{escape(line)}"' for line in prototype.split("\n")]
    lines += [".fi", ".SH DESCRIPTION"]
    for block in blocks(description):
        lines += render_block(block, page.parameters)
    lines.append(".SH RETURN VALUE")
    for block in blocks(returns or ["Return codes as in the head of this file."]):
        lines += render_block(block, page.parameters)
    return lines + see_also(f"{OVERVIEW}(3)", f"{TYPES}(3)")


def see_also(*names: str) -> List[str]:
    """The end of a page: references such as `ompd-opencl-recorder(7)`."""
    pages = [escape(name).replace("(", " (") for name in names]
    return [".SH SEE ALSO", *[f".BR {page} ," for page in pages[:-1]], f".BR {pages[-1]}"]


def function_pages(header: str) -> List[Page]:
    """The families of functions: a comment, and the prototypes that follow it."""
    pages: List[Page] = []
    comment: List[str] = []
    for match in re.finditer(f"{COMMENT.pattern}|{PROTOTYPE.pattern}", header, re.DOTALL):
        if match.group(1) is not None:
            comment = comment_lines(match.group(1))
            continue
        prototype = re.sub(r"\n\s+", "\n    ", match.group(0))
        parameters = re.findall(r"(\w+)(?=,|$)", match.group(3))
        if pages and pages[-1].comment is comment:
            pages[-1].names.append(match.group(2))
            pages[-1].prototypes.append(prototype)
            pages[-1].parameters.extend(set(parameters) - set(pages[-1].parameters))
        else:
            pages.append(Page([match.group(2)], [prototype], comment, parameters))
    return pages


def types_text(header: str, version: str) -> List[str]:
    """The page of the types, section by section as the header has them."""
    lines = head([TYPES], version, SUMMARIES[TYPES])
    lines += [".SH SYNOPSIS", ".B #include <ompd\\-opencl.h>"]
    parts = SECTION.split(header)
    for title, body in zip(parts[1::2], parts[2::2]):
        body = re.sub(
            rf"(/\*(?:(?!\*/).)*\*/\n)?(?:{PROTOTYPE.pattern}\n?)+", "", body, flags=re.DOTALL
        )
        body = body.split("#ifdef __cplusplus")[0].strip()
        if "typedef" in body:
            lines += [f".SH {title.upper()}", ".EX"]
            lines += [escape(line) or "\\&" for line in re.sub(r"\n{3,}", "\n\n", body).split("\n")]
            lines.append(".EE")
    return lines + see_also(f"{OVERVIEW}(3)")


def overview_text(header: str, version: str, pages: List[Page]) -> List[str]:
    """The page of the library, from the header's first long comment."""
    comments = COMMENT.findall(header)
    text = next(comment_lines(comment) for comment in comments if comment.count("\n") > 5)
    text = [line.replace("This header", "The header <ompd-opencl.h>") for line in text]
    lines = head([OVERVIEW], version, SUMMARIES[OVERVIEW])
    lines += [".SH LIBRARY", "libompd\\-opencl; compile and link with"]
    lines += [".B pkg\\-config \\-\\-cflags \\-\\-libs ompd\\-opencl", ".SH DESCRIPTION"]
    for block in blocks(text)[1:]:
        lines += render_block(block, [])
    lines += [".SH FUNCTIONS", ".nf"]
    lines += [f".BR {name} (3)" for page in pages for name in page.names]
    return lines + [
        ".fi",
        *see_also(f"{TYPES}(3)", "ompd-opencl-gdb(7)", "ompd-opencl-recorder(7)"),
    ]


def write(folder: str, pages: Dict[str, List[str]]) -> None:
    """Write pages; what the folder held before is gone."""
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    for name, lines in pages.items():
        with open(os.path.join(folder, f"{name}.3"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


def main(arguments: List[str]) -> None:
    """Write all pages."""
    if len(arguments) != 3:
        sys.exit(__doc__)
    path, version, folder = arguments
    with open(path, encoding="utf-8") as file:
        header = file.read()
    families = function_pages(header)
    pages = {OVERVIEW: overview_text(header, version, families), TYPES: types_text(header, version)}
    for page in families:
        pages[page.names[0]] = page_text(page, version)
        for name in page.names[1:]:
            pages[name] = [f".so man3/{page.names[0]}.3"]
    write(folder, pages)


if __name__ == "__main__":
    main(sys.argv[1:])
