#!/usr/bin/env python3
"""clang-tidy over every source that a build compiles, generated ones and header checks aside.

What was found clean is not read again until it changes: a stamp in BUILD/tidy is named by a hash of the source,
all headers of this project that it includes, its compiler command, .clang-tidy and clang-tidy's version. Headers of
other packages are not part of the hash; `rm -r BUILD/tidy` starts anew.

Sources of one folder with one compiler command are read together, as one text: most of the time goes into headers that
they share (Eigen, the standard library). Where such a text does not compile, names meeting that should not, its halves
are read, down to single sources. Sources with findings are read again by themselves: what is printed is always said of
a source alone.

The static analyzer (clang-analyzer-*) takes two thirds of the time; it runs with --analyze only.

usage: run_tidy.py BUILD [--analyze] [--jobs N] [FILE...]
Prints the findings and exits with 1 if there are any, with 2 if there is nothing to check.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

CHECKED_FOLDERS = ("camber", "apps", "bench", "tests", "examples")
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
# clang does not know all of gcc's warnings; those are gcc's to report.
EXTRA = "--extra-arg=-Wno-unknown-warning-option"
# Flags that clang takes for mistakes, and g++'s precompiled header.
GCC_ONLY = re.compile(r" -fno-code-hoisting\b| -fpch-preprocess\b| -Winvalid-pch\b| -include \S+/cmake_pch\.hxx\b")
ANY_INCLUDE = re.compile(rb'^#include ([<"][^>"]+[>"])')
FINDING = re.compile(r"^(\S+?):(\d+):\d+: (?:error|warning): ")
NOISE = re.compile(r"^\d+ warnings? .*generated\.$|^$")
TOGETHER = 8  # sources at most; more meet each other's names too often


class Sources:
    """The project's files, and what each includes of the others."""

    def __init__(self, root):
        self.root = root
        self.contents = {}  # path -> (digest, included paths)

    def read(self, path):
        if path not in self.contents:
            data = path.read_bytes()
            included = []
            for name in INCLUDE.findall(data):
                for base in (self.root, path.parent):
                    candidate = base / name.decode()
                    if candidate.is_file():
                        included.append(candidate.resolve())
                        break
            self.contents[path] = (hashlib.sha256(data).hexdigest(), included)
        return self.contents[path]

    def closure(self, path):
        """The file and all that it includes, directly or not."""
        found, waiting = set(), [path]
        while waiting:
            file = waiting.pop()
            if file not in found:
                found.add(file)
                waiting += self.read(file)[1]
        return sorted(found)


