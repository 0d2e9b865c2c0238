#!/usr/bin/env python3
"""The motorcycle of ../../models/motorcycle.toml derived in SymPy, from frames to the printed state space.

    sympy_motorcycle.py PROBLEM.json
    sympy_motorcycle.py --version        (fails without SymPy)

R. Lot and M. Da Lio, "A symbolic approach for automatic generation of the equations of motion of multibody
systems" (Multibody System Dynamics 12, 2004): the paper's procedures in the paper's order, simplified where it
simplifies. Two differences: constraints act with lambda dc/dq' (the paper's (9) is wrong for rolling wheels), and
functions of time are symbols, x, xd, xdd for x and its derivatives, which SymPy handles several times faster
than its own functions.

The problem: `inputs` (the name of each input of the residual, in order, x' for a derivative), `values` (every
parameter's), `code` (where the residual's C code goes), `simplify` (a key of SIMPLIFIERS). Prints one JSON object.
"""

import json
import math
import sys
import time

import sympy
from sympy import Matrix, Symbol, atan, cos, diff, expand, eye, sin, trigsimp, zeros
from sympy.printing.pycode import PythonCodePrinter
from sympy.simplify.fu import TR5

COORDINATES = ["x", "y", "psi", "delta", "phi", "psi4", "phi4", "theta1", "theta4"]
CONSTRAINTS = ["no_slip_rear", "no_slip_front", "spin_x", "spin_z"]
PARAMETERS = """g V mr mf Irx Iry Irz Crxz Ifx Ifz iry ify Rr Rf b h epsilon an a e j k f lx lz Cdelta Zr Zf sigma
Cr1 Cr2 Cf1 Cf2"""


SIMPLIFIERS = {
    # What an analyst reaches for first, as the paper does with Maple's simplify(, trig).
    "trigsimp": lambda e: trigsimp(expand(e)),
    # What is enough for this model, for those who know SymPy's inside: sin^2 -> 1 - cos^2 and nothing else.
    "squares": lambda e: expand(TR5(expand(e))),
}
simplify = SIMPLIFIERS["trigsimp"]


class Stages:
    """Processor seconds of each stage since the one before."""

    def __init__(self):
        self.seconds = {}
        self.start = time.process_time()

    def lap(self, name):
        now = time.process_time()
        self.seconds[name] = now - self.start
        self.start = now


# --- Frames, points, vectors: section 2 ---


def translate(x, y, z):
    T = eye(4)
    T[0, 3], T[1, 3], T[2, 3] = x, y, z
    return T


def rotate(axis, angle):
    k = "xyz".index(axis)
    i, j = (k + 1) % 3, (k + 2) % 3
    T = eye(4)
    T[i, i] = T[j, j] = cos(angle)
    T[j, i] = sin(angle)
    T[i, j] = -sin(angle)
    return T


def rotation(T):
    return T[:3, :3]


def point(x, y, z):
    return Matrix([x, y, z, 1])


def axial(W):
    """The vector of a skew matrix (6)."""
    return Matrix([W[2, 1], W[0, 2], W[1, 0]])


