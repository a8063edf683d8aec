#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write the generated pages of the manual, mostly from the comments of the public headers.

usage: man_pages.py HEADER TYPED TYPES FIELDS PROGRAMS VERSION FOLDER [OTHER-HEADER...]

Each comment that documents functions becomes a page of section 3, named after the first function;
the other functions get pages that refer to it.  The functions come from HEADER, the typed functions
from TYPED, and OMPD's own entry points from TYPES.  The first comment of HEADER becomes
libompd-opencl(3), and its types become ompd-opencl-types(3).  FIELDS, the output of list-fields,
becomes ompd-opencl-fields(7) and ompd-opencl-json(5).  PROGRAMS, the output of rule_programs.py,
and schema/rules.def become ompd-opencl-rules(7).  Each OTHER-HEADER gets the same pages of section
3 for its library.
"""

import os
import re
import sys
from typing import Dict, List

from man_fields import fields_text
from man_functions import (
    COMMENT,
    PROTOTYPE,
    STANDARD,
    Page,
    function_pages,
    page_text,
    standard_pages,
)
from man_json import json_text
from man_roff import FIELDS, HOST_LIBRARY, JSON, LIBRARY, RULES, VIEW_LIBRARY, Library
from man_roff import blocks, comment_lines, escape, head, render_block, see_also
from man_rules import rules_text

SECTION = re.compile(r"/\* ---- (.+?) -+ \*/")


def types_text(header: str, version: str, library: Library) -> List[str]:
    """Write the page of types, in the sections of the header."""
    lines = head([library.types], 3, version, f"the types of {library.overview}")
    lines += [".SH SYNOPSIS", f".B #include <{escape(library.header)}>"]
    parts = SECTION.split(header)
    if len(parts) == 1:
        parts = ["", "Description", header.split('extern "C" {\n#endif\n')[1]]
    for title, body in zip(parts[1::2], parts[2::2]):
        documented = rf"(/\*(?:(?!\*/).)*\*/\n)?(?:{PROTOTYPE.pattern}\n?)+"
        body = re.sub(documented, "", body, flags=PROTOTYPE.flags)
        for comment in re.findall(COMMENT.pattern, body, re.DOTALL):
            if STANDARD in comment:  # it has pages of its own
                body = body.replace(f"/*{comment}*/", "")
        body = body.split("#ifdef __cplusplus")[0].strip()
        if re.search(r"^(typedef|#define)", body, re.MULTILINE):
            lines += [f".SH {title.upper()}", ".EX"]
            lines += [escape(line) or "\\&" for line in re.sub(r"\n{3,}", "\n\n", body).split("\n")]
            lines.append(".EE")
    return lines + see_also(f"{library.overview}(3)")


def overview_text(header: str, version: str, library: Library, pages: List[Page]) -> List[str]:
    """Write the page of a library, from the header's first long comment."""
    comments = COMMENT.findall(header)
    text = next(comment_lines(comment) for comment in comments if comment.count("\n") > 5)
    text = [line.replace("This header", f"The header <{library.header}>") for line in text]
    lines = head([library.overview], 3, version, library.summary)
    lines += [".SH LIBRARY", f"{escape(library.overview)}; compile and link with"]
    lines += [".B " + escape(f"pkg-config --cflags --libs {library.package}"), ".SH DESCRIPTION"]
    for block in blocks(text)[1:]:
        lines += render_block(block, [])
    lines += [".SH FUNCTIONS", ".nf"]
    lines += [f".BR {name} (3)" for page in pages for name in page.names]
    others = [f"{library.types}(3)"]
    if library is LIBRARY:
        others += [f"{FIELDS}(7)", "ompd-opencl-gdb(7)", "ompd-opencl-layout(5)"]
        others += ["ompd-opencl-recorder(7)", f"{VIEW_LIBRARY.overview}(3)"]
    else:
        others += [f"{LIBRARY.overview}(3)"]
    return lines + [".fi", *see_also(*others)]


def library_pages(
    header: str, version: str, library: Library, families: List[Page]
) -> Dict[str, List[str]]:
    """Write all pages of section 3 of a library."""
    pages = {
        f"{library.overview}.3": overview_text(header, version, library, families),
        f"{library.types}.3": types_text(header, version, library),
    }
    for page in families:
        pages[f"{page.names[0]}.3"] = page_text(page, version)
        for name in page.names[1:]:
            pages[f"{name}.3"] = [f".so man3/{page.names[0]}.3"]
    return pages


def write(folder: str, pages: Dict[str, List[str]]) -> None:
    """Write the pages, named `NAME.SECTION`, after emptying the folder."""
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    for name, lines in pages.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


def read(path: str) -> str:
    """Return the text of a file."""
    with open(path, encoding="utf-8") as file:
        return file.read()


def main(arguments: List[str]) -> None:
    """Write all pages."""
    if len(arguments) < 7:
        sys.exit(__doc__)
    header, typed, types = [read(path) for path in arguments[:3]]
    fields, programs, version, folder = arguments[3:7]
    families = function_pages(header, LIBRARY) + function_pages(typed, LIBRARY)
    families += standard_pages(header, types)
    pages = library_pages(header, version, LIBRARY, families)
    pages[f"{FIELDS}.7"] = fields_text(fields, header, version)
    pages[f"{JSON}.5"] = json_text(fields, header, version)
    pages[f"{RULES}.7"] = rules_text(programs, version)
    others = {library.header: library for library in (HOST_LIBRARY, VIEW_LIBRARY)}
    for path in arguments[7:]:
        library = others[os.path.basename(path)]
        header = read(path)
        families = function_pages(header, library)
        pages.update(library_pages(header, version, library, families))
    write(folder, pages)


if __name__ == "__main__":
    main(sys.argv[1:])
