# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The declarations of the public headers that Python uses: structures and functions for ctypes.

The headers must have the format of clang-format. The generated files have the functions that the
package uses, and the structs in the lists below. They have no info structs, because rows are read
with the library's own table of fields.
"""

import os
import re
from typing import Dict, List, NamedTuple, Set, Tuple

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
PACKAGE = "python/ompd_opencl"
PACKAGES = (PACKAGE, "gdb-plugin/ompd_opencl_gdb", "lldb-plugin/ompd_opencl_lldb")


class Module(NamedTuple):
    """A Python file: its headers, and the classes for C types. The classes for enumerations are in
    enumerations.py."""

    path: str
    headers: Tuple[str, ...]
    imports: str
    enumerations: Dict[str, str]
    structures: Dict[str, str]


STRUCTURES = Module(
    f"{PACKAGE}/structures.py",
    ("include/ompd-opencl-types.h", "include/ompd-opencl.h"),
    "",
    {
        "ompd_rc_t": "ReturnCode",
        "ompd_cl_permission_t": "Permission",
        "ompd_cl_log_level_t": "LogLevel",
        "ompd_cl_status_t": "Status",
        "ompd_cl_source_t": "Source",
        "ompd_cl_kind_t": "Kind",
        "ompd_cl_type_t": "Type",
    },
    {
        "ompd_address_t": "Address",
        "ompd_device_type_sizes_t": "TypeSizes",
        "ompd_cl_region_t": "Region",
        "ompd_cl_target_thread_t": "TargetThread",
        "ompd_cl_register_t": "Register",
        "ompd_cl_frame_t": "Frame",
        "ompd_cl_module_t": "Module",
        "ompd_cl_value_t": "Value",
        "ompd_cl_text_t": "Text",
        "ompd_cl_name_t": "Name",
        "ompd_cl_noun_t": "Noun",
        "ompd_cl_field_t": "Field",
        "ompd_cl_filter_t": "Filter",
        "ompd_cl_list_t": "ListNumber",
        "ompd_callbacks_t": "Callbacks",
        "ompd_cl_extra_t": "Extra",
    },
)
HOST = Module(
    f"{PACKAGE}/host_structures.py",
    ("include/ompd-opencl-host.h",),
    "from .structures import Callbacks, Extra, Region\n",
    {"ompd_host_rc_t": "HostCode"},
    {
        "ompd_host_options_t": "Options",
        "ompd_host_target_info_t": "TargetInfo",
        "ompd_host_traced_thread_t": "TracedThread",
        "ompd_host_module_t": "Module",
        "ompd_host_line_t": "Line",
        "ompd_host_place_t": "Place",
        "ompd_host_thread_t": "Thread",
    },
)
VIEW = Module(
    f"{PACKAGE}/view_structures.py",
    ("include/ompd-opencl-view.h",),
    "",
    {"ompd_view_exit_t": "Exit", "ompd_view_style_t": "Style", "ompd_view_takes_t": "Takes"},
    {
        "ompd_view_verb_t": "Verb",
        "ompd_view_line_place_t": "Line",
        "ompd_view_place_t": "Place",
        "ompd_view_use_t": "Use",
        "ompd_view_front_end_t": "FrontEnd",
    },
)
MODULES = (STRUCTURES, HOST, VIEW)

# C numbers.
NUMBERS = {
    f"{sign}int{bits}_t": f"{sign}int{bits}" for sign in ("u", "") for bits in (8, 16, 32, 64)
}
NUMBERS.update({name: name for name in ("bool", "int")})
NUMBERS.update({"size_t": "size_t", "ssize_t": "ssize_t", "pid_t": "int"})

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
NUMBER = re.compile(r"^typedef (u?int\d+_t) (\w+);", re.MULTILINE)
CONSTANT = re.compile(r"^#define (OMPD_CL_\w+) (\d+)$", re.MULTILINE)
ENUMERATION = re.compile(r"^typedef enum (\w+) \{", re.MULTILINE)
STRUCTURE = re.compile(r"^typedef struct (\w+) \{(.*?)^\}", re.DOTALL | re.MULTILINE)
CALLBACK = re.compile(r"^typedef ([^;{]*?)\(\*(\w+)\)\(([^;]*)\);", re.DOTALL | re.MULTILINE)
MEMBER = re.compile(r"([^;{}]+);")
POINTER = re.compile(r"([^(]*?)\(\*(\w+)\)\((.*)\)$", re.DOTALL)
FUNCTION = re.compile(r"^([a-z][\w ]*?[ *]+)(ompd_\w+)\(([^;{}()]*)\);", re.DOTALL | re.MULTILINE)
PLAIN = re.compile(r"(\w+)([ *]*)(\w+)?(?:\[(\w+)\])?$")


def read(path: str) -> str:
    """A file of the tree."""
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read()


class Types:
    """The C types known so far, as Python types."""

    def __init__(self, text: str, structures: Dict[str, str]) -> None:
        self.numbers = dict(NUMBERS)
        for base, name in NUMBER.findall(text):
            self.numbers[name] = NUMBERS[base]
        for name in ENUMERATION.findall(text):
            self.numbers[name] = "int"
        self.constants = dict(CONSTANT.findall(text))
        self.structures = dict(structures)
        self.callbacks: Dict[str, str] = {}

    def of(self, declaration: str, of_callback: bool = False) -> str:
        """The type of a DECLARATION: "const char *name", "uint64_t reserved[4]".

        ctypes copies a text that a callback receives or returns, so there it is an address."""
        found = PLAIN.match(re.sub(r"\b(?:const|struct)\b *", "", declaration).strip())
        assert found, declaration
        base, middle, _name, size = found.groups()
        stars = middle.count("*")
        if base in self.callbacks:
            return self.callbacks[base]
        if base == "void" and stars != 0:
            kind, stars = "ctypes.c_void_p", stars - 1
        elif base == "void":
            kind = "None"
        elif base == "char":
            is_text = not of_callback and (stars != 0 or size is None)
            kind = "ctypes.c_char_p" if is_text else "ctypes.c_void_p"
            if stars == 0:
                kind = "ctypes.c_char"
            stars = max(stars - 1, 0)
        elif base in self.numbers:
            kind = f"ctypes.c_{self.numbers[base]}"
        elif base in self.structures:
            kind = self.structures[base]
        else:
            kind, stars = "ctypes.c_void_p", stars - 1
            assert stars >= 0, declaration
        for _star in range(stars):
            kind = f"ctypes.POINTER({kind})"
        return f"{kind} * {self.constants.get(size, size)}" if size else kind


def arguments_of(types: Types, text: str, of_callback: bool) -> List[str]:
    """The types of a function's parameters."""
    declarations = [one.strip() for one in text.split(",")]
    if declarations in (["void"], [""]):
        return []
    found = []
    for number, declaration in enumerate(declarations):
        # A text followed by its size has no terminator; a text without size belongs to the caller.
        following = declarations[number + 1] if number + 1 < len(declarations) else ""
        is_sized = of_callback and following.startswith("size_t ")
        is_out = of_callback and declaration.count("*") == 2
        found.append(types.of(declaration, is_sized or is_out))
    return found