class Motorcycle:
    def __init__(self):
        self.parameter = {name: Symbol(name) for name in PARAMETERS.split()}
        self.q, self.u, self.udot = ([Symbol(name + dots) for name in COORDINATES] for dots in ("", "d", "dd"))
        self.lam = [Symbol("lambda_" + name) for name in CONSTRAINTS]
        self.p, self.pdot = ([Symbol(name + dots) for name in ("Yr", "Yf")] for dots in ("", "d"))
        self.tau = Symbol("tau")
        self.derive_frames()

    def rate(self, e):
        """d/dt, by the chain rule."""
        return sympy.Add(
            *(diff(e, a) * b for a, b in zip(self.q + self.u, self.u + self.udot)))

    def matrix_rate(self, M):
        return M.applyfunc(self.rate)

    def derive_frames(self):
        x, y, psi, delta, phi, psi4, phi4, theta1, theta4 = self.q
        c = self.parameter
        self.T1 = translate(x, y, 0) * rotate("z", psi)
        self.T2 = self.T1 * rotate("x", phi)
        self.T4 = self.T2 * rotate("y", c["epsilon"]) * translate(c["a"], 0, 0) * rotate("z", delta)
        self.TWR = self.T2 * translate(-c["b"], 0, -c["Rr"]) * rotate("y", theta1)
        E = self.T4 * point(c["lx"], 0, c["lz"])
        self.TWF = translate(*E[:3]) * rotate("z", psi4) * rotate("x", phi4) * rotate("y", theta4)
        self.front_heading = rotate("z", psi4)
        self.rear_heading = rotate("z", psi)
        self.Cr = point(-c["Rr"] * sin(theta1), 0, c["Rr"] * cos(theta1))
        self.Cf = point(-c["Rf"] * sin(theta4), 0, c["Rf"] * cos(theta4))

    # --- Energies and loads: section 3 ---

    def kinetic_energy(self, T, center, mass, inertia):
        R = rotation(T)
        w = axial(R.T * self.matrix_rate(R)).applyfunc(simplify)
        energy = (w.T * inertia * w)[0] / 2
        if mass != 0:
            v = self.matrix_rate(T * center)[:3, :]  # in ground axes, as the paper's velocity() has it
            energy += mass * v.dot(v) / 2
        return energy

    def energies(self):
        c = self.parameter
        rear = Matrix([[c["Irx"], 0, c["Crxz"]], [0, c["Iry"], 0], [c["Crxz"], 0, c["Irz"]]])
        Gr, Gf, origin = point(0, 0, -c["h"]), point(c["e"], 0, c["f"]), point(0, 0, 0)
        kinetic = (self.kinetic_energy(self.TWR, origin, 0, sympy.diag(0, c["iry"], 0))
                   + self.kinetic_energy(self.T2, Gr, c["mr"], rear)
                   + self.kinetic_energy(self.T4, Gf, c["mf"], sympy.diag(c["Ifx"], 0, c["Ifz"]))
                   + self.kinetic_energy(self.TWF, origin, 0, sympy.diag(0, c["ify"], 0)))
        gravity = -c["g"] * (c["mr"] * (self.T2 * Gr)[2] + c["mf"] * (self.T4 * Gf)[2])
        return kinetic, gravity

    def force(self, frame, components, T, at, q):
        """Generalized force: the point's coordinates in the acting body stay as they are."""
        return simplify((rotation(frame) * Matrix(components)).dot((diff(T, q) * at)[:3, :]))

    def torque(self, frame, components, acting, reacting, q):
        turn = [axial(diff(rotation(T), q) * rotation(T).T) for T in (acting, reacting)]
        return simplify((rotation(frame) * Matrix(components)).dot(turn[0] - turn[1]))

    def generalized_force(self, q):
        c, (Yr, Yf) = self.parameter, self.p
        steering = self.tau - c["Cdelta"] * Symbol("deltad")
        return (self.force(self.rear_heading, [0, Yr, c["Zr"]], self.TWR, self.Cr, q)
                + self.force(self.front_heading, [0, Yf, c["Zf"]], self.TWF, self.Cf, q)
                + self.torque(self.T4, [0, 0, steering], self.T4, self.T2, q))

    # --- Constraints and tires: sections 2.5 and 2.6 ---

    def velocity(self, T, at, kind, frame):
        v = self.matrix_rate(T) * at if kind == "eulerian" else self.matrix_rate(T * at)
        return (rotation(frame).T * v[:3, :]).applyfunc(simplify)

    def constraints(self):
        axis = rotation(self.TWF)[:, 1] - rotation(self.T4)[:, 1]
        return [self.velocity(self.TWR, self.Cr, "eulerian", self.T1)[0],
                self.velocity(self.TWF, self.Cf, "eulerian", self.front_heading)[0],
                axis[0], axis[2]]

    def tires(self):
        c = self.parameter
        ends = [(self.TWR, self.Cr, self.T1, c["Cr1"], c["Cr2"], Symbol("phi")),
                (self.TWF, self.Cf, self.front_heading, c["Cf1"], c["Cf2"], Symbol("phi4"))]
        equations = []
        for (T, at, frame, slip, camber, angle), Y, Yd in zip(ends, self.p, self.pdot):
            v = self.velocity(T, at, "absolute", frame)
            equations.append(c["sigma"] / v[0] * Yd + Y - (slip * atan(-v[1] / v[0]) + camber * angle))
        return equations

    def lagrange_equations(self, kinetic, gravity, constraints):
        velocity_constraints = constraints[:2] + [self.rate(e) for e in constraints[2:]]
        equations = []
        for q, u in zip(self.q, self.u):
            reaction = sum(l * diff(e, u) for l, e in zip(self.lam, velocity_constraints))
            equations.append(self.rate(diff(kinetic, u)) - diff(kinetic, q) + diff(gravity, q)
                             - self.generalized_force(q) - reaction)
        return equations


