"""The one exception of camber."""

from __future__ import annotations

import re
from typing import Any, NamedTuple, Sequence

_SUGGESTION = re.compile(r'did you mean "([^"]+)"')


class Mistake(NamedTuple):
    """One finding about a file: where it is, and what is wrong there."""

    file: str | None
    line: int | None
    column: int | None
    key: str | None
    text: str
    suggestion: str | None
    is_warning: bool


def _make_mistake(entry: Sequence[Any]) -> Mistake:
    file, line, column, key, text, is_warning = entry
    found = _SUGGESTION.search(text)
    return Mistake(file or None, line or None, column or None, key or None, text,
                   found.group(1) if found else None, is_warning)


class Error(ValueError):
    """Something that camber cannot do, and why.

    ``str(error)`` has one line for each mistake, as the program prints them. ``mistakes`` lists all of them;
    ``file``, ``line``, ``column``, ``key`` and ``suggestion`` are those of the first, None where they are not known
    (a caller's mistake has no file). Lines and columns count from 1.
    """

    def __init__(self, message: str, mistakes: Sequence[Sequence[Any]] = ()) -> None:
        super().__init__(message)
        self.mistakes: list[Mistake] = [m if isinstance(m, Mistake) else _make_mistake(m) for m in mistakes]
        found = _SUGGESTION.search(message)
        first = self.mistakes[0] if self.mistakes else Mistake(
            None, None, None, None, message, found.group(1) if found else None, False)
        self.file: str | None = first.file
        self.line: int | None = first.line
        self.column: int | None = first.column
        self.key: str | None = first.key
        self.suggestion: str | None = first.suggestion

    def __reduce__(self) -> Any:
        return _restore, (type(self), str(self), [tuple(m) for m in self.mistakes])


def _restore(kind: type[Error], message: str, mistakes: list[Any]) -> Error:
    return kind(message, [Mistake(*m) for m in mistakes])


class UnknownName(Error, KeyError):
    """A channel, figure, wheel or key that is not there; the message lists what is."""

    def __str__(self) -> str:
        return str(self.args[0])


def unknown_name(what: str, name: object, known: Sequence[str]) -> UnknownName:
    """The error for a name that is not among `known`, with the closest one as a suggestion."""
    import difflib

    close = difflib.get_close_matches(str(name), known, n=1)
    hint = f'; did you mean "{close[0]}"?' if close else ""
    shown = ", ".join(known[:20]) + (", ..." if len(known) > 20 else "")
    return UnknownName(f'there is no {what} "{name}"{hint} There are: {shown}' if hint
                       else f'there is no {what} "{name}"; there are: {shown}')
