#!/usr/bin/env python3
"""SymPy's side of the symbolic comparison: reads a problem, prints its figures as one JSON object.

    sympy_symbolic.py PROBLEM.json
    sympy_symbolic.py --version        (fails without SymPy)

The derivations are those of ../symbolic/mechanisms.h, line by line.
"""

import json
import math
import statistics
import sys
import time

import sympy
from sympy.core.cache import clear_cache
from sympy.printing.pycode import PythonCodePrinter


def shift_along_z(v, u, length):
    return [v[0] + u[1] * length, v[1] - u[0] * length, v[2]]


def rotate_back(axis, angle, v):
    k = "xyz".index(axis)
    i, j = (k + 1) % 3, (k + 2) % 3
    s, c = sympy.sin(angle), sympy.cos(angle)
    result = [None] * 3
    result[k] = v[k]
    result[i] = c * v[i] + s * v[j]
    result[j] = c * v[j] - s * v[i]
    return result


class Motion:
    def __init__(self, n, suffix):
        self.suffix = suffix
        self.q, self.qd, self.qdd = (
            [sympy.Symbol(f"{name}{i}{suffix}") for i in range(n)] for name in ("q", "qd", "qdd")
        )

    def parameter(self, name, body=""):
        return sympy.Symbol(f"{name}{body}{self.suffix}")


def pendulum_energies(motion):
    zero = sympy.Integer(0)
    kinetic, potential, vx, vy, y = zero, zero, zero, zero, zero
    g = motion.parameter("g")
    for i, (q, qd) in enumerate(zip(motion.q, motion.qd)):
        m, l = motion.parameter("m", i), motion.parameter("l", i)
        s, c = sympy.sin(q), sympy.cos(q)
        vx = vx + l * c * qd
        vy = vy + l * s * qd
        y = y - l * c
        kinetic = kinetic + m * (vx * vx + vy * vy) / 2
        potential = potential + m * g * y
    return kinetic, potential


def chain_energies(axes, motion):
    zero = sympy.Integer(0)
    kinetic, potential, height = zero, zero, zero
    v, w, up = [zero] * 3, [zero] * 3, [zero, zero, sympy.Integer(1)]
    g = motion.parameter("g")
    for i, axis in enumerate(axes):
        if i > 0:
            l = motion.parameter("l", i)
            v = shift_along_z(v, w, l)
            height = height + up[2] * l
        v, w, up = (rotate_back(axis, motion.q[i], u) for u in (v, w, up))
        w["xyz".index(axis)] += motion.qd[i]

        m, c = motion.parameter("m", i), motion.parameter("c", i)
        vc = shift_along_z(v, w, c)
        spin = sum(motion.parameter(name, i) * w[k] * w[k] for k, name in enumerate(("Ix", "Iy", "Iz")))
        kinetic = kinetic + m * (vc[0] * vc[0] + vc[1] * vc[1] + vc[2] * vc[2]) / 2 + spin / 2
        potential = potential + m * g * (height + up[2] * c)
    return kinetic, potential


def find_equations(kinetic, potential, motion):
    """d/dt (dT/dq') - dT/dq + dV/dq, the total derivative through all partials."""
    equations = []
    for q_k, qd_k in zip(motion.q, motion.qd):
        momentum = kinetic.diff(qd_k)
        terms = []
        for q, qd, qdd in zip(motion.q, motion.qd, motion.qdd):
            terms += [momentum.diff(q) * qd, momentum.diff(qd) * qdd]
        terms += [-kinetic.diff(q_k), potential.diff(q_k)]
        equations.append(sympy.Add(*terms))
    return equations


def derive_equations(problem, suffix, lap):
    motion = Motion(problem["n"], suffix)
    if problem["problem"] == "chain":
        kinetic, potential = chain_energies(problem["axes"], motion)
    else:
        kinetic, potential = pendulum_energies(motion)
    lap("build")
    equations = find_equations(kinetic, potential, motion)
    lap("differentiate")
    return equations