# --- Linear analysis: section 4 ---


def straight_running(model):
    """Values of all variables along the motion, theta as functions of time."""
    t, V, Rr, Rf = Symbol("t"), *(model.parameter[name] for name in ("V", "Rr", "Rf"))
    names = model.q + model.u + model.udot + model.lam + model.p + model.pdot + [model.tau]
    motion = dict.fromkeys(names, sympy.Integer(0))
    for name, speed in (("x", V), ("theta1", -V / Rr), ("theta4", -V / Rf)):
        motion[Symbol(name)] = speed * t
        motion[Symbol(name + "d")] = speed
    return motion


def jacobian(equations, variables, motion):
    """Coefficients of the linear equations; the wheels' angles have to drop out."""
    J = Matrix([[simplify(diff(e, v).xreplace(motion)) for v in variables] for e in equations])
    if J.has(Symbol("t")):
        raise ValueError("a coefficient varies in time")
    return J


class Linear:
    """equations = M q'' + D q' + K q + (multipliers) + Y p + Yd p' + F tau, all about straight running."""

    def __init__(self, model, equations):
        motion = straight_running(model)
        groups = {"q": model.q, "u": model.u, "udot": model.udot, "lam": model.lam, "p": model.p,
                  "pdot": model.pdot, "tau": [model.tau]}
        self.by = {name: jacobian(equations, group, motion) for name, group in groups.items()}
        self.all = [sum((self.by[name] * Matrix(group) for name, group in groups.items()),
                        zeros(len(equations), 1))[i] for i in range(len(equations))]


def velocity_projection(constraints):
    """R of q = R z (15), z the first five coordinates. The first two constraints have only rates: integrated."""
    C = constraints.by["u"][:2, :].col_join(constraints.by["q"][2:, :])
    if constraints.by["q"][:2, :] != zeros(2, 9):
        raise ValueError("a constraint cannot be integrated")
    return eye(5).col_join((-C[:, 5:].LUsolve(C[:, :5])).applyfunc(simplify))


def relations(c):
    """The paper's global_properties."""
    s, co = sin(c["epsilon"]), cos(c["epsilon"])
    lz = -(-s * c["k"] * co + co**2 * c["Rf"] + s * c["e"] - c["j"] + co**2 * c["j"] + s * c["an"]) / co
    return {c["f"]: s * c["k"] - co * c["j"], c["a"]: co * c["k"] - c["e"] + c["j"] * s,
            c["lx"]: -c["an"] + c["Rf"] * s, c["lz"]: lz}


