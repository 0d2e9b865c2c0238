#!/usr/bin/env python3
"""Checks that includes follow the order of the modules.

The root CMakeLists.txt lists the modules camber/<module> in their order; each module's CMakeLists.txt
names its neighbors in `target_link_libraries(camber_<module> ... camber::<neighbor>)`. Then

  - a neighbor must come earlier in the list than the module that names it,
  - a file of a module includes only that module, its neighbors, and theirs,
  - a header is included by its address, "camber/<module>/...", and the library includes nothing of
    apps/, bench/ or tests/, and of generated/ only where it names camber::generated_code,
  - x.cc includes x.h, if there is one, before anything else,
  - a header includes, by itself or through other headers of the library, the standard headers of the
    names std::... that it uses. (The build compiles each header alone, but with the standard library
    precompiled, so it would not notice.)

usage: check_includes.py ROOT [--stamp FILE]
Prints file:line: message for each violation and exits with 1 if there is one.
"""

import argparse
import pathlib
import re
import sys

SOURCE_SUFFIXES = {".h", ".cc"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.MULTILINE)
GENERATED = "generated_code"  # the library of generated/, no module
UMBRELLA = "camber.h"  # camber/camber.h, for users: it may include every module
# Raw strings and comments may quote code of others; their line ends are kept.
NOT_CODE = re.compile(r'R"([^()\\ \n]*)\(.*?\)\1"|/\*.*?\*/', re.DOTALL)


# Standard headers of the names that headers use most.
STANDARD_HEADERS = {
    "algorithm": "clamp max min",
    "array": "array",
    "atomic": "atomic",
    "chrono": "chrono",
    "cmath": "abs isfinite sqrt",
    "complex": "complex",
    "cstdint": "int32_t int64_t uint16_t uint32_t uint64_t uint8_t",
    "deque": "deque",
    "exception": "exception",
    "filesystem": "filesystem",
    "functional": "function",
    "initializer_list": "initializer_list",
    "limits": "numeric_limits",
    "map": "map",
    "memory": "shared_ptr unique_ptr weak_ptr",
    "mutex": "mutex",
    "numbers": "numbers",
    "optional": "nullopt optional",
    "set": "set",
    "span": "span",
    "stdexcept": "invalid_argument runtime_error",
    "string": "string",
    "string_view": "string_view",
    "thread": "thread",
    "tuple": "tuple",
    "type_traits": "is_same_v",
    "unordered_map": "unordered_map",
    "unordered_set": "unordered_set",
    "utility": "move pair",
    "variant": "variant",
    "vector": "vector",
}
STANDARD_HEADER_OF = {name: header for header, names in STANDARD_HEADERS.items() for name in names.split()}


def strip_comments(cmake):
    return re.sub(r"#[^\n]*", "", cmake)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def list_modules(root):
    """The modules in their order, as the root lists them."""
    text = strip_comments((root / "CMakeLists.txt").read_text(encoding="utf-8"))
    return list(dict.fromkeys(re.findall(r"\bcamber/(\w+)\b", text)))


def read_neighbors(root, module):
    """Pairs (neighbor, line) of the module's CMakeLists.txt."""
    path = root / "camber" / module / "CMakeLists.txt"
    if not path.exists():
        return []
    text = strip_comments(path.read_text(encoding="utf-8"))
    pairs = []
    for link in re.finditer(rf"target_link_libraries\s*\(\s*camber_{module}\b([^)]*)\)", text):
        for name in re.finditer(r"\bcamber::(\w+)", link.group(1)):
            pairs.append((name.group(1), line_of(text, link.start(1) + name.start())))
    return pairs


def check_neighbors(modules, neighbors):
    for module in modules:
        for neighbor, line in neighbors[module]:
            where = f"camber/{module}/CMakeLists.txt:{line}"
            if neighbor == GENERATED:
                continue
            if neighbor not in modules:
                yield f"{where}: no module camber/{neighbor} in the root CMakeLists.txt"
            elif modules.index(neighbor) >= modules.index(module):
                yield f"{where}: {module} must not need {neighbor}, which comes later in the order"