def lines_of(opening: str, items: List[str], closing: str) -> str:
    """A call or a list with an item on each line."""
    return opening + "\n" + "".join(f"    {item},\n" for item in items) + closing


def callback(name: str, types: Types, result: str, arguments: str) -> str:
    """The type of a function that is passed to C."""
    items = [types.of(result.strip(), True), *arguments_of(types, arguments, True)]
    return f"\n{name} = " + lines_of("ctypes.CFUNCTYPE(", items, ")\n")


def camel(name: str) -> str:
    """AllocMemoryFunction for alloc_memory."""
    return "".join(word.capitalize() for word in name.split("_")) + "Function"


def structure(
    name: str, c_name: str, body: str, types: Types, typedefs: Dict[str, Tuple[str, str]]
) -> str:
    """A class for a struct, after those of the functions that it points to."""
    before = ""
    fields = []
    for member in MEMBER.findall(body):
        pointer = POINTER.match(member.strip())
        if pointer:
            result, member_name, arguments = pointer.groups()
            kind = camel(member_name)
            before += callback(kind, types, result, arguments)
        else:
            member_name = re.findall(r"(\w+)(?:\[\w+\])?$", member)[-1]
            base = member.split()[0]
            if base in typedefs and base not in types.callbacks:
                types.callbacks[base] = camel(member_name)
                before += callback(camel(member_name), types, *typedefs[base])
            kind = types.of(member)
        fields.append(f'        ("{member_name}", {kind}),\n')
    return (
        (f"\n{before}" if before else "")
        + f'\n\nclass {name}(ctypes.Structure):\n    """{c_name}"""\n\n'
        + "    _fields_ = [\n"
        + "".join(fields)
        + "    ]\n"
    )


