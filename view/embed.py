#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print the style and the script of pages as C strings, with the policy that allows only these:
embed.py page.css page.js"""

import base64
import hashlib
import sys


def read(path: str) -> str:
    """The contents of the file PATH, which must be safe to embed in a page."""
    with open(path, encoding="ascii") as file:
        text = file.read()
    # It would end the element that contains it.
    if "</" in text or "<!--" in text:
        sys.exit("%s: it cannot stand in a page" % path)
    return text


def source(text: str) -> str:
    """The hash of TEXT, in the notation of a policy."""
    return "'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def definition(name: str, text: str) -> str:
    """TEXT as a C variable."""
    lines = (line.replace("\\", "\\\\").replace('"', '\\"') for line in text.splitlines())
    quoted = "\n".join('    "%s\\n"' % line for line in lines)
    return "const char %s[] =\n%s;\n" % (name, quoted)


def main() -> None:
    """Write the C source."""
    style, script = read(sys.argv[1]), read(sys.argv[2])
    policy = (
        "default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'"
        % (source(style), source(script))
    )
    print("/* Made by embed.py. */\n#include <view/report/report.h>\n")
    print(definition("view_page_style", style))
    print(definition("view_page_script", script))
    print('const char view_page_policy[] = "%s";' % policy)


if __name__ == "__main__":
    main()