def reachable_modules(modules, neighbors):
    """For each module itself, its neighbors, theirs and so on. Walks in order, so one pass is enough."""
    reachable = {}
    for module in modules:
        reachable[module] = {module}
        for neighbor, _ in neighbors[module]:
            reachable[module] |= reachable.get(neighbor, {neighbor})
    return reachable


def check_file(root, path, module, allowed, modules):
    text = path.read_text(encoding="utf-8")
    code = NOT_CODE.sub(lambda match: "\n" * match.group(0).count("\n"), text)
    own_header = path.with_suffix(".h")
    first = INCLUDE.search(code)
    if path.suffix == ".cc" and own_header.exists() and (not first or first.group(2) != own_header.relative_to(root).as_posix()):
        yield f'{path.relative_to(root)}:1: must include its own header first, "{own_header.relative_to(root).as_posix()}"'
    for include in INCLUDE.finditer(code):
        quote, target = include.groups()
        where = f"{path.relative_to(root)}:{line_of(code, include.start(1))}"
        parts = target.split("/")
        if parts[0] != "camber" or len(parts) < 3:
            if quote == '"' and not (parts[0] == "generated" and GENERATED in allowed):
                yield f'{where}: include by address, "camber/<module>/...", not "{target}"'
        elif parts[1] not in modules:
            yield f"{where}: no module camber/{parts[1]} in the root CMakeLists.txt"
        elif parts[1] not in allowed:
            later = modules.index(parts[1]) > modules.index(module)
            reason = "which comes later in the order" if later else "which it does not name as a neighbor"
            yield f"{where}: {module} includes {parts[1]}, {reason}"


def check_standard_headers(root):
    """Names std::... in headers of the library whose standard headers no include brings."""
    texts = {}
    for path in sorted((root / "camber").rglob("*.h")):
        code = NOT_CODE.sub(lambda match: "\n" * match.group(0).count("\n"), path.read_text(encoding="utf-8"))
        texts[path.relative_to(root).as_posix()] = re.sub(r"//[^\n]*", "", code)
    includes = {address: [target for _, target in INCLUDE.findall(text)] for address, text in texts.items()}

    def find_all(address, seen):
        for target in includes.get(address, []):
            if target not in seen:
                seen.add(target)
                find_all(target, seen)
        return seen

    for address, text in texts.items():
        if "/test/" in address:
            continue
        found = find_all(address, set())
        for name in sorted(set(re.findall(r"\bstd::(\w+)", text))):
            header = STANDARD_HEADER_OF.get(name)
            if header and header not in found:
                line = line_of(text, re.search(rf"\bstd::{name}\b", text).start())
                yield f"{address}:{line}: uses std::{name} without #include <{header}>"


def check_tree(root):
    yield from check_standard_headers(root)
    modules = list_modules(root)
    neighbors = {module: read_neighbors(root, module) for module in modules}
    yield from check_neighbors(modules, neighbors)
    reachable = reachable_modules(modules, neighbors)
    for path in sorted((root / "camber").rglob("*")):
        if path.suffix not in SOURCE_SUFFIXES:
            continue
        module = path.relative_to(root / "camber").parts[0]
        if module == UMBRELLA:
            yield from check_file(root, path, modules[-1], set(modules), modules)
        elif module not in modules:
            yield f"{path.relative_to(root)}:1: no module camber/{module} in the root CMakeLists.txt"
        else:
            yield from check_file(root, path, module, reachable[module], modules)


def main():
    parser = argparse.ArgumentParser(description="Checks that includes follow the order of the modules.")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--stamp", type=pathlib.Path, help="file to touch when all is well")
    arguments = parser.parse_args()
    violations = list(check_tree(arguments.root))
    for violation in violations:
        print(violation, file=sys.stderr)
    if violations:
        return 1
    if arguments.stamp:
        arguments.stamp.touch()
    return 0


if __name__ == "__main__":
    sys.exit(main())
