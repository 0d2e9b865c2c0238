// A double pendulum from its Lagrangian to C code: masses m1, m2 on rods l1, l2 that make the
// angles q1, q2 with the vertical. The C function gives q1'' and q2''.

#include <iostream>
#include <vector>

#include "camber/codegen/program.h"
#include "camber/codegen/write.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/linear_solve.h"
#include "camber/symbolic/simplify.h"

using namespace camber::symbolic;
using namespace camber::codegen;

int main() {
  const Expr m1 = symbol("m1"), m2 = symbol("m2"), l1 = symbol("l1"), l2 = symbol("l2");
  const Expr g = symbol("g"), q1 = variable("q1"), q2 = variable("q2");
  const Expr x1 = l1 * sin(q1), y1 = -l1 * cos(q1);
  const Expr x2 = x1 + l2 * sin(q2), y2 = y1 - l2 * cos(q2);
  const auto d = [](const Expr& e) { return time_derivative(e); };
  const Expr T = (m1 * (pow(d(x1), 2) + pow(d(y1), 2)) + m2 * (pow(d(x2), 2) + pow(d(y2), 2))) / 2;
  const Expr L = T - g * (m1 * y1 + m2 * y2);

  std::vector<Expr> equations;
  for (const Expr& q : {q1, q2}) equations.push_back(simplify(d(diff(L, d(q))) - diff(L, q)));
  const LinearSolution a = solve_linear(equations, std::vector{d(d(q1)), d(d(q2))});

  ProgramBuilder program("double_pendulum");
  program.add_input("q", {q1, q2}).add_input("v", {d(q1), d(q2)}).add_output("a", a.values);
  program.add_remaining_inputs().set_recipe("examples/double_pendulum.cc");
  std::cout << write_source(program.build(), Language::kC99);
}
