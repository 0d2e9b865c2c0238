#!/usr/bin/env python3
"""Puts files into the pages of the manual that show them, and checks links between documents.

A comment <!-- file: PATH --> stands before a code block that shows the whole of PATH, which is relative to the root.

usage: update_manual.py ROOT          fills the blocks
       update_manual.py ROOT --check  exits with 1 if a block is not its file, or a link leads to no file or heading
"""

import argparse
import pathlib
import re
import sys

BLOCK = re.compile(r"(<!-- file: (\S+) -->\n\n?```\w+\n)(.*?)(^```$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)


def list_documents(root):
    return sorted([*root.glob("*.md"), *root.glob("docs/**/*.md")])


def fill(root, text):
    """The page with every block as its file is."""
    return BLOCK.sub(lambda m: m[1] + (root / m[2]).read_text(encoding="utf-8") + m[4], text)


def anchors(text):
    """The anchors of a document's headings, as the usual viewers make them."""
    names = set()
    for heading in HEADING.findall(CODE.sub("", text)):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        names.add(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"))
    return names


def find_broken_links(document, text):
    for link in LINK.findall(CODE.sub("", text)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = document.parent / path if path else document
        if not target.exists():
            yield f"{document}: {link} leads to no file"
        elif anchor and target.suffix == ".md" and anchor not in anchors(target.read_text(encoding="utf-8")):
            yield f"{document}: {link} leads to no heading"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    problems, shown = [], 0
    for document in list_documents(arguments.root):
        text = document.read_text(encoding="utf-8")
        shown += len(BLOCK.findall(text))
        filled = fill(arguments.root, text)
        if not arguments.check:
            document.write_text(filled, encoding="utf-8")
        else:
            if filled != text:
                problems.append(f"{document}: a block is not its file; run tools/update_manual.py .")
            problems += find_broken_links(document, text)
    if arguments.check and shown == 0:
        problems.append("no document shows a file: has the comment before the blocks changed?")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