def named_functions() -> Set[str]:
    """The functions that the package and the plugins use."""
    names: Set[str] = set()
    for folder in PACKAGES:
        for entry in sorted(os.listdir(os.path.join(SOURCE, folder))):
            path = f"{folder}/{entry}"
            if entry.endswith(".py") and path not in [module.path for module in MODULES]:
                names.update(re.findall(r'"(ompd_\w+)"', read(path)))
    return names


def prototype(name: str, types: Types, result: str, arguments: str) -> str:
    """A function's result and arguments."""
    items = "".join(f"            {item},\n" for item in arguments_of(types, arguments, False))
    listed = f"[\n{items}        ]" if items else "[]"
    return f'    "{name}": (\n        {types.of(result)},\n        {listed},\n    ),\n'


HEAD = '''# {spdx}
"""What Python uses of {headers}.

schema/generate.py has written it from there.
"""

from __future__ import annotations

import ctypes
import enum
from typing import Any, Dict, List, Tuple
from typing import Type as PythonType

{imports}'''


def python_structures(module: Module) -> str:
    """The text of a file."""
    own = "\n".join(COMMENT.sub("", read(path)) for path in module.headers)
    everything = "\n".join(COMMENT.sub("", read(path)) for path in STRUCTURES.headers) + own
    types = Types(everything, {} if module is STRUCTURES else STRUCTURES.structures)
    typedefs = {name: (result, arguments) for result, name, arguments in CALLBACK.findall(own)}
    structures = dict(STRUCTURE.findall(own))
    imports = "".join(
        f"from .enumerations import {name} as {name}\n"
        for name in sorted(module.enumerations.values())
    )
    imports += module.imports
    headers = " and ".join(f"<{os.path.basename(path)}>" for path in module.headers)
    text = HEAD.format(spdx=SPDX, headers=headers, imports=imports)
    if module is STRUCTURES:
        text += "\n# Of the header that this package follows.\n"
        for name in ("VERSION_MAJOR", "TEXT_SIZE"):
            text += f"{name} = {types.constants['OMPD_CL_' + name]}\n"
    for c_name, name in module.structures.items():
        text += structure(name, c_name, structures[c_name], types, typedefs)
        types.structures[c_name] = name
    wanted = named_functions()
    text += "\n\n# What a function returns, and what it is given.\n"
    text += "PROTOTYPES: Dict[str, Tuple[Any, List[Any]]] = {\n"
    for result, name, arguments in FUNCTION.findall(own):
        if name in wanted:
            text += prototype(name, types, result, arguments)
    text += (
        "}\n\n# By their names in C: numbers, with what each name begins with there, and types.\n"
    )
    text += "ENUMS: Dict[str, Tuple[str, PythonType[enum.IntEnum]]] = {\n"
    for c_name, name in module.enumerations.items():
        text += f'    "{c_name}": ("{c_name[:-1]}", {name}),\n'
    text += "}\nSTRUCTURES: Dict[str, PythonType[ctypes.Structure]] = {\n"
    for c_name, name in module.structures.items():
        text += f'    "{c_name}": {name},\n'
    return text + "}\n"
