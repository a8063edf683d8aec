# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages of functions: a comment of the header, and the prototypes that it documents."""

import re
from typing import List, NamedTuple, Tuple

from man_roff import LIBRARY, Library, blocks, comment_lines, escape, head, render_block, see_also

COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
# A function that the library exports, or an inline function, whose body is left out.
PROTOTYPE = re.compile(
    r"^(?:static inline )?"
    r"(ompd_rc_t\s+|ompd_host_rc_t\s+|ompd_view_exit_t\s+|void\s+|bool\s+|const \w+ \*)"
    r"(ompd_\w+)\(([^()]*)\)(?:;|\n\{\n.*?\n\}$)",
    re.DOTALL | re.MULTILINE,
)
WIDTH = 72  # columns of a line of a prototype

# The comment that documents OMPD's entry points.
STANDARD = "The entry points of OMPD"
STANDARD_NAMES = re.compile(r"^  (ompd_\w+(?:, ompd_\w+)*,?|the rest)$")


class Page(NamedTuple):
    """One documented family of functions."""

    names: List[str]
    prototypes: List[str]
    comment: List[str]
    parameters: List[str]
    include: str
    library: Library = LIBRARY


def _prototype(match: "re.Match[str]") -> Tuple[str, List[str]]:
    """Return a prototype, broken into lines as in our headers, and its parameter names."""
    parameters = re.sub(r"\s+", " ", match.group(3)).strip().split(", ")
    lines = [re.sub(r"\s+", " ", match.group(1)) + match.group(2) + "("]
    for number, parameter in enumerate(parameters):
        text = parameter + (", " if number + 1 < len(parameters) else ");")
        if len(lines[-1]) + len(text) > WIDTH:
            lines.append("    ")
        lines[-1] += text
    return "\n".join(line.rstrip() for line in lines), [
        text.split("*")[-1].split(" ")[-1] for text in parameters
    ]


def function_pages(header: str, library: Library) -> List[Page]:
    """Return the families of functions in a header: a comment, and the prototypes after it."""
    pages: List[Page] = []
    comment: List[str] = []
    both = re.compile(f"{COMMENT.pattern}|{PROTOTYPE.pattern}", PROTOTYPE.flags)
    for match in both.finditer(header):
        if match.group(1) is not None:
            comment = comment_lines(match.group(1))
            continue
        found = PROTOTYPE.match(match.group(0))
        assert found is not None
        prototype, parameters = _prototype(found)
        if pages and pages[-1].comment is comment:
            pages[-1].names.append(found.group(2))
            pages[-1].prototypes.append(prototype)
            pages[-1].parameters.extend(set(parameters) - set(pages[-1].parameters))
        else:
            names = [found.group(2)]
            pages.append(Page(names, [prototype], comment, parameters, library.header, library))
    return pages


def _standard_comment(header: str) -> List[str]:
    """Return the comment that documents OMPD's entry points."""
    comments = (comment_lines(text) for text in COMMENT.findall(header))
    return next(lines for lines in comments if STANDARD in " ".join(lines))


def _standard_items(lines: List[str]) -> List[Tuple[List[str], List[str]]]:
    """Return the items of that comment: function names and their text."""
    items: List[Tuple[List[str], List[str]]] = []
    for line in lines:
        if STANDARD_NAMES.match(line):
            names = re.findall(r"ompd_\w+", line)
            if items and not items[-1][1]:
                items[-1][0].extend(names)
            else:
                items.append((names, []))
        elif items and line and not line.startswith("      "):
            break
        elif items:
            items[-1][1].append(line[6:])
    return items


def standard_pages(header: str, types: str) -> List[Page]:
    """Return the families of OMPD's own entry points, which TYPES declares."""
    bare = re.sub(r"/\*.*?\*/", "", types, flags=re.DOTALL)
    declared = {match.group(2): _prototype(match) for match in PROTOTYPE.finditer(bare)}
    pages = []
    lines = _standard_comment(header)
    for_all = next(block for block in blocks(lines) if block[0].startswith("All check"))
    for names, comment in _standard_items(lines):
        names = names or list(declared)
        found = [declared.pop(name) for name in names]
        parameters = [name for _, several in found for name in several]
        prototypes = [prototype for prototype, _ in found]
        text = [*comment, "", *for_all]
        pages.append(Page(names, prototypes, text, parameters, LIBRARY.header))
    if declared:
        raise SystemExit(f"the header does not document {', '.join(declared)}")
    return pages


def split_returns(lines: List[str]) -> Tuple[List[str], List[str]]:
    """Split a comment before its part about return codes."""
    for number, line in enumerate(lines):
        start = re.search(r"(^|\s)(Returns |Return codes as)", line)
        if start is not None:
            where = start.start()
            return [*lines[:number], line[:where].rstrip()], [line[where:], *lines[number + 1 :]]
    return lines, []


def usual_return(page: Page) -> str:
    """Return the RETURN VALUE text of functions whose comment does not have one."""
    returned = page.prototypes[0].split(" ")[0]
    if returned == "void":
        return "Returns nothing."
    if returned in ("const", "bool"):
        return "Returns the value described above."
    if returned == "ompd_view_exit_t":
        return f"Returns how the command ended, an ompd_view_exit_t: see {page.library.types}(3)."
    return f"Returns the codes that {page.library.overview}(3) lists."


def page_text(page: Page, version: str) -> List[str]:
    """Write the page of a family of functions."""
    description, returns = split_returns(page.comment)
    text = re.sub(r"\s+", " ", " ".join(description)).strip()
    summary = re.split(r"[.:;]( |$)", text)[0]
    lines = head(page.names, 3, version, summary)
    lines += [".SH SYNOPSIS", ".nf", f".B #include <{escape(page.include)}>", ".PP"]
    for prototype in page.prototypes:
        lines += [f'.BI "{escape(line)}"' for line in prototype.split("\n")]
    lines += [".fi", ".SH DESCRIPTION"]
    for block in blocks(description):
        lines += render_block(block, page.parameters)
    lines.append(".SH RETURN VALUE")
    for block in blocks(returns or [usual_return(page)]):
        lines += render_block(block, page.parameters)
    return lines + see_also(f"{page.library.overview}(3)", f"{page.library.types}(3)")
