"""The program `camber` inside Python."""

from __future__ import annotations

import os
from typing import Any

from camber import _core
from camber._errors import Error


def program_words() -> list[str]:
    """What starts the program of this package in a process of its own: workers of studies, jobs of clusters."""
    import sys

    return [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "__main__.py")]


class Result(dict[str, Any]):
    """What a command printed as JSON, and its exit status."""

    status: int = 0  # 0 ok, 1 the run failed
    messages: str = ""  # what it wrote to stderr


def command(name: str, *arguments: str | os.PathLike[str] | float, **options: Any) -> Any:
    """Runs a command of the program: ``camber.command("plan", "plans/parallel-parking.toml")``, "study status".

    Options have the program's names: ``radius=2`` is --radius 2, ``set={"run.duration": 4}`` is --set, a list gives an
    option several values, True stands for an option without one. Commands that know --json return a Result, a
    dictionary of that shape; others return what they print. Bad usage and bad files raise camber.Error.
    """
    from camber._model import assignments

    words = [*name.split(), *(os.fspath(a) if isinstance(a, os.PathLike) else str(a) for a in arguments)]
    for key, value in options.items():
        option = "--" + key.rstrip("_").replace("_", "-")
        if key == "set":
            for assignment in assignments(value):
                words += ["--set", assignment]
        elif value is True:
            words.append(option)
        elif value is not None and value is not False:
            words.append(option)
            words += [str(v) for v in value] if isinstance(value, (list, tuple)) else [str(value)]
    has_json = name in _JSON_COMMANDS and not (set(words) & {"--help", "-h"})
    if has_json and "--json" not in words:
        words.append("--json")
    status, out, messages = _core.run_command(words, True, program_words())
    if status == 2:
        raise Error(messages.strip() or f"camber {name}: failed")
    if not has_json:
        if status != 0:
            raise Error(messages.strip() or f"camber {name}: failed")
        return out
    import json

    try:
        result = Result(json.loads(out))
    except ValueError:
        raise Error(messages.strip() or out.strip()) from None
    result.status = status
    result.messages = messages
    return result


_JSON_COMMANDS = frozenset({"check", "city", "compare", "derive", "generate", "modes", "plan", "rig", "run", "scene",
                            "sensors", "study merge", "study report", "study resume", "study run", "terrain"})
