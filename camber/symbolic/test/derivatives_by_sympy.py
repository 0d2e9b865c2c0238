"""Compares the derivatives that derivative_samples prints with SymPy's, evaluated with 30 digits.

usage: derivatives_by_sympy.py PATH_TO_derivative_samples
"""

import subprocess
import sys

import sympy

MIN_COMPARED = 80


def to_sympy(text, symbols):
    # Primes are not letters in Python; a power is "**".
    text = text.replace("q1'", "dq1").replace("q2'", "dq2").replace("^", "**")
    return sympy.sympify(text, locals=symbols)


def main():
    names = "a b k_1 q1 q2 dq1 dq2".split()
    symbols = {name: sympy.Symbol(name, real=True) for name in names}
    lines = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout.splitlines()
    worst = 0.0
    for line in lines:
        expression, leaf, point, ours = (part.strip() for part in line.split(";"))
        values = dict(item.split("=") for item in point.split())
        at = {to_sympy(x, symbols): sympy.Float(value, 30) for x, value in values.items()}
        e = to_sympy(expression, symbols)
        theirs = sympy.diff(e, to_sympy(leaf, symbols)).evalf(30, subs=at)
        scale = abs(theirs) + abs(e.evalf(30, subs=at)) + 1
        error = float(abs(theirs - float(ours)) / scale)
        worst = max(worst, error)
        if not error < 1e-10:
            sys.exit(f"d/d{leaf} of {expression} at {point}: ours {ours}, SymPy's {theirs}")
    if len(lines) < MIN_COMPARED:
        sys.exit(f"only {len(lines)} derivatives to compare, expected {MIN_COMPARED}")
    print(f"{len(lines)} derivatives agree with SymPy {sympy.__version__}, worst relative difference {worst:.1e}")


main()