def state_space(model, dynamics, constraints, tires):
    """A x' = B x + C tau with x = [y1dot, delta, phi, Yr, Yf, psidot, deltadot, phidot].

    In the moving frame y' = y1dot + V psi and y'' = y1dot' + V psi'; the equation of x1dot stands alone and goes.
    """
    R = velocity_projection(constraints)
    if (R.T * dynamics.by["lam"]).applyfunc(simplify) != zeros(5, 4):
        raise ValueError("multipliers are left")
    stack = {name: (R.T * dynamics.by[name]).col_join(tires.by[name]) for name in dynamics.by}
    K, D, M = (stack[name] * R for name in ("q", "u", "udot"))
    V = model.parameter["V"]
    x, y, psi, delta, phi = range(5)
    of = {"y1dot": D[:, y], "delta": K[:, delta], "phi": K[:, phi], "Yr": stack["p"][:, 0], "Yf": stack["p"][:, 1],
          "psidot": D[:, psi] + V * M[:, y], "deltadot": D[:, delta], "phidot": D[:, phi]}
    of_rate = {"y1dot": M[:, y], "Yr": stack["pdot"][:, 0], "Yf": stack["pdot"][:, 1], "psidot": M[:, psi],
               "deltadot": M[:, delta], "phidot": M[:, phi]}
    states = list(of)
    heading = (K[:, psi] + V * D[:, y]).applyfunc(simplify)
    if heading != zeros(7, 1) or K[:, :2] != zeros(7, 2):
        raise ValueError("the place or the heading has an influence")
    A = Matrix.hstack(*(of_rate.get(name, zeros(7, 1)) for name in states))[1:, :].col_join(zeros(2, 8))
    B = -Matrix.hstack(*of.values())[1:, :].col_join(zeros(2, 8))
    C = -stack["tau"][1:, :].col_join(zeros(2, 1))
    for row, name in ((6, "delta"), (7, "phi")):
        A[row, states.index(name)] = -1
        B[row, states.index(name + "dot")] = -1
    known = relations(model.parameter)
    return [matrix.applyfunc(lambda e: simplify(e.subs(known))) for matrix in (A, B, C)]


# --- Figures ---


def count(expressions):
    """Operations left when every common sub-expression is computed once, by SymPy's own count; -a is free."""
    assignments, reduced = sympy.cse(expressions)
    total = sympy.count_ops([value for _, value in assignments] + list(reduced), visual=True)
    return int(total.subs(Symbol("NEG"), 0).replace(lambda e: e.is_Symbol, lambda e: sympy.Integer(1)))


def c_name(name):
    return name.replace("'", "d")


def write_code(equations, inputs):
    assignments, reduced = sympy.cse(equations, symbols=sympy.numbered_symbols("common"))
    lines = ["#include <math.h>", "int sympy_residual(const double* in, double* out) {"]
    lines += [f"const double {c_name(name)} = in[{i}]; (void){c_name(name)};" for i, name in enumerate(inputs)]
    lines += [f"const double {name} = {sympy.ccode(value)};" for name, value in assignments]
    lines += [f"out[{i}] = {sympy.ccode(value)};" for i, value in enumerate(reduced)]
    return "\n".join(lines + ["return 0;", "}", ""])


def evaluate(matrix, values):
    printer = PythonCodePrinter({"fully_qualified_modules": True})
    known = dict(values, math=math)
    return [[float(eval(printer.doprint(e), known)) for e in matrix.row(i)]  # text that SymPy just printed
            for i in range(matrix.rows)]


def measure(problem):
    global simplify
    simplify = SIMPLIFIERS[problem["simplify"]]
    stages = Stages()
    model = Motorcycle()
    kinetic, gravity = model.energies()
    constraints, tires = model.constraints(), model.tires()
    stages.lap("kinematics_s")
    dynamics = model.lagrange_equations(kinetic, gravity, constraints)
    stages.lap("equations_s")
    linear = [Linear(model, equations) for equations in (dynamics, constraints, tires)]
    stages.lap("linearize_s")
    A, B, C = state_space(model, *linear)
    stages.lap("state_space_s")
    text = "\n".join(str(matrix) for matrix in (A, B, C))
    stages.lap("print_s")
    seconds = dict(stages.seconds, total_s=sum(stages.seconds.values()))
    with open(problem["code"], "w") as file:
        file.write(write_code(dynamics + constraints + tires, problem["inputs"]))
    stages.lap("code_s")
    seconds["code_s"] = stages.seconds["code_s"]
    return {"engine": "sympy", "version": sympy.__version__, "seconds": seconds, "printed_bytes": len(text),
            "operations": {"nonlinear": count(dynamics), "residual": count(dynamics + constraints + tires),
                           "linear": count(linear[0].all), "matrices": count([*A, *B])},
            "A": evaluate(A, problem["values"]), "B": evaluate(B, problem["values"]),
            "C": evaluate(C, problem["values"])}


def main(arguments):
    if arguments == ["--version"]:
        print(sympy.__version__)
        return 0
    if len(arguments) != 1:
        print("usage: sympy_motorcycle.py PROBLEM.json", file=sys.stderr)
        return 2
    with open(arguments[0]) as file:
        problem = json.load(file)
    print(json.dumps(measure(problem)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
