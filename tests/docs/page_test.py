"""Runs everything that a page of the documents shows as code, in the order of the page.

  console   each command after "$" is run by bash, and what it prints is compared with the page ("..." leaves lines out)
  sh        each command is run
  python    is run by this interpreter
  toml      is a file of the page's folder, or is put into the file named before it (<!-- into: PATH -->) and checked
  cpp       is compiled elsewhere: in examples, in tests, or in a header that the page's commands have written
  cmake     is what tests/install_test.py builds
  text, ebnf, matlab   are read only

Commands run in a scratch folder with the models, plans, scenarios, studies and terrains of the tree and copies of the files in the folder
that is named like the page (docs/manual/first-car for docs/manual/first-car.md).

usage: page_test.py PAGE PATH_OF_CAMBER FOLDER_OF_EXAMPLES [unittest arguments]
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest

import console

ROOT = pathlib.Path.cwd()
PAGE = pathlib.Path()
PROGRAMS = []
READ_ONLY = {"text", "ebnf", "matlab"}
# Builds and installations: .ci and tests/install_test.py run them.
BUILDS = ("make", "cmake", "export PKG_CONFIG_PATH", "c++", "/tmp/examples/")
BLOCK = re.compile(r"(?:<!-- into: (\S+) -->\n\n?)?^```([\w+]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ERROR = re.compile(r"(\S+:\d+:\d+: |--set |camber: )")


def squeeze(text):
    """The lines of some code without comments and spaces."""
    lines = (re.sub(r"\s+", "", line.split("//")[0]).rstrip(";") for line in text.splitlines())
    return [line for line in lines if line]


def merge(base, part):
    """The tables of `part` put into those of `base`. Arrays of tables are appended to; one that has the name of another
    takes its place."""
    for key, value in part.items():
        if isinstance(value, dict) and isinstance(base.get(key), dict):
            merge(base[key], value)
        elif isinstance(value, list) and value and isinstance(value[0], dict) and isinstance(base.get(key), list):
            names = {item["name"] for item in value if "name" in item}
            base[key] = [item for item in base[key] if item.get("name") not in names] + value
        else:
            base[key] = value


def to_toml(value):
    """A value as inline TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}" = {to_toml(item)}' for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(to_toml, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    return repr(value)


class Page(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("cities", "models", "plans", "scenarios", "scenes", "studies", "terrains"):
            shutil.copytree(ROOT / name, self.folder / name)
        files = PAGE.with_suffix("")
        if files.is_dir():
            shutil.copytree(files, self.folder, dirs_exist_ok=True)
        self.environment = dict(os.environ, PATH=os.pathsep.join([*PROGRAMS, os.environ["PATH"]]))

    def run_command(self, command):
        return subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, timeout=240)

    def check_console(self, block):
        commands = []
        for line in block.splitlines():
            if line.startswith("$ "):
                commands.append((line[2:], []))
            else:
                commands[-1][1].append(line)
        for command, shown in commands:
            if command.startswith(BUILDS):
                continue
            is_error = any(ERROR.match(line) for line in shown)
            result = self.run_command(command)
            self.assertIn(result.returncode, (1, 2) if is_error else (0,), command + "\n" + result.stderr)
            if shown:
                printed = (result.stderr if is_error else result.stdout).splitlines()
                difference = console.find_difference(shown, printed)
                self.assertIsNone(difference, f"{command}\n{difference}")

    def check_sh(self, block):
        for command in block.splitlines():
            if not command.startswith(BUILDS):
                result = self.run_command(command)
                expected = 1 if command.endswith("# exit status 1") else 0
                self.assertEqual(result.returncode, expected, command + "\n" + result.stderr)

    def check_python(self, block):
        result = subprocess.run([sys.executable, "-c", block], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, block + result.stderr)

    def check_toml(self, block, into):
        if into is None:
            files = [*self.folder.glob("*.toml"), *self.folder.glob("*/*.toml")]
            self.assertTrue(any(block in file.read_text(encoding="utf-8") for file in files),
                            f"in no file, and no <!-- into: PATH --> says where it belongs:\n{block}")
            return
        base = self.folder / into
        whole = tomllib.loads(base.read_text(encoding="utf-8"))
        merge(whole, tomllib.loads(block))
        file = base.with_name("with-block.toml")
        file.write_text("".join(f'"{key}" = {to_toml(value)}\n' for key, value in whole.items()), encoding="utf-8")
        result = self.run_command(f"camber check {file.relative_to(self.folder)}")
        self.assertEqual(result.returncode, 0, f"{block}in {into}:\n{result.stderr}")
        file.unlink()

    def check_compiled(self, block, pattern):
        lines = squeeze(block)
        self.assertTrue(lines)
        for file in [*ROOT.glob(pattern), *self.folder.glob("*.h")]:
            text = "".join(squeeze(file.read_text(encoding="utf-8")))
            if all(line in text for line in lines):
                return
        self.fail(f"in no compiled file:\n{block}")

    def test_code_is_run(self):
        for into, language, block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
            with self.subTest(language=language, block=block.partition("\n")[0]):
                if language == "console":
                    self.check_console(block)
                elif language == "sh":
                    self.check_sh(block)
                elif language == "python":
                    self.check_python(block)
                elif language == "toml":
                    self.check_toml(block, into or None)
                elif language in ("cpp", "c++"):
                    self.check_compiled(block, "[et]*/**/*.cc")
                elif language == "c":
                    pass  # what an example prints: docs_test compares it
                elif language == "cmake":
                    self.check_compiled(block, "tests/docs/*/CMakeLists.txt")
                else:
                    self.assertIn(language, READ_ONLY, f"say what this block is:\n{block}")


if __name__ == "__main__":
    PAGE = pathlib.Path(sys.argv.pop(1)).resolve()
    PROGRAMS = [os.path.dirname(os.path.abspath(sys.argv.pop(1))), os.path.abspath(sys.argv.pop(1))]
    unittest.main()