def list_commands(root, build):
    """Source -> compiler command, for the sources of the checked folders; BUILD/tidy gets the commands as clang
    understands them."""
    commands = {}
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    for entry in entries:
        entry["command"] = GCC_ONLY.sub("", entry["command"])
    (build / "tidy").mkdir(exist_ok=True)
    (build / "tidy" / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
    for entry in entries:
        file = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if file.is_relative_to(root) and file.relative_to(root).parts[0] in CHECKED_FOLDERS:
            commands[file] = entry["command"]
    return commands


def make_key(sources, file, command, settings):
    key = hashlib.sha256(settings)
    key.update(command.encode())
    for part in sources.closure(file):
        key.update(f"{part.relative_to(sources.root)} {sources.read(part)[0]}\n".encode())
    return key.hexdigest()


def make_flags(command, file):
    """What the command says beside the compiler, the source and the object."""
    words = shlex.split(command)[1:]
    flags, skip = [], False
    for word in words:
        if skip or word in ("-o", "-c") or word == str(file):
            skip = word == "-o" and not skip
            continue
        flags.append(word)
    return tuple(flags)


def make_batches(waiting, commands):
    """Lists of sources that may be read together."""
    alike = {}
    for file in waiting:
        alike.setdefault((file.parent, make_flags(commands[file], file)), []).append(file)
    return [(files[i:i + TOGETHER], list(flags)) for (_, flags), files in alike.items()
            for i in range(0, len(files), TOGETHER)]


def run(options, file, arguments):
    """The exit status of clang-tidy and what it has to say."""
    tidy = subprocess.run(["clang-tidy", "--quiet", EXTRA, *options, *arguments[0], file, *arguments[1]],
                          capture_output=True, text=True, check=False)
    lines = [line for line in (tidy.stdout + tidy.stderr).splitlines() if not NOISE.match(line)]
    return tidy.returncode, lines


def join(files):
    """All sources as one text, and the source that each line is of. What another source has included is not included
    again, but an include that is twice in one source still is."""
    lines, owners, included = [], [], set()
    for file in files:
        own = set()
        for line in file.read_bytes().splitlines():
            match = ANY_INCLUDE.match(line)
            lines.append(b"" if match and match[1] in included - own else line)
            owners.append(file)
            if match:
                own.add(match[1])
        included |= own
    return b"\n".join(lines) + b"\n", owners


def check(options, build, files, flags):
    """(source, exit status, lines) of each."""
    if len(files) == 1:
        return [(files[0], *run(options, files[0], (["-p", build / "tidy"], [])))]
    # It lies beside the settings, which clang-tidy looks for in the folders above. A copy rather than includes: some
    # checks speak of the main file alone.
    text, owners = join(files)
    with tempfile.NamedTemporaryFile("wb", suffix=".cc", dir=build / "tidy") as together:
        together.write(text)
        together.flush()
        compiles = subprocess.run(["clang++", "-fsyntax-only", "-w", *flags, together.name],
                                  capture_output=True, check=False).returncode == 0
        status, lines = run(options, together.name, ([], ["--", *flags])) if compiles else (1, [])
    if status == 0 and not lines:
        return [(file, 0, []) for file in files]
    suspects = set()
    for line in lines:
        place = FINDING.match(line)
        if place and place[1] == together.name:
            suspects.add(owners[int(place[2]) - 1])
        elif place:  # in a header: whose it is only halves can tell
            suspects.clear()
            break
    if suspects:
        return [result for file in files
                for result in (check(options, build, [file], flags) if file in suspects else [(file, 0, [])])]
    half = len(files) // 2
    return check(options, build, files[:half], flags) + check(options, build, files[half:], flags)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="only these")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--analyze", action="store_true", help="with the static analyzer")
    arguments = parser.parse_intermixed_args()

    root = pathlib.Path(__file__).resolve().parent.parent
    build = arguments.build.resolve()
    commands = list_commands(root, build)
    wanted = [file.resolve() for file in arguments.files] or sorted(commands)
    for file in wanted:
        if file not in commands:
            sys.exit(f"run_tidy.py: {file} is not compiled by {build}")
    if not wanted:
        print(f"run_tidy.py: {build} compiles nothing of {', '.join(CHECKED_FOLDERS)}", file=sys.stderr)
        return 2

    options = [] if arguments.analyze else ["--checks=-clang-analyzer-*"]
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    settings = version + (root / ".clang-tidy").read_bytes() + " ".join(options).encode()
    sources = Sources(root)
    stamps = build / "tidy" / ("analyze" if arguments.analyze else "check")
    stamps.mkdir(parents=True, exist_ok=True)
    keys = {file: make_key(sources, file, commands[file], settings) for file in wanted}
    if not arguments.files:  # stamps of sources that no longer exist
        for stamp in stamps.iterdir():
            if stamp.name not in keys.values():
                stamp.unlink()
    waiting = [file for file in wanted if not (stamps / keys[file]).exists()]

    failed = done = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        batches = [pool.submit(check, options, build, *batch) for batch in make_batches(waiting, commands)]
        for finished in concurrent.futures.as_completed(batches):
            for file, status, lines in finished.result():
                done += 1
                if status == 0 and not lines:
                    (stamps / keys[file]).touch()
                else:
                    failed += 1
                    print(f"{file.relative_to(root)}:", *lines, sep="\n", flush=True)
            if sys.stderr.isatty():
                print(f"\r[{done}/{len(waiting)}]", end="", file=sys.stderr, flush=True)
    print(f"clang-tidy: {len(wanted)} sources, {len(waiting)} read now, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
