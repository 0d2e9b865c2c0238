"""TOML text from dictionaries, and the tree of a file with its assignments."""

from __future__ import annotations

import math
import re
from typing import Any, Mapping

from camber._errors import Error

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


def _text(value: str) -> str:
    return '"' + "".join(_ESCAPES.get(c, c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}") for c in value) + '"'


def _key(key: object) -> str:
    if not isinstance(key, str) or not key:
        raise Error(f"a key must be text, got {key!r}")
    return key if _BARE.match(key) else _text(key)


def write_value(value: Any) -> str:
    """A value as TOML writes it. NumPy's numbers and arrays are taken like Python's."""
    if hasattr(value, "tolist"):  # NumPy
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise Error(f"a number must be finite, got {value}")
        text = repr(value)
        return text if any(c in text for c in ".e") else text + ".0"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(write_value(v) for v in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)} = {write_value(v)}" for k, v in value.items()) + "}"
    raise Error(f"a value must be text, a number, true, false, a list or a table, got {type(value).__name__}")


def write_toml(tree: Mapping[str, Any]) -> str:
    """A dictionary as a TOML file: tables as [headers], lists of tables as [[headers]]."""
    lines: list[str] = []
    _write_table(tree, "", lines)
    return "\n".join(lines).lstrip("\n") + "\n"


def _is_table_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(v, Mapping) for v in value)


def _write_table(table: Mapping[str, Any], prefix: str, lines: list[str]) -> None:
    for key, value in table.items():
        if not isinstance(value, Mapping) and not _is_table_list(value):
            lines.append(f"{_key(key)} = {write_value(value)}")
    for key, value in table.items():
        path = f"{prefix}{_key(key)}"
        if isinstance(value, Mapping):
            lines.extend(["", f"[{path}]"])
            _write_table(value, path + ".", lines)
        elif _is_table_list(value):
            for entry in value:
                lines.extend(["", f"[[{path}]]"])
                _write_table(entry, path + ".", lines)


def split_key(key: str) -> list[str | int]:
    """'axles.front."a b".list[2]' as its steps."""
    steps: list[str | int] = []
    for part in re.findall(r'"[^"]*"|[^."\[\]]+|\[\d+\]', key):
        if part.startswith("["):
            steps.append(int(part[1:-1]))
        else:
            steps.append(part.strip('"'))
    return steps


def find(tree: Any, key: str) -> Any:
    """The value of a dotted key in a tree. Raises KeyError if it is not there."""
    at = tree
    for step in split_key(key):
        try:
            at = at[step]
        except (KeyError, IndexError, TypeError):
            raise KeyError(key) from None
    return at


def put(tree: dict[str, Any], key: str, value: Any) -> None:
    """Sets a dotted key in a tree, making tables on the way."""
    steps = split_key(key)
    at: Any = tree
    for step, following in zip(steps, steps[1:]):
        if isinstance(step, str) and step not in at:
            at[step] = [] if isinstance(following, int) else {}
        at = at[step]
    at[steps[-1]] = value


def parse(text: str, path: str) -> dict[str, Any]:
    """The tree of a file's text. Raises Error with the file's name."""
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Error(f"{path}: {error}") from None


def read_assignment_value(text: str) -> Any:
    """The value of an assignment KEY=VALUE: TOML, or else the text itself, as --set takes it."""
    import tomllib

    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