def derive_gradients(problem, suffix, lap):
    # Real, or SymPy asks each function for real and imaginary parts.
    symbols = {name: sympy.Symbol(name + suffix, real=True) for name in problem["symbols"]}
    expressions = [sympy.parse_expr(text.replace("^", "**"), symbols) for text in problem["expressions"]]
    lap("build")
    results = []
    for expression in expressions:
        results.append(expression)
        results += [expression.diff(symbol) for symbol in symbols.values()]
    lap("differentiate")
    return results


def eliminate(results, optimizations=None):
    """Common sub-expressions: the assignments, then the results in terms of them."""
    names = sympy.numbered_symbols("common")
    return sympy.cse(results, symbols=names, optimizations=optimizations)


def write_code(assignments, reduced):
    lines = [f"const double {name} = {sympy.ccode(value)};" for name, value in assignments]
    lines += [f"out[{i}] = {sympy.ccode(value)};" for i, value in enumerate(reduced)]
    return "\n".join(lines)


def count(assignments, reduced):
    """SymPy's own count, sorted into the kinds that all engines report."""
    kinds = {"ADD": "add", "SUB": "add", "MUL": "multiply", "DIV": "divide", "NEG": "negate", "POW": "power"}
    result = dict.fromkeys(("add", "multiply", "divide", "negate", "power", "function"), 0)
    for value in [value for _, value in assignments] + list(reduced):
        visual = sympy.sympify(sympy.count_ops(value, visual=True))
        for operation, times in visual.as_coefficients_dict().items():
            if operation.is_Symbol:
                result[kinds.get(operation.name, "function")] += int(times)
    result["total"] = sum(result.values())
    return result


def evaluate(assignments, reduced, point):
    printer = PythonCodePrinter({"fully_qualified_modules": True})
    known = dict(point, math=math)
    for name, value in assignments:
        known[name.name] = eval(printer.doprint(value), known)  # text that SymPy just printed
    return [float(eval(printer.doprint(value), known)) for value in reduced]


def status_kb(key):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(key + ":"))


def derive(problem, suffix):
    """One repetition that nothing kept from an earlier one helps: seconds per phase and the result."""
    clear_cache()
    seconds = {}
    start = time.process_time()

    def lap(phase):
        nonlocal start
        now = time.process_time()
        seconds[phase] = now - start
        start = now

    run = derive_gradients if problem["problem"] == "random" else derive_equations
    results = run(problem, suffix, lap)
    assignments, reduced = eliminate(results)
    code = write_code(assignments, reduced)
    lap("generate")
    return seconds, results, assignments, reduced, code


def measure(problem):
    before = status_kb("VmRSS")
    # The last repetition has the plain names, whose values the point knows.
    suffixes = [f"_{i}" for i in range(1, problem["repetitions"])] + [""]
    all_seconds = []
    for suffix in suffixes:
        seconds, results, assignments, reduced, code = derive(problem, suffix)
        all_seconds.append(seconds)
        if len(all_seconds) == 1:
            peak = status_kb("VmHWM")

    figures = {"engine": "sympy", "version": sympy.__version__, "problem": problem["problem"], "n": problem["n"],
               "repetitions": problem["repetitions"], "memory_kb": max(0, peak - before)}
    for phase in ("build", "differentiate", "generate"):
        figures[f"{phase}_s"] = statistics.median(seconds[phase] for seconds in all_seconds)
        figures[f"first_{phase}_s"] = all_seconds[0][phase]
    figures["operations"] = count(assignments, reduced)
    if problem["problem"] == "chain" and problem["thorough"]:
        # Its slower, better setting: the bar that a smaller count has to pass as well.
        figures["operations_optimized"] = count(*eliminate(results, optimizations="basic"))
    figures["nodes"] = len({node for result in results for node in sympy.preorder_traversal(result)})
    figures["code_bytes"] = len(code)
    figures["values"] = evaluate(assignments, reduced, problem["point"])
    return figures


def main(arguments):
    if arguments == ["--version"]:
        print(sympy.__version__)
        return 0
    if len(arguments) != 1:
        print("usage: sympy_symbolic.py PROBLEM.json", file=sys.stderr)
        return 2
    with open(arguments[0]) as file:
        problem = json.load(file)
    sys.setrecursionlimit(100000)
    print(json.dumps(measure(problem)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
