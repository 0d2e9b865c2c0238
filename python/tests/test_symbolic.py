"""Expressions, functions and systems in Python."""

import itertools
import pickle
import unittest

import numpy as np

import camber
from camber import symbolic as s
from camber.lagrange import System, ground
from camber.symbolic import cos, diff, dot, function, named, simplify, sin, symbol, symbols, variable


class Expressions(unittest.TestCase):
    def test_every_operator_in_every_order_has_its_value(self):
        x, y = symbols("x y")
        values = {"x": 1.7, "y": -0.6}
        operations = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b}
        others = [2, -3, 0.5, np.float64(1.25), np.float32(0.5), np.int64(3), y]
        for (name, f), other in itertools.product(operations.items(), others):
            number = values["y"] if other is y else float(other)
            self.assertAlmostEqual(s.evaluate(f(x, other), values), f(1.7, number), places=12, msg=f"x {name} {other}")
            self.assertAlmostEqual(s.evaluate(f(other, x), values), f(number, 1.7), places=12, msg=f"{other} {name} x")
        self.assertAlmostEqual(s.evaluate(x**3, values), 1.7**3, places=12)
        self.assertAlmostEqual(s.evaluate(2**x, values), 2**1.7, places=12)
        self.assertAlmostEqual(s.evaluate(x ** np.float64(0.5), values), 1.7**0.5, places=12)
        self.assertAlmostEqual(s.evaluate(-abs(y) + +x, values), 1.1, places=12)
        for bad in ("a", None, [1], True, {}):
            with self.assertRaises(TypeError):
                x + bad
        with self.assertRaises(camber.Error):
            x + float("nan")
        with self.assertRaises((camber.Error, ZeroDivisionError)):
            x / 0

    def test_numpy_arrays_take_expressions_as_elements(self):
        x = symbol("x")
        for array in (np.array([1.0, 2.0]) * x, x * np.array([1.0, 2.0])):
            self.assertEqual(array.dtype, object)
            self.assertEqual(list(array), [x, 2 * x])
        self.assertEqual(np.array([x, x]) @ np.array([1, 2]), 3 * x)

    def test_identity_and_hash_go_by_node(self):
        x, y = symbols("x y")
        self.assertTrue((x + y) ** 2 == (y + x) ** 2)
        self.assertNotEqual(x, y)
        self.assertEqual(hash(x * y), hash(y * x))
        self.assertEqual({x * y: 1}[y * x], 1)
        self.assertEqual(x - x, 0)
        self.assertNotEqual(x, "x")
        q, force = variable("q"), named("F", 3 * variable("q") + 1)
        for e in (x + y**2, dot(q) ** 2 * sin(q), force * x + 2 * force, 10**30 * x / 7, q + symbol("k")):
            self.assertEqual(pickle.loads(pickle.dumps(e)), e)

    def test_derivatives_match_differences(self):
        x = symbol("x")
        e = sin(x**2) * s.exp(-x) / (1 + s.sqrt(x)) + s.atan2(x, 2) + s.maximum(x, 1) * s.log(x)
        slope, h = diff(e, x), 1e-6
        for at in (0.3, 1.4, 2.2):
            difference = (s.evaluate(e, {"x": at + h}) - s.evaluate(e, {"x": at - h})) / (2 * h)
            self.assertAlmostEqual(s.evaluate(slope, {"x": at}), difference, places=6)
        self.assertEqual(s.jacobian([x**2, 3], [x]), [[2 * x], [0]])
        self.assertEqual(s.gradient(x**3, [x]), [3 * x**2])

    def test_conditions_and_text(self):
        x = symbol("x")
        self.assertEqual(s.evaluate(s.select((x > 1) & ~(x >= 3), x, -x), {"x": 2}), 2)
        with self.assertRaises(camber.Error):
            bool(x > 1)
        self.assertEqual(s.parse("sin(x)^2 + cos(x)^2 + 1/3"), sin(x) ** 2 + cos(x) ** 2 + s.Expr(1) / 3)
        self.assertEqual(simplify(sin(x) ** 2 + cos(x) ** 2), 1)
        with self.assertRaises(camber.Error) as caught:
            s.parse("sin(x")
        self.assertEqual(caught.exception.column, 6)
        self.assertEqual((x**2 / 2)._repr_latex_(), "$\\displaystyle \\frac{1}{2}\\,x^{2}$")
        self.assertEqual(float(s.Expr(3) / 4), 0.75)
        with self.assertRaises(TypeError):
            float(x)

    def test_functions_vectorize_and_compile(self):
        m, l, g, q = symbol("m"), symbol("l"), symbol("g"), variable("q")
        f = function("pendulum", [q, dot(q)], [-g / l * sin(q), m * (l * dot(q)) ** 2 / 2], parameters=[g, l, m])
        x, v = np.linspace(-1, 1, 12).reshape(3, 4), 0.3
        for _ in range(2):
            a, energy = f(x, v, g=9.81, l=0.7, m=2.0)
            np.testing.assert_allclose(a, -9.81 / 0.7 * np.sin(x), rtol=1e-14)
            np.testing.assert_allclose(energy, np.full((3, 4), (0.7 * 0.3) ** 2), rtol=1e-14)
            f.compile()
        self.assertTrue(f.compiled)
        self.assertIn("int pendulum(", f.c99())
        self.assertIn("subroutine pendulum", f.fortran())
        self.assertIsInstance(f(0.1, 0.2, g=1, l=1, m=1)[0], float)
        with self.assertRaisesRegex(camber.Error, "without a value: l"):
            f(x, v, g=1, m=1)
        with self.assertRaises(camber.Error):
            f(x, g=1, l=1, m=1)
        with self.assertRaises(KeyError):
            f(x, v, g=1, l=1, m=1, k=2)
        with self.assertRaisesRegex(camber.Error, r"q \(3,\).*\(2,\)"):
            f(np.zeros(3), np.zeros(2), g=1, l=1, m=1)
        for not_numbers in (np.zeros(3, complex), 1j, "here", None):  # an imaginary part was once left out
            with self.assertRaisesRegex(TypeError, "pendulum: q: must be numbers"):
                f(not_numbers, v, g=1, l=1, m=1)
        again = pickle.loads(pickle.dumps(f))
        self.assertEqual((again.compiled, again.output_names), (True, f.output_names))
        np.testing.assert_array_equal(again(x, v, g=9.81, l=0.7, m=2.0), f(x, v, g=9.81, l=0.7, m=2.0))
        with self.assertRaisesRegex(camber.Error, "no-such-compiler"):
            function("f", [q], [2 * q]).compile("no-such-compiler")


