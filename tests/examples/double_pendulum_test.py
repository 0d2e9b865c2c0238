"""examples/double_pendulum.cc and `camber demo`: the code they print compiles and is a double pendulum.

Usage: double_pendulum_test.py EXAMPLE CAMBER
"""

import ctypes
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

EXAMPLE, CAMBER = sys.argv[1], sys.argv[2]

# General values: no unit masses, no equal lengths.
G, L1, L2, M1, M2 = 9.81, 0.83, 1.27, 1.9, 0.71


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class Pendulum:
    """The printed C function, compiled."""

    def __init__(self, code):
        self.folder = tempfile.TemporaryDirectory()
        source = pathlib.Path(self.folder.name, "pendulum.c")
        source.write_text(code)
        library = source.with_suffix(".so")
        run("cc", "-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC",
            str(source), "-o", str(library), "-lm")
        self.function = ctypes.CDLL(str(library)).double_pendulum

    def accelerations(self, q, v):
        pair = ctypes.c_double * 2
        a = pair()
        numbers = [ctypes.c_double(x) for x in (G, L1, L2, M1, M2)]
        assert self.function(pair(*q), pair(*v), *numbers, a) == 0
        return list(a)


def textbook_accelerations(q, v):
    """Newton's equations of both masses with the rods' forces, solved by hand."""
    d = q[0] - q[1]
    # M a = f, with M = [[(M1+M2) L1^2, M2 L1 L2 cos d], [.., M2 L2^2]]
    m11, m12, m22 = (M1 + M2) * L1**2, M2 * L1 * L2 * math.cos(d), M2 * L2**2
    f1 = -M2 * L1 * L2 * v[1] ** 2 * math.sin(d) - (M1 + M2) * G * L1 * math.sin(q[0])
    f2 = M2 * L1 * L2 * v[0] ** 2 * math.sin(d) - M2 * G * L2 * math.sin(q[1])
    det = m11 * m22 - m12 * m12
    return [(m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det]


def energy(q, v):
    vx1, vy1 = L1 * v[0] * math.cos(q[0]), L1 * v[0] * math.sin(q[0])
    vx2, vy2 = vx1 + L2 * v[1] * math.cos(q[1]), vy1 + L2 * v[1] * math.sin(q[1])
    y1 = -L1 * math.cos(q[0])
    y2 = y1 - L2 * math.cos(q[1])
    return M1 * (vx1**2 + vy1**2) / 2 + M2 * (vx2**2 + vy2**2) / 2 + G * (M1 * y1 + M2 * y2)


class DoublePendulum(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.code = run(EXAMPLE)
        cls.pendulum = Pendulum(cls.code)

    def test_agrees_with_the_textbook(self):
        stream = random.Random(4)
        for _ in range(200):
            q = [stream.uniform(-3, 3) for _ in range(2)]
            v = [stream.uniform(-4, 4) for _ in range(2)]
            for a, b in zip(self.pendulum.accelerations(q, v), textbook_accelerations(q, v)):
                self.assertAlmostEqual(a, b, delta=1e-11 * (1 + abs(b)))

    def test_keeps_its_energy_for_two_seconds(self):
        state = [0.9, -0.4, 0.3, 1.1]
        start = energy(state[:2], state[2:])

        def rate(s):
            return s[2:] + self.pendulum.accelerations(s[:2], s[2:])

        h = 1e-3
        for _ in range(2000):  # the classical Runge-Kutta step
            k1 = rate(state)
            k2 = rate([x + h / 2 * k for x, k in zip(state, k1)])
            k3 = rate([x + h / 2 * k for x, k in zip(state, k2)])
            k4 = rate([x + h * k for x, k in zip(state, k3)])
            state = [x + h / 6 * (a + 2 * b + 2 * c + d)
                     for x, a, b, c, d in zip(state, k1, k2, k3, k4)]
        self.assertAlmostEqual(energy(state[:2], state[2:]), start, delta=1e-8 * abs(start))

    def test_is_what_the_demo_prints(self):
        text = run(CAMBER, "demo")
        self.assertTrue(text.endswith(self.code), text)
        self.assertIn("L = ", text)
        self.assertEqual(text.count(" = 0\n"), 2)

    def test_demo_prints_json(self):
        result = json.loads(run(CAMBER, "demo", "--json"))
        self.assertEqual(result["code"], self.code)
        self.assertEqual(len(result["equations"]), 2)
        operations = result["operations"]
        self.assertEqual(operations["total"], sum(v for k, v in operations.items() if k != "total"))
        self.assertIn(f"{operations['total']} operations", self.code)

    def test_demo_knows_its_languages(self):
        self.assertIn("template <class T>", run(CAMBER, "demo", "--language", "cpp"))
        self.assertIn("end module", run(CAMBER, "demo", "--language", "fortran"))
        wrong = subprocess.run([CAMBER, "demo", "--language", "basic"], capture_output=True, text=True)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("basic", wrong.stderr)
        self.assertEqual(wrong.stdout, "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
