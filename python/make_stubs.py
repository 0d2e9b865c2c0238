#!/usr/bin/env python3
"""Makes the stubs of camber._core: stubgen's, with the types that it cannot see put in.

usage: PYTHONPATH=build/dev/python /usr/bin/python3 python/make_stubs.py [FOLDER]
Writes to python/camber/_core, or to FOLDER. A test compares what is committed with what this makes.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HEAD = '# Made by python/make_stubs.py: do not edit.\n'
NUMBER = "Expr | float"
ARRAY = "numpy.typing.NDArray"

# Members of a type of Python's own have no types that stubgen could see.
VIEW = "class View:\n" + "".join(f"    @property\n    def {name}(self) -> float: ...\n" for name in (
    "time", "x", "y", "z", "yaw", "roll", "pitch", "speed", "lateral_speed", "yaw_rate", "acceleration", "steer", "grade"))

# (pattern, replacement) for all stubs, in this order.
RULES = [
    # What callers hand over is anything that NumPy takes for an array.
    (r"(\w+: )numpy\.ndarray\[numpy\.float64\]", r"\1numpy.typing.ArrayLike"),
    (r"numpy\.ndarray\[numpy\.(\w+)\]", ARRAY + r"[numpy.\1]"),
    (r"-> numpy\.ndarray:", f"-> {ARRAY}[numpy.float64]:"),
    (r"\bList\[", "list["), (r"\bTuple\[", "tuple["), (r"\bDict\[", "dict["),
    (r"-> dict:", "-> dict[str, Any]:"), (r": dict\b(?!\[)", ": dict[Any, Any]"), (r"-> list:", "-> list[Any]:"),
    (r"-> tuple:", "-> tuple[Any, ...]:"), (r"arg0: tuple\)", "arg0: tuple[Any, ...])"),
    (r"def __init__\(self, \*args, \*\*kwargs\) -> None: \.\.\.", "def __init__(self, *args: Any, **kwargs: Any) -> None: ..."),
    (r"camber\._core\.symbolic\.Expr", "Expr"), (r"camber\._core\.", ""),
    (r"def __eq__\(self, arg0: \w+\) -> \w+:", "def __eq__(self, arg0: object) -> bool:"),
    (r"def __ne__\(self, arg0: \w+\) -> \w+:", "def __ne__(self, arg0: object) -> bool:"),
    (r"    __hash__: ClassVar\[None\] = \.\.\.\n", "    __hash__: ClassVar[None] = ...  # type: ignore[assignment]\n"),
    (r"cache: PartsCache = ", "cache: PartsCache | None = "), (r"parts: FreshParts = ", "parts: FreshParts | None = "),
]
# Of single files.
OWN_RULES = {
    "symbolic.pyi": [
        (r"def __(l[te]|g[te])__\(self, arg0: object\) -> object:", rf"def __\1__(self, arg0: {NUMBER}) -> Condition:"),
        (r"def (__r?(?:add|sub|mul|truediv|pow)__)\(self, arg0: object\) -> object:",
         rf"def \1(self, arg0: {NUMBER}) -> Expr:"),
        (r": Iterable\b(?!\[)", f": Iterable[{NUMBER}]"), (r"time: object", f"time: {NUMBER} | None"),
        (r"(\w+): object\b(?!\) -> bool)", rf"\1: {NUMBER}"),
        (r"values: dict\[Any, Any\]", "values: Mapping[Any, Any]"), (r"motion: dict\[Any, Any\]", "motion: Mapping[Any, Any]"),
    ],
    "lagrange.pyi": [
        (r": Iterable\b(?!\[)", f": Iterable[{NUMBER}]"), (r"(\w+): object\b(?!\) -> bool)", rf"\1: {NUMBER}"),
        (r"def __(r?)mul__\(self, arg0: [^)]*\) -> object:", rf"def __\1mul__(self, arg0: {NUMBER}) -> Vector:"),
        (r"-> RunData:", "-> Any:"), (r"def modes\((.*)\) -> tuple\[Any, \.\.\.\]:", r"def modes(\1) -> tuple[str, str, str]:"),
    ],
    "__init__.pyi": [
        (r"def step\(self, \*args, \*\*kwargs\) -> Any: \.\.\.",
         "def step(self, dt: float, *, steer: float | None = ..., throttle: float | None = ..., brake: float | None = ..., "
         "parking_brake: float | None = ..., selector: int | None = ..., gear: int | None = ..., vehicle: int = ...) -> None: ..."),
        (r"def actuate\(self, \*args, \*\*kwargs\) -> Any: \.\.\.",
         "def actuate(self, *, brake_pressure: Sequence[float] | None = ..., wheel_torque: Sequence[float] | None = ..., "
         "gear: int = ..., lock: float = ..., steer: float = ..., max_throttle: float = ..., vehicle: int = ...) -> None: ..."),
        (r"class View:\n(?:    .*\n)+", VIEW), (r"    view: (?:Any|Incomplete)\n", "    @property\n    def view(self) -> View: ...\n"),
        (r"def view_of\(self, vehicle: int\) -> object:", "def view_of(self, vehicle: int) -> View:"),
        (r"def make_view\((.*)\) -> object:", r"def make_view(\1) -> View:"),
        (r"progress: Callable\[\[int,int,str\],None\]", "progress: Callable[[int, int, str], object] | None"),
        (r"columns: list\[tuple\[str,.*?\]\]\]", "columns: Sequence[tuple[str, numpy.typing.ArrayLike]]"),
        (r"def (failed)\(self\) -> object:", rf"def \1(self) -> {ARRAY}[numpy.bool_]:"),
        (r"def figures\(self\) -> dict\[str, Any\]:", f"def figures(self) -> dict[str, {ARRAY}[numpy.float64]]:"),
        (r"def (mean_of|quantile_of|wilson)\((.*)\) -> tuple\[Any, \.\.\.\]:", r"def \1(\2) -> tuple[float, float, float]:"),
        (r"def sample\((.*)\) -> tuple\[Any, \.\.\.\]:", r"def sample(\1) -> tuple[str, list[str]]:"),
        (r"def curve\((.*)\) -> tuple\[Any, \.\.\.\]:",
         rf"def curve(\1) -> tuple[{ARRAY}[numpy.float64], {ARRAY}[numpy.float32], str]:"),
        (r"def planned_values\((.*)\) -> tuple\[Any, \.\.\.\]:",
         rf"def planned_values(\1) -> tuple[list[str], {ARRAY}[numpy.float64]]:"),
        (r"controller: object = ", "controller: Callable[[View, float], Command | Sequence[float] | None] | None = "),
        (r"(steer|throttle|brake): object = ", r"\1: numpy.typing.ArrayLike | None = "),
        (r"def done\(self\) -> object:", f"def done(self) -> {ARRAY}[numpy.bool_]:"),
        (r"def sensor_sample\(self, name: str\) -> object:", "def sensor_sample(self, name: str) -> SensorSample | None:"),
        (r"def points\(self\) -> \S+:", f"def points(self) -> {ARRAY}[numpy.float32]:"),
        (r"def (image|right)\(self\) -> \S+:", rf"def \1(self) -> {ARRAY}[numpy.uint8]:"),
        (r"def depth\(self\) -> \S+:", f"def depth(self) -> {ARRAY}[numpy.float32]:"),
        (r"def labels\(self\) -> \S+:", f"def labels(self) -> {ARRAY}[numpy.int32]:"),
        (r"def (run_rig|run_modes|derive)\((.*)\) -> tuple\[Any, \.\.\.\]:", r"def \1(\2) -> tuple[str, str, str]:"),
        (r"def generate\((.*)\) -> tuple\[Any, \.\.\.\]:", r"def generate(\1) -> tuple[str, int]:"),
        (r"def run_command\((.*)\) -> tuple\[Any, \.\.\.\]:", r"def run_command(\1) -> tuple[int, str, str]:"),
        (r"def run_model\((.*)\) -> tuple\[Any, \.\.\.\]:", r"def run_model(\1) -> tuple[RunData, list[str]]:"),
        (r"def project\((.*)\) -> tuple\[Any, \.\.\.\]:",
         rf"def project(\1) -> tuple[{ARRAY}[numpy.float64], {ARRAY}[numpy.float64]]:"),
        (r"def member_status\((.*)\) -> tuple\[Any, \.\.\.\]:", r"def member_status(\1) -> tuple[str, str, str]:"),
    ],
}
IMPORTS = {
    "__init__.pyi": "from typing import Any, Callable, ClassVar, Optional, Sequence\n\nimport numpy\nimport numpy.typing\n\n"
                    "from camber._core import lagrange as lagrange, symbolic as symbolic\n\n__version__: str\n",
    "symbolic.pyi": "from typing import Any, Iterable, Mapping\n\nimport numpy\nimport numpy.typing\n",
    "lagrange.pyi": "from typing import Any, ClassVar, Iterable, Optional, overload\n\n"
                    "from camber._core.symbolic import Expr\n",
}


def mend(name: str, text: str) -> str:
    text = re.sub(r"\A(?:(?:from|import) .*\n|\n)+", "", text)
    for pattern, replacement in [*RULES, *OWN_RULES[name]]:
        text = re.sub(pattern, replacement, text)
    return HEAD + IMPORTS[name] + "\n" + text


def main() -> None:
    target = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "camber" / "_core")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-c", "from mypy.stubgen import main; main()", "-q", "-p", "camber._core", "-o",
                        folder], check=True)
        target.mkdir(parents=True, exist_ok=True)
        for name in OWN_RULES:
            made = pathlib.Path(folder, "camber", "_core", name).read_text(encoding="utf-8")
            (target / name).write_text(mend(name, made), encoding="utf-8")


if __name__ == "__main__":
    main()