class Systems(unittest.TestCase):
    def double_pendulum(self):
        system = System("double-pendulum", gravity=(0, 0, -9.81))
        q1, q2 = system.coordinates("q1 q2")
        m1, m2, l1, l2 = system.parameters(m1=1.2, m2=0.7, l1=0.6, l2=0.4)
        upper = ground.rotate("y", q1)
        lower = upper.translate(0, 0, -l1).rotate("y", q2)
        system.body("upper", upper.point(0, 0, -l1), mass=m1)
        system.body("lower", lower.point(0, 0, -l2), mass=m2)
        return system, q1, q2

    def test_equations_follow_from_the_lagrangian(self):
        system, q1, q2 = self.double_pendulum()
        L = system.kinetic_energy - system.gravity_energy
        equations = system.derive()
        rng = np.random.default_rng(11)
        for q, e in zip((q1, q2), equations.dynamics):
            direct = dot(diff(L, dot(q))) - diff(L, q)
            for _ in range(5):
                values = {leaf: float(rng.normal()) for leaf in [*direct.leaves, *e.leaves]}
                self.assertAlmostEqual(s.evaluate(e, values), s.evaluate(direct, values), places=9)

    def test_a_run_keeps_its_energy(self):
        system, q1, q2 = self.double_pendulum()
        system.initial({q1: 1.1, q2: -0.4, dot(q1): 0.5})
        run = system.run(3, tolerance=1e-10)
        energy = run["energies"]
        total = energy["kinetic"] + energy["potential"] if "potential" in energy.names else np.asarray(energy).sum(axis=1)
        self.assertLess(np.ptp(total), 1e-6 * np.abs(total).max() + 1e-8)

    def test_modes_and_linear_model_agree_with_theory(self):
        system = System("pendulum", gravity=(0, 0, -9.81))
        q = system.coordinate("q")
        m, l = system.parameters(m=2.0, l=0.5)
        system.body("bob", ground.rotate("y", q).point(0, 0, -l), mass=m)
        torque = system.input("tau")
        system.generalized_force("motor", dot(q), torque)
        system.output("angle", q)
        np.testing.assert_allclose(np.abs(system.modes().eigenvalues.imag), np.sqrt(9.81 / 0.5), rtol=1e-12)
        model = system.linearize(l=0.8)
        np.testing.assert_allclose(np.sort(model.eigenvalues().imag), [-np.sqrt(9.81 / 0.8), np.sqrt(9.81 / 0.8)], rtol=1e-12)
        np.testing.assert_allclose(model.B[model.states.index("qdot"), 0], 1 / (2 * 0.8**2), rtol=1e-12)
        self.assertEqual((model.inputs, model.outputs), (["tau"], ["angle"]))
        with self.assertRaises(camber.Error):
            system.modes(k=3)

    def test_a_bead_on_a_line_has_its_constraint(self):
        system = System("slider")
        x, y = system.coordinates("x y")
        system.body("bead", ground.point(x, y, 0), mass=1)
        system.holonomic("line", y - 2 * x)
        equations = system.derive()
        self.assertEqual(len(equations.multipliers), 1)
        self.assertEqual(equations.constraints, [y - 2 * x])
        self.assertIn("aligned", equations._repr_latex_())
        with self.assertRaises(camber.Error):
            system.force("push", ground.vector(1, 0, 0), ground.point(0, 0, 0), acting="nobody")

    def test_vectors_and_frames(self):
        q = variable("q")
        turned = ground.rotate("z", q)
        v = turned.vector(1, 2, 3)
        self.assertEqual(simplify(v.dot(v)), 14)
        self.assertEqual([simplify(c) for c in (2 * v - v).to(ground).components],
                         [simplify(c) for c in v.to(ground).components])
        self.assertEqual(turned.angular_velocity.components, [0, 0, dot(q)])
        self.assertEqual(simplify((turned * turned.inverse).rotation[0][0]), 1)
        point = turned.point(1, 0, 0)
        self.assertEqual([simplify(c) for c in point.velocity(axes=turned).components], [0, dot(q), 0])
        with self.assertRaises(TypeError):
            v * "a"


if __name__ == "__main__":
    unittest.main()
