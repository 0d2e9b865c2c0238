"""Compares what a program prints with what a page shows."""

import math
import re

NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")
TOLERANCE = 5e-3  # other processors round differently; a change of the model changes more
ROUNDING = 1e-6  # numbers below are rounding errors: how well loops close, yaw of a straight drive
CLOCK = re.compile(r", \S+ s on the clock, \S+ x real time$")


def is_like(shown, printed):
    """Whether two lines have the same words and, up to rounding, the same numbers."""
    shown, printed = CLOCK.sub("", shown), CLOCK.sub("", printed)
    if NUMBER.sub("#", shown).split() != NUMBER.sub("#", printed).split():
        return False
    for a, b in zip(NUMBER.findall(shown), NUMBER.findall(printed)):
        last_digit = 10.0 ** -len(a.partition("e")[0].partition(".")[2])
        is_small = max(abs(float(a)), abs(float(b))) < ROUNDING
        is_close = math.isclose(float(a), float(b), rel_tol=TOLERANCE, abs_tol=1.5 * last_digit if "e" not in a else 0)
        if not is_small and not is_close:
            return False
    return True


def find_difference(shown, printed):
    """What the page shows and was not printed, or None. Lines follow one another, unless "..." is between them."""
    at, may_skip = 0, False
    for line in shown:
        if line == "...":
            may_skip = True
            continue
        start = at
        while may_skip and at < len(printed) and not is_like(line, printed[at]):
            at += 1
        if at >= len(printed) or not is_like(line, printed[at]):
            return f"the page shows\n  {line}\nthe program printed\n  " + "\n  ".join(printed[start:start + 40])
        at, may_skip = at + 1, False
    if not may_skip and at < len(printed):
        return "the page leaves out the end:\n  " + "\n  ".join(printed[at:])
    return None
