#!/usr/bin/env python3
"""Puts the example and the code that it prints into README.md.

    tools/update_readme.py build/release/examples/double_pendulum

tests/docs_test.cc fails while README.md shows something else.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def replace_block(text, language, code):
    """The document with the only block of this language holding `code`."""
    pattern = re.compile(rf"^```{language}\n.*?^```$", re.MULTILINE | re.DOTALL)
    block = f"```{language}\n{code.rstrip()}\n```"
    text, count = pattern.subn(lambda _: block, text)
    if count != 1:
        sys.exit(f"README.md has {count} blocks of {language}, not one")
    return text


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    source = (ROOT / "examples/double_pendulum.cc").read_text()
    printed = subprocess.run([sys.argv[1]], capture_output=True, text=True, check=True).stdout
    readme = ROOT / "README.md"
    text = readme.read_text()
    text = replace_block(text, "cpp", source[source.index("int main()"):])
    # The body of the function: the head is a table of its arguments, the sines follow behind it.
    body = printed[printed.index("\n{\n", printed.index("int double_pendulum")) + 3:]
    text = replace_block(text, "c", body[:body.index("\n}\n") + 3])
    operations = re.search(r"^// (\d+) operations", printed, re.MULTILINE).group(1)
    text, count = re.subn(r"a C function of \d+ operations", f"a C function of {operations} operations", text)
    if count != 1:
        sys.exit("README.md does not say how many operations the example has")
    readme.write_text(text)


main()
