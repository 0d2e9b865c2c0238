"""`camber expr`: results on stdout, mistakes with their place on stderr, exit status 2.

usage: expr_test.py PATH_OF_CAMBER [unittest arguments]
"""

import json
import math
import os
import subprocess
import sys
import unittest

CAMBER = ""


def run_expr(*arguments):
    return subprocess.run([CAMBER, "expr", *arguments], capture_output=True, text=True, timeout=60)


class Expr(unittest.TestCase):
    def expect(self, arguments, output):
        result = run_expr(*arguments)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, output, ""))

    def expect_mistake(self, arguments, message):
        result = run_expr(*arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(message, result.stderr)

    def test_differentiates(self):
        self.expect(["m*g*l*(1 - cos(q))", "--diff", "q"], "g*l*m*sin(q)\n")
        self.expect(["m*q'^2/2", "--time-diff"], "m*q'*q''\n")
        self.expect(["x^5", "--diff", "x", "--diff", "x"], "20*x^3\n")

    # --diff and --at used to take every word up to the next option.
    def test_the_expression_may_stand_behind_its_options(self):
        self.expect(["--diff", "x", "x^5", "--simplify"], "5*x^4\n")
        self.expect(["--at", "x=3,y=0.5", "x*y", "--expand"], "1.5\n")
        self.expect(["--diff", "x", "--", "-x^2"], "-2*x\n")

    def test_an_expression_that_begins_with_a_minus_looks_like_an_option(self):
        self.expect(["-3*x"], "-3*x\n")
        self.expect_mistake(
            ["-x^2", "--diff", "x"],
            'unknown option "-x^2"; an argument that begins with "-" comes last, after "--"\n')

    def test_expands_and_simplifies(self):
        self.expect(["(a + b)*(a - b)", "--expand"], "a^2 - b^2\n")
        self.expect(["sin(x)^2 + cos(x)^2", "--simplify"], "1\n")

    def test_prints_other_forms(self):
        self.expect(["m*q'^2/2", "--latex"], "\\frac{1}{2}\\,m\\,\\dot{q}^{2}\n")
        self.expect(["m*q'^2/2", "--code", "c"], "m*q_dot*q_dot/2.0\n")
        self.expect(["m*q'^2/2", "--code", "fortran"], "m*q_dot**2/2.0d0\n")

    def test_gives_all_as_json(self):
        result = run_expr("m*g*l*(1 - cos(q))", "--at", "q=pi/6,m=2.5,g=9.81,l=0.4", "--count", "--json")
        answer = json.loads(result.stdout)
        self.assertAlmostEqual(answer["value"], 2.5 * 9.81 * 0.4 * (1 - math.cos(math.pi / 6)), places=13)
        self.assertEqual(answer["operations"]["functions"], 1)
        self.assertEqual(answer["expression"], "g*l*m*(1 - cos(q))")

    def test_points_at_a_mistake(self):
        self.expect_mistake(["m*l*)"], "expression:1:5: expected a value, found ')'\n  m*l*)\n      ^\n")
        self.expect_mistake(["stiffness*x", "--diff", "stifness"], 'did you mean "stiffness"?')
        self.expect_mistake(["x*y", "--at", "x=3"], "y")
        self.expect_mistake(["x*y", "--at", "x"], "--at needs NAME=VALUE")
        self.expect_mistake(["x*y", "--at", "x=1,x=2"], "twice")
        self.expect_mistake(["x", "--code", "java"], "java")

        self.expect_mistake(["x", "--code", "0"], "c,cpp,fortran")
        self.expect_mistake(["sin(phi)", "--of-time", "psi", "--time-diff"], "--of-time: the expression has no \"psi\"")

    def test_knows_names_that_cancel(self):
        self.assertEqual(run_expr("x - x", "--diff", "x").stdout, "0\n")
        self.assertEqual(run_expr("x - x + y", "--at", "x=1,y=2.5").stdout, "2.5\n")

    def test_evaluates_what_has_no_names(self):
        self.assertEqual(float(run_expr("sqrt(2.0)^2", "--value").stdout), 2.0)
        self.assertEqual(float(run_expr("2^10", "--value").stdout), 1024.0)

    def test_takes_names_for_functions_of_time(self):
        self.assertEqual(run_expr("l*sin(q)", "--of-time", "q", "--time-diff").stdout, "l*q'*cos(q)\n")

    def test_a_value_that_does_not_exist_is_a_failed_run(self):
        result = run_expr("sqrt(x)", "--at", "x=-3")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("sqrt(x)", result.stderr)


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
